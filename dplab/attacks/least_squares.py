"""Least squares: secret bits from noisy answers to subset counts.

Everybody has a secret bit. A query counts the ones in a random half of the people, and its answer
is noisy. Each answer is a linear equation in the bits. With enough answers the attack solves for
all bits at once, and rounds.
Sources: Dinur and Nissim (2003) for the attack; Dwork and Yekhanin (2008) for least squares.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.linalg.lapack import dpocon
from scipy.sparse.linalg import LinearOperator, lsmr

from dplab.queries.linear import check_shapes

MAX_SQUARED_CONDITION = 1e9  # up to it normal equations keep half of the digits


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """The result of an attack: a real number for each secret bit, and its rounding.

    Shape (n,), or (r, n) for r sets of answers.
    """

    estimates: np.ndarray

    @property
    def bits(self) -> np.ndarray:
        """The guesses: 0 or 1, whichever is nearer."""
        return (self.estimates > 0.5).astype(int)

    def accuracy(self, secret: ArrayLike) -> float:
        """Return the share of the bits that are right, over all sets of answers."""
        return float((self.bits == np.asarray(secret)).mean())


def least_squares(queries: ArrayLike | LinearOperator, answers: ArrayLike) -> Reconstruction:
    """Find the bits b that fit best: min ||queries (b - 1/2) - (answers - queries / 2)||_2.

    With fewer queries than people there are many best fits. The result is then the one nearest to
    1/2, the guess without any answer. `queries` is 0/1 of shape (m, n); `answers` has shape (m,),
    or (r, m) for r sets of answers to the same queries. Independent noise of standard deviation
    sigma in the answers to m > n random queries moves an estimate by about 2 sigma / sqrt(m - n).

    A matrix is factored, in n^2 m operations. For implicit queries (`dplab.queries`, any
    LinearOperator) the method is that of minimal residuals (Fong and Saunders 2011). It multiplies
    with them some dozens of times, or hundreds if m is near n, and gives about four digits. Raises
    ValueError for shapes that don't fit.

    >>> least_squares([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [0.9, 1.2, 2.1]).bits
    array([1, 0, 1])
    """
    queries, answers = check_shapes(queries, answers)
    centered = answers - queries @ np.full(queries.shape[1], 0.5)
    if isinstance(queries, LinearOperator):
        most = 20 * max(queries.shape)  # lsmr's own limit is too few steps where m is near n
        solutions = [
            lsmr(queries, row, atol=1e-10, btol=1e-10, maxiter=most)[0]
            for row in np.atleast_2d(centered)
        ]
        return Reconstruction(0.5 + np.reshape(solutions, (*answers.shape[:-1], -1)))
    return Reconstruction(0.5 + _solve(queries, centered.T).T)


def _solve(queries: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Find the best fit, by the normal equations if these keep enough digits, or by an SVD."""
    if len(queries) >= queries.shape[1]:
        square = queries.T @ queries
        try:
            factor = cho_factor(square)
        except LinAlgError:
            return np.linalg.lstsq(queries, answers, rcond=None)[0]
        inverse_condition, _ = dpocon(factor[0], abs(square).sum(axis=0).max())
        if inverse_condition * MAX_SQUARED_CONDITION > 1:
            return cho_solve(factor, queries.T @ answers)
    return np.linalg.lstsq(queries, answers, rcond=None)[0]
