"""A student process without a sandbox, on any system: for trusted code.

`unsandboxed_runner` runs this module with `python -m` and the arguments PORT and MESSAGE_BYTES.
Standard input has 32 bytes as a password for the port, and 32 bytes as a seed for randomness.
"""

from __future__ import annotations

import contextlib
import importlib
import socket
import sys

from autograder.student.entropy import seed_everything
from autograder.student.server import StudentServer
from autograder.student.shell import make_shell
from autograder.wire.channel import ConnectionClosed
from autograder.wire.importing import leave_out_the_project

SECRET_BYTES = 32
_LOADED = ("numpy", "dplab")  # before the randomness is seeded, as in a graded run


def main() -> None:
    """Serve as a student process for the examiner at the port until it closes the connection."""
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
    with contextlib.suppress(ConnectionClosed):
        StudentServer(shell, sock, message_bytes).serve()


if __name__ == "__main__":
    main()
