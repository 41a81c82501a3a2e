"""Theorem: the width of the privacy loss's range says more than its largest absolute value.

A pair of distributions has range eta if its privacy loss Z lies in some interval [t, t + eta].

1. epsilon-DP implies range 2 epsilon; range eta implies eta-DP. Both are tight: the first
   for randomized response, the second in the limit for a loss that is almost always 0.
2. Range eta implies (eta^2 / 8)-zCDP, a quarter of the eta^2 / 2 that eta-DP alone gives.
3. The worst pairs have only two losses, t and t + eta.

Proofs. (1) [-epsilon, epsilon] is 2 epsilon long; and 0 lies in [t, t + eta]: if p > q
everywhere, p and q could not both sum to 1. (2) Hoeffding's lemma says
E e^{lambda Z} <= e^{lambda E Z + lambda^2 eta^2 / 8}. At lambda = -1 the left side is the sum of
q, which is 1, so E Z <= eta^2 / 8; at lambda = alpha - 1 the lemma then gives
(alpha - 1) D_alpha <= (lambda + lambda^2) eta^2 / 8 = alpha (alpha - 1) eta^2 / 8.
(3) E e^{(alpha - 1) Z} is the mean of a convex function of e^{-Z}, whose mean is 1: moving mass to
the two ends of the interval without changing the mean of e^{-Z} only increases it.

Sources: Durfee and Rogers (2019); Dong, Durfee and Rogers (2020); Cesar and Rogers (2021).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.distributions import Distribution, Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import BoundedRange, PureDP
from dplab.losses import AtomicLoss
from dplab.theorems.concentrated import least_rho

SLACK = 1e-9  # an allowance for rounding


@dataclass(frozen=True)
class RangeOfLoss:
    """The ends of the privacy loss of p against q, and the least rho in either direction."""

    smallest: float
    largest: float
    rho: float

    @property
    def eta(self) -> float:
        """The length of the smallest interval that contains the loss."""
        return self.largest - self.smallest

    @property
    def epsilon(self) -> float:
        """The largest absolute loss."""
        return max(self.largest, -self.smallest)

    @property
    def rho_by_range(self) -> float:
        """eta^2 / 8."""
        return BoundedRange(self.eta).to_zcdp().rho

    @property
    def rho_by_epsilon(self) -> float:
        """epsilon tanh(epsilon / 2), the bound from epsilon alone; it is below epsilon^2 / 2."""
        return PureDP(self.epsilon).to_zcdp().rho

    @property
    def holds(self) -> bool:
        """True if the inequalities of the theorem hold for this pair."""
        factors = self.eta <= 2 * self.epsilon + SLACK and self.epsilon <= self.eta + SLACK
        return factors and self.rho <= min(self.rho_by_range, self.rho_by_epsilon) + SLACK


def range_of_loss(p: Distribution, q: Distribution) -> RangeOfLoss:
    """Measure the theorem's quantities on two distributions.

    Raises ValueError unless the loss is bounded.

    >>> pair = range_of_loss(*extremal_pair(eta=1.0, largest=0.5))  # randomized response
    >>> pair.eta, pair.epsilon, round(pair.rho, 6)
    (1.0, 0.5, 0.122459)
    """
    forward, backward = privacy_loss(p, q), privacy_loss(q, p)
    smallest, largest = arguments.reals("the privacy loss", [forward.smallest, forward.largest])
    rho = max(least_rho(forward), least_rho(backward))
    return RangeOfLoss(float(smallest), float(largest), float(rho))


def extremal_pair(eta: float, largest: float) -> tuple[Finite, Finite]:
    """Return two distributions on {0, 1} whose loss is `largest` at 1 and `largest` - `eta` at 0.

    p(1) = (1 - e^a) / (1 - e^{a - b}) with a = largest - eta < 0 < b = largest, as both sum
    to 1. Raises ValueError unless 0 < largest < eta.
    """
    eta = arguments.number("eta", eta, above=0)
    b = arguments.number("largest", largest, above=0, below=eta)
    zero = np.expm1(-b) / np.expm1(-eta)  # q(0)
    one = np.expm1(b - eta) / np.expm1(-eta)  # p(1) = e^b q(1)
    q = np.log([zero, one]) - np.array([0.0, b])
    return Finite((0, 1), q + np.array([b - eta, b])), Finite((0, 1), q)


def largest_rho(eta: float) -> float:
    """Return the least rho that holds for all pairs of range `eta`: over all extremal pairs.

    Raises ValueError unless eta is above 0.

    >>> round(largest_rho(1.0), 6), 1 / 8
    (0.123302, 0.125)
    """
    from scipy.optimize import minimize_scalar

    eta = arguments.number("eta", eta, above=0)

    def negative_rho(share: float) -> float:
        p, q = extremal_pair(eta, share * eta)
        losses = np.array([share * eta - eta, share * eta])  # more exact than log p - log q
        return -least_rho(AtomicLoss(losses, p.probabilities, q.probabilities))

    return -float(minimize_scalar(negative_rho, bounds=(0.01, 0.99), method="bounded").fun)
