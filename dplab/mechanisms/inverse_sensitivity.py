"""The inverse sensitivity mechanism: choose an answer by how few records make it the true one.

For a query f, the inverse sensitivity of an answer y is

    changes(x; y) = the fewest records of x to replace until f = y.

It moves by at most 1 between neighbours. The exponential mechanism with the score -changes is
epsilon-DP, and needs no bound on the query: where few changes move f little, likely answers are
near. With probability 1 - e^-t the answer is one that (2 / epsilon)(log(candidates) + t) changes
would have made true.

Sources: Asi and Duchi (2020), who show that it is nearly the best on every dataset at once; the
idea is in McSherry and Talwar (2007) and Johnson and Shmatikov (2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.neighbors import MAX_RECORDS, REPLACE_ONE


def inverse_sensitivity(
    query: Callable[[Any], Hashable], universe: Sequence[Hashable], n: int, *, epsilon: float
) -> ExponentialMechanism:
    """Return the mechanism for any query, by enumeration of all datasets of n records.

        P(output = y) = c e^{-epsilon changes(data; y) / 2}

    The candidates are all answers of the query. The work grows as |universe|^n. Raises ValueError
    for other arguments.

    >>> middle = inverse_sensitivity(lambda data: sorted(data)[1], (0, 5, 9), n=3, epsilon=2)
    >>> middle.distribution((0, 0, 9)).probabilities.round(4).tolist()
    [0.5761, 0.2119, 0.2119]
    """
    arguments.function("query", query)
    universe = arguments.sequence("universe", universe, is_hashable=True)
    n = arguments.size("n", n, most=MAX_RECORDS)
    datasets: dict[Hashable, list] = {}
    for x in REPLACE_ONE.datasets(universe, n):
        datasets.setdefault(query(x), []).append(x)

    def scores(data: Any) -> list[float]:
        data = tuple(data)
        return [
            -min(REPLACE_ONE.distance(data, x) for x in sources) for sources in datasets.values()
        ]

    return ExponentialMechanism(tuple(datasets), scores, sensitivity=1, epsilon=epsilon)


def inverse_median(candidates: Sequence[float], *, epsilon: float) -> ExponentialMechanism:
    """Return the mechanism for the median, with numbers as candidates: see `median_changes`.

    With candidates between the values it is nearly `PrivateQuantile`, which has all reals of an
    interval. Raises ValueError unless candidates are distinct numbers and epsilon > 0.

    >>> law = inverse_median(range(11), epsilon=2).distribution([2, 3, 5, 9, 9])
    >>> law.probabilities.round(3).tolist()
    [0.014, 0.014, 0.039, 0.105, 0.105, 0.286, 0.105, 0.105, 0.105, 0.105, 0.014]
    """
    numbers = arguments.reals("candidates", candidates, ndim=1)
    return ExponentialMechanism(
        tuple(numbers.tolist()), lambda data: -median_changes(data, numbers), 1, epsilon
    )


def inverse_mode(candidates: Sequence[Hashable], *, epsilon: float) -> ExponentialMechanism:
    """Return the mechanism for the most frequent category: see `mode_changes`.

    Raises ValueError unless candidates are distinct and epsilon > 0.

    >>> law = inverse_mode("abc", epsilon=2).distribution("aaaaabbc")
    >>> law.probabilities.round(4).tolist()
    [0.8438, 0.1142, 0.042]
    """
    candidates = arguments.sequence("candidates", candidates, is_hashable=True)
    return ExponentialMechanism(candidates, lambda x: -mode_changes(x, candidates), 1, epsilon)


def median_changes(data: Any, candidates: Any) -> np.ndarray:
    """Return the fewest values to replace until each candidate is the median, shape (candidates,).

    The median has rank m = (n + 1) // 2. With `below` values less than y and `above` greater,

        changes(x; y) = max(0, below - (m - 1), above - (n - m)),

    since a surplus on one side has to move to y, and there is none on both sides. Raises ValueError
    for data that are no finite numbers, or none.
    """
    values = np.sort(records.reals("data", data).ravel())
    points = arguments.reals("candidates", candidates, ndim=1)
    middle = (len(values) + 1) // 2
    lower = np.searchsorted(values, points, side="left")
    higher = len(values) - np.searchsorted(values, points, side="right")
    return np.maximum(0, np.maximum(lower - middle + 1, higher - (len(values) - middle)))


def mode_changes(data: Any, candidates: Sequence[Hashable]) -> np.ndarray:
    """Return the fewest records to replace until each candidate is the most frequent.

    Ties go to the earlier candidate; records that are no candidate are counted for none. With k
    records moved to y, another candidate has to give up what it has above count(y) + k, and one
    more if it is earlier. k is enough if it is at least the sum of all that. Raises ValueError for
    data that are no sequence of values that Python can count as equal.
    """
    candidates = arguments.sequence("candidates", candidates, is_hashable=True)
    try:
        tally = Counter(records.hashables("data", data))
    except TypeError:
        raise ValueError("data must hold numbers, texts or tuples of them") from None
    counts = np.array([tally[candidate] for candidate in candidates])
    ks, fewest = np.arange(counts.max() + 2), []
    for y, count in enumerate(counts):
        surplus = (counts - count + (np.arange(len(counts)) < y))[:, None] - ks
        surplus[y] = 0
        fewest.append(np.argmax(np.maximum(surplus, 0).sum(axis=0) <= ks))
    return np.array(fewest)
