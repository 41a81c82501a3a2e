"""The loss of independent releases side by side: the sum of their losses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplab.losses.atoms import NO_LOSS, AtomicLoss
from dplab.losses.gaussian import GaussianLoss
from dplab.losses.grid import above
from dplab.losses.loss import PrivacyLoss

TAIL = 1e-16  # losses of smaller probability under p count as infinite


def total_loss(losses: list[PrivacyLoss], step: float = 1e-4) -> PrivacyLoss:
    """The loss of independent releases: the sum of their losses.

    Exact for finite laws and for normal laws. Otherwise losses are split on multiples of `step`, as
    `grid.above` does, so that delta is an upper bound: it is that of a sum whose variance is larger
    by len(losses) step^2 / 4 at most. `accounting.delta_bounds` has both ends of an interval.
    """
    losses = [loss for loss in losses if loss is not NO_LOSS]
    if len(losses) <= 1:
        return losses[0] if losses else NO_LOSS
    normal = [loss for loss in losses if isinstance(loss, GaussianLoss)]
    if len(normal) == len(losses):
        return GaussianLoss(math.hypot(*(loss.mu for loss in normal)))
    atomic = [loss for loss in losses if isinstance(loss, AtomicLoss)]
    if len(atomic) < len(losses):
        return _on_grid(losses, step)
    total = atomic[0]
    for loss in atomic[1:]:
        total = total + loss
    return total


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
        raise ValueError("a loss that is split on a grid has no reverse: reverse what was added up")


def _on_grid(losses: list[PrivacyLoss], step: float) -> DiscretizedLoss:
    """Add losses by convolving their laws under p on the grid of multiples of `step`."""
    masses, lowest, infinite = np.ones(1), 0, 0.0
    for loss in losses:
        law = above(loss, step, TAIL)
        masses, lowest = _convolve(masses, law.masses), lowest + law.low
        infinite = 1 - (1 - infinite) * (1 - law.infinite)
    grid = step * (lowest + np.arange(len(masses)))
    q = masses * np.exp(-grid)
    missing = max(0.0, 1 - q.sum())  # of outcomes that q alone can produce
    return DiscretizedLoss(
        np.concatenate([[-np.inf], grid, [np.inf]]),
        np.concatenate([[0.0], masses, [infinite]]),
        np.concatenate([[missing], q, [0.0]]),
        ends=(sum(loss.smallest for loss in losses), sum(loss.largest for loss in losses)),
    )


def _convolve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if min(len(a), len(b)) < 64:
        return np.convolve(a, b)
    size = len(a) + len(b) - 1
    spectrum = np.fft.rfft(a, size) * np.fft.rfft(b, size)
    return np.maximum(np.fft.irfft(spectrum, size), 0.0)
