"""Packages that not every place has: imported where they are used, and missed in a sentence."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

IN_A_BROWSER = sys.platform == "emscripten"
ELSEWHERE = "Python in a browser does not have; run this in JupyterLab, on your machine"


class Absent(ImportError):
    """A package that what was asked for needs is not in this place."""


def load(name: str, use: str) -> ModuleType:
    """The package of this name, which `use`, as a sentence begins, needs. Raises Absent.

    >>> load("no_such_package", "The proof")
    Traceback (most recent call last):
    ...
    dplab.optional.Absent: The proof needs the package no_such_package, which is not installed
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        reason = ELSEWHERE if IN_A_BROWSER else "is not installed"
        raise Absent(f"{use} needs the package {name}, which {reason}", name=name) from error
