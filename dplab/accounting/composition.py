"""Composition in closed form: basic, advanced, and bounded range.

Basic composition is the sum of promises, `a + b`. The other bounds here give up a little delta
for an epsilon that grows like the square root of k; all hold for adaptive releases too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dplab import arguments
from dplab.guarantees import ApproxDP, BoundedRange, Guarantee


def basic_composition(promises: Sequence[Guarantee]) -> Guarantee:
    """The promise of all releases together: epsilons add up, and deltas, and rhos.

    Raises ValueError for no promise, or promises of different kinds: convert them first.
    Source: Dwork, McSherry, Nissim and Smith (2006); Dwork and Roth (2014), Theorem 3.16.
    """
    if not promises:
        raise ValueError("promises must not be empty")
    total, *rest = promises
    for promise in rest:
        total = total + promise
    return total


def advanced_composition(promise: ApproxDP, k: int, *, delta: float) -> ApproxDP:
    """k releases of (epsilon, delta_0)-DP, adaptive too, for an additional `delta`.

    epsilon' = epsilon sqrt(2 k ln(1 / delta)) + k epsilon (e^epsilon - 1),
    delta' = k delta_0 + delta.

    Both terms of epsilon' are needed. The root is the larger one while k < 1 / epsilon^2, about;
    `curves.crossing_by_price` says where basic composition is better.
    Raises ValueError unless 0 < delta < 1 and k is at least 1.
    Source: Dwork, Rothblum and Vadhan (2010), Theorem III.3; Dwork and Roth (2014), Theorem 3.20.

    >>> round(advanced_composition(ApproxDP(0.1, 0), 100, delta=1e-6).epsilon, 4)
    6.3082
    """
    k = arguments.whole("k", k, least=1)
    delta = arguments.number("delta", delta, above=0, below=1)
    e = promise.epsilon
    epsilon = e * np.sqrt(2 * k * np.log(1 / delta)) + k * e * np.expm1(e)
    return ApproxDP(epsilon, min(1.0, k * promise.delta + delta))


def bounded_range_composition(promises: Sequence[BoundedRange], *, delta: float) -> ApproxDP:
    """Releases of bounded range eta_1, eta_2, ..., adaptive too, are (epsilon, delta)-DP for

    epsilon = sum kl(eta_i) + sqrt(sum eta_i^2 ln(1 / delta) / 2),  or sum eta_i if that is less,
    kl(eta) = u - 1 - ln u,  u = eta / (1 - e^{-eta}),

    kl(eta) being the largest mean of a loss of range eta, and Azuma's inequality the rest.
    Raises ValueError unless 0 < delta < 1.
    Source: Dong, Durfee and Rogers (2020), Theorem 3.

    >>> round(bounded_range_composition([BoundedRange(0.1)] * 100, delta=1e-6).epsilon, 4)
    2.7532
    """
    delta = arguments.number("delta", delta, above=0, below=1)
    etas = np.array([promise.eta for promise in promises])
    spread = np.sqrt((etas @ etas) * np.log(1 / delta) / 2)
    return ApproxDP(min(etas.sum(), largest_mean_loss(etas).sum() + spread), delta)


def largest_mean_loss(eta) -> np.ndarray:
    """The largest mean of a privacy loss of range `eta`, elementwise, in nats: about eta^2 / 8.

    A loss of values t and t - eta has P[Z = t] = (e^eta - e^t) / (e^eta - 1), since both laws have
    total mass one. Its mean is largest where e^t = (e^eta - 1) / eta, and is u - 1 - ln u there
    with u = eta / (1 - e^{-eta}).
    """
    eta = np.asarray(eta, dtype=float)
    safe = np.where(eta > 1e-4, eta, 1.0)
    excess = safe / -np.expm1(-safe) - 1
    return np.where(eta > 1e-4, excess - np.log1p(excess), eta**2 / 8)
