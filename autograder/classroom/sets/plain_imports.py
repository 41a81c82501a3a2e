"""Give tests the imports that they need and that only a plain cell of the notebook has.

A plain cell is neither locked nor graded, so students may change it. Tests run in a process of
their own and never use a module that a student has imported. So the line goes into the test.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterator, Sequence

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.sets import cell_roles, reading_table
from autograder.classroom.sets.assignment import text_of
from autograder.examiner.testcell import (
    MODULES,
    names_defined_by,
    names_given,
    names_used,
    parse_cell,
)

MARK = "  # imported in a cell above"


def add_imports(cells: Sequence[dict]) -> None:
    """Add to each test, as first lines, the imports that only plain cells above it have."""
    lines: dict[str, str] = {}  # by the name that the line imports
    defined = {*MODULES, *vars(builtins), *_names_of_others(cells)}
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        metadata, text = CellMetadata.of(cell), text_of(cell["source"])
        if _is_plain(metadata):
            lines |= dict(_find_lines(text))
            lines = {n: line for n, line in lines.items() if n not in names_given(text)}
        elif metadata.test and not cell_roles.says_forgeable(text) and not _is_magic(text):
            needed_names = (_names(text, names_used) & lines.keys()) - defined - _names(text)
            added = dict.fromkeys(lines[name] + MARK for name in sorted(needed_names))
            if added:
                cell["source"] = "\n".join([*added, text])


def find_changed_tests(cells: Sequence[dict]) -> list[str]:
    """Return the names of the tests that have got a line."""
    return [
        CellMetadata.of(cell).grade_id
        for cell in cells
        if CellMetadata.of(cell).test and MARK in text_of(cell["source"])
    ]


def _is_plain(metadata: CellMetadata) -> bool:
    return not (metadata.is_teachers or metadata.solution or metadata.grade or metadata.task)


def _is_magic(text: str) -> bool:
    return text.lstrip().startswith("%%")


def _names_of_others(cells: Sequence[dict]) -> Iterator[str]:
    """Yield the names that solutions, locked cells and tests define."""
    for cell in cells:
        if cell["cell_type"] == "code" and not _is_plain(CellMetadata.of(cell)):
            yield from _names(text_of(cell["source"]))


def _names(text: str, find: Callable[[str, str], Collection[str]] = names_defined_by) -> set[str]:
    try:
        return set(find(text, "<cell>"))
    except SyntaxError:
        return set()


def _find_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a cell imports of a module that tests may use, with its line."""
    try:
        statements = parse_cell(text).body
    except SyntaxError:
        return
    for node in statements:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        module = getattr(node, "module", None)
        for alias in node.names:
            full_name = f"{module}.{alias.name}" if module else alias.name
            if full_name.partition(".")[0] not in reading_table.MODULES or alias.name == "*":
                continue
            name = alias.asname or (alias.name if module else alias.name.partition(".")[0])
            line = ast.ImportFrom(module, [alias], 0) if module else ast.Import([alias])
            yield name, ast.unparse(line)
