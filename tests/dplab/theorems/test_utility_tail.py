from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.mechanisms.selection import ExponentialMechanism
from dplab.theorems.utility_tail import utility_tail

score_lists = st.lists(st.floats(-50, 50), min_size=1, max_size=8)


def itself(data):
    return data


def choice(scores, epsilon, sensitivity=1.0, **options):
    return ExponentialMechanism(range(len(scores)), itself, sensitivity, epsilon, **options)


@given(score_lists, st.floats(0.05, 10), st.floats(0.1, 20), st.booleans())
def test_it_holds_for_random_scores(scores, epsilon, sensitivity, monotone):
    mechanism = choice(scores, epsilon, sensitivity, monotone=monotone)
    assert utility_tail(mechanism, scores, np.linspace(0, 9, 19)).holds


def test_it_holds_for_all_small_scores_by_enumeration():
    for scores in product((0, 1, 4), repeat=4):
        tail = utility_tail(choice(scores, 1.0), scores, [0, 0.3, 1])
        for floor, probability in zip(tail.floors, tail.tails, strict=True):
            weights = np.exp(np.array(scores) / 2)
            low = np.array(scores) <= floor
            assert probability == pytest.approx(weights[low].sum() / weights.sum())
        assert tail.holds


@pytest.mark.parametrize("m", [2, 10, 1000])
def test_worst_case_of_the_gap(m):
    """One best, all others g below: the gap is g e^-g (m - 1) / (1 + (m - 1) e^-g) at rate 1."""
    for g in (0.5, 1, np.log(m), 5):
        scores = np.append(np.zeros(m - 1), g)
        tail = utility_tail(choice(scores, 2.0), scores, 0)
        expected = g * np.exp(-g) * (m - 1) / (1 + (m - 1) * np.exp(-g))
        assert tail.gap == pytest.approx(expected)
        assert tail.gap <= tail.largest_gap == pytest.approx(np.log(m))


def test_the_bound_is_nearly_reached():
    """A million candidates, all but one at the depth of t = 1: probability 1 / (1 + e)."""
    m = 1_000_000
    scores = np.append(np.full(m - 1, -(np.log(m) + 1)), 0)
    tail = utility_tail(choice(scores, 2.0), scores, 1)
    assert tail.tails[0] == pytest.approx(1 / (1 + np.e), rel=1e-5)


def test_impossible_candidates_count_and_cost_nothing():
    tail = utility_tail(choice((0, 3, -np.inf), 1.0), (0, 3, -np.inf), [0, 1])
    assert tail.holds
    assert np.isfinite(tail.gap)


def test_twice_the_rate_would_not_do():
    """The bound with epsilon / sensitivity in place of half of it is violated."""
    scores = np.append(np.zeros(99), 8.0)
    tail = utility_tail(choice(scores, 1.0), scores, 0)
    assert tail.largest_gap == pytest.approx(2 * np.log(100))
    assert tail.gap > np.log(100)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="t must be at least 0, not -1"):
        utility_tail(choice((0, 1), 1.0), (0, 1), -1)
