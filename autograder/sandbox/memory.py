"""The memory that the processes of a room hold together, as the kernel tells their parent.

Resource limits hold for each process alone. Their sum is looked at from outside, a few times a
second: cheaply first, by a sum that counts what processes share once for each of them, and only
where that is too much by the kernel's own accounting, which divides what is shared. A peak
between two looks goes unseen.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from autograder.sandbox.isolation import acting_as

_OWN = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)
_SHARE = re.compile(rb"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB", re.MULTILINE)
_MOST_READ = 16_384


def can_be_summed() -> bool:
    """Return whether this kernel divides shared memory among the processes."""
    return os.path.exists("/proc/self/smaps_rollup")


def resident() -> int:
    """Return this process's memory in bytes, libraries included; forked processes share it."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def exceeds(processes: list[int], most: int, user: int | None) -> bool:
    """Return whether the processes hold more than `most` bytes; they run as `user` if given."""
    bytes_held = {process: _total(_read(f"/proc/{process}/status"), _OWN) for process in processes}
    if sum(bytes_held.values()) <= most:
        return False
    with acting_as(user):  # whose processes they are: others may not see the details
        for process in processes:
            with contextlib.suppress(PermissionError):  # it hides, and so counts in full
                bytes_held[process] = _total(_read(f"/proc/{process}/smaps_rollup"), _SHARE)
    return sum(bytes_held.values()) > most


def _total(report: bytes, of: re.Pattern[bytes]) -> int:
    return sum(map(int, of.findall(report))) * 1024


def _read(path: str) -> bytes:
    """Return the beginning of the file, or nothing if the process has ended."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, ProcessLookupError):
        return b""
    try:
        return os.read(descriptor, _MOST_READ)
    except ProcessLookupError:
        return b""
    finally:
        os.close(descriptor)
