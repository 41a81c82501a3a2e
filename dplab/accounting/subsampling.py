"""Privacy by a secret sample: a mechanism sees each record with probability `rate` only.

Poisson sampling takes each record independently; sampling without replacement takes m = rate n of
n. The sample is secret, and it rarely contains the record that differs.

Losses give tighter results than guarantees: see `dplab.losses.sampled`. For many releases on
Poisson samples, add up each direction, `poisson_sampled_loss(loss, rate=rate)` and its `reverse()`.
On samples without replacement one direction is enough, `fixed_size_sampled_loss(loss, rate=rate)`.
"""

from __future__ import annotations

from dplab import arguments
from dplab.deprecated import old_names
from dplab.guarantees import ApproxDP
from dplab.losses.sampled import mix


def amplify_by_sampling(promise: ApproxDP, *, rate: float) -> ApproxDP:
    """Return the guarantee when each record takes part with probability `rate`, in secret.

    It is (ln(1 + rate (e^epsilon - 1)), rate delta). This is tight for Poisson sampling under
    add-remove, and for m = rate n of n records without replacement under replace-one.
    Raises ValueError unless 0 <= rate <= 1.
    Source: Balle, Barthe and Gaboardi (2018), Theorems 8 and 9.

    >>> round(amplify_by_sampling(ApproxDP(1.0, 1e-5), rate=0.01).epsilon, 6)
    0.017037
    """
    rate = arguments.number("rate", rate, least=0, most=1)
    return ApproxDP(float(mix(promise.epsilon, rate)), rate * promise.delta)


__getattr__ = old_names(__name__, subsampled="amplify_by_sampling")
