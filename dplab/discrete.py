"""Distributions on a grid: discrete Laplace and discrete Gaussian, sampled exactly.

Outcomes are grid * k for whole numbers k. If one dataset can produce an outcome, so can its
neighbours. So low bits do not tell the dataset, as those of floats do for the Laplace mechanism.
Parameters are rational and exact; log densities are floats.

Sources: Ghosh, Roughgarden and Sundararajan (2009); Canonne, Kamath and Steinke (2020).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from dplab import arguments
from dplab.distributions import Distribution, Finite
from dplab.divergences import privacy_loss
from dplab.losses import NO_LOSS, AtomicLoss, PrivacyLoss
from dplab.sampling import discrete_gaussian, discrete_laplace
from dplab.sampling.bits import Source
from dplab.sampling.rational import grid_step, rational

ATOMS = 1 << 23  # values of a distribution or a privacy loss, at most, that are enumerated
MAX_STEPS_FROM_CENTER = 1 << 1000  # farther outcomes are treated like this one
CUT_AFTER_SIGMAS = 27  # the privacy loss leaves out a discrete Gaussian beyond: mass 1e-158


class Lattice(Distribution):
    """location + grid * K for a symmetric random whole number K; location is on the grid."""

    location: Fraction
    grid: Fraction

    def _check(self, spread: str) -> None:
        arguments.settle(self, rational, spread, above=0)
        arguments.settle(self, grid_step, "grid")
        arguments.number(f"{spread} / grid", getattr(self, spread) / self.grid, above=0)
        steps = steps_of("location", self.location, self.grid)
        object.__setattr__(self, "location", steps * self.grid)

    @abstractmethod
    def noise(self, rng: Source, size: int | tuple[int, ...] | None = None) -> Any:
        """Draw K, in steps of the grid: an int, or an array of shape `size`."""

    @abstractmethod
    def _log_mass(self, steps: np.ndarray) -> np.ndarray:
        """Return log P(K = steps), elementwise."""

    @abstractmethod
    def _log_tail(self, steps: int) -> float:
        """Return log P(K >= steps) for steps >= 1."""

    @property
    def center(self) -> int:
        """The location in steps of the grid."""
        return int(self.location / self.grid)

    def sample(self, rng: Source, size: int | tuple[int, ...] | None = None) -> Any:
        """Draw outcomes; `rng` may also be `dplab.sampling.OPERATING_SYSTEM`.

        Ints where the grid is whole (Python's, in an array of objects, where they exceed 64 bits),
        else the floats nearest to the multiples of the grid.
        """
        return on_grid(add_steps(self.noise(rng, size), self.center), self.grid)

    def log_density(self, outcome: Any) -> Any:
        values = np.asarray(outcome)
        different, places = np.unique(values.ravel(), return_inverse=True)  # draws repeat
        logs = np.array([self._log_density_at(value) for value in different.tolist()])
        return logs[places].reshape(values.shape)[()]

    def _log_density_at(self, value: float) -> float:
        try:
            steps = steps_of("outcome", value, self.grid)
        except ValueError:
            return -np.inf
        distance = float(min(abs(steps - self.center), MAX_STEPS_FROM_CENTER))
        return float(self._log_mass(np.array(distance)))

    def clamp(self, lower: Any, upper: Any) -> Finite:
        """Return the finite distribution of the outcome moved into [lower, upper].

        Raises ValueError unless both are multiples of the grid and lower < upper.
        """
        first, last = (
            steps_of(name, value, self.grid) for name, value in (("lower", lower), ("upper", upper))
        )
        if not first < last:
            raise ValueError(f"upper must be above lower {lower!r}, not {upper!r}")
        if last - first > ATOMS:
            raise ValueError(f"upper must be at most {ATOMS} steps above lower, not {upper!r}")
        steps = np.arange(first - self.center, last - self.center + 1)
        logs = self._log_mass(np.abs(steps).astype(float))
        logs[0], logs[-1] = self._log_at_least(-int(steps[0])), self._log_at_least(int(steps[-1]))
        return Finite(_outcomes(first, last, self.grid), logs)

    def _log_at_least(self, steps: int) -> float:
        if steps >= 1:
            return self._log_tail(steps)
        return float(np.log1p(-np.exp(self._log_tail(1 - steps))))


@dataclass(frozen=True)
class DiscreteLaplace(Lattice):
    """P(y) = tanh(1 / (2 t)) e^{-|y - location| / scale} for y in grid Z, t = scale / grid.

    Its variance is 2 grid^2 p / (1 - p)^2 with p = e^{-1/t}, just below that of the Laplace
    distribution, 2 scale^2. Also called the two-sided geometric distribution. Raises ValueError
    unless scale and grid are rational and above 0 and location is a multiple of the grid.

    >>> law = DiscreteLaplace(0, scale=1)
    >>> round(float(np.exp(law.log_density(0))), 7), round(law.variance, 6)
    (0.4621172, 1.841347)
    """

    location: Fraction
    scale: Fraction
    grid: Fraction = Fraction(1)

    def __post_init__(self):
        self._check("scale")
        arguments.number("grid / scale", self.grid / self.scale)

    @property
    def _rate(self) -> float:
        return float(self.grid / self.scale)  # -log p

    @property
    def variance(self) -> float:
        """2 grid^2 p / (1 - p)^2 = grid^2 / (2 sinh(1 / (2 t))^2)."""
        deviation = math.sqrt(2) * math.exp(-self._rate / 2) / -math.expm1(-self._rate)
        deviation *= float(self.grid)
        return deviation * deviation

    def noise(self, rng: Source, size: int | tuple[int, ...] | None = None) -> Any:
        return discrete_laplace(self.scale / self.grid, rng, size)

    def _log_mass(self, steps: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return np.log(np.tanh(self._rate / 2)) - np.abs(steps) * self._rate

    def _log_tail(self, steps: int) -> float:
        return float(-steps * self._rate - np.log1p(np.exp(-self._rate)))  # p^k / (1 + p)


@dataclass(frozen=True)
class DiscreteGaussian(Lattice):
    """P(y) proportional to exp(-(y - location)^2 / (2 sigma^2)) for y in grid Z.

    sigma is a parameter: the standard deviation is at most sigma, and close to it once sigma is
    above the grid. Raises ValueError unless sigma and grid are rational and above 0 and location
    is a multiple of the grid.
    """

    location: Fraction
    sigma: Fraction
    grid: Fraction = Fraction(1)

    def __post_init__(self):
        self._check("sigma")

    @property
    def _width(self) -> float:
        return float(self.sigma / self.grid)

    @property
    def log_total(self) -> float:
        """log sum_k e^{-k^2 / (2 s^2)} over all integers, s = sigma / grid, to rounding.

        For s < 1 it is the sum itself; for s >= 1 it is Poisson's form, s sqrt(2 pi) (1 + 2 sum_n
        e^{-2 pi^2 s^2 n^2}). Terms fall faster than geometrically. The first omitted term is below
        e^{-200} for s < 1 and below e^{-157} for s >= 1, so all omitted terms are below 1e-60.
        """
        s, n = self._width, np.arange(1, 21)  # all terms are 0 for s < 0.01 and for s > 10
        if s < 1:
            return float(np.log1p(2 * np.exp(-((n / max(s, 0.01)) ** 2) / 2).sum()))
        waves = np.exp(-2 * (np.pi * min(s, 10) * n[:2]) ** 2).sum()
        return float(np.log(s) + np.log(2 * np.pi) / 2 + np.log1p(2 * waves))

    def noise(self, rng: Source, size: int | tuple[int, ...] | None = None) -> Any:
        return discrete_gaussian(self.sigma / self.grid, rng, size)

    def _log_mass(self, steps: np.ndarray) -> np.ndarray:
        return _log_bell(steps, self._width) - self.log_total

    def _log_tail(self, steps: int) -> float:
        return log_gaussian_tail(steps, self._width) - self.log_total


def log_gaussian_tail(start: int, s: float) -> float:
    """Return log sum_{k >= start} e^{-k^2 / (2 s^2)} for start >= 1.

    The sum ends where terms are below e^{-60} times the first, after 60 s / (start / s) or 11 s
    terms. Raises ValueError for an s with more than `ATOMS` of them.
    """
    count = 2 + np.ceil(min(11 * s, 60 * s * s / start))
    if count > ATOMS:
        raise ValueError(f"sigma must be below {ATOMS // 11} steps of the grid, not {s}")
    k: np.ndarray = np.arange(start, start + int(count), dtype=float)
    return float(np.logaddexp.reduce(_log_bell(k, s)))


def _log_bell(steps: np.ndarray, s: float) -> np.ndarray:
    """Return -k^2 / (2 s^2), elementwise; -inf where that overflows."""
    with np.errstate(over="ignore"):
        return -((steps / s) ** 2) / 2


def on_grid(steps: Any, grid: Fraction) -> Any:
    """Return steps * grid: ints where the grid is whole, otherwise the nearest floats."""
    if grid.numerator != 1:
        steps = _widen_integers(steps, _largest_size(steps) * grid.numerator) * grid.numerator
    if grid.denominator == 1:
        return steps
    values = steps / grid.denominator
    return values.astype(float) if isinstance(values, np.ndarray) else float(values)


def add_steps(noise: Any, steps: Any) -> Any:
    """Return noise + steps, ints or integer arrays, without overflow."""
    largest = _largest_size(noise) + _largest_size(steps)
    return _widen_integers(noise, largest) + _widen_integers(steps, largest)


def _largest_size(steps: Any) -> int:
    if not isinstance(steps, np.ndarray):
        return abs(steps)
    return max(int(steps.max()), -int(steps.min())) if steps.size else 0


def _widen_integers(steps: Any, largest: int) -> Any:
    """Return the same numbers, as Python's ints if 64 bits do not hold `largest`."""
    if isinstance(steps, np.ndarray) and largest >= 1 << 63:
        return steps.astype(object)
    return steps


