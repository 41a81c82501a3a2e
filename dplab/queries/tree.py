"""The tree mechanism: all n thresholds, or n steps of a running count, with little noise.

Noise on each threshold would need n times the scale, because a person counts in up to n of them.
In the tree of `IntervalQueries.tree` a person counts in L = floor(log2 n) + 1 nodes at most, one of
each length, so noise of scale L / epsilon in every node is epsilon-DP. A threshold is a sum of the
nodes that its binary digits name, and an interval is the difference of two thresholds. Their errors
have a standard deviation below sqrt(2) L^{3/2} / epsilon and sqrt(2) times that, for every n.

Nodes are complete one after the other, so a running count can be published step by step.
Sources: Dwork, Naor, Pitassi and Rothblum (2010); Chan, Shi and Song (2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.histogram import touched_bins
from dplab.neighbors import ADD_REMOVE, Neighbors
from dplab.queries.families import IntervalQueries
from dplab.queries.linear import table_of
from dplab.sampling import discrete_laplace
from dplab.sampling.rational import rational

MIN_STEP = -(2**62)  # the least number of a step


def tree_mechanism(
    n: int, *, epsilon: Any, neighbors: Neighbors = ADD_REMOVE
) -> GeometricMechanism:
    """Return the mechanism that publishes a noisy count of each node of the tree: epsilon-DP.

    The tree is over n bins. Data are records, whole numbers from 0 to n - 1: the bin, or the time,
    of each person. Outputs are int arrays in the order of `IntervalQueries.tree`, for
    `tree_thresholds`. The noise has scale L / epsilon under ADD_REMOVE, 2 L / epsilon under
    REPLACE_ONE, with L = n.bit_length(). Raises ValueError unless epsilon > 0, and on a call for
    other records.

    >>> float(tree_mechanism(1000, epsilon=0.5).noise.scale)
    20.0
    """
    nodes, n = IntervalQueries.tree(n), int(n)

    def counts(records: ArrayLike) -> np.ndarray:
        return np.rint(nodes @ table_of(records, n)).astype(int)

    sensitivity = Fraction(touched_bins(neighbors) * n.bit_length())
    return GeometricMechanism(counts, sensitivity, epsilon, neighbors=neighbors)


def tree_thresholds(nodes: ArrayLike, n: int) -> np.ndarray:
    """Return the sums of the first 0, 1, ..., n places from those of all nodes: shape (n + 1,).

    The sum from `start` to before `stop` is the difference of entries `stop` and `start`. Raises
    ValueError unless there is a number for each node of the tree over n.

    >>> tree_thresholds([5, 6, 7, 11], n=3)
    array([ 0.,  5., 11., 18.])
    """
    nodes, n = arguments.reals("nodes", nodes), arguments.whole("n", n, least=1)
    ends = np.cumsum([n >> level for level in range(n.bit_length())])
    if nodes.shape != (ends[-1],):
        raise ValueError(f"nodes must be {ends[-1]} numbers for n = {n}, not {nodes.shape}")
    places, total = np.arange(n + 1), np.zeros(n + 1)
    for level, sums in enumerate(np.split(nodes, ends[:-1])):
        full = places >> level  # complete nodes; an odd last one is part of no longer node
        total += np.where(full & 1, sums[full - 1], 0.0)
    return total


def _check_step(step: Any) -> int:
    """Return a step as an int; the error does not quote it, because steps are data."""
    is_whole = isinstance(step, int | np.integer) and not isinstance(step, bool)
    if not is_whole or step < MIN_STEP:
        raise ValueError(f"each of steps must be a whole number of at least {MIN_STEP}")
    return int(step)


def _require_iterable(steps: Any) -> Iterable[int]:
    if not isinstance(steps, Iterable) or isinstance(steps, str | bytes | type):
        raise ValueError("steps must be whole numbers")
    return steps


def continual_counts(steps: Iterable[int], n: int, *, epsilon: Any, rng: Any) -> Iterator[int]:
    """Yield the noisy sum after each of at most n steps, as the thresholds of the tree.

    `steps` are whole numbers, read one at a time. All outputs together are epsilon-DP for streams
    that differ by 1 in one step. It stores log2(n) sums, never changes a published sum, and draws
    the noise of a node once. Raises ValueError for a step that is no whole number, and for one
    after the n-th.

    >>> counts = continual_counts([1, 0, 1], 1000, epsilon=0.5, rng=np.random.default_rng())
    >>> len(list(counts))
    3
    """
    steps = _require_iterable(steps)
    levels = arguments.whole("n", n, least=1).bit_length()
    scale = levels / rational("epsilon", epsilon, above=0)
    noisy = [0] * levels  # sums of the nodes that the binary digits of t name
    exact = noisy.copy()
    for t, step in enumerate(steps, start=1):
        if t > n:
            raise ValueError(f"steps must be at most n = {n}")
        level = (t & -t).bit_length() - 1
        exact[level] = sum(exact[:level]) + _check_step(step)
        noisy[level] = exact[level] + discrete_laplace(scale, rng)
        noisy[:level] = [0] * level
        yield sum(noisy)
