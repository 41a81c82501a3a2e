"""Keep a course's code from importing folders that happen to lie next to this project."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

OPEN = ("autograder", "dplab")
_ROOT = Path(__file__).resolve().parents[2]
# An editable installation puts a checkout's root on the path, with all the folders in it.
_HIDDEN = (
    {path.name for path in _ROOT.iterdir() if path.is_dir()} - {*OPEN}
    if (_ROOT / "pyproject.toml").exists()
    else set()
)


def leave_out_the_project() -> dict[str, ModuleType]:
    """Make the checkout's folders, except its two packages, impossible to import.

    Installed packages can still be imported, and so can `dplab` and `autograder` if they are
    loaded. Returns the modules that were loaded from those folders.
    """
    if not _HIDDEN:
        return {}
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry) != _ROOT]
    tops = {top for top in _HIDDEN & sys.modules.keys() if _is_of_the_project(top)}
    loaded = [name for name in sys.modules if name.partition(".")[0] in tops] if tops else []
    modules = {name: sys.modules[name] for name in loaded}
    for name in modules:
        del sys.modules[name]
    return modules


def _is_of_the_project(top: str) -> bool:
    module = sys.modules[top]
    places = getattr(module, "__path__", None) or [getattr(module, "__file__", None) or ""]
    return any(Path(place).parent == _ROOT for place in places)


@contextlib.contextmanager
def leave_out_the_project_for_block() -> Iterator[None]:
    """Do the same as `leave_out_the_project` for the block only."""
    previous_path, modules = sys.path[:], leave_out_the_project()
    try:
        yield
    finally:
        sys.path[:] = previous_path
        sys.modules.update(modules)
