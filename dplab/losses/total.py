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
from dplab.losses.convolution import GridSum, convolved, power_above, window
from dplab.losses.gaussian import GaussianLoss
from dplab.losses.grid import ROUNDING, above, reach
from dplab.losses.loss import PrivacyLoss

TAIL = 1e-16  # losses of smaller probability under p count as infinite
FINEST = 16 * ROUNDING  # step of a grid
POINTS = 7_800  # of the grid, below a power of 2, over 22 standard deviations of the sum


def total_loss(losses: Iterable[PrivacyLoss] | Mapping[PrivacyLoss, int]) -> PrivacyLoss:
    """The loss of independent releases: the sum of their losses, or of as many of each as counted.

    Exact for finite laws and for normal laws. Otherwise losses are split on a grid of some 8,000
    points, as `grid.above` does, so that delta is an upper bound: it is that of a sum whose
    variance is larger, by 1e-5 of it for each release at most and mostly by far less.
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
    """A sum of losses, split on a grid; its two ends are exact."""

    ends: tuple[float, float]

    @property
    def smallest(self) -> float:
        return self.ends[0]

    @property
    def largest(self) -> float:
        return self.ends[1]

    def reverse(self):
        """Raises ValueError: what was added up has one."""
        raise ValueError("a loss that is split on a grid has no reverse: reverse what was added up")


def _on_grid(counts: Mapping[PrivacyLoss, int]) -> DiscretizedLoss:
    """Add losses by convolving their laws under p, all on one grid."""
    step = _step(counts)
    laws = tuple(above(loss, step, TAIL) for loss in counts)
    total = GridSum(laws, tuple(counts.values()))
    start, width = window(total, 0.0)
    masses = convolved(total, 0.0, start, power_above(width))[0] * math.exp(total.log_moment(0.0))
    grid = step * (start + np.arange(len(masses)))
    q = masses * np.exp(-grid)
    missing = max(0.0, 1 - q.sum())  # of outcomes that q alone can produce
    return DiscretizedLoss(
        np.concatenate([[-np.inf], grid, [np.inf]]),
        np.concatenate([[0.0], masses, [total.infinite]]),
        np.concatenate([[missing], q, [0.0]]),
        ends=(
            sum(k * loss.smallest for loss, k in counts.items()),
            sum(k * loss.largest for loss, k in counts.items()),
        ),
    )


def _step(counts: Mapping[PrivacyLoss, int]) -> float:
    """A step at which all but a negligible part of the sum fills the grid.

    Where all losses are one, its largest value is a multiple: the atom that it may have stays put.
    Otherwise the step is a quarter of a release's standard deviation at most.
    """
    n = sum(counts.values())
    reaches = {loss: min(loss.largest - loss.smallest, 2 * reach(loss, TAIL)) for loss in counts}
    width = math.hypot(*(math.sqrt(k) * reaches[loss] for loss, k in counts.items()))
    coarse = max(width / max(2**8, 16 * math.sqrt(n)), FINEST)
    total = GridSum(tuple(above(loss, coarse, TAIL) for loss in counts), tuple(counts.values()))
    step = max(coarse * window(total, 0.0)[1] / POINTS, FINEST)
    largest = max(loss.largest for loss in counts)
    if len(counts) == 1 and FINEST < largest < np.inf:
        return largest / max(1, math.floor(largest / step))
    return max(min(step, math.sqrt(total.moments(0.0)[2] / n) / 4), FINEST)
