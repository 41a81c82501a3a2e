"""Theorem: differential privacy limits how well anybody can guess a secret bit.

Let one person's bit be 1 with probability 1/2, independently of everything else that goes into an
(epsilon, delta)-DP mechanism. An attacker who sees the output and knows all other records guesses
the bit right with probability at most

    (e^epsilon + delta) / (1 + e^epsilon):

with p = P[guess 1 | bit 1] and q = P[guess 1 | bit 0] the guarantee says p <= e^epsilon q + delta
and 1 - q <= e^epsilon (1 - p) + delta. Add both:
p - q <= (e^epsilon - 1 + 2 delta) / (e^epsilon + 1), and the guess is right with probability
(1 + p - q) / 2. Randomized response attains the bound. For delta > 0, so does
the mechanism that reveals all with probability delta and otherwise runs it.

For given distributions P and Q the best guess is right with probability (1 + TV(P, Q)) / 2, which
is the same bound at epsilon = 0, where delta(0) = TV. So every reconstruction of many bits gets at
most this share of them right, on average over secrets and noise.

Sources: Wasserman and Zhou (2010), Theorem 2.4, for the test; Kairouz, Oh and Viswanath (2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from dplab import arguments
from dplab.distributions import enumerate_law
from dplab.guarantees import ApproxDP
from dplab.losses import PrivacyLoss
from dplab.mechanism import ExactMechanism


def guess_bound(promise: ApproxDP) -> float:
    """Return (e^epsilon + delta) / (1 + e^epsilon): no guess of a fair bit is better.

    Raises ValueError for other arguments.

    >>> round(guess_bound(ApproxDP(1.0, 0)), 4), guess_bound(ApproxDP(0, 0.5))
    (0.7311, 0.75)
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    wrong = (1 - promise.delta) / (1 + np.exp(-promise.epsilon)) * np.exp(-promise.epsilon)
    return float(1 - wrong)


@dataclass(frozen=True, eq=False)
class BitGuessing:
    """The best guess at one bit, and the bounds of the curve delta(epsilon); arrays of one shape.

    `best` is the exact probability that the best guess is right, bounds[i] is `guess_bound` of
    (epsilons[i], deltas[i]).
    """

    best: float
    epsilons: np.ndarray
    deltas: np.ndarray
    bounds: np.ndarray

    @property
    def holds(self) -> bool:
        """True if no bound is below the best guess."""
        return bool((self.bounds >= self.best - 1e-12).all())


def bit_guessing(loss: PrivacyLoss, epsilons: Sequence[float]) -> BitGuessing:
    """Check the theorem on the loss of two distributions: the output for bit 1 and for bit 0.

    `epsilons` are in nats and at least 0. Each delta is the larger one of the two directions. The
    best guess is 1 if the loss is above 0. Raises ValueError for other epsilons, or none.
    """
    arguments.instance("loss", loss, PrivacyLoss)
    levels = arguments.reals("epsilons", epsilons, ndim=1)
    power, false_alarm = (float(tail) for tail in loss.tails(0.0))
    deltas = np.array([max(one.delta(e) for one in (loss, loss.reverse())) for e in levels])
    pairs = zip(levels, deltas, strict=True)
    bounds = np.array([guess_bound(ApproxDP(epsilon, delta)) for epsilon, delta in pairs])
    return BitGuessing((1 + power - false_alarm) / 2, levels, deltas, bounds)


def best_reconstruction(mechanism: ExactMechanism, n: int) -> float:
    """Return the share of n bits that the best attack gets right on average, by enumeration.

    All 2^n secrets are equally likely, and the attack knows only the output. It guesses bit i right
    with probability (1 + TV) / 2, with TV the distance of the mean distributions for bit i one and
    zero. The share is at most `guess_bound` of the mechanism's guarantee for neighbours that
    replace one. Raises ValueError unless n is a whole number from 1 to 12, or if a distribution
    is not finite.
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    n = arguments.whole("n", n, least=1, most=12)
    secrets = np.array(list(product((0, 1), repeat=n)))
    distributions = [enumerate_law(mechanism.distribution(tuple(s))) for s in secrets.tolist()]
    outcomes: list[Any] = list(dict.fromkeys(y for p in distributions for y in p.outcomes))
    index = {outcome: i for i, outcome in enumerate(outcomes)}
    masses = np.zeros((len(secrets), len(outcomes)))
    for row, distribution in zip(masses, distributions, strict=True):
        row[[index[outcome] for outcome in distribution.outcomes]] = distribution.probabilities
    gaps = [
        masses[secrets[:, i] == 1].mean(0) - masses[secrets[:, i] == 0].mean(0) for i in range(n)
    ]
    return float(np.mean([(1 + np.abs(gap).sum() / 2) / 2 for gap in gaps]))
