"""The examiner's room: sends the student's cells to the other room and runs the tests itself."""

from __future__ import annotations

import contextlib
import gc
import hmac
import io
import os
import resource
import signal
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from autograder import checks
from autograder.checks import pictures, words
from autograder.examiner import testcell
from autograder.examiner.recording import Recording
from autograder.sandbox.isolation import die_with_parent
from autograder.wire.alarm import Alarm, CellTimeout
from autograder.wire.channel import Channel, RoomClosed
from autograder.wire.contract import Cell, CellRun, Incident, Limits, Role

RARELY = 50_000  # objects between two collections: a test seldom leaves that many
GRACE_SECONDS = 4.0  # between interrupting a cell and closing its room: some machines are busy
FIGURE_DPI = 72


class Examiner:
    """Runs one notebook's cells, in order, over a channel to the student's room."""

    def __init__(self, sock: socket.socket, limits: Limits, seed: bytes) -> None:
        notices = {"output": lambda output: self._recording.take(output)}
        self._channel = Channel(sock, limits.message_bytes, {}, notices)
        self._alarm = Alarm(lambda: self._channel.busy)
        self._names = testcell.Names(self._look_up)
        self._limits = limits
        self._seed = seed
        self._recording = Recording(0, in_test=False)
        self._incidents: list[Incident] = []
        self._cell = Cell(Role.STUDENT, "", "")
        self._ends = time.monotonic() + limits.notebook_seconds
        self._picture = ""
        pictures.shown_by(self._take_picture)

    def run(self, cells: Sequence[Cell], report: Callable[[CellRun, list[Incident]], None]) -> None:
        """Run the cells; `report` each as soon as it is done, with what it led to."""
        count = 0
        for cell in cells:
            count += bool(cell.source.strip())
            report(self._run_cell(cell, count), self._incidents)
            self._incidents = []

    def _run_cell(self, cell: Cell, count: int) -> CellRun:
        if not cell.source.strip():
            return CellRun()
        self._cell, self._picture = cell, ""
        self._recording = Recording(self._limits.output_bytes, in_test=cell.role is Role.EXAMINER)
        began, waited = time.monotonic(), self._channel.waited
        if began >= self._ends:
            limit = f"{self._limits.notebook_seconds:g} s"
            self._show_error("CellTimeout", f"not run: the notebook had used up its {limit}")
        else:
            self._dispatch(count)
        if self._recording.over_limit:
            self._incident(Incident.OUTPUT, "it wrote more than it may")
        return CellRun(
            self._recording.finished(count),
            count,
            student_seconds=self._channel.waited - waited,
            seconds=time.monotonic() - began,
            picture=self._picture,
        )

    def _dispatch(self, count: int) -> None:
        try:
            if self._cell.role is Role.EXAMINER:
                self._examine()
            else:
                failed = self._run_students(count)
                if self._cell.role is Role.BOTH:
                    self._repeat_quietly(failed)
        except BaseException as error:  # the alarm between two lines of this class
            self._alarm.off()
            self._fail(error, "")

    def _run_students(self, count: int) -> bool:
        """Run the cell in the student's room; whether it ended in an error."""
        if self._channel.closed is not None:
            self._show_error("RoomClosed", f"not run: {self._channel.closed}")
            return True
        self._names.forget()
        with self._student_time(finish=False) as seconds:  # "run" finishes by itself
            error = None
            with self._noticing_the_end():
                error = self._channel.request("run", self._cell.source, count)
        kind = _ENDED_BY.get(error) if type(error) is str else None
        if kind is not None:
            after = f"after {min(seconds(), self._limits.cell_seconds):.2g} s"
            # How long it took before it ended by itself differs from time to time.
            self._incident(kind, after if kind == Incident.TIMEOUT else "")
        return error is not None

    def _examine(self) -> None:
        """Run a test. It fails if the student's room is gone while it asks something of it."""
        channel, filename = self._channel, f"<{self._cell.name}>"
        checks.set_seed(hmac.digest(self._seed, self._cell.name.encode(), "sha256"))
        was_open, refused = channel.closed is None, channel.refused
        with self._student_time(), self._showing_prints():
            try:
                value = self._names.run(self._cell.source, filename)
                self._show_figures()
                if value is not None:
                    self._recording.result(testcell.result_data(value), {})
                if channel.closed is not None and (was_open or channel.refused > refused):
                    raise channel.closed
            except BaseException as error:
                self._alarm.off()
                self._fail(error, filename)

    def _repeat_quietly(self, failed: bool) -> None:
        """Run a locked cell here too; what it shows has been shown by the student's room."""
        shown, self._recording = self._recording, Recording(0, in_test=True)
        try:
            with self._student_time(), self._showing_prints():
                self._names.run(self._cell.source, f"<{self._cell.name}>")
        except BaseException as error:
            if not failed:
                how = words.repeated(repr(error), type(error).__name__)
                what = f"it ran in the notebook and failed in the tests ({how})"
                self._incident(Incident.GRADER, what)
        finally:
            self._recording = shown
            _close_figures()

    @contextlib.contextmanager
    def _student_time(self, finish: bool = True) -> Iterator[Callable[[], float]]:
        """The time that a cell has, on both sides. Yields the seconds used so far."""
        began = time.monotonic()
        seconds = min(self._limits.cell_seconds, self._ends - began)
        message = f"the cell {self._cell.name} ran longer than {seconds:.3g} s"
        self._channel.deadline = began + seconds + GRACE_SECONDS
        if self._cell.role is not Role.STUDENT:
            self._alarm.set(seconds, message)
        if self._channel.closed is None:
            self._channel.notify_later("start", seconds, message, self._limits.output_bytes)
        try:
            yield lambda: time.monotonic() - began
        finally:
            self._alarm.off()
            if finish and self._channel.closed is None:
                with self._noticing_the_end():
                    self._channel.request("finish")

    @contextlib.contextmanager
    def _noticing_the_end(self) -> Iterator[None]:
        """Where the student's room ends by itself, tell of it and go on without."""
        try:
            yield
        except RoomClosed:
            self._notice_the_end()
            self._show_error("RoomClosed", str(self._channel.closed))
        except Exception as error:  # no honest room answers these requests with an error
            self._channel.close(RoomClosed(Incident.PROTOCOL, f"it answered with {error!r:.200}"))
            self._notice_the_end()
            self._show_error("RoomClosed", str(self._channel.closed))

    def _notice_the_end(self) -> None:
        """Say from now on in which cell the room was closed."""
        reason = self._channel.closed
        if reason.args[0].startswith("the notebook was stopped"):
            return
        why = message = str(reason)
        if reason.kind == Incident.PROTOCOL:
            why = message = words.repeated(why, "it sent something malformed")
        if reason.kind == Incident.TIMEOUT:
            why = f"it ran longer than {self._limits.cell_seconds:g} s and could not be interrupted"
            message = f"after {self._limits.cell_seconds:g} s, and the notebook with it"
        self._channel.closed = RoomClosed(
            reason.kind, f"the notebook was stopped in the cell {self._cell.name}: {why}"
        )
        self._incident(reason.kind, message)

    def _fail(self, error: BaseException, filename: str) -> None:
        if isinstance(error, RoomClosed):
            self._notice_the_end()
            error = self._channel.closed
        if isinstance(error, CellTimeout):
            self._incident(Incident.TIMEOUT, f"after {self._limits.cell_seconds:.2g} s")
        own = self._own_traceback(testcell.remote_number(error))
        says = None
        ours = isinstance(error, AssertionError | RoomClosed) or hasattr(error, "ours")
        if words.withheld() and not ours:
            says = "its message is left out, because hidden tests had run"
        self._recording.error(*testcell.failure(error, self._cell.name, filename, own, says))

    def _own_traceback(self, number: int | None) -> list[str]:
        """What the notebook itself would show of an error in the student's code."""
        if number is None or self._channel.closed is not None:
            return []
        try:
            lines = self._channel.request("traceback", number)
        except (RoomClosed, Exception):
            return []
        is_text = type(lines) is list and all(type(line) is str for line in lines)
        return lines if is_text else []

    def _show_error(self, name: str, message: str) -> None:
        self._recording.error(name, message, [f"{name}: {message}"])

    def _incident(self, kind: str, message: str) -> None:
        self._incidents.append(Incident(kind, self._cell.name, message))

    def _look_up(self, name: str) -> object:
        try:
            value = self._channel.request("name", name)
        except NameError:
            error = NameError(f"name {name!r} is not defined")
            error.ours = True  # no words of the student's in it
            raise error from None
        words.remember_name(value, name)
        return value

    @contextlib.contextmanager
    def _showing_prints(self) -> Iterator[None]:
        writer = _Writer(lambda text: self._recording.stream("stdout", text))
        with contextlib.redirect_stdout(writer), contextlib.redirect_stderr(writer):
            yield

    def _take_picture(self, picture: str) -> None:
        self._picture = self._picture or picture
        self._recording.display({"image/svg+xml": picture}, {})

    def _show_figures(self) -> None:
        for data in _figures():
            self._recording.display({"image/png": data}, {})


