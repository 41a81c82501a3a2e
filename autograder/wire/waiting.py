"""How long processes have waited for a core, which is no time of their own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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

    A process waits while it is ready to run and none of them runs. The kernel counts this for each
    thread. Main threads take turns, so their seconds add up. Other threads, and processes below,
    wait at the same time, so the longest counts. A thread that is new at a look, and ready, has
    waited since the last look. So whoever runs code for long has to look several times a second.
    Processor time is never counted as waiting. Where no kernel tells, nothing waits.
    """

    def __init__(self, *processes: int | str) -> None:
        self.processes = processes
        self._seconds = 0.0
        self._last = _look(processes)

    def watch(self, *processes: int | str) -> None:
        """Go on with other processes."""
        self()
        self.processes = processes
        self._last = _look(processes)

    def __call__(self) -> float:
        """Look, and return the seconds so far."""
        last, self._last = self._last, _look(self.processes)
        self._seconds += self._last.waited_since(last)
        return self._seconds


@dataclass(frozen=True)
class _Look:
    """Seconds at one moment: by the clock, of processor time, and what threads have waited."""

    clock: float
    computed: float
    main: float  # by main threads
    others: dict[str, float]  # by each other thread

    def waited_since(self, last: _Look) -> float:
        idle = self.clock - last.clock - max(self.computed - last.computed, 0.0)
        waited = max(self.main - last.main, 0.0)
        for thread, seconds in self.others.items():
            if waited >= idle:
                break
            if thread in last.others:
                waited = max(waited, seconds - last.others[thread])
            elif _fields(thread)[:1] == [b"R"]:
                waited = idle
        return max(min(waited, idle), 0.0)


def _look(processes: Sequence[int | str]) -> _Look:
    computed = main = 0.0
    others: dict[str, float] = {}
    for process in processes:
        own, *below = _with_those_below(process)
        computed += sum(map(_computed, (own, *below)))
        main += _delayed(own)
        threads = [*_threads(own)[1:], *(thread for one in below for thread in _threads(one))]
        others |= {thread: _delayed(thread) for thread in threads}
    return _Look(time.monotonic(), computed, main, others)


def _with_those_below(process: int | str) -> list[str]:
    """The folders in /proc of a process and of all that descend from it."""
    found = [f"/proc/{process}"]
    for folder in found:  # which grows
        for thread in _threads(folder):
            found += [f"/proc/{number.decode()}" for number in _read(f"{thread}/children").split()]
    return found


def _threads(folder: str) -> list[str]:
    """The folders of a process' threads, the main one first."""
    try:
        return [f"{folder}/task/{n}" for n in sorted(os.listdir(f"{folder}/task"), key=int)]
    except OSError:
        return []


def _computed(folder: str) -> float:
    """Processor time of a process, and of those below it that ended and that it has waited for."""
    return sum(map(int, _fields(folder)[11:15])) * _TICK


def _delayed(folder: str) -> float:
    """Seconds that a thread was ready to run and others had its core."""
    fields = _read(f"{folder}/schedstat").split()
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
