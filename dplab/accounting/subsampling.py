"""What a secret sample saves: a mechanism that sees each record with probability `rate` only.

Poisson sampling takes each record independently; sampling without replacement takes m = rate n of
n. Nobody is told who takes part, so that most of the time a record's neighbours look the same.

A loss knows the most, see `dplab.losses.sampled`: many releases on Poisson samples are added up in
each direction, `poisson_sampled(loss, rate=rate)` and its `reverse()`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dplab import arguments
from dplab.accounting.renyi import RenyiCurve
from dplab.guarantees import ApproxDP
from dplab.losses import GaussianLoss, poisson_sampled
from dplab.losses.sampled import mixed

WHOLE_ORDERS = tuple(range(2, 257))


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


def subsampled_gaussian(
    sigma: float, *, rate: float, orders: Sequence[float] = WHOLE_ORDERS
) -> RenyiCurve:
    """Normal noise of `sigma` sensitivities on a Poisson sample: its Renyi curve, exact.

    The Renyi divergences of `poisson_sampled(GaussianLoss(1 / sigma), rate=rate)`, at real orders;
    those of the other direction are smaller. Raises ValueError unless sigma > 0, 0 <= rate <= 1 and
    orders are above 1.
    Source: Mironov, Talwar and Zhang (2019), Theorems 4 and 5.
    """
    loss = GaussianLoss(1 / arguments.number("sigma", sigma, above=0))
    return RenyiCurve.from_function(poisson_sampled(loss, rate=rate).renyi, orders)


def subsampled_without_replacement(curve: RenyiCurve, *, rate: float) -> RenyiCurve:
    """The curve when m = rate n of n records are drawn without replacement, in secret.

    With g = rate and e(j) the curve of the mechanism on the sample, at whole orders alpha
        log(1 + g^2 C(alpha, 2) min(4 (e^{e(2)} - 1), 2 e^{e(2)})
              + sum_{j=3}^alpha 2 g^j C(alpha, j) e^{(j - 1) e(j)}) / (alpha - 1),
    for neighbours that replace one record. `curve` must have the orders 2, 3, ..., up to its last.
    Raises ValueError unless 0 <= rate <= 1 and the orders are those.
    Source: Wang, Balle and Kasiviswanathan (2019), Theorem 9, for an unbounded loss.
    """
    rate = arguments.number("rate", rate, least=0, most=1)
    count = len(curve.orders)
    if curve.orders != tuple(range(2, count + 2)):
        raise ValueError(f"orders must be 2, 3, ..., {count + 1}, not {curve.orders}")
    if rate == 0:
        return RenyiCurve(curve.orders, (0.0,) * count)
    bounds = (
        min(_without_replacement(curve, alpha, rate), e)
        for alpha, e in zip(range(2, count + 2), curve.epsilons, strict=True)
    )
    return RenyiCurve(curve.orders, tuple(bounds))


def _without_replacement(curve: RenyiCurve, alpha: int, rate: float) -> float:
    from scipy.special import gammaln, logsumexp

    j = np.arange(2, alpha + 1)
    e = np.array(curve.epsilons[: alpha - 1])
    logs = gammaln(alpha + 1) - gammaln(j + 1) - gammaln(alpha - j + 1) + j * np.log(rate)
    logs += np.log(2) + (j - 1) * e
    with np.errstate(divide="ignore"):
        small = np.log(4) + np.log(-np.expm1(-e[0])) + e[0]  # log(4 (e^{e(2)} - 1))
    logs[0] += min(0.0, small - np.log(2) - e[0])
    return float(logsumexp(np.append(logs, 0.0)) / (alpha - 1))
