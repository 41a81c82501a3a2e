"""The half range of scores: at most their sensitivity, and as good where differences decide."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.audit import exact_epsilon
from dplab.mechanisms.noisy_max import ReportNoisyMax
from dplab.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, half_range, sensitivity

tables = st.lists(st.lists(st.floats(-10, 10), min_size=3, max_size=3), min_size=4, max_size=4).map(
    np.array
)


def counts(data):
    return [data.count(value) for value in "abc"]


def distances(data):
    """How far each place is from where people live, in all."""
    return [-sum(abs("abc".index(record) - place) for record in data) for place in range(3)]


@given(tables)
def test_lies_between_half_the_sensitivity_of_one_score_and_that_of_all(table):
    def scores(data):
        return table[2 * data[0] + data[1]]

    half = half_range(scores, REPLACE_ONE, (0, 1), 2)
    assert half <= sensitivity(scores, REPLACE_ONE, (0, 1), 2, norm=np.inf) + 1e-12
    lifted = half_range(lambda data: scores(data) + 100 * data[0], REPLACE_ONE, (0, 1), 2)
    assert lifted == pytest.approx(half)  # what moves all scores alike doesn't count


@pytest.mark.parametrize(
    ("scores", "relation", "half", "full"),
    [(counts, REPLACE_ONE, 1, 1), (counts, ADD_REMOVE, 0.5, 1), (distances, ADD_REMOVE, 1, 2)],
)
def test_known_cases(scores, relation, half, full):
    assert half_range(scores, relation, "abc", 3) == half
    assert sensitivity(scores, relation, "abc", 3, norm=np.inf) == full


@pytest.mark.parametrize("kind", [ExponentialMechanism, PermuteAndFlip, ReportNoisyMax])
def test_selections_may_be_given_it_for_the_sensitivity(kind):
    half = half_range(distances, ADD_REMOVE, "abc", 3)
    mechanism = kind(range(3), distances, half, 1.0, neighbors=ADD_REMOVE)
    assert 0.4 < exact_epsilon(mechanism, "abc", 3).epsilon <= 1 + 1e-9


def test_less_than_the_half_range_is_not_enough():
    def sides(data):
        return [data.count("a") - data.count("b"), 0]

    half = half_range(sides, ADD_REMOVE, "ab", 6)
    mechanism = PermuteAndFlip(range(2), sides, half, 1.0, neighbors=ADD_REMOVE)
    assert half == 0.5
    assert exact_epsilon(mechanism, "ab", 6).epsilon == pytest.approx(1)


def test_a_universe_without_neighbours_is_refused():
    with pytest.raises(ValueError, match="no neighbouring datasets"):
        half_range(counts, REPLACE_ONE, "a", 2)
