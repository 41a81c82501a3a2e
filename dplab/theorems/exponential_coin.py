"""Theorem: coins of rational bias make a coin of bias e^{-gamma}, without floats.

For a rational 0 <= gamma <= 1, toss coins that show 1 with probabilities gamma / 1, gamma / 2,
gamma / 3, ... until the first coin, the K-th, shows 0. Then K is odd with probability e^{-gamma}.

Proof. P[K > k] = gamma^k / k!, so P[K = k] = gamma^(k-1) / (k-1)! - gamma^k / k!. Summed over the
odd k, that is sum_j (-gamma)^j / j! = e^{-gamma}. For gamma > 1, repeat this
for each whole 1 in gamma and once for the rest: all results are 1 with the product of their
probabilities.

On average e^gamma coins are tossed. A coin of bias p / q compares a uniform integer below q with p.

Source: Canonne, Kamath and Steinke (2020), Algorithm 1; the idea is von Neumann's (1951).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from dplab.sampling.bits import integer
from dplab.sampling.fixed_point import exp_minus
from dplab.sampling.rational import rational

COINS = 40  # an even number; the mass gamma^39 / 39!, below 1e-46, stays undecided
BITS = 200  # the precision of the bounds of e^{-gamma} that check the theorem


@dataclass(frozen=True)
class ExponentialCoin:
    """The exact distribution of K: `survival[k]` is P[K > k] = gamma^k / k! for k below COINS."""

    gamma: Fraction
    survival: tuple[Fraction, ...]

    @property
    def odd(self) -> tuple[Fraction, Fraction]:
        """Bounds of P[K is odd]: without and with the mass that the first coins leave undecided."""
        pairs = zip(self.survival[::2], self.survival[1::2], strict=True)
        decided = sum((a - b for a, b in pairs), start=Fraction(0))
        return decided, decided + self.survival[-1]

    @property
    def holds(self) -> bool:
        """True if these bounds are compatible with rigorous bounds of e^{-gamma}."""
        low, high = (Fraction(bound, 1 << BITS) for bound in exp_minus(self.gamma, BITS))
        return self.odd[0] <= high and low <= self.odd[1]


def exponential_coin(gamma: Any) -> ExponentialCoin:
    """Return the distribution of K for a rational 0 <= gamma <= 1, as far as COINS coins decide it.

    Raises ValueError for another gamma.

    >>> coin = exponential_coin((1, 2))
    >>> [float(bound) for bound in coin.odd], coin.holds
    ([0.6065306597126334, 0.6065306597126334], True)
    """
    gamma = _check_gamma(gamma)
    chances = (gamma / k for k in range(1, COINS))
    return ExponentialCoin(
        gamma, tuple(accumulate(chances, lambda a, b: a * b, initial=Fraction(1)))
    )


def toss(gamma: Any, rng: np.random.Generator) -> int:
    """Draw 1 with probability e^{-gamma}, otherwise 0, by comparing uniform integers.

    Raises ValueError unless gamma is a rational from 0 to 1.
    """
    gamma, k = _check_gamma(gamma), 1
    while _draw_below(gamma.denominator * k, rng) < gamma.numerator:
        k += 1
    return k % 2


def _draw_below(end: int, rng: np.random.Generator) -> int:
    """Draw a uniform integer below `end`, of any size."""
    while (number := integer(rng, end.bit_length())) >= end:
        pass
    return number


def _check_gamma(gamma: Any) -> Fraction:
    gamma = rational("gamma", gamma, least=0)
    if gamma > 1:
        raise ValueError(f"gamma must be at most 1, not {gamma}")
    return gamma
