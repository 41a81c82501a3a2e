"""What is too large to be counted in a table is refused by name, before memory is asked for it."""

import tracemalloc

import numpy as np
import pytest

from dplab import ZCDP, PureDP
from dplab.budget import Budget
from dplab.interaction import Curator
from dplab.learning import intervals, single_points, thresholds
from dplab.queries import (
    MWEM,
    HadamardQueries,
    IntervalQueries,
    MarginalQueries,
    OnlineWeights,
    nearest_table,
    tree_mechanism,
)
from dplab.synthesis import TopDown, bernstein_mechanism


def online(cells):
    curator = Curator(np.ones(2), Budget(ZCDP(1)), np.random.default_rng())
    return OnlineWeights(curator, cells, 10, threshold=1, rho=0.1)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: MWEM(MarginalQueries((2,) * 40, 3), 10, 3, PureDP(1)), "1,099,511,627,776 cells"),
        (lambda: MarginalQueries((2,) * 70, 1), "cells and 70 tables: too many"),
        (lambda: MarginalQueries((1,) * 64, 32), "tables: too many"),
        (lambda: online(2**40), "cells must be a whole number of at least 1, at most"),
        (lambda: tree_mechanism(2**40, epsilon=1), "n must be a whole number of at least 1, at"),
        (lambda: IntervalQueries.every(2**20), "n must be a whole number of at least 1, at most"),
        (lambda: IntervalQueries.thresholds(2**40), "n must be a whole number of at least 1, at"),
        (lambda: IntervalQueries(2**40, [0], [1]), "n must be a whole number of at least 1, at"),
        (lambda: HadamardQueries(2**40), "1,099,511,627,776 queries on 1,099,511,627,776 cells"),
        (lambda: TopDown((10**5,) * 3, 10, (1, 1, 1)), "too many cells: at most"),
        (lambda: bernstein_mechanism(lambda d, t: t, 1, 10**12, epsilon=1), "K must be a whole"),
        (lambda: thresholds(10**7), "points must be fewer than 10,000,000: 10,000,001 rules"),
        (lambda: single_points(10**6), "points must be fewer than 1,000,000"),
        (lambda: intervals(10**4), "points must be fewer than 10,000: 50,005,001 rules"),
    ],
)
def test_too_large(make, says):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=says):
            make()
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n", [2**24 + 1, 30_000_001, 2**40 + 1])
def test_a_person_moves_an_answer_by_one_however_many_there_are(n):
    """MWEM counts on it: Hadamard answers in single precision would move by more."""
    queries = HadamardQueries(8)
    table = np.array([n, 0, 3, n // 3, 5, 1, n // 7, 2], dtype=float)
    for here, there in ((0, 1), (3, 6), (6, 4)):
        moved = table.copy()
        moved[here] -= 1
        moved[there] += 1
        assert abs(queries @ moved - queries @ table).max() <= 1


def test_queries_for_a_projection_have_no_negative_entries():
    with pytest.raises(ValueError, match=r"queries must have entries of at least 0, not -1.0"):
        nearest_table([[1, -1]], [0.5], n=2)
