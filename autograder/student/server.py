"""Run the student's cells, and answer the examiner's requests about them."""

from __future__ import annotations

import builtins
import os
import socket
import sys
import types
from collections import deque
from pathlib import Path

from autograder.student.shell import (
    StudentShell,
    no_input,
    shortened,
    take_standard_streams,
    trace_of,
)
from autograder.wire import files, messages
from autograder.wire.alarm import Alarm, CellTimeout
from autograder.wire.channel import CallChannel, ConnectionClosed
from autograder.wire.contract import Incident
from autograder.wire.errors import describe_error
from autograder.wire.files import File, lay_out
from autograder.wire.messages import To
from autograder.wire.waiting import Waiting

MAX_STORED_ERRORS = 8
SHOWING_SECONDS = 2.0  # for showing an error after its cell has ended
_ENDINGS = {  # by class, not by name: a notebook may have classes of these names
    CellTimeout: messages.TIMEOUT,
    MemoryError: messages.MEMORY,
    SystemExit: messages.EXIT,
}
_PACKAGE = os.path.dirname(os.path.dirname(__file__))


class StudentServer:
    """The student's side of one notebook on a socket; `serve` ends when the examiner is done."""

    def __init__(self, shell: StudentShell, sock: socket.socket, message_bytes: int) -> None:
        self._shell = shell
        self._errors: deque[BaseException] = deque(maxlen=MAX_STORED_ERRORS)
        self._error_count = 0
        self.channel = CallChannel(
            To.STUDENT,
            sock,
            message_bytes,
            handlers={
                "file": self._file,
                "read": files.read,
                "write": files.write,
                "run": self._run,
                "test": self._test,
                "name": self._name,
                "names": self._names,
                "about": lambda target: self.channel.ledger.about(target),
                "delete": self._delete,
                "put": self._put,
                "end": self._end,
                "flush": shell.outputs.flush,
                "traceback": self._traceback,
                "finish": self._finish,
            },
            notices={"start": self._start, "waited": self._examiner_waited},
            keep_error=self._keep_error,
        )
        self._examiner_wait = 0.0  # seconds that the examiner waited for a core in this cell
        self._waiting = Waiting("self")
        self._alarm = Alarm(
            lambda: self.channel.busy or shell.explaining,
            lambda: self._waiting() + self._examiner_wait,
        )

    def serve(self) -> None:
        sys.path.append(os.getcwd())  # modules of the problem set, and the notebook's own
        take_standard_streams(self._shell.outputs)
        self._shell.outputs.emit = lambda output: self.channel.notify("output", output)
        builtins.input = self._input
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave)
        self.channel.serve()

    def _start(self, seconds: float, message: str, output_bytes: int, watches: bool) -> None:
        """Begin a student's cell, or an examiner's cell that may call student code."""
        self._shell.outputs.start(output_bytes)
        self.channel.ledger.start_test(watches)
        self._examiner_wait = 0.0
        self._alarm.set(seconds, message)

    def _examiner_waited(self, seconds: float) -> None:
        """Extend the cell's time by the seconds that the calling test has waited for a core."""
        self._examiner_wait = seconds

    def _file(self, name: str, content: bytes) -> None:
        """Write a file of the problem set, before any cell runs."""
        lay_out([File(name, content)], Path.cwd())

    def _run(self, source: str, count: int) -> str | None:
        """Run a cell and finish it; return how it ended, or None without an error."""
        error = self._shell.run(source, count)
        self._finish()
        return (
            None
            if error is None
            else next(
                (end for kind, end in _ENDINGS.items() if isinstance(error, kind)), messages.ERROR
            )
        )

    def _test(self, source: str, count: int) -> list:
        """Run a forgeable test and finish it; return its error or its last value."""
        error = self._shell.run(source, count)
        self._finish()
        if error is not None:
            return [*describe_error(error), self._keep_error(error), None]
        return ["", "", 0, self._shell.format_last_value()]

    def _input(self, *prompt: object) -> str:
        """Answer `input` with the test's next line, or raise if there is none."""
        self._shell.outputs.flush()
        lines = self.channel.request("input", *map(str, prompt[:1]))
        return lines[0] if lines else no_input()

    def _finish(self) -> None:
        """End the cell: show its figures and its text."""
        self._alarm.off()
        self._shell.events.trigger("post_execute")
        self._shell.outputs.flush()

    def _name(self, name: str) -> object:
        if name not in self._shell.user_ns:
            raise NameError(f"name {name!r} is not defined")
        return self._shell.user_ns[name]

    def _names(self) -> list[str]:
        user_names = self._shell.user_ns.keys() - self._shell.user_ns_hidden.keys()
        return [name for name in user_names if type(name) is str and not name.startswith("_")]

    def _delete(self, name: str) -> None:
        if self._shell.user_ns.pop(name, self) is self:
            raise NameError(f"name {name!r} is not defined")

    def _put(self, name: str, value: object) -> None:
        self._shell.user_ns[name] = value

    def _end(self, name: str, why: str) -> None:
        """Replace a value that ended an earlier student process by a function that raises."""

        def ended(*args: object, **kwargs: object) -> None:
            raise RuntimeError(why)

        ended.__name__ = ended.__qualname__ = name
        self._shell.user_ns[name] = ended

    def _keep_error(self, error: BaseException) -> int:
        self._errors.append(error)
        self._error_count += 1
        return self._error_count

    def _traceback(self, number: int) -> list[str]:
        """Return an earlier error as the notebook would show it, with only the student's frames."""
        place = number - self._error_count - 1
        if not -len(self._errors) <= place < 0:
            return []
        self._alarm.set(SHOWING_SECONDS, "its error took too long to be shown")
        error = self._errors[place]
        error.__traceback__ = _own_frames(error.__traceback__)
        return self._shell.InteractiveTB.structured_traceback(
            type(error), shortened(error), error.__traceback__
        )

    def _leave(self) -> None:
        """Close the channel in a process that the student forked."""
        self.channel.close(
            ConnectionClosed(Incident.DIED, "this process was forked by the notebook")
        )
        self._shell.outputs.emit = _write_to_descriptor
        builtins.input = no_input


def _own_frames(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Return the trace without the frames of this package."""
    links = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_PACKAGE):
            links.append(trace)
        trace = trace.tb_next
    return trace_of(links)


def _write_to_descriptor(output: list) -> None:
    if output[0] == "stream":
        os.write(1 if output[1] == "stdout" else 2, output[2].encode(errors="replace"))
