"""A notebook as its student has it, which serves as its own problem set.

The marks that nbgrader left in it say which cells are tests, which are locked and what they are
worth. Whoever grades believes none of these marks, so who changes them misleads nobody else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import submission
from autograder.classroom.assignment import Assignment, from_notebooks
from autograder.classroom.folders import CourseError
from autograder.classroom.submission import Note, PlainCell

_FLAGS = ("grade", "solution", "locked", "task")


@dataclass(frozen=True)
class Draft:
    """A notebook, the problem set that it contains, and what is odd about that."""

    data: bytes
    assignment: Assignment
    notes: tuple[Note, ...]


def load(path: Path) -> Draft:
    """Read a notebook; raise CourseError where it isn't one, or has no tests in it."""
    data = _bytes(path)
    reading = submission.read(data)
    if not reading.readable:
        raise CourseError(f"{path} can't be checked. {reading.notes[-1].message}")
    assignment = _problem_set(path.stem, reading.cells, _marks(data))
    if not any(cell.test for cell in assignment.followed.values()):
        raise CourseError(
            f"{path} has no tests in it: the marks that nbgrader puts on cells are missing. Some "
            "editors remove them. Get the problem set again and copy your answers into it"
        )
    return Draft(data, assignment, tuple(_changed(assignment)))


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"there is no notebook {path}")
    if not path.is_file():
        raise CourseError(f"{path} is no file; name the notebook itself")
    with path.open("rb") as file:
        return file.read(submission.SIZE_LIMIT + 1)


def _marks(data: bytes) -> dict[str, dict]:
    """grade_id -> what the file says about that cell. Only for a file that could be read."""
    text = data.decode(json.detect_encoding(data), errors="replace")
    cells = json.loads(text.lstrip("\ufeff \t\r\n")).get("cells", ())
    found: dict[str, dict] = {}
    for cell in cells:
        metadata = cell.get("metadata") if isinstance(cell, dict) else None
        marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str):
            found.setdefault(submission.clean_text(marks["grade_id"]), marks)
    return found


def _problem_set(name: str, cells: tuple[PlainCell, ...], marks: dict[str, dict]) -> Assignment:
    """The cells with their marks. Of copies of a cell the first stands for the original."""
    marked = [_marked(cell, marks.get(cell.claimed)) for cell in cells]
    stubs = {_name(c): c["source"] for c in marked if _is_solution(c) and _is_released(c)}
    named = [_name(cell) for cell in marked]
    master = [
        cell if named.index(name) == place else _marked(cells[place], None)
        for place, (cell, name) in enumerate(zip(marked, named, strict=True))
    ]
    # Where no copy is left as released, nobody knows what the stub was: any text is an answer.
    released = [
        cell | {"source": stubs.get(_name(cell), "")} if _is_solution(cell) else cell
        for cell in master
    ]
    return from_notebooks(name, {"cells": master}, {"cells": released})


def _marked(cell: PlainCell, marks: dict | None) -> dict:
    """The cell as a notebook holds it, with these marks or with none."""
    metadata = {} if marks is None else {"nbgrader": _clean_marks(cell.claimed, marks)}
    shape = {"cell_type": cell.cell_type, "id": cell.cell_id, "metadata": metadata}
    return shape | {"source": cell.source}


def _clean_marks(name: str, marks: dict) -> dict:
    """nbgrader's marks with every value of its kind, whatever the file had in its place."""
    points, checksum = marks.get("points"), marks.get("checksum")
    known = isinstance(points, int | float) and 0 <= points < 1e6
    flags = {flag: marks.get(flag) is True for flag in _FLAGS}
    clean = {**flags, "grade_id": name, "points": float(points) if known else 0.0}
    return clean | ({"checksum": checksum} if isinstance(checksum, str) else {})


def _name(cell: dict) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def _is_solution(cell: dict) -> bool:
    return cell["metadata"].get("nbgrader", {}).get("solution", False)


def _is_released(cell: dict) -> bool | None:
    """Whether a marked cell is as it was released; None where nbgrader left no checksum."""
    from autograder.classroom.quick_nbgrader import compute_checksum, from_dict

    checksum = cell["metadata"]["nbgrader"].get("checksum")
    return checksum == compute_checksum(from_dict(cell)) if checksum else None


def _changed(assignment: Assignment) -> Iterator[Note]:
    """Tests and locked cells that aren't as released."""
    for origin in assignment.followed.values():
        shape = {"cell_type": origin.cell_type, "source": origin.source}
        if origin.owned and _is_released(shape | {"metadata": origin.metadata}) is False:
            text = f"The cell {origin.name!r} has been changed. Grading uses the original."
            yield Note("changed", text)
