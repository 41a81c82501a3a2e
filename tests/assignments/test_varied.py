"""The sets under other names, as `autograder vary` gives them: right, and another's answers aren't.

Names are drawn anew in each run.
"""

import ast
import json
import keyword

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.sets import shipped_sets
from autograder.classroom.sets.name_placeholders import KEY_WORD
from autograder.classroom.sets.set_variants import vary
from autograder.rehearsal.run_trusted import rehearse
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set


@pytest.mark.parametrize("name", NAMES)
def test_its_own_solutions_get_all_points_and_the_published_ones_none(name, tmp_path):
    course = Course.at(tmp_path)
    varied = vary(course, name)
    assert varied.values.keys() == shipped_sets.other_names(name).keys()
    print("drawn:", dict(varied.values))
    cells = json.loads(course.source(name).read_text())["cells"]
    own = rehearse(cells)
    assert {test: ran.message for test, ran in own.items() if ran.message} == {}
    published = rehearse(cells, problem_set(name).own)
    assert published.keys() == own.keys()
    assert {test for test, ran in published.items() if ran.points} == set()
    assert sum(ran.max_points for ran in own.values()) == 100


def identifiers(source):
    """All names, arguments, attributes and what is imported in Python code."""
    nodes = list(ast.walk(ast.parse(source)))
    found = [getattr(node, kind, None) for node in nodes for kind in ("id", "arg", "name", "attr")]
    return {name for name in found if isinstance(name, str)}


def arguments(source):
    return {node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)}


@pytest.mark.parametrize("name", NAMES)
def test_other_names_are_new_where_they_stand(name):
    others = shipped_sets.other_names(name)
    own = problem_set(name).own
    code = [cell.source for cell in harness.source(name).cells if cell.cell_type == "code"]
    everywhere = set().union(*map(identifiers, code))
    functions = others.keys() & set(problem_set(name).functions)
    assert functions == set(problem_set(name).functions)
    for solution in own.values():
        taken = others.keys() & arguments(solution)
        new = [one for old in [*functions, *taken] for one in others[old]]
        assert len(set(new)) == len(new)
        assert not set(new) & identifiers(solution)
    for old, names in others.items():
        is_key_word = old.startswith(KEY_WORD) and any(old in text for text in code)
        is_argument = any(old in arguments(solution) for solution in own.values())
        assert is_key_word or old in functions or is_argument
        assert len(names) >= 2, "one is left where last year's is not to be drawn"
        assert all(one.isidentifier() and not keyword.iskeyword(one) for one in names)
        assert old not in functions or not set(names) & everywhere
