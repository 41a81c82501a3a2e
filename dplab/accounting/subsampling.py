"""What a secret sample saves: a mechanism that sees each record with probability `rate` only.

Poisson sampling takes each record independently; sampling without replacement takes m = rate n of
n. Nobody is told who takes part, so that most of the time a record's neighbours look the same.

A loss knows the most, see `dplab.losses.sampled`: many releases on Poisson samples are added up in
each direction, `poisson_sampled(loss, rate=rate)` and its `reverse()`, many on samples without
replacement in one, `sampled_without_replacement(loss, rate=rate)`.
"""

from __future__ import annotations

from dplab import arguments
from dplab.guarantees import ApproxDP
from dplab.losses.sampled import mixed


def subsampled(promise: ApproxDP, *, rate: float) -> ApproxDP:
    """The promise when each record takes part with probability `rate`, in secret.

    (ln(1 + rate (e^epsilon - 1)), rate delta): tight for Poisson sampling under add-remove, and for
    rate = m / n with m of n records drawn without replacement under replace-one.
    Raises ValueError unless 0 <= rate <= 1.
    Source: Balle, Barthe and Gaboardi (2018), Theorems 8 and 9.

    >>> round(subsampled(ApproxDP(1.0, 1e-5), rate=0.01).epsilon, 6)
    0.017037
    """
    rate = arguments.number("rate", rate, least=0, most=1)
    return ApproxDP(float(mixed(promise.epsilon, rate)), rate * promise.delta)
