"""More time for one student.

What was granted is kept with the course, since somebody may be given time who has not handed in
yet, and is written into nbgrader's gradebook as soon as there is a submission: late penalties,
nbgrader's own too, are counted from there.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path

from autograder.classroom import times
from autograder.classroom.folders import Course, CourseError, write_atomically


def granted_until(course: Course, name: str) -> dict[str, datetime.datetime]:
    """Student -> until when, in UTC without a zone, as nbgrader keeps times.

    Raises CourseError where what is kept is damaged.
    """
    path = _path(course, name)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {who: datetime.datetime.fromisoformat(when) for who, when in found.items()}
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
    """An extension as nbgrader keeps it: how long after the due date."""
    return max(until - due, datetime.timedelta(0))


def forget(course: Course, student: str) -> None:
    """Of all problem sets."""
    for path in course.extensions.glob("*.json"):
        granted = granted_until(course, path.stem)
        if granted.pop(student, None):
            save(course, path.stem, granted)


def read_time(text: str, course: Course) -> datetime.datetime:
    """A time as people write it, in UTC; without a zone it is one of the course's, or of here.

    A day alone is meant with its last second. Raises CourseError for what is no time.
    """
    try:
        return times.read(text, course.zone)
    except ValueError as error:
        raise CourseError(
            f"{text!r} can't be read as a time; write it like '2026-11-05 12:00:00 UTC', or with "
            "+02:00 in the place of UTC"
        ) from error


def _path(course: Course, name: str) -> Path:
    return course.extensions / f"{name}.json"
