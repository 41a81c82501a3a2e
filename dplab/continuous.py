"""Distributions on the real line and on vectors: Laplace, normal, and two with heavier tails."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.distributions import Distribution, freeze

NODES = 80  # of Gauss and Hermite's rule
MAX_SIGMA = 3.0  # of the logarithm of a scale


class RealDistribution(Distribution):
    """A continuous distribution on the real line, with a cumulative distribution function."""

    @abstractmethod
    def cdf(self, value: ArrayLike) -> Any:
        """Return P(outcome <= value), elementwise."""


@dataclass(frozen=True)
class Laplace(RealDistribution):
    """The Laplace distribution: density exp(-|y - location| / scale) / (2 scale).

    Its standard deviation is sqrt(2) times the scale, its variance 2 scale^2. Samples are floats,
    and the low bits of floats leak: this distribution is for analysis and teaching, not for
    deployment. Raises ValueError unless both are finite and the scale is above 0.
    """

    location: float
    scale: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "location")
        arguments.settle(self, arguments.number, "scale", above=0)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        return rng.laplace(self.location, self.scale, size)

    def log_density(self, outcome: Any) -> Any:
        z = _standardize(outcome, self.location, self.scale)
        return -np.abs(z) - np.log(2) - np.log(self.scale)

    def cdf(self, value: ArrayLike) -> np.ndarray:
        z = _standardize(value, self.location, self.scale)
        tail = np.exp(-np.abs(z)) / 2
        return np.where(z < 0, tail, 1 - tail)


@dataclass(frozen=True)
class Gaussian(RealDistribution):
    """The normal distribution: density exp(-(y - mean)^2 / (2 sigma^2)) / (sigma sqrt(2 pi)).

    Raises ValueError unless both are finite and sigma is above 0.
    """

    mean: float
    sigma: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "mean")
        arguments.settle(self, arguments.number, "sigma", above=0)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        return rng.normal(self.mean, self.sigma, size)

    def log_density(self, outcome: Any) -> Any:
        z = _standardize(outcome, self.mean, self.sigma)
        with np.errstate(over="ignore"):
            return -(z**2) / 2 - np.log(self.sigma) - np.log(2 * np.pi) / 2

    def cdf(self, value: ArrayLike) -> Any:
        from scipy.special import ndtr

        return ndtr(_standardize(value, self.mean, self.sigma))


@dataclass(frozen=True)
class StudentT(RealDistribution):
    """Student's t: density c (1 + z^2 / degrees)^{-(degrees + 1) / 2} at location + scale z.

    Cauchy's distribution has one degree of freedom, and no mean. Samples are floats, as those of
    `Laplace`. Raises ValueError unless scale and
    degrees are above 0.

    >>> law = StudentT(0, 2)
    >>> float(law.cdf(2)), round(float(np.exp(law.log_density(0))) * 2 * np.pi, 9)
    (0.75, 1.0)
    """

    location: float
    scale: float
    degrees: float = 1.0

    def __post_init__(self):
        arguments.settle(self, arguments.number, "location")
        arguments.settle(self, arguments.number, "scale", "degrees", above=0)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        return self.location + self.scale * rng.standard_t(self.degrees, size)

    def log_density(self, outcome: Any) -> Any:
        from scipy.special import gammaln

        d, z = self.degrees, _standardize(outcome, self.location, self.scale)
        log_top = gammaln((d + 1) / 2) - gammaln(d / 2) - np.log(d * np.pi) / 2
        squares_root = np.hypot(1, z / np.sqrt(d))  # a square would overflow
        return log_top - np.log(self.scale) - (d + 1) * np.log(squares_root)

    def cdf(self, value: ArrayLike) -> Any:
        from scipy.special import stdtr

        return stdtr(self.degrees, _standardize(value, self.location, self.scale))


@dataclass(frozen=True)
class LaplaceLogNormal(RealDistribution):
    """The distribution of location + scale X e^{sigma Y}, X standard Laplace and Y standard normal.

    Its density is a mixture of Laplace densities over the scales e^{sigma y}, here of 80 by Gauss
    and Hermite's rule. All its moments are finite, unlike those of Student's t. Raises ValueError
    unless scale and sigma are above 0.

    >>> float(LaplaceLogNormal(1, 2, sigma=0.5).cdf(1).round(9))
    0.5
    """

    location: float
    scale: float
    sigma: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "location")
        arguments.settle(self, arguments.number, "scale", above=0)
        arguments.settle(self, arguments.number, "sigma", above=0, most=MAX_SIGMA)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        scales = self.scale * np.exp(self.sigma * rng.standard_normal(size))
        return self.location + scales * rng.laplace(size=size)

    def _parts(self, value: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (value - location) / scale of each Laplace, log scales, log weights."""
        nodes, weights = _hermite()
        logs = np.log(self.scale) + self.sigma * nodes
        with np.errstate(over="ignore"):
            z = (np.asarray(value, dtype=float)[..., None] - self.location) / np.exp(logs)
        return z, logs, np.log(weights)

    def log_density(self, outcome: Any) -> Any:
        z, logs, log_weights = self._parts(outcome)
        return np.logaddexp.reduce(log_weights - np.log(2) - logs - np.abs(z), axis=-1)

    def cdf(self, value: ArrayLike) -> Any:
        z, _, log_weights = self._parts(value)
        tails = np.exp(log_weights - np.abs(z)) / 2
        return np.where(z < 0, tails, np.exp(log_weights) - tails).sum(axis=-1)


