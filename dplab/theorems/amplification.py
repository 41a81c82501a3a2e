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
look at the records, and stay secret. A sample in a known order is none. Where a mechanism looks at
the order of records, a sample without replacement must be in a random order: only then does the
record that leaves have its place taken by another. `dplab.accounting.sampled` draws such samples.

Sources: Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith (2008); Li, Qardaji and Su (2012);
Balle, Barthe and Gaboardi (2018), Theorems 8 and 9.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.distributions import Distribution
from dplab.divergences import privacy_loss
from dplab.losses import poisson_sampled_loss


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
    arguments.instance("p", p, Distribution)
    arguments.instance("r", r, Distribution)
    rate = arguments.number("rate", rate, above=0, most=1)
    epsilons = arguments.reals("epsilons", epsilons, ndim=1)
    arguments.number("the least of epsilons", float(epsilons.min()), least=0)
    loss = privacy_loss(p, r)
    sampled = poisson_sampled_loss(loss, rate=rate)
    with np.errstate(divide="ignore"):  # in logs, because the quotient may be no float
        inner = np.logaddexp(0, np.log(np.expm1(epsilons)) - np.log(rate))  # epsilon on a sample
    whole, on_sample, inner_deltas = (
        np.array([max(one.delta(e), one.reverse().delta(e)) for e in points])
        for one, points in ((loss, epsilons), (sampled, epsilons), (loss, inner))
    )
    return Amplification(epsilons, whole, on_sample, rate * inner_deltas)
