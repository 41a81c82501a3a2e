"""Values of a submission in the gradebook: its points, comments and time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.classroom.grading.results import Result
from autograder.classroom.sets.cell_roles import COULD_BE_FORGED


@dataclass(frozen=True)
class CellGrade:
    """The gradebook's current points and comment for a cell, also those given by hand."""

    points: float | None
    comment: str = ""
    outdated: bool = False  # given by hand to an earlier answer
    is_above_maximum: bool = False  # given by hand, and more than the cell is worth now


@dataclass(frozen=True)
class Arrival:
    """The time of a submission, as nbgrader has it, and the penalty."""

    time: str = ""  # in UTC, or "" if it isn't known
    seconds_late: float = 0.0
    penalty: float = 0.0


def gradebook_digest(grades: Mapping[str, CellGrade], penalty: float) -> str:
    """Return a digest of all gradebook values that a page of feedback shows."""
    parts = [[n, g.points, g.comment, g.outdated] for n, g in sorted(grades.items())]
    return hashlib.sha256(json.dumps([parts, penalty]).encode()).hexdigest()[:16]


NO_RESPONSE = "No response."
_FORGED = f"Points that {COULD_BE_FORGED}: "


def forged(tests: list[str] | None) -> str | None:
    """Return the comment on an exercise with points that could be forged, or None."""
    return f"{_FORGED}{', '.join(tests)}." if tests else None


def is_made_by_us(comment: str) -> bool:
    """Return whether no human has written the comment."""
    return comment == NO_RESPONSE or comment.startswith(_FORGED)


def with_hand_grades(result: Result, grades: dict[str, CellGrade]) -> Result:
    """Return the result with the gradebook's current points, also those given by hand."""
    cells = tuple(
        replace(cell, points=grades[cell.name].points)
        if cell.name in grades and grades[cell.name].points is not None
        else cell
        for cell in result.cells
    )
    return replace(result, cells=cells)
