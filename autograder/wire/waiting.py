"""How long a process has waited for a core, which is no time of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

CLOCK_FACTOR = 3  # what waits for a core may take so many times its time by the clock
_NANOSECOND = 1e-9


class Allowance:
    """So many seconds from now on, without those of which `waited` says that others had the core,
    as far as these aren't more than CLOCK_FACTOR allows.
    """

    def __init__(self, seconds: float, waited: Callable[[], float]) -> None:
        self._seconds, self._waited = seconds, waited
        self._began, self._before = time.monotonic(), waited()

    @property
    def ends(self) -> float:
        """When it is used up, on the clock `time.monotonic`, as far as is known by now."""
        added = min(self._waited() - self._before, (CLOCK_FACTOR - 1) * self._seconds)
        return self._began + self._seconds + added

    @property
    def left(self) -> float:
        """Seconds; not above 0 once it is used up."""
        return self.ends - time.monotonic()


def waited(process: int | str = "self") -> float:
    """Seconds that the process was ready to run and others had its core; 0 where nobody tells."""
    try:
        descriptor = os.open(f"/proc/{process}/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(descriptor, 100).split()[1]) * _NANOSECOND
    except (OSError, IndexError):  # it has ended
        return 0.0
    finally:
        os.close(descriptor)


def process_of(descriptor: int) -> int:
    """The number here of the process that a descriptor stands for; -1 if it has ended."""
    with open(f"/proc/self/fdinfo/{descriptor}") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
