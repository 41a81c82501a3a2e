"""Save and read extensions: later due dates for single students.

They are saved with the course, because a student may get one before handing in. nbgrader's
gradebook gets them as soon as there is a submission. Late penalties, including nbgrader's own,
count from the end of the extension.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path

from autograder.classroom.course import times
from autograder.classroom.course.folders import Course, CourseError, write_atomically


def read_ends(course: Course, name: str) -> dict[str, datetime.datetime]:
    """Return the end of each student's extension: UTC without a zone, as nbgrader stores times.

    Raises CourseError if the file is damaged.
    """
    path = _path(course, name)
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        return {student: datetime.datetime.fromisoformat(end) for student, end in records.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise CourseError(
            f"{path} is damaged ({error}); take it from a backup, or move it out of the way and "
            "grant the extensions again"
        ) from error


def save(course: Course, name: str, ends: dict[str, datetime.datetime]) -> None:
    """Save the end of each student's extension, in UTC without a zone."""
    text = json.dumps({student: end.isoformat() for student, end in sorted(ends.items())})
    write_atomically(_path(course, name), text, mode=0o600)


def extension_length(due: datetime.datetime, until: datetime.datetime) -> datetime.timedelta:
    """Return an extension as nbgrader stores it: the time from the due date to its end."""
    return max(until - due, datetime.timedelta(0))


def remove(course: Course, student: str) -> None:
    """Remove a student's extensions of all problem sets."""
    for path in course.extensions.glob("*.json"):
        ends = read_ends(course, path.stem)
        if ends.pop(student, None):
            save(course, path.stem, ends)


def read_time(text: str, course: Course) -> datetime.datetime:
    """Read a time as people write it; return it in UTC. The default zone is the course's or local.

    A day without a time means its last second. Raises CourseError for other text.
    """
    try:
        return times.read(text, course.zone)
    except ValueError as error:
        raise CourseError(
            f"{text!r} can't be read as a time; write it like '2026-11-05 12:00:00 UTC', or with "
            "+02:00 instead of UTC"
        ) from error


def _path(course: Course, name: str) -> Path:
    return course.extensions / f"{name}.json"
