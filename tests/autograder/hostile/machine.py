"""A throwaway machine without bubblewrap, on which submissions that get out can do no harm.

It is made by bubblewrap, out of this one's system files, which nobody can write there. It has
processes, temporary files of limited size and a network of its own, and one ordinary user. Only
the folder of the class is shared with it.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.autograder.hostile.observer import Observed

PROJECT = Path(__file__).resolve().parents[3]
USER = 54_321  # whose limit of processes counts nobody else's; the superuser would have none
_SYSTEM = ("/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_TEMPORARY = ("/tmp", "/var/tmp", "/home")
_MEGABYTES = 128  # of each folder for temporary files
_LANDLOCK = 444  # the call without which the others are of no use
_SECONDS = 3600.0  # for everything that happens on it


def observe_there(
    commands: list[list[str]], scratch: Path, seconds: float, landlock: bool = True
) -> Observed:
    """What `observer.observe` says of these commands on a fresh throwaway machine, whose kernel
    may lack Landlock."""
    folder = scratch.parent
    user = USER if os.geteuid() == 0 else 0
    if user:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user, follow_symlinks=False)
    settings = {"commands": commands, "scratch": str(scratch), "user": user, "seconds": seconds}
    observer = [sys.executable, "-m", "tests.autograder.hostile.observer", json.dumps(settings)]
    said = _boot([*_machine(folder, scratch), "--seccomp"], observer, landlock)
    return Observed(**json.loads(said))


def _boot(machine: list[str], first: list[str], landlock: bool) -> str:
    """What the machine's first process says. It ends when its standard input does: with us."""
    with (
        _filter_of_calls(landlock) as calls,
        tempfile.TemporaryFile("w+") as said,
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            [*machine, str(calls.fileno()), *first],
            env=_environment(), pass_fds=[calls.fileno()],
            stdin=subprocess.PIPE, stdout=said, stderr=errors,
        ) as process,
    ):  # fmt: skip
        status = process.wait(_SECONDS)
        for file in (said, errors):
            file.seek(0)
        if status:
            raise RuntimeError(f"the throwaway machine ended with {status}:\n{errors.read()}")
        return said.read()


def _machine(folder: Path, scratch: Path) -> list[str]:
    bubblewrap = shutil.which("bwrap")
    command = [bubblewrap, "--die-with-parent", "--new-session", "--as-pid-1", "--unshare-pid"]
    command += ["--unshare-net", "--unshare-ipc", "--cap-drop", "ALL"]
    if os.geteuid() == 0:  # to become the ordinary user, and to keep what is in the folder
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    for place in _TEMPORARY:
        command += _temporary(place)
    shown = sorted({*_SYSTEM, sys.prefix, sys.base_prefix, str(PROJECT)})
    for place in (*shown, str(folder)):
        for parent in reversed(Path(place).parents[:-1]):
            command += ["--perms", "0755", "--dir", str(parent)]
        if os.path.islink(place):
            command += ["--symlink", os.readlink(place), place]
        elif os.path.exists(place):
            command += ["--bind" if place == str(folder) else "--ro-bind", place, place]
    command += ["--proc", "/proc", "--dev", "/dev", "--ro-bind", "/dev/null", bubblewrap]
    command += [*_temporary("/dev/shm"), *_temporary(str(scratch))]
    return [*command, "--chdir", str(PROJECT)]


def _filter_of_calls(landlock: bool):
    """For seccomp: every call is allowed, but that a kernel without Landlock doesn't know its."""
    load, skip_unless, allow = (0x20, 0, 0, 0), (0x15, 0, 1, _LANDLOCK), (6, 0, 0, 0x7FFF0000)
    unknown = (6, 0, 0, 0x00050000 | errno.ENOSYS)
    steps = [allow] if landlock else [load, skip_unless, unknown, allow]
    file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by who uses it)
    file.write(b"".join(struct.pack("HBBI", *step) for step in steps))
    file.seek(0)
    return file


def _temporary(place: str) -> list[str]:
    return ["--size", str(_MEGABYTES << 20), "--perms", "1777", "--tmpfs", place]


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": "/home", "PYTHONDONTWRITEBYTECODE": "1"}
