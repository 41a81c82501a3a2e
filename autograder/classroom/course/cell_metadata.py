"""Parse nbgrader's metadata of a cell once, with defaults for values of a wrong type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

MAX_POINTS = 1e6
CELLS = "problem_set_cells"  # metadata of a released notebook: the names of its followed cells
HIDDEN = b"### BEGIN HIDDEN TESTS"  # no released notebook contains it
_FLAGS = ("grade", "solution", "locked", "task")


@dataclass(frozen=True)
class CellMetadata:
    """nbgrader's metadata of a cell that it follows; `CellMetadata()` for any other cell.

    The fields are named as nbgrader names them.
    """

    grade_id: str = ""
    grade: bool = False
    solution: bool = False
    locked: bool = False
    task: bool = False
    points: float = 0.0
    checksum: str = ""

    @classmethod
    def of(cls, cell: Mapping) -> CellMetadata:
        """Return the metadata of a notebook's cell; a value of a wrong type counts as missing."""
        metadata = cell.get("metadata")
        entry = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
        return cls.read(entry) if isinstance(entry, Mapping) else cls()

    @classmethod
    def read(cls, entry: Mapping) -> CellMetadata:
        """Return the metadata in nbgrader's entry of a cell."""
        points: Any
        points, name, checksum = (entry.get(key) for key in ("points", "grade_id", "checksum"))
        grade, solution, locked, task = (entry.get(flag) is True for flag in _FLAGS)
        return cls(
            name if isinstance(name, str) else "",
            *(grade, solution, locked, task),
            points=float(points) if _is_amount(points) else 0.0,
            checksum=checksum if isinstance(checksum, str) else "",
        )

    @property
    def is_followed(self) -> bool:
        """True if nbgrader follows the cell at all."""
        return self.grade or self.solution or self.locked or self.task

    @property
    def test(self) -> bool:
        """True for a cell that gives points, and that the student does not fill in."""
        return self.grade and not self.solution

    @property
    def is_teachers(self) -> bool:
        """True if the text is the teacher's: a test or a locked cell."""
        return bool(self.grade_id) and not self.solution and (self.grade or self.locked)

    def as_dict(self) -> dict:
        """Return the metadata as a notebook holds it."""
        return {key: value for key, value in asdict(self).items() if value != ""}


def followed_in(notebook: Mapping) -> list[str]:
    """Return the names of the cells that nbgrader follows, in order."""
    all_metadata = map(CellMetadata.of, notebook["cells"])
    return [cell_metadata.grade_id for cell_metadata in all_metadata if cell_metadata.is_followed]


def _is_amount(points: Any) -> bool:
    return isinstance(points, int | float) and 0 <= points < MAX_POINTS
