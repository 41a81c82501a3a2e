"""Theorem: with a small delta no private algorithm learns thresholds on a line that is long enough.

Take samples of n points of a set in increasing order, the first half labelled 0 and the second half
1. A learner is k-normal at q on the set if on every such sample its threshold falls between the
k-th point and the next one with probability at least q.

Theorem. An (epsilon, delta)-DP learner that is k-normal at q on n - 1 + m points has m p <= 1, with
p = (q - (1 + e^epsilon) delta) e^{-2 epsilon}.

Proof. Keep k - 1 points on the left and n - k - 1 on the right. The m + 1 in the middle make m
neighbouring gaps; sample S_i has the ends of gap i as its k-th and next point, and its threshold
falls into gap i with probability q. S_1 differs from S_i in two examples at most. Two steps of the
guarantee give q <= e^epsilon (e^epsilon p_i + delta) + delta for the probability p_i that the
threshold of S_1 falls into gap i: p_i >= p. Gaps are disjoint, so these add to 1 at most.

A threshold that errs on few examples falls between the first and the last one, so that some of the
n - 1 gaps has probability about 1 / n. This gap may depend on the sample. Colour each sample by its
gap. By Ramsey's theorem every colouring of the samples of a large enough set has a subset of
n - 1 + m points, all samples of which have one colour. On it the learner is normal, and
m > 1 / p refutes it if delta is small compared with 1 / n. A large enough set is a tower of powers
whose height grows with n. So thresholds on T points need n of about log*(T) at least, and nearly as
few are enough (Kaplan and others 2020; Cohen, Lyu, Nelson, Sarlos and Stemmer 2023). This goes to
infinity: no n suffices on the reals. With a constant delta it fails: a random tenth of the rows is
(0, 1/10)-DP, and thresholds can be learned from it.

If a learner may return any function, such subsets exist for its answers on either side of a point,
for delta below about 1 / n^2 (Alon, Livni, Malliaris and Moran 2019).

Sources: Bun, Nissim, Stemmer and Vadhan (2015); Ramsey (1930). Texts in which the two steps cost
2 delta instead of (1 + e^epsilon) delta have a slip.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from dplab import arguments
from dplab.guarantees import ApproxDP


def two_steps_on(q: float, promise: ApproxDP) -> float:
    """Return the least probability of an event of probability q, on data two steps away.

    It is (q - (1 + e^epsilon) delta) e^{-2 epsilon}, or 0 if that is negative. Raises ValueError
    unless q is from 0 to 1.

    >>> two_steps_on(0.5, ApproxDP(0.0, 0.125))
    0.25
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    q, pair = arguments.number("q", q, least=0, most=1), promise.group(2)
    return float(max(0.0, q - pair.delta) * np.exp(-pair.epsilon))


@dataclass(frozen=True, eq=False)
class Normality:
    """The thresholds of a learner on m samples, two examples apart, and its guarantee.

    `hits[i, j]` is P[the threshold on sample i falls into gap j], shape (m, m).
    """

    hits: np.ndarray
    promise: ApproxDP

    @property
    def q(self) -> float:
        """The least probability that the threshold on sample i falls into gap i."""
        return float(self.hits.diagonal().min())

    @property
    def p(self) -> float:
        """The least probability of a gap on a sample, by the guarantee."""
        return two_steps_on(self.q, self.promise)

    @property
    def holds(self) -> bool:
        """True if no gap on any sample is below p; then m p <= 1, as rows sum to at most 1."""
        return bool((self.hits >= self.p * (1 - 1e-9)).all())


def normality(hits: Any, promise: ApproxDP) -> Normality:
    """Check the theorem on the probabilities of m disjoint gaps on m samples, an (m, m) array.

    Raises ValueError for another shape, and for rows that are no probabilities.

    >>> normality(np.eye(3), ApproxDP(1.0, 0.0)).holds  # hits its gap always: not private
    False
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    hits = arguments.reals("hits", hits)
    square = hits.ndim == 2 and hits.shape[0] == hits.shape[1]
    if not square or hits.min() < 0 or hits.sum(axis=1).max() > 1 + 1e-9:
        raise ValueError("hits must be square, of probabilities that add to at most 1 in a row")
    return Normality(hits, promise)


def gap_law(positions: Sequence[int], labels: Any, *, domain: int, epsilon: float) -> np.ndarray:
    """Return the probabilities of `private_learner`'s threshold in the n + 1 gaps of a sample.

    Gap 0 ends at the first point and gap n begins after the last one. `positions` increase
    strictly, from 0 to domain - 1, and may exceed 2^64: thresholds are counted, not listed. The
    weight of a gap is their number times e^{-epsilon errors / 2}. Raises ValueError for positions
    that don't increase so, unless there is a label 0 or 1 for each, and unless epsilon is above 0.
    """
    positions = arguments.sequence("positions", positions)
    domain = arguments.whole("domain", domain, least=1, most=math.inf)
    ends = [-1, *(arguments.whole("positions", x, least=0, most=domain - 1) for x in positions)]
    widths = [b - a for a, b in zip(ends, [*ends[1:], domain], strict=True)]
    if min(widths[:-1]) < 1:
        raise ValueError(f"positions must increase strictly, not {positions!r}")
    labels = arguments.categories("labels", labels, 2)
    if labels.shape != (len(ends) - 1,):
        raise ValueError(
            f"labels must be {len(ends) - 1}, one for each position, not {labels.shape}"
        )
    errors = (labels == 0).sum() + np.concatenate([[0], np.cumsum(2 * labels - 1)])
    epsilon = arguments.number("epsilon", epsilon, above=0)
    sizes = [math.log(width) if width else -math.inf for width in widths]
    logs = np.array(sizes) - epsilon * errors / 2
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def middle_gap(domain: int, n: int, *, epsilon: float) -> float:
    """Return the probability of the right gap on n adjacent points in the middle of the domain.

    Raises ValueError unless n is a whole number from 2 to the size of the domain.

    >>> [f"{middle_gap(2**bits, 20, epsilon=1):.2g}" for bits in (8, 16, 32, 64)]
    ['0.18', '0.0022', '3.5e-08', '8e-18']
    """
    domain = arguments.whole("domain", domain, least=1, most=math.inf)
    half = arguments.whole("n", n, least=2, most=domain) // 2
    first = domain // 2 - half
    labels = [0] * half + [1] * (n - half)
    return float(gap_law(range(first, first + n), labels, domain=domain, epsilon=epsilon)[half])


def colourings_without_triangle(n: int) -> int:
    """Count the two-colourings of the edges between n people without triangles of one colour.

    It looks at all 2^{n (n - 1) / 2} of them, for n from 1 to 6. Among six people three know each
    other, or three are strangers: R(3, 3) = 6. Raises ValueError for another n.

    >>> [colourings_without_triangle(n) for n in (3, 4, 5, 6)]
    [6, 18, 12, 0]
    """
    people = range(arguments.whole("n", n, least=1, most=6))
    edge = {pair: i for i, pair in enumerate(combinations(people, 2))}
    colours = np.arange(1 << len(edge))
    free: np.ndarray = np.ones(len(colours), dtype=bool)
    for a, b, c in combinations(people, 3):
        red = sum((colours >> edge[pair]) & 1 for pair in ((a, b), (a, c), (b, c)))
        free &= (red != 0) & (red != 3)
    return int(free.sum())
