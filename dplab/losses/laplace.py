"""The loss between two Laplace distributions of one scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.losses.loss import PrivacyLoss, checked_rates, remainder


@dataclass(frozen=True)
class LaplaceLoss(PrivacyLoss):
    """The loss between two Laplace distributions `shift` scales apart: -shift <= Z <= shift.

    Z has atoms of mass 1/2 at shift and e^{-shift}/2 at -shift, and a density between them. Raises
    ValueError unless the shift is above 0.
    """

    shift: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "shift", above=0)

    @property
    def smallest(self) -> float:
        return -self.shift

    @property
    def largest(self) -> float:
        return self.shift

    def reverse(self) -> LaplaceLoss:
        return self

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        t, a = np.asarray(threshold, dtype=float), self.shift
        inside = np.clip(t, -a, a)
        p, q = 1 - np.exp((inside - a) / 2) / 2, np.exp(-(inside + a) / 2) / 2
        return tuple(np.where(t >= a, 0.0, np.where(t < -a, 1.0, tail)) for tail in (p, q))

    def delta(self, epsilon: float) -> float:
        epsilon = arguments.number("epsilon", epsilon)
        return float(-np.expm1(-max(0.0, -epsilon, (self.shift - epsilon) / 2)))

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a = self.shift
        starts, ends = np.clip(edges[:-1], -a, a), np.clip(edges[1:], -a, a)
        widths = (ends - starts) / 2
        p = -np.exp((ends - a) / 2) * np.expm1(-widths) / 2
        q = -np.exp(-(starts + a) / 2) * np.expm1(-widths) / 2
        top, bottom = (np.array((edges[:-1] < z) & (z <= edges[1:])) for z in (a, -a))
        p = p + 0.5 * top + 0.5 * np.exp(-a) * bottom
        return p, q + 0.5 * np.exp(-a) * top + 0.5 * bottom

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        rate, a = checked_rates(false_positive_rate), self.shift
        root = np.exp(min(a, 1400) / 2)  # the root of e^a, which itself may overflow
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            steep, middle = root * (root * rate), 1 - np.exp(-a) / (4 * rate)
        outer = np.where(rate > 0.5, 1 - (1 - rate) * np.exp(-a), middle)
        return np.where(rate <= np.exp(-a) / 2, steep, outer)

    def renyi(self, alpha: float) -> float:
        alpha = arguments.number("alpha", alpha, above=1)
        up, down = alpha / (2 * alpha - 1), (alpha - 1) / (2 * alpha - 1)
        high, low = (alpha - 1) * self.shift, -alpha * self.shift
        if high < 0.5:  # terms of first order cancel
            log_moment = np.log1p(up * remainder(high) + down * remainder(low))
        else:
            log_moment = np.logaddexp(np.log(up) + high, np.log(down) + low)
        return float(log_moment / (alpha - 1))
