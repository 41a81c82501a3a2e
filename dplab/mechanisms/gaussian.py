"""The Gaussian mechanism: noise as wide as one person can move the answer in the L2 norm.

Two neighbours give two normal distributions mu = sensitivity / sigma apart, and everything follows
from mu: (mu^2 / 2)-zCDP, and (epsilon, delta)-DP exactly if delta is at least

    delta(epsilon) = Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu).

Sources: Dwork and Roth (2014), Theorem A.1, for the classic sigma; Balle and Wang (2018), Theorem
8, for the exact delta. Outputs are floats, and their low bits leak: use these mechanisms for
learning and analysis, and deploy those of `dplab.mechanisms.discrete`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.bisection import edge
from dplab.continuous import Gaussian, GaussianVector
from dplab.deprecated import OldName
from dplab.distributions import Distribution
from dplab.guarantees import ApproxDP, Guarantee
from dplab.losses import GaussianLoss
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation

ROUNDING = 1e-12  # above the relative rounding error of log delta and of mu


def classic_sigma(*, sensitivity: float, epsilon: float, delta: float) -> float:
    """Return sigma = sensitivity sqrt(2 log(1.25 / delta)) / epsilon, in the query's units.

    It suffices for (epsilon, delta)-DP if 0 < epsilon < 1, where its proof holds. It does hold for
    some larger epsilon (up to 8.42 at delta = 1e-5), but not for all, and always wastes noise:
    `analytic_sigma` has neither fault. Formulas in circulation with log(1 / delta) instead of
    2 log(1.25 / delta) are wrong. Raises ValueError unless 0 < epsilon < 1 and 0 < delta < 1.

    >>> round(classic_sigma(sensitivity=1, epsilon=0.5, delta=1e-5), 4)
    9.6896
    """
    sensitivity = arguments.number("sensitivity", sensitivity, above=0)
    epsilon = arguments.number("epsilon", epsilon, above=0, below=1)
    delta = arguments.number("delta", delta, above=0, below=1)
    widths = math.sqrt(2 * (math.log(1.25) - math.log(delta)))  # 1.25 / delta may overflow
    return arguments.number("sensitivity / epsilon", sensitivity / epsilon * widths, above=0)


def analytic_sigma(*, sensitivity: float, epsilon: float, delta: float) -> float:
    """Return the least sigma for (epsilon, delta)-DP, for every epsilon >= 0, in the query's units.

    delta(epsilon) above rises with mu, so bisection on the logarithm of delta finds the largest mu
    that is allowed. The last bits of sigma are rounded to the safe side. Raises ValueError unless
    sensitivity > 0, epsilon >= 0 and 0 < delta < 1, or if delta is so small that sigma overflows.

    >>> round(analytic_sigma(sensitivity=1, epsilon=1, delta=1e-5), 6)
    3.730632
    """
    sensitivity = arguments.number("sensitivity", sensitivity, above=0)
    epsilon = arguments.number("epsilon", epsilon, least=0)
    delta = arguments.number("delta", delta, above=0, below=1)
    most = np.log(delta) - ROUNDING
    mu, _ = edge(lambda mu: GaussianLoss(mu).log_delta(epsilon) <= most, ROUNDING / 100)
    sigma = sensitivity * (1 + ROUNDING) / mu if mu else np.inf
    if sigma == np.inf:
        raise ValueError(f"delta must be larger for a sigma that is finite, not {delta!r}")
    return sigma


@dataclass(frozen=True)
class GaussianMechanism(ExactMechanism):
    """The mechanism query(data) + normal noise of standard deviation sigma in each coordinate.

        output = query(data) + sigma Z,   Z ~ N(0, I)

    `query` returns a real or a vector; `sensitivity` is its L2 sensitivity, the largest
    ||query(x) - query(y)||_2 over neighbours. The guarantee is (sensitivity^2 / (2 sigma^2))-zCDP;
    with an `epsilon` it is (epsilon, delta)-DP for the exact delta. `for_epsilon` and `for_zcdp`
    choose sigma for a guarantee. Raises ValueError unless sensitivity and sigma are above 0 and
    epsilon is at least 0.

    >>> GaussianMechanism(sum, sensitivity=1, sigma=2).guarantee
    ZCDP(rho=0.125)
    >>> round(GaussianMechanism(sum, sensitivity=1, sigma=1, epsilon=1).guarantee.delta, 6)
    0.126937
    """

    query: Callable[[Any], Any]
    sensitivity: float
    sigma: float
    epsilon: float | None = None
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.function, "query")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "sensitivity", "sigma", above=0)
        if self.epsilon is not None:
            arguments.settle(self, arguments.number, "epsilon", least=0)

    @classmethod
    def for_epsilon(
        cls,
        query: Callable[[Any], Any],
        *,
        sensitivity: float,
        epsilon: float,
        delta: float,
        neighbors: Neighbors = REPLACE_ONE,
        formula: Callable[..., float] = analytic_sigma,
    ) -> GaussianMechanism:
        """Return the (epsilon, delta)-DP mechanism with the least noise.

        With formula=classic_sigma it has the larger sigma of the textbook. Errors as for `formula`.
        """
        sigma = formula(sensitivity=sensitivity, epsilon=epsilon, delta=delta)
        return cls(query, sensitivity, sigma, epsilon, neighbors)

    analytic = OldName("for_epsilon")

    @classmethod
    def for_zcdp(
        cls,
        query: Callable[[Any], Any],
        *,
        sensitivity: float,
        rho: float,
        neighbors: Neighbors = REPLACE_ONE,
    ) -> GaussianMechanism:
        """Return the rho-zCDP mechanism with sigma = sensitivity / sqrt(2 rho).

        Raises ValueError unless both are above 0.
        """
        sensitivity = arguments.number("sensitivity", sensitivity, above=0)
        rho = arguments.number("rho", rho, above=0)
        return cls(query, sensitivity, sensitivity / math.sqrt(2 * rho), neighbors=neighbors)

    @property
    def mu(self) -> float:
        """sensitivity / sigma, the distance of the worst neighbours in sigmas."""
        return self.sensitivity / self.sigma

    @property
    def guarantee(self) -> Guarantee:
        if self.epsilon is None:
            return super().guarantee
        return ApproxDP(self.epsilon, self.worst_case.delta(self.epsilon))

    @property
    def worst_case(self) -> GaussianLoss:
        """The loss of two distributions mu sigmas apart; the direction has no influence."""
        return GaussianLoss(self.mu)

    def distribution(self, data: Any) -> Distribution:
        """Return the normal distribution around query(data); for a vector, independent coordinates.

        Raises ValueError for an array of more dimensions, and for an answer that is not finite.
        """
        answer = records.reals("query(data)", self.query(data))
        if answer.ndim == 0:
            return Gaussian(float(answer), self.sigma)
        return GaussianVector(answer, self.sigma * self.sigma)

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        answer = records.reals("query(data)", self.query(data))
        arguments.generator("rng", rng)
        noisy = answer + rng.normal(0.0, self.sigma, answer.shape)
        return float(noisy) if answer.ndim == 0 else noisy
