"""Conversations: an analyst asks, a curator pays from a budget and answers, or refuses.

A conversation is a mechanism, too: its output is the transcript, the tuple of all answers. What is
asked next may depend on the answers so far; the transcript keeps the promise of the budget all the
same (`dplab.theorems.composition`). Whoever answers questions does so by `ask`, and raises
`Refused` where the answer is no.

Sources: Dwork, McSherry, Nissim and Smith (2006); Rogers, Roth, Ullman and Vadhan (2016) for prices
that are chosen on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from dplab.budget import Budget
from dplab.budget import Refused as Refused  # whoever answers by `ask` raises it
from dplab.distributions import Finite, enumerate_law
from dplab.guarantees import Guarantee
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.neighbors import Neighbors


class Curator:
    """Holds data, and answers mechanisms as long as the budget pays for them.

    Whatever is asked, in whatever order, all answers together keep `budget.total`. After a refusal
    something smaller may still be asked.

    >>> from dplab import GeometricMechanism, PureDP
    >>> curator = Curator([1, 0, 1], Budget(PureDP(1.0)), np.random.default_rng())
    >>> noisy = curator.ask(GeometricMechanism(sum, 1, 0.75))
    >>> curator.budget.left, curator.transcript == (noisy,)
    (PureDP(epsilon=0.25), True)
    """

    def __init__(self, data: Any, budget: Budget, rng: np.random.Generator):
        self.budget = budget
        self._data, self._rng = data, rng
        self._neighbors: Neighbors | None = None
        self._answers: list = []

    @property
    def transcript(self) -> tuple:
        """All answers so far."""
        return tuple(self._answers)

    def ask(self, mechanism: Mechanism) -> Any:
        """One output of `mechanism` on the data, paid for before it is drawn.

        Raises BudgetExceeded, a Refused, if its guarantee is above what is left; ValueError if it
        promises for other neighbours than those before, or in a kind that the budget can't pay.
        Then nothing is spent.
        """
        self.check(mechanism)
        self.budget.pay(mechanism.guarantee)
        self._neighbors = mechanism.neighbors
        self._answers.append(mechanism(self._data, self._rng))
        return self._answers[-1]

    def check(self, *mechanisms: Mechanism) -> None:
        """Raise what `ask` would if it were asked for all of these in turn; pay and draw nothing.

        Whoever needs several answers for one asks this first: else the first ones would be drawn,
        and then a later one refused.
        """
        neighbors = self._neighbors
        for mechanism in mechanisms:
            if not isinstance(mechanism, Mechanism):
                raise ValueError(f"mechanism must be a Mechanism, not {mechanism!r}")
            neighbors = _same_neighbors(mechanism, neighbors)
        self.budget.check(*(mechanism.guarantee for mechanism in mechanisms))


@dataclass(frozen=True)
class Interaction(ExactMechanism):
    """A conversation under a budget: its output is the transcript, the tuple of all answers.

    `analyst(answers)` is the mechanism that the analyst wants next, after a tuple of answers; None
    ends the conversation, and so does a price that is above what is left of `total`.

    >>> from dplab import RandomizedResponse
    >>> twice = Interaction.fixed([RandomizedResponse(0.5), RandomizedResponse(0.25)])
    >>> twice.guarantee, len(twice.distribution(1).outcomes)
    (PureDP(epsilon=0.75), 4)
    """

    analyst: Callable[[tuple], ExactMechanism | None]
    total: Guarantee

    @classmethod
    def fixed(cls, mechanisms: Sequence[ExactMechanism]) -> Interaction:
        """All mechanisms in turn, whatever they answer; the total is the sum of the promises.

        Raises ValueError for no mechanisms, or promises whose sum there isn't.
        """
        if not mechanisms:
            raise ValueError("mechanisms must not be empty")
        steps = (*mechanisms, None)
        total = reduce(add, [mechanism.guarantee for mechanism in mechanisms])
        return cls(lambda answers: steps[len(answers)], total)

    @property
    def guarantee(self) -> Guarantee:
        return self.total

    @property
    def neighbors(self) -> Neighbors:
        """The meaning of "neighbouring" of the first mechanism.

        Raises ValueError where the analyst asks for none.
        """
        first = self.analyst(())
        if first is None:
            raise ValueError("analyst(()) must be a mechanism, not None")
        return first.neighbors

    def answering(self, answers: tuple) -> list[ExactMechanism]:
        """The mechanisms that gave these answers, and the next one if there is one."""
        return self._replayed(answers)[0]

    def price(self, transcript: tuple) -> Guarantee:
        """What a whole transcript cost: the sum of the promises of what answered."""
        return self._replayed(transcript)[1].spent

    def _replayed(self, answers: tuple) -> tuple[list[ExactMechanism], Budget]:
        """Who gave these answers, with the next one if there is one, and what all of them cost."""
        found: list[ExactMechanism] = []
        budget, neighbors = Budget(self.total), None
        for i in range(len(answers) + 1):
            asked = self.analyst(answers[:i])
            if asked is None or not budget.allows(asked.guarantee):
                break
            neighbors = _same_neighbors(asked, neighbors)
            budget.pay(asked.guarantee)
            found.append(asked)
        return found, budget

    def distribution(self, data: Any) -> Finite:
        """The law of the transcript, by enumeration; every mechanism's law must be finite."""
        transcripts = dict(self._transcripts(data, (), 0.0))
        return Finite(tuple(transcripts), np.array(list(transcripts.values())))

    def _transcripts(self, data: Any, answers: tuple, log: float) -> Iterator[tuple[tuple, float]]:
        asked = self.answering(answers)
        if len(asked) == len(answers):
            yield answers, log
            return
        law = enumerate_law(asked[-1].distribution(data))
        for answer, step in zip(law.outcomes, law.log_probabilities, strict=True):
            yield from self._transcripts(data, (*answers, answer), log + step)

    def __call__(self, data: Any, rng: np.random.Generator) -> tuple:
        """One conversation."""
        curator = Curator(data, Budget(self.total), rng)
        answers: tuple = ()
        while (asked := self.analyst(answers)) is not None:
            if not curator.budget.allows(asked.guarantee):
                break
            answers = (*answers, _as_outcome(curator.ask(asked)))
        return answers


def _as_outcome(answer: Any) -> Any:
    """An answer of several parts as laws have it, a tuple."""
    return tuple(answer.tolist()) if isinstance(answer, np.ndarray) and answer.ndim == 1 else answer


def _same_neighbors(mechanism: Mechanism, agreed: Neighbors | None) -> Neighbors:
    """What a conversation means by neighbours, `agreed` before; ValueError for something else."""
    if agreed not in (None, mechanism.neighbors):
        raise ValueError(
            f"mechanism must promise for the same neighbors as before, {agreed}, "
            f"not {mechanism.neighbors}"
        )
    return mechanism.neighbors
