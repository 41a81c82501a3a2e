"""Wait for a gradebook that another program is writing to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from autograder.classroom.course.folders import CourseError

MAX_WAIT_SECONDS = 900.0  # for a gradebook that another program keeps locked
PAUSE_SECONDS = 0.5

T = TypeVar("T")
TellWait = Callable[[str], None]


def ignore_message(message: str) -> None:
    """Ignore a message about waiting."""


def retry_while_locked(
    act: Callable[[], T],
    tell_wait: TellWait = ignore_message,
    undo: Callable[[], object] = lambda: None,
) -> T:
    """Call `act` until no other program has the database locked; return its result.

    `undo` is called after each failed try; `tell_wait` gets a message with the time so far. Raises
    CourseError after `MAX_WAIT_SECONDS`. Other errors of `act` pass through.
    """
    start_time = time.monotonic()
    while True:
        try:
            return act()
        except Exception as error:
            undo()
            if not is_locked(error):
                raise
            waiting_seconds = time.monotonic() - start_time
            if waiting_seconds > MAX_WAIT_SECONDS:
                minutes = f"{MAX_WAIT_SECONDS / 60:.0f} minutes"
                raise CourseError(
                    f"another program has kept the gradebook locked for {minutes}; "
                    "the results so far are kept; run the command again"
                ) from error
        tell_wait(
            f"another program is writing to the gradebook; waiting for it, {waiting_seconds:.0f} s"
        )
        time.sleep(PAUSE_SECONDS)


def is_locked(error: BaseException) -> bool:
    """Return whether SQLite says, through a driver or not, that the file is locked."""
    return type(error).__name__ == "OperationalError" and "database is locked" in str(error)
