"""The loss of independent releases side by side: the sum of their losses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from dplab.losses.atoms import NO_LOSS, AtomicLoss
from dplab.losses.convolution import LEVEL, GridSum, convolved, power_above, window
from dplab.losses.gaussian import GaussianLoss
from dplab.losses.grid import ROUNDING, above, reach
from dplab.losses.loss import PrivacyLoss

TAIL = 1e-16  # of one release: losses of smaller probability under p, and what rounding may hide
FINEST = 16 * ROUNDING  # step of a grid
MOST_CELLS = 2**20  # of one loss
POINTS = 7_800  # of the grid, below a power of 2, over 22 standard deviations of the sum


def total_loss(losses: Iterable[PrivacyLoss] | Mapping[PrivacyLoss, int]) -> PrivacyLoss:
    """The loss of independent releases: the sum of their losses, or of as many of each as counted.

    Exact for finite laws and for normal laws. Otherwise losses are split on a grid of some 8,000
    points, as `grid.above` does, so that delta is an upper bound: it is that of a sum whose
    variance is larger, by a fiftieth of it at most and mostly by far less.
    `accounting.delta_bounds` has both ends of an interval. Raises ValueError for a loss of more
    than 1e8 nats among others.
    """
    counts = dict(losses) if isinstance(losses, Mapping) else dict(Counter(losses))
    counts.pop(NO_LOSS, None)
    if sum(counts.values()) <= 1:
        return next(iter(counts), NO_LOSS)
    normal = [(loss.mu, k) for loss, k in counts.items() if isinstance(loss, GaussianLoss)]
    if len(normal) == len(counts):
        return GaussianLoss(math.hypot(*(mu * math.sqrt(k) for mu, k in normal)))
    atomic = [loss for loss, k in counts.items() if isinstance(loss, AtomicLoss) for _ in range(k)]
    return reduce(add, atomic) if len(atomic) == sum(counts.values()) else _on_grid(counts)


@dataclass(frozen=True, eq=False)
class DiscretizedLoss(AtomicLoss):
    """A sum of losses, split on a grid; its two ends and its Renyi divergences are exact.

    `parts` are the losses that were added up, and how often each was.
    """

    parts: tuple[tuple[PrivacyLoss, int], ...]

    @property
    def smallest(self) -> float:
        return sum(k * loss.smallest for loss, k in self.parts)

    @property
    def largest(self) -> float:
        return sum(k * loss.largest for loss, k in self.parts)

    def renyi(self, alpha):
        return sum(k * loss.renyi(alpha) for loss, k in self.parts)

    def reverse(self):
        """Raises ValueError: what was added up has one."""
        raise ValueError("a loss that is split on a grid has no reverse: reverse what was added up")


def _on_grid(counts: Mapping[PrivacyLoss, int]) -> DiscretizedLoss:
    """Add losses by convolving their laws under p, all on one grid."""
    step = _step(counts)
    laws = tuple(above(loss, step, TAIL) for loss in counts)
    total = GridSum(laws, tuple(counts.values()))
    start, width = window(total, 0.0)
    masses, _ = convolved(total, 0.0, start, power_above(width))
    grid = step * (start + np.arange(width))
    masses = masses[:width] * math.exp(total.log_moment(0.0))
    # What the window misses and the transform's rounding may hide counts as the largest loss.
    hidden = total.infinite + 2 * math.exp(-LEVEL) + sum(counts.values()) * TAIL
    top = max(grid[-1], sum(k * loss.largest for loss, k in counts.items()))
    losses: np.ndarray = np.append(grid, top)
    p: np.ndarray = np.append(masses, hidden)
    # Q[Z >= z]: at the lowest losses, where rounding is all there is of p, it would exceed 1.
    tails = np.minimum(1.0, np.cumsum((p * np.exp(-losses))[::-1]))[::-1]
    return DiscretizedLoss(
        np.append(-np.inf, losses),  # the first for outcomes that q alone can produce
        np.append(0.0, p),
        np.append(1.0, tails) - np.append(tails, 0.0),
        parts=tuple(counts.items()),
    )


def _step(counts: Mapping[PrivacyLoss, int]) -> float:
    """A step at which all but a negligible part of the sum fills the grid.

    Where all losses are one, its largest value is a multiple: the atom that it may have stays put.
    Otherwise the step is a quarter of a release's standard deviation at most, unless a loss had too
    many cells.
    """
    n = sum(counts.values())
    reaches = {loss: min(loss.largest - loss.smallest, 2 * reach(loss, TAIL)) for loss in counts}
    width = math.hypot(*(math.sqrt(k) * reaches[loss] for loss, k in counts.items()))
    finest = max(max(reaches.values()) / MOST_CELLS, FINEST)
    coarse = max(width / max(2**8, 16 * math.sqrt(n)), finest)
    while True:
        total = GridSum(tuple(above(loss, coarse, TAIL) for loss in counts), tuple(counts.values()))
        spread = math.sqrt(total.moments(0.0)[2] / n)
        if coarse <= max(spread, finest):
            break
        coarse = max(coarse / 16, finest)  # losses of long tails, narrower than they seemed
    step = max(coarse * window(total, 0.0)[1] / POINTS, FINEST)
    largest = max(loss.largest for loss in counts)
    if len(counts) == 1 and FINEST < largest < np.inf:
        return largest / max(1, math.floor(largest / step))
    return max(min(step, max(spread, finest) / 4), FINEST)
