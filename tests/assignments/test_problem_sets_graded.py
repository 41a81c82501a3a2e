"""Every problem set through the two rooms and through stock nbgrader: the same points in both.

The points of the fast path in `harness` are the third opinion.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nbformat
import pytest

from autograder.classroom import grading
from autograder.classroom.assignment import Assignment
from autograder.classroom.folders import Course
from autograder.classroom.grading import Work, grade
from autograder.classroom.release import release
from autograder.examiner.rooms import Rooms
from autograder.rehearsal import promises
from autograder.rehearsal.catalogue import Mutant
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits
from tests.assignments import harness
from tests.assignments.problem_sets import NAMES, problem_set
from tests.sharing import once


def styles(name: str) -> dict[str, dict[str, str]]:
    """Right answers to all exercises, so often that every style has its turn."""
    right = {e: list(a.right.values()) for e, a in problem_set(name).answers.items()}
    return {
        f"style-{turn}": {exercise: texts[turn % len(texts)] for exercise, texts in right.items()}
        for turn in range(max(map(len, right.values())))
    }


def mistakes(name: str) -> dict[str, str]:
    """The first wrong answer to each exercise. What it gets is no matter of chance."""
    return {
        exercise: next(iter(answers.mutants.values())).source
        for exercise, answers in problem_set(name).answers.items()
    }


TURNS = 12  # mutants of each exercise that go through the rooms
HANDED_IN = {name: {**styles(name), "mistakes": mistakes(name), "untouched": {}} for name in NAMES}
CASES = [(name, student) for name in NAMES for student in HANDED_IN[name]]
STOCK = [
    (name, student)
    for name, student in CASES
    if name == "ps03" or student in ("style-0", "mistakes")
]


@dataclass(frozen=True)
class Classroom:
    """A course in which a problem set has been released, and rooms to grade it in."""

    name: str
    course: Course
    assignment: Assignment
    rooms: Rooms

    def grade(self, answers: dict[str, str]) -> dict[str, tuple[float, str]]:
        """Points of each graded cell, and what is told: to the student, then the teacher alone."""
        data = filled(self.course.released(self.name), answers).encode()
        work = Work("somebody", data, "key")
        result = grade(work, self.assignment, self.rooms, secret=b"secret").result
        assert not result.incidents
        return {cell.name: (cell.points, f"{cell.message}\n{cell.detail}") for cell in result.cells}


@pytest.fixture(scope="module")
def classroom(tmp_path_factory):
    """The classroom of a problem set, by its name."""
    with Rooms(Limits(), probe()) as rooms:
        opened = {}

        def open_classroom(name: str) -> Classroom:
            if name not in opened:
                course = Course.at(tmp_path_factory.mktemp(name))
                opened[name] = Classroom(name, course, release(course, name), rooms)
            return opened[name]

        yield open_classroom


def filled(released: Path, answers: dict[str, str]) -> str:
    """The released notebook with these answers, as a student hands it in."""
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(harness.grade_id(cell), cell.source)
    return nbformat.writes(notebook)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a wrong answer may divide by zero
@pytest.mark.parametrize("name", NAMES)
def test_what_the_first_wrong_answers_get_is_no_matter_of_chance(name):
    """Under four fixed secrets; the tests below compare their points under yet others."""
    under = (harness.grade(name, mistakes(name), secret=bytes([number])) for number in range(4))
    points = [{test: one.points for test, one in found.items()} for found in under]
    assert points == [points[0]] * 4


@pytest.mark.slow
@pytest.mark.parametrize(("name", "student"), CASES)
def test_the_rooms_give_the_points_of_the_fast_path(name, student, classroom):
    """By chance alone they differ with probability below 1e-8. Right answers have all points."""
    found = classroom(name).grade(HANDED_IN[name][student])
    expected = harness.grade(name, HANDED_IN[name][student])
    assert {test: points for test, (points, _) in found.items()} == {
        test: one.points for test, one in expected.items()
    }
    if student in styles(name):
        assert sum(points for points, _ in found.values()) == 100


def first_for_each_test(mutants: Iterable[Mutant]) -> list[Mutant]:
    """The same mutants, those first that are the first whom their test must find."""
    found = list(mutants)
    first = {mutant.fails: mutant for mutant in reversed(found)}
    return sorted(found, key=lambda mutant: first[mutant.fails] is not mutant)


def mistaken(name: str) -> Iterator[dict[str, Mutant]]:
    """A mistake in every exercise at once, so often that `TURNS` of each have their turn, among
    them one for each test. The others differ in what they compute, not in how it crosses.

    An exercise that may suffer from a mistake elsewhere waits for a turn without that mistake.
    """
    ours = problem_set(name)
    waiting = {
        e: first_for_each_test(ours.answers[e].mutants.values())[:TURNS] for e in ours.exercises
    }
    while any(waiting.values()):
        turn: dict[str, Mutant] = {}
        for exercise in sorted(waiting, key=list(ours.may_suffer).__contains__, reverse=True):
            hurt = any(exercise in ours.may_suffer.get(other, ()) for other in turn)
            if waiting[exercise] and not hurt:
                turn[exercise] = waiting[exercise].pop(0)
        yield turn


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_mutants_fail_in_the_rooms_too(name, classroom, monkeypatch):
    """With the draws of the fast path, whoever else's mistakes are in the notebook.

    What an error says is left out of messages once hidden tests have run.
    """
    monkeypatch.setattr(grading, "seed", lambda *submission: promises.secret(0))
    ours = problem_set(name)
    for wrong in mistaken(name):
        answers = ours.own | {exercise: mutant.source for exercise, mutant in wrong.items()}
        found = classroom(name).grade(answers)
        for mutant in wrong.values():
            points, told = found[mutant.fails]
            assert points == 0, mutant
            assert re.sub(r"(raised \w+): .*", r"\1", mutant.says) in told, mutant
        losing = {ours.exercise_of(test) for test, (points, _) in found.items() if not points}
        assert losing <= {*wrong, *(e for w in wrong for e in ours.may_suffer.get(w, ()))}


def nbgrader(folder: Path, *arguments: str) -> str:
    """Run nbgrader's own command in a course folder; return what it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """A course folder of stock nbgrader in which everybody has been graded, by problem set."""
    return lambda name: once(tmp_path_factory, f"stock-{name}", partial(_grade_by_stock, name))


