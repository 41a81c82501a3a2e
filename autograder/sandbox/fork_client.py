"""The worker's side of the warm parent: start it, and let it fork and end student processes."""

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
_FIRST_USER = 1_000_000_000  # each worker has its own user, so that nobody shares its limits


class ForkServer:
    """A server that forks one student process at a time. After an `OSError`, replace the server."""

    def __init__(self, sandbox: Sandbox, control: socket.socket, is_ready: bool) -> None:
        self.layers: tuple[str, ...] = ()
        self._sandbox = sandbox
        self._control = control
        self._is_ready = is_ready
        self._imported: set[str] = set()

    def prepare(self, imports: Set[str]) -> None:
        """Load modules, each only once."""
        if not self._is_ready:
            self._answer(START_SECONDS)
            self._is_ready = True
        if new_names := imports - self._imported:
            self._control.send(msgpack.packb({"import": sorted(new_names)}))
            self._answer(START_SECONDS)
            self._imported |= new_names

    def open(
        self, seed: bytes, limits: Limits, imports: Set[str] = frozenset()
    ) -> tuple[socket.socket, int]:
        """Fork a student process; return the examiner's end of the channel, and a descriptor.

        The descriptor belongs to the process. `imports` are modules that the course itself imports
        in its notebooks; they are loaded only once. Raises `OSError` if no process can start.
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
        examiner_socket, student_socket = socket.socketpair()
        with student_socket:
            packet = msgpack.packb({"open": settings.packed()})
            socket.send_fds(self._control, [packet], [student_socket.fileno()])
        answer, (process,) = self._answer(ANSWER_SECONDS)
        self.layers = tuple(answer["layers"])
        if "limits" not in self.layers:
            examiner_socket.close()
            os.close(process)
            raise OSError(f"a process for student code could not start: {answer['failure']}")
        return examiner_socket, process

    def close_room(self) -> dict:
        """Kill the student process; return how it ended and how much it used."""
        self._control.send(msgpack.packb({"close": True}))
        return self._answer(ANSWER_SECONDS)[0]

    def stop(self) -> None:
        """End the server, which kills its student process."""
        self._control.close()

    def _answer(self, seconds: float) -> tuple[dict, list[int]]:
        """Return the server's message and the descriptors that it hands over."""
        self._control.settimeout(seconds)
        packet, descriptors, _, _ = socket.recv_fds(self._control, PACKET_BYTES, 1)
        if not packet:
            raise OSError(f"the fork server ended: {self._read_output()}")
        return msgpack.unpackb(packet), descriptors

    def _read_output(self) -> str:
        return "it said nothing"


class WarmParent(ForkServer):
    """A fork server that this process starts in a sandbox, and ends."""

    def __init__(self, sandbox: Sandbox, cold: bool = False) -> None:
        control, server_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        super().__init__(sandbox, control, is_ready=False)
        has_bubblewrap = sandbox.bubblewrap is not None
        self._home = "/tmp" if has_bubblewrap else tempfile.mkdtemp(prefix="autograder-")
        if not has_bubblewrap:
            os.chmod(self._home, 0o711)  # other users may own folders in it
            link_packages(self._home)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the parent)
        arguments = ["-m", "autograder.sandbox.forkserver", str(server_socket.fileno())]
        with server_socket:
            self._process = subprocess.Popen(
                sandbox.command(*arguments, *(["--cold"] if cold else [])),
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env=sandbox.environment(self._home),
                pass_fds=[server_socket.fileno()],
                start_new_session=True,
            )

    def __enter__(self) -> WarmParent:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def twin(self) -> ForkServer:
        """Return a copy of the server with all its modules; it ends when this parent ends.

        Use it only if each student process has its own process namespace. Otherwise one server
        would kill the other server's processes.
        """
        self.prepare(set())
        control, twin_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with twin_socket:
            packet = msgpack.packb({"twin": True})
            socket.send_fds(self._control, [packet], [twin_socket.fileno()])
        self._answer(ANSWER_SECONDS)
        twin = ForkServer(self._sandbox, control, is_ready=True)
        twin._imported = set(self._imported)
        return twin

    def leave(self) -> None:
        """Close the connection in a forked process, which must not end the server."""
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

    def _read_output(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").split("\n")
        return "\n".join(lines[-20:]).strip() or "it said nothing"
