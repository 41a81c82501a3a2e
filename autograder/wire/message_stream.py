"""Messages on a stream socket: each is a length in four bytes, and then so many bytes."""

from __future__ import annotations

import math
import socket
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

from autograder.wire.contract import Incident

_CHUNK = 1 << 13
_LOOK_SECONDS = 0.05  # between two looks at whether a wait is over


class ConnectionClosed(BaseException):
    """The other room can't answer any more. `kind` is a kind of `Incident`.

    Not an `Exception`: a test that expects an exception must not accept it.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class MessageStream:
    """Length-prefixed messages on a stream socket.

    Each wait ends at the time `until()`, unless it is a later one by then, and never if it is None.
    """

    def __init__(
        self, sock: socket.socket, max_bytes: int, until: Callable[[], float | None] = lambda: None
    ) -> None:
        self._socket = sock
        self._until = until
        self._max_bytes = max_bytes
        self._buffer = bytearray()
        self._backlog = b""
        self._lock = threading.RLock()
        self._limits_waits = _limit_waits(sock)
        sock.settimeout(None)

    def hold(self, payload: bytes) -> None:
        """Send this together with the next message."""
        with self._lock:
            self._backlog += _prefix_length(payload)

    def send(self, payload: bytes) -> None:
        """Send a message. Raises `ConnectionClosed` if that takes too long."""
        with self._lock:
            frame, self._backlog = self._backlog + _prefix_length(payload), b""
            try:
                sent = self._in_time(self._socket.send, frame)
                rest = memoryview(frame)[sent:] if sent < len(frame) else b""
                while rest:
                    rest = rest[self._in_time(self._socket.send, rest) :]
            except OSError as error:
                raise _reason_for_closing(error) from None

    def receive(self) -> bytes:
        """Return the next message. Raises `ConnectionClosed` if it is too late or too large."""
        buffer = self._buffer
        try:
            if len(buffer) < 4:
                self._fill(4)
            length = int.from_bytes(buffer[:4], "big")
            if length > self._max_bytes:
                raise ConnectionClosed(
                    Incident.PROTOCOL, f"a message of {length:,} bytes was announced"
                )
            if len(buffer) < 4 + length:
                self._fill(4 + length)
        except OSError as error:
            raise _reason_for_closing(error) from None
        with memoryview(buffer) as waiting:
            frame = bytes(waiting[4 : 4 + length])
        del buffer[: 4 + length]
        return frame

    def close(self) -> None:
        self._socket.close()

    def _fill(self, length: int) -> None:
        """Read until `length` bytes are waiting."""
        while len(self._buffer) < length:
            chunk = self._in_time(self._socket.recv, max(_CHUNK, length - len(self._buffer)))
            if not chunk:
                raise ConnectionClosed(Incident.DIED, "its process ended")
            self._buffer += chunk

    def _in_time(self, act: Callable[[Any], Any], what: object) -> Any:
        """Send or receive something. Raises `TimeoutError` if the time is over."""
        while True:
            until = self._until()
            if until is not None and until <= (now := time.monotonic()):
                until = self._until()  # it may have passed just now, and not be the last one
                if until is not None and until <= now:  # also if the other side sends forever
                    raise TimeoutError
            seconds_left = math.inf if until is None else max(until - time.monotonic(), 0.001)
            try:
                if until is None or self._limits_waits:
                    return act(what)
                return self._act_within(seconds_left, act, what)
            except (TimeoutError, BlockingIOError):
                pass  # of this look

    def _act_within(self, seconds: float, act: Callable[[Any], Any], what: object) -> Any:
        """Send or receive something. Python needs two more calls of the system for a timeout."""
        self._socket.settimeout(seconds)
        try:
            return act(what)
        finally:
            self._socket.settimeout(None)


def _limit_waits(sock: socket.socket) -> bool:
    """Let the kernel end each wait on a socket after `_LOOK_SECONDS`, if it can."""
    if sock.family != getattr(socket, "AF_UNIX", None):  # on other systems, in other units
        return False
    seconds = struct.pack("ll", 0, int(_LOOK_SECONDS * 1e6))
    for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        sock.setsockopt(socket.SOL_SOCKET, direction, seconds)
    return True


def _prefix_length(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


def _reason_for_closing(error: OSError) -> ConnectionClosed:
    if isinstance(error, TimeoutError):
        return ConnectionClosed(Incident.TIMEOUT, "it did not answer in time")
    return ConnectionClosed(Incident.DIED, f"its process ended ({error.strerror})")
