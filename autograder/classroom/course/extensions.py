"""Extensions: more time for one student.

They are kept with the course, since a student may get one before handing in. They are written into
nbgrader's gradebook as soon as there is a submission. Late penalties, nbgrader's own too, are
counted from the end of the extension.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path

from autograder.classroom.course import times
from autograder.classroom.course.folders import Course, CourseError, write_atomically


def granted_until(course: Course, name: str) -> dict[str, datetime.datetime]:
    """Return until when each student has time: UTC without a zone, as nbgrader keeps times.

    Raises CourseError where the file is damaged.
    """
    path = _path(course, name)
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        return {who: datetime.datetime.fromisoformat(when) for who, when in records.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise CourseError(
            f"{path} is damaged ({error}); take it from a backup, or move it out of the way and "
            "grant the extensions again"
        ) from error


def save(course: Course, name: str, granted: dict[str, datetime.datetime]) -> None:
    """Keep until when students may hand in, in UTC without a zone."""
    text = json.dumps({who: when.isoformat() for who, when in sorted(granted.items())})
    write_atomically(_path(course, name), text, mode=0o600)


def beyond(due: datetime.datetime, until: datetime.datetime) -> datetime.timedelta:
    """Return an extension as nbgrader keeps it: the time after the due date."""
    return max(until - due, datetime.timedelta(0))


def forget(course: Course, student: str) -> None:
    """Remove a student's extensions of all problem sets."""
    for path in course.extensions.glob("*.json"):
        granted = granted_until(course, path.stem)
        if granted.pop(student, None):
            save(course, path.stem, granted)


def read_time(text: str, course: Course) -> datetime.datetime:
    """Return a time as people write it, in UTC. Without a zone, the course's or local one counts.

    A day alone means its last second. Raises CourseError for text that is no time.
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
