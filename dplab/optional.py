"""Optional packages, imported where they are used; an error names each missing one."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

IN_A_BROWSER = sys.platform == "emscripten"
ELSEWHERE = "Python in a browser does not have; run this in JupyterLab, on your machine"
COURSE = "'dplab[course]'"  # quoted, because some shells read square brackets as a pattern


class Absent(ImportError):
    """An error for a needed package that is missing here."""


def reason(install: str = COURSE) -> str:
    """Return why a package is missing here, and what to do: the end of a sentence."""
    return ELSEWHERE if IN_A_BROWSER else f"is not installed: pip install {install}"


def load(name: str, use: str, install: str = COURSE) -> ModuleType:
    """Import the package `name` for `use`, the beginning of a sentence. Raises Absent.

    `install` is what pip is given to bring the package.

    >>> load("no_such_package", "The proof")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dplab.optional.Absent: The proof needs the package no_such_package, which is not installed: ...
    """
    with packages_for(use, install):
        return importlib.import_module(name)


@contextlib.contextmanager
def packages_for(use: str, install: str = COURSE) -> Iterator[None]:
    """Raise Absent, a sentence that begins with `use`, if an import in the block misses a package.

    A missing module of dplab itself is a mistake in dplab: that error passes through.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or str(error)).partition(".")[0]
        if package == __package__:
            raise
        message = f"{use} needs the package {package}, which {reason(install)}"
        raise Absent(message, name=package) from error
