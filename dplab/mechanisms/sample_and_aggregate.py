"""Sample and aggregate: estimate on disjoint parts, and combine the estimates privately.

One record is in one part, so that it changes one of the estimates, whatever the estimator is. No
sensitivity of the estimator is needed. The price is that each estimate sees only a part of the
data, and that useful parts must agree.

Source: Nissim, Raskhodnikova and Smith (2007).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dplab import arguments, records
from dplab.distributions import Distribution
from dplab.mechanism import DerivedMechanism, ExactMechanism
from dplab.neighbors import REPLACE_ONE


def split_evenly(data: Any, parts: int) -> list:
    """Return `parts` disjoint parts of len(data) // parts records each; the rest is not used.

    The order of the records must not depend on other records. Raises ValueError for fewer records
    than parts.

    >>> split_evenly([1, 2, 3, 4, 5], 2)
    [[1, 2], [3, 4]]
    """
    parts = arguments.whole("parts", parts, least=1)
    data = records.sized("data", data)
    if len(data) < parts:
        raise ValueError(f"data must hold at least as many records as parts, {parts}")
    size = len(data) // parts
    return [data[i * size : (i + 1) * size] for i in range(parts)]


@dataclass(frozen=True)
class SampleAndAggregate(DerivedMechanism, ExactMechanism):
    """The mechanism that publishes `mechanism` of the estimates on disjoint parts of the data.

        output = mechanism([estimator(part_1), ..., estimator(part_k)])

    `mechanism` is private for one replaced value among `parts` of them, for example
    `PrivateQuantile` or `inverse_mode`. `estimator(part)` has no randomness of its own. One
    replaced record replaces at most one estimate, so the guarantee is that of `mechanism`. Raises
    ValueError unless its neighbours replace a record, and for fewer records than parts.

    >>> from dplab import PrivateQuantile
    >>> middle = SampleAndAggregate(max, 3, PrivateQuantile(0, 10, epsilon=2))
    >>> middle.estimates([1, 2, 9, 4, 5, 3, 8]), middle.guarantee
    ([2, 9, 5], PureDP(epsilon=2.0))
    """

    estimator: Callable[[Any], Any]
    parts: int
    mechanism: ExactMechanism

    def __post_init__(self):
        arguments.settle(self, arguments.function, "estimator")
        arguments.settle(self, arguments.whole, "parts", least=1)
        arguments.instance("mechanism", self.mechanism, ExactMechanism)
        arguments.one_of("mechanism.neighbors", self.mechanism.neighbors, (REPLACE_ONE,))

    def estimates(self, data: Any) -> list:
        """Return the estimate of each part: not private."""
        return [self.estimator(part) for part in split_evenly(data, self.parts)]

    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of the combined estimate."""
        return self.mechanism.distribution(self.estimates(data))
