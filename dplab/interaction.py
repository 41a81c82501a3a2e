"""Conversations: an analyst asks; a curator pays from a budget and answers, or refuses.

A conversation is a mechanism, too: its output is the transcript, the tuple of all answers. The next
question may depend on the answers so far, and the transcript still keeps the guarantee of the
budget (`dplab.theorems.composition`). Every curator answers by a method `ask`, and raises `Refused`
if it does not answer.

Whether a question is refused depends on prices and neighbours, which are public, and never on the
data. Data that a mechanism doesn't accept, say NaN, or an answer off its grid, are moved to the
nearest accepted value, by the rule in `dplab.records`. The owner should check the data before: a
mechanism that the owner calls on them directly refuses the values that it doesn't accept. A
mechanism that fails for another reason, for instance because of a function that the analyst wrote,
raises MechanismError. It names the mechanism and says nothing else, and the price stays paid. No
noise hides that it failed, and no noise corrects a wrong sensitivity: a curator trusts each
mechanism to keep its guarantee, and to answer on every dataset.

Sources: Dwork, McSherry, Nissim and Smith (2006); Rogers, Roth, Ullman and Vadhan (2016) for prices
that are chosen on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, TypeVar

import numpy as np

from dplab import arguments, records
from dplab.budget import Budget
from dplab.budget import Refused as Refused  # raised by every `ask`
from dplab.distributions import Finite, enumerate_law
from dplab.guarantees import Guarantee
from dplab.mechanism import ExactMechanism, Mechanism
from dplab.neighbors import Neighbors

Answer = TypeVar("Answer")


class MechanismError(RuntimeError):
    """A mechanism failed on a curator's data; the message says which mechanism, and no more."""


def draw_privately(mechanism: Mechanism, draw: Callable[[], Answer]) -> Answer:
    """Return draw() by the rules of a conversation (`dplab.records`).

    Raises MechanismError if it fails: an error without cause or context, which may quote the data.
    """
    with records.conversation():
        try:
            return draw()
        except Exception:
            pass  # raise outside of this block, where Python adds no context
    raise MechanismError(
        f"{type(mechanism).__name__} failed on the data, and its price stays paid. To see why, "
        "call the mechanism on made-up data."
    )


class Curator:
    """An owner of data who answers mechanisms as long as the budget pays for them.

    All answers together keep `budget.total`, for any questions in any order. After a refusal the
    analyst may still ask for something cheaper. No error of `ask` or `check` quotes the data or a
    number that was computed from them. Raises ValueError unless `budget` is a Budget and `rng` a
    generator.

    >>> from dplab import GeometricMechanism, PureDP
    >>> curator = Curator([1, 0, 1], Budget(PureDP(1.0)), np.random.default_rng())
    >>> noisy = curator.ask(GeometricMechanism(sum, 1, 0.75))
    >>> curator.budget.remaining, curator.transcript == (noisy,)
    (PureDP(epsilon=0.25), True)
    """

    def __init__(self, data: Any, budget: Budget, rng: np.random.Generator):
        self.budget = arguments.instance("budget", budget, Budget)
        self._data, self._rng = data, arguments.generator("rng", rng, may_be_bits=True)
        self._neighbors: Neighbors | None = None
        self._answers: list = []

    @property
    def transcript(self) -> tuple:
        """All answers so far."""
        return tuple(self._answers)

    def ask(self, mechanism: Mechanism) -> Any:
        """Pay for one output of `mechanism` on the data, then draw it.

        Its price is `mechanism.price_in` the budget's kind of guarantee. Raises BudgetExceeded, a
        Refused, if that is above the remaining budget. Raises ValueError if the mechanism has a
        guarantee for other neighbours than earlier ones, or none of a kind that the budget takes.
        Then nothing is spent. Raises MechanismError if the mechanism fails; that costs its price.
        """
        self.check(mechanism)
        self.budget.pay(mechanism)
        self._neighbors = mechanism.neighbors
        answer = draw_privately(mechanism, lambda: mechanism(self._data, self._rng))
        self._answers.append(answer)
        return self._answers[-1]

    def require(self, holds: Callable[[Any], bool], problem: str) -> None:
        """Raise ValueError with this problem unless holds(data): for the owner of the data.

        It answers without noise. Call it before an analyst has the curator.
        """
        if not holds(self._data):
            raise ValueError(problem)

    def check(self, *mechanisms: Mechanism) -> None:
        """Raise the error that `ask` would raise for these in turn. Nothing is paid or drawn.

        Call it first if one result needs several answers. Otherwise some could be drawn before a
        later one is refused.
        """
        neighbors = self._neighbors
        for mechanism in mechanisms:
            if not isinstance(mechanism, Mechanism):
                raise ValueError(f"mechanism must be a Mechanism, not {mechanism!r}")
            neighbors = _agree_on_neighbors(mechanism, neighbors)
        self.budget.check(*mechanisms)


