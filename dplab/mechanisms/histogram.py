"""Histograms: one person is in one bin, so all bins together cost as much as one or two.

Adding or removing a record moves one count by 1; replacing one moves two counts by 1 each. So the
L1 sensitivity is 1 or 2. The noise consists of whole numbers that are drawn exactly.

Sources: Dwork, McSherry, Nissim and Smith (2006); Korolova, Kenthapadi, Mishra and Ntoulas (2009)
and Bun, Nissim and Stemmer (2016) for bins that are not known beforehand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.discrete import DiscreteLaplace
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP
from dplab.mechanism import Mechanism
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors
from dplab.sampling.rational import rational


def touched_bins(neighbors: Neighbors) -> int:
    """Return how many counts differ between neighbours: 1 for ADD_REMOVE, 2 for REPLACE_ONE.

    Each of them differs by 1. Raises ValueError for another relation.
    """
    arguments.one_of("neighbors", neighbors, (ADD_REMOVE, REPLACE_ONE))
    return 1 if neighbors == ADD_REMOVE else 2


def histogram(
    bins: Sequence[Hashable], *, epsilon: Any, neighbors: Neighbors = REPLACE_ONE
) -> GeometricMechanism:
    """Return the mechanism that publishes a noisy count of each known bin: epsilon-DP.

    It adds discrete Laplace noise of scale 1 / epsilon under ADD_REMOVE, 2 / epsilon under
    REPLACE_ONE, however many `bins` there are. Outputs are int arrays in the order of the bins;
    empty bins get noise too, and counts may be negative. Records outside of all bins are left out.
    Raises ValueError for repeated or no bins and unless epsilon > 0.

    >>> colours = histogram(("red", "green"), epsilon=0.5)
    >>> float(colours.noise.scale)
    4.0
    """
    bins = arguments.sequence("bins", bins, is_hashable=True, may_be_empty=True)
    position = {value: i for i, value in enumerate(records.hashables("bins", bins))}
    if not position or len(position) < len(bins):
        raise ValueError(f"bins must be distinct, and at least one, not {bins!r}")

    def counts(data: Iterable[Hashable]) -> np.ndarray:
        known = filter(position.__contains__, records.hashables("data", data))
        places = [position[record] for record in known]
        return np.bincount(np.array(places, dtype=int), minlength=len(position))

    sensitivity = Fraction(touched_bins(neighbors))
    return GeometricMechanism(counts, sensitivity, epsilon, neighbors=neighbors)


@dataclass(frozen=True)
class StabilityHistogram(Mechanism):
    """A mechanism that publishes noisy counts of occurring bins where they reach a threshold.

        noisy_b = count_b + discrete Laplace noise, for each bin b with count_b > 0
        output  = {b: noisy_b where noisy_b >= T}

    The bins need not be known, and there may be infinitely many: empty ones are never published. So
    only a bin with a single record could give somebody away. With noise of scale 1 / epsilon the
    threshold T is the least whole number with P(1 + noise >= T) <= delta: (epsilon, delta)-DP when
    a record is added or removed. A replacement is two such steps, and is (epsilon, delta)-DP with
    epsilon / 2 and delta / (1 + e^{epsilon / 2}) for each. Raises ValueError unless epsilon > 0 and
    0 < delta < 1.

    >>> StabilityHistogram(epsilon=1, delta=1e-6, neighbors=ADD_REMOVE).threshold
    15
    """

    epsilon: Fraction
    delta: float
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, rational, "epsilon", above=0)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        touched_bins(self.neighbors)

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(float(self.epsilon), self.delta)

    @property
    def step_delta(self) -> float:
        """The delta that one record may spend: for REPLACE_ONE, delta / (1 + e^{epsilon / 2})."""
        return float(np.exp(self._log_step_delta))

    @property
    def _log_step_delta(self) -> float:
        log_delta = np.log(self.delta)
        if touched_bins(self.neighbors) == 1:
            return log_delta
        return log_delta - np.logaddexp(0, float(self.epsilon) / 2)

    def _count_distribution(self, count: int) -> DiscreteLaplace:
        return DiscreteLaplace(Fraction(count), touched_bins(self.neighbors) / self.epsilon)

    @cached_property
    def threshold(self) -> int:
        """The least T with P(1 + noise >= T) <= delta: P(noise >= k) = p^k / (1 + p), k >= 1."""
        rate = float(self.epsilon) / touched_bins(self.neighbors)
        needed = (-self._log_step_delta - np.log1p(np.exp(-rate))) / rate
        return 1 + max(1, int(np.ceil(needed)))

    def bin_law(self, count: int, most: int) -> Finite:
        """Return the distribution of the published count of a bin: at least the threshold, or None.

        Counts above `most` are taken for `most`. Bins are independent; an empty bin has the
        outcome None. Raises ValueError unless `count` is a whole number of at least 0 and `most`
        one from the threshold on.
        """
        if arguments.whole("count", count, least=0) == 0:
            return Finite.of({None: 1.0})
        arguments.whole("most", most, least=self.threshold)
        distribution = self._count_distribution(count).clamp(self.threshold - 1, most)
        return distribution.map(lambda value: None if value < self.threshold else value)

    def __call__(self, data: Iterable[Hashable], rng: Any) -> dict[Hashable, int]:
        """Return the published bins and noisy counts, the largest first: order reveals nothing."""
        counts = Counter(records.hashables("data", data))  # counts the keys if data is a dict
        noise = self._count_distribution(0).noise(rng, len(counts))
        noisy = np.array(list(counts.values()), dtype=int) + noise
        published = [
            pair for pair in zip(counts, noisy.tolist(), strict=True) if pair[1] >= self.threshold
        ]
        return dict(sorted(published, key=lambda pair: (-pair[1], repr(pair[0]))))
