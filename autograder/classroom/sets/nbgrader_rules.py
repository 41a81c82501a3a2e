"""Compute, as nbgrader does, the checksum of a cell and the points that its outputs give.

nbgrader's rules are repeated here exactly, because students check their work where nbgrader is not
installed. A test compares them with nbgrader's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any


def checksum(cell: Mapping[str, Any]) -> str:
    """Return the MD5 of the text and the nbgrader metadata of a cell that nbgrader follows."""
    metadata = cell["metadata"]["nbgrader"]
    grade, solution = metadata.get("grade", False), metadata.get("solution", False)
    locked = not solution and (True if grade else metadata.get("locked", False))
    parts = [cell["source"], cell["cell_type"], str(grade), str(solution), str(locked)]
    parts.append(metadata["grade_id"])
    if grade:
        parts.append(str(float(metadata["points"])))
    return hashlib.md5("".join(parts).encode("utf-8"), usedforsecurity=False).hexdigest()


def points(cell: Mapping[str, Any]) -> tuple[float | None, float]:
    """Return the points that a cell gets (None if a human decides) and its maximum points.

    Raises ValueError or KeyError if nbgrader can't decide.
    """
    metadata = cell["metadata"].get("nbgrader", {})
    if not metadata.get("grade", False):
        raise ValueError("cell is not a grade cell")
    max_points = float(metadata["points"])
    if metadata.get("solution", False):
        is_untouched = "checksum" in metadata and metadata["checksum"] == checksum(cell)
        return (0 if is_untouched else None), max_points
    if cell["cell_type"] != "code":
        return None, max_points
    return _points_of_outputs(cell["outputs"], max_points), max_points


def _points_of_outputs(outputs: list[Mapping[str, Any]], max_points: float) -> float:
    """Return 0 if an error or warning precedes the result, otherwise the points of the result."""
    for output in outputs:
        kind = output["output_type"]
        if kind == "error" or (kind == "stream" and output["name"] == "stderr"):
            return 0
        if kind == "execute_result":
            return _read_points(output["data"]["text/plain"], max_points)
    return max_points


def _read_points(text: str | list[str], max_points: float) -> float:
    """Return the points of a test's last value: a number of at least 0, or all points."""
    if not text:
        raise KeyError("output ['data']['text/plain'] does not exist")
    if isinstance(text, list):
        if len(text) > 1:
            return max_points
        text = text[0]
    try:
        value = float(text)
    except ValueError:
        return max_points
    if value > max_points:
        raise ValueError("partial credit cannot be greater than maximum points for cell")
    return value if value >= 0 else max_points
