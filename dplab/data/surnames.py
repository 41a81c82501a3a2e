"""A made-up country of blocks, groups and surnames, for predictions from name and place.

Nobody in it exists, and neither do its groups. As in real countries, neighbourhoods differ in
their people and groups differ in their names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments


@dataclass(frozen=True, eq=False)
class Residents:
    """People as three int arrays of one length, an entry a person: block, surname, group."""

    block: np.ndarray
    surname: np.ndarray
    group: np.ndarray

    def __len__(self) -> int:
        return len(self.block)

    def __getitem__(self, people: np.ndarray) -> Residents:
        """Return the residents at these positions, or where a mask is True."""
        return Residents(self.block[people], self.surname[people], self.group[people])


@dataclass(frozen=True, eq=False)
class Country:
    """A country: the distributions of its residents' blocks, surnames and groups, numbered from 0.

    `group_of_block` has shape (blocks, groups) and `surname_of_group` (groups, surnames); rows sum
    to 1. Given the group, surname and block are independent.
    """

    group_of_block: np.ndarray
    surname_of_group: np.ndarray

    @classmethod
    def random(
        cls, rng: np.random.Generator, *, blocks: int = 60, groups: int = 4, surnames: int = 100
    ) -> Country:
        """Draw blocks in which one or two groups prevail, and surnames mostly of one group.

        Raises ValueError unless all three are whole numbers of at least 1.
        """
        for name, value in (("blocks", blocks), ("groups", groups), ("surnames", surnames)):
            arguments.whole(name, value, least=1)
        arguments.generator("rng", rng)
        return cls(
            rng.dirichlet(np.full(groups, 0.3), size=blocks),
            rng.dirichlet(np.full(surnames, 0.1), size=groups),
        )

    def residents(self, n: int, rng: np.random.Generator) -> Residents:
        """Draw n people, 1 or more, each in a random block; ValueError for another n."""
        n = arguments.whole("n", n, least=1)
        arguments.generator("rng", rng)
        block = rng.integers(len(self.group_of_block), size=n)
        group = _draw_from_each(self.group_of_block[block], rng)
        surname: np.ndarray = np.empty(n, dtype=int)
        for g, distribution in enumerate(self.surname_of_group):
            members = group == g
            surname[members] = rng.choice(len(distribution), size=members.sum(), p=distribution)
        return Residents(block, surname, group)


def _draw_from_each(distributions: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw once from the distribution in each row."""
    steps = distributions.cumsum(axis=1)[:, :-1]
    return (rng.random((len(distributions), 1)) > steps).sum(axis=1)
