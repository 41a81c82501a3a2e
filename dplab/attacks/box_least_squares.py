"""Least squares within the box: real numbers between 0 and 1 that fit the answers best.

    min ||queries b - answers||_2  over 0 <= b_i <= 1

That bits lie between 0 and 1 is information: where noise is so large that plain least squares errs,
this method errs less. It uses the alternating direction method of multipliers: one factorization,
then in turn a solution and a projection onto the box.
Source: Boyd, Parikh, Chu, Peleato and Eckstein (2011), Section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from dplab.attacks.least_squares import Reconstruction
from dplab.queries.linear import check_one_answer_set

STEPS = 20_000  # the limit; some dozens are usual, some hundreds for prefix queries
TOLERANCE = 1e-6  # last move of an entry; its error is 2 or 3 times that, dozens for prefixes


class NotConverged(RuntimeError):
    """An error: the two iterates did not meet within the allowed steps."""


def box_least_squares(queries: ArrayLike, answers: ArrayLike) -> Reconstruction:
    """Find the b in [0, 1]^n that fits best, to four digits.

    `queries` is 0/1 of shape (m, n), `answers` has shape (m,). Raises ValueError for shapes that do
    not fit, NotConverged where the method does not settle.

    >>> box_least_squares([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [0.9, 1.2, 2.1]).estimates.round(3)
    array([0.967, 0.067, 1.   ])
    """
    queries, answers = check_one_answer_set(queries, answers)
    for point, move in islice(iterates(queries, answers), STEPS):
        if move < TOLERANCE:
            return Reconstruction(point)
    raise NotConverged(f"after {STEPS} steps some entries still move by more than {TOLERANCE}")


def iterates(queries: np.ndarray, answers: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """Yield the method's points in the box, without end, and how far each is from converged."""
    square, target = queries.T @ queries, queries.T @ answers
    # about the middle of all eigenvalues except the largest; any number if all queries are 0
    pull = np.trace(square) / len(square) / 2 or 1.0
    factor = cho_factor(square + pull * np.eye(len(square)))
    point, gap = np.full(len(square), 0.5), np.zeros(len(square))
    while True:
        best = cho_solve(factor, target + pull * (point - gap))
        previous, point = point, np.clip(best + gap, 0, 1)
        gap += best - point
        yield point, max(np.abs(best - point).max(), np.abs(point - previous).max())
