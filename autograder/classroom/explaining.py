"""A verdict, repeated: the same submission, seed and limits, and what came of it both times."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import people, results
from autograder.classroom.assignment import Assignment, load
from autograder.classroom.folders import Course, CourseError, command
from autograder.classroom.grading import seed
from autograder.classroom.results import CellResult, Result, content_of
from autograder.classroom.several import Whole, grade
from autograder.classroom.submission import Note
from autograder.wire.contract import Limits


@dataclass(frozen=True)
class Explained:
    """`kept` is what was recorded, `again` what the same submission came to just now."""

    kept: Result
    again: Result
    submission: Path
    seed: str  # the SHA-256 of the seeds: it tells two apart, and gives none away

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

    Raises `CourseError` where it was not graded, or is another one than was graded, or the secret
    is lost from which its random tests were made.
    """
    kept = _kept(course, name, student)
    paths = [course.submitted(student, name, n) for n in kept.notebooks or (name,)]
    contents = tuple(path.read_bytes() if path.is_file() else None for path in paths)
    place = paths[0] if len(paths) == 1 else paths[0].parent
    if content_of(contents) != kept.content:
        raise CourseError(
            f"{place} is not what was graded: its SHA-256 is another one; "
            f"run: {command('grade', course.root, name)}"
        )
    if not course.has_secret:
        raise CourseError(
            f"the secret of {course.root} is gone, and without it random tests can't be repeated; "
            f"put it back from a backup, or grade again: "
            f"{command('grade', course.root, name, '--again')}"
        )
    assignment = load(course, name)
    if assignment.notebooks != (kept.notebooks or (name,)):
        raise CourseError(f"{name!r} was released again with other notebooks since it was graded")
    notes = _of_unreadable(kept, assignment, contents)
    whole = Whole(student, contents, kept.key, notes)
    again = grade(whole, assignment, rooms, course.secret(), kept.sandbox).result
    if [cell.name for cell in again.cells] != [cell.name for cell in kept.cells]:
        raise CourseError(f"{name!r} was released again with other tests since it was graded")
    made_from = [seed(course.secret(), name, content_of([data])) for data in contents]
    return Explained(kept, again, place, hashlib.sha256(b"".join(made_from)).hexdigest())


def _of_unreadable(kept: Result, assignment: Assignment, contents) -> tuple[Note, ...]:
    """What collecting said of notebooks that are not there."""
    absent = [n for n, data in zip(assignment.notebooks, contents, strict=True) if data is None]
    if not assignment.several:
        return kept.notes if absent else ()
    return tuple(note for note in kept.notes if note.notebook in absent)


def _kept(course: Course, name: str, student: str) -> Result:
    kept = results.find(course, student, name)
    if kept is None:
        there = [result.student for result in results.find_all(course, name)]
        near = people.near(student, people.kept(course), there)
        raise CourseError(f"no result of {student!r} for {name!r} is kept in {course.root}{near}")
    return kept
