"""Repeat a verdict with the same submission, seed and limits, and compare both results."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError, command
from autograder.classroom.gradebook.grades import with_hand_grades
from autograder.classroom.gradebook.records import NotInGradebook, OpenGradebook
from autograder.classroom.grading import results
from autograder.classroom.grading.grade_notebook import seed
from autograder.classroom.grading.multi_notebook import Submission, grade
from autograder.classroom.grading.read_notebook import Note
from autograder.classroom.grading.results import CellResult, Result, content_of
from autograder.classroom.intake import people
from autograder.classroom.sets.assignment import Assignment, load, not_released
from autograder.wire.contract import Limits, NotebookRunner


@dataclass(frozen=True)
class Counts:
    """A student's points in the gradebook, where points by hand and penalties count, too."""

    points: float  # with points given by hand, minus the penalty
    penalty: float  # for being late
    by_hand: tuple[str, ...]  # cells

    @classmethod
    def of(cls, course: Course, result: Result) -> Counts | None:
        try:
            with OpenGradebook(course, result.assignment) as gradebook:
                grades = gradebook.grades().get(result.student, {})
                arrival = gradebook.arrivals().get(result.student)
        except NotInGradebook:
            return None
        if arrival is None:
            return None
        current = with_hand_grades(result, grades)
        pairs = zip(result.cells, current.cells, strict=True)
        by_hand = tuple(new.name for old, new in pairs if old.points != new.points)
        return cls(max(0.0, current.points - arrival.penalty), arrival.penalty, by_hand)


@dataclass(frozen=True)
class RepeatedVerdict:
    """A submission's recorded result, `kept`, and its result just now, `again`."""

    kept: Result
    again: Result
    submission: Path
    seed: str  # the SHA-256 of the seeds: it identifies them and reveals none
    counts: Counts | None  # None if the gradebook has lost them
    released_again: bool  # True if the set was released again after the grading

    @property
    def pairs(self) -> tuple[tuple[CellResult, CellResult], ...]:
        return tuple(zip(self.kept.cells, self.again.cells, strict=True))

    @property
    def differing(self) -> tuple[str, ...]:
        """The cells whose points differ."""
        return tuple(old.name for old, new in self.pairs if old.points != new.points)


def limits_of(course: Course, name: str, student: str) -> Limits:
    """Return the limits under which the submission was graded.

    Raises CourseError if it was not graded, or was graded by a version that had other limits.
    """
    result = _find_result(course, name, student)
    try:
        return Limits(**result.limits)
    except TypeError as error:
        raise CourseError(
            f"{student!r} was graded by a version that had other limits than this one ({error}); "
            f"grade again: {command('grade', course.root, name, '--student', student)}"
        ) from error


def explain(course: Course, name: str, student: str, runner: NotebookRunner) -> RepeatedVerdict:
    """Grade a submission once more, and write nothing.

    Raises `CourseError` if it was not graded, if it has changed since, or if the secret of its
    random tests is lost.
    """
    result = _find_result(course, name, student)
    paths = [course.submitted(student, name, n) for n in result.notebooks or (name,)]
    contents = tuple(p.read_bytes() if p.is_file() else None for p in paths)
    path = paths[0] if len(paths) == 1 else paths[0].parent
    if not any(contents) and content_of(contents) != result.content:
        raise CourseError(f"{path} is gone; put the graded file back from a backup")
    if content_of(contents) != result.content:
        raise CourseError(
            f"{path} has changed since it was graded (its SHA-256 differs); "
            f"run: {command('grade', course.root, name)}"
        )
    if not course.has_secret:
        raise CourseError(
            f"the secret of {course.root} is gone, and without it random tests can't be repeated; "
            f"put it back from a backup, or grade again: "
            f"{command('grade', course.root, name, '--again')}"
        )
    assignment = load(course, name)
    if assignment.notebooks != (result.notebooks or (name,)):
        raise CourseError(f"{name!r} was released again with other notebooks since it was graded")
    notes = _notes_on_absent(result, assignment, contents)
    submission = Submission(student, contents, result.key, notes, variant=result.variant)
    new_result = grade(submission, assignment, runner, course.secret(), result.sandbox).result
    if [cell.name for cell in new_result.cells] != [cell.name for cell in result.cells]:
        raise CourseError(f"{name!r} was released again with other tests since it was graded")
    seeds = [seed(course.secret(), name, content_of([data])) for data in contents]
    digest = hashlib.sha256(b"".join(seeds)).hexdigest()
    is_other = result.release not in ("", assignment.release)
    return RepeatedVerdict(result, new_result, path, digest, Counts.of(course, result), is_other)


def _notes_on_absent(
    result: Result, assignment: Assignment, contents: Sequence[bytes | None]
) -> tuple[Note, ...]:
    """Return the notes from collecting about notebooks that are missing."""
    absent_names = [
        name for name, data in zip(assignment.notebooks, contents, strict=True) if data is None
    ]
    if not assignment.notebook_parts:
        return result.notes if absent_names else ()
    return tuple(note for note in result.notes if note.notebook in absent_names)


def _find_result(course: Course, name: str, student: str) -> Result:
    result = results.find(course, student, name)
    if result is None and name not in course.sets:
        raise CourseError(not_released(course, name))
    if result is None and (path := course.result(student, name)).exists():
        raise CourseError(
            f"{path} can't be read: it is damaged, or of a version that keeps something "
            f"else; grade again: {command('grade', course.root, name, '--student', student)}"
        )
    if result is None:
        students = [saved_result.student for saved_result in results.find_all(course, name)]
        suggestion = people.suggest_student(student, people.load_list(course), students)
        raise CourseError(
            f"no result of {student!r} for {name!r} is kept in {course.root}{suggestion}"
        )
    return result
