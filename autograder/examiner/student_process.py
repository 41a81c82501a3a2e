"""The examiner's view of the student process, which is replaced if the notebook ends it."""

from __future__ import annotations

import contextlib
import signal
import socket
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from autograder.examiner import testcell
from autograder.wire.alarm import CellTimeout, describe_timeout
from autograder.wire.channel import CallChannel, ConnectionClosed
from autograder.wire.contract import Incident, Limits
from autograder.wire.files import File
from autograder.wire.messages import To
from autograder.wire.waiting import FIRST_LOOK_SECONDS, LOOK_SECONDS, Allowance, Waiting

READY_SECONDS = 20.0  # for a new student process to answer


class NoStudentProcess(OSError):
    """A student process could not start, or ended before any cell could run in it."""


class Door(Protocol):
    """The provider of student processes, one at a time."""

    def open(self) -> tuple[socket.socket, int]:
        """Start a student process; return the channel to it, and its process number.

        Raises `OSError` if none can be started.
        """

    def close(self) -> dict:
        """End the student process; return how it ended."""

    def wait(self) -> None:
        """Signal progress, although there is nothing to report."""


class StudentProcess:
    """A channel to the student process, and the data to replace a lost process.

    In a new process, all finished cells are run again, without outputs. If a function ended a
    process when a test called it, it raises an error in the new one. So tests that use it fail.
    Stand-ins from a lost process name the cell that ended it.
    """

    def __init__(
        self,
        door: Door,
        limits: Limits,
        secret: bytes,
        take: Callable[[list], None],
        files: Sequence[File] = (),
        read_input: Callable[..., list] = lambda *prompt: [],
    ) -> None:
        self._door = door
        self._limits = limits
        self._secret = secret
        self._take = take
        self._read_input = read_input
        self._files = files
        self._is_quiet = False
        self._past_channels: list[CallChannel] = []  # tests may still have stand-ins from these
        self._finished_cells: list[tuple[str, int]] = []
        self._ending_names: list[tuple[int, str, str]] = []  # cells before the end, name, text
        self._refused_names: dict[str, str] = {}  # names with the same meaning still, and a message
        self.refusal: ConnectionClosed | None = None  # of the last refused name in use
        self._replays = limits.replays
        self._is_end_noted = False  # whether the end of the process is noted
        self._waiting = Waiting("self")
        self._own_waiting = Waiting("self")
        self._own_before, self._look_at = self._own_waiting(), 0.0
        self._seconds = limits.cell_seconds
        self.channel: CallChannel = self._connect()

    def _connect(self) -> CallChannel:
        notices = {"output": lambda output: None if self._is_quiet else self._take(output)}
        sock, process = self._door.open()
        self._waiting.watch("self", process)
        max_bytes = self._limits.message_bytes
        channel = CallChannel(
            To.EXAMINER, sock, max_bytes, {"input": self._read_input}, notices, secret=self._secret
        )
        try:
            for file in self._files:
                channel.request("file", file.name, file.content)
        except ConnectionClosed as reason:
            raise NoStudentProcess(
                f"a room ended before any cell could run in it: {reason}"
            ) from None
        channel.before_turn = self._tell_waiting
        return channel

    def check(self) -> None:
        """Raise `NoStudentProcess` if there is no answer before the first cell.

        No cell can have caused that.
        """
        self.channel.deadline = time.monotonic() + READY_SECONDS
        try:
            self.channel.request("names")
        except (ConnectionClosed, Exception) as reason:
            raise NoStudentProcess(
                f"a room ended before any cell could run in it: {reason}"
            ) from None
        finally:
            self.channel.deadline = None

    def read(self, name: str) -> bytes | None:
        """Return a file in the student process' folder; None without a proper answer."""
        content = self.channel.request("read", name)
        return content if type(content) is bytes else None

    def write(self, name: str, content: bytes | None) -> None:
        """Write a file into the student process' folder, or remove it if `content` is None."""
        self.channel.request("write", name, content)

    def begin(self, seconds: float) -> None:
        """Set the time of a cell that begins, not counting waits for a core."""
        grace = min(self._limits.grace_seconds, self._limits.cell_seconds)
        self._seconds = seconds
        allowance = Allowance(seconds + grace, self.waits)

        def later() -> float:
            ends, now = allowance.ends, time.monotonic()
            return ends if ends <= now else min(ends, now + LOOK_SECONDS)

        self.channel.later = later
        self.channel.deadline = time.monotonic() + min(FIRST_LOOK_SECONDS, seconds + grace)
        self._own_before = self._own_waiting()

    def _tell_waiting(self) -> None:
        """Tell the student process how long this side has waited for a core, also during a test.

        The alarm over there knows only the waiting of its own process.
        """
        if (now := time.monotonic()) < self._look_at or self.channel.closed is not None:
            return
        self._look_at = now + LOOK_SECONDS
        if (seconds := self._own_waiting() - self._own_before) > LOOK_SECONDS:
            self.channel.notify_later("waited", seconds)

    def waits(self) -> float:
        """Return the seconds that this side and all student processes have waited for a core."""
        return self._waiting()

    @property
    def given_up(self) -> bool:
        """True if the student process has ended and must not be replaced."""
        return self.channel.closed is not None and not self._replays

    def ran(self, source: str, count: int) -> None:
        """Remember a student's cell that has finished."""
        self._finished_cells.append((source, count))
        for name in self._refused_names.keys() & testcell.names_given(source):
            del self._refused_names[name]

    def check_name(self, name: str) -> None:
        """Raise `ConnectionClosed` for a name that ended an earlier process: no test may use it."""
        if name in self._refused_names:
            self.refusal = ConnectionClosed(Incident.DIED, self._refused_names[name])
            raise self.refusal

    def note_the_end(self, cell: str) -> Incident | None:
        """Note that the cell ended the process; return the incident, None if noted before."""
        reason = self.channel.closed
        if reason is None or self._is_end_noted:
            return None
        self._is_end_noted = True
        kind, why = _explain_end(reason, self._door.close())
        message = f"the cell {cell} ended the notebook's process: {why}"
        if reason.kind == Incident.TIMEOUT:
            message = f"{describe_timeout(cell, self._seconds)}, and could not be interrupted"
            why = f"after {self._seconds:.3g} s, with its process"
        self.channel.closed = ConnectionClosed(kind, message)
        if name := self.channel.ended_by:
            is_endless = reason.kind == Incident.TIMEOUT
            what = "did not end and was stopped" if is_endless else "ended the notebook's process"
            text = f"the tests can't use {name} any more: it {what} in the cell {cell}"
            self._refused_names[name] = text
            self._ending_names.append((len(self._finished_cells), name, self._refused_names[name]))
        if kind == Incident.PROTOCOL:
            self._replays = 0
        return Incident(kind, cell, why)

    def set_up(self, cell: str, time: Allowance) -> bool:
        """Replace a lost student process for this cell; return whether this was done.

        `time` is the rest of the notebook's time.
        """
        if self.channel.closed is None or not self._replays:
            return False
        self._replays -= 1
        self._past_channels.append(self.channel)
        try:
            self.channel = self._connect()
        except OSError:
            self._replays = 0
            return False
        self._is_end_noted, self._is_quiet = False, True
        try:
            self._end_names(0)
            for number, (source, count) in enumerate(self._finished_cells, start=1):
                self._run_again(source, count, time)
                self._end_names(number)
        except ConnectionClosed as reason:
            self.channel.close(
                ConnectionClosed(Incident.DIED, f"it could not be run again ({reason})")
            )
            self.note_the_end(cell)
        finally:
            self._is_quiet = False
        return True

    def _end_names(self, number: int) -> None:
        """Make functions raise that ended an earlier process after cell `number`.

        So they can't end this process too.
        """
        for place, name, why in self._ending_names:
            if place == number:
                self.channel.request("end", name, why)

    def _run_again(self, source: str, count: int, time: Allowance) -> None:
        seconds = max(min(self._limits.cell_seconds, time.left), 0.001)
        self._door.wait()
        self.begin(seconds)
        self.channel.notify_later("start", seconds, "the notebook's time is over", 0, False)
        with contextlib.suppress(Exception, CellTimeout):  # the cell's error, as in its first run
            self.channel.request("run", source, count)

    def leave(self) -> None:
        """End the notebook."""
        if not self._is_end_noted:
            self.channel.close(ConnectionClosed(Incident.DIED, "the notebook has ended"))
            self._is_end_noted, self._replays = True, 0
            self._door.close()


def _explain_end(reason: ConnectionClosed, ending: dict) -> tuple[str, str]:
    """Return the kind of incident, and the reason why the student process ended."""
    if reason.kind == Incident.DIED and ending.get("stopped"):
        noun = {Incident.MEMORY: "memory", Incident.TIMEOUT: "processor time"}[ending["stopped"]]
        return ending["stopped"], f"all its processes together used more {noun} than they may"
    status = ending.get("closed", 0)
    if reason.kind == Incident.DIED and status < 0:
        return reason.kind, f"{reason}, {_signal(-status)}"
    return reason.kind, str(reason)


def _signal(number: int) -> str:
    """Return a signal's name, or its number for real-time signals, which have no name."""
    is_known = number in signal.Signals.__members__.values()
    return f"signal {signal.Signals(number).name if is_known else number}"
