"""A counter of the calls by tests that are running in the process of the student's functions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

_tests = 0  # nested calls of students' functions by tests


@contextlib.contextmanager
def examined() -> Iterator[None]:
    """Note that a test calls a student's function inside the block."""
    global _tests
    _tests += 1
    try:
        yield
    finally:
        _tests -= 1


def is_examined() -> bool:
    """Return whether a test is calling a function of the student's now."""
    return _tests > 0
