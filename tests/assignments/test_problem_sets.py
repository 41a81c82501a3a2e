"""Every problem set against its answers: wrong ones fail where they should, right ones pass.

In the everyday tier two right answers and all wrong ones, under one secret; in the exhaustive tier
all, under five.
"""

import ast

import pytest

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.rehearsal.run_trusted import rehearse
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set
from tests.assignments.under_secrets import escapes, losses

every_problem_set = pytest.mark.parametrize("name", NAMES)
every_exercise = pytest.mark.parametrize(
    ("name", "exercise"),
    [(name, exercise) for name in NAMES for exercise in problem_set(name).exercises],
)
CHECKING = ast.Expr | ast.For | ast.With | ast.Assert | ast.If


def lost(grades: dict[str, harness.Rehearsed]) -> dict[str, str]:
    """The tests that gave no points, with what they said."""
    return {name: grade.message for name, grade in grades.items() if grade.message}


def points(grades: dict[str, harness.Rehearsed]) -> float:
    return sum(grade.points for grade in grades.values())


@every_problem_set
def test_the_answers_cover_every_exercise_and_every_test(name):
    answers = problem_set(name).answers.values()
    assert [one.cell for one in answers if len(one.right) < 3 or len(one.mutants) < 8] == []
    found = {wrong.fails for one in answers for wrong in one.mutants.values()}
    assert found == set(harness.tests(name))


@every_problem_set
def test_the_teachers_own_solutions_get_a_hundred_points_but_by_chance(name):
    """By what the tests state, chance takes a point from them once in hundreds of millions."""
    grades = harness.grade(name, problem_set(name).own)
    assert lost(grades) == {}
    assert points(grades) == 100
    failures = [stated.failure for grade in grades.values() for stated in grade.stated]
    assert max(failures, default=0) <= 1e-9
    assert sum(failures) < 6e-9


def late_helpers(body: list[ast.stmt]) -> set[str]:
    """The functions of a test that are defined after something was checked."""
    first = next((n for n, part in enumerate(body) if isinstance(part, CHECKING)), len(body))
    return {part.name for part in body[first:] if isinstance(part, ast.FunctionDef)}


@every_problem_set
def test_who_fails_a_test_loses_no_helper_of_another(name):
    tests = [cell for cell in harness.source(name).cells if CellMetadata.of(cell).grade]
    lost: dict[str, str] = {}
    for cell in (cell for cell in tests if cell.cell_type == "code"):
        tree = ast.parse(cell.source)
        own = {part.name for part in tree.body if isinstance(part, ast.FunctionDef)}
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
        used = {node.id for node in names}
        assert (used - own) & set(lost) == set(), (harness.grade_id(cell), lost)
        lost = {helper: where for helper, where in lost.items() if helper not in own}
        lost |= dict.fromkeys(late_helpers(tree.body), harness.grade_id(cell))


@every_problem_set
def test_no_test_takes_a_name_that_answers_are_told_to_give_their_helpers(name):
    """In a notebook, running a test replaces what had one of its names."""
    cells = harness.source(name).cells
    told = [c for c in cells if c.cell_type == "markdown" and "begin with `my_`" in c.source]
    assert len(told) == 1
    for cell in (
        cell for cell in cells if cell.cell_type == "code" and CellMetadata.of(cell).grade
    ):
        parts = list(ast.walk(ast.parse(cell.source)))
        names = {node.id for node in parts if isinstance(node, ast.Name)}
        names |= {node.name for node in parts if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not [one for one in names if one.startswith("my_")]


@every_problem_set
def test_the_visible_tests_stand_by_themselves(name):
    assert lost(rehearse(harness.released(name, problem_set(name).first).cells)) == {}


@every_problem_set
def test_nothing_for_an_untouched_release(name):
    grades = harness.grade(name, {})
    assert points(grades) == 0
    assert all("is not written yet" in grade.message for grade in grades.values())


@every_problem_set
def test_nothing_for_functions_that_do_nothing(name):
    functions = problem_set(name).functions
    idle = "\n".join(f"def {function}(*arguments): pass" for function in functions)
    grades = harness.grade(name, dict.fromkeys(problem_set(name).exercises, idle))
    assert points(grades) == 0
    assert all("is None" in grade.message for grade in grades.values())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@every_exercise
def test_every_wrong_answer_fails_in_the_test_named_for_it(name, exercise):
    """In these words under the first secret; under all of the tier, where they make a difference.

    Fixed secrets, and answers that draw from what a check hands them: always or never.
    `python tests/benchmarks/mutant_secrets.py FILE` takes 1,000. That no other exercise suffers is
    seen in the rooms.
    """
    found = escapes(name, exercise)
    assert not found, "\n".join(found)


@every_exercise
def test_every_style_of_right_answer_passes(name, exercise):
    found = losses(name, exercise)
    assert not found, "\n".join(found)
