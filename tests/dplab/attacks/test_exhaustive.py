from itertools import product

import numpy as np
import pytest

from dplab.attacks.exhaustive import MidpointCurator, consistent_datasets
from dplab.queries import random_queries
from tests.refusals import assert_refused


def all_queries(n):
    return np.array(list(product((0, 1), repeat=n)))


@pytest.mark.parametrize("n", [3, 10, 19])  # the last in two blocks
def test_finds_exactly_what_is_consistent(n):
    rng = np.random.default_rng(n)
    queries, secret = random_queries(6, n, rng), rng.integers(2, size=n)
    answers = queries @ secret + rng.uniform(-2, 2, size=6)
    everybody = np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1
    kept = (abs(everybody @ queries.T - answers) <= 2).all(axis=1)
    assert (consistent_datasets(queries, answers, error=2) == everybody[kept]).all()
    assert kept.any()


def test_a_few_dozen_random_queries_leave_the_secret_alone():
    """Another dataset of 16 people survives 200 queries with probability far below 1e-9: where k
    bits differ the difference of counts is at least 1 for 1/2 of the queries, and an error that is
    uniform on [-1, 1] then contradicts with probability 1/4 at least."""
    rng = np.random.default_rng()
    queries, secret = random_queries(200, 16, rng), rng.integers(2, size=16)
    answers = queries @ secret + rng.uniform(-1, 1, size=200)
    assert consistent_datasets(queries, answers, error=1).tolist() == [secret.tolist()]


@pytest.mark.parametrize(("n", "error"), [(4, 1), (8, 1), (8, 2), (12, 3)])
def test_the_midpoint_curator_keeps_four_times_its_error(n, error):
    secret = np.tile([1, 0], n // 2)
    curator, queries = MidpointCurator(secret, error), all_queries(n)
    answers = curator.ask(queries)
    assert abs(answers - queries @ secret).max() == error
    found = consistent_datasets(queries, answers, error)
    assert secret.tolist() in found.tolist()
    assert curator.decoy.tolist() in found.tolist()
    assert abs(found - secret).sum(axis=1).max() == 4 * error
    assert abs(curator.decoy - secret).sum() == 4 * error


def test_no_curator_keeps_more_than_four_times_its_error():
    """Whatever the errors, with all subsets asked."""
    rng = np.random.default_rng(8)
    queries = all_queries(9)
    for _ in range(20):
        secret, error = rng.integers(2, size=9), int(rng.integers(1, 3))
        answers = queries @ secret + rng.integers(-error, error + 1, size=len(queries))
        found = consistent_datasets(queries, answers, error)
        assert abs(found - secret).sum(axis=1).max() <= 4 * error


def test_contradicting_answers_leave_nothing():
    assert consistent_datasets([[1, 1], [1, 1]], [0, 2], error=0.5).shape == (0, 2)
    assert consistent_datasets([[1, 1]], [-3], error=1).shape == (0, 2)
    assert consistent_datasets([[1, 1]], [1000], error=1).shape == (0, 2)


def test_bad_arguments_are_named():
    calls = [
        (lambda: consistent_datasets([[1, 2]], [1], 0), "queries must hold whole numbers"),
        (lambda: consistent_datasets([[1, 0]], [1, 2], 0), "must be .m, n. and .m,."),
        (lambda: consistent_datasets([[1, 0]], [1], -1), "error must be"),
        (lambda: consistent_datasets(np.ones((1, 32)), [1], 0), "1 to 31 people, not 32"),
        (lambda: MidpointCurator([1, 0, 0], 1), "2 ones and as many zeros"),
        (lambda: MidpointCurator([1, 0], 0), "error must be a whole number"),
    ]
    assert_refused(calls)
