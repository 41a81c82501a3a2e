"""How long processes have waited for a core, which is no time of their own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

CLOCK_FACTOR = 12  # what waits for a core may take so many times its time by the clock
LOOK_SECONDS = 0.2  # between two looks at what code has waited that runs for long
FIRST_LOOK_SECONDS = 1.0  # short calls need none
_NANOSECOND = 1e-9
_TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01


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


class Waiting:
    """Seconds that processes which take turns, with all that they started, waited for a core.

    A process waits while it is ready to run and none of them runs. The kernel counts this for the
    main thread of each. For other threads, and for processes below, it is seen at each look: where
    one of them is ready, all time since the last look in which nothing was computed was waiting.
    So whoever runs code for long has to look several times a second. Processor time is never
    counted as waiting. Where no kernel tells, nothing ever waits.
    """

    def __init__(self, *processes: int | str) -> None:
        self.processes = processes
        self._seconds = 0.0
        self._last = self._now()

    def watch(self, *processes: int | str) -> None:
        """Go on with other processes."""
        self()
        self.processes = processes
        self._last = self._now()

    def __call__(self) -> float:
        """Look, and return the seconds so far."""
        last, self._last = self._last, self._now()
        clock, computed, delayed = (max(b - a, 0.0) for a, b in zip(last, self._last, strict=True))
        idle = max(clock - computed, 0.0)
        is_ready = idle > 0 and delayed < idle and any(map(_others_are_ready, self.processes))
        self._seconds += idle if is_ready else min(delayed, idle)
        return self._seconds

    def _now(self) -> tuple[float, float, float]:
        """The clock, the processor time of all processes, and what their main threads waited."""
        computed = sum(map(_processor_seconds, self.processes))
        return time.monotonic(), computed, sum(map(_delay_seconds, self.processes))


def _others_are_ready(process: int | str) -> bool:
    """Whether a thread other than the main one, or a process below, is running or ready to."""
    threads = [thread for folder in _list_process_tree(process) for thread in _threads(folder)]
    return any(_fields(thread)[:1] == [b"R"] for thread in threads[1:])


def _list_process_tree(process: int | str) -> list[str]:
    """The folders in /proc of a process and of all that descend from it."""
    paths = [f"/proc/{process}"]
    for folder in paths:  # which grows
        for thread in _threads(folder):
            paths += [f"/proc/{number.decode()}" for number in _read(f"{thread}/children").split()]
    return paths


def _threads(folder: str) -> list[str]:
    """The folders of a process' threads, the main one first."""
    try:
        return [f"{folder}/task/{n}" for n in sorted(os.listdir(f"{folder}/task"), key=int)]
    except OSError:
        return []


def _processor_seconds(process: int | str) -> float:
    """Processor time of the process, of those below it, and of those that ended and that their
    parents have waited for.
    """
    used = (_fields(folder)[11:15] for folder in _list_process_tree(process))
    return sum(int(ticks) for fields in used for ticks in fields) * _TICK


def _delay_seconds(process: int | str) -> float:
    """Seconds that the main thread was ready to run and others had its core."""
    fields = _read(f"/proc/{process}/schedstat").split()
    return int(fields[1]) * _NANOSECOND if len(fields) > 1 else 0.0


def _fields(folder: str) -> list[bytes]:
    """What the kernel says of a process or thread, from its state on; nothing if it has ended."""
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
    """The number here of the process that a descriptor stands for; -1 if it has ended."""
    with open(f"/proc/self/fdinfo/{descriptor}") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
