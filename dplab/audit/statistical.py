"""The statistical audit: a lower bound on epsilon from draws alone.

The audit takes draws of M(x) and M(x'). It searches for an event S on one half of them, and bounds
the two probabilities of S on the other half (Clopper and Pearson 1934). With probability at least
1 - failure

    epsilon >= log((P[M(x) in S] - delta) / P[M(x') in S]) >= log((lower - delta) / upper).

A bound above the guaranteed epsilon proves that the guarantee is broken. A bound below it proves
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments

THRESHOLDS_PER_COLUMN = 64  # ends of half-lines that the search tries
VALUES_PER_COLUMN = 64  # single values that the search tries, the most frequent first


@dataclass(frozen=True)
class EpsilonBound:
    """A lower bound on epsilon, wrong with probability at most `failure`.

    `event` is the event that proves it, for example "output <= 0.31"; `lower` and `upper` bound the
    event's probability under the dataset that makes it likely and under the other one.
    """

    epsilon: float
    failure: float
    event: str
    lower: float
    upper: float


def epsilon_lower_bound(
    outputs_x: Any, outputs_y: Any, *, delta: float = 0.0, failure: float = 1e-9
) -> EpsilonBound:
    """Bound epsilon from below by draws on two neighbouring datasets.

    `outputs_x` and `outputs_y` are independent draws of M(x) and M(x'), numbers of shape (draws,)
    or vectors of shape (draws, d); a mechanism that is (epsilon, delta)-DP gets a bound above its
    epsilon with probability at most `failure`. Raises ValueError for fewer than two draws, NaN,
    or shapes that do not match.
    """
    delta = arguments.number("delta", delta, least=0, below=1)
    failure = arguments.number("failure", failure, above=0, below=1)
    x, y = _table("outputs_x", outputs_x), _table("outputs_y", outputs_y)
    if x.shape[1] != y.shape[1]:
        raise ValueError(f"outputs must have one width, not {x.shape[1]} and {y.shape[1]}")
    halves = [(draws[: len(draws) // 2], draws[len(draws) // 2 :]) for draws in (x, y)]
    (search_x, test_x), (search_y, test_y) = halves
    level = failure / 2  # the failure probability of each of the two bounds
    event, is_swapped = _choose_event(search_x, search_y, delta, level)
    likely, unlikely = (test_y, test_x) if is_swapped else (test_x, test_y)
    lower = float(clopper_pearson(event.holds(likely).sum(), len(likely), level)[0])
    upper = float(clopper_pearson(event.holds(unlikely).sum(), len(unlikely), level)[1])
    epsilon = max(0.0, float(np.log((lower - delta) / upper))) if lower > delta else 0.0
    return EpsilonBound(epsilon, failure, str(event), lower, upper)


def clopper_pearson(count: Any, n: int, failure: float) -> tuple:
    """Return one-sided bounds (lower, upper) on a probability after `count` successes in n.

    Each is wrong with probability at most `failure`; elementwise over `count`.
    """
    from scipy.special import betainccinv, betaincinv

    count = np.asarray(count, dtype=float)
    with np.errstate(invalid="ignore"):  # nan at 0 and n
        lower = np.where(count > 0, betaincinv(count, n - count + 1, failure), 0.0)
        upper = np.where(count < n, betainccinv(count + 1, n - count, failure), 1.0)
    # rounded outwards: the floats next to 1 are 1e-16 apart, and `failure` may be as small
    return np.nextafter(lower, 0.0)[()], np.nextafter(upper, 1.0)[()]


@dataclass(frozen=True)
class _Event:
    """A half-line or a single value of one coordinate."""

    column: int
    relation: str
    value: float
    width: int

    def holds(self, draws: np.ndarray) -> np.ndarray:
        values = draws[:, self.column]
        if self.relation == "<=":
            return values <= self.value
        return values > self.value if self.relation == ">" else values == self.value

    def __str__(self) -> str:
        name = "output" if self.width == 1 else f"output[{self.column}]"
        return f"{name} {self.relation} {self.value:.6g}"


def _candidates(x: np.ndarray, y: np.ndarray) -> list[_Event]:
    events, width = [], x.shape[1]
    for column in range(width):
        pooled = np.sort(np.concatenate([x[:, column], y[:, column]]))
        spots = np.linspace(0, len(pooled) - 1, THRESHOLDS_PER_COLUMN).astype(int)
        for threshold in np.unique(pooled[spots]):
            events += [_Event(column, relation, threshold, width) for relation in ("<=", ">")]
        values, counts = np.unique(pooled, return_counts=True)
        repeated = np.flatnonzero(counts > 1)
        frequent = repeated[np.argsort(-counts[repeated], kind="stable")][:VALUES_PER_COLUMN]
        events += [_Event(column, "==", value, width) for value in values[frequent]]
    return events


def _choose_event(
    x: np.ndarray, y: np.ndarray, delta: float, failure: float
) -> tuple[_Event, bool]:
    """Return the event with the largest ratio of bounds, and whether x and y are swapped."""
    events = _candidates(x, y)
    in_x, in_y = (np.array([event.holds(draws).sum() for event in events]) for draws in (x, y))
    scores = np.stack(
        [
            _score(in_x, len(x), in_y, len(y), delta, failure),
            _score(in_y, len(y), in_x, len(x), delta, failure),
        ]
    )
    is_swapped, best = np.unravel_index(scores.argmax(), scores.shape)
    return events[best], bool(is_swapped)


def _score(
    likely: np.ndarray,
    likely_n: int,
    unlikely: np.ndarray,
    unlikely_n: int,
    delta: float,
    failure: float,
) -> np.ndarray:
    # The event's own bound, so that a rare event with a single draw does not win the search.
    lower = clopper_pearson(likely, likely_n, failure)[0]
    upper = clopper_pearson(unlikely, unlikely_n, failure)[1]
    return np.log(np.maximum(lower - delta, 1e-300) / upper)


def _table(name: str, outputs: Any) -> np.ndarray:
    draws = arguments.reals(name, outputs)
    draws = draws[:, None] if draws.ndim == 1 else draws
    if draws.ndim != 2 or len(draws) < 2:
        raise ValueError(
            f"{name} must have shape (draws,) or (draws, d), draws >= 2, not {draws.shape}"
        )
    return draws
