"""Waiting for a gradebook that another program is writing to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from autograder.classroom.folders import CourseError

SECONDS = 900.0  # until a gradebook is given up that another program doesn't let go
PAUSE = 0.5

T = TypeVar("T")
Wait = Callable[[str], None]


def silently(said: str) -> None:
    """Wait and say nothing."""


def patiently(
    act: Callable[[], T], wait: Wait = silently, undo: Callable[[], object] = lambda: None
) -> T:
    """What `act` returns, as soon as nobody else has the database locked.

    `undo` follows each try that was in vain; `wait` is told for how long by now. Raises CourseError
    after `SECONDS`, and what `act` raises for another reason.
    """
    began = time.monotonic()
    while True:
        try:
            return act()
        except Exception as error:
            undo()
            if not is_locked(error):
                raise
            waited = time.monotonic() - began
            if waited > SECONDS:
                raise CourseError(
                    f"another program has kept the gradebook locked for {SECONDS / 60:.0f} "
                    "minutes; what had been graded is kept"
                ) from error
        wait(f"another program is writing to the gradebook; waiting for it, {waited:.0f} s")
        time.sleep(PAUSE)


def is_locked(error: BaseException) -> bool:
    """Whether SQLite says, through a driver or not, that somebody else has the file."""
    return type(error).__name__ == "OperationalError" and "database is locked" in str(error)
