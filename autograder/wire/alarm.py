"""An alarm that interrupts code after its cell's time, and never in the middle of a message."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable

from autograder.wire.waiting import FIRST_LOOK_SECONDS, LOOK_SECONDS, Allowance

_BELL = getattr(signal, "SIGALRM", signal.SIGTERM)


class CellTimeout(BaseException):
    """A cell's time is over. It is no `Exception`, so that `except Exception` can't hide it."""


def describe_timeout(cell: str, seconds: float) -> str:
    return f"the cell {cell} ran longer than {seconds:.3g} s, not counting waits for a core"


class Alarm:
    """An alarm that raises `CellTimeout` in the main thread when the time is over, unless `busy()`.

    It raises again if code swallows the error. It keeps looking at `waited()`, the seconds waited
    for a core: see `Allowance`.
    """

    def __init__(self, busy: Callable[[], bool], waited: Callable[[], float]) -> None:
        self._busy, self._waited = busy, waited

    def set(self, seconds: float, message: str) -> None:
        self._message, self._allowance = message, Allowance(seconds, self._waited)
        signal.signal(_BELL, self._ring)
        _ring_in(max(min(seconds, FIRST_LOOK_SECONDS), 0.001))

    def off(self) -> None:
        _ring_in(0)

    def _ring(self, number: int, frame: object) -> None:
        if self._allowance.left <= 0 and not self._busy():
            raise CellTimeout(self._message)


class _Clock:
    """An alarm clock for systems without a timer: a thread, which can't wake the main thread."""

    def __init__(self) -> None:
        self._stop_event = threading.Event()

    def ring_in(self, seconds: float) -> None:
        self._stop_event.set()
        if seconds:
            self._stop_event = threading.Event()
            threading.Thread(
                target=self._run, args=(self._stop_event, seconds), daemon=True
            ).start()

    def _run(self, stop_event: threading.Event, seconds: float) -> None:
        while not stop_event.wait(seconds):
            _thread.interrupt_main(_BELL)
            seconds = LOOK_SECONDS


def _ring_by_timer(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds, LOOK_SECONDS)


_ring_in = _ring_by_timer if hasattr(signal, "setitimer") else _Clock().ring_in
