"""nbgrader's two rules about a cell: its checksum, and the points that its outputs come to.

They are stated here, to the letter, because students check their work where nbgrader is not
installed; a test holds them beside nbgrader's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any


def checksum(cell: Mapping[str, Any]) -> str:
    """MD5 of the text and the marks of a cell that has some."""
    noted = cell["metadata"]["nbgrader"]
    grade, solution = noted.get("grade", False), noted.get("solution", False)
    locked = not solution and (True if grade else noted.get("locked", False))
    parts = [cell["source"], cell["cell_type"], str(grade), str(solution), str(locked)]
    parts.append(noted["grade_id"])
    if grade:
        parts.append(str(float(noted["points"])))
    return hashlib.md5("".join(parts).encode("utf-8"), usedforsecurity=False).hexdigest()


def points(cell: Mapping[str, Any]) -> tuple[float | None, float]:
    """Those that a graded cell gets, None where a human decides, and those it can get.

    Raises ValueError or KeyError where nbgrader can't tell.
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
    """Nothing where there is an error or a warning before a result; else as the result says."""
    for output in outputs:
        kind = output["output_type"]
        if kind == "error" or (kind == "stream" and output["name"] == "stderr"):
            return 0
        if kind == "execute_result":
            return _partly(output["data"]["text/plain"], most)
    return most


def _partly(said: str | list[str], most: float) -> float:
    """A number that is no less than 0 is points; anything else that a test ends with is all."""
    if not said:
        raise KeyError("output ['data']['text/plain'] does not exist")
    if isinstance(said, list):
        if len(said) > 1:
            return most
        said = said[0]
    try:
        value = float(said)
    except ValueError:
        return most
    if value > most:
        raise ValueError("partial credit cannot be greater than maximum points for cell")
    return value if value >= 0 else most
