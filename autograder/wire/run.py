"""The state of one run of a notebook's cells, for the checks that its test cells call."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from autograder.wire import files


class Folder(Protocol):
    """The folder in which student code runs, with the files that it reads and writes."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, content: bytes | None) -> None: ...


@dataclass
class Run:
    """The state of a run. Each examiner has one. Elsewhere, as in Jupyter, each process has one.

    Without a `seed`, generators come from the system's entropy. Without a `take_picture`, pictures
    go to Jupyter. By default, `folder` is the working folder of this process.
    """

    seed: bytes | None = None  # of the test cell that runs now
    generator_counts: Counter[str] = field(default_factory=Counter)  # of that cell, by label
    names: dict[int, str] = field(default_factory=dict)  # names of stand-ins in messages, by id
    folder: Folder = files
    take_picture: Callable[[str], None] | None = None
    stated: list[Any] | None = None  # the statistical checks so far, while a test records them
    student_calls: int = 0  # calls of students' functions by tests that are running now
    unanswerable: BaseException | None = None  # the last question of a test without an answer
    forbidden: frozenset[str] = frozenset()  # functions of dplab that answers must not call
    notebook: dict[str, Any] = field(default_factory=dict)  # globals of the forbidding notebook


_current = Run()


def current_run() -> Run:
    """Return the state of this process' run."""
    return _current


@contextlib.contextmanager
def use_run(run: Run) -> Iterator[Run]:
    """Make this the current run for the block."""
    global _current
    previous, _current = _current, run
    try:
        yield run
    finally:
        _current = previous


@contextlib.contextmanager
def count_student_call() -> Iterator[None]:
    """Note that a test calls a student's function inside the block."""
    run = _current
    run.student_calls += 1
    try:
        yield
    finally:
        run.student_calls -= 1
