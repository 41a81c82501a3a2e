"""The student's room, in a process of its own, as the examiner's messages drive it."""

import subprocess
import sys

import pytest

ROOM = """
import contextlib, os, socket, threading, time
from autograder.student import room
from autograder.student.shell import make_shell
from autograder.wire.channel import Channel, RoomClosed
from autograder.wire.contract import Incident
from autograder.wire.messages import To

room.waited = WAITED
ours, theirs = socket.socketpair()
told = os.dup(1)  # the room takes what is printed

def examine():
    notices = {"output": lambda output: None}
    channel = Channel(To.EXAMINER, theirs, 1 << 20, {"input": list}, notices)
    channel.notify_later("start", 2.0, "too long", 1000, False)
    ended = channel.request("run", "import time; time.sleep(4)", 1)
    os.write(told, str(ended).encode())
    channel.close(RoomClosed(Incident.DIED, "over"))

threading.Thread(target=examine).start()
with contextlib.suppress(RoomClosed):
    room.StudentRoom(make_shell(), ours, 1 << 20).serve()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("waited", "ended"), [("lambda: 0.0", "timeout"), ("time.monotonic", "None")]
)
def test_a_cell_has_its_time_beside_what_the_room_waits_for_a_core(waited, ended):
    """Four seconds, and it may take two: here it is said to wait for nothing, and all the time."""
    command = [sys.executable, "-c", ROOM.replace("WAITED", waited)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert done.stdout == ended, done.stderr
