"""No test can tell neighbours apart: a guarantee is a bound on power.

Theorem. Let M be (epsilon, delta)-DP, x and x' neighbours. A test that says "x" with probability at
most alpha when the data are x' says so with power at most

    min(e^epsilon alpha + delta, 1 - e^{-epsilon} (1 - alpha - delta))

when they are x. With delta = 0, epsilon = 1 and alpha = 0.05 that is 0.136. Conversely, a mechanism
for which no test does better, on no pair of neighbours, is (epsilon, delta)-DP.

Proof. Let S be the outputs on which the test says "x". Its power is the probability of S under x,
at most e^epsilon alpha + delta by the guarantee for S. And the guarantee for its complement, with x
and x' exchanged, says 1 - alpha <= e^epsilon (1 - power) + delta. A test that tosses coins is an
average of tests that don't. Conversely, each event S is a test, and its first bound is the
definition of (epsilon, delta)-DP.

Source: Wasserman and Zhou (2010), Theorem 2.4; with delta, Kairouz, Oh and Viswanath (2015).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.accounting.trade_off import promised_trade_off
from dplab.distributions import Distribution
from dplab.divergences import true_positive_rate
from dplab.guarantees import ApproxDP

SLACK = 1e-9  # an allowance for rounding


@dataclass(frozen=True, eq=False)
class Roc:
    """The power of the best test at each false positive rate, and the bound of the guarantee."""

    rates: np.ndarray
    power: np.ndarray
    bound: np.ndarray

    @property
    def holds(self) -> bool:
        """True if no test does better than the guarantee allows."""
        return bool((self.power <= self.bound + SLACK).all())

    @property
    def is_attained(self) -> np.ndarray:
        """True at each rate where some test does as well as the guarantee allows."""
        return self.power >= self.bound - SLACK


def largest_power(false_positive_rate: ArrayLike, promise: ApproxDP) -> np.ndarray:
    """Return the bound of the theorem at a rate from 0 to 1, or at an array of rates.

    Raises ValueError for other arguments.

    >>> round(float(largest_power(0.05, ApproxDP(1.0, 0.0))), 5)
    0.13591
    """
    false_positive_rate = arguments.reals(
        "false_positive_rate", false_positive_rate, least=0, most=1
    )
    promise = arguments.guarantee("promise", promise, ApproxDP)
    return 1 - promised_trade_off(promise, false_positive_rate)


def roc(p: Distribution, q: Distribution, promise: ApproxDP, *, points: int = 201) -> Roc:
    """Return the best tests of q, the null hypothesis, against p, at evenly spread rates.

    Raises ValueError unless `points` is a whole number of at least 2.
    """
    arguments.instance("p", p, Distribution)
    arguments.instance("q", q, Distribution)
    promise = arguments.guarantee("promise", promise, ApproxDP)
    points = arguments.size("points", points, least=2)
    rates = np.linspace(0, 1, points)
    power = true_positive_rate(p, q, false_positive_rate=rates)
    return Roc(rates, power, largest_power(rates, promise))
