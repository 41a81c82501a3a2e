"""What the numbers of a lesson must be, out of its reader's sight.

`lesson_12.py` checks lesson 12. Its function `after_cell_16(walk, k)` runs in the lesson's own
kernel behind the cell with the id `cell-16`, with the lesson's values of `walk` and `k`. A check of
something random says in its docstring with which probability it fails by chance.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

CHECK = "check"  # the metadata's key of a cell that is added
HERE = Path(__file__).parent


def with_checks(notebook: nbformat.NotebookNode, lesson: str) -> nbformat.NotebookNode:
    """Add to a lesson, "12_square_root_of_k", a cell with each of its checks.

    Raises ValueError if a check is named after no cell of code.
    """
    path = HERE / f"lesson_{lesson[:2]}.py"
    behind = _by_cell(lesson)
    if unknown := behind.keys() - {_name(cell) for cell in notebook.cells}:
        raise ValueError(f"{path.name} checks after cells that are not there: {sorted(unknown)}")
    code = f"compile({source_of(lesson)!r}, {str(path)!r}, 'exec')"
    cells = [_added(f"_checks = {{}}\nexec({code}, _checks)")] if behind else []
    for cell in notebook.cells:
        cells.append(cell)
        if check := behind.get(_name(cell)):
            values = ", ".join(inspect.signature(check).parameters)
            cells.append(_added(f"_checks[{check.__name__!r}]({values})"))
    notebook.cells = cells
    return notebook


def without_checks(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Take the added cells away again."""
    notebook.cells = [cell for cell in notebook.cells if not cell.metadata.get(CHECK)]
    return notebook


def source_of(lesson: str) -> str:
    """Return the text of a lesson's checks; "" if it has none."""
    path = HERE / f"lesson_{lesson[:2]}.py"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _by_cell(lesson: str) -> dict:
    """Return the checks of a lesson by their names."""
    if not source_of(lesson):
        return {}
    found = vars(importlib.import_module(f"{__name__}.lesson_{lesson[:2]}"))
    return {name: found[name] for name in found if name.startswith("after_")}


def _name(cell: nbformat.NotebookNode) -> str:
    """Return the name of the check behind a cell; no cell of text has one."""
    return f"after_{cell.id.replace('-', '_')}" if cell.cell_type == "code" else ""


def _added(source: str) -> nbformat.NotebookNode:
    return new_code_cell(source, metadata={CHECK: True})
