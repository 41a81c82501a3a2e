"""Check a notebook before it is handed in: its visible tests, run as grading runs them.

No course folder is needed: the notebook serves as its own problem set, and the marks that nbgrader
left in it say which cells are tests, which are locked and what they are worth. Whoever grades
believes none of these marks, so a student who changes them misleads nobody else.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import submission
from autograder.classroom.assignment import Assignment, Exercise, SourceCell, from_notebooks
from autograder.classroom.folders import CourseError
from autograder.classroom.grading import Work, explain, grade
from autograder.classroom.results import CellResult, Result, told
from autograder.classroom.submission import Note, PlainCell

_FLAGS = ("grade", "solution", "locked", "task")
_SEED = b"a check of one's own"  # the same notebook draws the same numbers at every check


@dataclass(frozen=True)
class Draft:
    """A notebook as its student has it, and the problem set that it contains."""

    name: str
    data: bytes
    assignment: Assignment
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class VisibleTest:
    """A test cell that ran. `message` says why it failed."""

    origin: SourceCell
    points: float
    passed: bool
    message: str


@dataclass(frozen=True)
class Hint:
    title: str
    text: str


@dataclass(frozen=True)
class CheckedExercise:
    """How one exercise stands. `by_hand` says of each answer that a human reads what is known."""

    title: str
    answered: bool
    tests: tuple[VisibleTest, ...]
    by_hand: tuple[str, ...]
    hints: tuple[Hint, ...]

    @property
    def passed(self) -> bool:
        return all(test.passed for test in self.tests)

    @property
    def points(self) -> float:
        return sum(test.points for test in self.tests)

    @property
    def max_points(self) -> float:
        return sum(test.origin.points for test in self.tests)


@dataclass(frozen=True)
class Checked:
    """The exercises, and what was odd about the notebook or had to be stopped."""

    exercises: tuple[CheckedExercise, ...]
    remarks: tuple[str, ...]

    @property
    def tests(self) -> tuple[VisibleTest, ...]:
        return tuple(test for exercise in self.exercises for test in exercise.tests)

    @property
    def passed(self) -> bool:
        return all(test.passed for test in self.tests)


def load(path: Path) -> Draft:
    """Read a notebook; raise CourseError where it isn't one, or has no tests in it."""
    data = _bytes(path)
    reading = submission.read(data)
    if not reading.readable:
        raise CourseError(f"{path} can't be checked. {reading.notes[-1].message}")
    marks = _marks(data)
    assignment = _problem_set(path.stem, reading.cells, marks)
    if not any(cell.test for cell in assignment.followed.values()):
        raise CourseError(
            f"{path} has no tests in it: the marks that nbgrader puts on cells are missing. Some "
            "editors remove them. Get the problem set again and copy your answers into it"
        )
    return Draft(path.stem, data, assignment, tuple(_changed(assignment)))


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"there is no notebook {path}")
    if not path.is_file():
        raise CourseError(f"{path} is no file; name the notebook itself")
    with path.open("rb") as file:
        return file.read(submission.SIZE_LIMIT + 1)


def _marks(data: bytes) -> dict[str, dict]:
    """grade_id -> what the file says about that cell. Only for a file that could be read."""
    text = data.decode(json.detect_encoding(data), errors="replace")
    cells = json.loads(text.lstrip("\ufeff \t\r\n")).get("cells", ())
    found: dict[str, dict] = {}
    for cell in cells:
        metadata = cell.get("metadata") if isinstance(cell, dict) else None
        marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str):
            found.setdefault(submission.clean_text(marks["grade_id"]), marks)
    return found


def _clean_marks(name: str, marks: dict) -> dict:
    """nbgrader's marks with every value of its kind, whatever the file had in its place."""
    points, checksum = marks.get("points"), marks.get("checksum")
    known = isinstance(points, int | float) and math.isfinite(points) and points >= 0
    flags = {flag: marks.get(flag) is True for flag in _FLAGS}
    clean = {**flags, "grade_id": name, "points": float(points) if known else 0.0}
    return clean | ({"checksum": checksum} if isinstance(checksum, str) else {})


def _problem_set(name: str, cells: tuple[PlainCell, ...], marks: dict[str, dict]) -> Assignment:
    """The cells with their marks. Of copies of a cell one has them, the others are extra cells."""
    owners: dict[str, int] = {}
    for index, cell in enumerate(cells):
        solution = marks.get(cell.claimed, {}).get("solution") is True
        if cell.claimed in marks and (solution or cell.claimed not in owners):
            owners[cell.claimed] = index
    shown = [
        _cell(cell, marks[cell.claimed] if owners.get(cell.claimed) == index else None)
        for index, cell in enumerate(cells)
    ]
    # What the stubs said is not known any more: any answer counts as a changed one.
    released = [cell | {"source": ""} if _is_solution(cell) else cell for cell in shown]
    return from_notebooks(name, {"cells": shown}, {"cells": released})


