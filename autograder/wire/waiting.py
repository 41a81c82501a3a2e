"""The time that processes have waited for a core, which is not their own time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

CLOCK_FACTOR = 12  # code that waits for a core may take so many times its time by the clock
LOOK_SECONDS = 0.2  # between two looks at the waiting of code that runs for long
FIRST_LOOK_SECONDS = 1.0  # shorter calls need no look
_NANOSECOND = 1e-9
_TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01


class Allowance:
    """A number of seconds from now on that leaves out the seconds of waiting for a core.

    `waited` returns these. CLOCK_FACTOR limits how many of them are left out.
    """

    def __init__(self, seconds: float, waited: Callable[[], float]) -> None:
        self._seconds, self._waited = seconds, waited
        self._began, self._before = time.monotonic(), waited()

    @property
    def ends(self) -> float:
        """The time when it is used up, on the clock `time.monotonic`; more waiting moves it."""
        added = min(self._waited() - self._before, (CLOCK_FACTOR - 1) * self._seconds)
        return self._began + self._seconds + added

    @property
    def left(self) -> float:
        """The seconds left; 0 or below once it is used up."""
        return self.ends - time.monotonic()


class Waiting:
    """The seconds that processes which take turns, and their descendants, waited for a core.

    A process waits while it is ready to run and none of them runs. The kernel counts this for the
    main thread of each. Other threads and descendants are checked at each look: if one of them is
    ready, all time without computation since the last look counts as waiting. So code that runs for
    long needs several looks a second. Processor time never counts as waiting. On a system whose
    kernel doesn't tell, nothing ever waits.
    """

    def __init__(self, *processes: int | str) -> None:
        self.processes = processes
        self._seconds = 0.0
        self._last = self._now()

    def watch(self, *processes: int | str) -> None:
        """Continue with other processes."""
        self()
        self.processes = processes
        self._last = self._now()

    def __call__(self) -> float:
        """Look at the processes, and return the seconds so far."""
        last, self._last = self._last, self._now()
        clock, computed, delayed = (max(b - a, 0.0) for a, b in zip(last, self._last, strict=True))
        idle = max(clock - computed, 0.0)
        is_ready = idle > 0 and delayed < idle and any(map(_others_are_ready, self.processes))
        self._seconds += idle if is_ready else min(delayed, idle)
        return self._seconds

    def _now(self) -> tuple[float, float, float]:
        """Return the clock, all processes' processor time, and their main threads' waiting time."""
        computed = sum(map(_processor_seconds, self.processes))
        return time.monotonic(), computed, sum(map(_delay_seconds, self.processes))


def _others_are_ready(process: int | str) -> bool:
    """Return whether a thread other than the main one, or a descendant, runs or is ready to."""
    threads = [thread for folder in _list_process_tree(process) for thread in _threads(folder)]
    return any(_fields(thread)[:1] == [b"R"] for thread in threads[1:])


def _list_process_tree(process: int | str) -> list[str]:
    """Return the folders in /proc of a process and all its descendants."""
    paths = [f"/proc/{process}"]
    for folder in paths:  # the list grows
        for thread in _threads(folder):
            paths += [f"/proc/{number.decode()}" for number in _read(f"{thread}/children").split()]
    return paths


def _threads(folder: str) -> list[str]:
    """Return the folders of a process' threads, the main one first."""
    try:
        return [f"{folder}/task/{n}" for n in sorted(os.listdir(f"{folder}/task"), key=int)]
    except OSError:
        return []


def _processor_seconds(process: int | str) -> float:
    """Return the processor time of a process and its descendants.

    It includes processes that have ended if their parents have waited for them.
    """
    used = (_fields(folder)[11:15] for folder in _list_process_tree(process))
    return sum(int(ticks) for fields in used for ticks in fields) * _TICK


def _delay_seconds(process: int | str) -> float:
    """Return the seconds that the main thread was ready to run while others had its core."""
    fields = _read(f"/proc/{process}/schedstat").split()
    return int(fields[1]) * _NANOSECOND if len(fields) > 1 else 0.0


def _fields(folder: str) -> list[bytes]:
    """Return the kernel's fields for a process or thread, from its state on; none if it ended."""
    return _read(f"{folder}/stat").rpartition(b")")[2].split()


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 4096)
    except OSError:  # it has ended
        return b""
    finally:
        os.close(descriptor)


def process_of(descriptor: int) -> int:
    """Return the number in this system of a descriptor's process; -1 if it has ended."""
    with open(f"/proc/self/fdinfo/{descriptor}") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
