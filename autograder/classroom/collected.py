"""What is known of each submission beside its notebook, from the time when it was collected.

So that grading again what was collected comes to the same, and a student keeps the same name.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from autograder.classroom.folders import Course, CourseError, command, write_atomically
from autograder.classroom.platforms import Owner
from autograder.classroom.submission import Note

if TYPE_CHECKING:
    from autograder.classroom.collecting import HandedIn


@dataclass(frozen=True)
class Kept:
    """One submission: of what content, when, from which platform, under what name there."""

    digest: str
    notes: tuple[Note, ...]
    timestamp: str = ""
    late: bool = False
    platform: str = ""
    number: str = ""
    name: str = ""

    @classmethod
    def of(cls, handed: HandedIn, owner: Owner, platform: str) -> Kept:
        about = (owner.late, platform, owner.number, owner.name)
        return cls(handed.digest, handed.notes, handed.timestamp, *about)


def find(course: Course, name: str) -> dict[str, Kept]:
    """Student -> what is known; nothing where nobody's work was collected, or it can't be read:
    it is made again from what is collected next."""
    try:
        found = json.loads(course.collected(name).read_text(encoding="utf-8"))
        return {
            student: Kept(**{**kept, "notes": tuple(Note(**note) for note in kept["notes"])})
            for student, kept in found.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def is_damaged(course: Course, name: str) -> bool:
    """Whether something is known that can't be read."""
    path = course.collected(name)
    return path.exists() and path.read_bytes().strip() != b"{}" and not find(course, name)


def save(course: Course, name: str, kept: dict[str, Kept]) -> None:
    """Keep what is known of each student's submission."""
    text = json.dumps({student: asdict(one) for student, one in sorted(kept.items())})
    write_atomically(course.collected(name), text, mode=0o600)


def save_refused(course: Course, name: str, refused: tuple[str, ...]) -> None:
    """Keep for the report what could not be given to any student."""
    write_atomically(course.refused(name), json.dumps(refused))


def find_refused(course: Course, name: str) -> list[str]:
    """Raises CourseError where it can't be read."""
    path = course.refused(name)
    if not path.exists():
        return []
    try:
        return [str(line) for line in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as error:
        again = command("grade", course.root, name)
        raise CourseError(f"{path} is damaged ({error}); run: {again}") from error