def _cell(cell: PlainCell, marks: dict | None) -> dict:
    metadata = {} if marks is None else {"nbgrader": _clean_marks(cell.claimed, marks)}
    shape = {"cell_type": cell.cell_type, "id": cell.cell_id, "metadata": metadata}
    return shape | {"source": cell.source}


def _is_solution(cell: dict) -> bool:
    return cell["metadata"].get("nbgrader", {}).get("solution", False)


def _changed(assignment: Assignment):
    """Tests and locked cells that aren't as released, by nbgrader's checksum."""
    from autograder.classroom.quick_nbgrader import compute_checksum, from_dict

    for origin in assignment.followed.values():
        shape = {"cell_type": origin.cell_type, "source": origin.source}
        checksum = origin.nbgrader.get("checksum")
        now = compute_checksum(from_dict(shape | {"metadata": origin.metadata}))
        if origin.owned and checksum and checksum != now:
            text = f"The cell {origin.name!r} has been changed. Grading uses the original."
            yield Note("changed", text)


def check(draft: Draft, rooms) -> Checked:
    """Run the notebook in the two rooms. Whatever its cells do, this returns."""
    work = Work("you", draft.data, key="", notes=draft.notes)
    graded = grade(work, draft.assignment, rooms, _SEED)
    stopped = _stopped_tests(json.loads(graded.notebook))
    scores = {cell.name: cell for cell in graded.result.cells}
    hints = _hints(draft.assignment)
    exercises = tuple(
        _exercise(draft.assignment, exercise, scores, stopped, graded.result, hints)
        for exercise in draft.assignment.exercises
    )
    incidents = [told(incident) for incident in graded.result.incidents]
    return Checked(exercises, (*incidents, *(note.message for note in graded.result.notes)))


def _stopped_tests(notebook: dict) -> dict[str, str]:
    """The tests that ended with an error, and what it said: also those that give no points."""
    found = {}
    for cell in notebook["cells"]:
        marks, outputs = cell["metadata"].get("nbgrader"), cell.get("outputs", ())
        if marks and any(output["output_type"] == "error" for output in outputs):
            found[marks["grade_id"]] = explain(outputs)
    return found


def _exercise(
    assignment: Assignment,
    exercise: Exercise,
    scores: dict[str, CellResult],
    stopped: dict[str, str],
    result: Result,
    hints: dict[str, tuple[Hint, ...]],
) -> CheckedExercise:
    cells = [assignment.followed[name] for name in exercise.graded]
    untouched = bool(exercise.solutions) and set(exercise.solutions) <= set(result.unanswered)
    return CheckedExercise(
        title=exercise.title,
        answered=not untouched,
        tests=tuple(_test(cell, scores[cell.name], stopped) for cell in cells if cell.test),
        by_hand=tuple(_by_hand(scores[cell.name]) for cell in cells if not cell.test),
        hints=hints.get(exercise.name, ()),
    )


def _test(origin: SourceCell, score: CellResult, stopped: dict[str, str]) -> VisibleTest:
    passed = score.full and origin.name not in stopped
    message = "" if passed else score.message or stopped.get(origin.name, "")
    return VisibleTest(origin, score.points or 0.0, passed, message)


def _by_hand(score: CellResult) -> str:
    return score.message or "Answered; a human will read it."


_DETAILS = re.compile(
    r"<details>\s*<summary>\s*(hint.*?)\s*</summary>(.*?)</details>", re.DOTALL | re.IGNORECASE
)


def _hints(assignment: Assignment) -> dict[str, tuple[Hint, ...]]:
    """Exercise -> the hints that stand, folded away, in the texts that belong to it."""
    owners = {name: e.name for e in assignment.exercises for name in (*e.solutions, *e.graded)}
    found: dict[str, tuple[Hint, ...]] = {}
    waiting: list[Hint] = []
    for cell in assignment.cells:
        if cell.cell_type == "markdown" and not cell.solution:
            pairs = _DETAILS.findall(cell.source)
            waiting += [Hint(" ".join(title.split()), text.strip()) for title, text in pairs]
        elif owner := owners.get(cell.name):
            found[owner] = (*found.get(owner, ()), *waiting)
            waiting = []
    return found
