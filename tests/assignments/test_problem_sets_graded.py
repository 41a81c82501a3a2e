"""Every problem set through the two rooms and through stock nbgrader: the same points in both.

The points of the fast path in `harness` are the third opinion. A run tries some of the answers,
drawn anew and named by the test; `tests/benchmarks/answers_in_rooms.py` tries all.
"""

import json
import os
import re
import secrets
import subprocess
import sys
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.course.nbgrader_import import alembic_in_process
from autograder.classroom.grading import grade_notebook
from autograder.classroom.grading.grade_notebook import NotebookSubmission, grade
from autograder.classroom.releasing.release import release
from autograder.classroom.sets.assignment import Assignment
from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.rehearsal import error_rates
from autograder.rehearsal.catalogue import Answers, Mutant
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set
from tests.sharing import once


def mistakes(name: str) -> dict[str, str]:
    """The first wrong answer to each exercise. What it gets is no matter of chance."""
    return {
        exercise: next(iter(answers.mutants.values())).source
        for exercise, answers in problem_set(name).answers.items()
    }


HANDED_IN = {
    name: {"right": problem_set(name).first, "mistakes": mistakes(name), "untouched": {}}
    for name in NAMES
}


@cache
def by_the_fast_path(name: str, student: str, number: int = 0) -> dict[str, float]:
    """Return the points of each graded cell under one of some fixed secrets."""
    grades = harness.grade(name, HANDED_IN[name][student], secret=bytes([number]))
    return {test: one.points for test, one in grades.items()}


def to_be_graded(answers: Answers) -> list[str | Mutant]:
    """Every right answer to an exercise; a mistake that each of its tests must find, and one for
    each error or strange type that crosses. The others differ in what they compute alone.
    """
    first: dict[str, Mutant] = {}
    for wrong_answer in answers.mutants.values():
        for what in (wrong_answer.fails, *_STRANGE.findall(wrong_answer.says)):
            first.setdefault(what, wrong_answer)
    return [*answers.right.values(), *dict.fromkeys(first.values())]


_STRANGE = re.compile(r"raised \w+|it is an? \w+")


def turns(name: str) -> list[dict[str, str | Mutant]]:
    """Answers to as many exercises at once as there are, until each had all of its own.

    An exercise that may suffer from a mistake elsewhere waits for a turn without that mistake.
    """
    ours = problem_set(name)
    waiting = {exercise: to_be_graded(ours.answers[exercise]) for exercise in ours.exercises}
    made = []
    while any(waiting.values()):
        turn: dict[str, str | Mutant] = {}
        for exercise in sorted(waiting, key=list(ours.may_suffer).__contains__, reverse=True):
            wrong = [other for other, answer in turn.items() if isinstance(answer, Mutant)]
            hurt = any(exercise in ours.may_suffer.get(other, ()) for other in wrong)
            if waiting[exercise] and not hurt:
                turn[exercise] = waiting[exercise].pop(0)
        made.append(turn)
    return made


TURNS = {name: turns(name) for name in NAMES}
DRAWN = 3  # turns of each set in a run
# What a limit stops is no matter here, and others may have the cores.
LIMITS = Limits(cell_seconds=60, notebook_seconds=600)


@dataclass(frozen=True)
class Classroom:
    """A course in which a problem set has been released, and rooms to grade it in."""

    name: str
    course: Course
    assignment: Assignment
    rooms: SandboxedRunner

    def grade(self, answers: dict[str, str]) -> dict[str, tuple[float, str]]:
        """Points of each graded cell, and what is told: to the student, then the teacher alone."""
        data = filled(self.course.released(self.name), answers).encode()
        work = NotebookSubmission("somebody", data, "key")
        result = grade(work, self.assignment, self.rooms, secret=b"secret").result
        assert not result.incidents
        return {cell.name: (cell.points, f"{cell.message}\n{cell.detail}") for cell in result.cells}


def released_in(folder: Path, name: str) -> tuple[Course, Assignment]:
    """A course in which the problem set has been released."""
    course = Course.at(folder)
    return course, release(course, name)


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    """The classroom of a problem set, by its name."""
    with SandboxedRunner(LIMITS, probe()) as rooms:

        def open_classroom(name: str) -> Classroom:
            made = once(tmp_path_factory, f"released-{name}", partial(released_in, name=name))
            return Classroom(name, *made, rooms)

        yield open_classroom


def filled(released: Path, answers: dict[str, str]) -> str:
    """The released notebook with these answers, as a student hands it in."""
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(harness.grade_id(cell), cell.source)
    return nbformat.writes(notebook)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@pytest.mark.parametrize("name", NAMES)
def test_what_the_first_wrong_answers_get_is_no_matter_of_chance(name):
    """Under four fixed secrets; the rooms and stock nbgrader give the points under others."""
    points = [by_the_fast_path(name, "mistakes", number) for number in range(4)]
    assert points == [points[0]] * 4


