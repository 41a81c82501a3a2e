"""Calls between the two rooms, over a socket.

A frame is an encoded list: one of those in `messages`. While one side waits, it answers requests of
the other: student code that a test calls may call a function of the examiner's. So answers come in
the reverse order of the requests. An answer out of order ends the conversation, and so does any
frame that cannot be read.
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
from autograder.wire.errors import Malformed, RemoteError, describe_error, rebuild_error
from autograder.wire.message_stream import ConnectionClosed, MessageStream
from autograder.wire.messages import To, list_messages_to
from autograder.wire.object_table import ObjectTable
from autograder.wire.pieces import Pieces
from autograder.wire.values import Codec

MAX_DEPTH = 25  # requests within requests
Encoded = tuple[bytes, list[memoryview]]  # a message, and the arrays that are sent before it


class CallChannel:
    """One side of the conversation, `here`.

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
        self.later: Callable[[], float] = lambda: 0.0  # the next deadline, once that one has passed
        self.before_turn: Callable[[], None] = lambda: None  # before the other room goes on
        self.busy = False  # in the middle of a message: not to be interrupted
        self.closed: ConnectionClosed | None = None
        self.origin = ""  # the notebook's name of the object that the current request is about
        self.ended_by = ""  # the `origin` of the request during which the room ended
        self.refused = 0  # requests after that
        self.waited = 0.0  # seconds of waiting for the other room in total
        self.changed = 0  # calls that have changed their arguments
        self.last_changes: Changes = []  # by the last call
        self._saved: list[SavedContent] | None = None  # arguments, while changes are repeated here
        self.after_calls: Callable[[], None] | None = None
        self._changes: Changes | None = None  # by the call whose answer comes next
        self._pieces = Pieces(max_bytes)
        self._codec = Codec(self.ledger.refer, self.ledger.resolve, max_bytes, self._pieces)
        self._frames = MessageStream(sock, max_bytes, self._until)
        self._max_bytes = max_bytes
        self._handlers = self.ledger.handlers() | handlers
        own: dict[str, Callable] = {}
        if here is To.EXAMINER:
            own = {"changed": self.take_changes}
        self._notices = notices | own | {"piece": self._pieces.take}
        accepted_names = set(self._handlers), set(self._notices)
        if accepted_names != (list_messages_to(here), list_messages_to(here, notices=True)):
            raise ValueError(f"{here.value} takes other messages than {accepted_names}")
        self.keep_error = keep_error
        self._number = self._depth = 0
        self._thread = threading.get_ident()

    def take_changes(self, changes: Changes) -> None:
        """Take the changes of arguments by a call. Raises `ValueError` if it is no such list."""
        if type(changes) is not list or any(type(c) is not list or len(c) != 2 for c in changes):
            raise ValueError("no list of changed arguments")
        self._changes = changes

    def call(self, target: object, args: tuple, kwargs: dict, count: int | None = None) -> Any:
        """Call an object of the other room, `count` times for a list of results."""
        number = self.ledger.number_of(target)
        return self.use([*args, *kwargs.values()], "call", number, list(args), kwargs, count)

    def use(self, arguments: list, kind: str, *rest: object) -> Any:
        """Request a use of an object of the other room, and take its changes of these arguments."""
        self._changes = None
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
        try:
            yield
        finally:
            undone, self._saved = self._saved, None
            for one in reversed(undone):
                one.put_back()

    @property
    def asked(self) -> int:
        """The number of requests so far."""
        return self._number

    def request(self, kind: str, *arguments: object) -> Any:
        """Ask the other room and wait. Raises its error, or `ConnectionClosed`."""
        self._check_thread()
        self._number += 1
        encoded = self._encode([kind, self._number, *arguments])
        outer = self.busy, self.origin
        self.busy, self.origin = True, self._origin_of(kind, *arguments)
        was_open = self.closed is None
        try:
            self.before_turn()
            self._send(*encoded)
            return self._await(self._number)
        except ConnectionClosed:
            self.ended_by = self.ended_by or (self.origin if was_open else "")
            raise
        finally:
            self.busy, self.origin = outer

    def _check_thread(self) -> None:
        if threading.get_ident() != self._thread:
            raise RuntimeError("only a notebook's main thread can call a test's objects")

    def _origin_of(self, kind: str, *arguments: Any) -> str:
        """Return the notebook's name that a request is about, "" if it is about none."""
        if kind == "call":
            return self.ledger.origins.get(arguments[0], "")
        if kind == "name":
            return str(arguments[0])
        return self.ledger.origin_of(arguments[0]) if arguments else ""

    def notify(self, kind: str, *arguments: object) -> None:
        """Tell the other room something, from any thread."""
        self._send(*self._encode([kind, *arguments]))

    def notify_later(self, kind: str, *arguments: object) -> None:
        """Tell the other room something with the next request: the room wakes once for both."""
        self._refuse_if_closed()
        for payload in self._payloads(*self._encode([kind, *arguments])):
            self._frames.hold(payload)

    def serve(self) -> None:
        """Answer requests until the other room closes."""
        self.busy = True  # except while it computes an answer
        while True:
            self._answer(self._receive())

    def close(self, reason: ConnectionClosed) -> None:
        """Close the connection; every request from now on raises `reason`."""
        if self.closed is None:
            self.closed = reason
            self._frames.close()

    def _await(self, number: int) -> object:
        while True:
            message = self._receive()
            if message[0] == "reply" and message[1:2] == [number] and len(message) == 3:
                return message[2]
            if message[0] == "error" and message[1:2] == [number] and len(message) == 5:
                raise self._error_of(*message[2:])
            self._answer(message)

    def _error_of(self, name: Any, message: Any, number: Any) -> BaseException:
        """Return the error that the other room answers with; it always has a number."""
        if (type(name), type(message), type(number)) != (str, str, int):
            self._protocol_error("an error that cannot be read")
        return rebuild_error(name, message, number)

    def _answer(self, message: list) -> None:
        kind, *arguments = message
        if kind in self._notices:
            self._take_notice(self._notices[kind], *arguments)
        elif kind in self._handlers and arguments and type(arguments[0]) is int:
            outcome = self._outcome(kind, *arguments)
            self.before_turn()
            self._send(*outcome)
        else:
            self._protocol_error(f"an unexpected message {str(kind)[:40]!r}")

    def _take_notice(self, take: Callable, *arguments: object) -> None:
        try:
            take(*arguments)
        except Exception as error:
            self._protocol_error(f"a notice that cannot be read ({error})")

    def _outcome(self, kind: str, number: int, *arguments: object) -> Encoded:
        """Return the encoded reply to a request, or the encoded error."""
        outer, self.busy = self.busy, False
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise RecursionError(f"tests and notebook call each other {MAX_DEPTH} times deep")
            return self._encode(["reply", number, self._handlers[kind](*arguments)])
        except ConnectionClosed:
            raise
        except BaseException as error:
            described = *describe_error(error), self.keep_error(error)
            return self._encode(["error", number, *described])
        finally:
            self._depth -= 1
            self.busy = outer

    def _encode(self, message: list) -> Encoded:
        object_count = self.ledger.count()
        try:
            frame = self._codec.encode(message)
            if len(frame) > self._max_bytes:
                raise ValueError(f"{len(frame):,} bytes are too many to pass to or from a test")
        except BaseException:
            self.ledger.forget(object_count)
            self._ahead()
            raise
        return frame, self._ahead()

    def _ahead(self) -> list[memoryview]:
        """Return the arrays of a message; a message from another thread is text and has none."""
        is_main = threading.get_ident() == self._thread
        return self._pieces.leave() if self._pieces.leaving and is_main else []

    def _payloads(self, frame: bytes, arrays: list[memoryview]) -> Iterator[bytes]:
        for number, piece in self._pieces.cut(arrays):
            yield self._codec.encode(["piece", number, bytes(piece)])
        yield frame

    def _send(self, frame: bytes, arrays: list[memoryview]) -> None:
        self._refuse_if_closed()
        began, outer = time.monotonic(), self.busy
        is_main = threading.get_ident() == self._thread  # other threads are never interrupted
        try:
            self.busy = is_main or outer
            for payload in self._payloads(frame, arrays) if arrays else (frame,):
                self._frames.send(payload)
        except ConnectionClosed as reason:
            self.close(reason)
            raise
        finally:
            if is_main:
                self.busy = outer
        self.waited += time.monotonic() - began  # on one core the other room runs at once

    def _receive(self) -> list:
        self._refuse_if_closed()
        began = time.monotonic()
        try:
            frame = self._frames.receive()
        except ConnectionClosed as reason:
            self.close(reason)
            raise
        self.waited += time.monotonic() - began
        try:
            message: Any = self._codec.decode(frame)
            self._pieces.message_is_read()
        except Malformed as error:
            self._protocol_error(f"a message that cannot be read ({error})")
        if type(message) is not list or not message or type(message[0]) is not str:
            self._protocol_error("a message that cannot be read")
        return message

    def _until(self) -> float | None:
        """Return the deadline, or a later one if it has passed and there is time left."""
        if self.deadline is not None and self.deadline <= time.monotonic():
            self.deadline = max(self.deadline, self.later())
        return self.deadline

    def _protocol_error(self, what: str) -> None:
        reason = ConnectionClosed(Incident.PROTOCOL, f"it sent {what}")
        self.close(reason)
        raise reason

    def _refuse_if_closed(self) -> None:
        if self.closed is not None:
            self.refused += 1
            raise self.closed


__all__ = ["CallChannel", "CellTimeout", "ConnectionClosed", "MessageStream", "RemoteError"]
