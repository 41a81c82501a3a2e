"""Runs the commands of a grading and says what they leave behind, here or on a throwaway machine.

There it is the first process, which is this module's `main`: whatever runs beside it is left over,
and no signal from within can end it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

MARK = "hostile-"  # how the files begin that the catalogue's students leave
_SET_SUBREAPER = 36


@dataclass(frozen=True)
class Observed:
    """What the commands said, how they ended, and what was there afterwards."""

    said: str
    ended: list[int]
    left_running: list[str]
    left_behind: list[str]


def observe_apart(commands: list[list[str]], scratch: Path, seconds: float) -> Observed:
    """`observe` in a process of its own: one that runs tests has other children, too."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(observe, commands, scratch, seconds).result()


def observe(commands: list[list[str]], scratch: Path, seconds: float) -> Observed:
    """Run the commands, which have `scratch` for temporary files and so much time for each."""
    adopt_orphans()
    done = [_run(command, scratch, seconds) for command in commands]
    files = [f"{scratch}/{name}" for name in sorted(os.listdir(scratch))]
    return Observed(
        "".join(said for said, _ in done),
        [status for _, status in done],
        descendants(),
        files + marked_files(),
    )


def _run(command: list[str], scratch: Path, seconds: float) -> tuple[str, int]:
    environment = os.environ | {"TMPDIR": str(scratch), "COLUMNS": "200"}
    with (
        tempfile.TemporaryFile() as said,  # no pipe: whoever is left may hold it open for ever
        subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            if os.getpid() == 1:  # a process that is traced ends with its tracer only
                os.kill(-1, signal.SIGKILL)
            process.wait()
        said.seek(0)
        return said.read().decode("utf-8", "replace"), process.returncode


def adopt_orphans() -> None:
    """From now on a process whose parent ends becomes a child of this one."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[str]:
    """The commands of all processes below this one that still run."""
    running = {process: (parent, command) for process, parent, command in _processes()}

    def is_below(process: int) -> bool:
        parent, _ = running.get(process, (0, ""))
        return parent == os.getpid() or (parent > 0 and is_below(parent))

    return [command for process, (_, command) in running.items() if is_below(process)]


def _processes() -> Iterator[tuple[int, int, str]]:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state != "Z":
            yield int(entry.name), int(parent), command


def marked_files() -> list[str]:
    """Files outside of any course that carry the catalogue's mark in their names."""
    places = [Path(place) for place in ("/tmp", "/var/tmp", "/dev/shm", str(Path.home()))]
    return [
        str(path)
        for place in places
        if place.is_dir()
        for path in place.iterdir()
        if path.name.startswith(MARK)
    ]


def main() -> None:
    """On the throwaway machine: become an ordinary user, who has an agent as on any desktop."""
    settings = json.loads(sys.argv[1])
    if os.getuid() == 0 and settings["user"]:
        os.setgroups([])
        os.setresgid(*[settings["user"]] * 3)
        os.setresuid(*[settings["user"]] * 3)
    threading.Thread(target=_end_with_the_input, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # without a handler the kernel holds it back
    with socket.socket(socket.AF_UNIX) as agent, contextlib.suppress(BrokenPipeError):
        agent.bind("/tmp/agent")
        agent.listen()
        seen = observe(settings["commands"], Path(settings["scratch"]), settings["seconds"])
        print(json.dumps(asdict(seen)))


def _end_with_the_input() -> None:
    """When nobody is there any more who started the machine, it is switched off."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
