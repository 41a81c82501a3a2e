"""A verdict, repeated: the same submission, seed and limits, and what came of it both times."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import people, results
from autograder.classroom.assignment import Assignment, load, not_released
from autograder.classroom.folders import Course, CourseError, command
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.grades import Arrival, with_hand_grades
from autograder.classroom.grading import seed
from autograder.classroom.quick_gradebook import students_in
from autograder.classroom.results import CellResult, Result, content_of
from autograder.classroom.several import Whole, grade
from autograder.classroom.submission import Note
from autograder.wire.contract import Limits


@dataclass(frozen=True)
class Counts:
    """What the student has in the gradebook: tests are not all that counts."""

    points: float  # with those given by hand, less the penalty
    penalty: float  # for being late
    by_hand: tuple[str, ...]  # cells

    @classmethod
    def of(cls, course: Course, kept: Result) -> Counts | None:
        if kept.student not in students_in(course, kept.assignment):
            return None  # and no gradebook is made to see that
        with OpenGradebook(course, kept.assignment) as gradebook:
            grades = gradebook.grades().get(kept.student, {})
            penalty = gradebook.arrivals().get(kept.student, Arrival()).penalty
        now = with_hand_grades(kept, grades)
        pairs = zip(kept.cells, now.cells, strict=True)
        by_hand = tuple(new.name for old, new in pairs if old.points != new.points)
        return cls(max(0.0, now.points - penalty), penalty, by_hand)


@dataclass(frozen=True)
class Explained:
    """`kept` is what was recorded, `again` what the same submission came to just now."""

    kept: Result
    again: Result
    submission: Path
    seed: str  # the SHA-256 of the seeds: it tells two apart, and gives none away
    counts: Counts | None  # None where the gradebook has lost them
    released_again: bool  # since it was graded

    @property
    def pairs(self) -> tuple[tuple[CellResult, CellResult], ...]:
        return tuple(zip(self.kept.cells, self.again.cells, strict=True))

    @property
    def differing(self) -> tuple[str, ...]:
        """The cells that other points were given to."""
        return tuple(one.name for one, other in self.pairs if one.points != other.points)


def limits_of(course: Course, name: str, student: str) -> Limits:
    """Those under which the submission was graded. Raises CourseError where it was not graded, or
    by a version that had others."""
    kept = _kept(course, name, student)
    try:
        return Limits(**kept.limits)
    except TypeError as error:
        raise CourseError(
            f"{student!r} was graded by a version that had other limits than this one ({error}); "
            f"grade again: {command('grade', course.root, name, '--student', student)}"
        ) from error


def explain(course: Course, name: str, student: str, rooms) -> Explained:
    """Grade a submission once more, and write nothing.

    Raises `CourseError` where it was not graded, or is another one than was graded, or the secret
    is lost from which its random tests were made.
    """
    kept = _kept(course, name, student)
    paths = [course.submitted(student, name, n) for n in kept.notebooks or (name,)]
    contents = tuple(path.read_bytes() if path.is_file() else None for path in paths)
    place = paths[0] if len(paths) == 1 else paths[0].parent
    if not any(contents) and content_of(contents) != kept.content:
        raise CourseError(f"{place} is gone; put back what was graded from a backup")
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
    digest = hashlib.sha256(b"".join(made_from)).hexdigest()
    is_other = kept.release not in ("", assignment.digest)
    return Explained(kept, again, place, digest, Counts.of(course, kept), is_other)


def _of_unreadable(kept: Result, assignment: Assignment, contents) -> tuple[Note, ...]:
    """What collecting said of notebooks that are not there."""
    absent = [n for n, data in zip(assignment.notebooks, contents, strict=True) if data is None]
    if not assignment.several:
        return kept.notes if absent else ()
    return tuple(note for note in kept.notes if note.notebook in absent)


def _kept(course: Course, name: str, student: str) -> Result:
    kept = results.find(course, student, name)
    if kept is None and name not in course.sets:
        raise CourseError(not_released(course, name))
    if kept is None and (path := course.result(student, name)).exists():
        raise CourseError(
            f"{path} can't be read: it is damaged, or of a version that keeps something "
            f"else; grade again: {command('grade', course.root, name, '--student', student)}"
        )
    if kept is None:
        there = [result.student for result in results.find_all(course, name)]
        near = people.near(student, people.kept(course), there)
        raise CourseError(f"no result of {student!r} for {name!r} is kept in {course.root}{near}")
    return kept
