"""A kernel density with a Gaussian process: noise that is as smooth as the curve it hides.

With k(s, t) = e^{-(s - t)^2 / (2 h^2)} and c = 1 / (n sqrt(2 pi) h) the density estimate is
f(t) = c sum_i k(t, x_i). The mechanism adds sigma times a Gaussian process of covariance k.
Replacing x by y changes f by c (k(., x) - k(., y)), whose norm in the space of k is

    c sqrt(k(x, x) + k(y, y) - 2 k(x, y)) <= sqrt(2) c = Delta,

and at any points t_1, ..., t_p the two distributions of f are Delta / sigma sigmas apart at most:
the Mahalanobis distance of a restriction is no larger than the norm. So the whole curve has the
trade-off of one number with normal noise, mu = Delta / sigma, however finely it is published.

Some publications guarantee pure epsilon-DP for the same noise, or have h instead of h^d: the
mechanism is (epsilon, delta)-DP. Source: Hall, Rinaldo and Wasserman (2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.continuous import GaussianVector
from dplab.losses import GaussianLoss
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE

NUGGET = 1e-8  # extra variance at each point, over sigma^2: near points would be singular


def kernel_values(s: ArrayLike, t: ArrayLike, bandwidth: float) -> np.ndarray:
    """Return k(s_i, t_j), of shape (len(s), len(t)); raise ValueError for other than numbers."""
    gaps = np.subtract.outer(records.floats("s", s), records.floats("t", t))
    with np.errstate(over="ignore"):  # e^-inf is 0
        return np.exp(-((gaps / bandwidth) ** 2) / 2)


@dataclass(frozen=True)
class KernelDensity(ExactMechanism):
    """The mechanism that adds Gaussian process noise to a kernel density estimate at `points`.

        output_j = f(t_j) + sigma G(t_j),   G a Gaussian process of covariance k

    Data are n numbers. `bandwidth` is h, in the units of the data; `sigma` is the standard
    deviation of the noise at each point, in the units of the density. It is (mu^2 / 2)-zCDP with mu
    = Delta / sigma, exactly as private as normal distributions mu sigmas apart. Raises ValueError
    unless all three are above 0, and on a call for data that are not n numbers.

    >>> curve = KernelDensity((0.2, 0.5, 0.8), n=200, bandwidth=0.05, sigma=0.2)
    >>> round(curve.sensitivity, 6), round(curve.mu, 4)
    (0.056419, 0.2821)
    """

    points: tuple[float, ...]
    n: int
    bandwidth: float
    sigma: float
    neighbors = REPLACE_ONE
    is_tight = False  # kernels overlap a little, and only some points are published

    def __post_init__(self):
        points = arguments.reals("points", self.points)
        object.__setattr__(self, "points", tuple(points.ravel().tolist()))
        arguments.settle(self, arguments.whole, "n", least=1)
        arguments.settle(self, arguments.number, "bandwidth", "sigma", above=0)

    @property
    def sensitivity(self) -> float:
        """Delta = sqrt(2) / (n sqrt(2 pi) h), the largest norm of a change of one record."""
        return 1 / (self.n * float(np.sqrt(np.pi)) * self.bandwidth)

    @property
    def mu(self) -> float:
        """The distance of the worst neighbours in sigmas."""
        return self.sensitivity / self.sigma

    @property
    def worst_case(self) -> GaussianLoss:
        """The loss for two records far from each other, whose kernels don't overlap."""
        return GaussianLoss(self.mu)

    def estimate(self, data: Any) -> np.ndarray:
        """Return the curve without noise at the points, shape (p,).

        Raises ValueError unless data are n finite numbers.
        """
        x = records.reals("data", data)
        if x.shape != (self.n,):
            raise ValueError(f"data must be n = {self.n} numbers")
        heights = kernel_values(self.points, x, self.bandwidth).mean(axis=1)
        return heights / (np.sqrt(2 * np.pi) * self.bandwidth)

    def distribution(self, data: Any) -> GaussianVector:
        """Return the normal distribution around the estimate, with covariance sigma^2 k."""
        covariance = kernel_values(self.points, self.points, self.bandwidth)
        covariance += NUGGET * np.eye(len(self.points))
        return GaussianVector(self.estimate(data), self.sigma**2 * covariance)