@pytest.mark.parametrize("name", NAMES)
def test_the_rooms_give_the_points_of_the_fast_path(name, classroom):
    """By chance alone they differ with probability below 1e-8."""
    for student in ("mistakes", "untouched"):
        found = classroom(name).grade(HANDED_IN[name][student])
        points = {test: points for test, (points, _) in found.items()}
        assert points == by_the_fast_path(name, student), student


@pytest.mark.parametrize("part", range(DRAWN))
@pytest.mark.parametrize("name", NAMES)
def test_right_answers_pass_in_the_rooms_and_wrong_ones_fail(name, part, classroom, monkeypatch):
    """With the draws of the fast path, whoever else's mistakes are in the notebook."""
    monkeypatch.setattr(grade_notebook, "seed", lambda *submission: error_rates.secret(0))
    number = secrets.choice(range(len(TURNS[name]))[part::DRAWN])
    print("drawn: turn", number)
    graded_as_deserved(classroom(name), TURNS[name][number])


def graded_as_deserved(room: Classroom, turn: dict[str, str | Mutant]) -> None:
    """Raise AssertionError where a right answer lost points, or a mistake wasn't found as it is
    off the rooms.

    What an error says is left out of messages once hidden tests have run.
    """
    ours = problem_set(room.name)
    wrong = {exercise: one for exercise, one in turn.items() if isinstance(one, Mutant)}
    answers = {exercise: ours.own[exercise] for exercise in ours.may_suffer} | turn
    answers |= {exercise: wrong_answer.source for exercise, wrong_answer in wrong.items()}
    found = room.grade(answers)
    for cell in room.assignment.scored:
        if (exercise := ours.exercise_of(cell.name)) not in wrong:
            points, told = found[cell.name]
            assert points == (cell.points if exercise in answers else 0), (cell.name, told)
    for wrong_answer in wrong.values():
        points, told = found[wrong_answer.fails]
        assert points == 0, wrong_answer
        assert re.sub(r"(raised \w+): .*", r"\1", wrong_answer.says) in told, wrong_answer


def nbgrader(folder: Path, *arguments: str) -> str:
    """Run nbgrader's own command in a course folder; return what it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=1800,
        check=True,
    )
    return done.stdout + done.stderr


OTHERS = [name for name in NAMES if name != "ps03"]


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """A course folder of stock nbgrader in which everybody has been graded, by problem set."""
    return lambda name: once(tmp_path_factory, f"stock-{name}", partial(_grade_by_stock, name))


def _grade_by_stock(name: str, folder: Path) -> Path:
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    course = Course.at(folder)
    course.source(name).parent.mkdir(parents=True)
    course.source(name).write_bytes(harness.source_path(name).read_bytes())
    patient = Config({"Execute": {"timeout": 600}})  # the 30 s of a cell are not what is compared
    by_nbgrader = NbGraderAPI(CourseDirectory(root=str(folder)), config=patient)
    with alembic_in_process():
        made = by_nbgrader.generate_assignment(name)
    assert made["success"], made
    for student in HANDED_IN[name]:
        place = course.submitted(student, name)
        place.parent.mkdir(parents=True)
        place.write_text(filled(course.released(name), HANDED_IN[name][student]))
        graded = by_nbgrader.autograde(name, student)
        assert graded["success"], graded
    return folder


@pytest.mark.parametrize("among", [["ps03"], OTHERS[::3], OTHERS[1::3], OTHERS[2::3]])
def test_stock_nbgrader_gives_the_same_points(among, stock):
    from nbgrader.api import Gradebook

    name = secrets.choice(among)
    print("drawn:", name)
    with Gradebook(f"sqlite:///{stock(name)}/gradebook.db") as gradebook:
        for student in HANDED_IN[name]:
            graded = gradebook.find_submission_notebook(name, name, student).grades
            theirs = {one.name: one.auto_score for one in graded}
            assert theirs == by_the_fast_path(name, student)  # as the rooms do, say tests above


def test_nbgrader_validates_the_solutions_and_not_the_release(stock, tmp_path):
    released = Course.at(stock("ps03")).released("ps03")
    solved = tmp_path / "solved.ipynb"
    solved.write_text(filled(released, problem_set("ps03").first))
    assert "Success" in nbgrader(tmp_path, "validate", str(solved))
    said = nbgrader(tmp_path, "validate", str(released))
    tests = len(by_the_fast_path("ps03", "untouched"))
    assert f"VALIDATION FAILED ON {tests} CELL(S)" in said
    assert "is not written yet: put your code into its cell" in said


@pytest.mark.parametrize("name", NAMES)
def test_the_release_has_no_solution_and_no_hidden_test(name, classroom):
    text = classroom(name).course.released(name).read_text()
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert [cell for cell in json.loads(text)["cells"] if cell.get("outputs")] == []
    assignment = classroom(name).assignment
    assert sum(cell.points for cell in assignment.scored) == 100
    assert [exercise.name for exercise in assignment.exercises] == problem_set(name).exercises
