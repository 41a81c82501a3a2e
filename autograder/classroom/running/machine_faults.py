"""Find faults of this machine, other than its limits, that cost points or work."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from autograder.wire.contract import Limits

MIN_FREE_BYTES = 200 << 20  # a disk with less free space is about to be full
MAX_SUBMISSION_BYTES = Limits().file_bytes  # a submission may write this much
_SCHEDSTAT = "/proc/self/schedstat"
_NULL_NUMBERS = (1, 3)  # major and minor number of Linux' null device
_POSIX_ZONE = re.compile(r"(?:[A-Za-z]{3,}|<[^<>]+>)[+-]?\d.*")  # such as CET-1CEST
_HALF_A_YEAR = 182 * 86_400


@dataclass(frozen=True)
class MachineFault:
    """A fault of this machine, what to do, and whether a right answer may lose points."""

    text: str
    remedy: str
    costs_points: bool = True

    def __str__(self) -> str:
        return f"{self.text} {self.remedy}"


def check_limits(limits: Limits) -> None:
    """Raise `OSError` if the system's limits of this process are below grading's limits.

    The error says what to do. Under some of these limits no process could start to report it.
    """
    import resource  # other systems lack this module

    from autograder.sandbox.isolation import require_limit

    for kind, value in (
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
    ):
        require_limit(kind, value)


def find_faults(has_zone: bool) -> list[MachineFault]:
    """Return the faults of the devices, folders and system calls that the grader needs.

    `has_zone` says whether the course names its time zone: then the machine's is not used.
    """
    faults = [*_check_null_device(), *_check_temporary_folder(), *_check_kernel()]
    return faults if has_zone else [*faults, *_check_zone()]


def _status(path: str) -> os.stat_result | None:
    """Return the status of a file, or None if it is missing."""
    try:
        return os.stat(path)
    except OSError:
        return None


def _check_null_device() -> Iterator[MachineFault]:
    """Check that everybody can write to the null device, as code does to silence a command."""
    path, status = os.devnull, _status(os.devnull)
    remedy = f"As root, run 'rm -f {path}; mknod -m 666 {path} c 1 3', or start the machine again."
    if status is None:
        yield MachineFault(f"The null device {path} is missing.", remedy)
    elif not stat.S_ISCHR(status.st_mode) or status.st_rdev != os.makedev(*_NULL_NUMBERS):
        text = f"{path} is not the null device: another file has taken its place."
        yield MachineFault(text, remedy)
    elif stat.S_IMODE(status.st_mode) & 0o666 != 0o666 or not os.access(path, os.R_OK | os.W_OK):
        mode = stat.S_IMODE(status.st_mode)
        text = f"{path} has the mode {mode:o}, so some users can't read or write it."
        yield MachineFault(text, f"As root, run 'chmod 666 {path}'.")


def _check_temporary_folder() -> Iterator[MachineFault]:
    """Check that temporary files have enough disk space, in the folder that TMPDIR names."""
    try:
        folder = tempfile.gettempdir()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        text = f"No temporary file can be made: {error.strerror or error}."
        yield MachineFault(text, "Make a folder that you can write to, and let TMPDIR name it.")
        return
    if free < MIN_FREE_BYTES:
        text = f"The disk of the folder for temporary files, {folder}, has {free >> 20} MiB left."
        remedy = "Free some space there, or let TMPDIR name a folder elsewhere."
        yield MachineFault(text, remedy, costs_points=free < MAX_SUBMISSION_BYTES)
    requested_folder = os.environ.get("TMPDIR")
    if requested_folder and os.path.realpath(requested_folder) != os.path.realpath(folder):
        text = (
            f"TMPDIR names {requested_folder}, where no file can be made; {folder} is used instead."
        )
        remedy = "Make that folder, or take TMPDIR out of the environment."
        yield MachineFault(text, remedy, costs_points=False)


def _check_kernel() -> Iterator[MachineFault]:
    """Check that the kernel has the calls and the files that the grader relies on."""
    kernel = f"The kernel {platform.release()}"
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        text = f"{kernel} has no working system call pidfd_open ({error.strerror})."
        yield MachineFault(text, "Grade on a machine or container with Linux 5.3 or newer.")
    except AttributeError:
        text = f"This Python has no function os.pidfd_open ({platform.python_version()})."
        yield MachineFault(text, "Use a Python that was built on Linux 5.3 or newer.")
    if not _counts_waiting():
        text = f"{kernel} does not say how long a process waited for a core ({_SCHEDSTAT})."
        remedy = "Grade while nothing else runs on this machine, or on another one: otherwise slow "
        remedy += "answers may reach their time limit."
        yield MachineFault(text, remedy, costs_points=False)


def _counts_waiting() -> bool:
    with contextlib.suppress(OSError, ValueError), open(_SCHEDSTAT) as file:
        return len([int(number) for number in file.read().split()]) > 1
    return False


def _check_zone() -> Iterator[MachineFault]:
    """Check that the system knows the zone that TZ names; otherwise it silently uses UTC.

    Some platforms write times without a zone. In a wrong zone, submissions would count as late, or
    late ones as in time.
    """
    name = os.environ.get("TZ", "").removeprefix(":")
    if not name or os.path.isabs(name) or _POSIX_ZONE.fullmatch(name):
        return
    remedy = "Set TZ to a name such as Europe/Vienna (install tzdata if it is missing), or write "
    remedy += "c.Exchange.timezone = 'Europe/Vienna' into nbgrader_config.py of the course."
    try:
        zone = ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        yield MachineFault(f"TZ is {name!r}, but there is no time zone {name!r}.", remedy)
        return
    now = time.time()
    for moment in (now, now + _HALF_A_YEAR):  # one of them in summer
        if time.localtime(moment).tm_gmtoff != _offset(zone, moment):
            text = f"TZ is {name!r}, but the system's local time is not that of this zone."
            yield MachineFault(text, remedy)
            return


def _offset(zone: ZoneInfo, moment: float) -> float:
    offset = datetime.fromtimestamp(moment, zone).utcoffset()
    return offset.total_seconds() if offset is not None else 0.0
