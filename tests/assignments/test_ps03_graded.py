"""Problem set 3 through the two rooms and through stock nbgrader: the same points in both.

The points of the fast path in `harness` are the third opinion.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.folders import Course
from autograder.classroom.grading import Work, grade
from autograder.classroom.release import release
from autograder.rooms.contract import Limits
from autograder.rooms.probing import probe
from autograder.rooms.rooms import Rooms
from tests.assignments import harness
from tests.assignments.test_ps03 import ANSWERS, EXERCISES, FIRST, MUTANTS, NAME, exercise_of

MOST_STYLES = max(len(answers.right) for answers in ANSWERS.values())


def style(number: int) -> dict[str, str]:
    """One right answer to each exercise; all of them in `MOST_STYLES` turns."""
    texts = {exercise: list(answers.right.values()) for exercise, answers in ANSWERS.items()}
    return {exercise: right[number % len(right)] for exercise, right in texts.items()}


def mistakes() -> dict[str, str]:
    """A wrong answer to each exercise. What it gets is no matter of chance."""
    chosen = {
        "respond": "the shape lost",
        "output_law": "the people in reverse",
        "debias": "only shifted",
        "warner_estimate": "clipped",
        "epsilon_of_warner": "division by zero",
        "slope": "an error for each person",
    }
    return {exercise: ANSWERS[exercise].mutants[name].source for exercise, name in chosen.items()}


HANDED_IN = {
    **{f"style-{number}": style(number) for number in range(MOST_STYLES)},
    "mistakes": mistakes(),
    "untouched": {},
}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    return Course.at(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def problem_set(course):
    return release(course, NAME)


@pytest.fixture(scope="module")
def rooms():
    with Rooms(Limits(), probe()) as opened:
        yield opened


def filled(released: Path, answers: dict[str, str]) -> str:
    """The released notebook with these answers, as a student hands it in."""
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(harness.grade_id(cell), cell.source)
    return nbformat.writes(notebook)


def in_rooms(course, problem_set, rooms, answers) -> dict[str, tuple[float, str]]:
    """Points and message of each graded cell."""
    data = filled(course.released(NAME), answers).encode()
    result = grade(Work("somebody", data, "key"), problem_set, rooms, secret=b"secret").result
    assert not result.incidents
    return {cell.name: (cell.points, cell.message) for cell in result.cells}


@pytest.mark.parametrize("student", HANDED_IN)
def test_the_rooms_give_the_points_of_the_fast_path(student, course, problem_set, rooms):
    """By chance alone they differ with probability below 1e-8."""
    found = in_rooms(course, problem_set, rooms, HANDED_IN[student])
    expected = harness.grade(NAME, HANDED_IN[student])
    assert {name: points for name, (points, _) in found.items()} == {
        name: one.points for name, one in expected.items()
    }


@pytest.mark.slow
def test_every_mutant_fails_in_the_rooms_too(course, problem_set, rooms):
    """Each escapes with probability below 1e-3, as in the fast path.

    What an error says is left out of messages once hidden tests have run.
    """
    for exercise, mutant in MUTANTS:
        wrong = ANSWERS[exercise].mutants[mutant]
        found = in_rooms(course, problem_set, rooms, FIRST | {exercise: wrong.source})
        points, message = found[wrong.fails]
        assert points == 0, mutant
        assert re.sub(r"(raised \w+): .*", r"\1", wrong.says) in message, mutant
        losing = {name for name, (points, _) in found.items() if not points}
        assert {exercise_of(name) for name in losing} <= {exercise, "slope"}, mutant


def nbgrader(folder: Path, *arguments: str) -> str:
    """Run nbgrader's own command in a course folder; return what it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def stock(tmp_path_factory) -> Path:
    """A course folder of stock nbgrader, in which everybody has been graded."""
    folder = tmp_path_factory.mktemp("stock")
    (folder / "nbgrader_config.py").write_text("")
    course = Course.at(folder)
    course.source(NAME).parent.mkdir(parents=True)
    course.source(NAME).write_bytes(harness.source_path(NAME).read_bytes())
    nbgrader(folder, "generate_assignment", NAME)
    for student, answers in HANDED_IN.items():
        place = course.submitted(student, NAME)
        place.parent.mkdir(parents=True)
        place.write_text(filled(course.released(NAME), answers))
    nbgrader(folder, "autograde", NAME)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("student", HANDED_IN)
def test_stock_nbgrader_gives_the_same_points(student, stock, course, problem_set, rooms):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{stock}/gradebook.db") as gradebook:
        graded = gradebook.find_submission_notebook(NAME, NAME, student).grades
        theirs = {one.name: one.auto_score for one in graded}
    ours = in_rooms(course, problem_set, rooms, HANDED_IN[student])
    assert theirs == {name: points for name, (points, _) in ours.items()}


@pytest.mark.slow
def test_nbgrader_validates_the_solutions_and_not_the_release(stock, tmp_path):
    solved = tmp_path / "solved.ipynb"
    solved.write_text(filled(Course.at(stock).released(NAME), FIRST))
    assert "Success" in nbgrader(tmp_path, "validate", str(solved))
    said = nbgrader(tmp_path, "validate", str(Course.at(stock).released(NAME)))
    assert "VALIDATION FAILED ON 21 CELL(S)" in said
    assert "is not written yet: put your code into its cell" in said


def test_the_release_has_no_solution_and_no_hidden_test(course, problem_set):
    text = course.released(NAME).read_text()
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert [cell for cell in json.loads(text)["cells"] if cell.get("outputs")] == []
    assert sum(cell.points for cell in problem_set.scored) == 50
    assert [exercise.name for exercise in problem_set.exercises] == EXERCISES
