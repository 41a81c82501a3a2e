"""Theorem: epsilon-DP implies (epsilon tanh(epsilon / 2))-zCDP, and no smaller rho.

Proof. The ratio X = p / q lies in [e^-epsilon, e^epsilon] and has mean 1 under q. Of all such
distributions the one on the two ends has the largest E X^alpha, because x^alpha is convex. It is
randomized response, whose curve, with u = alpha - 1/2,

    (alpha - 1) D_alpha = log cosh(u epsilon) - log cosh(epsilon / 2),

is concave in u^2, so it stays below its tangent at alpha = 1, (u^2 - 1/4) epsilon tanh(epsilon / 2)
= (alpha - 1) alpha epsilon tanh(epsilon / 2), which it touches: no smaller rho is possible. The
usual constant, epsilon^2 / 2, is larger.

Source: Bun and Steinke (2016), Proposition 1.4, for epsilon^2 / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.guarantees import PureDP
from dplab.losses import PrivacyLoss


@dataclass(frozen=True, eq=False)
class PureIsConcentrated:
    """Renyi divergences at the orders `alphas`, of a pair and of the worst pair of its epsilon."""

    epsilon: float
    alphas: np.ndarray
    divergences: np.ndarray
    worst: np.ndarray

    @property
    def line(self) -> np.ndarray:
        """epsilon tanh(epsilon / 2) alpha at each order."""
        return PureDP(self.epsilon).to_zcdp().rho * self.alphas

    @property
    def loose_line(self) -> np.ndarray:
        """epsilon^2 / 2 alpha at each order."""
        return self.epsilon**2 / 2 * self.alphas

    @property
    def holds(self) -> bool:
        """True if pair <= randomized response <= line <= loose line everywhere, up to rounding."""
        ladder = np.array([self.divergences, self.worst, self.line, self.loose_line])
        return bool((np.diff(ladder, axis=0) >= -1e-9 * (1 + self.epsilon)).all())


def pure_is_concentrated(loss: PrivacyLoss, alphas: ArrayLike) -> PureIsConcentrated:
    """Compare a pair's Renyi curve with that of randomized response with the pair's epsilon.

    Raises ValueError for orders that are not above 1, and for a loss that is not bounded.
    """
    arguments.instance("loss", loss, PrivacyLoss)
    epsilon = arguments.number("the loss's largest log ratio", loss.largest_log_ratio, least=0)
    alphas = arguments.reals("alphas", alphas, ndim=1)
    worst = np.array([PureDP(epsilon).to_renyi(alpha).epsilon for alpha in alphas])
    return PureIsConcentrated(epsilon, alphas, np.array([loss.renyi(a) for a in alphas]), worst)
