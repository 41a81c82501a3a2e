"""The loss of independent releases: the sum of their losses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from operator import add

import numpy as np

from dplab import arguments
from dplab.losses.atoms import NO_LOSS, AtomicLoss
from dplab.losses.convolution import LEVEL, GridSum, convolve, power_above, window
from dplab.losses.gaussian import GaussianLoss
from dplab.losses.grid import ROUNDING, pessimistic, reach
from dplab.losses.loss import PrivacyLoss

TAIL = 1e-16  # mass of one release that its grid may leave out, or that rounding may hide
LEAST_STEP = 16 * ROUNDING  # the least step of a grid, in nats
MAX_CELLS = 2**20  # cells of one loss
GRID_POINTS = 7_800  # a little below a power of 2, over 22 standard deviations of the sum


def total_loss(losses: Iterable[PrivacyLoss] | Mapping[PrivacyLoss, int]) -> PrivacyLoss:
    """Return the loss of independent releases, the sum of `losses`; a mapping has their counts.

    It is exact for finite distributions and for normal distributions. Otherwise `grid.pessimistic`
    splits the losses on a grid of some 8,000 points, and delta is an upper bound. It belongs to a
    sum whose variance is larger by 2% at most, mostly by far less. `accounting.delta_bounds`
    returns both ends of an interval. The grid of a loss of more than 1e8 nats among others raises
    ValueError when it is made.
    """
    if not isinstance(losses, Mapping):
        losses = arguments.instances("losses", losses, PrivacyLoss, may_be_empty=True)
    counts = _flatten(Counter(losses).items())
    if sum(counts.values()) <= 1:
        return next(iter(counts), NO_LOSS)
    normal = [(loss.mu, k) for loss, k in counts.items() if isinstance(loss, GaussianLoss)]
    if len(normal) == len(counts):
        return GaussianLoss(math.hypot(*(mu * math.sqrt(k) for mu, k in normal)))
    atomic = [loss for loss, k in counts.items() if isinstance(loss, AtomicLoss) for _ in range(k)]
    if len(atomic) == sum(counts.values()):
        return reduce(add, atomic)
    return DiscretizedLoss(counts.items())


def _flatten(parts: Iterable[tuple[PrivacyLoss, int]]) -> dict[PrivacyLoss, int]:
    """Return the number of releases with each loss, without sums of losses and losses of 0."""
    counts: Counter[PrivacyLoss] = Counter()
    for loss, k in parts:
        own = loss.parts if isinstance(loss, DiscretizedLoss) else ((loss, 1),)
        counts.update({part: k * each for part, each in own})
    counts.pop(NO_LOSS, None)
    return counts


class DiscretizedLoss(AtomicLoss):
    """A sum of losses, split on a grid; its two ends and its Renyi divergences are exact.

    `parts` are pairs of a loss and the number of times that it is added. The grid is made when it
    is first used; `accounting.epsilon_bounds` takes the parts instead.
    """

    parts: tuple[tuple[PrivacyLoss, int], ...]

    def __init__(self, parts: Iterable[tuple[PrivacyLoss, int]]):
        object.__setattr__(self, "parts", tuple(_flatten(parts).items()))

    def __repr__(self) -> str:
        return f"DiscretizedLoss(parts={self.parts!r})"

    @cached_property
    def _law(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return _add_on_grid(dict(self.parts))

    @property
    def losses(self) -> np.ndarray:
        return self._law[0]

    @property
    def p(self) -> np.ndarray:
        return self._law[1]

    @property
    def q(self) -> np.ndarray:
        return self._law[2]

    @property
    def smallest(self) -> float:
        return sum(k * loss.smallest for loss, k in self.parts)

    @property
    def largest(self) -> float:
        return sum(k * loss.largest for loss, k in self.parts)

    def renyi(self, alpha: float) -> float:
        return sum(k * loss.renyi(alpha) for loss, k in self.parts)

    @property
    def rho(self) -> float:
        return sum(k * loss.rho for loss, k in self.parts)

    @property
    def infinite(self) -> float:
        with np.errstate(divide="ignore"):
            return float(-np.expm1(sum(k * np.log1p(-loss.infinite) for loss, k in self.parts)))

    @property
    def is_symmetric(self) -> bool:
        return all(loss.is_symmetric for loss, _ in self.parts)

    def reverse(self) -> DiscretizedLoss:
        return DiscretizedLoss((loss.reverse(), k) for loss, k in self.parts)


def _add_on_grid(counts: Mapping[PrivacyLoss, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the losses of the sum and their masses under p and q.

    The distributions under p are convolved, all on one grid.
    """
    step = _choose_step(counts)
    laws = tuple(pessimistic(loss, step, TAIL) for loss in counts)
    total = GridSum(laws, tuple(counts.values()))
    start, width = window(total, 0.0)
    masses, _ = convolve(total, 0.0, start, power_above(width))
    grid = step * (start + np.arange(width))
    masses = masses[:width] * math.exp(total.log_moment(0.0))
    # Mass that the window misses or that rounding may hide counts as the largest loss.
    lost_mass = total.infinite + 2 * math.exp(-LEVEL) + sum(counts.values()) * TAIL
    top = max(grid[-1], sum(k * loss.largest for loss, k in counts.items()))
    losses: np.ndarray = np.append(grid, top)
    p: np.ndarray = np.append(masses, lost_mass)
    # Q[Z >= z] would exceed 1 at the lowest losses, where p consists of rounding errors.
    tails = np.minimum(1.0, np.cumsum((p * np.exp(-losses))[::-1]))[::-1]
    return (
        np.append(-np.inf, losses),  # the first for outcomes that q alone can produce
        np.append(0.0, p),
        np.append(1.0, tails) - np.append(tails, 0.0),
    )


def _choose_step(counts: Mapping[PrivacyLoss, int]) -> float:
    """Return a step at which all but a negligible part of the sum fills the grid.

    If all losses are equal, their largest value is a multiple of the step, so that an atom there
    stays in its place. Otherwise the step is at most a quarter of the standard deviation of a
    release, unless a loss would then have too many cells.
    """
    n = sum(counts.values())
    reaches = {loss: min(loss.largest - loss.smallest, 2 * reach(loss, TAIL)) for loss in counts}
    width = math.hypot(*(math.sqrt(k) * reaches[loss] for loss, k in counts.items()))
    least_step = max(max(reaches.values()) / MAX_CELLS, LEAST_STEP)
    coarse = max(width / max(2**8, 16 * math.sqrt(n)), least_step)
    while True:
        total = GridSum(
            tuple(pessimistic(loss, coarse, TAIL) for loss in counts), tuple(counts.values())
        )
        spread = math.sqrt(total.moments(0.0)[2] / n)
        if coarse <= max(spread, least_step):
            break
        coarse = max(coarse / 16, least_step)  # losses with long tails are narrower than this
    step = max(coarse * window(total, 0.0)[1] / GRID_POINTS, LEAST_STEP)
    largest = max(loss.largest for loss in counts)
    if len(counts) == 1 and LEAST_STEP < largest < np.inf:
        return largest / max(1, math.floor(largest / step))
    return max(min(step, max(spread, least_step) / 4), LEAST_STEP)
