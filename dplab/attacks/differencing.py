"""Differencing: two questions about many people, whose answers differ by one person's value.

A curator who refuses questions about few people answers both. The difference of two counts or sums
is the person's contribution; for means the attacker also needs the sizes of the groups.
Source: Denning, Denning and Schwartz (1979), The tracker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.interaction import Refused

STATISTICS: dict[str, Callable[[np.ndarray], Any]] = {
    "sum": np.sum,
    "mean": np.mean,
    "count": np.count_nonzero,
}


@dataclass(frozen=True, eq=False)
class CautiousCurator:
    """A curator with exact answers about `least` people or more, if `least` or more are left out.

    `values` has a secret number for each person, shape (n,). A group is an array of n booleans, or
    of different numbers of people. `count` counts the people whose value isn't 0.
    Raises ValueError unless 2 least <= n.
    """

    values: np.ndarray
    least: int

    def __post_init__(self):
        arguments.settle(self, arguments.reals, "values", ndim=1)
        arguments.whole("least", self.least, least=1, most=len(self.values) // 2)

    def ask(self, statistic: str, group: ArrayLike) -> float:
        """Return the sum, mean or count over the group; Refused if it is too small or large."""
        arguments.one_of("statistic", statistic, STATISTICS)
        group = np.asarray(group)
        people = np.arange(len(self.values))[group if group.size else []]  # not floats
        if len(np.unique(people)) < people.size:
            raise ValueError("group must be of different people")
        values = self.values[people]
        if not self.least <= len(values) <= len(self.values) - self.least:
            raise Refused(
                f"a group must have {self.least} to {len(self.values) - self.least} people, "
                f"not {len(values)}"
            )
        return float(STATISTICS[statistic](values))


def difference(
    statistic: str,
    with_person: float | np.ndarray,
    without_person: float | np.ndarray,
    sizes: tuple[int, int] | None = None,
) -> Any:
    """Return one person's value from the answers about a group with and without the person.

    For "sum" and "count" it is with_person - without_person. For "mean" it is
    k with_person - (k - 1) without_person, where `sizes` are the numbers of people (k, k - 1).
    Answers may be arrays, elementwise. Raises ValueError for another statistic, or for sizes that
    are not one apart.

    >>> difference("mean", 3.0, 2.5, sizes=(10, 9))  # 30 in total, 22.5 without
    7.5
    """
    with_person = arguments.reals("with_person", with_person)
    without_person = arguments.reals("without_person", without_person)
    if sizes is not None:
        arguments.wholes("sizes", sizes, least=0)
    arguments.one_of("statistic", statistic, STATISTICS)
    if statistic != "mean":
        value = with_person - without_person
    elif sizes is None or len(sizes) != 2 or sizes[0] != sizes[1] + 1:
        raise ValueError(f"sizes must be two numbers, k and k - 1, not {sizes!r}")
    else:
        value = sizes[0] * with_person - sizes[1] * without_person
    return value if value.ndim else float(value)


def attack(curator: CautiousCurator, person: int, statistic: str = "sum") -> float:
    """Find the value of `person` by two questions about half of the others, with and without them.

    Raises ValueError for a person who doesn't exist; Refused if the curator does not answer.

    >>> difference_of = CautiousCurator(np.array([5.0, 3, 8, 1, 0, 2, 7]), least=3)
    >>> attack(difference_of, person=2)
    8.0
    """
    arguments.instance("curator", curator, CautiousCurator)
    n = len(curator.values)
    person = arguments.whole("person", person, least=0, most=n - 1)
    others: np.ndarray = np.delete(np.arange(n), person)[: (n - 1) // 2]
    everyone: np.ndarray = np.append(others, person)
    with_person, without_person = (curator.ask(statistic, group) for group in (everyone, others))
    return difference(statistic, with_person, without_person, sizes=(len(everyone), len(others)))
