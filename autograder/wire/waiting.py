"""The time that processes have waited for a core, which is not their own time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CLOCK_FACTOR = 12  # code that waits for a core may take so many times its time by the clock
LOOK_SECONDS = 0.2  # between two looks at the waiting of code that runs for long
FIRST_LOOK_SECONDS = 1.0  # shorter calls need no look
_NANOSECOND = 1e-9
_TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01


class Allowance:
    """A number of seconds from now on, not counting seconds of waiting for a core.

    `waited` returns the seconds of waiting. CLOCK_FACTOR limits how many of them are left out.
    """

    def __init__(self, seconds: float, waited: Callable[[], float]) -> None:
        self._seconds, self._waited = seconds, waited
        self._began, self._before = time.monotonic(), waited()

    @property
    def ends(self) -> float:
        """The time when the seconds are used up, by `time.monotonic`; more waiting moves it."""
        added = min(self._waited() - self._before, (CLOCK_FACTOR - 1) * self._seconds)
        return self._began + self._seconds + added

    @property
    def left(self) -> float:
        """The seconds left; 0 or below once all are used up."""
        return self.ends - time.monotonic()


class Waiting:
    """The seconds that some processes and their descendants waited for a core.

    The processes take turns: at any time, only one of them has work.

    A process waits while it is ready to run and none of them runs. The kernel counts this for each
    thread. Main threads take turns, so their seconds add up. Other threads and descendants wait at
    the same time, so the longest wait counts. If a thread is new at a look and ready, it has waited
    since the last look. So code that runs for long needs several looks a second. Processor time
    never counts as waiting. If the kernel doesn't count this, the seconds stay 0.
    """

    def __init__(self, *processes: int | str) -> None:
        self.processes = processes
        self._seconds = 0.0
        self._last = _look(processes)

    def watch(self, *processes: int | str) -> None:
        """Continue with other processes."""
        self()
        self.processes = processes
        self._last = _look(processes)

    def __call__(self) -> float:
        """Look, and return the seconds so far."""
        earlier, self._last = self._last, _look(self.processes)
        self._seconds += self._last.count_waiting_since(earlier)
        return self._seconds


@dataclass(frozen=True)
class _Look:
    """Seconds at one moment: the clock, the processor time, and the waiting of threads."""

    clock: float
    computed: float
    main: float  # by main threads
    others: dict[str, float]  # by each other thread

    def count_waiting_since(self, earlier: _Look) -> float:
        """Return the seconds since an earlier look in which some thread waited and none ran."""
        idle = self.clock - earlier.clock - max(self.computed - earlier.computed, 0.0)
        waited = max(self.main - earlier.main, 0.0)
        for thread, seconds in self.others.items():
            if waited >= idle:
                break
            if thread in earlier.others:
                waited = max(waited, seconds - earlier.others[thread])
            elif _fields(thread)[:1] == [b"R"]:
                waited = idle
        return max(min(waited, idle), 0.0)


def _look(processes: Sequence[int | str]) -> _Look:
    computed = main = 0.0
    other_threads: dict[str, float] = {}
    for process in processes:
        main_folder, *descendants = _list_process_tree(process)
        computed += sum(map(_processor_seconds, (main_folder, *descendants)))
        main += _delay_seconds(main_folder)
        threads = [
            *_threads(main_folder)[1:],
            *(thread for folder in descendants for thread in _threads(folder)),
        ]
        other_threads |= {thread: _delay_seconds(thread) for thread in threads}
    return _Look(time.monotonic(), computed, main, other_threads)


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


def _processor_seconds(folder: str) -> float:
    """Return the processor time of a process and of its ended children that it has waited for."""
    return sum(map(int, _fields(folder)[11:15])) * _TICK


def _delay_seconds(folder: str) -> float:
    """Return the seconds that a thread was ready to run while others had its core."""
    fields = _read(f"{folder}/schedstat").split()
    return int(fields[1]) * _NANOSECOND if len(fields) > 1 else 0.0


def _fields(folder: str) -> list[bytes]:
    """Return the kernel's fields for a process or thread from its state on; [] if it ended."""
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
