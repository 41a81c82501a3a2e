"""Linear regression from noisy sums of products, with a covariance that counts their noise.

A record z = (x, y) has d features and a label. Least squares needs only the matrix M = sum z z',
so a private M is enough. With z clipped to the length B, replacing one record moves M by

    ||z z' - w w'||^2 = |z|^4 + |w|^4 - 2 (z'w)^2 <= 2 B^4        (squares of all entries, added)

The diagonal and sqrt(2) times the entries above it have this L2 norm, and get normal noise sigma:
the noise E of the matrix is symmetric, of variance sigma^2 on the diagonal, sigma^2 / 2 beside it.

Let A, b be the parts of M for x x' and x y, theta = A^{-1} b on the data and u = (theta, -1). On
noisy parts the solution is off by A^{-1} times the first d entries of -E u, to first order. E u has
the covariance (sigma^2 / 2) (|u|^2 I + u u'), because the variance of entry i is sigma^2 u_i^2 +
(sigma^2 / 2) sum_{j != i} u_j^2, and entries i and j share E_ij. So to first order

    Cov = s^2 A^{-1} + A^{-1} (sigma^2 / 2) ((1 + |theta|^2) I + theta theta') A^{-1},

s^2 = u' M u / (n - d) the variance of the residuals. The first term is that of every textbook.

Sources: Dwork, Talwar, Thakurta and Zhang (2014) for the noise; Sheffet (2017) and Wang (2018) for
regression with it; the covariance is computed above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.inference.intervals import Interval, normal_quantile
from dplab.learning.risk import clip_rows
from dplab.mechanisms.gaussian import GaussianMechanism

MAX_FEATURES = 1000


def moments_mechanism(*, features: int, bound: float, rho: float) -> GaussianMechanism:
    """Return the rho-zCDP mechanism that publishes noisy sums of products, for `regress`.

    Data are records of shape (n, features + 1), the label last; each is shortened to the length
    `bound`. The output has shape (k (k + 1) / 2,), k = features + 1: the matrix M's upper triangle
    by rows, entries beside the diagonal times sqrt(2). Raises ValueError unless features is from 1
    to 1,000, bound from 1e-100 to 1e100, rho above 0, and on a call for data of another shape.

    >>> moments_mechanism(features=1, bound=1, rho=0.5).query([[0.6, 0.8]]).round(4).tolist()
    [0.36, 0.6788, 0.64]
    """
    k = arguments.whole("features", features, least=1, most=MAX_FEATURES) + 1
    bound = arguments.number("bound", bound, least=1e-100, most=1e100)

    def moments(data: Any) -> np.ndarray:
        rows = records.reals("data", data)
        if rows.ndim != 2 or rows.shape[1] != k:
            raise ValueError(f"data must have rows of {k} numbers")
        rows = clip_rows(rows, bound)
        return (rows.T @ rows)[np.triu_indices(k)] * _weights(k)

    sensitivity = math.sqrt(2) * bound * bound
    return GaussianMechanism.for_zcdp(moments, sensitivity=sensitivity, rho=rho)


def _weights(k: int) -> np.ndarray:
    """Return 1 for each entry on the diagonal, and sqrt(2) for those above it."""
    rows, columns = np.triu_indices(k)
    return np.where(rows == columns, 1.0, math.sqrt(2))


@dataclass(frozen=True, eq=False)
class Regression:
    """Coefficients, shape (d,), and the two parts of their covariance, each of shape (d, d)."""

    coefficients: np.ndarray
    sampling: np.ndarray
    noise: np.ndarray

    @property
    def standard_errors(self) -> np.ndarray:
        """The square roots of the diagonal of sampling + noise, shape (d,)."""
        return np.sqrt(np.diag(self.sampling + self.noise))

    @property
    def naive_errors(self) -> np.ndarray:
        """The standard errors without the part of the noise, shape (d,)."""
        return np.sqrt(np.diag(self.sampling))

    def interval(self, i: int, *, alpha: float = 0.05) -> Interval:
        """Return the normal interval for coefficient i; ValueError for others."""
        i = arguments.whole("i", i, least=0, most=len(self.coefficients) - 1)
        half = normal_quantile(alpha) * float(self.standard_errors[i])
        return Interval(float(self.coefficients[i]) - half, float(self.coefficients[i]) + half)


def regress(moments: ArrayLike, *, n: int, sigma: float) -> Regression:
    """Return the regression from the output of `moments_mechanism`, for n records and noise sigma.

    Raises ValueError for moments of another length, unless sigma >= 0 and n is more than the number
    d of features, and if the noisy matrix of the features isn't positive definite: then the noise
    hides them, and more people or less noise is needed.

    >>> found = regress([2.0, 2 * 2**0.5, 4.0], n=5, sigma=0.0)
    >>> found.coefficients.tolist(), found.naive_errors.round(4).tolist()
    ([1.0], [0.5])
    """
    vector = arguments.reals("moments", moments, ndim=1)
    k = math.isqrt(2 * len(vector))
    if k < 2 or k * (k + 1) != 2 * len(vector):
        raise ValueError(f"moments must have 3, 6, 10, ... entries, not {len(vector)}")
    n = arguments.whole("n", n, least=k)
    variance = arguments.number("sigma", sigma, least=0) ** 2 / 2
    matrix: np.ndarray = np.zeros((k, k))
    matrix[np.triu_indices(k)] = vector / _weights(k)
    matrix = matrix + np.triu(matrix, 1).T
    a, theta = _solve(matrix)
    u: np.ndarray = np.append(theta, -1.0)
    residual = max(float(u @ matrix @ u) / (n - k + 1), 0.0)
    spread = variance * (float(u @ u) * np.eye(k - 1) + np.outer(theta, theta))
    return Regression(theta, residual * a, a @ spread @ a)


def _solve(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverse of the features' matrix and the coefficients, or raise ValueError."""
    values, vectors = np.linalg.eigh(matrix[:-1, :-1])
    with np.errstate(all="ignore"):
        inverse = (vectors / values) @ vectors.T
        theta = inverse @ matrix[:-1, -1]
    if values[0] <= 0 or not np.isfinite(inverse).all() or not np.isfinite(theta).all():
        raise ValueError("moments must leave a positive definite matrix of the features")
    return inverse, theta
