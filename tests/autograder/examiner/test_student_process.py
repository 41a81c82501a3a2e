"""How long the examiner waits for the student's room."""

import os
import socket

import pytest

from autograder.examiner import student_process
from autograder.wire.channel import ConnectionClosed
from autograder.wire.contract import Incident, Limits
from autograder.wire.waiting import CLOCK_FACTOR, LOOK_SECONDS, Allowance


class Door:
    """Opens a room whose first process is this one."""

    def open(self):
        self.theirs, ours = socket.socketpair()
        return ours, os.getpid()

    def close(self):
        return {}

    def wait(self):
        pass


class Waits:
    """What `waiting.Waiting` says, as the tests have it: of the examiner alone, and of both."""

    examiner, both = 5.0, 12.0

    def of(self, *processes):
        told = Told(self)
        told.watch(*processes)
        return told


class Told:
    def __init__(self, waits):
        self.waits = waits

    def watch(self, *processes):
        self.processes = processes

    def __call__(self):
        return self.waits.both if len(self.processes) > 1 else self.waits.examiner


@pytest.fixture
def waits(monkeypatch):
    waits = Waits()
    monkeypatch.setattr(student_process, "Waiting", waits.of)
    return waits


@pytest.fixture
def room(waits):
    return student_process.StudentProcess(Door(), Limits(), b"secret", lambda output: None)


def ends_of(room, monkeypatch, now):
    """When the room's time is over, as its channel finds by looking again and again."""
    while (until := room.channel.later()) > now:
        assert until <= now + LOOK_SECONDS
        now = until
        monkeypatch.setattr(student_process.time, "monotonic", lambda now=now: now)
    return until


@pytest.mark.parametrize(
    ("waited", "added"), [(0.0, 0.0), (3.5, 3.5), (1000.0, (CLOCK_FACTOR - 1) * 9.0)]
)
def test_what_both_sides_wait_for_a_core_is_added_to_a_room_s_time_up_to_a_limit(
    waits, room, monkeypatch, waited, added
):
    monkeypatch.setattr(student_process.time, "monotonic", lambda: 100.0)
    room.begin(5.0)
    assert room.channel.deadline == 101.0  # a first look
    waits.both += waited
    assert ends_of(room, monkeypatch, 100.0) == pytest.approx(100 + 5 + 4 + added)


def test_a_room_that_begins_is_watched_in_the_place_of_the_one_that_has_ended(waits, room):
    assert room._waiting.processes == ("self", os.getpid())
    room._waiting.watch("self")
    room.channel.close(ConnectionClosed(Incident.DIED, "its process ended"))
    assert room.set_up("cell", Allowance(5.0, lambda: 0.0))
    assert room._waiting.processes == ("self", os.getpid())


def test_the_room_hears_what_the_examiner_has_waited_since_the_cell_began(waits, room, monkeypatch):
    told = []
    monkeypatch.setattr(room.channel, "notify_later", lambda *message: told.append(message))

    def turn(at, waited=0.0):
        waits.examiner += waited
        monkeypatch.setattr(student_process.time, "monotonic", lambda: at)
        room.channel.before_turn()

    turn(100.0, 3.0)
    turn(100.05, 1.0)  # too soon to look again
    turn(100.2)
    turn(101.0, 2.0)
    assert told == [("waited", seconds) for seconds in (3.0, 4.0, 6.0)]
    room.begin(5.0)
    turn(102.0, 0.15)
    turn(103.0, 0.5)
    assert told[3:] == [("waited", pytest.approx(0.65))]
    room.channel.close(ConnectionClosed(Incident.DIED, "its process ended"))
    turn(104.0, 1.0)
    assert len(told) == 4