def steps_of(name: str, value: Any, grid: Fraction) -> int:
    """Return how many steps of the grid an exact value is, or raise ValueError if it is off.

    A float counts as a multiple if it is the float nearest to one.
    """
    steps = rational(name, value) / grid
    whole = round(steps)
    if steps != whole and not (isinstance(value, float) and on_grid(whole, grid) == value):
        raise ValueError(f"{name} must be a multiple of grid {grid}, not {value!r}")
    return whole


@lru_cache(maxsize=64)
def _outcomes(first: int, last: int, grid: Fraction) -> tuple:
    # Distributions of one mechanism share this object, so that aligning them is an identity check.
    return tuple(on_grid(k, grid) for k in range(first, last + 1))


@dataclass(frozen=True, eq=False)
class CutLoss(AtomicLoss):
    """An unbounded loss whose outcomes of mass 1e-150 or less are left out.

    It is that of a discrete Gaussian whose location moves by whole steps: its rho is its mean.
    Source: Canonne, Kamath and Steinke (2020), Theorem 4.
    """

    smallest = -np.inf
    largest = np.inf

    @property
    def rho(self) -> float:
        return self.mean

    def renyi(self, alpha: float) -> float:
        """Return D_alpha; its bound rho alpha if omitted outcomes would matter."""
        logs = np.log(np.maximum(self.p, 1e-320)) + (alpha - 1) * self.losses
        return self.rho * alpha if logs[-1] > logs.max() - 40 else super().renyi(alpha)


