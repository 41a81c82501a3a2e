"""Find the modules that a notebook needs, and load them once, before processes are forked."""

from __future__ import annotations

import contextlib
import importlib
import re
from collections.abc import Sequence

from autograder.examiner.testcell import find_imports, prepare
from autograder.wire.contract import Cell, Role
from autograder.wire.importing import leave_out_the_project_for_block

# Large modules, loaded in the warm parent as soon as a notebook mentions them.
_ON_DEMAND = {
    "dplab": ("dplab.audit", "dplab.widgets"),
    "ipywidgets": ("ipywidgets",),
    "matplotlib": ("matplotlib.pyplot",),
    "pandas": ("pandas",),
    "scipy": ("scipy.special", "scipy.stats", "scipy.optimize"),
}
_DPLAB_NEEDS = "scipy.special"  # loaded here, since it would cost a test a third of a second
_IMPORT = re.compile(r"^[ \t]*(?:import|from)\s+(.*)", re.MULTILINE)


def prepare_tests(cells: Sequence[Cell]) -> None:
    """Import modules and compile tests once here, not in each forked examiner."""
    if new_names := {_DPLAB_NEEDS, *_imports(cells, Role.BOTH, Role.EXAMINER)} - _imported_names:
        with leave_out_the_project_for_block():
            for name in new_names:
                with contextlib.suppress(Exception):  # the cell itself will show the error
                    importlib.import_module(name)
        _imported_names.update(new_names)
    for cell in cells:
        if cell.role is not Role.STUDENT:
            filename = f"<{cell.name}>"
            with contextlib.suppress(SyntaxError):
                for source in {cell.source, cell.released or cell.source}:
                    prepare(source, filename)


_imported_names: set[str] = set()


def find_needed_modules(cells: Sequence[Cell]) -> set[str]:
    """Return the modules to load in the warm parent for these cells."""
    return _imports(cells, Role.BOTH, Role.FORGEABLE) | _guess_modules(cells)


def _imports(cells: Sequence[Cell], *roles: Role) -> set[str]:
    return {name for cell in cells if cell.role in roles for name in find_imports(cell.source)}


def _guess_modules(cells: Sequence[Cell]) -> set[str]:
    """Guess from the text of the student's cells, without running it, which modules they import."""
    lines = (
        line for cell in cells if cell.role is Role.STUDENT for line in _IMPORT.findall(cell.source)
    )
    words = {word for line in lines for word in re.findall(r"\w+", line)}
    return {
        name
        for package, names in _ON_DEMAND.items()
        if package in words
        for name in names
        if name.rpartition(".")[2] in words
    }
