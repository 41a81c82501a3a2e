"""Save facts about collected submissions that their notebooks don't hold: time, platform, notes.

With these records, grading collected work again gives the same results.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from autograder.classroom.course.folders import Course, CourseError, command, write_atomically
from autograder.classroom.grading.read_notebook import Note


@dataclass(frozen=True)
class SubmissionRecord:
    """The record of one submission: its content, time, platform, and the student's name there."""

    digest: str
    notes: tuple[Note, ...]
    timestamp: str = ""
    late: bool = False
    platform: str = ""
    number: str = ""
    name: str = ""


def find(course: Course, name: str) -> dict[str, SubmissionRecord]:
    """Return the records by student.

    The dict is empty if no work was collected, or if the records can't be read: the next grading
    of the platform's files writes them again.
    """
    try:
        records = json.loads(course.collected(name).read_text(encoding="utf-8"))
        return {
            student: SubmissionRecord(
                **{**record, "notes": tuple(Note(**note) for note in record["notes"])}
            )
            for student, record in records.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def is_damaged(course: Course, name: str) -> bool:
    """Return whether there are records that can't be read."""
    path = course.collected(name)
    return path.exists() and path.read_bytes().strip() != b"{}" and not find(course, name)


def save(course: Course, name: str, records: dict[str, SubmissionRecord]) -> None:
    """Write the record of each student's submission."""
    text = json.dumps({student: asdict(record) for student, record in sorted(records.items())})
    write_atomically(course.collected(name), text, mode=0o600)


def save_refused(course: Course, name: str, refused: tuple[str, ...]) -> None:
    """Write the entries that could not be given to any student, for the report."""
    write_atomically(course.refused(name), json.dumps(refused))


def find_refused(course: Course, name: str) -> list[str]:
    """Return the entries of `save_refused`; raise CourseError if they can't be read."""
    path = course.refused(name)
    if not path.exists():
        return []
    try:
        return [str(line) for line in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as error:
        grade_command = command("grade", course.root, name)
        raise CourseError(f"{path} is damaged ({error}); run: {grade_command}") from error
