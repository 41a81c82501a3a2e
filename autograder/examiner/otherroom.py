"""The student's room as the examiner knows it: opened anew where a notebook has ended its own."""

from __future__ import annotations

import contextlib
import signal
import socket
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from autograder.examiner import testcell
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import Channel, RoomClosed
from autograder.wire.contract import Incident, Limits
from autograder.wire.files import File
from autograder.wire.messages import To
from autograder.wire.waiting import FIRST_LOOK_SECONDS, LOOK_SECONDS, Allowance, Waiting

READY_SECONDS = 20.0  # for a room to answer that was opened


class NoRoom(OSError):
    """A room was refused, or ended before any cell could run in it."""


class Door(Protocol):
    """Through which rooms are had, one at a time."""

    def open(self) -> tuple[socket.socket, int]:
        """The channel to a new room, and the number of its first process.

        Raises `OSError` where none can be opened.
        """

    def close(self) -> dict:
        """End the room; how it ended."""

    def wait(self) -> None:
        """Say that this goes on, although there is nothing to report."""


class OtherRoom:
    """A channel to the room, and what it takes to set up another one in its place.

    In a new room the cells that had come to an end by themselves are run again, without showing
    anything. A function that ended a room when a test called it raises an error there, and tests
    that use it fail. Stand-ins of a room that is gone say by which cell it was ended.
    """

    def __init__(
        self,
        door: Door,
        limits: Limits,
        secret: bytes,
        take: Callable[[list], None],
        files: Sequence[File] = (),
        typed: Callable[..., list] = lambda *prompt: [],
    ) -> None:
        self._door = door
        self._limits = limits
        self._secret = secret
        self._take = take
        self._typed = typed
        self._files = files
        self._quiet = False
        self._past: list[Channel] = []  # tests may hold stand-ins of theirs
        self._ran: list[tuple[str, int]] = []
        self._ended: list[tuple[int, str, str]] = []  # behind which of them, a name and a text
        self._refused: dict[str, str] = {}  # of these names, those that mean the same still
        self.refusal: RoomClosed | None = None  # of the last such name that a test asked for
        self._replays = limits.replays
        self._noted = False  # that the room is gone
        self._waiting = Waiting("self")
        self._own_waiting = Waiting("self")
        self._own_before, self._look_at = self._own_waiting(), 0.0
        self._seconds = limits.cell_seconds
        self.channel: Channel = self._connected()

    def _connected(self) -> Channel:
        notices = {"output": lambda output: None if self._quiet else self._take(output)}
        sock, process = self._door.open()
        self._waiting.watch("self", process)
        most = self._limits.message_bytes
        channel = Channel(
            To.EXAMINER, sock, most, {"input": self._typed}, notices, secret=self._secret
        )
        try:
            for file in self._files:
                channel.request("file", file.name, file.content)
        except RoomClosed as reason:
            raise NoRoom(f"a room ended before any cell could run in it: {reason}") from None
        channel.before_turn = self._tell_waiting
        return channel

    def check(self) -> None:
        """Raise `NoRoom` where the room does not answer before any cell has run in it: that is no
        cell's doing.
        """
        self.channel.deadline = time.monotonic() + READY_SECONDS
        try:
            self.channel.request("names")
        except (RoomClosed, Exception) as reason:
            raise NoRoom(f"a room ended before any cell could run in it: {reason}") from None
        finally:
            self.channel.deadline = None

    def read(self, name: str) -> bytes | None:
        """A file that the room has in its folder; None where it has none, or says anything else."""
        found = self.channel.request("read", name)
        return found if type(found) is bytes else None

    def write(self, name: str, content: bytes | None) -> None:
        """Let the room have a file in its folder, or none of this name."""
        self.channel.request("write", name, content)

    def begin(self, seconds: float) -> None:
        """A cell begins, which may take so long, without what is waited for a core."""
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
        """The room's own alarm knows what the room waits for a core, and must hear what this side
        does, in the middle of a test that then calls an answer.
        """
        if (now := time.monotonic()) < self._look_at or self.channel.closed is not None:
            return
        self._look_at = now + LOOK_SECONDS
        if (seconds := self._own_waiting() - self._own_before) > LOOK_SECONDS:
            self.channel.notify_later("waited", seconds)

    def waits(self) -> float:
        """Seconds that this side and the rooms so far have waited for a core."""
        return self._waiting()

    @property
    def given_up(self) -> bool:
        """Whether the room is gone, and there will be no other."""
        return self.channel.closed is not None and not self._replays

    def ran(self, source: str, count: int) -> None:
        """A cell of the student's has come to an end by itself."""
        self._ran.append((source, count))
        for name in self._refused.keys() & testcell.names_given(source):
            del self._refused[name]

    def check_name(self, name: str) -> None:
        """Raise `RoomClosed` for a name that ended an earlier room: no test passes by it."""
        if name in self._refused:
            self.refusal = RoomClosed(Incident.DIED, self._refused[name])
            raise self.refusal

    def note_the_end(self, cell: str) -> Incident | None:
        """The room is gone: say so from now on by the cell that ended it. None if said before."""
        reason = self.channel.closed
        if reason is None or self._noted:
            return None
        self._noted = True
        kind, why = _explained(reason, self._door.close())
        limit = f"{self._seconds:.3g} s"
        said = f"the cell {cell} ended the notebook's process: {why}"
        if reason.kind == Incident.TIMEOUT:
            said = f"the cell {cell} ran longer than {limit}, without what it waited for a core"
            said += ", and could not be interrupted"
            why = f"after {limit}, with its process"
        self.channel.closed = RoomClosed(kind, said)
        if name := self.channel.ended_by:
            text = f"the tests can't use {name} any more: it ended the notebook's process"
            self._refused[name] = f"{text} in the cell {cell}"
            self._ended.append((len(self._ran), name, self._refused[name]))
        if kind == Incident.PROTOCOL:
            self._replays = 0
        return Incident(kind, cell, why)

    def set_up(self, cell: str, time: Allowance) -> bool:
        """See to it that there is a room for this cell; whether it is a new one. `time` is the
        notebook's.
        """
        if self.channel.closed is None or not self._replays:
            return False
        self._replays -= 1
        self._past.append(self.channel)
        try:
            self.channel = self._connected()
        except OSError:
            self._replays = 0
            return False
        self._noted, self._quiet = False, True
        try:
            self._end_names(0)
            for number, (source, count) in enumerate(self._ran, start=1):
                self._run_again(source, count, time)
                self._end_names(number)
        except RoomClosed as reason:
            self.channel.close(RoomClosed(Incident.DIED, f"it could not be run again ({reason})"))
            self.note_the_end(cell)
        finally:
            self._quiet = False
        return True

    def _end_names(self, number: int) -> None:
        """What ended a room can't end this one, too: from the cell on behind which it did, the name
        by which a test used it means a function that raises.
        """
        for place, name, why in self._ended:
            if place == number:
                self.channel.request("end", name, why)

    def _run_again(self, source: str, count: int, time: Allowance) -> None:
        seconds = max(min(self._limits.cell_seconds, time.left), 0.001)
        self._door.wait()
        self.begin(seconds)
        self.channel.notify_later("start", seconds, "the notebook's time is over", 0, False)
        with contextlib.suppress(Exception, CellTimeout):  # the cell's, as when it ran first
            self.channel.request("run", source, count)

    def leave(self) -> None:
        """The notebook is over."""
        if not self._noted:
            self.channel.close(RoomClosed(Incident.DIED, "the notebook is over"))
            self._noted, self._replays = True, 0
            self._door.close()


def _explained(reason: RoomClosed, ending: dict) -> tuple[str, str]:
    """The kind of incident, and why the room is gone, in words."""
    if reason.kind == Incident.DIED and ending.get("stopped"):
        what = {Incident.MEMORY: "memory", Incident.TIMEOUT: "processor time"}[ending["stopped"]]
        return ending["stopped"], f"all its processes together used more {what} than they may"
    status = ending.get("closed", 0)
    if reason.kind == Incident.DIED and status < 0:
        return reason.kind, f"{reason}, {_signal(-status)}"
    return reason.kind, str(reason)


def _signal(number: int) -> str:
    """Real-time signals have no names of their own."""
    known = number in signal.Signals.__members__.values()
    return f"signal {signal.Signals(number).name if known else number}"
