"""The worker's side of the warm parent: starts it, opens a room, closes it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Set

import msgpack

from autograder.sandbox.layers import Sandbox, link_packages
from autograder.sandbox.settings import PACKET_BYTES, ProcessSettings
from autograder.wire.contract import Limits

START_SECONDS = 120.0
ANSWER_SECONDS = 20.0
_FIRST_USER = 1_000_000_000  # a user of its own for each worker, so that nobody shares its limits


class ForkServer:
    """A process that opens one room at a time. A failure to answer is an `OSError`; replace it."""

    def __init__(self, sandbox: Sandbox, control: socket.socket, is_ready: bool) -> None:
        self.layers: tuple[str, ...] = ()
        self._sandbox = sandbox
        self._control = control
        self._is_ready = is_ready
        self._imported: set[str] = set()

    def prepare(self, imports: Set[str]) -> None:
        """Load modules, each but once."""
        if not self._is_ready:
            self._answer(START_SECONDS)
            self._is_ready = True
        if new := imports - self._imported:
            self._control.send(msgpack.packb({"import": sorted(new)}))
            self._answer(START_SECONDS)
            self._imported |= new

    def open(
        self, seed: bytes, limits: Limits, imports: Set[str] = frozenset()
    ) -> tuple[socket.socket, int]:
        """Open a room; returns the examiner's end of the channel, and a descriptor of its process.

        `imports` are modules that the course itself imports in its notebooks, loaded but once.
        Raises `OSError` where no room can be opened.
        """
        self.prepare(imports)
        can_stay = hasattr(os, "sched_getaffinity")
        settings = ProcessSettings(
            seed,
            limits,
            user=_FIRST_USER + os.getpid() if self._sandbox.other_user else None,
            keeps_files=not self._sandbox.own_files,
            readable=tuple(self._sandbox.readable()),
            cores=tuple(os.sched_getaffinity(0)) if can_stay else (),
        )
        ours, theirs = socket.socketpair()
        with theirs:
            packet = msgpack.packb({"open": settings.packed()})
            socket.send_fds(self._control, [packet], [theirs.fileno()])
        answer, (process,) = self._answer(ANSWER_SECONDS)
        self.layers = tuple(answer["layers"])
        if "limits" not in self.layers:
            ours.close()
            os.close(process)
            raise OSError(f"a process for student code could not start: {answer['failure']}")
        return ours, process

    def close_room(self) -> dict:
        """Kill what is in the room; how it ended and what it used."""
        self._control.send(msgpack.packb({"close": True}))
        return self._answer(ANSWER_SECONDS)[0]

    def stop(self) -> None:
        """End the server; it kills what is in its room."""
        self._control.close()

    def _answer(self, seconds: float) -> tuple[dict, list[int]]:
        """Return the server's message and the descriptors that it hands over."""
        self._control.settimeout(seconds)
        packet, descriptors, _, _ = socket.recv_fds(self._control, PACKET_BYTES, 1)
        if not packet:
            raise OSError(f"the fork server ended: {self._said()}")
        return msgpack.unpackb(packet), descriptors

    def _said(self) -> str:
        return "it said nothing"


class WarmParent(ForkServer):
    """A fork server that is started here, in a sandbox, and ended here."""

    def __init__(self, sandbox: Sandbox, cold: bool = False) -> None:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        super().__init__(sandbox, control, is_ready=False)
        inside = sandbox.bubblewrap is not None
        self._home = "/tmp" if inside else tempfile.mkdtemp(prefix="autograder-")
        if not inside:
            os.chmod(self._home, 0o711)  # each room's own folder is in it, perhaps another user's
            link_packages(self._home)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the parent)
        arguments = ["-m", "autograder.sandbox.forkserver", str(theirs.fileno())]
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

    def __enter__(self) -> WarmParent:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def twin(self) -> ForkServer:
        """Return a copy of the server, as warm as it is; it ends when this parent does.

        Only where each room has its own processes: elsewhere one server would kill the other's.
        """
        self.prepare(set())
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            packet = msgpack.packb({"twin": True})
            socket.send_fds(self._control, [packet], [theirs.fileno()])
        self._answer(ANSWER_SECONDS)
        twin = ForkServer(self._sandbox, control, is_ready=True)
        twin._imported = set(self._imported)
        return twin

    def leave(self) -> None:
        """In a process that was forked from the one that started it: it isn't ours to end."""
        self._control.close()

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

    def _said(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").split("\n")
        return "\n".join(lines[-20:]).strip() or "it said nothing"
