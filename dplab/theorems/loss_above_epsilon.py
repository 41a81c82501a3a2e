"""Theorem: P[Z > epsilon] <= delta is enough for (epsilon, delta)-DP, and not necessary.

For the loss Z of two laws,

    delta(epsilon) = E[max(0, 1 - e^{epsilon - Z})] = P[Z > epsilon + T]  <=  P[Z > epsilon],

T an exponential time of mean 1, independent of Z: delta counts a loss by how far it is beyond
epsilon. In the other direction, a curve of deltas does bound the tail:

    P[Z > epsilon]  <=  delta(epsilon - s) / (1 - e^{-s})   for every s > 0.

Proof. The event that gains most is Z > epsilon, where q = e^{-Z} p: its gain is the expectation,
and 1 - e^{epsilon - z} is P[T < z - epsilon]. Of delta(epsilon - s), the losses above epsilon
alone make up at least P[Z > epsilon] (1 - e^{-s}).

Sources: Canonne, Kamath and Steinke (2020), Lemma 9 and its proof; for the other direction
Kasiviswanathan and Smith (2014), on pointwise indistinguishability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.losses import PrivacyLoss

STEPS = np.geomspace(1e-3, 20, 120)  # the s among which the best is taken


@dataclass(frozen=True, eq=False)
class LossAboveEpsilon:
    """delta(epsilon) below P[Z > epsilon] below what the curve of deltas allows, per epsilon."""

    epsilons: np.ndarray
    delta: np.ndarray
    above: np.ndarray
    allowed: np.ndarray

    @property
    def holds(self) -> bool:
        """Whether the three are in this order everywhere, up to rounding."""
        below = self.delta <= self.above + 1e-12
        return bool((below & (self.above <= self.allowed + 1e-12)).all())


def loss_above_epsilon(loss: PrivacyLoss, epsilons) -> LossAboveEpsilon:
    """Compare delta(epsilon) and P[Z > epsilon] at each epsilon, in nats.

    Raises ValueError for epsilons that are not finite.
    """
    epsilons = arguments.reals("epsilons", epsilons)
    return LossAboveEpsilon(
        epsilons,
        delta=np.array([loss.delta(epsilon) for epsilon in epsilons]),
        above=np.asarray(loss.tails(epsilons)[0]),
        allowed=np.array([_allowed(loss, epsilon) for epsilon in epsilons]),
    )


def _allowed(loss: PrivacyLoss, epsilon: float) -> float:
    bounds = [loss.delta(epsilon - s) / -np.expm1(-s) for s in STEPS]
    return min(1.0, *bounds)
