"""A guarantee for one person is a weaker guarantee for groups: follow a chain of neighbours.

Theorem. Let x_0, ..., x_k be datasets, each a neighbour of the next.

    epsilon-DP           implies  P_k[S] <= e^{k epsilon} P_0[S]
    (epsilon, delta)-DP  implies  P_k[S] <= e^{k epsilon} P_0[S] + delta_k,
                                  delta_k = delta (e^{k epsilon} - 1) / (e^epsilon - 1)
    rho-zCDP             implies  D_alpha(P_k || P_0) <= k^2 rho alpha  for all alpha > 1

Proof. Apply the guarantee at each step: P_k[S] <= e^epsilon P_{k-1}[S] + delta, which is at most
e^epsilon (e^epsilon P_{k-2}[S] + delta) + delta, and so on: a delta is multiplied by e^epsilon for
every step that follows. For zCDP see Bun and Steinke (2016), Proposition 27: Hölder's inequality
replaces the triangle inequality, which Rényi divergences do not have.

So two datasets of size n are at most n epsilon apart: with n epsilon < 1 no output tells any data
from any other by more than a factor e. Useful answers need n >= 1 / epsilon.

Sources: Dwork, McSherry, Nissim and Smith (2006); Vadhan (2017), Lemma 2.2, which rounds the factor
of delta up to k e^{(k - 1) epsilon}. Slides that leave that factor out are wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP, Guarantee
from dplab.losses import PrivacyLoss
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE


@dataclass(frozen=True, eq=False)
class Chain:
    """The privacy losses along a chain of neighbours, and between its ends, in both directions."""

    k: int
    steps: tuple[PrivacyLoss, ...]
    ends: tuple[PrivacyLoss, ...]

    def keeps(self, promise: Guarantee) -> bool:
        """Return whether every step keeps the guarantee, and the ends that for groups of k."""
        steps = all(promise.holds_for(loss) for loss in self.steps)
        return steps and all(promise.group(self.k).holds_for(loss) for loss in self.ends)


def chain(mechanism: ExactMechanism, datasets: Sequence[Any]) -> Chain:
    """Return the losses along datasets; ValueError unless each is a neighbour of the one before.

    >>> from dplab.mechanisms.laplace import LaplaceMechanism
    >>> count = LaplaceMechanism(sum, sensitivity=1, epsilon=0.5)
    >>> family = chain(count, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)])
    >>> family.ends[0].largest_log_ratio, family.keeps(count.guarantee)
    (1.5, True)
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    datasets = arguments.sequence("datasets", datasets)
    links = list(pairwise(datasets))
    arguments.whole("the length of datasets", len(datasets), least=2)
    for x, y in links:
        if mechanism.neighbors.distance(x, y) != 1:
            raise ValueError(f"datasets must be a chain of neighbours; {x!r} and {y!r} are not")
    steps = [_compute_both_losses(mechanism, x, y) for x, y in links]
    ends = _compute_both_losses(mechanism, datasets[0], datasets[-1])
    return Chain(len(links), tuple(loss for step in steps for loss in step), ends)


def _compute_both_losses(
    mechanism: ExactMechanism, x: Any, y: Any
) -> tuple[PrivacyLoss, PrivacyLoss]:
    return mechanism.privacy_loss(x, y), mechanism.privacy_loss(y, x)


@dataclass(frozen=True)
class FamilyAlarm(ExactMechanism):
    """An alarm whose probability a_j grows with the number j of ones among n bits.

        P(alarm) = a_j,   a_0 = first,   a_{j+1} = e^epsilon a_j + delta

    It is (epsilon, delta)-DP, and its guarantee
    for groups can't be improved: the ends of a chain of k reach its delta at first = 0, and its
    k epsilon at delta = 0. Raises ValueError if the probability of the alarm would exceed 1/2.
    """

    epsilon: float
    delta: float
    n: int
    first: float = 0.0
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.number("epsilon", self.epsilon, above=0)
        for name in ("delta", "first"):
            arguments.number(name, getattr(self, name), least=0)
        arguments.whole("n", self.n, least=1)
        arguments.number(
            "the largest probability of the alarm, by epsilon, delta, n and first,",
            self.alarm(self.n),
            most=0.5,
        )

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(self.epsilon, self.delta)

    def alarm(self, ones: int) -> float:
        """Return the probability of the alarm if this many bits are 1."""
        e = float(self.epsilon)
        with np.errstate(over="ignore"):
            factor = np.exp(ones * e)
            steps = np.exp((ones - 1) * e) * np.expm1(-ones * e) / np.expm1(-e)  # 1 + e^e + ...
        parts = ((self.first, factor), (self.delta, steps))
        return float(sum(share * times for share, times in parts if share))  # no 0 times infinity

    def distribution(self, data: Any) -> Finite:
        bits = records.categories("data", data, 2)
        if bits.shape != (self.n,):
            raise ValueError(f"data must be n = {self.n} bits")
        alarm = self.alarm(int(bits.sum()))
        return Finite.of({"alarm": alarm, "silence": 1 - alarm})