def _grade_by_stock(name: str, folder: Path) -> Path:
    (folder / "nbgrader_config.py").write_text("")
    course = Course.at(folder)
    course.source(name).parent.mkdir(parents=True)
    course.source(name).write_bytes(harness.source_path(name).read_bytes())
    nbgrader(folder, "generate_assignment", name)
    for student in [student for one, student in STOCK if one == name]:
        place = course.submitted(student, name)
        place.parent.mkdir(parents=True)
        place.write_text(filled(course.released(name), HANDED_IN[name][student]))
    nbgrader(folder, "autograde", name)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("name", "student"), STOCK)
def test_stock_nbgrader_gives_the_same_points(name, student, stock):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{stock(name)}/gradebook.db") as gradebook:
        graded = gradebook.find_submission_notebook(name, name, student).grades
        theirs = {one.name: one.auto_score for one in graded}
    ours = harness.grade(name, HANDED_IN[name][student])  # as the rooms do, says a test above
    assert theirs == {test: one.points for test, one in ours.items()}


@pytest.mark.slow
def test_nbgrader_validates_the_solutions_and_not_the_release(stock, tmp_path):
    released = Course.at(stock("ps03")).released("ps03")
    solved = tmp_path / "solved.ipynb"
    solved.write_text(filled(released, problem_set("ps03").first))
    assert "Success" in nbgrader(tmp_path, "validate", str(solved))
    said = nbgrader(tmp_path, "validate", str(released))
    tests = len(harness.grade("ps03", {}))
    assert f"VALIDATION FAILED ON {tests} CELL(S)" in said
    assert "is not written yet: put your code into its cell" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_release_has_no_solution_and_no_hidden_test(name, classroom):
    text = classroom(name).course.released(name).read_text()
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert [cell for cell in json.loads(text)["cells"] if cell.get("outputs")] == []
    assignment = classroom(name).assignment
    assert sum(cell.points for cell in assignment.scored) == 100
    assert [exercise.name for exercise in assignment.exercises] == problem_set(name).exercises
