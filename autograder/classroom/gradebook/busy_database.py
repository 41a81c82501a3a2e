"""Waiting for a gradebook that another program is writing to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from autograder.classroom.course.folders import CourseError

SECONDS = 900.0  # to wait for a gradebook that another program keeps locked
PAUSE = 0.5

T = TypeVar("T")
Wait = Callable[[str], None]


def silently(message: str) -> None:
    """Wait and say nothing."""


def patiently(
    act: Callable[[], T], wait: Wait = silently, undo: Callable[[], object] = lambda: None
) -> T:
    """Call `act` until no other program has the database locked; return its result.

    `undo` is called after each failed try; `wait` gets a message with the time so far. Raises
    CourseError after `SECONDS`, and what `act` raises for another reason.
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
                    "minutes; the results so far are kept; run the command again"
                ) from error
        wait(f"another program is writing to the gradebook; waiting for it, {waited:.0f} s")
        time.sleep(PAUSE)


def is_locked(error: BaseException) -> bool:
    """Return whether SQLite says, through a driver or not, that the file is locked."""
    return type(error).__name__ == "OperationalError" and "database is locked" in str(error)
