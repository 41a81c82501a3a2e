"""Probability distributions: what a mechanism's output follows.

A law is a small frozen object that can be sampled and whose log density can be asked for. Finite
laws are exact: everything about them is a sum. Laws on the real line add a distribution function.
Independent parts make a `Product`; Laplace and normal laws of many coordinates are arrays.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product as cartesian
from typing import Any

import numpy as np

from dplab import arguments

ROUNDING = 1e-9  # how far probabilities may be from summing to one


class Distribution(ABC):
    """The law of one random outcome."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        """Draw one outcome, or an array of independent outcomes of shape `size`."""

    @abstractmethod
    def log_density(self, outcome: Any) -> Any:
        """Return the log probability (discrete) or log density (continuous), -inf off support."""


@dataclass(frozen=True, eq=False)
class Finite(Distribution):
    """A law on finitely many outcomes, P(outcomes[i]) = exp(log_probabilities[i]).

    Outcomes are distinct hashable values; log probabilities are natural logarithms, -inf for an
    impossible outcome. Raises ValueError if outcomes repeat or probabilities do not sum to one.

    >>> coin = Finite.of({"heads": 0.25, "tails": 0.75})
    >>> float(coin.map(len).probabilities[0])
    1.0
    """

    outcomes: tuple[Hashable, ...]
    log_probabilities: np.ndarray

    def __post_init__(self):
        logs = _fixed(np.asarray(self.log_probabilities, dtype=float))
        object.__setattr__(self, "outcomes", tuple(self.outcomes))
        object.__setattr__(self, "log_probabilities", logs)
        if logs.shape != (len(self.outcomes),):
            raise ValueError(
                f"log_probabilities must have shape ({len(self.outcomes)},), not {logs.shape}"
            )
        if len(set(self.outcomes)) < len(self.outcomes):
            raise ValueError(f"outcomes must be distinct, not {self.outcomes!r}")
        total = np.exp(logs).sum()
        if not abs(total - 1) <= ROUNDING:
            raise ValueError(f"probabilities must sum to 1, not {total!r}")

    @classmethod
    def of(cls, probabilities: dict[Hashable, float]) -> Finite:
        """Build a law from a dict of outcome to probability.

        Raises ValueError unless probabilities are at least 0 and sum to 1.
        """
        values = np.fromiter(probabilities.values(), dtype=float, count=len(probabilities))
        if not (values >= 0).all():
            raise ValueError(f"probabilities must be at least 0, not {values.min()!r}")
        with np.errstate(divide="ignore"):
            return cls(tuple(probabilities), np.log(values))

    @property
    def probabilities(self) -> np.ndarray:
        """P(outcome) for each of `outcomes`, shape (len(outcomes),)."""
        return np.exp(self.log_probabilities)

    @property
    def support(self) -> tuple[Hashable, ...]:
        """The outcomes of positive probability."""
        return tuple(o for o, p in zip(self.outcomes, self.probabilities, strict=True) if p > 0)

    @cached_property
    def _position(self) -> dict[Hashable, int]:
        return {outcome: i for i, outcome in enumerate(self.outcomes)}

    @cached_property
    def _outcome_array(self) -> np.ndarray:
        if all(isinstance(o, int | float | np.number) for o in self.outcomes):
            return np.array(self.outcomes)
        array: np.ndarray = np.empty(len(self.outcomes), dtype=object)
        array[:] = self.outcomes
        return array

    def sample(self, rng, size=None):
        weights = self.probabilities
        return self._outcome_array[rng.choice(len(weights), size=size, p=weights / weights.sum())]

    def log_density(self, outcome):
        i = self._position.get(outcome)
        return -np.inf if i is None else float(self.log_probabilities[i])

    def log_densities(self, outcomes: Sequence[Hashable]) -> np.ndarray:
        """Return the log probability of each outcome, shape (len(outcomes),)."""
        if isinstance(outcomes, tuple) and outcomes == self.outcomes:
            return self.log_probabilities
        return np.array([self.log_density(outcome) for outcome in outcomes])

    def expectation(self, function: Callable[[Any], float]) -> float:
        """E[function(outcome)], a sum over the support."""
        possible = self.probabilities > 0  # elsewhere the function may be infinite
        values = [function(outcome) for outcome in self.support]
        return float(np.dot(self.probabilities[possible], values))

    def map(self, function: Callable[[Any], Hashable]) -> Finite:
        """The law of function(outcome): the push-forward, which is what post-processing does."""
        image: dict[Hashable, float] = {}
        for outcome, log in zip(self.outcomes, self.log_probabilities, strict=True):
            value = function(outcome)
            image[value] = np.logaddexp(image.get(value, -np.inf), log)
        return Finite(tuple(image), np.array(list(image.values())))


class Real(Distribution):
    """A continuous law on the real line, with a distribution function."""

    @abstractmethod
    def cdf(self, value: Any) -> Any:
        """P(outcome <= value), elementwise."""

    @abstractmethod
    def survival(self, value: Any) -> Any:
        """P(outcome > value), elementwise: where that is small 1 - cdf(value) has no digits."""

    def bin(self, edges: Iterable[float]) -> Finite:
        """The law of the index of the bin that the outcome falls in: 0 below edges[0], and so on.

        `edges` are increasing reals; the result has len(edges) + 1 outcomes. Raises ValueError for
        other edges, or none.
        """
        edges = arguments.reals("edges", list(edges))
        if not (np.diff(edges) > 0).all():
            raise ValueError(f"edges must be increasing, not {edges}")
        below = np.concatenate([[0.0], self.cdf(edges), [1.0]])
        above = np.concatenate([[1.0], self.survival(edges), [0.0]])
        steps = np.where(above[:-1] < below[1:], -np.diff(above), np.diff(below))  # the smaller two
        return Finite.of(dict(enumerate(steps)))


@dataclass(frozen=True)
class Laplace(Real):
    """The Laplace law: density exp(-|y - location| / scale) / (2 scale).

    Its standard deviation is sqrt(2) times the scale, its variance 2 scale^2. Samples are floats,
    and the low bits of floats leak: this law is for analysis and teaching, not for deployment.
    Raises ValueError unless both are finite and the scale is above 0.
    """

    location: float
    scale: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "location")
        arguments.settle(self, arguments.number, "scale", above=0)

    def sample(self, rng, size=None):
        return rng.laplace(self.location, self.scale, size)

    def log_density(self, outcome):
        distance = np.abs(np.asarray(outcome, dtype=float) - self.location)
        return -distance / self.scale - np.log(2 * self.scale)

    def cdf(self, value):
        z = (np.asarray(value, dtype=float) - self.location) / self.scale
        tail = np.exp(-np.abs(z)) / 2
        return np.where(z < 0, tail, 1 - tail)

    def survival(self, value):
        return Laplace(-self.location, self.scale).cdf(np.negative(value))


@dataclass(frozen=True)
class Gaussian(Real):
    """The normal law: density exp(-(y - mean)^2 / (2 sigma^2)) / (sigma sqrt(2 pi)).

    Raises ValueError unless both are finite and sigma is above 0.
    """

    mean: float
    sigma: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "mean")
        arguments.settle(self, arguments.number, "sigma", above=0)

    def sample(self, rng, size=None):
        return rng.normal(self.mean, self.sigma, size)

    def log_density(self, outcome):
        z = (np.asarray(outcome, dtype=float) - self.mean) / self.sigma
        return -(z**2) / 2 - np.log(self.sigma * np.sqrt(2 * np.pi))

    def cdf(self, value):
        from scipy.special import ndtr

        return ndtr((np.asarray(value, dtype=float) - self.mean) / self.sigma)

    def survival(self, value):
        return Gaussian(-self.mean, self.sigma).cdf(np.negative(value))


@dataclass(frozen=True, eq=False)
class LaplaceVector(Distribution):
    """Independent Laplace laws of one scale around `locations`, an array of shape (d,).

    Outcomes are arrays of shape (..., d); raises ValueError for other shapes.

    >>> float(LaplaceVector([0, 1], scale=2).log_density([0, 3]))
    -3.772588722239781
    """

    locations: np.ndarray
    scale: float

    def __post_init__(self):
        arguments.settle(self, _vector, "locations")
        arguments.settle(self, arguments.number, "scale", above=0)

    def sample(self, rng, size=None):
        return rng.laplace(self.locations, self.scale, _with_last(size, len(self.locations)))

    def log_density(self, outcome):
        distance = np.abs(_coordinates(outcome, self.locations)).sum(axis=-1)
        return -distance / self.scale - len(self.locations) * np.log(2 * self.scale)


@dataclass(frozen=True, eq=False)
class SphericalLaplace(Distribution):
    """The law of density c e^{-||y - center|| / scale} on vectors, with the L2 norm.

    Its direction is uniform and its length has the Gamma law of shape d, so that the mean length is
    d scale; c^-1 = scale^d (d - 1)! times the area of the unit sphere, 2 pi^{d/2} / Gamma(d / 2).
    For d = 1 it is `Laplace`. Outcomes are arrays of shape (..., d). Raises ValueError for other
    shapes, and unless the center is finite and the scale above 0.

    >>> round(float(SphericalLaplace([0.0], 2.0).log_density([3.0])), 6)
    -2.886294
    """

    center: np.ndarray
    scale: float

    def __post_init__(self):
        arguments.settle(self, _vector, "center")
        arguments.settle(self, arguments.number, "scale", above=0)

    def sample(self, rng, size=None):
        direction = rng.normal(size=_with_last(size, len(self.center)))
        direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
        length = rng.gamma(len(self.center), self.scale, direction.shape[:-1])
        return self.center + length[..., None] * direction

    def log_density(self, outcome):
        d = len(self.center)
        distance = np.linalg.norm(_coordinates(outcome, self.center), axis=-1)
        area = math.log(2) + d / 2 * math.log(math.pi) - math.lgamma(d / 2)
        return -distance / self.scale - d * math.log(self.scale) - math.lgamma(d) - area


@dataclass(frozen=True, eq=False)
class GaussianVector(Distribution):
    """The normal law around `mean`, shape (d,), with a covariance: a number, of independent
    coordinates of that variance, or a symmetric positive definite array of shape (d, d).

    log density -|w|^2 / 2 - log det(2 pi covariance) / 2, where w = L^-1 (y - mean) and
    covariance = L L'. Outcomes are arrays of shape (..., d). Raises ValueError for other arguments.

    >>> GaussianVector([0, 0], [[2, 1], [1, 2]]).whitened([1.0, 1.0]).round(4)
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
        object.__setattr__(self, "covariance", _fixed(covariance))
        if not (np.array_equal(covariance, covariance.T) and np.all(np.diag(self._root) > 0)):
            raise ValueError("covariance must be symmetric and positive definite")

    @cached_property
    def _root(self) -> np.ndarray:
        """L, or of a number its square root, of shape (1, 1)."""
        try:
            return np.linalg.cholesky(np.atleast_2d(self.covariance))
        except np.linalg.LinAlgError:
            return np.zeros((1, 1))

    def whitened(self, difference) -> np.ndarray:
        """L^-1 difference, of shape (..., d): independent coordinates of variance 1."""
        from scipy.linalg import solve_triangular

        if self._root.size == 1:
            return np.asarray(difference) / self._root[0, 0]
        rows: np.ndarray = np.reshape(difference, (-1, len(self.mean)))
        white = solve_triangular(self._root, rows.T, lower=True).T
        return white.reshape(np.shape(difference))

    def sample(self, rng, size=None):
        noise = rng.normal(size=_with_last(size, len(self.mean)))
        one = self._root.size == 1
        return self.mean + (noise * self._root[0, 0] if one else noise @ self._root.T)

    def log_density(self, outcome):
        w = self.whitened(_coordinates(outcome, self.mean))
        spread = np.broadcast_to(np.log(np.diag(self._root)), self.mean.shape).sum()
        return -(w**2).sum(axis=-1) / 2 - spread - len(self.mean) * np.log(2 * np.pi) / 2