@dataclass(frozen=True)
class Interaction(ExactMechanism):
    """A conversation under a budget: its output is the transcript, the tuple of all answers.

        P(a_1, ..., a_k) = prod_i P(M_i(data) = a_i),   M_i = analyst((a_1, ..., a_{i-1}))

    `analyst(answers)` is the mechanism that the analyst wants next, after a tuple of answers; None
    ends the conversation, and so does a price that is above what is left of `total`.

    >>> from dplab import RandomizedResponse
    >>> twice = Interaction.of([RandomizedResponse(0.5), RandomizedResponse(0.25)])
    >>> twice.guarantee, len(twice.distribution(1).outcomes)
    (PureDP(epsilon=0.75), 4)
    """

    analyst: Callable[[tuple], ExactMechanism | None]
    total: Guarantee

    @classmethod
    def of(cls, mechanisms: Sequence[ExactMechanism]) -> Interaction:
        """Run all mechanisms in turn, whatever they answer; the total is the sum of the guarantees.

        Raises ValueError for no mechanisms, for several relations of neighbours, and for guarantees
        that have no sum.
        """
        steps = (*arguments.instances("mechanisms", mechanisms, Mechanism), None)
        for mechanism in steps[:-1]:
            _agree_on_neighbors(mechanism, steps[0].neighbors)
        total = reduce(add, [mechanism.guarantee for mechanism in steps[:-1]])
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

    def mechanisms_for(self, answers: tuple) -> list[ExactMechanism]:
        """Return the mechanisms that gave these answers, and the next one if there is one."""
        return self._replay(answers)[0]

    def price(self, transcript: tuple) -> Guarantee:
        """Return the cost of a whole transcript: the sum of its mechanisms' guarantees."""
        return self._replay(transcript)[1].spent

    def _replay(self, answers: tuple) -> tuple[list[ExactMechanism], Budget]:
        """Return the mechanisms of these answers, the next one if any, and the paying budget."""
        mechanisms: list[ExactMechanism] = []
        budget, neighbors = Budget(self.total), None
        for i in range(len(answers) + 1):
            mechanism = self.analyst(answers[:i])
            if mechanism is None or not budget.allows(mechanism):
                break
            neighbors = _agree_on_neighbors(mechanism, neighbors)
            budget.pay(mechanism)
            mechanisms.append(mechanism)
        return mechanisms, budget

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the transcript, by enumeration; all must be finite."""
        transcripts = dict(self._transcripts(data, (), 0.0))
        return Finite(tuple(transcripts), np.array(list(transcripts.values())))

    def _transcripts(self, data: Any, answers: tuple, log: float) -> Iterator[tuple[tuple, float]]:
        mechanisms = self.mechanisms_for(answers)
        if len(mechanisms) == len(answers):
            yield answers, log
            return
        distribution = enumerate_law(mechanisms[-1].distribution(data))
        for answer, step in zip(distribution.outcomes, distribution.log_probabilities, strict=True):
            yield from self._transcripts(data, (*answers, answer), log + step)

    def __call__(self, data: Any, rng: np.random.Generator) -> tuple:
        """Run one conversation."""
        curator = Curator(data, Budget(self.total), rng)
        answers: tuple = ()
        while (mechanism := self.analyst(answers)) is not None:
            if not curator.budget.allows(mechanism):
                break
            answers = (*answers, _as_outcome(curator.ask(mechanism)))
        return answers


def _as_outcome(answer: Any) -> Any:
    """Return an answer of several parts as a tuple, as outcomes of distributions are."""
    return tuple(answer.tolist()) if isinstance(answer, np.ndarray) and answer.ndim == 1 else answer


def _agree_on_neighbors(mechanism: Mechanism, neighbors: Neighbors | None) -> Neighbors:
    """Return the mechanism's neighbors; ValueError if the conversation has other `neighbors`."""
    if neighbors not in (None, mechanism.neighbors):
        raise ValueError(
            "mechanism must have a guarantee for the same neighbors as before, "
            f"{neighbors}, not {mechanism.neighbors}"
        )
    return mechanism.neighbors
