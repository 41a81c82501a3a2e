"""A developer's catalogue of wrong answers, found by its path: it isn't installed with the project.

FOLDER/NAME/ holds a Python module for each exercise of the problem set NAME, with

    ANSWERS.cell         the grade_id of the solution cell that is answered
    ANSWERS.mutants      name -> wrong answer, with its `source` and the grade_id `fails` of the
                         test that is to find it
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from autograder.classroom import release
from autograder.classroom.folders import CourseError


@dataclass(frozen=True)
class Mutant:
    """A wrong answer to the solution cell `cell`, which the test `fails` is to find."""

    name: str
    cell: str
    source: str
    fails: str


def beside(name: str) -> Path | None:
    """The catalogue's folder in a checkout of the project, None in an installation without it."""
    folders = [folder.parent / "tests" / "assignments" for folder in release.SHIPPED]
    return next((folder for folder in folders if (folder / name).is_dir()), None)


def find(folder: Path, name: str) -> list[Mutant]:
    """All mutants of a problem set. Raises CourseError where there are none."""
    paths = sorted((folder / name).glob("[!_]*.py"))
    found = [mutant for path in paths for mutant in _mutants(_module(path))]
    if not found:
        raise CourseError(f"{folder / name} has no module with ANSWERS and mutants")
    return found


def _mutants(module: ModuleType) -> Iterator[Mutant]:
    answers = getattr(module, "ANSWERS", None)
    if answers is None:
        return
    try:
        for name, wrong in answers.mutants.items():
            yield Mutant(name, answers.cell, wrong.source, wrong.fails)
    except AttributeError as error:
        raise CourseError(f"{module.__file__}: ANSWERS is no catalogue: {error}") from None


def _module(path: Path) -> ModuleType:
    """Import a file as the part of its package that it is, so that it finds its neighbours."""
    path = path.resolve()
    names, root = [path.stem], path.parent
    while (root / "__init__.py").is_file():
        names, root = [root.name, *names], root.parent
    with _on_path(root):
        try:
            return importlib.import_module(".".join(names))
        except Exception as error:
            raise CourseError(f"{path} can't be imported: {error!r}") from error


@contextmanager
def _on_path(root: Path) -> Iterator[None]:
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
