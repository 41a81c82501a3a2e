"""Neighbouring relations: which datasets must look alike. Each relation is a value.

A dataset is a tuple of records, or an array with a row for each; `universe` is the set of values
that a record can take.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

import numpy as np

from dplab import arguments

MAX_RECORDS = 1000  # all datasets are enumerated


class Neighbors(Protocol):
    """A symmetric relation between datasets."""

    def datasets(self, universe: Sequence[Hashable], n: int) -> Iterator[Any]:
        """Yield all datasets of n records (of up to n records where the size is secret)."""

    def neighbors_of(self, dataset: Any, universe: Sequence[Hashable]) -> Iterator[Any]:
        """Yield all neighbours of one dataset."""

    def distance(self, x: Any, y: Any) -> float:
        """Return the fewest neighbouring steps from x to y; inf if there is no path."""


@dataclass(frozen=True)
class ReplaceOne:
    """One record takes another value; n is public.

    >>> list(REPLACE_ONE.neighbors_of((0, 1), universe=(0, 1)))
    [(1, 1), (0, 0)]
    """

    def datasets(self, universe: Sequence[Hashable], n: int) -> Iterator[Any]:
        return product(universe, repeat=n)

    def neighbors_of(self, dataset: Any, universe: Sequence[Hashable]) -> Iterator[Any]:
        for i, record in enumerate(dataset):
            for new_record in universe:
                if new_record != record:
                    yield (*dataset[:i], new_record, *dataset[i + 1 :])

    def distance(self, x: Any, y: Any) -> float:
        if len(x) != len(y):
            return float("inf")
        if _are_arrays(x, y):
            differences = (x != y) & ((x == x) | (y == y))  # NaN is one value
            return int(differences.any(axis=tuple(range(1, x.ndim))).sum())
        both = zip(_records(x), _records(y), strict=True)
        return sum(not (a is b or a == b) for a, b in both)


@dataclass(frozen=True)
class AddRemoveOne:
    """One record comes or goes; n is secret and the order of records means nothing.

    A replacement is two steps of this relation.

    >>> ADD_REMOVE.distance((0, 0, 1), (0, 1, 1))
    2
    """

    def datasets(self, universe: Sequence[Hashable], n: int) -> Iterator[Any]:
        for size in range(n + 1):
            yield from product(universe, repeat=size)

    def neighbors_of(self, dataset: Any, universe: Sequence[Hashable]) -> Iterator[Any]:
        for i in range(len(dataset)):
            yield (*dataset[:i], *dataset[i + 1 :])
        for record in universe:
            yield (*dataset, record)

    def distance(self, x: Any, y: Any) -> float:
        if _are_arrays(x, y):
            both = np.concatenate([x, y])
            _, values = np.unique(both, return_inverse=True)  # numbers, one for all NaN
            rows, which = np.unique(values.reshape(both.shape), axis=0, return_inverse=True)
            surplus = np.bincount(which[: len(x)], minlength=len(rows))
            return int(abs(surplus - np.bincount(which[len(x) :], minlength=len(rows))).sum())
        surplus = Counter(_records(x))
        surplus.subtract(_records(y))
        return sum(abs(count) for count in surplus.values())


def _are_arrays(x: Any, y: Any) -> bool:
    """Return whether both datasets are arrays of one kind of values that numpy compares.

    Of two kinds, numpy would compare a whole number and a float as floats. Raises ValueError for
    records of two shapes.
    """
    if not (isinstance(x, np.ndarray) and isinstance(y, np.ndarray)):
        return False
    if x.ndim == 0 or x.shape[1:] != y.shape[1:]:
        raise ValueError(f"y must have records of shape {x.shape[1:]} like x, not {y.shape[1:]}")
    return x.dtype.kind == y.dtype.kind != "O"


def _records(dataset: Any) -> list:
    """Return records that Python compares and hashes: the rows of an array as tuples."""
    return list(map(_freeze, dataset.tolist() if isinstance(dataset, np.ndarray) else dataset))


def _freeze(record: Any) -> Any:
    return tuple(map(_freeze, record)) if isinstance(record, list) else record


REPLACE_ONE = ReplaceOne()
ADD_REMOVE = AddRemoveOne()


def require_relation(name: str, value: Any) -> Neighbors:
    """Return `value` if it is a relation of neighbours, or raise ValueError.

    >>> require_relation("neighbors", "replace")
    Traceback (most recent call last):
    ...
    ValueError: neighbors must be a relation such as REPLACE_ONE or ADD_REMOVE, not 'replace'
    """
    is_relation = hasattr(value, "neighbors_of") and hasattr(value, "distance")
    if not is_relation or isinstance(value, type):
        raise ValueError(
            f"{name} must be a relation such as REPLACE_ONE or ADD_REMOVE, "
            f"not {arguments.show(value)}"
        )
    return value


def pairs(relation: Neighbors, universe: Sequence[Hashable], n: int) -> Iterator[tuple]:
    """Yield all ordered pairs of neighbouring datasets of n (ADD_REMOVE: up to n) records.

    Raises ValueError unless n is a whole number of at least 1.
    """
    require_relation("relation", relation)
    universe = arguments.sequence("universe", universe, is_hashable=True)
    n = arguments.size("n", n, most=MAX_RECORDS)
    for x in relation.datasets(universe, n):
        for y in relation.neighbors_of(x, universe):
            if len(y) <= n:
                yield x, y


def sensitivity(
    query: Callable[[Any], Any],
    relation: Neighbors,
    universe: Sequence[Hashable],
    n: int,
    *,
    norm: float = 1,
) -> float:
    """Return max ||query(x) - query(y)|| over all neighbouring x, y, by brute force.

    `norm` is 1 or 2 (numpy.inf too). The work grows as |universe|^(n+1): for small universes.
    Raises ValueError for another norm or n, for answers that are no finite numbers, and where no
    datasets are neighbours.

    >>> sensitivity(sum, REPLACE_ONE, universe=(0, 1, 5), n=2)
    5.0
    """
    arguments.function("query", query)
    require_relation("relation", relation)
    universe = arguments.sequence("universe", universe, is_hashable=True)
    n = arguments.size("n", n, most=MAX_RECORDS)
    arguments.one_of("norm", norm, (1, 2, np.inf))
    changes = _changes("query", query, relation, universe, n)
    if norm == 2:
        return max(math.hypot(*change) for change in changes)  # squares may overflow
    return float(max(np.linalg.norm(change, norm) for change in changes))


def half_range(
    scores: Callable[[Any], Any], relation: Neighbors, universe: Sequence[Hashable], n: int
) -> float:
    """Return half of max over neighbours of max_i (s_i(x) - s_i(y)) - min_i (s_i(x) - s_i(y)).

    It is at most the sensitivity of the scores. A mechanism that depends only on differences of
    scores, for example a private selection, may use it instead of the sensitivity. To see this,
    subtract the middle of that range from the scores of one neighbour: then no score differs by
    more. Monotone scores have at most half of their sensitivity. Brute force, as `sensitivity`,
    with the same ValueErrors. Source: Dong, Durfee and Rogers (2020), Section 3.

    >>> count = lambda data: [data.count("a"), data.count("b")]
    >>> half_range(count, ADD_REMOVE, "ab", n=3), half_range(count, REPLACE_ONE, "ab", n=3)
    (0.5, 1.0)
    """
    arguments.function("scores", scores)
    require_relation("relation", relation)
    universe = arguments.sequence("universe", universe, is_hashable=True)
    n = arguments.size("n", n, most=MAX_RECORDS)
    return float(max(map(np.ptp, _changes("scores", scores, relation, universe, n)))) / 2


def _changes(
    name: str, query: Callable[[Any], Any], relation: Neighbors, universe: Sequence, n: int
) -> list[np.ndarray]:
    """Return query(x) - query(y) for all neighbouring x and y, as vectors."""
    answers = {
        x: arguments.reals(f"{name}({x!r})", query(x)).ravel()
        for x in relation.datasets(universe, n)
    }
    changes = [answers[x] - answers[y] for x, y in pairs(relation, universe, n)]
    if not changes:
        raise ValueError(f"universe {tuple(universe)!r} has no neighbouring datasets, n = {n}")
    return changes
