"""The processes of a room, as the one above them sees them: which there are, and what they used."""

from __future__ import annotations

import contextlib

import psutil


def below(process: int) -> list[psutil.Process]:
    """All processes below this one, ended ones that nobody has waited for included."""
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
    """Seconds of processor time of processes and of all that have ended below them.

    The kernel adds what a process used to its parent when that waits for it, and to nobody where
    the parent doesn't care: what is missing at a look from the one before is kept.
    """

    def __init__(self) -> None:
        self._last = self._gone = 0.0

    def of(self, processes: list[psutil.Process]) -> float:
        now = 0.0
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                used = process.cpu_times()
                now += used.user + used.system + used.children_user + used.children_system
        self._gone += max(self._last - now, 0.0)
        self._last = now
        return self._gone + now
