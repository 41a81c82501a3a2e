"""The whole catalogue, graded once for all the tests that look at what came of it."""

import json
import re

import pytest

from autograder.classroom.assignment import text_of
from autograder.classroom.folders import Course
from autograder.classroom.release import release
from tests.autograder.hostile.catalogue import all_submissions
from tests.autograder.hostile.classroom import fresh, grade
from tests.autograder.tiny_assignment import SOLUTIONS

CLASSES = ("class.zip", "class", "ps03.zip")


def class_of(submission) -> str:
    """In which class the submission is graded."""
    if submission.problem_set == "ps03":
        return "ps03.zip"
    return "class" if submission.kind in ("links", "unlucky") else "class.zip"


def ps03_solutions(course: Course) -> dict[str, str]:
    """The teacher's own answers."""
    cells = json.loads(course.source("ps03").read_text(encoding="utf-8"))["cells"]
    return {
        cell["metadata"]["nbgrader"]["grade_id"]: re.sub(
            r"^ *### (BEGIN|END) SOLUTION\n?", "", text_of(cell["source"]), flags=re.MULTILINE
        )
        for cell in cells
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }


@pytest.fixture(scope="session")
def classes(released_course, tmp_path_factory):
    """Each class by its name, graded when it is first asked for."""
    graded = {}

    def graded_class(name: str):
        if name not in graded:
            graded[name] = _grade(name, released_course, tmp_path_factory.mktemp("hostile"))
        return graded[name]

    return graded_class


def _grade(name, released_course, folder):
    chosen = tuple(found for found in all_submissions() if class_of(found) == name)
    problem_set = chosen[0].problem_set
    if problem_set == "tiny":
        course, solutions = fresh(released_course, folder), SOLUTIONS
    else:
        course = Course.at(folder / "course")
        release(course, problem_set)
        course.secret()
        solutions = ps03_solutions(course)
    released = json.loads(course.released(problem_set).read_text(encoding="utf-8"))
    seconds = 2 if name == "class.zip" else 10  # the endless ones are in the zip
    return grade(course, released, solutions, chosen, folder / name, seconds)