@dataclass(frozen=True, eq=False)
class LaplaceVector(Distribution):
    """Independent Laplace distributions of one scale around `locations`, an array of shape (d,).

    Outcomes are arrays of shape (..., d); raises ValueError for other shapes.

    >>> float(LaplaceVector([0, 1], scale=2).log_density([0, 3]))
    -3.772588722239781
    """

    locations: np.ndarray
    scale: float

    def __post_init__(self):
        arguments.settle(self, _vector, "locations")
        arguments.settle(self, arguments.number, "scale", above=0)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> np.ndarray:
        arguments.generator("rng", rng)
        return rng.laplace(self.locations, self.scale, _append_axis(size, len(self.locations)))

    def log_density(self, outcome: Any) -> Any:
        distance = np.abs(_coordinates(outcome, self.locations)).sum(axis=-1)
        return -distance / self.scale - len(self.locations) * (np.log(2) + np.log(self.scale))


@dataclass(frozen=True, eq=False)
class SphericalLaplace(Distribution):
    """The distribution of density c e^{-||y - center|| / scale} on vectors, with the L2 norm.

    Its direction is uniform and its length has the Gamma distribution of shape d, so that the mean
    length is d scale; c^-1 = scale^d (d - 1)! times the area of the unit sphere,
    2 pi^{d/2} / Gamma(d / 2). For d = 1 it is `Laplace`. Outcomes are arrays of shape (..., d).
    Raises ValueError for other shapes, and unless the center is finite and the scale above 0.

    >>> round(float(SphericalLaplace([0.0], 2.0).log_density([3.0])), 6)
    -2.886294
    """

    center: np.ndarray
    scale: float

    def __post_init__(self):
        arguments.settle(self, _vector, "center")
        arguments.settle(self, arguments.number, "scale", above=0)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> np.ndarray:
        arguments.generator("rng", rng)
        direction = rng.normal(size=_append_axis(size, len(self.center)))
        direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
        distance = rng.gamma(len(self.center), self.scale, direction.shape[:-1])
        return self.center + distance[..., None] * direction

    def log_density(self, outcome: Any) -> Any:
        d = len(self.center)
        distance = length(_coordinates(outcome, self.center))
        area = math.log(2) + d / 2 * math.log(math.pi) - math.lgamma(d / 2)
        return -distance / self.scale - d * math.log(self.scale) - math.lgamma(d) - area


