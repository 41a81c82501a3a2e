"""Sensitivity near the actual data: local, within k steps, and smooth.

For a query f and a dataset x, with y ~ z for neighbours and d the distance in neighbouring steps,

    local sensitivity     LS(x)  = max |f(x) - f(y)|  over y ~ x,
    within k steps        A_k(x) = max LS(y)          over y with d(x, y) <= k,
    smooth sensitivity    S(x)   = max_k e^{-beta k} A_k(x).

The largest A_k is the global sensitivity. Noise scaled to LS(x) leaks: the scale of the noise on
two neighbours may tell them apart. Noise scaled to S(x) does not (see `smooth_sensitivity`).

Theorem. S >= LS, and S(x) <= e^beta S(y) for neighbours x and y. No function with both properties
is anywhere smaller.

Proof. The term k = 0 is LS(x). What is within k steps of x is within k + 1 of y, so that A_k(x) <=
A_{k+1}(y), and e^{-beta k} A_k(x) <= e^beta e^{-beta (k + 1)} A_{k+1}(y) <= e^beta S(y). A function
T with both properties has T(x) >= e^{-beta d} T(y) >= e^{-beta d} LS(y) for each y at distance d.

Source: Nissim, Raskhodnikova and Smith (2007), Sections 2 and 3.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.graphs import EDGE, TRIANGLES, Graph
from dplab.neighbors import REPLACE_ONE, Neighbors


class LocalQuery(ABC):
    """A query with a real answer, of which the local sensitivity within k steps is known."""

    neighbors: Neighbors

    @abstractmethod
    def __call__(self, data: Any) -> float:
        """Return the answer on `data`."""

    @abstractmethod
    def at_distance(self, data: Any) -> np.ndarray:
        """Return A_0(data), A_1(data), ... up to one that equals all later ones."""

    def local(self, data: Any) -> float:
        """Return the local sensitivity A_0(data)."""
        return float(self.at_distance(data)[0])

    def smooth(self, data: Any, beta: float) -> float:
        """Return the smooth sensitivity max_k e^{-beta k} A_k(data).

        Raises ValueError unless beta is at least 0.
        """
        beta = arguments.number("beta", beta, least=0)
        sensitivities = self.at_distance(data)
        return float(np.max(np.exp(-beta * np.arange(len(sensitivities))) * sensitivities))

    def distance(self, data: Any, bound: float) -> float:
        """Return the fewest steps to data with a local sensitivity above `bound`; inf if none.

        It moves by at most 1 between neighbours. Raises ValueError unless bound is at least 0.
        """
        bound = arguments.number("bound", bound, least=0)
        steps = np.flatnonzero(self.at_distance(data) > bound)
        return float(steps[0]) if steps.size else math.inf


@dataclass(frozen=True)
class Median(LocalQuery):
    """The median of n values, those outside of [lower, upper] counted as its ends.

    It is the value of rank m = (n + 1) // 2, counted from 1: for even n the lower of the two in the
    middle. Replacing k values shifts ranks by up to k, so that with x_i = lower for i < 1 and
    x_i = upper for i > n

        A_k(x) = max_{0 <= t <= k + 1} (x_{m+t} - x_{m+t-k-1}):

    k + 1 values are moved past the median, t of them from above and the others from below. The work
    grows as n^2. Raises ValueError unless lower < upper, and data are finite numbers, at least one.

    >>> median = Median(0, 10)
    >>> median([2, 3, 5, 9, 9]), median.at_distance([2, 3, 5, 9, 9]).tolist()
    (5.0, [4.0, 6.0, 7.0, 9.0, 9.0, 10.0])
    >>> round(median.smooth([2, 3, 5, 9, 9], beta=0.5), 4), median.distance([2, 3, 5, 9, 9], 6)
    (4.0, 2.0)
    """

    lower: float
    upper: float
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "lower")
        arguments.settle(self, arguments.number, "upper", above=self.lower)
        arguments.number("upper - lower", self.upper - self.lower)

    def _sorted(self, data: Any) -> np.ndarray:
        values = np.sort(records.clip("data", data, self.lower, self.upper).ravel())
        if not values.size:
            raise ValueError("data must not be empty")
        return values

    def __call__(self, data: Any) -> float:
        values = self._sorted(data)
        return float(values[(len(values) + 1) // 2 - 1])

    def at_distance(self, data: Any) -> np.ndarray:
        """Return A_0(data), ..., A_n(data), shape (n + 1,)."""
        values = self._sorted(data)
        n = len(values)
        padded = np.concatenate([np.full(n + 1, self.lower), values, np.full(n + 1, self.upper)])
        middle = n + 1 + (n + 1) // 2 - 1  # the place of the median
        largest = []
        for k in range(n + 1):
            higher = padded[middle : middle + k + 2]
            largest.append(float((higher - padded[middle - k - 1 : middle + 1]).max()))
        return np.array(largest)


@dataclass(frozen=True)
class TriangleCount(LocalQuery):
    """The number of triangles of a graph, with edge privacy.

    Flipping the pair i, j changes it by their number of common friends. k flips of other pairs give
    them more: one flip each for people who are friends of one of the two, two flips for others.

        A_k(G) = max_{i, j} min(a_ij + floor((k + min(k, b_ij)) / 2), n - 2),

    where a_ij people are friends of both, and b_ij of exactly one. Raises ValueError for data that
    are no `Graph`. Source: Nissim, Raskhodnikova and Smith (2007), Section 3.

    >>> star = Graph.of(5, [(0, 1), (0, 2), (0, 3), (0, 4)])
    >>> TriangleCount()(star), TriangleCount().at_distance(star).tolist()
    (0.0, [1.0, 1.0, 2.0, 3.0])
    """

    neighbors = EDGE

    def __call__(self, graph: Graph) -> float:
        return float(TRIANGLES(arguments.instance("graph", graph, Graph)))

    def at_distance(self, graph: Graph) -> np.ndarray:
        """Return A_0(graph), A_1(graph), ... up to n - 2."""
        n = arguments.instance("graph", graph, Graph).n
        if n < 3:
            return np.zeros(1)
        friends: np.ndarray = np.zeros((n, n))
        for i, j in graph.edges:
            friends[i, j] = friends[j, i] = 1
        both = friends @ friends
        one = np.add.outer(graph.degrees, graph.degrees) - 2 * both - 2 * friends
        first, second = np.triu_indices(n, k=1)
        a, b = np.unique(np.array([both[first, second], one[first, second]]), axis=1)
        ks = np.arange(2 * n)
        gains = (ks[:, None] + np.minimum(ks[:, None], b)) // 2
        largest = np.minimum((a + gains).max(axis=1), n - 2)
        return largest[: int(np.argmax(largest == n - 2)) + 1]
