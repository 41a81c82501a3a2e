from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from dplab.audit import goodness_of_fit
from dplab.guarantees import BoundedRange, PureDP
from dplab.mechanisms.quantiles import PrivateQuantile
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, pairs
from tests.refusals import assert_refused

values = st.lists(st.integers(-2, 12), min_size=1, max_size=8)
quantiles = st.sampled_from([0, 0.1, 0.5, 0.75, 1])


def by_the_definition(data, y, lower, upper, epsilon, q):
    """e^{-epsilon |#{x_i < y} - q n| / 2} over its integral on [lower, upper]."""
    data = [min(max(x, lower), upper) for x in data]

    def weight(y):
        return np.exp(-epsilon / 2 * abs(sum(x < y for x in data) - q * len(data)))

    points = sorted({lower, *data, upper})
    total = sum(quad(weight, a, b)[0] for a, b in pairwise(points))
    return weight(y) / total


@given(values, quantiles, st.floats(0.1, 3), st.floats(0.01, 9.99))
@settings(max_examples=60)
def test_density_is_the_definitions(data, q, epsilon, y):
    mechanism = PrivateQuantile(0, 10, epsilon, q)
    if y not in data:
        expected = by_the_definition(data, y, 0, 10, epsilon, q)
        assert np.exp(mechanism.distribution(data).log_density(y)) == pytest.approx(expected)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("q", [0, 0.3, 0.5, 1])
def test_no_neighbours_spend_more_than_epsilon(relation, q):
    mechanism = PrivateQuantile(0, 10, 1.2, q, neighbors=relation)
    losses = [
        mechanism.privacy_loss(x, y)
        for x, y in pairs(relation, universe=(1, 4, 4.5, 9), n=3)
        if len(x)
    ]
    assert mechanism.guarantee == PureDP(1.2)
    assert mechanism.bounded_range == BoundedRange(1.2)
    assert max(loss.largest_log_ratio for loss in losses) <= 1.2
    assert max(loss.largest - loss.smallest for loss in losses) <= 1.2 + 1e-12


def test_epsilon_is_reached():
    """One value crosses the median: the score falls left of it, and rises where nearly all is."""
    loss = PrivateQuantile(0, 1e6, 1.0).privacy_loss((0, 1, 2), (1, 2, 1e6))
    assert loss.largest_log_ratio == pytest.approx(1, abs=1e-5)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=30), quantiles, st.floats(0.1, 3))
def test_the_documented_tail(data, q, epsilon):
    """The score is further than (2 / epsilon)(log(L / w) + t) below the best with P <= e^-t."""
    mechanism = PrivateQuantile(0, 10, epsilon, q)
    law = mechanism.distribution(data)
    middles = (law.edges[1:] + law.edges[:-1]) / 2
    scores = -np.abs((np.array(data)[:, None] < middles).sum(axis=0) - q * len(data))
    best = scores == scores.max()
    log_share = np.log(10) - np.log(np.diff(law.edges)[best].sum())
    for t in (0, 0.5, 1, 3):
        far = scores <= scores.max() - 2 / epsilon * (log_share + t)
        assert law.probabilities[far].sum() <= np.exp(-t) + 1e-9


def test_values_beyond_the_range_count_as_its_ends():
    mechanism = PrivateQuantile(0, 10, 1)
    law, same = mechanism.distribution([-9, 4, 77]), mechanism.distribution([0, 4, 10])
    assert law.edges.tolist() == same.edges.tolist() == [0, 4, 10]
    np.testing.assert_array_equal(law.probabilities, same.probabilities)


def test_equal_values_have_no_length_to_be_found_on():
    """A thousand people say 42, and the law is uniform: on both sides the score is -500."""
    law = PrivateQuantile(0, 100, 1).distribution([42] * 1000)
    np.testing.assert_allclose(law.probabilities, [0.42, 0.58])


def test_secret_size_and_no_data_at_all():
    mechanism = PrivateQuantile(0, 10, 1, neighbors=ADD_REMOVE)
    assert mechanism.sensitivity == 0.5
    assert mechanism.distribution([]).probabilities.tolist() == [1]


def test_a_hundred_thousand_values():
    """Rank error of the median above 60 at epsilon 1: P below 1e-9 by the documented tail."""
    rng = np.random.default_rng()
    data = np.arange(100_000) + 0.5
    mechanism = PrivateQuantile(0, 100_000, 1)
    released = mechanism(data, rng)
    assert abs((data < released).sum() - 50_000) < 66  # 2 (log(1e5) + 21) = 65


def test_draws_follow_the_law():
    """Three tests at 1e-10."""
    rng, data = np.random.default_rng(), [3, 1, 4, 1, 5, 9, 2, 6]
    for q in (0, 0.5, 0.9):
        law = PrivateQuantile(0, 10, 1.5, q).distribution(data)
        assert goodness_of_fit(law.sample(rng, 20_000), law).passed


def test_a_fine_grid_and_the_discrete_mechanism_agree():
    """The law between data points is the limit of the exponential mechanism on ever finer grids."""
    data, k = np.array([2.0, 3, 5, 9]), 4000
    grid = (np.arange(k) + 0.5) * 10 / k
    ranks = (data[:, None] < grid).sum(axis=0)
    fine = ExponentialMechanism(range(k), lambda _: -np.abs(ranks - 2), 1, 2).distribution(data)
    law = PrivateQuantile(0, 10, 2).distribution(data)
    cells = np.digitize(grid, [2, 3, 5, 9])
    np.testing.assert_allclose(np.bincount(cells, fine.probabilities), law.probabilities, rtol=1e-9)


def test_bad_arguments_are_named():
    calls = [
        (lambda: PrivateQuantile(1, 1, 1), "upper must be .*above 1.*, not 1"),
        (lambda: PrivateQuantile(0, 1, 0), "epsilon must be .*above 0"),
        (lambda: PrivateQuantile(0, 1, 1, q=1.1), "q must be .*at most 1, not 1.1"),
        (lambda: PrivateQuantile(0, 1, 1, neighbors="edge"), "neighbors must be one of"),
        (lambda: PrivateQuantile(0, 1, 1).distribution([np.nan]), "data must hold finite numbers"),
    ]
    assert_refused(calls)
