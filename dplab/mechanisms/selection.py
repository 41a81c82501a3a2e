"""Choosing the best candidate privately: the exponential mechanism and permute-and-flip.

Each candidate has a score on the data, and no neighbour changes a score by more than the
sensitivity. A candidate's advantage is its score times rate = epsilon / (2 sensitivity). Scores are
monotone if neighbours move all of them in the same direction, for example counts when a record is
added. For monotone scores the rate epsilon / sensitivity is as private.

Sources: McSherry and Talwar (2007); McKenna and Sheldon (2020); Dong, Durfee and Rogers (2020) for
bounded range.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import BoundedRange, PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation
from dplab.quadrature import gauss_legendre

MAX_CANDIDATES = 1000  # the limit for the distribution of permute-and-flip


@dataclass(frozen=True)
class Selection(ExactMechanism):
    """A choice among `candidates`, by scores that `scores(data)` returns in the same order.

    `sensitivity` is the most that one score changes between neighbours, in the scores' units. A
    score of -inf makes a candidate impossible, and is private only if it is -inf on all datasets.
    It is epsilon-DP. Raises ValueError unless sensitivity and epsilon are above 0 and there are
    distinct candidates; on a call, unless there is one score for each, none NaN or inf, and one
    finite.
    """

    candidates: Sequence[Hashable]
    scores: Callable[[Any], Any]
    sensitivity: float
    epsilon: float
    monotone: bool = False
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(
            self, arguments.sequence, "candidates", is_hashable=True, may_be_empty=True
        )
        arguments.settle(self, arguments.function, "scores")
        arguments.settle(self, arguments.flag, "monotone")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", above=0)
        arguments.number("epsilon / sensitivity", self.rate, above=0)
        object.__setattr__(self, "candidates", tuple(self.candidates))
        if not self.candidates or len(set(self.candidates)) < len(self.candidates):
            raise ValueError("candidates must be distinct, and at least one")

    @property
    def worst_case(self) -> BoundedRange | PureDP:
        return PureDP(self.epsilon)

    @property
    def rate(self) -> float:
        """epsilon / (2 sensitivity), or epsilon / sensitivity for monotone scores."""
        return self.epsilon / self.sensitivity / (1 if self.monotone else 2)

    def advantages(self, data: Any) -> np.ndarray:
        """Return rate (score - best score) of each candidate: 0 for the best, or negative.

        Raises ValueError for scores that the class does not allow.
        """
        scores = records.scores("scores(data)", self.scores(data))
        if scores.shape != (len(self.candidates),):
            raise ValueError(f"scores(data) must have shape ({len(self.candidates)},)")
        best = scores.max()
        with np.errstate(over="ignore"):  # the difference of halves can't overflow
            return 2 * (self.rate * (scores / 2 - best / 2))

    @abstractmethod
    def log_law(self, advantages: np.ndarray) -> np.ndarray:
        """Return log P(candidate) for each, given all advantages."""

    @abstractmethod
    def choose(self, advantages: np.ndarray, rng: np.random.Generator) -> int:
        """Draw the index of a candidate."""

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the chosen candidate."""
        return Finite(tuple(self.candidates), self.log_law(self.advantages(data)))

    def __call__(self, data: Any, rng: np.random.Generator) -> Hashable:
        """Draw a candidate, without computing the distribution.

        Raises ValueError for other arguments.
        """
        advantages = self.advantages(data)
        arguments.generator("rng", rng)
        return self.candidates[self.choose(advantages, rng)]


class ExponentialMechanism(Selection):
    """The mechanism with P(candidate) proportional to e^{rate score}: epsilon-DP.

        P(output = i) = e^{rate score_i} / sum_j e^{rate score_j}
        rate = epsilon / (2 sensitivity), for monotone scores epsilon / sensitivity

    `scores(data)` returns a score for each of `candidates`, in their order. `sensitivity` is the
    most that one score changes between neighbours. The bounded range of the mechanism is epsilon,
    so it is (epsilon^2 / 8)-zCDP, a quarter of the rho that epsilon-DP alone would give. The
    expected score is within log(candidates) / rate of the best. A draw is the candidate with the
    largest rate score + Gumbel variable, computed in log space. Errors as for `Selection`.

    >>> vote = ExponentialMechanism("ab", lambda data: [data.count("a"), data.count("b")], 1, 1)
    >>> vote.distribution("aab").probabilities.round(4).tolist()
    [0.6225, 0.3775]
    >>> vote.bounded_range.to_zcdp()
    ZCDP(rho=0.125)
    """

    @property
    def worst_case(self) -> BoundedRange:
        """epsilon: a change of the scores moves all log probabilities within one such interval."""
        return BoundedRange(self.epsilon)

    def log_law(self, advantages: np.ndarray) -> np.ndarray:
        return log_softmax(advantages)

    def choose(self, advantages: np.ndarray, rng: np.random.Generator) -> int:
        return int(np.argmax(advantages + rng.gumbel(size=len(advantages))))


class PermuteAndFlip(Selection):
    """A mechanism that asks candidates in random order, until one accepts.

    Each accepts with probability e^{rate (score - best)}. It is epsilon-DP, and its expected score
    is never worse than that of the exponential mechanism. Its distribution is that of the noisy
    maximum with exponential noise. With p_j the probabilities of acceptance,

        P(i) = p_i integral_0^1 prod_{j != i} (1 - t p_j) dt,

    where t is i's place in the order: each other candidate comes earlier with probability t. The
    integrand is a polynomial, which Gauss and Legendre's rule integrates exactly, in positive
    terms. The distribution is computed for at most 1,000 candidates, otherwise it raises
    ValueError. Draws have no limit.

    >>> flip = PermuteAndFlip("ab", lambda data: [data.count("a"), data.count("b")], 1, 1)
    >>> flip.distribution("aab").probabilities.round(4).tolist()
    [0.6967, 0.3033]
    """

    def log_law(self, advantages: np.ndarray) -> np.ndarray:
        return permute_and_flip_log_law(advantages)

    def choose(self, advantages: np.ndarray, rng: np.random.Generator) -> int:
        accepts = np.flatnonzero(rng.random(len(advantages)) < np.exp(advantages))
        return int(rng.choice(accepts))  # each of them is equally likely to come first


def log_softmax(advantages: np.ndarray) -> np.ndarray:
    """Return log(e^{a_i} / sum_j e^{a_j}) for numbers of which the largest is 0."""
    return advantages - np.log(np.exp(advantages).sum())


def permute_and_flip_log_law(advantages: np.ndarray) -> np.ndarray:
    """Return the log probabilities of `PermuteAndFlip`; ValueError above 1,000 advantages."""
    count = len(advantages)
    if count > MAX_CANDIDATES:
        raise ValueError(f"candidates must be at most {MAX_CANDIDATES} for this law, not {count}")
    nodes, weights = gauss_legendre((count + 1) // 2)
    refusals = np.log1p(-np.outer(nodes, np.exp(advantages)))  # log(1 - t p_j)
    other_refusals = refusals.sum(axis=1, keepdims=True) - refusals
    return advantages + np.log(weights @ np.exp(other_refusals))
