"""The least length of a private interval: packing, with every dataset counted.

Theorem. Let an epsilon-DP mechanism publish an interval that contains the number of people who say
yes with probability 1 - alpha at least, on all data. Where c of n people say yes, the interval
contains in the mean at least

    sum_{j = 0..n} max(1 - alpha e^{epsilon |j - c|}, (1 - alpha) e^{-epsilon |j - c|})

of the n + 1 counts. Far from both ends, and for small epsilon, that is near 2 (T - 1 + 3 alpha) /
epsilon with T = log((1 - alpha) / alpha): 4.19 / epsilon at alpha = 5%. The interval output +- t of
the Laplace mechanism has the length 2 log(1 / alpha) / epsilon, 5.99 / epsilon.

Proof. Data in which j people say yes are |j - c| replacements away. There the interval contains j
with probability 1 - alpha at least; so here it does with (1 - alpha) e^{-epsilon |j - c|} at least
(group privacy). And there it misses j with alpha at most, here with alpha e^{epsilon |j - c|} at
most. Add up all j: the mean of a number of things is the sum of their probabilities.
The integral: with u = e^t, 1 - alpha u is the larger one up to u = (1 - alpha) / alpha. Up to there
it has the integral T - alpha (e^T - 1) = T - 1 + 2 alpha, beyond the other has alpha.

Sources: Hardt and Talwar (2010) for packing; the theorem for intervals is proved above.
"""

from __future__ import annotations

import math

import numpy as np

from dplab import arguments


def least_counts(*, epsilon: float, alpha: float, n: int, count: int) -> float:
    """Return the theorem's bound: how many counts an interval contains in the mean.

    Raises ValueError unless epsilon > 0, 0 < alpha < 1, and n >= count >= 0, n at least 1.

    >>> round(least_counts(epsilon=0.1, alpha=0.05, n=1000, count=500), 3)
    41.897
    """
    epsilon = arguments.number("epsilon", epsilon, above=0)
    alpha = arguments.number("alpha", alpha, above=0, below=1)
    n = arguments.size("n", n)
    count = arguments.whole("count", count, least=0, most=n)
    steps = epsilon * np.abs(np.arange(n + 1) - count)
    with np.errstate(over="ignore"):
        contained = np.maximum(1 - alpha * np.exp(steps), (1 - alpha) * np.exp(-steps))
    return float(contained.sum())


def geometric_counts(*, epsilon: float, alpha: float) -> int:
    """Return 2 k + 1, the counts within k of a count with geometric noise N: P(|N| > k) <= alpha.

    P(|N| > k) = 2 b^{k + 1} / (1 + b) with b = e^{-epsilon}; k is the least. Raises ValueError
    unless epsilon is at least 1e-9 and 0 < alpha < 1.

    >>> geometric_counts(epsilon=0.1, alpha=0.05)
    61
    """
    epsilon = arguments.number("epsilon", epsilon, least=1e-9)
    alpha = arguments.number("alpha", alpha, above=0, below=1)
    needed = (math.log(2) - math.log(alpha) - np.log1p(math.exp(-epsilon))) / epsilon - 1
    return 2 * max(0, math.ceil(needed)) + 1
