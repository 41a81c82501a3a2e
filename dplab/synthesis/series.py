"""Orthogonal series: a density as a sum of cosines, whose coefficients are means of the data.

On [0, 1] let psi_j(x) = sqrt(2) cos(pi j x). A density is 1 + sum_j b_j psi_j, b_j = E psi_j(X), so
that the mean of psi_j over n people estimates b_j, and m noisy means are a curve.

Replacing x by y moves them, in the L1 norm, by

    (sqrt(2) / n) sum_j |cos(pi j x) - cos(pi j y)| = (2 sqrt(2) / n) sum_j |sin(j s)| |sin(j t)|

with s = pi (x + y) / 2 and t = pi (x - y) / 2. By Cauchy and Schwarz that is at most the larger of
its values at (s, s) and at (t, t). With y = 0 a pair reaches it; if s > pi / 2, take pi - s, which
changes no sin(j s)^2. So the sensitivity is (2 sqrt(2) / n) max_s sum_{j <= m} sin(j s)^2, near
1.72 m / n and below 2 sqrt(2) m / n, the sum of the single sensitivities. Some publications have
noise of standard deviation sqrt(2) m / (n epsilon), that is of scale m / (n epsilon): it gives only
2.83 epsilon at m = 1, 2.03 epsilon at m = 3 and 1.74 epsilon at m = 50.

Sources: Wasserman and Zhou (2010); the exact sensitivity is the argument above.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.neighbors import REPLACE_ONE

SEARCH_ERROR = 1e-9  # above the relative error of a maximum on the grid below


def cosines(x: ArrayLike, m: int) -> np.ndarray:
    """Return psi_1(x), ..., psi_m(x), of shape (*x.shape, m).

    Raises ValueError unless x are numbers.
    """
    angles = np.pi * records.floats("x", x)[..., None]
    return np.sqrt(2) * np.cos(angles * np.arange(1, m + 1))


@lru_cache(maxsize=256, typed=True)  # 3.0 is an error, even if 3 is in the cache
def series_sensitivity(m: int, n: int = 1) -> float:
    """Return the L1 sensitivity of the m means if one of n records is replaced, see above.

    sum_j sin(j s)^2 = (2m + 1) / 4 - sin((2m + 1) s) / (4 sin s), whose maximum is near
    s = 3 pi / (2 (2m + 1)). Raises ValueError unless m and n are whole numbers of at least 1.

    >>> [round(series_sensitivity(m), 3) for m in (1, 3, 10)]
    [2.828, 6.103, 18.1]
    """
    m, n = arguments.whole("m", m, least=1), arguments.whole("n", n, least=1)
    center = 3 * np.pi / (2 * (2 * m + 1))
    s = np.linspace(0.7, 1.3, 60_001) * center
    most = ((2 * m + 1 - np.sin((2 * m + 1) * s) / np.sin(s)) / 4).max()
    return float(2 * np.sqrt(2) * most * (1 + SEARCH_ERROR)) / n


def series_mechanism(m: int, n: int, *, epsilon: float) -> LaplaceMechanism:
    """Return the mechanism that publishes m noisy means of cosines of n records: epsilon-DP.

    On a call it raises ValueError unless data are n numbers from 0 to 1.

    >>> round(series_mechanism(3, 1000, epsilon=1.0).scale, 6)
    0.006103
    """
    m = arguments.size("m", m)
    n = arguments.size("n", n)

    def means(data: Any) -> np.ndarray:
        x = records.reals("data", data, low=0, high=1)
        if x.shape != (n,):
            raise ValueError(f"data must be n = {n} numbers from 0 to 1")
        return cosines(x, m).mean(axis=0)

    return LaplaceMechanism(means, series_sensitivity(m, n), epsilon, REPLACE_ONE)


def series_curve(coefficients: ArrayLike, x: ArrayLike) -> np.ndarray:
    """Return 1 + sum_j b_j psi_j(x), elementwise; it may be negative.

    Raises ValueError unless coefficients are finite numbers.
    """
    b = arguments.reals("coefficients", coefficients, ndim=1)
    return 1 + cosines(arguments.reals("x", x), len(b)) @ b
