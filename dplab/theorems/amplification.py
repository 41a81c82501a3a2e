"""Theorem: a secret sample makes epsilon smaller, by about the share of people who are in it.

Let a mechanism be (epsilon, delta)-DP, and let q be the probability that a record is in the sample
on which the mechanism runs. Nobody learns who is in the sample. Then the mechanism on the sample is

    (log(1 + q (e^epsilon - 1)), q delta)-DP

1. on a *Poisson sample*, which takes each record with probability q, independently of all others,
   if neighbours add or remove a record;
2. on m = q n of n records *without replacement*, if neighbours replace a record.

Proof of 1. Let p be the distribution of the output if the record is in the sample, and r if it is
not. The others in the sample have the same distribution in both cases, so p <= e^epsilon r + delta
on every event, and r <= e^epsilon p + delta. The output has the distribution r without the record,
and q p + (1 - q) r with it. With a = 1 + q (e^epsilon - 1),

    q p + (1 - q) r  <=  q (e^epsilon r + delta) + (1 - q) r  =  a r + q delta.

The other direction: p >= e^-epsilon (r - delta), so that q p + (1 - q) r >= c r - q e^-epsilon
delta with c = 1 - q + q e^-epsilon. Here 1 / c <= a, because a c = 1 + q (1 - q) (e^epsilon - 1)^2
e^-epsilon, and q e^-epsilon / c <= q.

Proof of 2. Let p be the distribution with the old record in the sample, p' with the new one, and r
the distribution if neither is in. The outputs have the distributions q p + (1 - q) r and
q p' + (1 - q) r. One replaced record leads from p to p', and also from p to r: replace the record
by one of the n - m that are not in the sample, drawn at random. So
p <= e^epsilon (b p' + (1 - b) r) + delta for all b in [0, 1]. Take b = a e^-epsilon.
Since q (e^epsilon - a) + 1 - q = (1 - q) a,

    q p + (1 - q) r  <=  a (q p' + (1 - q) r) + q delta.

Both are the best possible: see the tests. The sample must be drawn anew for each use, without a
look at the records, and stay secret. A sample in a known order is none.

Sources: Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith (2008); Li, Qardaji and Su (2012);
Balle, Barthe and Gaboardi (2018), Theorems 8 and 9.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, compress, product
from math import comb
from typing import Any

import numpy as np

from dplab import arguments
from dplab.accounting.subsampling import amplify_by_sampling
from dplab.distributions import Distribution, Finite, enumerate_law
from dplab.divergences import privacy_loss
from dplab.guarantees import ApproxDP
from dplab.losses import poisson_sampled_loss
from dplab.mechanism import ExactMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE

MAX_SAMPLES = 2**16  # samples of one dataset; each is enumerated


@dataclass(frozen=True)
class OnPoissonSample(ExactMechanism):
    """The mechanism `inner` on a sample that contains each record with probability `rate`.

        P(output = y) = sum_S rate^|S| (1 - rate)^{n - |S|} P(inner(S) = y)

    Raises ValueError unless the guarantee of `inner` is for neighbours that add or remove a record,
    and unless 0 <= rate <= 1.
    """

    inner: ExactMechanism
    rate: float
    neighbors = ADD_REMOVE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "rate", least=0, most=1)
        _require_neighbors(self.inner, ADD_REMOVE)

    @property
    def guarantee(self) -> ApproxDP:
        return amplify_by_sampling(self.inner.guarantee.convert_to(ApproxDP), rate=self.rate)

    def distribution(self, data: Sequence) -> Finite:
        """Return the distribution of the output: a mixture over all 2^n samples of n records."""
        n = len(data)
        _check_count(2**n)
        return _mix(
            (
                self.rate ** sum(chosen) * (1 - self.rate) ** (n - sum(chosen)),
                self._distribution_on(sample),
            )
            for chosen in product((False, True), repeat=n)
            for sample in [tuple(compress(data, chosen))]
        )

    def _distribution_on(self, sample: tuple) -> Distribution:
        return self.inner.distribution(sample)


@dataclass(frozen=True)
class OnFixedSample(ExactMechanism):
    """The mechanism `inner` on m of n records, drawn without replacement; n is public.

        P(output = y) = sum_S P(inner(S) = y) / C(n, m),   S of m records

    Raises ValueError unless `inner` has a guarantee for replaced records, and unless
    1 <= m <= n.
    """

    inner: ExactMechanism
    n: int
    m: int
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "n", least=1)
        arguments.settle(self, arguments.whole, "m", least=1, most=self.n)
        _require_neighbors(self.inner, REPLACE_ONE)

    @property
    def guarantee(self) -> ApproxDP:
        return amplify_by_sampling(self.inner.guarantee.convert_to(ApproxDP), rate=self.m / self.n)

    def distribution(self, data: Sequence) -> Finite:
        """Return the distribution of the output: a mixture over all samples of m records."""
        if len(data) != self.n:
            raise ValueError(f"data must be n = {self.n} records")
        count = comb(self.n, self.m)
        _check_count(count)
        distributions = (self.inner.distribution(sample) for sample in combinations(data, self.m))
        return _mix((1 / count, distribution) for distribution in distributions)


def _require_neighbors(inner: ExactMechanism, relation: Any) -> None:
    if inner.neighbors != relation:
        raise ValueError(f"inner must promise for the neighbors {relation}, not {inner.neighbors}")


def _check_count(samples: int) -> None:
    if samples > MAX_SAMPLES:
        raise ValueError(f"data must have fewer records: at most {MAX_SAMPLES:,} samples")


def _mix(weighted_distributions: Iterable[tuple[float, Distribution]]) -> Finite:
    """Return the mixture of finite distributions, from pairs of a weight and a distribution."""
    chances: dict[Hashable, float] = defaultdict(float)
    for weight, distribution in weighted_distributions:
        finite = enumerate_law(distribution)
        for outcome, chance in zip(finite.outcomes, finite.probabilities, strict=True):
            chances[outcome] += weight * float(chance)
    return Finite.of(chances)


@dataclass(frozen=True, eq=False)
class Amplification:
    """The delta at each of `epsilons`, the worse of both directions, for a picture.

    `whole` belongs to the mechanism on all data, `sampled` to the mechanism on a Poisson sample.
    `promised` is the theorem's bound for `sampled`: rate times `whole` at the epsilon that becomes
    this one.
    """

    epsilons: np.ndarray
    whole: np.ndarray
    sampled: np.ndarray
    promised: np.ndarray

    @property
    def is_confirmed(self) -> bool:
        """True if `sampled` is at most `promised` everywhere, up to rounding."""
        return bool((self.sampled <= self.promised * (1 + 1e-9) + 1e-15).all())


def amplify(p: Distribution, r: Distribution, *, rate: float, epsilons: Any) -> Amplification:
    """Compute the deltas of p, with the record, against r, without it, and on a Poisson sample.

    Raises ValueError for a negative epsilon, unless 0 < rate <= 1, and for distributions without an
    exact privacy loss.

    >>> from dplab import Laplace
    >>> found = amplify(Laplace(1, 1), Laplace(0, 1), rate=0.1, epsilons=[0.0, 0.2])
    >>> found.whole.round(3).tolist(), found.sampled.round(3).tolist(), found.is_confirmed
    ([0.393, 0.33], [0.039, 0.0], True)
    """
    rate = arguments.number("rate", rate, above=0, most=1)
    epsilons = arguments.reals("epsilons", epsilons)
    arguments.number("the least of epsilons", float(epsilons.min()), least=0)
    loss = privacy_loss(p, r)
    sampled = poisson_sampled_loss(loss, rate=rate)
    inner = np.log1p(np.expm1(epsilons) / rate)  # this becomes epsilon on a sample
    whole, on_sample, inner_deltas = (
        np.array([max(one.delta(e), one.reverse().delta(e)) for e in points])
        for one, points in ((loss, epsilons), (sampled, epsilons), (loss, inner))
    )
    return Amplification(epsilons, whole, on_sample, rate * inner_deltas)
