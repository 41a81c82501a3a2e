"""Queries against accuracy: the noise that k counts need if they share one budget.

Replacing one person moves each of k counts by at most 1. Each gets Laplace noise of scale 1 / e,
where e is the epsilon that a composition theorem allows each count. Or it gets normal noise, for
which the k counts are one vector of L2 sensitivity sqrt(k). With basic composition the noise
grows like k, with all others like sqrt(k).
Sources: Dwork and Roth (2014), Section 3.5; Kairouz, Oh and Viswanath (2015); Balle and Wang (2018)
for the normal noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.accounting.composition import advanced_composition
from dplab.accounting.optimal import optimal_delta
from dplab.bisection import edge
from dplab.guarantees import ApproxDP
from dplab.losses import GaussianLoss


@dataclass(frozen=True, eq=False)
class NoiseCurves:
    """The standard deviation of the noise on each of ks[i] counts; all arrays have one shape.

    `basic`, `advanced` and `optimal` are for Laplace noise with the composition theorem of this
    name, `gaussian` is for normal noise.
    """

    ks: np.ndarray
    basic: np.ndarray
    advanced: np.ndarray
    optimal: np.ndarray
    gaussian: np.ndarray


def noise_curves(target: ApproxDP, ks: Sequence[int]) -> NoiseCurves:
    """Compute the noise that k counts of sensitivity 1 need to be `target`-DP, in counts.

    Raises ValueError unless epsilon > 0, 0 < delta < 1, and every k is a positive whole number.
    """
    target = arguments.guarantee("target", target, ApproxDP)
    counts = arguments.wholes("ks", ks, least=1)
    epsilon = arguments.number("epsilon", target.epsilon, above=0)
    return NoiseCurves(
        ks=counts,
        basic=np.sqrt(2) * counts / epsilon,
        advanced=np.sqrt(2) / np.array([advanced_epsilon_each(target, k) for k in counts]),
        optimal=np.sqrt(2) / np.array([optimal_epsilon_each(target, k) for k in counts]),
        gaussian=np.sqrt(counts) / _largest_shift(target),
    )


def advanced_epsilon_each(target: ApproxDP, k: int) -> float:
    """Return the epsilon that each of k pure releases may spend by advanced composition.

    The theorem's delta is all of the target's delta. Raises ValueError unless 0 < delta < 1.
    """
    target = arguments.guarantee("target", target, ApproxDP)

    def is_within(e: float) -> bool:
        total = advanced_composition(ApproxDP(e, 0), k, delta=target.delta)
        return total.epsilon <= target.epsilon

    return edge(is_within)[0]


def optimal_epsilon_each(target: ApproxDP, k: int) -> float:
    """Return the largest epsilon that each of k pure releases may spend, by `optimal_delta`.

    No larger epsilon is safe for all mechanisms. Raises ValueError unless delta is below 1.
    """
    target = arguments.guarantee("target", target, ApproxDP)
    delta = arguments.number("delta", target.delta, below=1)

    def is_within(e: float) -> bool:
        return optimal_delta(ApproxDP(e, 0), k, epsilon=target.epsilon) <= delta

    return edge(is_within)[0]


def _largest_shift(target: ApproxDP) -> float:
    """Return the largest mu for which normal distributions mu sigmas apart satisfy `target`."""
    return edge(lambda mu: GaussianLoss(mu).delta(target.epsilon) <= target.delta)[0]


def crossing_by_target(target: ApproxDP) -> int:
    """Return the least k for which advanced composition needs less noise than basic composition.

    Advanced composition lets each of them spend more than epsilon / k if and only if
    k > 2 ln(1 / delta) / (2 - e^{epsilon / k})^2 and epsilon / k < ln 2. Raises ValueError unless
    0 < epsilon <= 1e300 and 0 < delta < 1.

    >>> crossing_by_target(ApproxDP(1.0, 1e-6))
    30
    """
    target = arguments.guarantee("target", target, ApproxDP)
    epsilon = arguments.number("epsilon", target.epsilon, above=0, most=1e300)
    delta = arguments.number("delta", target.delta, above=0, below=1)

    def needs_less(k: int) -> bool:  # if it is true, it is true for every larger k
        return k * (2 - math.exp(epsilon / k)) ** 2 > -2 * math.log(delta)

    low = int(epsilon / math.log(2))
    high = low + 1
    while not needs_less(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if needs_less(middle) else (middle, high)
    return high
