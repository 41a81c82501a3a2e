"""Noise on a grid, drawn exactly: the geometric mechanism and the discrete Gaussian mechanism.

The answers of the query and the noise are multiples of the grid. So neighbours can produce the same
outputs, and the guarantee holds for the program itself, not only for the real numbers that its
floats approximate. These are the mechanisms to deploy. Pass `dplab.sampling.OPERATING_SYSTEM` as
`rng` to draw from the operating system's source of randomness.

Sources: Ghosh, Roughgarden and Sundararajan (2009); Mironov (2012); Canonne, Kamath and Steinke
(2020).
"""

from __future__ import annotations

import contextlib
import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.discrete import (
    ATOMS,
    DiscreteGaussian,
    DiscreteLaplace,
    Lattice,
    add_steps,
    on_grid,
    steps_of,
)
from dplab.distributions import Distribution, Finite, Product
from dplab.divergences import privacy_loss
from dplab.guarantees import ZCDP, PureDP
from dplab.losses import DiscretizedLoss, GaussianLoss, PrivacyLoss
from dplab.mechanism import DerivedMechanism, ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation
from dplab.sampling.rational import grid_step, rational

LARGEST_FLOAT = int(np.finfo(float).max)
EXACT_STEPS = 64  # of a sigma whose loss is enumerated; beyond, normal noise is within 3e-4


