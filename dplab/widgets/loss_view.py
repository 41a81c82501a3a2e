"""The figures of a privacy loss that the explorers of lesson 11 show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dplab import moments
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss, PrivacyLoss
from dplab.mechanisms.catastrophe import NameAndShame
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.concentrated import least_rho
from dplab.widgets.words import rough

GAUSSIAN, LAPLACE = "Gaussian noise", "Laplace noise"
COIN, SHAME = "randomized response", "name-and-shame"
STRENGTHS = {  # name of the number that makes each mechanism less private
    GAUSSIAN: "Sensitivity / σ",
    LAPLACE: "Sensitivity / scale",
    COIN: "Its ε",
    SHAME: "Leaks, in 100",
}
EPSILONS = np.linspace(0, 4, 121)
ERRORS = np.unique(np.concatenate([np.geomspace(1e-4, 1, 80), np.linspace(0, 1, 101)]))
HALF_WIDTHS = (2.5, 5, 10, 20)


def loss_of(mechanism: str, strength: float) -> PrivacyLoss:
    """Return the privacy loss of a mechanism, by name, on its two worst neighbours.

    Name-and-shame publishes a record with probability strength / 100, and otherwise nothing.
    """
    if mechanism == GAUSSIAN:
        return GaussianLoss(strength)
    if mechanism == LAPLACE:
        return LaplaceLoss(strength)
    if mechanism == COIN:
        return RandomizedResponse(strength).privacy_loss(1, 0)
    return NameAndShame(strength / 100).privacy_loss(("x",), ("x′",))


def chance(probability: float) -> str:
    """Write a probability for a sentence: two digits, but no unreadable powers of ten."""
    return "less than one in a billion" if 0 < probability < 1e-9 else rough(probability)


@dataclass(frozen=True, eq=False)
class LossView:
    """A loss, read at `epsilon` and at the Renyi order `alpha`; probabilities under p and q.

    `atoms` has the rows z, P_p[Z = z], P_q[Z = z]; `densities` z, density under p, under q.
    """

    loss: PrivacyLoss
    epsilon: float
    alpha: float

    @cached_property
    def half_width(self) -> float:
        """Half the length of the z axis: enough for the distribution and for epsilon."""
        ends = [1.12 * self.epsilon, *(1.15 * abs(z) for z in self.atoms[0] if np.isfinite(z))]
        if isinstance(self.loss, GaussianLoss):
            ends.append(self.loss.mu**2 / 2 + 2.6 * self.loss.mu)
        return next(width for width in HALF_WIDTHS if max(ends) <= width)

    @cached_property
    def atoms(self) -> np.ndarray:
        loss = self.loss
        if isinstance(loss, AtomicLoss):
            return np.array([loss.losses, loss.p, loss.q])
        if loss.largest == np.inf:
            return np.zeros((3, 0))
        low, high = loss.smallest, loss.largest
        p, q = loss.masses(np.array([low - 1, low, high * (1 - 1e-9), high]))
        return np.array([[low, high], p[[0, 2]], q[[0, 2]]])

    @cached_property
    def densities(self) -> np.ndarray:
        if isinstance(self.loss, AtomicLoss):
            return np.zeros((3, 0))
        low = max(self.loss.smallest, -self.half_width)
        edges = np.linspace(low, min(self.loss.largest * (1 - 1e-9), self.half_width), 301)
        widths = np.diff(edges)
        p, q = self.loss.masses(edges)
        return np.array([edges[:-1] + widths / 2, p / widths, q / widths])

    @property
    def cut(self) -> float:
        """epsilon plus a billionth, so that a loss of epsilon doesn't exceed it by rounding."""
        return self.epsilon + 1e-9

    @property
    def tail_probability(self) -> float:
        """P_p[Z > epsilon]."""
        return float(self.loss.tails(self.cut)[0])

    @property
    def typical_beyond(self) -> float:
        """E_p[Z | Z > epsilon], from the area below the tail; inf if Z may be infinite."""
        if self.loss.infinite or not self.tail_probability:
            return np.inf if self.loss.infinite else self.epsilon
        z = np.linspace(self.epsilon, self.epsilon + 2 * HALF_WIDTHS[-1], 4001)
        return float(self.epsilon + np.trapezoid(self.loss.tails(z)[0], z) / self.tail_probability)

    @property
    def delta(self) -> float:
        """The least delta at epsilon: exactly 0 if the loss doesn't exceed epsilon."""
        return self.loss.delta(self.epsilon) if self.tail_probability else 0.0

    @property
    def errors(self) -> tuple[float, float]:
        """The errors, under q and under p, of the test that decides for p where Z > epsilon."""
        p, q = self.loss.tails(self.cut)
        return float(q), float(1 - p)

    @property
    def delta_curve(self) -> np.ndarray:
        return np.array([self.loss.delta(epsilon) for epsilon in EPSILONS])

    @property
    def trade_off(self) -> np.ndarray:
        return 1 - self.loss.true_positive_rate(ERRORS)

    @cached_property
    def renyi(self) -> float:
        return self.loss.renyi(self.alpha)

    @cached_property
    def mean(self) -> float:
        return moments.mean(self.loss)

    @cached_property
    def rho(self) -> float:
        return least_rho(self.loss)
