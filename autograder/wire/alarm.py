"""Interrupts code that runs longer than its cell may, and never in the middle of a message."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

from autograder.wire.waiting import waited

REPEAT_SECONDS = 0.2  # code that swallows the interruption is interrupted again
CLOCK_FACTOR = 3  # a cell may take so many times its time by the clock, where it waits for a core


class CellTimeout(BaseException):
    """A cell ran longer than it may. Not an `Exception`: `except Exception` must not hide it."""


class Alarm:
    """Raises `CellTimeout` in the main thread when the time is over, unless `busy()`.

    Time is the clock's without what this process has waited for a core.
    """

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._message = ""
        self._seconds = self._began = self._waited = 0.0

    def set(self, seconds: float, message: str) -> None:
        self._message, self._seconds = message, seconds
        self._began, self._waited = time.monotonic(), waited()
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), REPEAT_SECONDS)

    def off(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, number: int, frame: object) -> None:
        clock = time.monotonic() - self._began
        over = clock - (waited() - self._waited) >= self._seconds
        if (over or clock >= CLOCK_FACTOR * self._seconds) and not self._busy():
            raise CellTimeout(self._message)
