"""Give one student of a course more time, or remove the student from the course."""

from __future__ import annotations

import contextlib
import datetime
import json
import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.classroom.course import extensions
from autograder.classroom.course.folders import Course, CourseError, write_atomically
from autograder.classroom.course.printable import quoted
from autograder.classroom.gradebook.busy_database import retry_while_locked
from autograder.classroom.gradebook.connection import open_gradebook, readable_errors
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading import results
from autograder.classroom.intake import collection_record, groups, people


@dataclass(frozen=True)
class GrantedTime:
    """A student's time for a problem set after a change, in UTC without a zone."""

    until: datetime.datetime | None  # None if the student has no extension
    previous: datetime.datetime | None  # the student's extension before the change
    due: datetime.datetime | None  # the due date of the class
    penalty: float | None  # the late penalty after the change; None if nothing was handed in yet


def grant(course: Course, name: str, student: str, until: datetime.datetime | None) -> GrantedTime:
    """Let a student hand in until `until`, from now on; None takes the extension away.

    Raises CourseError if the student isn't known, if the problem set has no due date, or if `until`
    is not later than its due date.
    """
    _check_known(course, student)
    with OpenGradebook(course, name) as gradebook:
        if until is not None and gradebook.due is None:
            raise CourseError(
                f"{name!r} has no due date, so nothing can be late; set it first: (cd "
                f"{shlex.quote(str(course.root))}"
                f' && nbgrader db assignment add {name} --duedate "2026-11-01 12:00:00 UTC")'
            )
        if until is not None and until <= gradebook.due:
            raise CourseError(f"{name!r} is due at {gradebook.due} UTC; {until} UTC is not later")
        ends = extensions.read_ends(course, name)
        previous = ends.pop(student, None)
        if until is not None:
            ends[student] = until
        penalty = gradebook.grant(student, until, results.find(course, student, name))
        extensions.save(course, name, ends)  # only after the gradebook was written
        return GrantedTime(until, previous, gradebook.due, penalty)


def _check_known(course: Course, student: str) -> None:
    if student not in (students := all_students(course)):
        suggestion = people.suggest_student(student, people.load_list(course), students)
        raise CourseError(f"there is no student {quoted(student)} in {course.root}{suggestion}")


def all_students(course: Course) -> set[str]:
    """Return the ids of all students who are on the list, have files, or are in the gradebook."""
    from nbgrader import api

    names = {person.student for person in people.load_list(course)}
    for folder in ("submitted", "autograded", "feedback"):
        names |= {p.name for p in (course.root / folder).glob("*/") if not p.name.startswith(".")}
    names |= {path.stem for name in course.sets for path in course.results(name).glob("*.json")}
    with open_gradebook(course) as book, readable_errors(course, "read"):
        return names | {row.id for row in retry_while_locked(book.db.query(api.Student.id).all)}


@dataclass(frozen=True)
class Removal:
    """All data of a student that will be removed. `exports` contain the whole class."""

    student: str
    graded_sets: tuple[str, ...]
    paths: tuple[Path, ...]
    exports: tuple[Path, ...]


def find(course: Course, student: str) -> Removal:
    """Return all data of a student that `remove` would remove.

    Raises CourseError if there is no such student, or if a file can't be searched.
    """
    _check_known(course, student)
    _check_readable(course)
    return Removal(
        student,
        tuple(name for name in course.sets if course.result(student, name).exists()),
        tuple(path for path in _student_paths(course, student) if path.exists()),
        tuple(sorted((course.root / "export").glob("*"))),
    )


def _check_readable(course: Course) -> None:
    """Raise CourseError if a file of the class is damaged: a student could stay in it."""
    for path in course.extensions.glob("*.json"):
        extensions.read_ends(course, path.stem)
    for path in course.groups("x").parent.glob("*.json"):
        groups.find(course, path.stem)
    for path in course.refused("x").parent.glob("*.json"):
        collection_record.find_refused(course, path.stem)
    for path in course.collected("x").parent.glob("*.json"):
        if collection_record.is_damaged(course, path.stem):
            raise CourseError(
                f"{path} is damaged: delete it, or grade the platform's files once more"
            )


def _student_paths(course: Course, student: str) -> Iterator[Path]:
    """Yield the student's paths in the course's folders; the student's name has no slash."""
    if Path(student).name != student or student in ("", ".", ".."):
        raise CourseError(f"{quoted(student)} can't be a student's name")
    for name in ("submitted", "autograded", "feedback"):
        yield course.root / name / student
    yield course.release_each / student
    for folder in sorted((course.private / "results").glob("*/")):
        yield folder / f"{student}.json"


def remove(course: Course, removal: Removal) -> None:
    """Remove the student everywhere; a second call completes an interrupted one."""
    _remove_from_gradebook(course, removal.student)
    for path in (*removal.paths, *removal.exports):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    extensions.remove(course, removal.student)
    groups.remove(course, removal.student)
    for path in (course.private / "collected").glob("*.json"):
        records = collection_record.find(course, path.stem)
        if records.pop(removal.student, None):
            collection_record.save(course, path.stem, records)
    _remove_from_refused(course, removal.student)
    class_list = people.load_list(course)
    if remaining := [asdict(person) for person in class_list if person.student != removal.student]:
        write_atomically(course.people, json.dumps(remaining), mode=0o600)
    elif class_list:
        course.people.unlink()


def _remove_from_refused(course: Course, student: str) -> None:
    name_pattern = re.compile(rf"(?<![\w.-]){re.escape(student)}(?![\w.-])")
    for path in course.refused("x").parent.glob("*.json"):
        lines = collection_record.find_refused(course, path.stem)
        if remaining := [line for line in lines if not name_pattern.search(line)]:
            collection_record.save_refused(course, path.stem, tuple(remaining))
        else:
            path.unlink()


def _remove_from_gradebook(course: Course, student: str) -> None:
    from nbgrader import api

    with (
        open_gradebook(course) as book,
        readable_errors(course, "written"),
        contextlib.suppress(api.MissingEntry),
    ):
        retry_while_locked(lambda: book.remove_student(student), undo=book.db.rollback)
    if course.database.startswith("sqlite:///"):  # the file keeps deleted rows
        path = course.database.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
            retry_while_locked(lambda: file.execute("vacuum"))
