"""How long the examiner waits for the student's room."""

import os
import socket

import pytest

from autograder.examiner import otherroom
from autograder.wire.channel import RoomClosed
from autograder.wire.contract import Incident, Limits
from autograder.wire.waiting import Allowance


class Door:
    """Opens a room whose first process is this one."""

    def open(self):
        self.theirs, ours = socket.socketpair()
        return ours, os.getpid()

    def close(self):
        return {}

    def wait(self):
        pass


@pytest.fixture
def waits(monkeypatch):
    """Seconds, by process: "self" is the examiner's, and the room's has a number."""
    waits = {"self": 5.0, os.getpid(): 7.0}
    monkeypatch.setattr(otherroom, "waited", lambda process="self": waits[process])
    return waits


@pytest.fixture
def room(waits):
    return otherroom.OtherRoom(Door(), Limits(), b"secret", lambda output: None)


def test_what_both_sides_wait_for_a_core_is_added_to_a_room_s_time_up_to_three_times_that(
    waits, room
):
    room.begin(5.0)
    until = room.channel.deadline
    assert room.channel.later() == until
    waits[os.getpid()] += 2.0
    assert room.channel.later() == pytest.approx(until + 2.0, abs=1e-6)
    waits["self"] += 1.5
    assert room.channel.later() == pytest.approx(until + 3.5, abs=1e-6)
    waits[os.getpid()] += 100.0
    assert room.channel.later() == pytest.approx(until + 10.0, abs=1e-6)


def test_what_was_waited_stays_when_a_room_has_ended_and_another_begins(waits, room):
    assert room.waits() == 12.0
    waits[os.getpid()] = 0.0  # as of a process that has ended
    assert room.waits() == 12.0
    room.channel.close(RoomClosed(Incident.DIED, "its process ended"))
    assert room.set_up("cell", Allowance(5.0, lambda: 0.0))
    assert room.waits() == 12.0
    waits[os.getpid()] += 3.0
    assert room.waits() == 15.0


def test_the_room_hears_what_the_examiner_has_waited_since_the_cell_began(waits, room, monkeypatch):
    told = []
    monkeypatch.setattr(room.channel, "notify_later", lambda *message: told.append(message))

    def turn(at, waited=0.0):
        waits["self"] += waited
        monkeypatch.setattr(otherroom.time, "monotonic", lambda: at)
        room.channel.before_turn()

    turn(100.0, 3.0)
    turn(100.05, 1.0)  # too soon to look again
    turn(100.2)
    turn(101.0, 2.0)
    assert told == [("waited", seconds) for seconds in (3.0, 4.0, 6.0)]
    room.begin(5.0)
    turn(102.0, 0.05)
    turn(103.0, 0.5)
    assert told[3:] == [("waited", pytest.approx(0.55))]
    room.channel.close(RoomClosed(Incident.DIED, "its process ended"))
    turn(104.0, 1.0)
    assert len(told) == 4
