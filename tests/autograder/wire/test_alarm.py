"""The alarm: a cell's time is the clock's without what was waited for a core."""

import time

import pytest

from autograder.wire import alarm
from autograder.wire.alarm import Alarm, CellTimeout
from autograder.wire.waiting import CLOCK_FACTOR


def seconds_until_the_alarm(seconds, monkeypatch, waits):
    """By the clock; `waits` is the share of it for which the process has no core."""
    began = time.monotonic()
    monkeypatch.setattr(alarm, "LOOK_SECONDS", 0.01)
    ringing = Alarm(lambda: False, lambda: waits * (time.monotonic() - began))
    ringing.set(seconds, "over")
    with pytest.raises(CellTimeout, match="over"):
        time.sleep(10)
    ringing.off()
    return time.monotonic() - began


def test_what_sleeps_has_its_time_by_the_clock(monkeypatch):
    assert 0.2 <= seconds_until_the_alarm(0.2, monkeypatch, waits=0.0) < 5


def test_what_waits_for_a_core_half_of_the_time_has_twice_as_long(monkeypatch):
    assert 0.4 <= seconds_until_the_alarm(0.2, monkeypatch, waits=0.5) < 5


def test_nothing_has_more_than_so_many_times_as_long(monkeypatch):
    took = seconds_until_the_alarm(0.1, monkeypatch, waits=1.0)
    assert 0.1 * CLOCK_FACTOR <= took < 0.1 * CLOCK_FACTOR + 5


def test_a_conversation_is_not_interrupted():
    ends = time.monotonic() + 0.5
    ringing = Alarm(lambda: time.monotonic() < ends, lambda: 0.0)
    ringing.set(0.05, "over")
    with pytest.raises(CellTimeout):
        time.sleep(10)
    ringing.off()
    assert time.monotonic() >= ends
