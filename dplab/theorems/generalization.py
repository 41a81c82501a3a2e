"""Theorem: a query that is chosen privately from a sample has nearly its mean in the population.

Draw n records S independently from a population P, let M be private for replacing one record, and
let an analyst choose a query q from M(S), with a value from 0 to 1 for each record. Then its mean
q(S) on the sample is near its mean q(P) on fresh records:

    |E[q(S)] - E[q(P)]| <= e^epsilon - 1,    and, sharper,    <= tanh(epsilon / 4) <= epsilon / 4

for epsilon-DP; <= sqrt(rho / 2) for rho-zCDP. The second is reached at n = 1, for every epsilon, so
it cannot be improved for all n at once. Let records be uniform on a circle, and let an output be
e^epsilon times as likely on an arc around the record, whose share is 1 / (1 + e^{epsilon / 2}). If
1 + e^{epsilon / 2} is a whole number, randomized response with so many answers does the same.

Proof. E[q(S)] is the mean over i of E[q(x_i)]: it is enough to look at one i. Let z be a fresh
record, and exchange x_i and z. As all are independent draws, S with z in place of x_i, together
with x_i, has the distribution of S together with z; so E[q_{M(S')}(x_i)] for this neighbour S' is
E[q(P)]. By the guarantee E[q_{M(S)}(x_i)] <= e^epsilon E[q_{M(S')}(x_i)]. The first bound follows,
also for 1 - q.

Sharper: fix the other records. Given the output y, the density of x_i against P is
r(x) = P[y | x] / P[y], with mean 1, all its values within e^epsilon of each other. The analyst's
best q is 1 where r > 1, and gains the mean of the part of r - 1 above 0. If r > 1 has probability
p, that is largest for two values, r = e^epsilon c and c: p (1 - p) (e^epsilon - 1) /
(1 + p (e^epsilon - 1)), and over p largest at p = 1 / (1 + e^{epsilon / 2}): tanh(epsilon / 4).

For zCDP, the gain is at most the total variation between the joint distribution of (x_i, y) and the
product of its parts. By Pinsker's inequality this is at most sqrt(D / 2), with D their relative
entropy. D is a mean of the relative entropy of M(S) from a mixture of neighbours' distributions,
hence at most rho.

Sources: Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015), Preserving statistical validity,
for the first; Bassily and others (2016) for bounds that hold with high probability; Bun and Steinke
(2016) and Russo and Zou (2016) for relative entropy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import singledispatch
from itertools import product
from typing import Any

import numpy as np

from dplab import arguments
from dplab.distributions import Finite, enumerate_law
from dplab.guarantees import ZCDP, Guarantee, PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE

MAX_RECORDS = 1000  # all datasets are enumerated

MAX_SAMPLES = 100_000  # the limit for enumeration


@singledispatch
def generalization_bound(promise: Guarantee) -> float:
    """Return how much better a query under this guarantee may look in the mean, see above.

    It is tanh(epsilon / 4) for PureDP, sqrt(rho / 2) for ZCDP, 1 at most. Raises ValueError for
    others.

    >>> round(generalization_bound(PureDP(1.0)), 4), generalization_bound(ZCDP(0.02))
    (0.2449, 0.1)
    """
    raise ValueError(f"promise must be PureDP or ZCDP, not {promise!r}")


@generalization_bound.register
def _(promise: PureDP) -> float:
    return float(np.tanh(promise.epsilon / 4))


@generalization_bound.register
def _(promise: ZCDP) -> float:
    return min(1.0, float(np.sqrt(promise.rho / 2)))


@dataclass(frozen=True, eq=False)
class Generalization:
    """The dependence of outputs on the records that they came from.

    `excess[x, y]` is the mean over i of P[x_i = records[x], output y], minus the product of both
    probabilities; shape (records, outputs). `promise` is the mechanism's.
    """

    records: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    excess: np.ndarray
    promise: Guarantee

    def gain(self, query: Callable[[Any, Any], float]) -> float:
        """Return E[q(S)] - E[q(P)] for query(output, record); ValueError unless from 0 to 1."""
        values = np.array([[query(y, x) for y in self.outputs] for x in self.records], dtype=float)
        if not ((values >= 0) & (values <= 1)).all():
            raise ValueError("query must have values from 0 to 1")
        return float((values * self.excess).sum())

    @property
    def largest_gain(self) -> float:
        """The gain of the best query: for each output, 1 on records that it makes more likely."""
        return float(self.excess.clip(0).sum())

    @property
    def bound(self) -> float:
        """The largest gain that the theorem allows."""
        return generalization_bound(self.promise)

    @property
    def holds(self) -> bool:
        """True if no analyst gains more than the bound."""
        return self.largest_gain <= self.bound + 1e-12


def generalization(mechanism: ExactMechanism, population: Finite, n: int) -> Generalization:
    """Check the theorem for samples of n records from `population`, by enumeration.

    The mechanism's distributions must be finite, and its data tuples of records. Raises ValueError
    for a mechanism with other neighbours than REPLACE_ONE, and for more than 100,000 samples.

    >>> from dplab.mechanisms.randomized_response import RandomizedResponse
    >>> three = Finite((0, 1, 2), np.log([1 / 3] * 3))
    >>> check = generalization(RandomizedResponse(2 * np.log(2), k=3), three, n=1)
    >>> round(check.largest_gain, 12), round(check.bound, 12)
    (0.333333333333, 0.333333333333)
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    arguments.instance("population", population, Finite)
    n = arguments.size("n", n, most=MAX_RECORDS)
    records = population.support
    if mechanism.neighbors != REPLACE_ONE:
        raise ValueError(
            f"mechanism must have a guarantee for {REPLACE_ONE}, not {mechanism.neighbors}"
        )
    if len(records) ** n > MAX_SAMPLES:
        raise ValueError(f"n must leave at most {MAX_SAMPLES} samples, not {len(records)}^{n}")
    place, chance = {x: i for i, x in enumerate(records)}, np.exp(population.log_densities(records))
    joint: dict[Hashable, np.ndarray] = {}  # mean over i of P[x_i = x, output], for each output
    for sample in product(records, repeat=n):
        places = [place[x] for x in sample]
        weights = np.bincount(places, minlength=len(records)) / n * chance[places].prod()
        distribution = enumerate_law(mechanism.distribution(sample))
        for output, probability in zip(
            distribution.outcomes, distribution.probabilities, strict=True
        ):
            joint[output] = joint.get(output, 0) + probability * weights
    table = np.array(list(joint.values())).T
    excess = table - np.outer(chance, table.sum(axis=0))
    return Generalization(records, tuple(joint), excess, mechanism.guarantee)
