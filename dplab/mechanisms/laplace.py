"""The Laplace mechanism: add noise as wide as one person can move the answer.

Outputs are floats, and the low bits of floats leak (Mironov 2012): these mechanisms are for
learning and analysis.

Source: Dwork, McSherry, Nissim and Smith (2006).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.continuous import Laplace, LaplaceVector, SphericalLaplace
from dplab.distributions import Distribution
from dplab.guarantees import PureDP
from dplab.losses import LaplaceLoss
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation


@dataclass(frozen=True)
class LaplaceMechanism(ExactMechanism):
    """The mechanism query(data) + Laplace noise of scale sensitivity / epsilon per coordinate.

        P(output = y) = c e^{-epsilon ||y - query(data)||_1 / sensitivity}, a density

    `query` returns a real or a vector; `sensitivity` is its L1 sensitivity, the largest ||query(x)
    - query(y)||_1 over neighbours. It is epsilon-DP. The noise of a coordinate has standard
    deviation sqrt(2) sensitivity / epsilon. Raises ValueError unless both are above 0, and if their
    quotient overflows.

    >>> count = LaplaceMechanism(sum, sensitivity=1, epsilon=0.5)
    >>> count.distribution([0, 1, 1])
    Laplace(location=2.0, scale=2.0)
    >>> count.privacy_loss([0, 1, 1], [0, 0, 1]).largest_log_ratio
    0.5
    """

    query: Callable[[Any], Any]
    sensitivity: float
    epsilon: float
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.function, "query")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", above=0)
        arguments.number("sensitivity / epsilon", self.scale, above=0)

    @property
    def worst_case(self) -> LaplaceLoss:
        """The loss when one coordinate moves by all of the sensitivity, epsilon scales.

        A shift of s scales has delta_s(epsilon) = 1 - e^{(epsilon - s) / 2}. Two coordinates that
        move by s and t have 1 - (1 - delta_s)(1 - delta_t) at most, which is delta_{s + t}.
        """
        return LaplaceLoss(self.epsilon)

    @property
    def scale(self) -> float:
        """sensitivity / epsilon, in the units of the query."""
        return self.sensitivity / self.epsilon

    def distribution(self, data: Any) -> Distribution:
        """Return the Laplace distribution around query(data); a vector has independent coordinates.

        Raises ValueError for an array of more dimensions, and for an answer that is not finite.
        """
        answer = records.reals("query(data)", self.query(data))
        if answer.ndim == 0:
            return Laplace(float(answer), self.scale)
        return LaplaceVector(answer, self.scale)

    def __call__(self, data: Any, rng: np.random.Generator) -> Any:
        answer = records.reals("query(data)", self.query(data))
        arguments.generator("rng", rng)
        noisy = answer + rng.laplace(0.0, self.scale, answer.shape)
        return float(noisy) if answer.ndim == 0 else noisy


@dataclass(frozen=True)
class SphericalLaplaceMechanism(ExactMechanism):
    """The mechanism query(data) + noise b of density c e^{-||b||_2 epsilon / sensitivity}.

        P(output = y) = c e^{-epsilon ||y - query(data)||_2 / sensitivity}, a density

    It is epsilon-DP: `query` returns a vector of shape (d,) of L2 sensitivity `sensitivity`, and
    neighbours shift ||b||_2 by at most that. The noise has the mean length d sensitivity / epsilon,
    while Laplace noise for the same L2 sensitivity would be about sqrt(2) times as long. Raises
    ValueError unless both are above 0. Source: Chaudhuri, Monteleoni and Sarwate (2011), Algorithm
    1.

    >>> SphericalLaplaceMechanism(np.array, 0.5, epsilon=0.25).distribution([1.0, 2.0]).scale
    2.0
    """

    query: Callable[[Any], Any]
    sensitivity: float
    epsilon: float
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.function, "query")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", above=0)

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    def distribution(self, data: Any) -> SphericalLaplace:
        """Return the distribution around query(data)."""
        answer = records.reals("query(data)", self.query(data))
        return SphericalLaplace(answer, self.sensitivity / self.epsilon)


@dataclass(frozen=True)
class ClippedMean(ExactMechanism):
    """The mechanism that adds Laplace noise to the mean of n values clipped to [lower, upper].

        output = sum_i clip(x_i) / n + Lap((upper - lower) / (n epsilon))

    Replacing one value moves the mean by at most (upper - lower) / n, so the noise has scale
    (upper - lower) / (n epsilon): 1/(n epsilon) for bits, 2B/(n epsilon) for [-B, B]. n is public.
    Clipping comes first, so that the bound holds for all data.
    Raises ValueError unless lower < upper, epsilon > 0, and data hold n finite numbers.

    >>> ClippedMean(lower=0, upper=10, n=4, epsilon=0.5).distribution([2, 4, 6, 99])
    Laplace(location=5.5, scale=5.0)
    """

    lower: float
    upper: float
    n: int
    epsilon: float
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "lower")
        arguments.settle(self, arguments.number, "upper", above=self.lower)
        arguments.settle(self, arguments.whole, "n", least=1)
        arguments.settle(self, arguments.number, "epsilon", above=0)

    @property
    def worst_case(self) -> LaplaceLoss:
        """The loss when a value moves from one bound to the other."""
        return LaplaceLoss(self.epsilon)

    @property
    def sensitivity(self) -> float:
        """(upper - lower) / n."""
        return (self.upper - self.lower) / self.n

    def distribution(self, data: Any) -> Laplace:
        """Return the Laplace distribution around the mean of the clipped values."""
        values = records.clip("data", data, self.lower, self.upper)
        if values.shape != (self.n,):
            raise ValueError(f"data must have shape ({self.n},)")
        mean = float(values.mean())
        return Laplace(mean, self.sensitivity / self.epsilon)
