"""Edges anywhere among the floats, each side held to what it promises."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.bisection import between, edge


@given(st.floats(5e-324, 1.7e308))
def test_the_two_sides_hold_the_edge_between_them(at):
    low, high = edge(lambda x: x <= at)
    assert low <= at < high
    assert high - low <= max(1e-12 * high, math.ulp(high))


@pytest.mark.parametrize(("holds", "found"), [(True, math.inf), (False, 0)])
def test_an_edge_beyond_all_floats(holds, found):
    low, high = edge(lambda x: holds)
    assert (high if holds else low) == found


@given(st.floats(-1e300, 1e300), st.floats(1e-15, 0.1))
def test_it_stops_as_close_as_was_asked(at, relative):
    low, high = between(lambda x: x < at, at - 1e305, at + 1e305, relative)
    assert low < at <= high
    assert high - low <= max(relative * abs(high), math.ulp(high)) or at <= 0
