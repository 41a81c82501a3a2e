"""Theorem: k releases of epsilon-DP lose about epsilon sqrt(k), because losses cancel.

The privacy loss Z of a release lies in [-epsilon, epsilon], and its mean is at most
epsilon tanh(epsilon / 2) <= epsilon^2 / 2: e^{-z} lies below its chord there, so

    1 = E[e^{-Z}] <= cosh(epsilon) - E[Z] sinh(epsilon) / epsilon.

The total of k releases is then a random walk of small drift, and by Hoeffding's inequality

    P[Z_1 + ... + Z_k > k epsilon tanh(epsilon / 2) + epsilon sqrt(2 k ln(1 / delta))] <= delta.

If the loss exceeds epsilon' with probability at most delta, (epsilon', delta)-DP holds. For
adaptive releases the total minus its drift is a supermartingale, and Azuma's inequality says the
same. Source: Dwork, Rothblum and Vadhan (2010), Theorem III.3, with the larger drift
k epsilon (e^epsilon - 1), which `accounting.advanced_composition` keeps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.losses import NO_LOSS, AtomicLoss


@dataclass(frozen=True)
class LossWalk:
    """The distribution of the total loss of k equal releases, and the theorem's figures, in nats.

    `mean` and `sd` are of `total`; `drift` and `epsilon` are the theorem's bounds on the mean and
    on the total, and `tail` is P[total > epsilon], which `delta` bounds.
    """

    total: AtomicLoss
    mean: float
    sd: float
    drift: float
    epsilon: float
    tail: float
    delta: float

    @property
    def holds(self) -> bool:
        """True if mean and tail are within their bounds."""
        return self.mean <= self.drift * (1 + 1e-9) and self.tail <= self.delta


def loss_walk(loss: AtomicLoss, k: int, *, delta: float) -> LossWalk:
    """Check the theorem on k independent releases of a finite loss.

    Raises ValueError unless the loss is bounded, 0 < delta < 1 and k is a whole
    number of at least 1.
    """
    arguments.instance("loss", loss, AtomicLoss)
    k = arguments.size("k", k)
    delta = arguments.number("delta", delta, above=0, below=1)
    one = arguments.number("loss.largest_log_ratio", loss.largest_log_ratio)
    total = _sum(loss, k)
    mean = float(total.p @ total.losses)
    drift = k * one * np.tanh(one / 2)
    epsilon = float(drift + one * np.sqrt(-2 * k * np.log(delta)))
    return LossWalk(
        total=total,
        mean=mean,
        sd=float(np.sqrt(total.p @ (total.losses - mean) ** 2)),
        drift=float(drift),
        epsilon=epsilon,
        tail=float(total.tails(epsilon)[0]),
        delta=delta,
    )


def _sum(loss: AtomicLoss, k: int) -> AtomicLoss:
    """Return the loss of k independent releases, by doubling."""
    if k == 1:
        return loss
    half = _sum(loss, k // 2)
    return half + half + (loss if k % 2 else NO_LOSS)
