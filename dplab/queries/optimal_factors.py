"""The best factors W = R A for normal noise, with a proof that no factors are better.

For weights w of the questions and u of the cells, all positive, with sums of 1, let
M = diag(w)^{1/2} W diag(u)^{1/2}. The factors of W give factors of M, so that its nuclear norm, the
sum of its singular values, is a bound below:

    |M|_* <= |diag(w)^{1/2} R|_F |A diag(u)^{1/2}|_F <= |R| |A|,

where |R| is the largest norm of a row and |A| the largest of a column. If all w are equal, the
first factor is the root mean square of the rows, and the bound is one on the mean error.

From the singular values M = U S V' follow factors, R = diag(w)^{-1/2} U S^{1/2} and
A = S^{1/2} V' diag(u)^{-1/2}. If all their rows and columns have one norm, they reach the bound.
So give more weight to a row or a column whose norm is too large, and repeat:

    w_i <- w_i |R_i|^2 / sum,     u_j <- u_j |A_j|^2 / sum.

Nothing here needs that this converges: the bound and the error of each round are certain.

Sources: Haagerup (1985) for the largest error, as the norm gamma_2; Denisov, McMahan, Rush, Smith
and Thakurta (2022) for the mean error, and the iteration for u.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular, svd

from dplab import arguments
from dplab.queries.factorization import Factorization
from dplab.queries.linear import LinearQueries

MAX_SIDE = 256  # of W; a round of this size takes some 20 ms
MAX_ROUNDS = 1000
LEAST_WEIGHT = 1e-10  # of an easy question, whose rounding errors then stay small
TRIANGLE_TOLERANCE = 1e-9  # the limit of entries above the diagonal, relative to the largest
LARGEST, MEAN = ERRORS = ("largest", "mean")


@dataclass(frozen=True, eq=False)
class OptimalFactors:
    """Factors of W, their `error`, and a `bound` below the error of all factors of W."""

    factorization: Factorization
    error: float
    bound: float


def error_bound(workload: ArrayLike, row_weights: ArrayLike, column_weights: ArrayLike) -> float:
    """Return |diag(w)^{1/2} W diag(u)^{1/2}|_*: no factors W = R A have a smaller |R| |A|.

    Weights are scaled to sums of 1. With equal `row_weights` no factors have a smaller root mean
    square error, either. Raises ValueError unless weights are at least 0, and some are above 0.

    >>> round(error_bound(np.tri(2), [1, 2], [2, 1]), 6)  # 2 over the root of 3: the best bound
    1.154701
    """
    matrix = _read_workload(workload)
    w = _read_weights("row_weights", row_weights, matrix.shape[0])
    u = _read_weights("column_weights", column_weights, matrix.shape[1])
    return float(svd(_scale(matrix, w, u), compute_uv=False).sum())


def optimal_factors(
    workload: ArrayLike, *, error: str = LARGEST, gap: float = 1e-6
) -> OptimalFactors:
    """Return factors whose error is at most 1 + `gap` times that of the best, and the bound.

    `error` is "largest", for |R| |A|, or "mean", for the root mean square over questions. A is not
    triangular; `causal_factors` turns it. Stops after 1,000 rounds, if `gap` is too small for the
    rounding of floats. Raises ValueError for a workload with a row or a column of zeros, or with
    more than 256 of either.

    >>> best = optimal_factors(np.tri(2))
    >>> round(best.error, 4), round(best.bound, 4)
    (1.1547, 1.1547)
    """
    matrix, error = _read_workload(workload), arguments.one_of("error", error, ERRORS)
    gap = arguments.number("gap", gap, above=0)
    w, u = (np.full(side, 1 / side) for side in matrix.shape)
    for _ in range(MAX_ROUNDS):
        u_vectors, values, v_vectors = svd(_scale(matrix, w, u), full_matrices=False)
        roots = np.sqrt(values)
        recovery, strategy = (
            u_vectors * roots / np.sqrt(w)[:, None],
            roots[:, None] * v_vectors / np.sqrt(u),
        )
        rows, columns = (recovery**2).sum(axis=1), (strategy**2).sum(axis=0)
        row = rows.max() if error == LARGEST else rows.mean()
        reached, bound = float(np.sqrt(row * columns.max())), float(values.sum())
        if reached <= (1 + gap) * bound:
            break
        u = _normalize(u * columns)
        if error == LARGEST:
            w = _normalize(w * rows)
    return OptimalFactors(Factorization(recovery, strategy), reached, bound)


def causal_factors(factorization: Factorization) -> Factorization:
    """Return factors of the same W with the same errors, or smaller, both lower triangular.

        A = Q L,   Q with orthonormal columns, L lower triangular:   W = (W L^{-1}) L

    Normal noise has the same law after a rotation, so noise on L x instead of A x costs the same.
    Then answer t needs the first t steps and the first t noises alone, and the steps may depend on
    earlier answers (`dplab.theorems.adaptive_streams`). Raises ValueError unless W is lower
    triangular and A has as many independent rows as columns.

    >>> causal_factors(Factorization(np.tri(2) @ [[0, 1], [1, 0]], [[0, 1], [1, 0]])).strategy
    array([[1., 0.],
           [0., 1.]])
    """
    arguments.instance("factorization", factorization, Factorization)
    workload, strategy = factorization.workload, factorization.strategy
    limit = TRIANGLE_TOLERANCE * np.abs(workload).max(initial=0)
    if workload.shape[0] != workload.shape[1] or (np.abs(np.triu(workload, 1)) > limit).any():
        raise ValueError("factorization must be of a workload that is lower triangular")
    if np.linalg.matrix_rank(strategy) < strategy.shape[1]:
        raise ValueError("factorization must have a strategy with independent columns")
    lower = qr(strategy[:, ::-1], mode="r")[0][: strategy.shape[1]][::-1, ::-1]
    lower = np.tril(lower * np.where(np.diag(lower) < 0, -1, 1)[:, None])
    recovery = solve_triangular(lower.T, np.tril(workload).T, lower=False).T
    return Factorization(np.tril(recovery), lower + 0.0)


def _scale(matrix: np.ndarray, w: np.ndarray, u: np.ndarray) -> np.ndarray:
    return np.sqrt(w)[:, None] * matrix * np.sqrt(u)


def _normalize(weights: np.ndarray) -> np.ndarray:
    weights = np.maximum(weights / weights.sum(), LEAST_WEIGHT)
    return weights / weights.sum()


def _read_workload(workload: ArrayLike) -> np.ndarray:
    values = np.asarray(workload) if isinstance(workload, LinearQueries) else workload
    matrix = arguments.reals("workload", values)
    if matrix.ndim != 2 or max(matrix.shape) > MAX_SIDE:
        raise ValueError(f"workload must have (m, n) entries, each at most {MAX_SIDE}")
    if not (matrix.any(axis=0).all() and matrix.any(axis=1).all()):
        raise ValueError("workload must have no row and no column of zeros")
    return matrix


def _read_weights(name: str, weights: ArrayLike, size: int) -> np.ndarray:
    weights = arguments.reals(name, weights)
    if weights.shape != (size,) or (weights < 0).any() or not weights.any():
        raise ValueError(f"{name} must be {size} numbers of at least 0, not all 0")
    return weights / weights.sum()
