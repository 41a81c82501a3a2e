"""What concerns one student of a course: more time, and to be taken out of it again."""

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

from autograder.classroom import collected, extensions, groups, people, results
from autograder.classroom.folders import Course, CourseError, write_atomically
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.opening import open_gradebook, readable_errors
from autograder.classroom.patience import patiently
from autograder.classroom.visible import quoted


@dataclass(frozen=True)
class Granted:
    """What became of a student's time for a problem set, in UTC without a zone."""

    until: datetime.datetime | None  # None where she hands in as everybody does
    before: datetime.datetime | None  # until when she might, before
    due: datetime.datetime | None  # for everybody
    penalty: float | None  # the late penalty that is left, None where nothing was handed in yet


def grant(course: Course, name: str, student: str, until: datetime.datetime | None) -> Granted:
    """Let a student hand in until then, or as everybody with None. Takes effect at once.

    Raises CourseError where the student isn't known, or what is granted is no more than others
    have: the problem set has no due date, or none that is earlier.
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
            raise CourseError(f"{name!r} is due at {gradebook.due} UTC; {until} UTC is no later")
        granted = extensions.granted_until(course, name)
        before = granted.pop(student, None)
        if until is not None:
            granted[student] = until
        penalty = gradebook.grant(student, until, results.find(course, student, name))
        extensions.save(course, name, granted)  # not where the gradebook could not be written
        return Granted(until, before, gradebook.due, penalty)


def _check_known(course: Course, student: str) -> None:
    if student not in (there := known(course)):
        near = people.near(student, people.kept(course), there)
        raise CourseError(f"there is no student {quoted(student)} in {course.root}{near}")


def known(course: Course) -> set[str]:
    """All students of whom the course has anything: a name, a submission, or a grade."""
    from nbgrader import api

    found = {person.student for person in people.kept(course)}
    for folder in ("submitted", "autograded", "feedback"):
        found |= {p.name for p in (course.root / folder).glob("*/") if not p.name.startswith(".")}
    found |= {path.stem for name in course.sets for path in course.results(name).glob("*.json")}
    with open_gradebook(course) as book, readable_errors(course, "read"):
        return found | {row.id for row in patiently(book.db.query(api.Student.id).all)}


@dataclass(frozen=True)
class Removal:
    """What there is of a student, and will be gone. `exports` have the class in them."""

    student: str
    graded: tuple[str, ...]  # problem sets
    paths: tuple[Path, ...]
    exports: tuple[Path, ...]


def find(course: Course, student: str) -> Removal:
    """All of a student that `remove` would take away; raise CourseError where there is nothing, or
    something couldn't be looked through.
    """
    _check_known(course, student)
    _check_readable(course)
    return Removal(
        student,
        tuple(name for name in course.sets if course.result(student, name).exists()),
        tuple(path for path in _places(course, student) if path.exists()),
        tuple(sorted((course.root / "export").glob("*"))),
    )


def _check_readable(course: Course) -> None:
    """Raise CourseError where what is kept of the class is damaged: somebody would stay in it."""
    for path in course.extensions.glob("*.json"):
        extensions.granted_until(course, path.stem)
    for path in course.groups("x").parent.glob("*.json"):
        groups.find(course, path.stem)
    for path in course.refused("x").parent.glob("*.json"):
        collected.find_refused(course, path.stem)
    for path in course.collected("x").parent.glob("*.json"):
        if collected.is_damaged(course, path.stem):
            raise CourseError(
                f"{path} is damaged: leave it out, or grade what the platform gave once more"
            )


def _places(course: Course, student: str) -> Iterator[Path]:
    """Each is a single name below a folder of the course's: a student's name has no slash."""
    if Path(student).name != student or student in ("", ".", ".."):
        raise CourseError(f"{quoted(student)} can't be a student's name")
    for name in ("submitted", "autograded", "feedback"):
        yield course.root / name / student
    for folder in sorted((course.private / "results").glob("*/")):
        yield folder / f"{student}.json"


def remove(course: Course, found: Removal) -> None:
    """Take the student out everywhere; doing it again does what an interrupt left."""
    _from_gradebook(course, found.student)
    for path in (*found.paths, *found.exports):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    extensions.forget(course, found.student)
    groups.forget(course, found.student)
    for path in (course.private / "collected").glob("*.json"):
        kept = collected.find(course, path.stem)
        if kept.pop(found.student, None):
            collected.save(course, path.stem, kept)
    _from_refused(course, found.student)
    listed = people.kept(course)
    if stay := [asdict(person) for person in listed if person.student != found.student]:
        write_atomically(course.people, json.dumps(stay), mode=0o600)
    elif listed:
        course.people.unlink()


def _from_refused(course: Course, student: str) -> None:
    alone = re.compile(rf"(?<![\w.-]){re.escape(student)}(?![\w.-])")
    for path in course.refused("x").parent.glob("*.json"):
        lines = collected.find_refused(course, path.stem)
        if stay := [line for line in lines if not alone.search(line)]:
            collected.save_refused(course, path.stem, tuple(stay))
        else:
            path.unlink()


def _from_gradebook(course: Course, student: str) -> None:
    from nbgrader import api

    with (
        open_gradebook(course) as book,
        readable_errors(course, "written"),
        contextlib.suppress(api.MissingEntry),
    ):
        patiently(lambda: book.remove_student(student), undo=book.db.rollback)
    if course.database.startswith("sqlite:///"):  # whose file keeps what was deleted
        path = course.database.removeprefix("sqlite:///")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
            patiently(lambda: file.execute("vacuum"))
