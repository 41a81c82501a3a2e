"""Advanced composition, in closed form.

Basic composition is the sum of guarantees, `a + b`. Advanced composition pays a little delta for an
epsilon that grows like the square root of k. It holds for adaptive releases too.
"""

from __future__ import annotations

import numpy as np

from dplab import arguments
from dplab.guarantees import ApproxDP


def advanced_composition(promise: ApproxDP, k: int, *, delta: float) -> ApproxDP:
    """Compose k releases of (epsilon, delta_0)-DP, adaptive too, for an additional `delta`.

    epsilon' = epsilon sqrt(2 k ln(1 / delta)) + k epsilon (e^epsilon - 1),
    delta' = k delta_0 + delta.

    Both terms of epsilon' are needed. The root is the larger one up to about k = 1 / epsilon^2.
    `theorems.composition_curves.crossing_by_price` says where basic composition is better.
    Raises ValueError unless 0 < delta < 1 and k is at least 1.
    Source: Dwork, Rothblum and Vadhan (2010), Theorem III.3; Dwork and Roth (2014), Theorem 3.20.

    >>> round(advanced_composition(ApproxDP(0.1, 0), 100, delta=1e-6).epsilon, 4)
    6.3082
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    k = arguments.whole("k", k, least=1)
    delta = arguments.number("delta", delta, above=0, below=1)
    e = promise.epsilon
    epsilon = e * np.sqrt(-2 * k * np.log(delta)) + k * e * np.expm1(e)
    return ApproxDP(epsilon, min(1.0, k * promise.delta + delta))
