"""The warm parent: has everything imported, and forks a student's room in milliseconds.

Run by `warm` as `python -m autograder.sandbox.forkserver DESCRIPTOR`, within what `layers` has put
around it. It speaks msgpack over the descriptor, one packet a message, one room at a time:

    {"open": packed `RoomSettings`} with a socket -> {"opened": process, "layers": [name, ...]}
        and a descriptor of the process
    {"close": true} -> {"closed": exit status, "cpu_seconds": seconds, "memory_bytes": bytes,
                        "stopped": why this process ended the room, "" if it did not}
    {"import": [name, ...]} -> {"imported": true}
    {"twin": true} with a socket -> {"twin": process}, a copy of this process that serves there

No student code runs in this process, and it decodes nothing that a student can have written.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import itertools
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack
import psutil

from autograder.sandbox import isolation, landlock, memory, processes
from autograder.sandbox.processes import ProcessorTime
from autograder.sandbox.settings import PACKET_BYTES, ProcessSettings
from autograder.wire.contract import Incident

WATCH_SECONDS = 0.1  # between two looks at the memory of a room's processes
# A command that is about to start shares its parent's memory, which then counts twice, for 0.5 ms;
# a notebook that does nothing but start commands is seen so in 1 of 20 looks.
LOOKS, LOOK_SECONDS = 5, 0.01
_OWN = ("autograder.wire.channel", "autograder.student.entropy", "autograder.student.server")
_WARM = ("numpy", "dplab")
# Python adapts code to what it is used for, after some times, for all rooms at once.
_WARMING_CELLS = ("1 / 0", "{'a': 1}", *["def f(x):\n    return [x]"] * 16)
_WARMING_PLOT = (
    "import matplotlib.pyplot as plt; plt.figure(figsize=(1, 1)); plt.plot([0, 1]); plt.title('x')",
    "%matplotlib inline",
)


@dataclass
class ForkedProcess:
    """A room that is open, as its parent knows it."""

    process: int
    handle: int  # a descriptor that becomes readable when the process ends
    home: str | None  # a directory to remove, where the room has no file system of its own
    user: int | None
    layers: tuple[str, ...]
    failure: str  # why it could not be opened, "" if it was
    most_memory: int  # of all its processes together, in bytes
    most_seconds: float  # of processor time, of all of them together
    used: ProcessorTime = field(default_factory=ProcessorTime)
    stopped: str = ""

    def watch(self) -> None:
        """Kill the room if its processes together use more than a notebook may."""
        inside = self._processes()
        if self.used.of(inside) > self.most_seconds:
            self._stop(Incident.TIMEOUT)
            return
        for _ in range(LOOKS):
            if not self._hold_too_much(processes.running(inside)):
                return
            time.sleep(LOOK_SECONDS)
            inside = self._processes()
        self._stop(Incident.MEMORY)

    def _stop(self, why: str) -> None:
        self.stopped = why
        self._kill()

    def _processes(self) -> list[psutil.Process]:
        """Return the room's processes; in a process namespace all descend from its first."""
        if "processes" not in self.layers:
            return processes.below(os.getpid())
        with contextlib.suppress(psutil.NoSuchProcess):
            return [psutil.Process(self.process), *processes.below(self.process)]
        return []

    def _hold_too_much(self, numbers: list[int]) -> bool:
        return len(numbers) > 1 and memory.exceeds(numbers, self.most_memory, self.user)

    def _kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        if "processes" not in self.layers:
            _kill_the_rest(self.user)

    def end(self) -> dict:
        """Kill whatever is left in the room and say how its first process ended."""
        self._kill()
        _, status, usage = os.wait4(self.process, 0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # orphans that came to this process
                pass
        os.close(self.handle)
        if self.home is not None:
            shutil.rmtree(self.home, ignore_errors=True)
        return {
            "closed": os.waitstatus_to_exitcode(status),
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "memory_bytes": usage.ru_maxrss * 1024,
            "stopped": self.stopped,
        }


def main() -> None:
    """Serve until the other end of the descriptor closes."""
    gc.disable()  # what is loaded here stays; rooms enable it again
    control = _take_over(int(sys.argv[1]))
    shell = _warm_up() if "--cold" not in sys.argv else None
    control.send(msgpack.packb({"ready": True}))
    room: ForkedProcess | None = None
    while True:
        waiting: list[Any] = [control] if room is None else [control, room.handle]
        readable = select.select(waiting, [], [], None if room is None else WATCH_SECONDS)[0]
        if room is not None and not readable:
            room.watch()
            continue
        if room is not None and control not in readable:
            if "processes" not in room.layers:
                _kill_the_rest(room.user)  # so that the examiner hears that the room is gone
            select.select([control], [], [])
        packet, descriptors, _, _ = socket.recv_fds(control, PACKET_BYTES, 1)
        if not packet:
            break
        message = msgpack.unpackb(packet)
        if "import" in message:
            _import(shell, message["import"])
            answer: dict[str, object] = {"imported": True}
        elif "twin" in message:
            process = os.fork()
            if process == 0:
                control.close()
                control = _take_over(descriptors[0])
                continue
            os.close(descriptors[0])
            answer = {"twin": process}
        elif "open" in message:
            settings = ProcessSettings.unpacked(message["open"])
            room = _open(settings, descriptors[0], control, shell)
            answer = {"opened": room.process, "layers": room.layers, "failure": room.failure}
        else:
            answer, room = room.end() if room is not None else {}, None
        handles = [room.handle] if room is not None and "opened" in answer else []
        socket.send_fds(control, [msgpack.packb(answer)], handles)
    if room is not None:
        room.end()
    os._exit(0)  # there is nothing to save; a usual exit would take 0.4 s of processor time


def _take_over(descriptor: int) -> socket.socket:
    """Become a server of one's own: what the kernel does for a process doesn't outlive a fork."""
    isolation.protect_server()
    control = socket.socket(fileno=descriptor)
    control.set_inheritable(False)
    return control


def _warm_up() -> Any:
    from autograder.student.shell import make_shell

    shell = make_shell()
    _run_and_forget(shell, _WARMING_CELLS)
    _import(shell, [*_OWN, *_WARM])
    return shell


def _import(shell: Any, names: list[str]) -> None:
    """Load modules that the class uses: once here, not once in each room."""
    had_plots = "matplotlib.pyplot" in sys.modules
    for name in names:
        with contextlib.suppress(Exception):  # who needs it will see why it fails
            importlib.import_module(name)
    if "matplotlib.pyplot" in sys.modules and not had_plots:
        _run_and_forget(shell, _WARMING_PLOT)


def _run_and_forget(shell: Any, cells: tuple[str, ...]) -> None:
    for count, source in enumerate(cells):
        shell.run(source, count)
    shell.reset(new_session=True)
    shell.user_module.__spec__ = None  # as of any `__main__`: processes that are spawned ask for it


def _open(
    settings: ProcessSettings, descriptor: int, control: socket.socket, shell: Any
) -> ForkedProcess:
    limits = settings.limits
    home = tempfile.mkdtemp(prefix="room-") if settings.keeps_files else None
    covers = None if settings.keeps_files else _covers()
    reading, writing = os.pipe()
    with isolation.own_process_namespace() as alone:
        process = os.fork()
        if process == 0:
            control.detach()
            _close_all_but(0, 1, 2, descriptor, writing)
            _enter(settings, home, covers, descriptor, writing, shell)
    os.close(writing)
    os.close(descriptor)
    with os.fdopen(reading, "rb") as report:
        layers, failure = msgpack.unpackb(report.read() or _NOTHING_REPORTED)
    if alone:
        layers.append("processes")
    if memory.can_be_summed():
        layers.append("memory")
    most = memory.resident() + limits.memory_bytes, limits.cpu_seconds
    return ForkedProcess(
        process, os.pidfd_open(process), home, settings.user, tuple(layers), failure, *most
    )


@functools.cache
def _covers() -> dict[str, str] | None:
    """Those of all rooms, made for the first one: copies of this server inherit them."""
    return isolation.prepare_mounts()


_NOTHING_REPORTED = msgpack.packb([[], "its process ended"])
_MOST_REPORTED = 1_000  # characters


def _close_all_but(*exceptions: int) -> None:
    for low, high in itertools.pairwise([*sorted(exceptions), 1 << 16]):
        os.closerange(low + 1, high)


def _enter(
    settings: ProcessSettings,
    home: str | None,
    covers: dict[str, str] | None,
    descriptor: int,
    report: int,
    shell: Any,
) -> None:
    """Become the student's room. Never returns."""
    status = 1
    try:
        layers = _isolate_or_report(settings, home, covers, report)
        os.write(report, msgpack.packb([layers, ""]))
        os.close(report)
        gc.freeze()  # collections in here needn't look at, and so copy, what was there before
        gc.enable()
        if shell is not None:
            from autograder.student.entropy import seed_everything
            from autograder.student.server import StudentServer
            from autograder.wire.channel import ConnectionClosed

            seed_everything(settings.seed)
            sock = socket.socket(fileno=descriptor)
            room = StudentServer(shell, sock, settings.limits.message_bytes)
            with contextlib.suppress(ConnectionClosed):
                room.serve()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _isolate_or_report(
    settings: ProcessSettings, home: str | None, covers: dict[str, str] | None, report: int
) -> list[str]:
    """Isolate this process; report the error where that fails."""
    try:
        return _isolate(settings, home, covers)
    except BaseException as error:
        why = str(error) or type(error).__name__
        os.write(report, msgpack.packb([[], why[:_MOST_REPORTED]]))
        raise


def _isolate(
    settings: ProcessSettings, home: str | None, covers: dict[str, str] | None
) -> list[str]:
    limits, user = settings.limits, settings.user
    os.setsid()
    isolation.weigh_less()
    if settings.cores:
        os.sched_setaffinity(0, settings.cores)
    layers = []
    if home is None and isolation.own_mounts(limits.file_bytes, user, covers):
        layers.append("files")
        home = "/tmp"
    if home is None:
        raise OSError("the room has no place of its own")
    if user is not None and "files" not in layers:
        os.chown(home, user, user)
    isolation.drop_privileges(user)
    isolation.die_with_parent()  # after the change of user, which would undo it
    if user is not None:
        layers.append("user")
    isolation.set_limits(limits, own_user=user is not None)
    layers.append("limits")
    if settings.keeps_files:
        shared = (os.environ["PYTHONPATH"], os.environ["MPLCONFIGDIR"])
        layers += landlock.fence_in(home, [*settings.readable, *shared])
    if isolation.refuse_calls():
        layers.append("calls")
    os.environ.update(HOME=home, TMPDIR=home)
    tempfile.tempdir = None
    os.chdir(home)
    for path in (__file__, os.__file__, sys.executable):
        Path(path).stat()  # fails where another user can't reach the code
    return layers


def _kill_the_rest(user: int | None) -> None:
    """Kill all descendants of this process, for rooms without a process namespace."""
    while descendants := processes.running(processes.below(os.getpid())):
        if user is not None and os.fork() == 0:  # as that user, at one stroke
            os.setresuid(user, user, user)
            os.kill(-1, signal.SIGKILL)
            os._exit(0)
        for process in descendants:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.001)


if __name__ == "__main__":
    main()