def _vector(name: str, values: Any) -> np.ndarray:
    values = arguments.reals(name, values)
    if values.ndim != 1:
        raise ValueError(f"{name} must be of shape (d,), not {values.shape}")
    return _fixed(values)


def _fixed(values: np.ndarray) -> np.ndarray:
    """A copy that stays what it is, whatever becomes of the array that the law was made with."""
    copy = values.copy()
    copy.setflags(write=False)
    return copy


def _coordinates(outcome: Any, center: np.ndarray) -> np.ndarray:
    """outcome - center, of shape (..., d)."""
    outcome = np.asarray(outcome, dtype=float)
    if outcome.shape[-1:] != center.shape:
        raise ValueError(f"outcome must be of shape (..., {len(center)}), not {outcome.shape}")
    return outcome - center


def _with_last(size: int | tuple[int, ...] | None, d: int) -> tuple[int, ...]:
    return (*np.atleast_1d(() if size is None else size).astype(int), d)


@dataclass(frozen=True, eq=False)
class Product(Distribution):
    """The law of independent parts: log density is the sum of the factors' log densities.

    Outcomes are sequences of one part for each factor; samples carry the parts on the last axis.
    Raises ValueError if there are no factors.
    """

    factors: tuple[Distribution, ...]

    def __post_init__(self):
        object.__setattr__(self, "factors", tuple(self.factors))
        if not self.factors:
            raise ValueError("factors must not be empty")

    def sample(self, rng, size=None):
        return np.stack([factor.sample(rng, size) for factor in self.factors], axis=-1)

    def log_density(self, outcome):
        parts = zip(self.factors, outcome, strict=True)
        return sum(factor.log_density(part) for factor, part in parts)

    def enumerate(self) -> Finite:
        """The same law as one `Finite` on tuples; its size is the product of the factors' sizes.

        Raises ValueError if a factor is not finite.
        """
        finite, logs = [], np.zeros(1)
        for factor in self.factors:
            law = factor.enumerate() if isinstance(factor, Product) else factor
            if not isinstance(law, Finite):
                raise ValueError(f"only finite factors can be enumerated, not {law!r}")
            finite.append(law)
            logs = np.add.outer(logs, law.log_probabilities).ravel()
        return Finite(_tuples(tuple(law.outcomes for law in finite)), logs)


def enumerate_law(law: Distribution) -> Finite:
    """Return a finite law, or a product of finite laws, as one `Finite`; else raise ValueError."""
    if isinstance(law, Finite):
        return law
    if isinstance(law, Product):
        return law.enumerate()
    raise ValueError(f"law must have finitely many outcomes, not {law!r}")


@lru_cache(maxsize=64)
def _tuples(outcomes: tuple[tuple[Hashable, ...], ...]) -> tuple[tuple[Hashable, ...], ...]:
    # Laws of one mechanism share this object, so that aligning them is an identity check.
    return tuple(cartesian(*outcomes))
