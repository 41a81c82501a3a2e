"""Theorem: the error that privacy adds to d means, and its growth with d.

Let n people have d numbers in [0, 1] each. Replacing one moves the d means by d / n in the L1 norm
and by sqrt(d) / n in the L2 norm. Their mean squared error, added up over the coordinates, is

    sampling   sum_i Var_i / n                    at most d / (4 n),
    Laplace    2 d (d / (n epsilon))^2            = 2 d^3 / (n epsilon)^2, epsilon-DP,
    normal     d (c sqrt(d) / n)^2                = c^2 d^2 / n^2, (epsilon, delta)-DP,

exactly, where c = `analytic_sigma` for sensitivity 1. Without privacy the error grows like d; with
Laplace noise like d^3, and no epsilon-DP mechanism does better than a constant times d / n +
d^3 / (n epsilon)^2. Approximate privacy saves one factor of d. From
d = epsilon sqrt(n / 8) on, noise is the larger part.

Source: Barber and Duchi (2014) for the lower bound; the upper ones are computed above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.mechanisms.gaussian import analytic_sigma

VARIANCE = 1 / 4  # of a fair coin, the largest variance of a number in [0, 1]


@dataclass(frozen=True, eq=False)
class MeanRisk:
    """The three terms for each of `dimensions`; arrays of one shape, in squared units."""

    dimensions: np.ndarray
    sampling: np.ndarray
    laplace: np.ndarray
    normal: np.ndarray


def mean_risk(dimensions: Sequence[int], *, n: int, epsilon: float, delta: float) -> MeanRisk:
    """Return the three terms for fair coins in each coordinate.

    Raises ValueError unless dimensions and n are whole numbers from 1 on, epsilon > 0 and
    0 < delta < 1.

    >>> risk = mean_risk([10], n=1000, epsilon=1.0, delta=1e-5)
    >>> risk.sampling.round(6).tolist(), risk.laplace.round(6).tolist()
    ([0.0025], [0.002])
    """
    d = np.array([arguments.whole("dimensions", each, least=1) for each in dimensions], dtype=float)
    n = arguments.whole("n", n, least=1)
    epsilon = arguments.number("epsilon", epsilon, above=0)
    c = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    return MeanRisk(d, d * VARIANCE / n, 2 * d**3 / (n * epsilon) ** 2, (c * d / n) ** 2)
