"""Interrupts code that runs longer than its cell may, and never in the middle of a message."""

from __future__ import annotations

import signal
from collections.abc import Callable

REPEAT_SECONDS = 0.2  # code that swallows the interruption is interrupted again


class CellTimeout(BaseException):
    """A cell ran longer than it may. Not an `Exception`: `except Exception` must not hide it."""


class Alarm:
    """Raises `CellTimeout` in the main thread when the time is over, unless `busy()`."""

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._message = ""

    def set(self, seconds: float, message: str) -> None:
        self._message = message
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), REPEAT_SECONDS)

    def off(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, number: int, frame: object) -> None:
        if not self._busy():
            raise CellTimeout(self._message)
