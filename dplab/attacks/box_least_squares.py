"""Least squares within the box: real numbers between 0 and 1 that fit the answers best.

    min ||queries b - answers||_2  over 0 <= b_i <= 1

Knowing that a bit is neither below 0 nor above 1 is worth answers: where the noise is so large that
plain least squares errs, this one errs less. It is solved by the alternating direction method of
multipliers: one factorization, then a solution and a projection onto the box in turn.
Source: Boyd, Parikh, Chu, Peleato and Eckstein (2011), Section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from dplab.attacks.least_squares import Reconstruction
from dplab.queries.linear import written

STEPS = 20_000  # at most; some dozens are usual, hundreds for prefixes
TOLERANCE = 1e-6  # of an entry; left are two or three times the last move, some dozens for prefixes


class NotConverged(RuntimeError):
    """The steps ran out before the two iterates met."""


def box_least_squares(queries, answers) -> Reconstruction:
    """The b in [0, 1]^n that fits best, to four digits.

    `queries` is 0/1 of shape (m, n), `answers` has shape (m,). Raises ValueError for shapes that do
    not fit, NotConverged where the method does not settle.

    >>> box_least_squares([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [0.9, 1.2, 2.1]).estimates.round(3)
    array([0.967, 0.067, 1.   ])
    """
    queries, answers = written(queries, answers)
    for inside, moved in islice(iterates(queries, answers), STEPS):
        if moved < TOLERANCE:
            return Reconstruction(inside)
    raise NotConverged(f"after {STEPS} steps some entries still move by more than {TOLERANCE}")


def iterates(queries: np.ndarray, answers: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """The method's points in the box, without end, and how far each is from being the last."""
    square, target = queries.T @ queries, queries.T @ answers
    # about the middle of the eigenvalues but for one; any number where the queries are all 0
    pull = np.trace(square) / len(square) / 2 or 1.0
    factor = cho_factor(square + pull * np.eye(len(square)))
    inside, gap = np.full(len(square), 0.5), np.zeros(len(square))
    while True:
        best = cho_solve(factor, target + pull * (inside - gap))
        before, inside = inside, np.clip(best + gap, 0, 1)
        gap += best - inside
        yield inside, max(np.abs(best - inside).max(), np.abs(inside - before).max())
