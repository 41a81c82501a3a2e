"""How long a process has waited for a core, which is no time of its own."""

from __future__ import annotations

import os

_NANOSECOND = 1e-9


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
