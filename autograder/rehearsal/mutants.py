"""A catalogue of right and wrong answers, found by its path: see `catalogue` for its form."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from autograder.classroom import shipped, varying
from autograder.classroom.folders import Course, CourseError


@dataclass(frozen=True)
class Mutant:
    """A wrong answer to the solution cell `cell`, which the test `fails` is to find."""

    name: str
    cell: str
    source: str
    fails: str


@dataclass(frozen=True)
class Right:
    """A right answer to the solution cell `cell`, which is to get all points."""

    name: str
    cell: str
    source: str


T = TypeVar("T", Right, Mutant)


def beside(name: str) -> Path | None:
    """The catalogue's folder in a checkout of the project, None in an installation without it."""
    folders = [folder.parent / "tests" / "assignments" / "answers" for folder in shipped.FOLDERS]
    return next((folder for folder in folders if (folder / name).is_dir()), None)


def of_course(course: Course, name: str) -> tuple[list[Right], list[Mutant]] | None:
    """A course's own answers to a problem set, where it has a folder of them.

    Marks in them have the values that were drawn for the set.
    """
    folder = course.root / "answers"
    if not (folder / name).is_dir():
        return None
    right, wrong = find_right(folder, name), find(folder, name)
    return [_filled(course, name, one) for one in right], [
        _filled(course, name, one) for one in wrong
    ]


def find(folder: Path, name: str) -> list[Mutant]:
    """All mutants of a problem set. Raises CourseError where there are none."""
    found = [
        Mutant(called, answers.cell, wrong.source, wrong.fails)
        for where, answers in _answers(folder, name)
        for called, wrong in _items(where, answers, "mutants")
    ]
    if not found:
        raise CourseError(f"{folder / name} has no module with ANSWERS and mutants")
    return found


def find_right(folder: Path, name: str) -> list[Right]:
    """All right answers of a problem set."""
    return [
        Right(called, answers.cell, source)
        for where, answers in _answers(folder, name)
        for called, source in _items(where, answers, "right")
    ]


def _filled(course: Course, name: str, answer: T) -> T:
    return replace(answer, source=varying.filled(course, name, answer.source))


def _items(where: str | None, answers: Any, kind: str) -> list[tuple[str, Any]]:
    try:
        found = list(getattr(answers, kind, {}).items())
        if kind == "mutants":
            _ = [(answers.cell, wrong.source, wrong.fails) for _, wrong in found]
    except AttributeError as error:
        raise CourseError(f"{where}: ANSWERS is no catalogue: {error}") from None
    return found


def _answers(folder: Path, name: str) -> Iterator[tuple[str | None, Any]]:
    """The ANSWERS of each module, and where they stand."""
    for path in sorted((folder / name).glob("[!_]*.py")):
        module = _module(path)
        if (answers := getattr(module, "ANSWERS", None)) is not None:
            if not hasattr(answers, "mutants") or not hasattr(answers, "cell"):
                raise CourseError(f"{path}: ANSWERS is no catalogue: it has no cell and mutants")
            yield module.__file__, answers


def _module(path: Path) -> ModuleType:
    """Import a file, as the part of its package that it is, if any, so that it finds its
    neighbours.
    """
    path = path.resolve()
    names, root = [path.stem], path.parent
    while (root / "__init__.py").is_file():
        names, root = [root.name, *names], root.parent
    with _on_path(root):
        try:
            return importlib.import_module(".".join(names)) if len(names) > 1 else _loose(path)
        except Exception as error:
            raise CourseError(f"{path} can't be imported: {error!r}") from error


def _loose(path: Path) -> ModuleType:
    """A file that is part of no package, under a name that no other module has."""
    name = f"answers_{hashlib.sha256(str(path).encode()).hexdigest()}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@contextmanager
def _on_path(root: Path) -> Iterator[None]:
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))
