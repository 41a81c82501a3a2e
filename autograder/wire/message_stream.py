"""Messages on a stream socket: each is its length in four bytes, and then its bytes."""

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
    """The other process can't answer any more. `kind` is a kind of `Incident`.

    It is no `Exception`, so that a test that expects an exception can't accept it.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class MessageStream:
    """Length-prefixed messages on a stream socket.

    `until()` returns the time when a wait ends, or None for no limit. It is called again at that
    time, since it may return a later one by then.
    """

    def __init__(
        self, sock: socket.socket, max_bytes: int, until: Callable[[], float | None] = lambda: None
    ) -> None:
        self._socket = sock
        self._find_deadline = until
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
            data, self._backlog = self._backlog + _prefix_length(payload), b""
            try:
                sent_count = self._act_in_time(self._socket.send, data)
                unsent = memoryview(data)[sent_count:] if sent_count < len(data) else b""
                while unsent:
                    unsent = unsent[self._act_in_time(self._socket.send, unsent) :]
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
        with memoryview(buffer) as view:
            payload = bytes(view[4 : 4 + length])
        del buffer[: 4 + length]
        return payload

    def close(self) -> None:
        self._socket.close()

    def _fill(self, length: int) -> None:
        """Read until `length` bytes are waiting."""
        while len(self._buffer) < length:
            chunk = self._act_in_time(self._socket.recv, max(_CHUNK, length - len(self._buffer)))
            if not chunk:
                raise ConnectionClosed(Incident.DIED, "its process ended")
            self._buffer += chunk

    def _act_in_time(self, act: Callable[[Any], Any], argument: object) -> Any:
        """Send or receive something. Raises `TimeoutError` if the time is over."""
        while True:
            deadline = self._find_deadline()
            if deadline is not None and deadline <= (now := time.monotonic()):
                deadline = self._find_deadline()  # it may be a later one by now
                if deadline is not None and deadline <= now:  # also if the other side sends forever
                    raise TimeoutError
            seconds_left = math.inf if deadline is None else max(deadline - time.monotonic(), 0.001)
            try:
                if deadline is None or self._limits_waits:
                    return act(argument)
                return self._act_within(seconds_left, act, argument)
            except (TimeoutError, BlockingIOError):
                pass  # this look has ended; check the time, and look again

    def _act_within(self, seconds: float, act: Callable[[Any], Any], argument: object) -> Any:
        """Send or receive with Python's own timeout, which needs two more system calls."""
        self._socket.settimeout(seconds)
        try:
            return act(argument)
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
