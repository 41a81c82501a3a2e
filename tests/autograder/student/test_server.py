"""The student's room, in a process of its own, as the examiner's messages drive it."""

import subprocess
import sys

import pytest

ROOM = """
import contextlib, os, socket, threading, time
from autograder.student import server
from autograder.student.shell import make_shell
from autograder.wire.channel import CallChannel, ConnectionClosed
from autograder.wire.contract import Incident
from autograder.wire.messages import To

server.Waiting = lambda process: WAITED
ours, theirs = socket.socketpair()
told = os.dup(1)  # the room takes what is printed

def examine():
    notices = {"output": lambda output: None}
    channel = CallChannel(To.EXAMINER, theirs, 1 << 20, {"input": list}, notices)
    for count, (seconds, there) in enumerate(CELLS, start=1):
        channel.notify_later("start", 2.0, "too long", 1000, False)
        channel.notify_later("waited", there)
        ended = channel.request("run", f"import time; time.sleep({seconds})", count)
        os.write(told, f"{ended} ".encode())
    channel.close(ConnectionClosed(Incident.DIED, "over"))

threading.Thread(target=examine).start()
with contextlib.suppress(ConnectionClosed):
    server.StudentServer(make_shell(), ours, 1 << 20).serve()
"""


def endings(waited, cells):
    """How cells end that may take two seconds: so long each, while the examiner waited so long."""
    script = ROOM.replace("WAITED", waited).replace("CELLS", repr(cells))
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("waited", "ended"), [("lambda: 0.0", "timeout"), ("time.monotonic", "None")]
)
def test_a_cell_has_its_time_beside_what_the_room_waits_for_a_core(waited, ended):
    """Here it is said to wait for nothing, and all the time."""
    assert endings(waited, [(4, 0.0)]) == [ended]


def test_a_cell_has_its_time_beside_what_the_examiner_has_waited_since_it_began():
    """Not beside what it had waited in the cell before."""
    assert endings("lambda: 0.0", [(2.5, 3.0), (2.5, 1.0), (2.5, 0.0)]) == [
        "None",
        "None",
        "timeout",
    ]
