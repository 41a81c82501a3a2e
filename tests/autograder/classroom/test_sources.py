"""A source is read as nbgrader reads it, from wherever the command was given."""

import importlib.util
import os
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import sources
from autograder.commands.common import runner_for_own_code
from tests.autograder.tiny_assignment import TEXTS, write_source

RULES = Path(importlib.util.find_spec("nbgrader").origin).parent / "tests/apps/files/autotests.yml"
ASKS = """### HASHED AUTOTEST double(3)
### BEGIN HIDDEN TESTS
### AUTOTEST double(-3)
### END HIDDEN TESTS"""


def texts(**changed):
    return [(kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS]


def source_of(cells, name):
    return next(c.source for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)


def test_the_tests_that_nbgrader_writes_are_tried_and_released(tmp_path):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(double_small=ASKS))
    shutil.copy(RULES, tmp_path)  # in the course's folder, where the command is not given
    before = os.getcwd()
    with runner_for_own_code() as (rooms, _):
        assignment = release(course, "tiny", rooms)
    assert os.getcwd() == before
    made = assignment.followed_cells["double_small"]
    assert "sha1(" in made.released
    assert 'assert str(double(-3)) == "-6"' in made.source
    assert "double(-3)" not in made.released


def test_no_tests_are_made_of_a_solution_that_fails_others(tmp_path):
    wrong = "def double(x):\n    ### BEGIN SOLUTION\n    return abs(2 * x)\n    ### END SOLUTION"
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(double=wrong, double_small=ASKS))
    shutil.copy(RULES, tmp_path)
    with pytest.raises(CourseError, match="make its tests: AssertionError: a negative number"):
        sources.read(course, course.source("tiny"))


def test_header_and_footer_of_the_configuration_are_part_of_it(tmp_path):
    course = Course.at(tmp_path)
    imports = next(text for _, name, text, _ in TEXTS if name == "imports")
    write_source(tmp_path, texts=texts(imports="pass"))
    for part, text in (("header", imports), ("footer", "print('the end')")):
        nbformat.write(new_notebook(cells=[new_code_cell(text)]), tmp_path / f"{part}.ipynb")
        with (tmp_path / "nbgrader_config.py").open("a") as file:
            file.write(f"c.IncludeHeaderFooter.{part} = '{part}.ipynb'\n")
    cells = sources.read(course, course.source("tiny"))["cells"]
    assert [cells[0]["source"], cells[-1]["source"]] == [imports, "print('the end')"]
    with runner_for_own_code() as (rooms, _):
        assert len(release(course, "tiny", rooms).cells) == len(cells)


@pytest.mark.parametrize(
    ("rules", "says"),
    [(None, "No such file or directory: 'autotests.yml'"), ("python: {}", "'python3'")],
)
def test_tests_that_cannot_be_written_are_told(tmp_path, rules, says):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(double_small=ASKS))
    if rules is not None:
        (tmp_path / "autotests.yml").write_text(rules)
    with pytest.raises(CourseError, match="nbgrader can't make its tests: ") as error:
        sources.read(course, course.source("tiny"))
    assert says in str(error.value)


def test_a_line_that_asks_for_tests_outside_of_one_is_told(tmp_path):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(double=ASKS))
    shutil.copy(RULES, tmp_path)
    with pytest.raises(CourseError, match="AUTOTEST is in a cell that is no test"):
        sources.read(course, course.source("tiny"))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"cells": [1]}', '{"cells": [{}]}'])
def test_what_is_no_notebook_is_told(tmp_path, text):
    (path := tmp_path / "tiny.ipynb").write_text(text)
    with pytest.raises(CourseError, match="is no notebook: "):
        sources.read(Course.at(tmp_path), path)
