"""A problem set's notebook without solutions and hidden tests, as nbgrader's release makes it.

Students install the result, which is made without nbgrader. It works for our own sets, which have
only nbgrader's usual delimiters. A test compares the result with nbgrader's.
"""

from __future__ import annotations

import copy
import re

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.sets import nbgrader_rules
from autograder.classroom.sets.assignment import text_of

CODE_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
TEXT_STUB = ("YOUR ANSWER HERE",)
SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
_DELIMITER = re.compile(
    rf"(?:BEGIN|END) (?:{SOLUTION}|{HIDDEN}|MARK SCHEME)|### (?:HASHED )?AUTOTEST"
)


def stripped(source: dict) -> dict:
    """Return the notebook for students. Raises ValueError if a delimiter would stay in it."""
    notebook = copy.deepcopy(source)
    for cell in notebook["cells"]:
        _strip(cell)
    return notebook


def check_given(label: str, text: str) -> None:
    """Raise ValueError if a text has a delimiter of a part that students don't get."""
    if delimiter := _DELIMITER.search(text):
        raise ValueError(f"{label} can't be given to students: it has {delimiter[0]!r} in it")


def _strip(cell: dict) -> None:
    cell_metadata = CellMetadata.of(cell)
    if cell["cell_type"] == "code":
        cell |= {"outputs": [], "execution_count": None}
    text = text_of(cell["source"])
    if cell_metadata.solution:
        stub = CODE_STUB if cell["cell_type"] == "code" else TEXT_STUB
        text = _cut_region(text, SOLUTION, stub) if SOLUTION in text else "\n".join(stub)
    if cell_metadata.grade:
        text = _cut_region(text, HIDDEN)
    name = cell_metadata.grade_id or cell.get("id", "")
    check_given(f"the cell {name!r}", text)
    cell["source"] = text.splitlines(keepends=True)
    if cell_metadata.solution or cell_metadata.is_teachers:
        _lock(cell, cell_metadata, text)


def _cut_region(text: str, region: str, stub: tuple[str, ...] = ()) -> str:
    """Return the lines outside of a region's delimiters, and a stub instead of the region."""
    lines: list[str] = []
    is_inside = False
    for line in text.split("\n"):
        if f"BEGIN {region}" in line:
            if is_inside:
                raise ValueError(f"'BEGIN {region}' stands within 'BEGIN {region}'")
            is_inside = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub_line for stub_line in stub]
        elif f"END {region}" in line:
            is_inside = False
        elif not is_inside:
            lines.append(line)
    if is_inside:
        raise ValueError(f"'BEGIN {region}' has no 'END {region}'")
    return "\n".join(lines)


def _lock(cell: dict, cell_metadata: CellMetadata, text: str) -> None:
    """Forbid students to delete the cell, and to change it unless it is a solution cell."""
    cell["metadata"]["deletable"] = False
    if not cell_metadata.solution:
        cell["metadata"]["editable"] = False
    nbgrader_entry = cell["metadata"]["nbgrader"]
    nbgrader_entry["checksum"] = nbgrader_rules.checksum(cell | {"source": text})
    nbgrader_entry["cell_type"] = cell["cell_type"]
