"""List the descendants of a process, and measure their processor time."""

from __future__ import annotations

import contextlib

import psutil


def below(process: int) -> list[psutil.Process]:
    """Return all descendants of a process, including ended ones that nobody has waited for."""
    try:
        return psutil.Process(process).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def running(processes: list[psutil.Process]) -> list[int]:
    """Return the numbers of the processes that haven't ended."""
    numbers = []
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                numbers.append(process.pid)
    return numbers


class ProcessorTime:
    """Seconds of processor time of some processes, including descendants that have ended.

    The kernel adds the time of an ended process to its parent if the parent waits for it. Otherwise
    this time disappears. So each decrease between two looks is remembered, and added.
    """

    def __init__(self) -> None:
        self._last = self._gone = 0.0

    def of(self, processes: list[psutil.Process]) -> float:
        total = 0.0
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                times = process.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
        self._gone += max(self._last - total, 0.0)
        self._last = total
        return self._gone + total
