"""The number of queries that a budget pays for."""

from __future__ import annotations

from dplab import arguments
from dplab.accounting.loss_distribution import certainly_within
from dplab.accounting.releases import Known, Release
from dplab.deprecated import old_arguments
from dplab.guarantees import ApproxDP

MAX_RELEASES = 2**24  # that `most_queries` tries


@old_arguments(what="mechanism")
def most_queries(target: ApproxDP, mechanism: Known) -> int:
    """Return how many releases of `mechanism` are certainly within `target` together, or 0.

    `mechanism` may be a loss or a guarantee, as in `Release`. The upper bound of
    `loss_distribution.delta_bounds` decides. Raises ValueError beyond 2^24 releases.

    >>> from dplab.guarantees import PureDP
    >>> most_queries(ApproxDP(1.0, 1e-6), PureDP(1 / 10))
    10
    """
    target = arguments.guarantee("target", target, ApproxDP)
    low, high = 0, 1
    while certainly_within([Release(mechanism, high)], target):
        low, high = high, 2 * high
        if high > MAX_RELEASES:
            raise ValueError(f"target must allow fewer than {MAX_RELEASES} releases of {mechanism}")
    while high - low > 1:
        middle = (low + high) // 2
        allowed = certainly_within([Release(mechanism, middle)], target)
        low, high = (middle, high) if allowed else (low, middle)
    return low
