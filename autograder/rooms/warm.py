"""The worker's side of the warm parent: starts it, opens a room, closes it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile

import msgpack

from autograder.rooms.sandbox import Sandbox

START_SECONDS = 120.0
ANSWER_SECONDS = 20.0
PACKET_BYTES = 65_536
_FIRST_USER = 1_000_000_000  # a user of its own for each worker, so that nobody shares its limits


class WarmParent:
    """A fork server in a sandbox. Any failure to answer is an `OSError`; then replace it."""

    def __init__(self, sandbox: Sandbox, cold: bool = False) -> None:
        self._sandbox = sandbox
        inside = sandbox.bubblewrap is not None
        self._home = "/tmp" if inside else tempfile.mkdtemp(prefix="autograder-")
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the parent)
        self.layers: tuple[str, ...] = ()
        arguments = ["-m", "autograder.rooms.forkserver", str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                sandbox.command(*arguments, *(["--cold"] if cold else [])),
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env=sandbox.environment(self._home),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._is_ready = False
        self._imported: set[str] = set()

    def __enter__(self) -> WarmParent:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def open(self, seed: bytes, limits: dict, imports: set[str] = frozenset()) -> socket.socket:
        """Open a room; returns the examiner's end of the channel.

        `imports` are modules that the course itself imports in its notebooks, loaded but once.
        """
        if not self._is_ready:
            self._answer(START_SECONDS)
            self._is_ready = True
        if new := imports - self._imported:
            self._control.send(msgpack.packb({"import": sorted(new)}))
            self._answer(START_SECONDS)
            self._imported |= new
        settings = {
            "seed": seed,
            "limits": _EMPTY_ROOM | limits,
            "user": _FIRST_USER + os.getpid() if self._sandbox.other_user else None,
            "keeps_files": not self._sandbox.own_files,
        }
        ours, theirs = socket.socketpair()
        with theirs:
            packet = msgpack.packb({"open": settings})
            socket.send_fds(self._control, [packet], [theirs.fileno()])
        answer = self._answer(ANSWER_SECONDS)
        self.layers = tuple(answer["layers"])
        if "limits" not in self.layers:
            ours.close()
            raise OSError(f"a room for student code could not be opened: {self._said()}")
        return ours

    def close_room(self) -> dict:
        """Kill what is in the room; how it ended and what it used."""
        self._control.send(msgpack.packb({"close": True}))
        return self._answer(ANSWER_SECONDS)

    def stop(self) -> None:
        """End the fork server and everything below it."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._log.close()
        if self._sandbox.bubblewrap is None:
            shutil.rmtree(self._home, ignore_errors=True)

    def _answer(self, seconds: float) -> dict:
        self._control.settimeout(seconds)
        packet = self._control.recv(PACKET_BYTES)
        if not packet:
            raise OSError(f"the fork server ended: {self._said()}")
        return msgpack.unpackb(packet)

    def _said(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").split("\n")
        return "\n".join(lines[-20:]).strip() or "it said nothing"


_EMPTY_ROOM = {
    "cpu_seconds": 60,
    "memory_bytes": 1 << 30,
    "file_bytes": 1 << 20,
    "open_files": 64,
    "processes": 16,
}
