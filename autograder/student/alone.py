"""A student's room with nothing around it, on any system: for one's own code.

Run by `unwalled` as `python -m autograder.student.alone PORT MESSAGE_BYTES`. On standard input
come 32 bytes that let this process in at the port, and 32 that its randomness is made of.
"""

from __future__ import annotations

import contextlib
import importlib
import socket
import sys

from autograder.student.entropy import seed_everything
from autograder.student.room import StudentRoom
from autograder.student.shell import make_shell
from autograder.wire.channel import RoomClosed
from autograder.wire.importing import leave_out_the_project

SECRET_BYTES = 32
_LOADED = ("numpy", "dplab")  # before the randomness is ours, as where it is graded


def main() -> None:
    """Be a student's room for who waits at the port: by password, until it hangs up."""
    port, message_bytes = map(int, sys.argv[1:])
    password, entropy = (sys.stdin.buffer.read(SECRET_BYTES) for _ in range(2))
    shell = make_shell()
    for name in _LOADED:
        importlib.import_module(name)
    leave_out_the_project()
    sock = socket.create_connection(("127.0.0.1", port))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.sendall(password)
    seed_everything(entropy)
    with contextlib.suppress(RoomClosed):
        StudentRoom(shell, sock, message_bytes).serve()


if __name__ == "__main__":
    main()
