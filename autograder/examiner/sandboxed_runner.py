"""Run a notebook's cells in both processes, sandboxed: the one entry point of this package."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import io
import os
import pickle
import resource
import signal
import socket
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgpack

from autograder.examiner.needed_modules import find_needed_modules, prepare_tests
from autograder.examiner.reports import FirstRun, Reported, is_slowed, join_reports
from autograder.examiner.student_process import NoStudentProcess
from autograder.examiner.two_runs import (
    FirstEnd,
    derive_student_entropy,
    examine_first,
    examine_hidden,
    has_hidden_tests,
)
from autograder.examiner.working_folder import make_working_folder
from autograder.sandbox.fork_client import ForkServer, WarmParent
from autograder.sandbox.isolation import address_space, die_with_parent, set_limit
from autograder.sandbox.layers import ONE_THREAD, Sandbox
from autograder.wire.contract import Cell, CellRun, Incident, Limits, NotebookRun, Role
from autograder.wire.files import File
from autograder.wire.waiting import CLOCK_FACTOR, process_of

__all__ = ["Cell", "CellRun", "Incident", "Limits", "NotebookRun", "Role", "SandboxedRunner"]

_CORE_FIELD = 36  # the current core's position in /proc/self/stat, after the name
LOOK_SECONDS = 1.0  # between two looks at the examiner's reports
SLACK_SECONDS = 5.0  # for the examiner itself to notice that time is over


class SandboxedRunner:
    """A warm student process and an examiner for each notebook; one per worker process.

    `parent` is a fork server that is warm already; without it, one is started. Use it as a context
    manager::

        with SandboxedRunner(Limits(), probe()) as runner:
            run = runner.run([Cell(Role.STUDENT, "x = 2", "cell 1")], seed=b"...")
    """

    def __init__(self, limits: Limits, sandbox: Sandbox, parent: ForkServer | None = None) -> None:
        self.limits = limits
        self.sandbox = sandbox
        os.environ.update(ONE_THREAD)  # before numpy is loaded, if it isn't yet
        self._parent: ForkServer | None = parent or WarmParent(sandbox)

    def __enter__(self) -> SandboxedRunner:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the fork server and everything in it; `run` starts another one."""
        if self._parent is not None:
            self._parent.stop()
            self._parent = None

    def let_go(self, parent: ForkServer | None) -> None:
        """Do the same as `close`, but leave this fork server open."""
        if self._parent is parent:
            self._parent = None
        self.close()

    def run(self, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()) -> NotebookRun:
        """Make both runs of a notebook; see `two_runs.examine`.

        Each cell runs where its role says. Both processes can read the `files`. `seed` decides
        every seeded draw of the tests and of the student's code. No submission can make this raise.
        `OSError` means that the grader failed: no student process can be started here, the examiner
        didn't reach its first cell, or its reports can't be written. Such a run is no result.
        """
        return self.hidden_run(self.first_run(cells, seed, files), cells, seed, files)

    def first_run(self, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()) -> FirstRun:
        """Run a notebook without its hidden tests: a student sees only results of this run."""
        reports = self._examine(examine_first, cells, seed, [], files)
        end = reports.pop() if reports and isinstance(reports[-1], FirstEnd) else None
        slowed = is_slowed(reports, self.limits.cell_seconds)
        return FirstRun(tuple(reports), end if has_hidden_tests(cells) else None, is_slowed=slowed)

    def hidden_run(
        self, first: FirstRun, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()
    ) -> NotebookRun:
        """Add the results of hidden tests, if there are any and the first run has finished."""
        if first.end is None:
            return join_reports(first.reports, cells)
        reports = self._examine(examine_hidden, cells, seed, [first.end], files)
        slowed = is_slowed(reports, self.limits.cell_seconds)
        run = join_reports([*first.reports, *reports], cells)
        return dataclasses.replace(run, is_slowed=slowed)

    def _examine(
        self,
        examine: Callable,
        cells: Sequence[Cell],
        seed: bytes,
        first_end: list[FirstEnd],
        files: Sequence[File],
    ) -> list:
        """Make one run in an examiner's own process; return its reports."""
        prepare_tests(cells)
        doorman = _Doorman(self, cells, derive_student_entropy(seed))
        with (
            _one_core(),
            tempfile.TemporaryFile(buffering=0) as reports,
            make_working_folder(files) as home,
        ):
            report_file = _Reports(reports)

            def serve(line: _Line, begin: Callable[[], None]) -> None:
                common = line, self.limits, seed, cells
                report_file.end(examine(*common, *first_end, report_file.add, files, home, begin))

            line, process = _fork_examiner(self.limits, serve)
            try:
                self._wait(line, reports, doorman)
            finally:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                line.close()
                doorman.close()
            doorman.check_begun()
            reports.seek(0)
            return _reports(reports.read())

    def open(self, cells: Sequence[Cell], entropy: bytes) -> tuple[socket.socket, int]:
        """Start a student process; return the examiner's end of the channel, and the process."""
        limits, imports = self.limits, find_needed_modules(cells)
        if self._parent is not None:
            with contextlib.suppress(OSError):
                return self._parent.open(entropy, limits, imports)
            self.close()
        self._parent = WarmParent(self.sandbox)
        return self._parent.open(entropy, limits, imports)

    def close_room(self) -> dict:
        """End the student process; return how it ended."""
        try:
            return self._parent.close_room() if self._parent is not None else {}
        except OSError:
            self.close()
            return {}

    def _wait(self, line: socket.socket, reports: BinaryIO, doorman: _Doorman) -> None:
        """Serve the examiner until it has ended, or has been stuck for longer than a cell may."""
        patience = CLOCK_FACTOR * self.limits.cell_seconds + 2 * self.limits.grace_seconds
        patience += SLACK_SECONDS
        size, deadline = 0, time.monotonic() + patience
        line.settimeout(LOOK_SECONDS)
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                if not (request := line.recv(_PACKET_BYTES)):
                    return
                doorman.answer(line, request)
                deadline = time.monotonic() + patience
            if (new_size := os.fstat(reports.fileno()).st_size) > size:
                size, deadline = new_size, time.monotonic() + patience


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    """Keep both processes on the core on which this process runs now.

    They take turns. On one core, a change of turns is fast, and caches are warm.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    current_core = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[_CORE_FIELD])
    os.sched_setaffinity(0, {current_core} & cores or cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@dataclasses.dataclass
class _Doorman:
    """Starts and ends student processes for one examiner, which asks through a `_Line`."""

    runner: SandboxedRunner
    cells: Sequence[Cell]
    entropy: bytes
    is_open: bool = False
    refusal: OSError | None = None
    has_begun: bool = False  # whether the examiner has reached its first cell

    def answer(self, line: socket.socket, request: bytes) -> None:
        """Answer a request. Raises `OSError` if the examiner needs a process that can't start."""
        if request == _CLOSE:
            line.send(msgpack.packb(self.close()))
        if request == _BEGUN:
            self.has_begun = True
        if request.startswith(_FAILED):
            raise self.refusal or NoStudentProcess(
                request.removeprefix(_FAILED).decode(errors="replace")
            )
        if request != _OPEN:
            return
        try:
            sock, process = self.runner.open(self.cells, self.entropy)
        except OSError as error:
            self.refusal = error
            line.send(_REFUSED)
            return
        self.is_open = True
        with sock:
            socket.send_fds(line, [_OPENED], [sock.fileno(), process])
        os.close(process)

    def check_begun(self) -> None:
        """Raise `OSError` if the examiner has ended, or was stuck, before its first cell."""
        if not self.has_begun:
            raise NoStudentProcess("the examiner's process did not reach the first cell")

    def close(self) -> dict:
        if not self.is_open:
            return {}
        self.is_open = False
        return self.runner.close_room()


