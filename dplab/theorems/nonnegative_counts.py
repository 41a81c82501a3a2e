"""Counts that are never negative are wrong on average.

Theorem. Let an epsilon-DP mechanism publish a number that is never negative. Its mean is off from
the number of people by k / (1 + e^{k epsilon}) at least, either where nobody or where k people are
counted, for every k = 1, 2, ... At the best k that is near 0.278 / epsilon for small epsilon.

Proof. Let the mean be m_0 where nobody is counted, m_k where k people are. As no output is
negative, m_k <= e^{k epsilon} m_0 (group privacy). If both are off by at most beta, then
k - beta <= m_k <= e^{k epsilon} m_0 <= e^{k epsilon} beta.

The usual way is to publish max(c + N, 0). For a count c it adds E(N - c)_+, if N is symmetric:

    Laplace, scale s          (s / 2) e^{-c / s}
    normal                    sigma phi(c / sigma) - c Phi(-c / sigma)
    discrete Laplace          b^{c + 1} / (1 - b^2),   b = e^{-1 / s},  c a whole number

The first is int_c^inf (t - c) e^{-t / s} / (2 s) dt; the last is (1 - b) / (1 + b) b^c sum_j j b^j,
and the sum is b / (1 - b)^2.

Sources: Zhu, Van Hentenryck and Fioretto (2021) for the bias of non-negative counts; the theorem is
proved above. Kamath and others (2023) have others on bias and privacy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.continuous import Gaussian, Laplace
from dplab.discrete import DiscreteLaplace
from dplab.distributions import Distribution

BEST = 1.2784645427610738  # solves 1 + e^t = t e^t, where t / (1 + e^t) is largest


def clamped_bias(counts: ArrayLike, noise: Distribution) -> np.ndarray:
    """Return E max(c + N, 0) - c for each of the counts c >= 0, in people.

    The noise N is `Laplace(0, s)`, `Gaussian(0, sigma)` or `DiscreteLaplace(0, s)` on whole
    numbers, and the counts are whole. Raises ValueError for others.

    >>> clamped_bias([0, 2, 10], Laplace(0, 2)).round(4).tolist()
    [1.0, 0.3679, 0.0067]
    """
    c: np.ndarray = arguments.wholes("counts", counts, least=0, ndim=None).astype(float)
    if isinstance(noise, Laplace) and noise.location == 0:
        return noise.scale / 2 * np.exp(-c / noise.scale)
    if isinstance(noise, Gaussian) and noise.mean == 0:
        here = noise.sigma**2 * np.exp(noise.log_density(c))
        return np.maximum(here - c * noise.cdf(-c), 0.0)
    if isinstance(noise, DiscreteLaplace) and noise.location == 0 and noise.grid == 1:
        rate = 1 / float(noise.scale)
        return np.exp(-rate * (c + 1)) / -np.expm1(-2 * rate)
    raise ValueError(
        f"noise must be Laplace, Gaussian or DiscreteLaplace on whole numbers around 0, not {noise}"
    )


def least_bias(epsilon: float) -> float:
    """Return max_k k / (1 + e^{k epsilon}), the theorem's bound for the largest of all biases.

    The terms rise up to k epsilon = 1.278... and fall afterwards. Raises ValueError unless epsilon
    is at least 1e-9.

    >>> round(least_bias(1.0), 4), round(least_bias(0.01), 2)
    (0.2689, 27.85)
    """
    epsilon = arguments.number("epsilon", epsilon, least=1e-9)
    best = int(BEST / epsilon)
    k: np.ndarray = np.array([max(1, best + step) for step in (-1, 0, 1, 2)], dtype=float)
    with np.errstate(over="ignore"):
        return float((k / (1 + np.exp(k * epsilon))).max())
