"""Theorem: the error that privacy adds to d means, and why it grows with d^2 or d^3.

Let n people have d numbers in [0, 1] each. Replacing one moves the d means by d / n in the L1 norm
and by sqrt(d) / n in the L2 norm. Their mean squared error, added up over the coordinates, is

    sampling   sum_i Var_i / n                    at most d / (4 n),
    Laplace    2 d (d / (n epsilon))^2            = 2 d^3 / (n epsilon)^2, epsilon-DP,
    normal     d (c sqrt(d) / n)^2                = c^2 d^2 / n^2, (epsilon, delta)-DP,

exactly, where c = `analytic_sigma` for sensitivity 1. Without privacy the error grows like d; with
Laplace noise like d^3, with approximate privacy like d^2. From d = epsilon sqrt(n / 8) on, Laplace
noise is the larger part; beyond d = epsilon n / sqrt(8) answering 1/2 everywhere errs less. The
powers are needed:

Theorem (packing). Let k <= n and k < (d / 8 - log 2) / epsilon. On some data an epsilon-DP
mechanism has a mean squared error of at least k^2 d / (32 n^2). With k near d / (8 epsilon), so for
d up to about 8 n epsilon, that is d^3 / (2048 (n epsilon)^2).

Proof. At least e^{d/8} words of d bits differ pairwise in more than d / 4 places: choose them one
by one; each rules out a share of e^{-d/8} of all words at most (Hoeffding). Let k people have a
word as their record, and n - k people zeros. The means of two words are more than k sqrt(d) / (2 n)
apart, and balls of half that radius are disjoint. Suppose that for each word the answer is in its
ball with probability 1/2. Then on the data of one word each ball has probability e^{-k epsilon} / 2
at least, and e^{d/8} e^{-k epsilon} / 2 <= 1. So some answer is outside its ball with probability
above 1/2.

Theorem (tracing). Let d > 9 e^{2 epsilon} k, k <= n and delta <= 1 / (4 k). If k people have fair
coins and n - k people zeros, an (epsilon, delta)-DP mechanism has a mean squared error above
k d / (16 n^2). With k near d / (9 e^{2 epsilon}) that is d^2 / (144 e^{2 epsilon} n^2).

Proof. It is enough to look at k = n: scale the answers by n / k, and cut them to [0, 1]. Let m be
the means, a the answers, z_i = x_i - 1/2, and S_i = <z_i, a - 1/2>. Let E|a - m|^2 <= d / (16 k).
By Cauchy and Schwarz sum_i E S_i = k E<m - 1/2, a - 1/2> >= d / 4 - d / 8: some E S_i is
d / (8 k) or more. With an outsider instead of person i, x_i is independent of a, and S_i has mean 0
and variance E|a - 1/2|^2 / 4 <= 9 d / (64 k), so its positive part has a mean of
(3 / 16) sqrt(d / k) at most. As |S_i| <= d / 4, by the guarantee
d / (8 k) <= e^epsilon (3 / 16) sqrt(d / k) + delta d / 4. The last term is d / (16 k) at most:
d <= 9 e^{2 epsilon} k.

Sources: Barber and Duchi (2014) and Hardt and Talwar (2010) for packing; Dwork, Smith, Steinke,
Ullman and Vadhan (2015) for tracing; the constants are computed above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.mechanisms.gaussian import analytic_sigma

VARIANCE = 1 / 4  # the variance of a fair coin, the largest of a number in [0, 1]


@dataclass(frozen=True, eq=False)
class MeanRisk:
    """The three terms for each of `dimensions`; arrays of one shape, in squared units."""

    dimensions: np.ndarray
    sampling: np.ndarray
    laplace: np.ndarray
    normal: np.ndarray


def mean_risk(dimensions: Sequence[int], *, n: int, epsilon: float, delta: float) -> MeanRisk:
    """Return the three terms for fair coins in each coordinate.

    Raises ValueError unless dimensions and n are whole numbers of at least 1, epsilon > 0 and
    0 < delta < 1.

    >>> risk = mean_risk([10], n=1000, epsilon=1.0, delta=1e-5)
    >>> risk.sampling.round(6).tolist(), risk.laplace.round(6).tolist()
    ([0.0025], [0.002])
    """
    d = _require_dimensions(dimensions)
    n = arguments.whole("n", n, least=1)
    epsilon = arguments.number("epsilon", epsilon, above=0)
    c = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    return MeanRisk(d, d * VARIANCE / n, 2 * d**3 / (n * epsilon) ** 2, (c * d / n) ** 2)


def packing_bound(dimensions: Sequence[int], *, n: int, epsilon: float) -> np.ndarray:
    """Return the squared error that no epsilon-DP mechanism is below on all data, by packing.

    It is 0 where d is too small for the theorem. Raises ValueError as `mean_risk` does.

    >>> packing_bound([1000], n=10_000, epsilon=1.0).round(6).tolist()
    [0.004805]
    """
    d, n = _require_dimensions(dimensions), arguments.whole("n", n, least=1)
    most = (d / 8 - np.log(2)) / arguments.number("epsilon", epsilon, above=0)
    k = np.clip(np.ceil(most) - 1, 0, n)
    return k**2 * d / (32 * n**2)


def tracing_bound(dimensions: Sequence[int], *, n: int, epsilon: float) -> np.ndarray:
    """Return the squared error that no mechanism with a small delta is below, by tracing.

    Small is delta <= 1 / (4 n). It is 0 where d is too small for the theorem. Raises ValueError as
    `mean_risk` does.

    >>> tracing_bound([1000], n=10_000, epsilon=1.0).round(7).tolist()
    [9.4e-06]
    """
    d, n = _require_dimensions(dimensions), arguments.whole("n", n, least=1)
    most = d / (9 * np.exp(2 * arguments.number("epsilon", epsilon, above=0)))
    k = np.clip(np.ceil(most) - 1, 0, n)
    return k * d / (16 * n**2)


def _require_dimensions(dimensions: Sequence[int]) -> np.ndarray:
    return arguments.wholes("dimensions", dimensions, least=1).astype(float)
