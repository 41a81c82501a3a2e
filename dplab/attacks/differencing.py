"""Differencing: two questions about many people, whose answers differ by what one person has.

A curator who refuses questions about few people answers both. What the person adds to a count or a
sum is the difference of the two; from means it takes the sizes of the groups.
Source: Denning, Denning and Schwartz (1979), The tracker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.interaction import Refused

STATISTICS: dict[str, Callable[[np.ndarray], Any]] = {
    "sum": np.sum,
    "mean": np.mean,
    "count": np.count_nonzero,
}


@dataclass(frozen=True, eq=False)
class CautiousCurator:
    """Answers exactly, but only about `least` people or more, and leaves out `least` or more.

    `values` has a secret number for each person, shape (n,). A group is an array of n booleans, or
    of different numbers of people. `count` counts the people whose value isn't 0.
    Raises ValueError unless 2 least <= n.
    """

    values: np.ndarray
    least: int

    def __post_init__(self):
        arguments.settle(self, arguments.reals, "values")
        arguments.whole("least", self.least, least=1, most=len(self.values) // 2)

    def ask(self, statistic: str, group) -> float:
        """The sum, mean or count over the group; raises Refused where it is too small or large."""
        arguments.one_of("statistic", statistic, STATISTICS)
        group = np.asarray(group)
        people = np.arange(len(self.values))[group if group.size else []]  # not floats
        if len(np.unique(people)) < people.size:
            raise ValueError("group must be of different people")
        chosen = self.values[people]
        if not self.least <= len(chosen) <= len(self.values) - self.least:
            raise Refused(
                f"a group must have {self.least} to {len(self.values) - self.least} people, "
                f"not {len(chosen)}"
            )
        return float(STATISTICS[statistic](chosen))


def difference(statistic: str, with_person, without, sizes=None):
    """What one person has, by the answers about a group with the person and the same without.

    For "sum" and "count" with_person - without; for "mean", where `sizes` are the numbers of people
    (k, k - 1), k with_person - (k - 1) without. Answers may be arrays, elementwise.
    Raises ValueError for another statistic, or for sizes that are not one apart.

    >>> difference("mean", 3.0, 2.5, sizes=(10, 9))  # 30 in all, 22.5 without
    7.5
    """
    arguments.one_of("statistic", statistic, STATISTICS)
    if statistic != "mean":
        return with_person - without
    if sizes is None or sizes[0] != sizes[1] + 1:
        raise ValueError(f"sizes must be two numbers, k and k - 1, not {sizes!r}")
    return sizes[0] * with_person - sizes[1] * without


def attack(curator: CautiousCurator, person: int, statistic: str = "sum") -> float:
    """What `person` has, by two questions about half of the others, with and without the person.

    Raises ValueError for a person who isn't there; Refused if the curator knows better.

    >>> difference_of = CautiousCurator(np.array([5.0, 3, 8, 1, 0, 2, 7]), least=3)
    >>> attack(difference_of, person=2)
    8.0
    """
    n = len(curator.values)
    person = arguments.whole("person", person, least=0, most=n - 1)
    others: np.ndarray = np.delete(np.arange(n), person)[: (n - 1) // 2]
    together: np.ndarray = np.append(others, person)
    with_person, without = (curator.ask(statistic, group) for group in (together, others))
    return difference(statistic, with_person, without, sizes=(len(together), len(others)))
