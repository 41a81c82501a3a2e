"""What pages and terminal say alike: of points, and of what a test is about."""

from __future__ import annotations

import re

from autograder.classroom.assignment import SourceCell


def points_text(value: float | None) -> str:
    """Points without needless decimals: 3, 2.5, or a dash where there are none yet."""
    return "–" if value is None else f"{round(value, 2):g}"


def about_test(origin: SourceCell) -> str:
    """The first sentence of the comment that a test begins with, or its name."""
    comment = re.match(r"(?:#.*\n?)+", origin.released.strip())
    if origin.test and comment:
        text = " ".join(line.lstrip("# ") for line in comment[0].splitlines())
        return re.split(r"(?<=[.?!:]) (?=[A-Z(])", text)[0].rstrip(".:")
    return origin.name.replace("_", " ").replace("-", " ")
