"""The tree mechanism: what it adds up, what it promises, how far it is off, and its stream."""

from fractions import Fraction

import numpy as np
import pytest

from dplab import ADD_REMOVE, REPLACE_ONE, DiscreteLaplace
from dplab.audit import goodness_of_fit
from dplab.neighbors import pairs
from dplab.queries import (
    IntervalQueries,
    continual_counts,
    tree,
    tree_mechanism,
    tree_thresholds,
)
from tests.refusals import assert_refused


@pytest.mark.parametrize("n", range(1, 40))
def test_thresholds_are_sums_of_nodes(n):
    """Exactly: of all nodes, whatever is in them, a threshold takes those of its binary digits."""
    rng = np.random.default_rng(n)
    counts = rng.integers(10, size=n)
    exact = tree_thresholds(IntervalQueries.tree(n) @ counts, n)
    assert exact.tolist() == [0, *np.cumsum(counts).tolist()]
    units = np.array([tree_thresholds(row, n) for row in np.eye(len(IntervalQueries.tree(n)))])
    used = units.sum(axis=0)  # nodes that a threshold is made of
    assert used.tolist() == [t.bit_count() for t in range(n + 1)]


@pytest.mark.parametrize("relation", [ADD_REMOVE, REPLACE_ONE])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_no_neighbours_differ_by_more_than_the_sensitivity(n, relation):
    """And some add a record of the first bin, which all levels count."""
    mechanism = tree_mechanism(n, epsilon=0.5, neighbors=relation)
    moved = [
        abs(mechanism.query(x) - mechanism.query(y)).sum() for x, y in pairs(relation, range(n), 2)
    ]
    assert max(moved, default=0) <= mechanism.sensitivity
    if relation == ADD_REMOVE:
        assert max(moved) == n.bit_length() == mechanism.sensitivity
    assert mechanism.guarantee.epsilon == 0.5
    assert mechanism.neighbors == relation


@pytest.mark.parametrize("n", [1, 6, 32])
def test_all_thresholds_cost_epsilon_and_no_more(n):
    """The loss of an added first record is epsilon's, exactly."""
    mechanism = tree_mechanism(n, epsilon=Fraction(1, 2))
    loss = mechanism.privacy_loss((0, n - 1), (n - 1,))
    assert loss.largest == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("n", [1, 100, 1000])
def test_errors_are_within_the_formula_of_the_docstring(n):
    """A node's variance is that of the discrete Laplace law, below 2 scale^2; a threshold has at
    most L nodes, an interval at most those of two."""
    levels, noise = n.bit_length(), tree_mechanism(n, epsilon=0.5).noise
    assert noise.scale == levels / Fraction(1, 2)
    assert noise.variance < 2 * float(noise.scale) ** 2
    most = max(t.bit_count() for t in range(n + 1))
    assert most <= levels


def test_noise_of_a_running_count_follows_the_law():
    """A first step's count is one node, with the noise of all levels; false failure 1e-10."""
    rng = np.random.default_rng()
    draws = [next(continual_counts([5], 8, epsilon=4, rng=rng)) for _ in range(20_000)]
    law = DiscreteLaplace(Fraction(5), Fraction(4, 4)).clamp(-20, 30)
    assert goodness_of_fit(np.clip(draws, -20, 30), law, failure=1e-10).passed


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 21, 64])
def test_a_running_count_is_what_the_thresholds_of_the_tree_say(n, monkeypatch):
    """Noises are given out in the order in which nodes are complete: by their end, then length."""
    rows, rng = np.asarray(IntervalQueries.tree(n)), np.random.default_rng(n)
    ends = [np.flatnonzero(row)[-1] for row in rows]
    complete = [np.flatnonzero(np.equal(ends, t))[-1] for t in range(n)]  # the longest is used
    noises = rng.integers(-1000, 1000, size=n)
    source = iter(noises.tolist())
    monkeypatch.setattr(tree, "discrete_laplace", lambda scale, rng: next(source))
    steps = rng.integers(-(10**6), 10**6, size=n).tolist()
    nodes = rows @ np.array(steps)
    nodes[complete] += noises
    found = list(continual_counts(steps, n, epsilon=1, rng=None))
    assert found == tree_thresholds(nodes, n)[1:].tolist()


def test_a_stream_is_read_one_step_at_a_time_and_is_not_told_of_the_next():
    read = []

    def steps():
        for step in (1, 0, 1):
            read.append(step)
            yield step

    counts = continual_counts(steps(), 4, epsilon=1, rng=np.random.default_rng())
    assert read == []
    next(counts)
    assert read == [1]


def test_a_step_is_at_least_minus_2_to_the_62():
    rng = np.random.default_rng()
    assert next(continual_counts([-(2**62)], 1, epsilon=1e6, rng=rng)) == -(2**62)
    with pytest.raises(ValueError, match=f"steps must be .* at least -{2**62}$"):
        next(continual_counts([-(2**62) - 1], 1, epsilon=1e6, rng=rng))


def test_no_data_is_data():
    assert len(tree_mechanism(3, epsilon=1)((), np.random.default_rng())) == 4


def test_bad_arguments_are_named():
    calls = [
        (lambda: tree_mechanism(0, epsilon=1), "n must be a whole number"),
        (lambda: tree_mechanism(3, epsilon=0), "epsilon must be"),
        (lambda: tree_mechanism(3, epsilon=1, neighbors="edge"), "neighbors must be one of"),
        (lambda: tree_mechanism(3, epsilon=1).query([3]), "data must hold whole numbers from 0"),
        (lambda: tree_mechanism(3, epsilon=1).query([-1]), "data must hold whole numbers from 0"),
        (lambda: tree_thresholds([1, 2], 2), "nodes must be 3 numbers for n = 2"),
        (lambda: tree_thresholds([[1]], 1), "nodes must be 1 numbers for n = 1, not"),
        (lambda: tree_thresholds([1], 0), "n must be a whole number of at least 1, not 0"),
        (
            lambda: list(continual_counts([1, 1], 1, epsilon=1, rng=np.random.default_rng())),
            "n = 1",
        ),
        (lambda: list(continual_counts([0.5], 1, epsilon=1, rng=None)), "steps must be a whole"),
        (lambda: list(continual_counts([1], 1, epsilon=0, rng=None)), "epsilon must be .* above 0"),
        (
            lambda: list(continual_counts([1], 1, epsilon=-0.5, rng=None)),
            "epsilon must be .* above 0",
        ),
        (lambda: list(continual_counts([1], 0, epsilon=1, rng=None)), "n must be a whole number"),
    ]
    assert_refused(calls)


def test_a_tree_over_a_numpy_integer():
    assert tree_mechanism(np.int64(1000), epsilon=0.5).noise.scale == 20


@pytest.mark.parametrize("n", [np.uint8(255), np.int8(127)])
def test_thresholds_over_a_small_integer(n):
    nodes = IntervalQueries.tree(int(n)) @ np.ones(int(n))
    assert tree_thresholds(nodes, n).tolist() == list(range(int(n) + 1))
