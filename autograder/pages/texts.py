"""Write texts for pages and terminal: points, and the subject of a test."""

from __future__ import annotations

import re

from autograder.classroom.sets import cell_roles
from autograder.classroom.sets.assignment import SourceCell


def points_text(value: float | None) -> str:
    """Return points without needless decimals: 3, 2.5, or a dash if there are none yet."""
    return "–" if value is None else f"{round(value, 2):g}"


def describe_test(origin: SourceCell) -> str:
    """Return the first sentence of a test's comment or its name, with a remark if forgeable."""
    subject = _first_sentence(origin)
    return f"{subject} ({cell_roles.COULD_BE_FORGED})" if origin.forgeable else subject


def _first_sentence(origin: SourceCell) -> str:
    comment = re.match(r"(?:#.*\n?)+", cell_roles.remove_first_line(origin.released).strip())
    if origin.test and comment:
        text = " ".join(line.lstrip("# ") for line in comment[0].splitlines())
        return re.split(r"(?<=[.?!:]) (?=[A-Z(])", text)[0].rstrip(".:")
    return origin.cell_metadata.grade_id.replace("_", " ").replace("-", " ")
