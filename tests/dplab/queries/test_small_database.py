from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.queries import small_database


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 5),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(1, 6),
    st.sampled_from([0.01, 1.0, 10.0]),
)
def test_the_law_keeps_epsilon_and_is_that_of_the_scores(seed, n, size, cells, k, epsilon):
    rng = np.random.default_rng(seed)
    queries = rng.choice([0, 0.5, 1], size=(k, cells))
    mechanism = small_database(queries, n, size, epsilon=epsilon)
    x = rng.integers(cells, size=n)
    y = x.copy()
    y[0] = rng.integers(cells)
    p, q = mechanism.distribution(x), mechanism.distribution(y)
    assert len(p.outcomes) == comb(size + cells - 1, size)
    assert all(sum(table) == size for table in p.outcomes)
    assert np.abs(p.log_probabilities - q.log_densities(p.outcomes)).max() <= epsilon * (1 + 1e-9)
    truth = queries @ np.bincount(x, minlength=cells) / n
    off = np.array([np.abs(queries @ table / size - truth).max() for table in p.outcomes])
    logs = -epsilon * n * off / 2
    assert p.log_probabilities == pytest.approx(logs - np.logaddexp.reduce(logs))


def test_the_error_is_within_the_theorems():
    """k = 15 subsets of 4 cells, n = 2,000, m = 12, epsilon = 1: but for e^-21 < 1e-9."""
    rng = np.random.default_rng()
    queries = np.array([[i >> b & 1 for b in range(4)] for i in range(1, 16)])
    x, m, n = rng.integers(4, size=2000), 12, 2000
    table = np.array(small_database(queries, n, m, epsilon=1.0)(x, rng))
    alpha = np.sqrt(np.log(2 * 15) / (2 * m))
    off = np.abs(queries @ table / m - queries @ np.bincount(x, minlength=4) / n).max()
    assert off <= alpha + 2 / n * (np.log(comb(m + 3, m)) + 21)


def test_the_most_datasets_that_there_may_be_are_not_too_many(monkeypatch):
    with pytest.raises(ValueError, match="size must be smaller: more than 200000 datasets of 2"):
        small_database([[1, 0]], 10, 200_000, epsilon=1.0)
    monkeypatch.setitem(small_database.__globals__, "MAX_DATASETS", comb(7, 5))
    assert len(small_database([[1, 0, 0]], 10, 5, epsilon=1.0).candidates) == comb(7, 5)
    with pytest.raises(ValueError, match="size must be smaller"):
        small_database([[1, 0, 0]], 10, 6, epsilon=1.0)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="size must be smaller: more than 200000 datasets"):
        small_database(np.ones((1, 40)), 10, 5, epsilon=1.0)
    for queries in ([[2, 0]], [[1.5, 0]], [[0, -0.5]], [1, 0], [[[1, 0]]]):
        with pytest.raises(ValueError, match="queries must be of shape"):
            small_database(queries, 10, 5, epsilon=1.0)
    for n, size, name in ((0, 5, "n"), (10, 0, "size")):
        with pytest.raises(ValueError, match=f"{name} must be .* at least 1, not 0"):
            small_database([[1, 0]], n, size, epsilon=1.0)
    with pytest.raises(ValueError, match=r"data must be n = 3 records$"):
        small_database([[1, 0]], 3, 5, epsilon=1.0)([0, 1], np.random.default_rng())


def test_small_database_on_many_cells():
    found = small_database(np.zeros((1, 2000)), n=4, size=1, epsilon=1.0)
    assert len(found.candidates) == 2000
    assert sum(found.candidates[7]) == 1
