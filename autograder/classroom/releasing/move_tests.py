"""Move tests that two processes can't serve into the student's own process.

Such a test gets the first line `### FORGEABLE TEST`, in the students' version, too. A test with
hidden text can't be moved, because student code must not see it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.sets import cell_roles
from autograder.classroom.sets.assignment import text_of
from autograder.examiner.testcell import names_defined_by, names_used
from autograder.wire.contract import Cell, Role

Moves = dict[str, list[str]]  # the reasons, by the name of a test


def move(code: Sequence[dict], names: Collection[str]) -> list[dict]:
    """Return the code cells with the tests of these names moved."""
    return [add_line(cell) if CellMetadata.of(cell).grade_id in names else cell for cell in code]


def add_line(cell: dict) -> dict:
    """Return a test with the first line that lets it run in the student's process."""
    text = text_of(cell["source"])
    if cell_roles.says_forgeable(text):
        return cell
    return cell | {"source": f"{cell_roles.FORGEABLE}\n{text}"}


def can_move(cell: Cell) -> bool:
    """Return whether a test has no hidden text, and no magic that must be its first line."""
    return not cell.hides and not cell.source.lstrip().startswith("%%")


def with_connected_tests(cells: Sequence[Cell], moves: Mapping[str, Sequence[str]]) -> Moves:
    """Add the tests that share names with moved tests: these must run in the same process."""
    all_moves = {name: list(reasons) for name, reasons in moves.items()}
    tests = [cell for cell in cells if cell.role.is_test]
    elsewhere = _names_of(cell for cell in cells if not cell.role.is_test)
    defined = {cell.name: _defined_names(cell) - elsewhere for cell in tests}
    size = -1
    while size != len(all_moves):
        size = len(all_moves)
        for place, later in enumerate(tests):
            needed_names = _used_names(later) - defined[later.name]
            for earlier in tests[:place]:
                shared = sorted(needed_names & defined[earlier.name])
                if shared:
                    _move_both(all_moves, earlier, later, shared[0])
                    needed_names -= {*shared}
    return all_moves


def _move_both(moves: Moves, earlier: Cell, later: Cell, name: str) -> None:
    for moved, other in ((earlier, later), (later, earlier)):
        is_moved = moved.name in moves or moved.role is Role.FORGEABLE
        if is_moved and other.name not in moves and other.role is Role.EXAMINER:
            moves[other.name] = [
                f"it shares the name {name!r} with the test {moved.name!r}, which runs in the "
                "student's process. Define it in a locked cell"
            ]


def _names_of(cells: Iterable[Cell]) -> set[str]:
    return {name for cell in cells for name in _defined_names(cell)}


def _defined_names(cell: Cell) -> set[str]:
    with contextlib.suppress(SyntaxError):
        return set(names_defined_by(cell.source, f"<{cell.name}>"))
    return set()


def _used_names(cell: Cell) -> set[str]:
    with contextlib.suppress(SyntaxError):
        return names_used(cell.source, f"<{cell.name}>")
    return set()
