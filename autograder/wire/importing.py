"""What code of a course's can import: not what happens to lie beside this project."""

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
    """Take the checkout's folders, but for its two packages, out of reach of imports.

    What is installed stays in reach, `dplab` and `autograder` if they are loaded. Returns the
    modules that were loaded from there.
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
def the_project_left_out() -> Iterator[None]:
    """Within, `leave_out_the_project`."""
    previous_path, modules = sys.path[:], leave_out_the_project()
    try:
        yield
    finally:
        sys.path[:] = previous_path
        sys.modules.update(modules)
