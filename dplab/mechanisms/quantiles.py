"""A private median, or any quantile: the exponential mechanism over an interval of the reals.

A point y is a good q-quantile of n values if #{i : x_i < y} is close to q n. That score changes
only at data points, so the density of the mechanism consists of steps. It is drawn without a grid:
first the interval between two neighbouring values, then a point in it. No noise is added. The scale
of the data has no influence beyond the interval [lower, upper].

Sources: Smith (2011), Algorithm 2; Gillenwater, Joseph and Kulesza (2021), Section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.guarantees import BoundedRange
from dplab.mechanism import ExactMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors
from dplab.piecewise_constant import PiecewiseConstant


@dataclass(frozen=True)
class PrivateQuantile(ExactMechanism):
    """A mechanism that draws a point of the range, more likely near a quantile of the data.

        P(output = y) = c e^{-epsilon |#{i : x_i < y} - q n| / (2 sensitivity)}, a density

    `q` is from 0 to 1, 1/2 for the median. Values outside of [lower, upper] count as its ends.
    Replacing a value moves the score by at most 1; adding or removing one by at most max(q, 1 - q),
    and n stays secret. epsilon-DP, of bounded range epsilon. With probability at least 1 - e^-t the
    score lies within (2 sensitivity / epsilon)(log((upper - lower) / w) + t) of the best, where w
    is the length of the points with the best score. It is 0 if many values near the quantile are
    equal.
    Raises ValueError unless lower < upper, epsilon > 0, and the data are finite numbers.

    >>> median = PrivateQuantile(lower=0, upper=10, epsilon=2)
    >>> law = median.distribution([2, 3, 5, 9])
    >>> law.edges.tolist(), law.probabilities.round(3).tolist()
    ([0.0, 2.0, 3.0, 5.0, 9.0, 10.0], [0.064, 0.087, 0.471, 0.347, 0.032])
    """

    lower: float
    upper: float
    epsilon: float
    q: float = 0.5
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "lower")
        arguments.settle(self, arguments.number, "upper", above=self.lower)
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.number, "q", least=0, most=1)
        arguments.one_of("neighbors", self.neighbors, (REPLACE_ONE, ADD_REMOVE))

    @property
    def worst_case(self) -> BoundedRange:
        """epsilon, as for every exponential mechanism."""
        return BoundedRange(self.epsilon)

    @property
    def sensitivity(self) -> float:
        """The most that the score of one point changes between neighbours, in ranks."""
        return 1.0 if self.neighbors == REPLACE_ONE else max(self.q, 1 - self.q)

    @property
    def rate(self) -> float:
        """epsilon / (2 sensitivity)."""
        return self.epsilon / (2 * self.sensitivity)

    def distribution(self, data: Any) -> PiecewiseConstant:
        """Return the distribution of the released number."""
        values = np.sort(records.clip("data", data, self.lower, self.upper).ravel())
        ranks = np.arange(len(values) + 1)  # #{i : x_i < y} for y between two values
        scores = -np.abs(ranks - self.q * len(values))
        return PiecewiseConstant(
            np.concatenate([[self.lower], values, [self.upper]]), self.rate * scores
        )
