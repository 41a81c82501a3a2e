"""A census block, solved from its tables: all blocks of people that agree with them.

A person is a tuple of attributes, say (age, sex, married). The tables hold statistics of groups:
the count, and the mean and the median of the first attribute. Each is linear in the number of
people of each kind. An integer program finds a block that agrees with all tables. Then a cut
forbids that block, and the program runs again, until there is no other block.

    x_vk = 1 if at least k people are of kind v,  x_v1 >= x_v2 >= ...     (the unknowns, 0 or 1)
    count   sum x over the group = c
    mean    |sum age x - c mean| <= c rounding
    median  at most (c - 1) / 2 people below it, and as many above        (c odd)
    cut     at most n - 1 of the n ones of an earlier block

Source: Garfinkel, Abowd and Martindale (2019), "Understanding database reconstruction attacks on
public data". Solved by HiGHS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array, lil_array

from dplab import arguments
from dplab.attacks.linear_program import INFEASIBLE, Infeasible, StoppedEarly

Person = tuple[Any, ...]


@dataclass(frozen=True)
class Statistic:
    """The published statistics of a group: count, mean and median age; None is suppressed.

    `group` says which attributes, by position, have which value: {} is everybody, {1: "F"} those
    whose second attribute is "F". The mean is rounded to `digits` decimals. Raises ValueError for a
    median of an even number of people.
    """

    group: Mapping[int, Any]
    count: int
    mean: float | None = None
    median: float | None = None
    digits: int = 1

    def __post_init__(self):
        arguments.instance("group", self.group, Mapping)
        arguments.settle(self, arguments.whole, "digits", least=0, most=15)
        for name in ("mean", "median"):
            if getattr(self, name) is not None:
                arguments.settle(self, arguments.number, name)
        arguments.whole("count", self.count, least=0)
        if self.median is not None and self.count % 2 == 0:
            raise ValueError(f"median must be of an odd count, not of {self.count} people")

    def holds(self, person: Person) -> bool:
        """Return whether the person is in the group."""
        return all(person[place] == value for place, value in self.group.items())

    def rows(self, people: Sequence[Person]) -> list[tuple[np.ndarray, float, float]]:
        """Return constraints (row, lower, upper): lower <= row . x <= upper, x as in the module."""
        members = np.array([self.holds(person) for person in people], dtype=float)
        ages = np.array([person[0] for person in people], dtype=float)
        constraints: list[tuple[np.ndarray, float, float]] = [(members, self.count, self.count)]
        if self.mean is not None:
            slack = self.count * (0.5 * 10.0**-self.digits + 1e-9)
            total = self.count * self.mean
            constraints.append((members * ages, total - slack, total + slack))
        if self.median is not None:
            half = self.count // 2
            constraints.append((members * (ages < self.median), 0, half))
            constraints.append((members * (ages > self.median), 0, half))
        return constraints


def publish(block: Sequence[Person], groups: Sequence[Mapping[int, Any]]) -> list[Statistic]:
    """Publish the groups' tables: counts, and mean and median age of three people or more.

    Medians of an even number of people are left out, as are means and medians of one or two people:
    "to protect their privacy".

    Raises ValueError for other arguments.

    >>> publish([(30, "F"), (40, "F"), (53, "F")], [{1: "F"}])
    [Statistic(group={1: 'F'}, count=3, mean=41.0, median=40.0, digits=1)]
    """
    block = arguments.instances("block", block, tuple, list)
    groups = arguments.instances("groups", groups, Mapping, may_be_empty=True)
    tables = []
    for group in groups:
        ages = [person[0] for person in block if Statistic(group, 0).holds(person)]
        is_large = len(ages) >= 3
        tables.append(
            Statistic(
                group,
                len(ages),
                mean=round(float(np.mean(ages)), 1) if is_large else None,
                median=float(np.median(ages)) if is_large and len(ages) % 2 else None,
            )
        )
    return tables


@dataclass(frozen=True)
class Solutions:
    """Blocks that agree with the tables, each sorted; `complete` says that there are no others."""

    blocks: tuple[tuple[Person, ...], ...]
    complete: bool

    @property
    def certain(self) -> tuple[Person, ...]:
        """The people common to all solutions, with repetitions; none unless `complete`."""
        people = [
            kind
            for kind in sorted(set(self.blocks[0]))
            for _ in range(min(block.count(kind) for block in self.blocks))
        ]
        return tuple(people) if self.complete else ()


def consistent_blocks(
    tables: Sequence[Statistic], kinds: Sequence[Person], *, limit: int = 100, seconds: float = 60.0
) -> Solutions:
    """Find all blocks of people of these kinds that agree with the tables, at most `limit`.

    One of the tables must count everybody, group {}. Raises Infeasible where no block agrees,
    StoppedEarly where a single search takes more than `seconds`, ValueError for no count.

    >>> kinds = [(age, sex) for age in range(18, 60) for sex in "FM"]
    >>> tables = publish([(30, "F"), (40, "F"), (53, "F"), (33, "M")], [{}, {1: "F"}])
    >>> consistent_blocks(tables + [Statistic({0: 30}, 1)], kinds).blocks[0]
    ((30, 'F'), (33, 'M'), (40, 'F'), (53, 'F'))
    """
    tables = arguments.instances("tables", tables, Statistic, may_be_empty=True)
    kinds = arguments.instances("kinds", kinds, tuple)
    seconds = arguments.number("seconds", seconds, above=0)
    counts = [table.count for table in tables if not table.group]
    if not counts or counts[0] == 0:
        raise ValueError("tables must count everybody, and somebody: Statistic({}, count=...)")
    n, limit = counts[0], arguments.whole("limit", limit, least=1)
    people = _list_unknowns(tables, list(dict.fromkeys(kinds)))
    blocks: list[tuple[Person, ...]] = []
    constraints = _build_constraints(tables, people)
    while (ones := _find_solution(constraints, len(people), seconds)) is not None:
        if len(blocks) == limit:
            break
        blocks.append(tuple(sorted(people[i] for i in np.flatnonzero(ones))))
        constraints.append(LinearConstraint(csc_array(ones[None]), ub=n - 1))
    if not blocks:
        raise Infeasible("no block agrees with all of the tables: they contradict each other")
    return Solutions(tuple(sorted(blocks)), complete=ones is None)


def _list_unknowns(tables: Sequence[Statistic], kinds: Sequence[Person]) -> list[Person]:
    """List each kind as often as the counts of its groups allow: one entry for each unknown."""
    most = [min(table.count for table in tables if table.holds(kind)) for kind in kinds]
    return [kind for kind, copies in zip(kinds, most, strict=True) for _ in range(copies)]


def _build_constraints(tables: Sequence[Statistic], people: list[Person]) -> list[LinearConstraint]:
    """Return the tables' constraints, and x_v1 >= x_v2 >= ... for people of one kind."""
    rows, lower, upper = zip(*(row for table in tables for row in table.rows(people)), strict=True)
    twins = [i for i in range(1, len(people)) if people[i] == people[i - 1]]
    order = lil_array((len(twins), len(people)))
    for row, i in enumerate(twins):
        order[row, i - 1], order[row, i] = 1, -1
    constraints = [LinearConstraint(csc_array(np.array(rows)), lower, upper)]
    return constraints + [LinearConstraint(csc_array(order), lb=0)] * bool(twins)


def _find_solution(
    constraints: list[LinearConstraint], unknowns: int, seconds: float
) -> np.ndarray | None:
    """Find a 0/1 point within the constraints; None if there is none."""
    if not unknowns:
        return None
    seconds = arguments.number("seconds", seconds, above=0)
    result = milp(
        np.zeros(unknowns),
        integrality=np.ones(unknowns),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options={"time_limit": seconds},
    )
    if result.status == INFEASIBLE:
        return None
    if not result.success:
        raise StoppedEarly(f"after {seconds:g} seconds: {result.message}")
    return np.round(result.x)
