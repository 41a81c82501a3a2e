"""The small database mechanism: choose a small dataset that answers like the data.

Take k queries with answers as shares of the people. Some dataset of m = log(2 k) / (2 alpha^2)
records answers all of them to within alpha: by Hoeffding and the union bound, m records drawn from
the data do so with positive probability. The exponential mechanism over all datasets of m records,
scored by minus the largest error, whose sensitivity is 1 / n, finds one within

    alpha + 2 / (epsilon n) (log N + t)     with probability 1 - e^-t,     N <= cells^m datasets,

for any number of queries. The best alpha gives the rate (log(k) log(cells) / (epsilon n))^{1/3}.
The mechanism must look at all N datasets: it is a theorem rather than a tool. Source: Blum, Ligett
and Roth (2013).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.queries.linear import table_of

MAX_DATASETS = 200_000  # among which the mechanism chooses


def small_database(
    queries: ArrayLike, n: int, size: int, *, epsilon: float
) -> ExponentialMechanism:
    """Return the mechanism above; outputs are tables of `size` records, tuples of counts.

    `queries` have shape (k, cells) and entries from 0 to 1; data are n records, whole numbers from
    0 to cells - 1, of which one may be replaced. It is epsilon-DP. Raises ValueError for other
    arguments, and for more than 200,000 datasets.

    >>> halves = small_database([[1, 1, 0, 0], [1, 0, 1, 0]], n=4, size=2, epsilon=60.0)
    >>> table = np.array(halves([0, 0, 3, 3], np.random.default_rng(0)))
    >>> np.array([[1, 1, 0, 0], [1, 0, 1, 0]]) @ table / 2
    array([0.5, 0.5])
    """
    queries = arguments.reals("queries", queries)
    if queries.ndim != 2 or (queries < 0).any() or (queries > 1).any():
        raise ValueError("queries must be of shape (k, cells), with entries from 0 to 1")
    n, size = arguments.whole("n", n, least=1), arguments.whole("size", size, least=1)
    cells = queries.shape[1]
    if comb(size + cells - 1, size) > MAX_DATASETS:
        raise ValueError(
            f"size must be smaller: more than {MAX_DATASETS} datasets of {cells} cells"
        )
    candidates = list(_list_tables(cells, size))
    answers = np.array(candidates) @ queries.T / size

    def scores(data: Any) -> np.ndarray:
        data = records.sized("data", data)
        if len(data) != n:
            raise ValueError(f"data must be n = {n} records")
        return -np.abs(answers - queries @ table_of(data, cells) / n).max(axis=1)

    return ExponentialMechanism(candidates, scores, sensitivity=1 / n, epsilon=epsilon)


def _list_tables(cells: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield all tables of `size` records."""
    for bars in combinations(range(size + cells - 1), cells - 1):
        ends = (-1, *bars, size + cells - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))
