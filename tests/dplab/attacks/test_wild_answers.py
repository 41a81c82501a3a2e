import numpy as np
import pytest
from scipy.stats import norm

from dplab.attacks.least_squares import random_queries
from dplab.attacks.linear_program import least_absolute
from dplab.attacks.wild_answers import MOST_WILD, wild_answers


def test_the_largest_239_in_1000_normal_numbers_hold_half_of_the_sum():
    threshold = norm.isf(MOST_WILD / 2)
    assert 2 * norm.pdf(threshold) == pytest.approx(norm.expect(abs) / 2)
    assert pytest.approx(0.2390319, abs=1e-7) == MOST_WILD


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
        (([[1, 0]], [1, 0], 1.1), "share must be"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        wild_answers(*arguments)
