"""Laws on a grid: discrete Laplace and discrete Gaussian, drawn exactly.

Outcomes are grid * k for whole numbers k. Every outcome that one dataset can produce, its
neighbours can produce too: the low bits of floats, which give the Laplace mechanism away, are the
same for all. Parameters are rational and exact; log densities are floats.

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
from dplab.sampling.rational import rational

ATOMS = 1 << 23  # the most values of a law or a privacy loss that are enumerated
TOLD_APART = 1 << 50  # integers below: floats hold them, and their quotients to the nearest
FARTHEST = 1 << 1000  # steps from the center: more are as unlikely
REACH = 27  # sigmas after which a discrete Gaussian is cut for its privacy loss: mass 1e-158


class Lattice(Distribution):
    """location + grid * K for a symmetric random whole number K; location is on the grid."""

    location: Fraction
    grid: Fraction

    def _check(self, spread: str) -> None:
        arguments.settle(self, rational, spread, "grid", above=0)
        arguments.number(f"{spread} / grid", getattr(self, spread) / self.grid, above=0)
        steps = steps_of("location", self.location, self.grid)
        object.__setattr__(self, "location", steps * self.grid)

    @abstractmethod
    def noise(self, rng, size=None) -> Any:
        """Draw K, in steps of the grid: an int, or an array of shape `size`."""

    @abstractmethod
    def _log_mass(self, steps: np.ndarray) -> np.ndarray:
        """log P(K = steps), elementwise."""

    @abstractmethod
    def _log_tail(self, steps: int) -> float:
        """log P(K >= steps) for steps >= 1."""

    @property
    def center(self) -> int:
        """The location in steps of the grid."""
        return int(self.location / self.grid)

    def sample(self, rng, size=None):
        """Draw outcomes; `rng` may also be `dplab.sampling.OPERATING_SYSTEM`.

        Ints where the grid is whole (Python's, in an array of objects, where they exceed 64 bits),
        else the floats nearest to the multiples of the grid.
        """
        return on_grid(add_steps(self.noise(rng, size), self.center), self.grid)

    def log_density(self, outcome):
        values = np.asarray(outcome)
        if self._is_counted_in_floats(values):
            values = values.astype(float)
            steps = np.rint(values / float(self.grid))
            known = np.asarray(on_grid(steps, self.grid)) == values
            return np.where(known, self._log_mass(np.abs(steps - self.center)), -np.inf)[()]
        logs = [self._log_density_at(value) for value in values.ravel().tolist()]
        return np.reshape(logs, values.shape)[()]

    def _is_counted_in_floats(self, values: np.ndarray) -> bool:
        """Whether floats tell apart the points of the grid as far out as these values."""
        numerator, denominator = self.grid.as_integer_ratio()
        if max(numerator, denominator, abs(self.center)) > TOLD_APART or values.dtype.kind == "O":
            return False
        steps = np.abs(values.astype(float)) / float(self.grid)
        return bool((steps * numerator < TOLD_APART).all())

    def _log_density_at(self, value: float) -> float:
        try:
            steps = steps_of("outcome", value, self.grid)
        except ValueError:
            return -np.inf
        distance = float(min(abs(steps - self.center), FARTHEST))
        return float(self._log_mass(np.array(distance)))

    def clamp(self, lower: Any, upper: Any) -> Finite:
        """The law of the outcome moved into [lower, upper], two points of the grid: it is finite.

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

    Its variance is 2 grid^2 p / (1 - p)^2 with p = e^{-1/t}, just below that of the Laplace law,
    2 scale^2. Also called the two-sided geometric law. Raises ValueError unless scale and grid are
    rational and above 0 and location is a multiple of the grid.

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

    def noise(self, rng, size=None):
        return discrete_laplace(self.scale / self.grid, rng, size)

    def _log_mass(self, steps):
        with np.errstate(over="ignore"):
            return np.log(np.tanh(self._rate / 2)) - np.abs(steps) * self._rate

    def _log_tail(self, steps):
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

        For s < 1 the sum itself; for s >= 1 Poisson's form, s sqrt(2 pi) (1 + 2 sum_n
        e^{-2 pi^2 s^2 n^2}). Terms fall faster than geometrically, and the first left out is below
        e^{-200} in the one and e^{-157} in the other, so what is left out is below 1e-60.
        """
        s, n = self._width, np.arange(1, 21)
        if s < 1:
            return float(np.log1p(2 * np.exp(-((n / max(s, 0.01)) ** 2) / 2).sum()))  # there 0
        waves = np.exp(-2 * (np.pi * min(s, 10) * n[:2]) ** 2).sum()  # there 0, too
        return float(np.log(s) + np.log(2 * np.pi) / 2 + np.log1p(2 * waves))

    def noise(self, rng, size=None):
        return discrete_gaussian(self.sigma / self.grid, rng, size)

    def _log_mass(self, steps):
        return _log_bell(steps, self._width) - self.log_total

    def _log_tail(self, steps):
        return log_gaussian_tail(steps, self._width) - self.log_total


def log_gaussian_tail(start: int, s: float) -> float:
    """log sum_{k >= start} e^{-k^2 / (2 s^2)} for start >= 1.

    Summed until the terms are below e^{-60} of the first: 60 s / (start / s) terms, or 11 s.
    Raises ValueError for an s for which these would be too many.
    """
    count = 2 + np.ceil(min(11 * s, 60 * s * s / start))
    if count > ATOMS:
        raise ValueError(f"sigma must be below {ATOMS // 11} steps of the grid, not {s}")
    k: np.ndarray = np.arange(start, start + int(count), dtype=float)
    return float(np.logaddexp.reduce(_log_bell(k, s)))


def _log_bell(steps: np.ndarray, s: float) -> np.ndarray:
    """-k^2 / (2 s^2), elementwise; -inf where that is no float."""
    with np.errstate(over="ignore"):
        return -((steps / s) ** 2) / 2


def on_grid(steps: Any, grid: Fraction) -> Any:
    """steps * grid: ints where the grid is whole, else the floats nearest to the multiples."""
    if grid.numerator != 1:
        steps = _roomy(steps, _largest(steps) * grid.numerator) * grid.numerator
    if grid.denominator == 1:
        return steps
    values = steps / grid.denominator
    return values.astype(float) if isinstance(values, np.ndarray) else float(values)


def add_steps(noise: Any, steps: Any) -> Any:
    """noise + steps, ints or integer arrays, without overflow."""
    largest = _largest(noise) + _largest(steps)
    return _roomy(noise, largest) + _roomy(steps, largest)


def _largest(steps: Any) -> int:
    if not isinstance(steps, np.ndarray):
        return abs(steps)
    return max(int(steps.max()), -int(steps.min())) if steps.size else 0


def _roomy(steps: Any, largest: int) -> Any:
    """The same numbers, as Python's ints if 64 bits do not hold `largest`."""
    if isinstance(steps, np.ndarray) and largest >= 1 << 63:
        return steps.astype(object)
    return steps


