"""Projection: find the possible table whose answers are nearest to the noisy ones.

Noise on k answers is a vector of length about sqrt(k). Only the part of it that the answers of some
table could have has an effect. The search for that table is post-processing, and for many queries
on few people it removes most of the noise. Theorem: for the nearest table h, the true table x of n
people, noise z and the columns W_c of the queries,

    |W (h - x)|^2 <= z . W (h - x) <= n (max_c z . W_c - min_c z . W_c),

because W h is the point of a convex set that is nearest to W x + z. For normal noise the maximum
over N cells grows like sqrt(log N). Source: Nikolov, Talwar and Zhang (2013).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator

from dplab import arguments
from dplab.queries.linear import Queries, check_shapes

MAX_STEPS = 10**7

DEFAULT_STEPS = 400  # steps of the descent
MAX_DENSE = 2**16  # entries; larger matrices of mostly zeros become sparse


def nearest_table(
    queries: ArrayLike | LinearOperator, answers: ArrayLike, n: int, *, steps: int = DEFAULT_STEPS
) -> np.ndarray:
    """Return the table h >= 0 of sum n that minimises |queries h - answers|_2, shape (cells,).

    It uses accelerated projected gradients, whose excess over the least squared distance falls like
    1 / steps^2. `queries` have entries of at least 0 and shape (m, cells), or are implicit;
    `answers` have shape (m,). Raises ValueError for other entries and shapes that don't fit. Source
    of the method: Beck and Teboulle (2009).

    >>> nearest_table([[1, 0, 0], [0, 1, 0]], [6.0, -2.0], n=4).round(3).tolist()
    [4.0, 0.0, 0.0]
    """
    queries, answers = check_shapes(queries, answers)
    n = arguments.whole("n", n, least=1)
    steps = arguments.size("steps", steps, most=MAX_STEPS)
    if answers.ndim != 1:
        raise ValueError(f"answers must be (m,), not {answers.shape}")
    if isinstance(queries, np.ndarray) and (queries < 0).any():
        raise ValueError(f"queries must have entries of at least 0, not {queries.min()}")
    queries = _to_sparse(queries)
    return descend(queries, answers, n, steps, pace=1 / _largest_square(queries))


def descend(
    queries: Queries | csr_array, answers: np.ndarray, n: int, steps: int, *, pace: float
) -> np.ndarray:
    """Return the table after so many accelerated steps from equal cells.

    `pace` is at most 1 over the largest squared singular value of the queries, of any sign.
    """
    cells = queries.shape[1]
    table = look_ahead = np.full(cells, n / cells)
    momentum = 1.0
    for _ in range(steps):
        old, gradient = table, queries.T @ (queries @ look_ahead - answers)
        table = to_simplex(look_ahead - pace * gradient, n)
        next_momentum = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        look_ahead = table + (momentum - 1) / next_momentum * (table - old)
        momentum = next_momentum
    return table


def to_simplex(values: np.ndarray, total: float) -> np.ndarray:
    """Return the nearest point with entries of at least 0 and this sum.

    >>> to_simplex(np.array([3.0, 1.0, -1.0]), 2.0).tolist()
    [2.0, 0.0, 0.0]
    """
    values = values - values.max()  # a shift changes nothing, and keeps the digits of the total
    falling = np.sort(values)[::-1]
    excess = falling.cumsum() - total  # the excess of the k largest entries, for each k
    positive = np.count_nonzero(falling * np.arange(1, len(values) + 1) >= excess)
    return np.maximum(values - excess[positive - 1] / positive, 0.0)


def _to_sparse(queries: Queries) -> Queries | csr_array:
    """Return the same queries, as a sparse array if they are many and mostly zeros."""
    if isinstance(queries, np.ndarray) and 4 * np.count_nonzero(queries) < queries.size > MAX_DENSE:
        return csr_array(queries)
    return queries


def _largest_square(queries: Queries | csr_array) -> float:
    """Return |Q' Q|_inf, a bound on the largest squared singular value for entries of at least 0.

    It is inf if all entries are 0, when all tables are equally near.
    """
    return float(np.max(np.abs(queries.T @ (queries @ np.ones(queries.shape[1]))))) or np.inf