class LatticeMechanism(ExactMechanism):
    """A mechanism query(data) + noise on a grid; for a vector, noise in each coordinate."""

    query: Callable[[Any], Any]
    sensitivity: Fraction
    grid: Fraction

    @property
    @abstractmethod
    def noise(self) -> DiscreteLaplace | DiscreteGaussian:
        """The distribution of the noise, around 0."""

    def _settle(self, noise: str) -> None:
        """Set sensitivity, grid and the parameter `noise` to exact numbers above 0.

        Raises ValueError for other arguments.
        """
        arguments.settle(self, arguments.function, "query")
        arguments.settle(self, require_relation, "neighbors")
        sensitivity, grid = _exact_steps(self.sensitivity, self.grid)
        object.__setattr__(self, "sensitivity", sensitivity)
        object.__setattr__(self, "grid", grid)
        arguments.settle(self, rational, noise, above=0)

    def _compute_answer(self, data: Any) -> np.ndarray:
        """Return query(data) in steps of the grid, as int64 or Python's ints.

        Raises ValueError for an answer off the grid; in a conversation it is moved onto the grid.
        """
        answer = records.array("query(data)", self.query(data))
        if np.can_cast(answer.dtype, np.int64) and self.grid == 1:
            return answer.astype(np.int64)
        steps_or_none = [_steps_of_answer(value, self.grid) for value in answer.ravel().tolist()]
        steps = [step for step in steps_or_none if step is not None]
        if len(steps) < len(steps_or_none):
            raise ValueError(f"query(data) must be a multiple of grid {self.grid}")
        wide = any(abs(step) >= 1 << 62 for step in steps)
        return np.array(steps, dtype=object if wide else np.int64).reshape(answer.shape)

    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of the noise around query(data); for a vector, a `Product`."""
        answer = self._compute_answer(data)
        distributions = [
            replace(self.noise, location=k * self.grid) for k in answer.ravel().tolist()
        ]
        return Product(tuple(distributions)) if answer.ndim else distributions[0]

    def __call__(self, data: Any, rng: Any) -> Any:
        """Draw an output: an int or float for a scalar query, otherwise an array of its shape."""
        answer = self._compute_answer(data)
        if answer.ndim == 0:
            return on_grid(self.noise.noise(rng) + answer.item(), self.grid)
        return on_grid(add_steps(self.noise.noise(rng, answer.shape), answer), self.grid)

    def clamp(self, lower: Any, upper: Any) -> ClampedMechanism:
        """Return the mechanism with outputs moved into [lower, upper]: as private, and finite."""
        return ClampedMechanism(self, lower, upper)


@lru_cache(maxsize=4)  # a curator needs it for each answer; a loss may take 100 MB
def _loss_of_move(noise: Any, steps: int) -> PrivacyLoss:
    """Return the loss of noise around 0 against that noise some grid steps away."""
    return privacy_loss(noise, replace(noise, location=steps * noise.grid))


def _exact_steps(sensitivity: Any, grid: Any) -> tuple[Fraction, Fraction]:
    """Return both as exact numbers above 0, the sensitivity at least the grid, or raise ValueError.

    A float sensitivity may mean a multiple of the grid. Otherwise 0.3 would be less than three
    steps of the grid 0.1.
    """
    exact, grid = rational("sensitivity", sensitivity, above=0), grid_step("grid", grid)
    with contextlib.suppress(ValueError):
        exact = steps_of("sensitivity", sensitivity, grid) * grid
    if exact < grid:
        raise ValueError(
            f"sensitivity must be at least one step of the grid, {grid}, not {sensitivity!r}: "
            "answers that differ are a step apart"
        )
    return exact, grid


def _steps_of_answer(value: Any, grid: Fraction) -> int | None:
    """Return how many steps of the grid an answer is; None if it is off the grid.

    In a conversation return the steps of the nearest point, and halfway those of the point above.
    So two numbers at most k steps apart have results at most k apart.
    """
    try:
        if not records.are_moved():
            return steps_of("query(data)", value, grid)
    except ValueError:
        return None
    exact = Fraction(value) if isinstance(value, int | Fraction) else None
    if exact is None or abs(exact) > LARGEST_FLOAT:
        exact = Fraction(records.number("query(data)", value))
    return math.floor(exact / grid + Fraction(1, 2))


@dataclass(frozen=True)
class GeometricMechanism(LatticeMechanism):
    """The epsilon-DP mechanism query(data) + discrete Laplace noise on the grid.

        P(output = y) = c e^{-epsilon |y - query(data)| / sensitivity},   y in grid Z

    In steps of the grid the scale is sensitivity / (grid epsilon); the guarantee is reached exactly
    where the sensitivity (L1, for a vector) is a multiple of the grid. All three are taken as
    exact rational numbers. A grid of 0.1 is 1/10 and has the answers of `numpy.round(x, 1)` (see
    `dplab.sampling.rational.grid_step`). Raises ValueError unless all are above 0 and the
    sensitivity is a step or more. Raises ValueError on a call if query(data) is not on the grid:
    round in the query, and use the sensitivity after rounding. A curator rounds instead; for a
    number and a whole number of steps the sensitivity stays the same.

    >>> count = GeometricMechanism(sum, sensitivity=1, epsilon=0.5)
    >>> count.distribution([0, 1, 1])
    DiscreteLaplace(location=Fraction(2, 1), scale=Fraction(2, 1), grid=Fraction(1, 1))
    >>> count.privacy_loss([0, 1, 1], [0, 0, 1]).largest_log_ratio
    0.5
    """

    query: Callable[[Any], Any]
    sensitivity: Fraction
    epsilon: Fraction
    grid: Fraction = Fraction(1)
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        self._settle("epsilon")

    @property
    def guarantee(self) -> PureDP:
        return PureDP(arguments.number("epsilon", self.epsilon))

    @property
    def worst_case(self) -> PrivacyLoss | PureDP:
        """The loss when one coordinate moves by all of the sensitivity, in whole grid steps.

        At the epsilons of its atoms delta is that of the Laplace mechanism. No other move has a
        larger delta, for the same reason as there.
        """
        steps = self.sensitivity // self.grid
        if steps > ATOMS:  # too many to list; nearly the worst case of epsilon-DP
            return self.guarantee
        return _loss_of_move(self.noise, steps)

    @property
    def noise(self) -> DiscreteLaplace:
        return DiscreteLaplace(Fraction(0), self.sensitivity / self.epsilon, self.grid)


@dataclass(frozen=True)
class DiscreteGaussianMechanism(LatticeMechanism):
    """The (sensitivity^2 / (2 sigma^2))-zCDP mechanism query(data) + discrete Gaussian noise.

        P(output = y) = c e^{-(y - query(data))^2 / (2 sigma^2)},   y in grid Z

    The sensitivity is the L2 sensitivity. The guarantee is that of the Gaussian mechanism, and the
    variance is no larger (Canonne, Kamath and Steinke 2020).
    Raises ValueError unless sigma and grid are above 0 and the sensitivity is a step of the grid or
    more, and on a call if query(data) is not on the grid.

    >>> DiscreteGaussianMechanism(sum, sensitivity=1, sigma=10).guarantee
    ZCDP(rho=0.005)
    """

    query: Callable[[Any], Any]
    sensitivity: Fraction
    sigma: Fraction
    grid: Fraction = Fraction(1)
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        self._settle("sigma")

    @classmethod
    def for_zcdp(
        cls,
        query: Callable[[Any], Any],
        *,
        sensitivity: Any,
        rho: Any,
        grid: Any = 1,
        neighbors: Neighbors = REPLACE_ONE,
    ) -> DiscreteGaussianMechanism:
        """Return the mechanism with the least sigma (of 53 bits) that is rho-zCDP."""
        rho = rational("rho", rho, above=0)
        sensitivity, grid = _exact_steps(sensitivity, grid)
        square = sensitivity**2 / (2 * rho)
        half = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
        square /= Fraction(4) ** half  # now about 1
        root = math.sqrt(square)
        while Fraction(lower := math.nextafter(root, 0)) ** 2 >= square:
            root = lower
        while Fraction(root) ** 2 < square:
            root = math.nextafter(root, math.inf)
        return cls(query, sensitivity, Fraction(root) * Fraction(2) ** half, grid, neighbors)

    @property
    def guarantee(self) -> ZCDP:
        return ZCDP(arguments.number("rho", self.sensitivity**2 / (2 * self.sigma**2)))

    @property
    def worst_case(self) -> PrivacyLoss | ZCDP:
        """A loss that dominates that of each move by whole steps with squares of sum N at most.

        N is (sensitivity / grid)^2, rounded down. If N is at most 3, each coordinate moves by at
        most one step. The worst move changes N coordinates, since a move of fewer is a part of it.

        For a larger N, and for a sigma of more than `EXACT_STEPS` steps, the loss is that of normal
        noise whose variance, in steps, is smaller by r^2. A discrete Gaussian of r around a draw of
        that noise is a discrete Gaussian of sigma: up to a factor 1 + 4 e^{-2 pi^2 r^2}, by
        Poisson's sum. With this r, all N coordinates together move the loss by 1e-12 at most. If
        sigma is too small for that, only the guarantee is known.
        Source: Peikert (2010), Theorem 3.1, for the sum of both.
        """
        squares = self.sensitivity**2 // self.grid**2
        variance = float((self.sigma / self.grid) ** 2)
        if squares <= 3 and variance <= EXACT_STEPS**2:
            one = _loss_of_move(self.noise, 1)
            return one if squares == 1 else DiscretizedLoss(((one, squares),))
        smoothing = (math.log(16 * squares) + 12 * math.log(10)) / (2 * math.pi**2)  # r^2
        if 8 * smoothing > variance:
            return self.guarantee
        return GaussianLoss(math.sqrt(squares / (variance - smoothing)))

    @property
    def is_tight(self) -> bool:
        return super().is_tight and not isinstance(self.worst_case, GaussianLoss)

    @property
    def noise(self) -> DiscreteGaussian:
        return DiscreteGaussian(Fraction(0), self.sigma, self.grid)


@dataclass(frozen=True)
class ClampedMechanism(DerivedMechanism, ExactMechanism):
    """The output of a mechanism on a grid, moved into [lower, upper]: finite, for an audit.

        output = min(max(mechanism(data), lower), upper)

    For counts of n people and the bounds 0 and n it is the truncated geometric mechanism, from
    which post-processing makes every epsilon-DP count (Ghosh, Roughgarden and
    Sundararajan 2009). Raises ValueError unless lower < upper are multiples of the grid.

    >>> from dplab.audit import exact_epsilon
    >>> count = GeometricMechanism(sum, sensitivity=1, epsilon=0.7).clamp(0, 3)
    >>> round(exact_epsilon(count, universe=(0, 1), n=3).epsilon, 12)
    0.7
    """

    mechanism: LatticeMechanism
    lower: Any
    upper: Any

    def __post_init__(self):
        arguments.instance("mechanism", self.mechanism, LatticeMechanism)
        grid = self.mechanism.grid
        first, last = (steps_of(name, getattr(self, name), grid) for name in ("lower", "upper"))
        if not first < last:
            raise ValueError(f"upper must be above lower {self.lower!r}, not {self.upper!r}")
        object.__setattr__(self, "lower", on_grid(first, grid))  # an end in the form of outputs
        object.__setattr__(self, "upper", on_grid(last, grid))

    def distribution(self, data: Any) -> Distribution:
        distribution = self.mechanism.distribution(data)
        if isinstance(distribution, Product):
            return Product(tuple(self._clamp(part) for part in distribution.factors))
        return self._clamp(distribution)

    def _clamp(self, distribution: Distribution) -> Finite:
        # Every distribution on a grid, or each factor of it, is a lattice.
        assert isinstance(distribution, Lattice)
        return distribution.clamp(self.lower, self.upper)

    def __call__(self, data: Any, rng: Any) -> Any:
        output = self.mechanism(data, rng)
        if isinstance(output, np.ndarray):
            return np.clip(output, self.lower, self.upper)
        return min(max(output, self.lower), self.upper)