class _Line:
    """The examiner's connection to the doorman."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    def open(self) -> tuple[socket.socket, int]:
        self._socket.send(_OPEN)
        _, descriptors, _, _ = socket.recv_fds(self._socket, _PACKET_BYTES, 2)
        if not descriptors:
            raise NoStudentProcess("no student process could be started")
        sock, process = descriptors
        try:
            return socket.socket(fileno=sock), process_of(process)
        finally:
            os.close(process)

    def close(self) -> dict:
        self._socket.send(_CLOSE)
        return msgpack.unpackb(self._socket.recv(_PACKET_BYTES))

    def wait(self) -> None:
        self._socket.send(_WAIT)

    def begin(self) -> None:
        self._socket.send(_BEGUN)

    def fail(self, why: str) -> None:
        """Send the reason why this run is no result."""
        self._socket.send(_FAILED + why.encode(errors="replace")[: _PACKET_BYTES - len(_FAILED)])


_OPEN, _CLOSE, _WAIT, _BEGUN, _FAILED = b"open", b"close", b"wait", b"begun", b"failed: "
_OPENED, _REFUSED = b"opened", b"refused"
_PACKET_BYTES = 4096


def _reports(reports: bytes) -> list:
    """Return all complete reports: the examiner may have ended in the middle of one."""
    objects, file = [], io.BytesIO(reports)
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            objects.append(pickle.load(file))
    return objects


_Serve = Callable[[_Line, Callable[[], None]], None]  # makes a run, and signals its begin


class _Reports:
    """The examiner's file of reports: one for each cell, and the end of the first run."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, number: int, run: CellRun, incidents: list[Incident]) -> None:
        reported: Reported = number, run, incidents
        self._write(reported)

    def end(self, end: FirstEnd | None) -> None:
        if end is not None:
            self._write(end)

    def _write(self, report: Reported | FirstEnd) -> None:
        try:
            self._file.write(pickle.dumps(report))
        except OSError as error:  # for example, the disk is full
            raise NoStudentProcess(
                f"the examiner's reports could not be written: {error}"
            ) from error


def _fork_examiner(limits: Limits, serve: _Serve) -> tuple[socket.socket, int]:
    """Fork the examiner process; return it, and its connection for requests of student processes.

    The connection closes when the process ends. Its reports go to a file: each report in a pipe
    would wake this process.
    """
    line, examiner_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forks beside other threads
        process = os.fork()
    if process == 0:
        line.close()
        gc.freeze()  # so that garbage collection doesn't visit, and so copy, older objects
        try:
            _serve_as_examiner(_Line(examiner_socket), limits, serve)
        finally:
            os._exit(0)
    examiner_socket.close()
    return line, process


def _serve_as_examiner(line: _Line, limits: Limits, serve: _Serve) -> None:
    """Run the notebook in this process; report a failure that no cell can have caused."""
    has_begun = False

    def begin() -> None:
        nonlocal has_begun
        line.begin()
        has_begun = True

    try:
        _confine(limits)
        serve(line, begin)
    except NoStudentProcess as error:  # before a run's first cell
        line.fail(str(error))
    except BaseException as error:
        is_reported = not has_begun and isinstance(error, OSError)
        if not is_reported:
            traceback.print_exc()
        if not has_begun:
            line.fail(str(error) or type(error).__name__)


def _confine(limits: Limits) -> None:
    """Ignore interrupts in the examiner's process, and limit its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides when to stop
    die_with_parent()
    max_bytes = address_space() + 2 * limits.memory_bytes + 4 * limits.message_bytes
    set_limit(resource.RLIMIT_AS, max_bytes)
