"""A verdict, repeated: the same submission, seed and limits, and what came of it both times."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import results
from autograder.classroom.assignment import load
from autograder.classroom.folders import Course, CourseError
from autograder.classroom.grading import Work, grade, seed
from autograder.classroom.results import CellResult, Result
from autograder.wire.contract import Limits


@dataclass(frozen=True)
class Explained:
    """`kept` is what was recorded, `again` what the same submission came to just now."""

    kept: Result
    again: Result
    submission: Path
    seed: str  # the SHA-256 of the seed: it tells two seeds apart, and gives neither away

    @property
    def pairs(self) -> tuple[tuple[CellResult, CellResult], ...]:
        return tuple(zip(self.kept.cells, self.again.cells, strict=True))

    @property
    def differing(self) -> tuple[str, ...]:
        """The cells that other points were given to."""
        return tuple(one.name for one, other in self.pairs if one.points != other.points)


def limits_of(course: Course, name: str, student: str) -> Limits:
    """Those under which the submission was graded."""
    return Limits(**_kept(course, name, student).limits)


def explain(course: Course, name: str, student: str, rooms) -> Explained:
    """Grade a submission once more, and write nothing.

    Raises `CourseError` where it was not graded, or is another one than was graded.
    """
    kept = _kept(course, name, student)
    path = course.submitted(student, name)
    data = path.read_bytes() if path.is_file() else None
    if hashlib.sha256(data or b"").hexdigest() != kept.content:
        raise CourseError(
            f"{path} is not what was graded: its SHA-256 is another one; "
            f"run: autograder grade {course.root} {name}"
        )
    assignment = load(course, name)
    work = Work(student, data, kept.key, kept.notes if data is None else ())
    again = grade(work, assignment, rooms, course.secret(), kept.sandbox).result
    if [cell.name for cell in again.cells] != [cell.name for cell in kept.cells]:
        raise CourseError(f"{name!r} was released again with other tests since it was graded")
    made_from = seed(course.secret(), name, kept.content)
    return Explained(kept, again, path, hashlib.sha256(made_from).hexdigest())


def _kept(course: Course, name: str, student: str) -> Result:
    kept = results.find(course, student, name)
    if kept is None:
        raise CourseError(f"no result of {student!r} for {name!r} is kept in {course.root}")
    return kept
