"""Composition: epsilons add up, for an analyst who adapts, too, and a budget ends it in time.

Theorem. An analyst asks mechanisms one after another, each chosen after seeing the answers so far.
The curator answers as long as the epsilons asked for sum to at most a total, with fresh randomness
each time. Then the transcript of all answers is total-DP.

Proof. The probability of a transcript y is the product of P[M_i(x) = y_i], where M_i depends on
y_1, ..., y_{i-1} alone, and so is the same for x and its neighbour. Each factor's ratio is within
e^{+-epsilon_i}; the product's is within e^{+-(epsilon_1 + epsilon_2 + ...)}, at most e^{+-total}.

Source: Dwork, McSherry, Nissim and Smith (2006); Rogers, Roth, Ullman and Vadhan (2016) for prices
that are chosen on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab.accounting.budget import Budget
from dplab.accounting.composition import basic_composition
from dplab.distributions import Finite, enumerate_law
from dplab.guarantees import Guarantee, PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import Neighbors

SLACK = 1e-9  # for rounding, where an inequality holds with equality


@dataclass(frozen=True)
class Interaction(ExactMechanism):
    """A conversation under a budget: its output is the transcript, the tuple of all answers.

    `ask(answers)` is the mechanism that the analyst wants next, after a tuple of answers; None
    ends the conversation, and so does a price that is above what is left of `total`.

    >>> from dplab import RandomizedResponse
    >>> twice = Interaction.fixed([RandomizedResponse(0.5), RandomizedResponse(0.25)])
    >>> twice.guarantee, len(twice.distribution(1).outcomes)
    (PureDP(epsilon=0.75), 4)
    """

    ask: Callable[[tuple], ExactMechanism | None]
    total: Guarantee

    @classmethod
    def fixed(cls, mechanisms: Sequence[ExactMechanism]) -> Interaction:
        """All mechanisms in turn, whatever they answer; the total is the sum of the promises."""
        steps = (*mechanisms, None)
        total = basic_composition([mechanism.guarantee for mechanism in mechanisms])
        return cls(lambda answers: steps[len(answers)], total)

    @property
    def guarantee(self) -> Guarantee:
        return self.total

    @property
    def neighbors(self) -> Neighbors:
        """The meaning of "neighbouring" of the first mechanism."""
        first = self.ask(())
        if first is None:
            raise ValueError("ask(()) must be a mechanism, not None")
        return first.neighbors

    def answering(self, answers: tuple) -> list[ExactMechanism]:
        """The mechanisms that gave these answers, and the next one if there is one."""
        budget, found = Budget(self.total), []
        for i in range(len(answers) + 1):
            asked = self.ask(answers[:i])
            if asked is None or not budget.allows(asked.guarantee):
                break
            budget.pay(asked.guarantee)
            found.append(asked)
        return found

    def price(self, transcript: tuple) -> Guarantee:
        """What a whole transcript cost: the sum of the promises of what answered."""
        return basic_composition([m.guarantee for m in self.answering(transcript)])

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
        answers: tuple = ()
        while len(asked := self.answering(answers)) > len(answers):
            answers = (*answers, asked[-1](data, rng))
        return answers


@dataclass(frozen=True, eq=False)
class TranscriptLosses:
    """Each transcript of an interaction on two neighbours: its loss and what it cost.

    `losses[i]` is log P[M(x) = transcripts[i]] / P[M(y) = transcripts[i]], `prices[i]` the sum of
    epsilons that was paid along it.
    """

    transcripts: tuple[tuple, ...]
    losses: np.ndarray
    prices: np.ndarray
    total: float

    @property
    def holds(self) -> bool:
        """Whether every loss is within its price, and every price within the total."""
        within = np.abs(self.losses) <= self.prices + SLACK
        return bool(within.all() and (self.prices <= self.total + SLACK).all())

    @property
    def reached(self) -> bool:
        """Whether some transcript's loss is the whole total: the theorem can't be improved."""
        return bool(np.abs(self.losses).max() >= self.total - SLACK)


def transcript_losses(interaction: Interaction, x: Any, y: Any) -> TranscriptLosses:
    """Compare all transcripts on x with those on y; prices must be PureDP, else ValueError."""
    total = _epsilon(interaction.total)
    p, q = interaction.distribution(x), interaction.distribution(y)
    with np.errstate(invalid="ignore"):
        losses = p.log_probabilities - q.log_densities(p.outcomes)
    losses = np.where(np.isnan(losses), 0.0, losses)  # impossible on both
    transcripts: tuple[Any, ...] = p.outcomes
    prices = np.array([_epsilon(interaction.price(transcript)) for transcript in transcripts])
    return TranscriptLosses(transcripts, losses, prices, total)


def _epsilon(promise: Guarantee) -> float:
    if not isinstance(promise, PureDP):
        raise ValueError(f"interaction.total must be PureDP, not {promise!r}")
    return promise.epsilon
