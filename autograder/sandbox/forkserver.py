"""The warm parent: it has imported all modules, and forks a student process in milliseconds.

`fork_client` runs it as `python -m autograder.sandbox.forkserver DESCRIPTOR`, in the sandbox of
`layers`. Messages on the descriptor are msgpack, one in each packet. There is one student process
at a time:

    {"open": packed `ProcessSettings`} with a socket -> {"opened": process, "layers": [name, ...]}
        and a descriptor of the process
    {"close": true} -> {"closed": exit status, "cpu_seconds": seconds, "memory_bytes": bytes,
                        "stopped": why this server ended the process, "" if it did not}
    {"import": [name, ...]} -> {"imported": true}
    {"twin": true} with a socket -> {"twin": process}, a copy of this process that serves there

No student code runs in this process, and it decodes no data from student code.
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

WATCH_SECONDS = 0.1  # between two looks at the memory of all student processes
# A command that is about to start shares its parent's memory for 0.5 ms. This memory then counts
# twice. If a notebook only starts commands, this happens in 1 of 20 looks.
LOOKS, LOOK_SECONDS = 5, 0.01
_SERVER = ("autograder.wire.channel", "autograder.student.entropy", "autograder.student.server")
_WARM_PACKAGES = ("numpy", "dplab")
# After some runs, Python adapts code to its use: here, for all student processes at once.
_WARMING_CELLS = ("1 / 0", "{'a': 1}", *["def f(x):\n    return [x]"] * 16)
_WARMING_PLOT = (
    "import matplotlib.pyplot as plt; plt.figure(figsize=(1, 1)); plt.plot([0, 1]); plt.title('x')",
    "%matplotlib inline",
)


@dataclass
class ForkedProcess:
    """The server's view of a student process that runs."""

    process: int
    handle: int  # a descriptor that becomes readable when the process ends
    home: str | None  # a folder to remove, unless the process has its own file system
    user: int | None
    layers: tuple[str, ...]
    failure: str  # why it could not start, "" if it could
    most_memory: int  # of all its processes together, in bytes
    most_seconds: float  # of processor time, of all its processes together
    used: ProcessorTime = field(default_factory=ProcessorTime)
    stopped: str = ""

    def watch(self) -> None:
        """Kill all processes if together they use more than a notebook may."""
        running_processes = self._processes()
        if self.used.of(running_processes) > self.most_seconds:
            self._stop(Incident.TIMEOUT)
            return
        for _ in range(LOOKS):
            if not self._hold_too_much(processes.running(running_processes)):
                return
            time.sleep(LOOK_SECONDS)
            running_processes = self._processes()
        self._stop(Incident.MEMORY)

    def _stop(self, why: str) -> None:
        self.stopped = why
        self._kill()

    def _processes(self) -> list[psutil.Process]:
        """Return all processes of student code; in a namespace, all descend from the first."""
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
        """Kill all remaining processes; return how the first one ended."""
        self._kill()
        _, status, usage = os.wait4(self.process, 0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # orphans that became children of this process
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
    gc.disable()  # loaded modules stay; student processes enable it again
    control = _take_over(int(sys.argv[1]))
    shell = _warm_up() if "--cold" not in sys.argv else None
    control.send(msgpack.packb({"ready": True}))
    child: ForkedProcess | None = None
    while True:
        readers: list[Any] = [control] if child is None else [control, child.handle]
        readable = select.select(readers, [], [], None if child is None else WATCH_SECONDS)[0]
        if child is not None and not readable:
            child.watch()
            continue
        if child is not None and control not in readable:
            if "processes" not in child.layers:
                _kill_the_rest(child.user)  # so that the examiner's connection closes
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
            child = _fork(settings, descriptors[0], control, shell)
            answer = {"opened": child.process, "layers": child.layers, "failure": child.failure}
        else:
            answer, child = child.end() if child is not None else {}, None
        handles = [child.handle] if child is not None and "opened" in answer else []
        socket.send_fds(control, [msgpack.packb(answer)], handles)
    if child is not None:
        child.end()
    os._exit(0)  # nothing has to be saved, and a normal exit takes 0.4 s of processor time


def _take_over(descriptor: int) -> socket.socket:
    """Protect this process, since a fork loses the protection, and return its connection."""
    isolation.protect_server()
    control = socket.socket(fileno=descriptor)
    control.set_inheritable(False)
    return control


def _warm_up() -> Any:
    from autograder.student.shell import make_shell

    shell = make_shell()
    _run_and_forget(shell, _WARMING_CELLS)
    _import(shell, [*_SERVER, *_WARM_PACKAGES])
    return shell


def _import(shell: Any, names: list[str]) -> None:
    """Load modules that the class uses: once here, not in each student process."""
    had_plots = "matplotlib.pyplot" in sys.modules
    for name in names:
        with contextlib.suppress(Exception):  # a cell that needs the module will show the error
            importlib.import_module(name)
    if "matplotlib.pyplot" in sys.modules and not had_plots:
        _run_and_forget(shell, _WARMING_PLOT)


def _run_and_forget(shell: Any, cells: tuple[str, ...]) -> None:
    for count, source in enumerate(cells):
        shell.run(source, count)
    shell.reset(new_session=True)
    shell.user_module.__spec__ = None  # as in any `__main__`; spawned processes read it


def _fork(
    settings: ProcessSettings, descriptor: int, control: socket.socket, shell: Any
) -> ForkedProcess:
    limits = settings.limits
    home = tempfile.mkdtemp(prefix="room-") if settings.keeps_files else None
    covers = None if settings.keeps_files else _prepare_covers()
    reading, writing = os.pipe()
    with isolation.own_process_namespace() as has_namespace:
        process = os.fork()
        if process == 0:
            control.detach()
            _close_all_but(0, 1, 2, descriptor, writing)
            _serve_in_child(settings, home, covers, descriptor, writing, shell)
    os.close(writing)
    os.close(descriptor)
    with os.fdopen(reading, "rb") as report:
        layers, failure = msgpack.unpackb(report.read() or _NOTHING_REPORTED)
    if has_namespace:
        layers.append("processes")
    if memory.can_be_summed():
        layers.append("memory")
    totals = memory.resident() + limits.memory_bytes, limits.cpu_seconds
    return ForkedProcess(
        process, os.pidfd_open(process), home, settings.user, tuple(layers), failure, *totals
    )


@functools.cache
def _prepare_covers() -> dict[str, str] | None:
    """Make the mounts of all student processes once; copies of this server inherit them."""
    return isolation.prepare_mounts()


_NOTHING_REPORTED = msgpack.packb([[], "its process ended"])
_MAX_REPORTED = 1_000  # characters


def _close_all_but(*exceptions: int) -> None:
    for low, high in itertools.pairwise([*sorted(exceptions), 1 << 16]):
        os.closerange(low + 1, high)


def _serve_in_child(
    settings: ProcessSettings,
    home: str | None,
    covers: dict[str, str] | None,
    descriptor: int,
    report: int,
    shell: Any,
) -> None:
    """Become the student process. Never return."""
    status = 1
    try:
        layers = _isolate_or_report(settings, home, covers, report)
        os.write(report, msgpack.packb([layers, ""]))
        os.close(report)
        gc.freeze()  # so that garbage collection doesn't visit, and so copy, older objects
        gc.enable()
        if shell is not None:
            from autograder.student.entropy import seed_everything
            from autograder.student.server import StudentServer
            from autograder.wire.channel import ConnectionClosed

            seed_everything(settings.seed)
            sock = socket.socket(fileno=descriptor)
            server = StudentServer(shell, sock, settings.limits.message_bytes)
            with contextlib.suppress(ConnectionClosed):
                server.serve()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _isolate_or_report(
    settings: ProcessSettings, home: str | None, covers: dict[str, str] | None, report: int
) -> list[str]:
    """Isolate this process; report the error if that fails."""
    try:
        return _isolate(settings, home, covers)
    except BaseException as error:
        why = str(error) or type(error).__name__
        os.write(report, msgpack.packb([[], why[:_MAX_REPORTED]]))
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
        Path(path).stat()  # raises an error if another user can't read the code
    return layers


def _kill_the_rest(user: int | None) -> None:
    """Kill all descendants of this process, if there is no process namespace."""
    while descendants := processes.running(processes.below(os.getpid())):
        if user is not None and os.fork() == 0:  # as that user, to kill all at once
            os.setresuid(user, user, user)
            os.kill(-1, signal.SIGKILL)
            os._exit(0)
        for process in descendants:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.001)


if __name__ == "__main__":
    main()
