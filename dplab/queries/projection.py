"""Projection: of all tables that are possible, the one whose answers are nearest to the noisy ones.

Noise on k answers is a vector of length about sqrt(k); of it only the part counts that the answers
of some table could have made. To look for that table is post-processing, and for many queries on
few people it takes most of the noise away. Source: Nikolov, Talwar and Zhang (2013).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from dplab import arguments
from dplab.queries.linear import fitting

STEPS = 400
MANY = 2**16  # entries


def nearest_table(queries, answers, n: int, *, steps: int = STEPS) -> np.ndarray:
    """The table h >= 0 of sum n that makes |queries h - answers|_2 least, shape (cells,).

    By accelerated projected gradients, whose excess over the least squared distance falls like
    1 / steps^2. `queries` have entries of at least 0 and shape (m, cells), or are implicit,
    `answers` (m,). Raises ValueError for other entries and shapes that don't fit. Source of the
    method: Beck and Teboulle (2009).

    >>> nearest_table([[1, 0, 0], [0, 1, 0]], [6.0, -2.0], n=4).round(3).tolist()
    [4.0, 0.0, 0.0]
    """
    queries, answers = fitting(queries, answers)
    n, cells = arguments.whole("n", n, least=1), queries.shape[1]
    steps = arguments.whole("steps", steps, least=1)
    if answers.ndim != 1:
        raise ValueError(f"answers must be (m,), not {answers.shape}")
    if isinstance(queries, np.ndarray) and (queries < 0).any():
        raise ValueError(f"queries must have entries of at least 0, not {queries.min()}")
    queries = _without_zeros(queries)
    pace = 1 / _largest_square(queries)
    table = ahead = np.full(cells, n / cells)
    momentum = 1.0
    for _ in range(steps):
        before, table = (
            table,
            to_simplex(ahead - pace * (queries.T @ (queries @ ahead - answers)), n),
        )
        after = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = table + (momentum - 1) / after * (table - before)
        momentum = after
    return table


def to_simplex(values: np.ndarray, total: float) -> np.ndarray:
    """The nearest point with entries of at least 0 and this sum.

    >>> to_simplex(np.array([3.0, 1.0, -1.0]), 2.0).tolist()
    [2.0, 0.0, 0.0]
    """
    values = values - values.max()  # a shift changes nothing, and keeps the digits of the total
    falling = np.sort(values)[::-1]
    above = falling.cumsum() - total  # in so many of the largest entries, at most the sum
    left = np.count_nonzero(falling * np.arange(1, len(values) + 1) >= above)
    return np.maximum(values - above[left - 1] / left, 0.0)


def _without_zeros(queries):
    """The same queries, where they are many and mostly zeros in a form that passes over them."""
    if isinstance(queries, np.ndarray) and 4 * np.count_nonzero(queries) < queries.size > MANY:
        return csr_array(queries)
    return queries


def _largest_square(queries) -> float:
    """A bound on the largest squared singular value: |Q' Q|_inf, for entries of at least 0; inf
    where all are 0, and no table is nearer than another."""
    return float(np.max(np.abs(queries.T @ (queries @ np.ones(queries.shape[1]))))) or np.inf