def steps_of(name: str, value: Any, grid: Fraction) -> int:
    """Return how many steps of the grid an exact value is, or raise ValueError if it is off it.

    A float is on the grid too if it is the one nearest to a multiple.
    """
    steps = rational(name, value) / grid
    whole = round(steps)
    if steps != whole and not (isinstance(value, float) and on_grid(whole, grid) == value):
        raise ValueError(f"{name} must be a multiple of grid {grid}, not {value!r}")
    return whole


@lru_cache(maxsize=64)
def _outcomes(first: int, last: int, grid: Fraction) -> tuple:
    # Laws of one mechanism share this object, so that aligning them is an identity check.
    return tuple(on_grid(k, grid) for k in range(first, last + 1))


@dataclass(frozen=True, eq=False)
class CutLoss(AtomicLoss):
    """A loss without bounds, of which outcomes of mass 1e-150 or less are left out."""

    smallest = -np.inf
    largest = np.inf

    def renyi(self, alpha):
        """As for every loss; ValueError where what is left out would count (alpha too large)."""
        logs = np.log(np.maximum(self.p, 1e-320)) + (alpha - 1) * self.losses
        if logs[-1] > logs.max() - 40:
            raise ValueError(f"alpha must be smaller for losses enumerated so far, not {alpha}")
        return super().renyi(alpha)


@privacy_loss.register
def _(p: DiscreteLaplace, q: Distribution) -> PrivacyLoss:
    """Z = (s - 2 j) / t for s steps between the locations: j = 0 for all outcomes from p's
    location outward, j = s from q's outward, each j between for one outcome."""
    steps = _steps_between(p, q, "scale")
    if not steps:
        return NO_LOSS
    if steps > ATOMS:
        raise ValueError(f"locations must be at most {ATOMS} steps apart, not {steps}")
    j = np.arange(steps + 1)
    log_p = p._log_mass(j.astype(float))
    log_p[0], log_p[-1] = -np.log1p(np.exp(-p._rate)), p._log_tail(steps)
    return AtomicLoss.of(log_p, log_p[::-1])


@privacy_loss.register
def _(p: DiscreteGaussian, q: Distribution) -> PrivacyLoss:
    steps = _steps_between(p, q, "sigma")
    if not steps:
        return NO_LOSS
    most = ATOMS // (2 * REACH)
    reach = int(np.ceil(REACH * min(p._width, most + 1))) + 1
    if 2 * reach + steps > ATOMS:
        raise ValueError(f"sigma must be at most {most} steps of the grid, not {p._width}")
    k: np.ndarray = np.arange(-reach, steps + reach + 1, dtype=float)
    return CutLoss.of(p._log_mass(k), p._log_mass(k - steps))


def _steps_between(p: Lattice, q: Distribution, spread: str) -> int:
    if type(p) is not type(q) or p.grid != q.grid or getattr(p, spread) != getattr(q, spread):
        raise ValueError(f"q must have p's kind, {spread} and grid: p is {p!r}, q is {q!r}")
    return abs(p.center - q.center)
