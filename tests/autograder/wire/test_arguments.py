"""Whether a change of an argument is noticed: of any plain value, by any way to change it."""

import copy
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.wire.arguments import _print_of, find_changes, repeat_changes, take_snapshots

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 300)
    | st.floats(-2, 2, width=16)
    | st.just(math.nan)
    | st.text("ab", max_size=2)
    | st.sampled_from([np.float64(1), np.int64(1), np.bool_(True), 1j, b"a"])
)
KEYS = st.integers(-1, 1) | st.tuples(st.integers(0, 1), st.integers(0, 1)) | st.text("ab")
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.tuples(inner, inner)
        | inner.map(lambda one: [one, one])
    ),
)
CONTAINERS = st.lists(VALUES, max_size=4) | st.dictionaries(KEYS, VALUES, max_size=4)


@given(CONTAINERS, CONTAINERS)
def test_it_is_another_one_where_another_is_written(old, new):
    value = copy.deepcopy(old)
    before, written = take_snapshots([value]), _print_of(value)
    if type(value) is type(new) is list:
        value[:] = new
    elif type(value) is type(new) is dict:
        value.clear()
        value.update(new)
    changed = _print_of(value) != written
    assert find_changes(before, [value]) == ([[0, value]] if changed else [])


@given(CONTAINERS)
def test_equal_parts_in_the_place_of_others_are_no_change(value):
    before = take_snapshots([value])
    for place in value if type(value) is dict else range(len(value)):
        if type(value[place]) is float:
            value[place] = value[place] * 1.0
    assert find_changes(before, [value]) == []


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ([1, 2], lambda v: v.reverse()),
        ([1, 2], lambda v: v.append(3)),
        ([1, 2], lambda v: v.pop()),
        ([1], lambda v: v.__setitem__(0, True)),
        ([0.0], lambda v: v.__setitem__(0, -0.0)),
        ([1], lambda v: v.__setitem__(0, np.int64(1))),
        ([[1], 2], lambda v: v[0].append(1)),
        ([(1, [2])], lambda v: v[0][1].append(1)),
        ({(0, 1): 0.5}, lambda v: v.__setitem__((0, 1), 0.25)),
        ({(0, 1): 0.5}, lambda v: v.clear()),
        ({"a": 1, "b": 2}, lambda v: v.update(a=2, b=1)),
        ({"a": 1, "b": 2}, lambda v: v.update(a=v.pop("a"))),  # now the last
        ({"a": 1}, lambda v: v.update(b=v.pop("a"))),
        ([{"a": 1}, [2]], lambda v: v[0].update(b=v[0].pop("a"))),
        ({"a": [1]}, lambda v: v["a"].append(1)),
        ({1}, lambda v: v.add(2)),
        (bytearray(b"ab"), lambda v: v.reverse()),
        (np.zeros(2), lambda v: v.__setitem__(1, 1)),
        ((1, [2]), lambda v: v[1].clear()),
        ([[1]] * 2, lambda v: v.__setitem__(1, [1])),  # two lists now
        ([[1], [1]], lambda v: v.__setitem__(1, v[0])),  # one list now
        ({"a": {(0,): [1]}}, lambda v: v["a"].__setitem__((0,), [1, 2])),
        ([[[1], 2], {3}], lambda v: v[0][0].append(1)),
    ],
)
def test_each_way_to_change_one_is_noticed(value, change):
    before = take_snapshots([value])
    change(value)
    assert find_changes(before, [value]) == [[0, value]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (np.zeros(2), np.zeros(3)),
        (np.array([1, 2]), np.array([1.5, 2.5])),
        (np.zeros(2), np.ones((1, 2))),
        (bytearray(b"a"), bytearray(b"bc")),
        ((1, 2), (3, 4)),
        ((1, 2), (1, 2, 3)),
        ((1, [2]), (1, [3])),
    ],
)
def test_another_part_in_the_place_of_one_is_repeated(old, new):
    for value, changed in ([old], [new]), ({"k": old}, {"k": new}):
        value, wanted = copy.deepcopy(value), _print_of(changed)
        repeat_changes([value], [[0, copy.deepcopy(changed)]])
        assert _print_of(value) == wanted


def parted(rows):
    rows[0] = [1]


def first_changed(rows):
    rows[0].append(1)


def joined(rows):
    rows[1] = rows[0]
    rows[0].append(1)


@pytest.mark.parametrize("act", [parted, first_changed, joined])
@pytest.mark.parametrize("as_dict", [False, True])
@pytest.mark.parametrize("rows", [[[0]] * 2, [[0], [0]]], ids=["one row", "two rows"])
def test_rows_that_were_one_or_are_one_now_are_changed_as_they_were(act, as_dict, rows):
    given = dict(enumerate(copy.deepcopy(rows))) if as_dict else copy.deepcopy(rows)
    there = copy.deepcopy(given)
    act(there)
    wanted = copy.deepcopy(there)
    repeat_changes([given], [[0, there]])
    assert given == wanted


def test_an_argument_that_is_given_twice_is_changed_once():
    row: list = []
    now = [1]
    repeat_changes([row, row, [row]], [[0, now], [1, now], [2, [now]]])
    assert row == [1]
