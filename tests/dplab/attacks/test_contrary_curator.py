import numpy as np
import pytest

from dplab.attacks.contrary_curator import ContraryCurator
from dplab.attacks.least_squares import least_squares
from dplab.queries import random_queries
from tests.refusals import assert_refused


def test_answers_are_within_the_error():
    rng = np.random.default_rng(6)
    queries, secret = random_queries(200, 30, rng), rng.integers(2, size=30)
    errors = ContraryCurator(secret, error=1.5).ask(queries) - queries @ secret
    assert set(abs(errors)) <= {0.0, 1.5}


def test_errors_point_to_the_opposite_bits():
    """The correlation with each person's pull, summed over people, is as large as can be."""
    rng = np.random.default_rng(7)
    queries, secret = random_queries(300, 20, rng), rng.integers(2, size=20)
    errors = ContraryCurator(secret, error=1.0).ask(queries) - queries @ secret
    pulls = (queries - 0.5) @ (1 - 2 * secret)
    assert errors @ pulls == pytest.approx(abs(pulls).sum())


def test_no_error_is_the_truth():
    assert ContraryCurator([1, 0, 1], error=0).ask(np.eye(3)).tolist() == [1, 0, 1]


def test_random_errors_of_the_same_size_do_much_less():
    """100 people, 1,600 queries: wrong are most bits against none. Beyond by far more than six
    standard deviations of either share, so by chance with probability below 1e-9."""
    rng = np.random.default_rng()
    queries, secret = random_queries(1600, 100, rng), np.arange(100) % 2
    lies = ContraryCurator(secret, error=5).ask(queries)
    noisy = queries @ secret + 5 * rng.choice([-1, 1], size=1600)
    assert least_squares(queries, lies).accuracy(secret) < 0.5
    assert least_squares(queries, noisy).accuracy(secret) > 0.75


def test_bad_arguments_are_named():
    calls = [
        (lambda: ContraryCurator([0, 2], 1), "secret must hold whole numbers"),
        (lambda: ContraryCurator([0, 1], -1), "error must be"),
    ]
    assert_refused(calls)
