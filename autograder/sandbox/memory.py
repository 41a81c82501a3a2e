"""Measure the total memory of a student process and its descendants.

Resource limits hold for each single process. So the server checks the total a few times a second:
first by a cheap sum, which counts shared memory once for each process. If that is too much, it uses
the kernel's own accounting, which divides shared memory. A peak between two looks is not noticed.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from autograder.sandbox.isolation import acting_as

_FULL = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)
_SHARED = re.compile(rb"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB", re.MULTILINE)
_MAX_READ_BYTES = 16_384


def can_be_summed() -> bool:
    """Return whether this kernel divides shared memory among the processes."""
    return os.path.exists("/proc/self/smaps_rollup")


def resident() -> int:
    """Return this process's memory in bytes, libraries included; forked processes share it."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def exceeds(processes: list[int], most: int, user: int | None) -> bool:
    """Return whether the processes hold more than `most` bytes; they run as `user` if given."""
    bytes_held = {process: _total(_read(f"/proc/{process}/status"), _FULL) for process in processes}
    if sum(bytes_held.values()) <= most:
        return False
    with acting_as(user):  # the owner of the processes: other users may not see the details
        for process in processes:
            with contextlib.suppress(PermissionError):  # a process that hides counts in full
                bytes_held[process] = _total(_read(f"/proc/{process}/smaps_rollup"), _SHARED)
    return sum(bytes_held.values()) > most


def _total(report: bytes, pattern: re.Pattern[bytes]) -> int:
    return sum(map(int, pattern.findall(report))) * 1024


def _read(path: str) -> bytes:
    """Return the beginning of the file, or nothing if the process has ended."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, ProcessLookupError):
        return b""
    try:
        return os.read(descriptor, _MAX_READ_BYTES)
    except ProcessLookupError:
        return b""
    finally:
        os.close(descriptor)
