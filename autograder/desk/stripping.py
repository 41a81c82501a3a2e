"""A problem set's notebook without solutions and hidden tests, as nbgrader's release makes it.

What students install is made of it where nothing of the grader is: for our own sets, which have the
usual marks alone, and a test holds the result beside nbgrader's.
"""

from __future__ import annotations

import copy
import re

from autograder.classroom import nbgrader_rules
from autograder.classroom.assignment import text_of
from autograder.classroom.marks import Marks

CODE_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
TEXT_STUB = ("YOUR ANSWER HERE",)
SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
_MARK = re.compile(rf"(?:BEGIN|END) (?:{SOLUTION}|{HIDDEN}|MARK SCHEME)|### (?:HASHED )?AUTOTEST")


def stripped(source: dict) -> dict:
    """The notebook that students get. Raises ValueError for a mark that would stay in it."""
    notebook = copy.deepcopy(source)
    for cell in notebook["cells"]:
        _strip(cell)
    return notebook


def check_given(what: str, text: str) -> None:
    """Raise ValueError where a text has a mark in it of what students don't get."""
    if left := _MARK.search(text):
        raise ValueError(f"{what} can't be given to students: it has {left[0]!r} in it")


def _strip(cell: dict) -> None:
    marks = Marks.of(cell)
    if cell["cell_type"] == "code":
        cell |= {"outputs": [], "execution_count": None}
    text = text_of(cell["source"])
    if marks.solution:
        stub = CODE_STUB if cell["cell_type"] == "code" else TEXT_STUB
        text = _without(text, SOLUTION, stub) if SOLUTION in text else "\n".join(stub)
    if marks.grade:
        text = _without(text, HIDDEN)
    name = marks.grade_id or cell.get("id", "")
    check_given(f"the cell {name!r}", text)
    cell["source"] = text.splitlines(keepends=True)
    if marks.solution or marks.owned:
        _lock(cell, marks, text)


def _without(text: str, region: str, stub: tuple[str, ...] = ()) -> str:
    """The lines outside of the marks of a region, in the place of which stands a stub."""
    kept: list[str] = []
    within = False
    for line in text.split("\n"):
        if f"BEGIN {region}" in line:
            if within:
                raise ValueError(f"'BEGIN {region}' stands within 'BEGIN {region}'")
            within = True
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + stub_line for stub_line in stub]
        elif f"END {region}" in line:
            within = False
        elif not within:
            kept.append(line)
    if within:
        raise ValueError(f"'BEGIN {region}' has no 'END {region}'")
    return "\n".join(kept)


def _lock(cell: dict, marks: Marks, text: str) -> None:
    """Not to be deleted; and not to be changed, if it isn't the student's to write."""
    cell["metadata"]["deletable"] = False
    if not marks.solution:
        cell["metadata"]["editable"] = False
    noted = cell["metadata"]["nbgrader"]
    noted["checksum"] = nbgrader_rules.checksum(cell | {"source": text})
    noted["cell_type"] = cell["cell_type"]
