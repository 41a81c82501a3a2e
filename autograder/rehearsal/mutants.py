"""Load catalogues of right and wrong answers from files; `catalogue` describes their form."""

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

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.sets import set_variants, shipped_sets


@dataclass(frozen=True)
class NamedMutant:
    """A wrong answer to the solution cell `cell`, which the test `fails` should detect."""

    name: str
    cell: str
    source: str
    fails: str


@dataclass(frozen=True)
class Right:
    """A right answer to the solution cell `cell`, which should get all points."""

    name: str
    cell: str
    source: str


T = TypeVar("T", Right, NamedMutant)


def find_folder(name: str) -> Path | None:
    """Return the catalogue's folder in a checkout of the project, or None if there is none."""
    folders = [
        folder.parent / "tests" / "assignments" / "answers" for folder in shipped_sets.FOLDERS
    ]
    return next((folder for folder in folders if (folder / name).is_dir()), None)


def load_own_answers(course: Course, name: str) -> tuple[list[Right], list[NamedMutant]] | None:
    """Return a course's own answers to a problem set, or None if it has no folder of them.

    Placeholders in them get the values drawn for the set.
    """
    folder = course.root / "answers"
    if not (folder / name).is_dir():
        return None
    right, wrong = find_right(folder, name), find(folder, name)
    return [_fill_placeholders(course, name, answer) for answer in right], [
        _fill_placeholders(course, name, answer) for answer in wrong
    ]


def find(folder: Path, name: str) -> list[NamedMutant]:
    """Return all mutants of a problem set. Raises CourseError if there are none."""
    mutants = [
        NamedMutant(title, answers.cell, wrong.source, wrong.fails)
        for path, answers in _answers(folder, name)
        for title, wrong in _items(path, answers, "mutants")
    ]
    if not mutants:
        raise CourseError(f"{folder / name} has no module with ANSWERS and mutants")
    return mutants


def find_right(folder: Path, name: str) -> list[Right]:
    """Return all right answers to a problem set."""
    return [
        Right(title, answers.cell, source)
        for path, answers in _answers(folder, name)
        for title, source in _items(path, answers, "right")
    ]


def _fill_placeholders(course: Course, name: str, answer: T) -> T:
    return replace(answer, source=set_variants.filled(course, name, answer.source))


def _items(path: str | None, answers: Any, kind: str) -> list[tuple[str, Any]]:
    try:
        items = list(getattr(answers, kind, {}).items())
        if kind == "mutants":
            _ = [(answers.cell, wrong.source, wrong.fails) for _, wrong in items]
    except AttributeError as error:
        raise CourseError(f"{path}: ANSWERS is no catalogue: {error}") from None
    return items


def _answers(folder: Path, name: str) -> Iterator[tuple[str | None, Any]]:
    """Yield the ANSWERS of each module, with its path."""
    for path in sorted((folder / name).glob("[!_]*.py")):
        module = _import_file(path)
        if (answers := getattr(module, "ANSWERS", None)) is not None:
            if not hasattr(answers, "mutants") or not hasattr(answers, "cell"):
                raise CourseError(f"{path}: ANSWERS is no catalogue: it lacks a cell or mutants")
            yield module.__file__, answers


def _import_file(path: Path) -> ModuleType:
    """Import a file, as a part of its package if it is in one, so that relative imports work."""
    path = path.resolve()
    names, root = [path.stem], path.parent
    while (root / "__init__.py").is_file():
        names, root = [root.name, *names], root.parent
    with _on_path(root):
        try:
            return importlib.import_module(".".join(names)) if len(names) > 1 else _load(path)
        except Exception as error:
            raise CourseError(f"{path} can't be imported: {error!r}") from error


def _load(path: Path) -> ModuleType:
    """Import a file outside of any package, under a name that no other module has."""
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
