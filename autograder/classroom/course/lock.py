"""Let only one command at a time write to a course.

The system holds the lock for the process that took it, and releases it when that process ends
in any way. The text in the file only says which command holds it.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from autograder.classroom.course.folders import Course, CourseError

try:
    import fcntl
except ImportError:  # not on Unix; nobody grades there
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Holder:
    """The command that writes to a course, and the time when it began."""

    command: str
    user: str
    host: str
    process: int
    since: float  # seconds since 1970

    def __str__(self) -> str:
        start = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self.since))
        process = f"process {self.process} of {self.user} on {self.host}"
        return f"`autograder {self.command}` since {start} ({process})"


@contextlib.contextmanager
def held(course: Course, command: str) -> Iterator[None]:
    """Hold the course's lock, so that no other command writes to the course.

    Raises CourseError, which names the other command, if another one is at work.
    """
    course.root.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will hold a class's grades
    course.private.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(course.lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        if not _take(handle):
            other = _read(handle) or "another command"
            raise CourseError(
                f"{other} is at work on {course.root}; wait until it has ended. Nothing was done"
            )
        user, host = _user(), platform.node()
        holder = Holder(command, user, host, os.getpid(), time.time())
        try:
            _write(handle, json.dumps(asdict(holder)))
        except OSError as error:  # for example a full disk; the system doesn't name the file
            error.filename = str(course.lock)
            raise
        try:
            yield
        except CourseError:  # the command has ended and has told the reason
            _write(handle, "")
            raise
        _write(handle, "")
    finally:
        os.close(handle)


def holder(course: Course) -> tuple[Holder | None, bool]:
    """Return the last command that has not ended properly, and whether it is still at work."""
    try:
        handle = os.open(course.lock, os.O_RDWR)
    except OSError:
        return None, False
    try:
        is_free = _take(handle)
        return _read(handle), not is_free
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    """Lock the file for this process; forked workers don't inherit it."""
    if fcntl is None:
        return True
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _read(handle: int) -> Holder | None:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        return Holder(**json.loads(os.read(handle, 4096)))
    except (ValueError, TypeError):
        return None


def _write(handle: int, text: str) -> None:
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, text.encode("utf-8"))


def _user() -> str:
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):  # as in some containers
        return "somebody without a name"
