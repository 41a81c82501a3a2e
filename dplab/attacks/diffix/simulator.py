"""Thousands of questions at once that differ in one condition, answered as the curator would.

Reading SQL and filtering a table takes a millisecond or more a question; the reconstruction of a
nine-digit number asks 129,600. The simulator gets the people who meet the conditions that all
questions share, and the sets as one matrix. Its noise has the same seeds as the curator's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.attacks.diffix import noise
from dplab.attacks.diffix.batch import Batch
from dplab.attacks.diffix.digits import Digit
from dplab.attacks.diffix.generations import Generation
from dplab.attacks.diffix.sql import parse


@dataclass(frozen=True, eq=False)
class Simulator:
    """A curator that answers `question AND digit` for many digits.

    `question` is SQL with at least one condition; `users` and `values` have an entry for each of
    the n people who meet it: the name, and the value that the person adds.

    Raises ValueError for other arguments.

    >>> from dplab.attacks.diffix import LAYERED
    >>> question = "SELECT count(*) FROM loans WHERE status = 'C'"
    >>> loans = Simulator(question, [2008, 2063, 2136], [1, 1, 1], LAYERED, salt="secret")
    >>> loans.answers([Digit("client_id", 2, 0.7, 100)], [[True, False, True]]).shape
    (1,)
    """

    question: str
    users: Sequence
    values: Sequence[float]
    generation: Generation
    salt: str

    def __post_init__(self):
        arguments.settle(self, arguments.text, "question", "salt")
        arguments.settle(self, arguments.sequence, "users")
        arguments.instance("generation", self.generation, Generation)
        values = arguments.reals("values", self.values, ndim=1)
        if len(values) != len(self.users):
            raise ValueError(
                f"users and values must have one length, not {len(self.users)} and {len(values)}"
            )

    def answers(
        self, digits: Sequence[Digit], members: ArrayLike, rng: np.random.Generator | None = None
    ) -> np.ndarray:
        """Answer all: shape (m,), NaN where suppressed; `members` is True or False, (m, n)."""
        query, extra = parse(self.question), [digit.condition for digit in digits]
        batch = Batch(
            np.asarray(members, dtype=bool),
            noise.seeds(self.salt, [str(user) for user in self.users]),
            np.asarray(self.values, dtype=float),
            [f"{self.question} AND {condition.text}" for condition in extra],
            [(*query.static_layers, condition.name) for condition in extra],
            [(*query.dynamic_layers, *condition.elements) for condition in extra],
        )
        return batch.answers(self.generation, self.salt, rng)
