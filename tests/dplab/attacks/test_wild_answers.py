import numpy as np
import pytest
from scipy.stats import binom, norm

from dplab.attacks.linear_program import least_absolute
from dplab.attacks.wild_answers import MAX_WILD_SHARE, wild_answers
from dplab.queries import random_queries


def test_the_largest_239_in_1000_normal_numbers_hold_half_of_the_sum():
    threshold = norm.isf(MAX_WILD_SHARE / 2)
    assert 2 * norm.pdf(threshold) == pytest.approx(norm.expect(abs) / 2)
    assert pytest.approx(0.2390319, abs=1e-7) == MAX_WILD_SHARE


def share_that_breaks(up, down):
    """The share of random queries whose |difference| is largest, and half of the whole sum.

    The other dataset has 1 for 0 at `up` places and 0 for 1 at `down`, so that the difference is
    one binomial number less another; by their exact laws.
    """
    law = np.convolve(binom.pmf(range(up + 1), up, 0.5), binom.pmf(range(down + 1), down, 0.5))
    chances = np.bincount(abs(np.arange(-down, up + 1)), law)
    held, left = 0.0, (chances * np.arange(len(chances))).sum() / 2
    for size in range(len(chances) - 1, 0, -1):
        if chances[size] * size >= left * (1 - 1e-12):
            return held + left / size
        held, left = held + chances[size], left - chances[size] * size


def test_the_limit_needs_a_dataset_that_differs_both_ways():
    """With as many bits up as down it is near 0.239; from 1s alone nothing breaks below 1/4."""
    both = [share_that_breaks(k, k) for k in (20, 100, 500)]
    assert both == pytest.approx([MAX_WILD_SHARE] * 3, abs=5e-3)
    one_way = [share_that_breaks(0, k) for k in range(1, 200)]
    assert min(one_way) == pytest.approx(0.25)
    assert one_way[:2] == pytest.approx([0.25, 0.25])
    assert share_that_breaks(1, 0) == pytest.approx(0.25)
    assert share_that_breaks(0, 100) > 0.4


def test_a_share_of_the_answers_is_wild():
    queries, secret = random_queries(80, 12, np.random.default_rng(2)), np.arange(12) % 2
    answers, truth = wild_answers(queries, secret, 0.25), queries @ secret
    opposite = queries.sum(axis=1) - truth
    wild = answers != truth
    assert (answers[wild] == opposite[wild]).all()
    assert wild.sum() == 20
    assert abs(opposite - truth)[wild].min() >= abs(opposite - truth)[~wild].max()


@pytest.mark.parametrize(("share", "right"), [(0.18, 1.0), (0.3, 0.0)])
def test_all_bits_or_none(share, right):
    queries, secret = random_queries(320, 16, np.random.default_rng(3)), np.arange(16) % 2
    found = least_absolute(queries, wild_answers(queries, secret, share))
    assert found.accuracy(secret) == right


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1, 0]], [1, 0, 1], 0.1), r"must be \(m, n\) and \(n,\)"),
        (([[1, 2]], [1, 0], 0.1), "queries must hold whole numbers"),
        (([[1, 0]], [1, 2], 0.1), "secret must hold whole numbers"),
        (([[1, 0]], [1, 0], 1.1), "share must be"),
        (([[1, 0]], [1, 0], -0.1), "share must be"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        wild_answers(*arguments)
