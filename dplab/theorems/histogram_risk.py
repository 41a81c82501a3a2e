"""Theorem: the error of a private histogram density, as a sum of three terms.

Let n people be independent draws from a density f on [0, 1], let p_j be its probability of bin j of
m equal bins, and let each count get independent noise of mean 0 and variance v. The density whose
height in bin j is m (count_j + noise_j) / n has the mean integrated squared error

    int f^2 - m sum p_j^2   +   m sum p_j (1 - p_j) / n   +   m^2 v / n^2,
          (bins are wide)         (people are few)           (noise)

exactly. With v = 8 / epsilon^2 the noise is below the second term, about m / n, while
m < epsilon^2 n / 8. If f has a derivative, the first term is near int f'^2 / (12 m^2). Then
m ~ n^{1/3} bins are best and the error falls like n^{-2/3}, for large n as without privacy.

Proof. Within a bin the error is that of a constant: the bias is the distance of f from its mean on
each bin, int f^2 - m sum p_j^2 in total. Around its mean a height varies by m^2 / n^2 times the
variance n p_j (1 - p_j) of the count plus v, on a width of 1 / m; sum over m bins.

Negative heights may be set to 0: f has none, so the error can only become smaller. Scaling to one
afterwards has an effect of smaller order. Source: Wasserman and Zhou (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dplab import arguments
from dplab.discrete import DiscreteLaplace
from dplab.mechanisms.histogram import touched_bins
from dplab.neighbors import REPLACE_ONE, Neighbors
from dplab.sampling.rational import rational

FINE_CELLS = 2**15  # the cells of the sum that approximates int f^2


@dataclass(frozen=True, eq=False)
class HistogramRisk:
    """The three terms of the mean integrated squared error, for each number of bins in `ms`."""

    ms: np.ndarray
    bias: np.ndarray
    sampling: np.ndarray
    noise: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """The sum of the three terms, of the shape of `ms`."""
        return self.bias + self.sampling + self.noise

    @property
    def best(self) -> int:
        """The number of bins at which the sum is least."""
        return int(self.ms[np.argmin(self.total)])


def histogram_risk(
    cdf: Callable, ms: Sequence[int], *, n: int, epsilon: float, neighbors: Neighbors = REPLACE_ONE
) -> HistogramRisk:
    """Return the three terms for a distribution function `cdf` and the noise of `histogram`.

    `cdf` takes an array of places in [0, 1]. `ms` are numbers of bins, at most 2^15: int f^2 is
    summed on so many cells, which suffices for a smooth f and is too low if f jumps. Raises
    ValueError unless all of them and n are whole numbers of at least 1, epsilon > 0, and cdf rises
    from 0 to 1.

    >>> risk = histogram_risk(lambda x: x, [1, 10], n=100, epsilon=1.0)
    >>> risk.bias.round(6).tolist(), risk.sampling.round(6).tolist()
    ([0.0, 0.0], [0.0, 0.09])
    """
    arguments.function("cdf", cdf)
    epsilon = arguments.number("epsilon", epsilon, least=arguments.SMALLEST)
    bins = arguments.wholes("ms", ms, least=1, most=FINE_CELLS).tolist()
    n = arguments.whole("n", n, least=1)
    scale = touched_bins(neighbors) / rational("epsilon", epsilon, above=0)
    noise = DiscreteLaplace(Fraction(0), scale).variance
    squares, spreads = [], []
    for m in (FINE_CELLS, *bins):
        p = np.diff(arguments.reals("cdf", cdf(np.linspace(0, 1, m + 1))))
        if (p < 0).any() or not np.isclose(p.sum(), 1):
            raise ValueError("cdf must rise from 0 at 0 to 1 at 1")
        squares.append(m * p @ p)
        spreads.append(m * p @ (1 - p) / n)
    ends = np.array(bins)
    bias = np.maximum(squares[0] - np.array(squares[1:]), 0.0)
    return HistogramRisk(ends, bias, np.array(spreads[1:]), ends**2 * noise / n**2)
