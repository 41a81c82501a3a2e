"""nbgrader's two rules about a cell: its checksum, and the points that its outputs give.

They are repeated here exactly, because students check their work where nbgrader is not installed.
A test compares them with nbgrader's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any


def checksum(cell: Mapping[str, Any]) -> str:
    """Return the MD5 of the text and nbgrader's metadata of a cell that has some."""
    noted = cell["metadata"]["nbgrader"]
    grade, solution = noted.get("grade", False), noted.get("solution", False)
    locked = not solution and (True if grade else noted.get("locked", False))
    parts = [cell["source"], cell["cell_type"], str(grade), str(solution), str(locked)]
    parts.append(noted["grade_id"])
    if grade:
        parts.append(str(float(noted["points"])))
    return hashlib.md5("".join(parts).encode("utf-8"), usedforsecurity=False).hexdigest()


def points(cell: Mapping[str, Any]) -> tuple[float | None, float]:
    """Return the points that a cell gets, None if a human decides, and the most it can get.

    Raises ValueError or KeyError if nbgrader can't decide.
    """
    noted = cell["metadata"].get("nbgrader", {})
    if not noted.get("grade", False):
        raise ValueError("cell is not a grade cell")
    most = float(noted["points"])
    if noted.get("solution", False):
        untouched = "checksum" in noted and noted["checksum"] == checksum(cell)
        return (0 if untouched else None), most
    if cell["cell_type"] != "code":
        return None, most
    return _of_outputs(cell["outputs"], most), most


def _of_outputs(outputs: list[Mapping[str, Any]], most: float) -> float:
    """Return 0 if an error or a warning comes before a result; otherwise what the result says."""
    for output in outputs:
        kind = output["output_type"]
        if kind == "error" or (kind == "stream" and output["name"] == "stderr"):
            return 0
        if kind == "execute_result":
            return _read_points(output["data"]["text/plain"], most)
    return most


def _read_points(text: str | list[str], most: float) -> float:
    """Return the points of a test's last value: a number of at least 0, or all points."""
    if not text:
        raise KeyError("output ['data']['text/plain'] does not exist")
    if isinstance(text, list):
        if len(text) > 1:
            return most
        text = text[0]
    try:
        value = float(text)
    except ValueError:
        return most
    if value > most:
        raise ValueError("partial credit cannot be greater than maximum points for cell")
    return value if value >= 0 else most