@dataclass(frozen=True, eq=False)
class GaussianVector(Distribution):
    """The normal distribution around `mean`, an array of shape (d,), with a covariance.

    The covariance is a symmetric positive definite array of shape (d, d), or a number, the variance
    of independent coordinates. Its log density -|w|^2 / 2 - log det(2 pi covariance) / 2, where w =
    L^-1 (y - mean) and covariance = L L'. Outcomes are arrays of shape (..., d). Raises ValueError
    for other arguments.

    >>> GaussianVector([0, 0], [[2, 1], [1, 2]]).whiten([1.0, 1.0]).round(4)
    array([0.7071, 0.4082])
    """

    mean: np.ndarray
    covariance: float | np.ndarray

    def __post_init__(self):
        arguments.settle(self, _vector, "mean")
        covariance = arguments.reals("covariance", self.covariance)
        if covariance.shape not in ((), 2 * self.mean.shape):
            shapes = f"a number or ({len(self.mean)}, {len(self.mean)})"
            raise ValueError(f"covariance must be {shapes}, not {covariance.shape}")
        object.__setattr__(self, "covariance", freeze(covariance))
        if not (np.array_equal(covariance, covariance.T) and np.all(np.diag(self._root) > 0)):
            raise ValueError("covariance must be symmetric and positive definite")

    @cached_property
    def _root(self) -> np.ndarray:
        """L; for a number its square root, of shape (1, 1)."""
        try:
            return np.linalg.cholesky(np.atleast_2d(self.covariance))
        except np.linalg.LinAlgError:
            return np.zeros((1, 1))

    def whiten(self, difference: ArrayLike) -> np.ndarray:
        """Return L^-1 difference, of shape (..., d): independent coordinates of variance 1."""
        from scipy.linalg import solve_triangular

        if self._root.size == 1:
            return np.asarray(difference) / self._root[0, 0]
        rows: np.ndarray = np.reshape(difference, (-1, len(self.mean)))
        white = solve_triangular(self._root, rows.T, lower=True).T
        return white.reshape(np.shape(difference))

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> np.ndarray:
        arguments.generator("rng", rng)
        noise = rng.normal(size=_append_axis(size, len(self.mean)))
        is_scalar = self._root.size == 1
        return self.mean + (noise * self._root[0, 0] if is_scalar else noise @ self._root.T)

    def log_density(self, outcome: Any) -> Any:
        w = self.whiten(_coordinates(outcome, self.mean))
        spread = np.broadcast_to(np.log(np.diag(self._root)), self.mean.shape).sum()
        return -(w**2).sum(axis=-1) / 2 - spread - len(self.mean) * np.log(2 * np.pi) / 2


def _standardize(value: Any, center: float, scale: float) -> np.ndarray:
    """Return (value - center) / scale, infinite where that overflows."""
    with np.errstate(over="ignore"):
        return (np.asarray(value, dtype=float) - center) / scale


def length(vectors: np.ndarray) -> np.ndarray:
    """Return the L2 norms of vectors on the last axis, also where squares overflow."""
    return np.hypot.reduce(vectors, axis=-1, initial=0.0)


def _vector(name: str, values: Any) -> np.ndarray:
    values = arguments.reals(name, values)
    if values.ndim != 1:
        raise ValueError(f"{name} must be of shape (d,), not {values.shape}")
    return freeze(values)


def _coordinates(outcome: Any, center: np.ndarray) -> np.ndarray:
    """Return outcome - center, of shape (..., d)."""
    outcome = np.asarray(outcome, dtype=float)
    if outcome.shape[-1:] != center.shape:
        raise ValueError(f"outcome must be of shape (..., {len(center)}), not {outcome.shape}")
    return outcome - center


def _append_axis(size: int | tuple[int, ...] | None, d: int) -> tuple[int, ...]:
    return (*np.atleast_1d(() if size is None else size).astype(int), d)


@lru_cache(maxsize=1)
def _hermite() -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights for the mean over a standard normal variable."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()