class _Writer(io.TextIOBase):
    def __init__(self, take: Callable[[str], None]) -> None:
        self._take = take

    def write(self, text: str) -> int:
        self._take(text)
        return len(text)


def examine(
    sock: socket.socket,
    limits: Limits,
    seed: bytes,
    cells: Sequence[Cell],
    report: Callable[[CellRun, list[Incident]], None],
) -> None:
    """Run a notebook in this process, which was forked for it and ends after it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides when to stop
    die_with_parent()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    most = used + 2 * limits.memory_bytes + 4 * limits.message_bytes
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    os.environ["MPLBACKEND"] = "agg"
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].switch_backend("agg")
    warnings.simplefilter("ignore")  # they would show lines of the tests
    gc.set_threshold(RARELY)
    Examiner(sock, limits, seed).run(cells, report)


def _figures() -> Iterator[str]:
    """The figures that a test has drawn, as pictures; closes them."""
    if "matplotlib.pyplot" not in sys.modules:
        return
    import base64

    pyplot = sys.modules["matplotlib.pyplot"]
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=FIGURE_DPI, bbox_inches="tight")
        yield base64.b64encode(picture.getvalue()).decode()
    _close_figures()


def _close_figures() -> None:
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


_ENDED_BY = {
    "CellTimeout": Incident.TIMEOUT,
    "MemoryError": Incident.MEMORY,
    "SystemExit": Incident.EXIT,
}
