"""Calls between the two processes, over a socket.

A message is an encoded list: one of those in `messages`. While one side waits, it answers requests
of the other: student code that a test calls may call a function of the examiner's. So answers come
in the reverse order of the requests. An answer out of order ends the conversation, and so does any
message that cannot be read.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograder.wire.alarm import CellTimeout
from autograder.wire.arguments import Changes, SavedContent, repeat_changes, save_content
from autograder.wire.contract import Incident
from autograder.wire.errors import (
    Malformed,
    RemoteError,
    Unanswerable,
    describe_error,
    rebuild_error,
)
from autograder.wire.message_stream import ConnectionClosed, MessageStream
from autograder.wire.messages import To, list_messages_to
from autograder.wire.object_table import ObjectTable
from autograder.wire.pieces import Pieces
from autograder.wire.run import current_run
from autograder.wire.standins import is_asked_by_test
from autograder.wire.values import Codec

MAX_DEPTH = 25  # requests within requests
Encoded = tuple[bytes, list[memoryview]]  # a message, and the arrays that are sent before it


class CallChannel:
    """One side of the conversation; `here` says which one.

    `handlers` maps each request to the function that answers it, `notices` each notice to the
    function that takes it: exactly the names that `messages` has for this side. `deadline`, on the
    clock `time.monotonic`, ends a wait, unless `later` returns a later one by then. The other side
    never learns `secret`.
    """

    def __init__(
        self,
        here: To,
        sock: socket.socket,
        max_bytes: int,
        handlers: dict[str, Callable],
        notices: dict[str, Callable],
        keep_error: Callable[[BaseException], int] = lambda error: 0,
        secret: bytes | None = None,
    ) -> None:
        self.here = here
        self.ledger = ObjectTable(self, secret or os.urandom(32))
        self.deadline: float | None = None
        self.later: Callable[[], float] = lambda: 0.0  # the deadline after the current one
        self.before_turn: Callable[[], None] = lambda: None  # before the other process continues
        self.busy = False  # True while code must not be interrupted: inside a message
        self.closed: ConnectionClosed | None = None
        self.origin = ""  # the notebook's name of the object that the current request is about
        self.ended_by = ""  # the `origin` of the request during which the student process ended
        self.refused = 0  # requests after the connection was closed
        self.waited = 0.0  # seconds of waiting for the other process in total
        self.changed = 0  # calls that have changed their arguments
        self.last_changes: Changes = []  # by the last call
        self._saved: list[SavedContent] | None = None  # arguments, while changes are repeated here
        self.after_calls: Callable[[], None] | None = None
        self._changes: Changes | None = None  # by the call that is answered next
        self.keeps_values = False  # whether a test may use a value after a later call
        self.answering = 0  # the number of the request that is answered now
        # This test's answers and arguments, by the number of the request and an argument's place.
        self._values: dict[int | tuple[int, int], object] = {}
        self._pieces = Pieces(max_bytes)
        self._codec = Codec(self.ledger.refer, self.ledger.resolve, max_bytes, self._pieces)
        self._frames = MessageStream(sock, max_bytes, self._current_deadline)
        self._max_bytes = max_bytes
        self._handlers = self.ledger.handlers() | handlers
        own_notices: dict[str, Callable] = {}
        if here is To.EXAMINER:
            own_notices = {"changed": self.take_changes, "kept": self.take_kept}
        self._notices = notices | own_notices | {"piece": self._pieces.take}
        accepted_names = set(self._handlers), set(self._notices)
        if accepted_names != (list_messages_to(here), list_messages_to(here, notices=True)):
            raise ValueError(f"{here.value} takes other messages than {accepted_names}")
        self.keep_error = keep_error
        self._number = self._depth = 0
        self._thread = threading.get_ident()

    def take_changes(self, changes: Changes) -> None:
        """Take the changes of a call's arguments. Raises `ValueError` for a malformed list."""
        if type(changes) is not list or any(type(c) is not list or len(c) != 2 for c in changes):
            raise ValueError("no list of changed arguments")
        self._changes = changes

    def start_test(self, keeps_values: bool) -> None:
        """Begin a test, which may use values after later calls."""
        self.keeps_values = keeps_values
        self._values.clear()

    def take_kept(self, changes: Changes) -> None:
        """Take the changes of earlier values. Raises `ValueError` for a malformed list."""
        if type(changes) is not list or any(type(c) is not list or len(c) != 2 for c in changes):
            raise ValueError("no list of changed values")
        self.changed += 1
        if self._saved is None:
            return
        for key, value in changes:
            name = tuple(key) if type(key) is list else key
            if isinstance(name, int | tuple) and name in self._values:
                change: Changes = [[0, value]]
                self._saved += save_content([self._values[name]], change)
                repeat_changes([self._values[name]], change)

    def call(self, target: object, args: tuple, kwargs: dict, count: int | None = None) -> Any:
        """Call an object of the other process, `count` times for a list of results."""
        number = self.ledger.number_of(target)
        return self.use([*args, *kwargs.values()], "call", number, list(args), kwargs, count)

    def use(self, arguments: list, kind: str, *rest: object) -> Any:
        """Request a use of an object of the other process, and take changes of the arguments."""
        self._changes = None
        if self.keeps_values:
            number = self._number + 1
            self._values |= {(number, place): value for place, value in enumerate(arguments)}
        try:
            answer = self.request(kind, *rest)
        finally:
            changes, self._changes = self._changes, None
            self.last_changes = changes or []
            if changes is not None:
                self.changed += 1
                if self._saved is not None:
                    self._saved += save_content(arguments, changes)
                    repeat_changes(arguments, changes)
        if self.after_calls is not None and self.closed is None:
            self.after_calls()
        return answer

    @contextmanager
    def changing_arguments(self) -> Iterator[None]:
        """Repeat here all changes of arguments by calls inside the block; undo them after it."""
        self._saved = []
        self._values.clear()
        try:
            yield
        finally:
            saved_contents, self._saved = self._saved, None
            for content in reversed(saved_contents):
                content.put_back()

    @property
    def asked(self) -> int:
        """The number of requests so far."""
        return self._number

    def request(self, kind: str, *arguments: object) -> Any:
        """Ask the other process and wait. Raises its error, or `ConnectionClosed`."""
        self._check_thread()
        self._number += 1
        encoded = self._encode([kind, self._number, *arguments])
        previous_state = self.busy, self.origin
        self.busy, self.origin = True, self._origin_of(kind, *arguments)
        was_open = self.closed is None
        try:
            self.before_turn()
            self._send(*encoded)
            number = self._number
            answer = self._wait_for_reply(number)
            if self.keeps_values:
                self._values[number] = answer
            return answer
        except ConnectionClosed:
            self.ended_by = self.ended_by or (self.origin if was_open else "")
            raise
        finally:
            self.busy, self.origin = previous_state

    def _check_thread(self) -> None:
        if threading.get_ident() != self._thread:
            raise RuntimeError("only a notebook's main thread can call a test's objects")

    def _origin_of(self, kind: str, *arguments: Any) -> str:
        """Return the notebook's name that a request is about, or ""."""
        if kind == "call":
            return self.ledger.origins.get(arguments[0], "")
        if kind == "name":
            return str(arguments[0])
        return self.ledger.origin_of(arguments[0]) if arguments else ""

    def notify(self, kind: str, *arguments: object) -> None:
        """Tell the other process something, from any thread."""
        self._send(*self._encode([kind, *arguments]))

    def notify_later(self, kind: str, *arguments: object) -> None:
        """Tell the other process something together with the next request: it wakes only once."""
        self._refuse_if_closed()
        for payload in self._payloads(*self._encode([kind, *arguments])):
            self._frames.hold(payload)

    def serve(self) -> None:
        """Answer requests until the other process closes."""
        self.busy = True  # set to False while this side computes an answer
        while True:
            self._answer(self._receive())

    def close(self, reason: ConnectionClosed) -> None:
        """Close the connection; every request from now on raises `reason`."""
        if self.closed is None:
            self.closed = reason
            self._frames.close()

    def _wait_for_reply(self, number: int) -> object:
        while True:
            message = self._receive()
            if message[0] == "reply" and message[1:2] == [number] and len(message) == 3:
                return message[2]
            if message[0] == "error" and message[1:2] == [number] and len(message) == 5:
                raise self._error_of(*message[2:])
            self._answer(message)

    def _error_of(self, name: Any, message: Any, number: Any) -> BaseException:
        """Return the error that the other process answers with; it always has a number."""
        if (type(name), type(message), type(number)) != (str, str, int):
            self._end_by_protocol_error("an error that cannot be read")
        error = rebuild_error(name, message, number)
        if isinstance(error, Unanswerable):
            if self.here is not To.EXAMINER:  # the student's code asked for it
                return TypeError(message)
            if error.limit and not is_asked_by_test():  # a check says what is too large
                return rebuild_error(error.kind, message, number)
            current_run().unanswerable = error
        return error

    def _answer(self, message: list) -> None:
        kind, *arguments = message
        if kind in self._notices:
            self._take_notice(self._notices[kind], *arguments)
        elif kind in self._handlers and arguments and type(arguments[0]) is int:
            outcome = self._outcome(kind, *arguments)
            self.before_turn()
            self._send(*outcome)
        else:
            self._end_by_protocol_error(f"an unexpected message {str(kind)[:40]!r}")

    def _take_notice(self, take: Callable, *arguments: object) -> None:
        try:
            take(*arguments)
        except Exception as error:
            self._end_by_protocol_error(f"a notice that cannot be read ({error})")

    def _outcome(self, kind: str, number: int, *arguments: object) -> Encoded:
        """Return the encoded reply to a request, or the encoded error."""
        was_busy, self.busy = self.busy, False
        was_answering, self.answering = self.answering, number
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise RecursionError(f"tests and notebook call each other {MAX_DEPTH} times deep")
            value = self._handlers[kind](*arguments)
            self.ledger.watch_answer(number, value)
            return self._encode_reply(number, value)
        except ConnectionClosed:
            raise
        except BaseException as error:
            described = *describe_error(error), self.keep_error(error)
            return self._encode(["error", number, *described])
        finally:
            self._depth -= 1
            self.busy, self.answering = was_busy, was_answering

    def _encode_reply(self, number: int, value: object) -> Encoded:
        """Encode a reply; a value that can't cross is no error of the student's."""
        try:
            return self._encode(["reply", number, value])
        except (TypeError, ValueError, MemoryError, RecursionError) as error:
            if self.here is not To.STUDENT:
                raise
            raise Unanswerable(str(error), type(error).__name__, limit=True) from None

    def _encode(self, message: list) -> Encoded:
        object_count = self.ledger.count()
        try:
            payload = self._codec.encode(message)
            if len(payload) > self._max_bytes:
                raise ValueError(f"{len(payload):,} bytes are too many to pass to or from a test")
        except BaseException:
            self.ledger.forget(object_count)
            self._take_arrays()
            raise
        return payload, self._take_arrays()

    def _take_arrays(self) -> list[memoryview]:
        """Return the arrays of a message; a message from another thread is text and has none."""
        is_main_thread = threading.get_ident() == self._thread
        return self._pieces.leave() if self._pieces.leaving and is_main_thread else []

    def _payloads(self, payload: bytes, arrays: list[memoryview]) -> Iterator[bytes]:
        for number, piece in self._pieces.cut(arrays):
            yield self._codec.encode(["piece", number, bytes(piece)])
        yield payload

    def _send(self, payload: bytes, arrays: list[memoryview]) -> None:
        self._refuse_if_closed()
        began, was_busy = time.monotonic(), self.busy
        is_main_thread = threading.get_ident() == self._thread  # the alarm interrupts no other
        try:
            self.busy = is_main_thread or was_busy
            for part in self._payloads(payload, arrays) if arrays else (payload,):
                self._frames.send(part)
        except ConnectionClosed as reason:
            self.close(reason)
            raise
        finally:
            if is_main_thread:
                self.busy = was_busy
        self.waited += time.monotonic() - began  # on one core, the other process runs now

    def _receive(self) -> list:
        self._refuse_if_closed()
        began = time.monotonic()
        try:
            payload = self._frames.receive()
        except ConnectionClosed as reason:
            self.close(reason)
            raise
        self.waited += time.monotonic() - began
        try:
            message: Any = self._codec.decode(payload)
            self._pieces.message_is_read()
        except Malformed as error:
            self._end_by_protocol_error(f"a message that cannot be read ({error})")
        if type(message) is not list or not message or type(message[0]) is not str:
            self._end_by_protocol_error("a message that cannot be read")
        return message

    def _current_deadline(self) -> float | None:
        """Return the deadline, or a later one if it has passed and there is time left."""
        if self.deadline is not None and self.deadline <= time.monotonic():
            self.deadline = max(self.deadline, self.later())
        return self.deadline

    def _end_by_protocol_error(self, problem: str) -> None:
        reason = ConnectionClosed(Incident.PROTOCOL, f"it sent {problem}")
        self.close(reason)
        raise reason

    def _refuse_if_closed(self) -> None:
        if self.closed is not None:
            self.refused += 1
            raise self.closed


__all__ = ["CallChannel", "CellTimeout", "ConnectionClosed", "MessageStream", "RemoteError"]
