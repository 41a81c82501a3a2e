"""What decides about points beside a submission: the versions of all that grades it."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path

_INSTALLED = ("dplab", "ipython", "numpy", "scipy", "pandas", "statsmodels")
_SOURCES = ("dplab", "autograder")
NOTED = "graded_with"  # the versions of who released a notebook, in its metadata


@functools.cache
def versions() -> dict[str, str]:
    """Those of Python, of the packages that could change points, and a digest of our sources."""
    graders = {"nbgrader": _version("nbgrader")}
    return installed() | graders | {"sources of dplab and autograder with the digest": _digest()}


def installed() -> dict[str, str]:
    """Of these what a student sees to: Python and packages."""
    found = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    return found | {name: _version(name) for name in _INSTALLED}


def differences(there: dict[str, str], here: dict[str, str]) -> str:
    """What another machine has in other versions than this one; "" if nothing."""
    return "; ".join(
        f"{name} {there.get(name, 'none')}, here {version}"
        for name, version in here.items()
        if there.get(name) != version
    )


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _digest() -> str:
    total = hashlib.sha256()
    for name in _SOURCES:
        (folder,) = importlib.util.find_spec(name).submodule_search_locations  # type: ignore[union-attr, misc]
        for path in sorted(Path(folder).rglob("*.py")):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{name}/{path.relative_to(folder).as_posix()} {content}\n".encode())
    return total.hexdigest()[:12]