@privacy_loss.register
def _(p: DiscreteLaplace, q: Distribution) -> PrivacyLoss:
    """Return the exact loss Z = (s - 2 j) / t for s steps between the two locations.

    j = 0 for all outcomes from p's location outward, and j = s for all from q's location outward.
    Each j between has one outcome.
    """
    steps = _steps_between(p, q, "scale")
    if not steps:
        return NO_LOSS
    if steps > ATOMS:
        raise ValueError(f"locations must be at most {ATOMS} steps apart")
    j = np.arange(steps + 1)
    log_p = p._log_mass(j.astype(float))
    log_p[0], log_p[-1] = -np.log1p(np.exp(-p._rate)), p._log_tail(steps)
    return AtomicLoss.of(log_p, log_p[::-1])


@privacy_loss.register
def _(p: DiscreteGaussian, q: Distribution) -> PrivacyLoss:
    steps = _steps_between(p, q, "sigma")
    if not steps:
        return NO_LOSS
    most_sigma = ATOMS // (2 * CUT_AFTER_SIGMAS)
    reach = int(np.ceil(CUT_AFTER_SIGMAS * min(p._width, most_sigma + 1))) + 1
    if 2 * reach + steps > ATOMS:
        raise ValueError(f"sigma must be at most {most_sigma} steps of the grid, not {p._width}")
    k: np.ndarray = np.arange(-reach, steps + reach + 1, dtype=float)
    return CutLoss.of(p._log_mass(k), p._log_mass(k - steps))


def _steps_between(p: Lattice, q: Distribution, spread: str) -> int:
    if type(p) is not type(q) or p.grid != q.grid or getattr(p, spread) != getattr(q, spread):
        raise ValueError(f"q must have p's kind, {spread} and grid")
    return abs(p.center - q.center)
