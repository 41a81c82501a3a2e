"""A release of the range: a claim, a description, a domain of datasets, and a program that draws.

A `DataDomain` has a finite universe of records, and bounds on the number of records.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from dplab import arguments
from dplab.audit_range.coins import CoinSource, DrawnCoins, enumerate_outputs
from dplab.guarantees import ApproxDP, PureDP
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors

Dataset = tuple[Any, ...]


@dataclass(frozen=True)
class DataDomain:
    """All datasets with `least` to `most` records of a universe, and which of them are neighbours.

    With `REPLACE_ONE` the number of records is public. With `ADD_REMOVE` it is not.
    """

    universe: tuple[Hashable, ...]
    least: int
    most: int
    neighbors: Neighbors

    def read(self, dataset: Any) -> Dataset:
        """Return a dataset as a tuple of records of the universe, or raise ValueError."""
        is_array = isinstance(dataset, np.ndarray) and dataset.ndim > 0
        if not isinstance(dataset, tuple | list) and not is_array:
            raise ValueError("A dataset must be a list or a tuple of records.")
        if not self.least <= len(dataset) <= self.most:
            sizes = f"{self.least} to {self.most}"
            sizes = f"{self.most}" if self.least == self.most else sizes
            raise ValueError(f"A dataset must have {sizes} records, not {len(dataset)}.")
        records = {record: record for record in self.universe}
        frozen = [_freeze(record) for record in dataset]
        for record in frozen:
            if record not in records:
                raise ValueError(f"{arguments.show(record)} is no record of this release's domain.")
        read = tuple(records[record] for record in frozen)
        return read if self.neighbors is REPLACE_ONE else tuple(sorted(read, key=repr))

    def datasets(self) -> Iterator[Dataset]:
        """Yield all datasets, in one order of records where the order means nothing."""
        is_ordered = self.neighbors is REPLACE_ONE
        for n in range(self.least, self.most + 1):
            tuples = product(self.universe, repeat=n)
            multisets = combinations_with_replacement(self.universe, n)
            yield from map(self.read, tuples if is_ordered else multisets)

    def neighbors_of(self, x: Dataset) -> Iterator[Dataset]:
        """Yield all neighbours of a dataset within the domain."""
        for y in self.neighbors.neighbors_of(x, self.universe):
            if self.least <= len(y) <= self.most:
                yield self.read(y)

    def are_neighbors(self, x: Dataset, y: Dataset) -> bool:
        """Return whether two datasets differ in exactly one step."""
        return self.neighbors.distance(x, y) == 1


def _freeze(record: Any, depth: int = 0) -> Hashable:
    """Return a record with tuples instead of lists and arrays, and texts for strange objects."""
    if isinstance(record, np.ndarray | np.generic):
        record = record.tolist()
    if isinstance(record, list | tuple) and depth < 3:
        return tuple(_freeze(part, depth + 1) for part in record)
    return record if isinstance(record, int | float | str) else type(record).__name__


def replace_one(universe: Any, n: int) -> DataDomain:
    """Return the domain of n records, one of which may be replaced."""
    return DataDomain(tuple(universe), n, n, REPLACE_ONE)


def add_or_remove(universe: Any, most: int, least: int = 0) -> DataDomain:
    """Return the domain of up to `most` records, one of which may come or go."""
    return DataDomain(tuple(universe), least, most, ADD_REMOVE)


@dataclass(frozen=True)
class ClaimedRelease:
    """A function of a dataset that claims to be private: `release(dataset, rng)`.

    `claim` is the guarantee that it claims, `about` says in words what it says it does, `records`
    what a record is. Whether it keeps its claim, the release does not say.
    """

    claim: PureDP | ApproxDP
    about: str
    records: str
    domain: DataDomain
    run: Callable[[Dataset, CoinSource], Any] = field(repr=False)
    _laws: dict = field(default_factory=dict, repr=False, compare=False)

    @property
    def epsilon(self) -> float:
        """The epsilon of the claim."""
        return self.claim.epsilon

    @property
    def delta(self) -> float:
        """The delta of the claim, 0 if it is pure."""
        return getattr(self.claim, "delta", 0.0)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """Return one output. Raises ValueError for a dataset outside of the domain."""
        arguments.generator("rng", rng)
        return self.run(self.domain.read(dataset), DrawnCoins(rng))

    def draws(self, dataset: Any, rng: np.random.Generator, count: int) -> list:
        """Return this many independent outputs. Errors as for a call."""
        arguments.generator("rng", rng)
        count = arguments.size("count", count)
        data, coins = self.domain.read(dataset), DrawnCoins(rng)
        return [self.run(data, coins) for _ in range(count)]

    def __str__(self) -> str:
        relation = "replaced" if self.domain.neighbors is REPLACE_ONE else "added or removed"
        least, most = self.domain.least, self.domain.most
        size = f"{most}" if least == most else f"{least} to {most}"
        return (
            f"claims {self.claim}; {self.about}\n"
            f"Data: {size} records, one of which is {relation}. A record is {self.records}."
        )


def law_of(release: ClaimedRelease, dataset: Dataset) -> dict[Any, float] | None:
    """Return the probability of each output, or None if it can't be enumerated."""
    if dataset not in release._laws:
        release._laws[dataset] = enumerate_outputs(release.run, dataset)
    return release._laws[dataset]
