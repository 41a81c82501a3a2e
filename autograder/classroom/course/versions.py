"""The versions of the software that grades: another version can give other points."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path

_INSTALLED = ("dplab", "ipython", "numpy", "scipy", "pandas", "statsmodels")
_SOURCES = ("dplab", "autograder")
NOTED = "graded_with"  # in a notebook's metadata: the versions that released it


@functools.cache
def versions() -> dict[str, str]:
    """Return the versions of Python and packages that could change points, and our digest."""
    graders = {"nbgrader": _version("nbgrader")}
    return installed() | graders | {"sources of dplab and autograder with the digest": _digest()}


def installed() -> dict[str, str]:
    """Return the versions that a student can choose: of Python and of packages."""
    python = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    return python | {name: _version(name) for name in _INSTALLED}


def differences(other_versions: dict[str, str], own_versions: dict[str, str]) -> str:
    """Return a text that lists the versions that differ on another machine; "" if none do."""
    return "; ".join(
        f"{name} {other_versions.get(name, 'none')}, here {version}"
        for name, version in own_versions.items()
        if other_versions.get(name) != version
    )


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _digest() -> str:
    digest = hashlib.sha256()
    for name in _SOURCES:
        (folder,) = importlib.util.find_spec(name).submodule_search_locations  # type: ignore[union-attr, misc]
        for path in sorted(Path(folder).rglob("*.py")):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name}/{path.relative_to(folder).as_posix()} {content}\n".encode())
    return digest.hexdigest()[:12]
