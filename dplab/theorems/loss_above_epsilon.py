"""Theorem: P[Z > epsilon] <= delta is enough for (epsilon, delta)-DP, and not necessary.

For the loss Z of two distributions,

    delta(epsilon) = E[max(0, 1 - e^{epsilon - Z})] = P[Z > epsilon + T]  <=  P[Z > epsilon],

with T exponential of mean 1 and independent of Z: delta weighs a loss by its distance beyond
epsilon. In the other direction, a curve of deltas does bound the tail:

    P[Z > epsilon]  <=  delta(epsilon - s) / (1 - e^{-s})   for every s > 0.

Proof. The event that gains most is Z > epsilon, where q = e^{-Z} p: its gain is the expectation,
and 1 - e^{epsilon - z} is P[T < z - epsilon]. The losses above epsilon alone contribute at least
P[Z > epsilon] (1 - e^{-s}) to delta(epsilon - s).

Sources: Canonne, Kamath and Steinke (2020), Lemma 9 and its proof; for the other direction
Kasiviswanathan and Smith (2014), on pointwise indistinguishability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.losses import PrivacyLoss

SHIFTS = np.geomspace(1e-3, 20, 120)  # values of s, in nats, of which the best is taken


@dataclass(frozen=True, eq=False)
class LossAboveEpsilon:
    """The delta, P[Z > epsilon] and its bound by the curve of deltas, at each epsilon."""

    epsilons: np.ndarray
    delta: np.ndarray
    tails: np.ndarray
    bounds: np.ndarray

    @property
    def holds(self) -> bool:
        """True if the three increase in this order at every epsilon, up to rounding."""
        is_enough = self.delta <= self.tails + 1e-12
        return bool((is_enough & (self.tails <= self.bounds + 1e-12)).all())


def loss_above_epsilon(loss: PrivacyLoss, epsilons: ArrayLike) -> LossAboveEpsilon:
    """Compare delta(epsilon) and P[Z > epsilon] at each epsilon, in nats.

    Raises ValueError for epsilons that are not finite.
    """
    arguments.instance("loss", loss, PrivacyLoss)
    epsilons = arguments.reals("epsilons", epsilons, ndim=1)
    return LossAboveEpsilon(
        epsilons,
        delta=np.array([loss.delta(epsilon) for epsilon in epsilons]),
        tails=np.asarray(loss.tails(epsilons)[0]),
        bounds=np.array([_bound_tail(loss, epsilon) for epsilon in epsilons]),
    )


def _bound_tail(loss: PrivacyLoss, epsilon: float) -> float:
    bounds = [loss.delta(epsilon - s) / -np.expm1(-s) for s in SHIFTS]
    return min(1.0, *bounds)
