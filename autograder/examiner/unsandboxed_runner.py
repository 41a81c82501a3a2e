"""Run both processes without a sandbox, on any system: for your own code on your own machine.

Nothing is forked. The examiner is this process, and the student process is a new one. Its time,
memory and output are limited as in grading. Nothing else is limited.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence

import psutil

from autograder.examiner.reports import Reported, join_reports
from autograder.examiner.two_runs import derive_student_entropy, examine
from autograder.examiner.working_folder import make_working_folder
from autograder.sandbox.layers import ONE_THREAD
from autograder.student.unsandboxed_process import SECRET_BYTES
from autograder.wire.contract import Cell, CellRun, Incident, Limits, NotebookRun
from autograder.wire.files import File

START_SECONDS = 120.0
WATCH_SECONDS = 0.1
_KNOCK_SECONDS = 0.2  # between two looks at whether the new process has ended


class UnsandboxedRunner:
    """A replacement of `SandboxedRunner` that grades nobody. Use it in the main thread."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def __enter__(self) -> UnsandboxedRunner:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def run(self, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()) -> NotebookRun:
        """Run the cells in order, each where its role says; see `two_runs.examine`.

        Both processes can read the `files`.

        Raises `OSError` if no process can be started, and `KeyboardInterrupt`.
        """
        reports: list[Reported] = []

        def report(number: int, run: CellRun, incidents: list[Incident]) -> None:
            reports.append((number, run, incidents))

        door = _Door(self.limits, derive_student_entropy(seed))
        old_handler = signal.signal(signal.SIGINT, lambda *_: door.lock())
        try:
            with make_working_folder(files) as home:
                examine(door, self.limits, seed, cells, report, files, home)
        finally:
            signal.signal(signal.SIGINT, old_handler)
            door.close()
        if door.locked:
            raise KeyboardInterrupt
        return join_reports(reports, cells)


class _Door:
    """The part that starts and ends the processes of one notebook, one at a time."""

    def __init__(self, limits: Limits, entropy: bytes) -> None:
        self.locked = False
        self._limits = limits
        self._entropy = entropy
        self._process: _UnsandboxedProcess | None = None

    def open(self) -> tuple[socket.socket, int]:
        if self.locked:  # raised between two cells, so no cell catches it
            raise KeyboardInterrupt
        self._process = _UnsandboxedProcess(self._limits)
        sock = self._process.connect(self._entropy)
        return sock, self._process.process.pid

    def close(self) -> dict:
        process, self._process = self._process, None
        return process.end() if process is not None else {}

    def wait(self) -> None:
        """Do nothing: no other process waits for the examiner."""

    def lock(self) -> None:
        """End the notebook, in the middle of a cell."""
        self.locked = True
        if self._process is not None:
            self._process.kill()


class _UnsandboxedProcess:
    """A student process in an empty folder, with all its child processes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._stop_reason = ""
        self._home = tempfile.TemporaryDirectory(prefix="room-", ignore_cleanup_errors=True)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._listening = socket.create_server(("127.0.0.1", 0))
        port = self._listening.getsockname()[1]
        arguments = [
            "-m",
            "autograder.student.unsandboxed_process",
            str(port),
            str(limits.message_bytes),
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-P", *arguments],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            cwd=self._home.name,
            env=_environment(self._home.name),
            start_new_session=True,  # the examiner handles interrupts
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._all = [psutil.Process(self.process.pid)]
        self._end_event = threading.Event()

    def connect(self, entropy: bytes) -> socket.socket:
        """Wait until the process is ready; return the channel to it."""
        password = secrets.token_bytes(SECRET_BYTES)
        assert self.process.stdin is not None
        with contextlib.suppress(OSError), self.process.stdin as channel:
            channel.write(password + entropy)
        sock = self._let_in(password)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._watch, daemon=True).start()
        return sock

    def _let_in(self, password: bytes) -> socket.socket:
        """Accept the first client that knows the password. Raises `OSError` if none comes."""
        deadline = time.monotonic() + START_SECONDS
        with self._listening as listening:
            listening.settimeout(_KNOCK_SECONDS)
            while time.monotonic() < deadline and self.process.poll() is None:
                with contextlib.suppress(TimeoutError):
                    sock, _ = listening.accept()
                    if hmac.compare_digest(_receive_password(sock), password):
                        return sock
                    sock.close()
        raise OSError(f"a process for the notebook could not be started: {self._read_log()}")

    def _watch(self) -> None:
        """Kill all processes if together they use more than a notebook may."""
        base = self._measure_use()[0]
        while not self._end_event.wait(WATCH_SECONDS):
            bytes_used, seconds = self._measure_use()
            if bytes_used > base + self._limits.memory_bytes:
                self._stop(Incident.MEMORY)
            elif seconds > self._limits.cpu_seconds:
                self._stop(Incident.TIMEOUT)

    def _measure_use(self) -> tuple[int, float]:
        """Return the bytes and seconds of processor time that all running processes use."""
        with contextlib.suppress(psutil.Error):
            first_process = self._all[0]
            self._all = [first_process, *first_process.children(recursive=True)]
        bytes_used, seconds = 0, 0.0
        for process in self._all:
            with contextlib.suppress(psutil.Error):
                bytes_used += process.memory_info().rss
                seconds += sum(process.cpu_times()[:2])
        return bytes_used, seconds

    def _stop(self, why: str) -> None:
        self._stop_reason = self._stop_reason or why
        self.kill()

    def kill(self) -> None:
        for process in reversed(self._all):
            with contextlib.suppress(psutil.Error):
                process.kill()

    def end(self) -> dict:
        """Kill all processes; return how the first one ended."""
        self._end_event.set()
        self._measure_use()
        self.kill()
        status = self.process.wait()
        self._home.cleanup()
        self._log.close()
        return {"closed": status, "stopped": self._stop_reason}

    def _read_log(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace").strip()[-500:] or "it said nothing"


def _receive_password(sock: socket.socket) -> bytes:
    """Receive the bytes of a password, or fewer from a client that is slow or leaves."""
    sock.settimeout(_KNOCK_SECONDS)
    password = b""
    with contextlib.suppress(OSError):
        while len(password) < SECRET_BYTES and (chunk := sock.recv(SECRET_BYTES - len(password))):
            password += chunk
    return password


def _environment(home: str) -> dict[str, str]:
    """Return this process' environment, with the same changes as in grading."""
    return {
        **os.environ,
        "IPYTHONDIR": home,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        **ONE_THREAD,
    }
