"""How long the examiner waits for the student's room."""

import os
import socket

import pytest

from autograder.examiner import otherroom
from autograder.wire.contract import Limits


class Door:
    """Opens a room whose first process is this one."""

    def open(self):
        self.theirs, ours = socket.socketpair()
        return ours, os.getpid()

    def close(self):
        return {}

    def wait(self):
        pass


def test_what_a_room_waits_for_a_core_is_added_to_its_time_up_to_three_times_that(monkeypatch):
    waits = {os.getpid(): 7.0}
    monkeypatch.setattr(otherroom, "waited", lambda process: waits[process])
    room = otherroom.OtherRoom(Door(), Limits(), b"secret", lambda output: None)
    room.begin(5.0)
    until = room.channel.deadline
    assert room.channel.later() == until
    waits[os.getpid()] += 2.0
    assert room.channel.later() == pytest.approx(until + 2.0, abs=1e-6)
    waits[os.getpid()] += 100.0
    assert room.channel.later() == pytest.approx(until + 10.0, abs=1e-6)
