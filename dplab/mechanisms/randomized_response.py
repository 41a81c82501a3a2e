"""Randomized response: everyone adds noise to their own answer, and nobody has to be trusted.

Let p be the probability to answer j if the truth is j, and q if it is not. An unbiased estimator
inverts the two: (1[answer = j] - q) / (p - q) has the mean 1[truth = j].

Sources: Warner (1965); Kairouz, Oh and Viswanath (2014) for k answers.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Distribution, Finite, Product
from dplab.estimates import Estimate
from dplab.guarantees import ApproxDP, Guarantee, PureDP
from dplab.losses import AtomicLoss
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE

MAX_CATEGORIES = 2**53  # floats tell no more of them apart
MAX_ANSWERS = 4096  # answers whose distributions, one for each truth, are stored


class LocalMechanism(ExactMechanism):
    """A mechanism that each person runs alone: an answer depends on one truth only.

    On a dataset of n truths the distribution is the product of n answer distributions. So the
    privacy loss of two neighbours is that of the single factor in which they differ.
    """

    neighbors = REPLACE_ONE

    @property
    @abstractmethod
    def answer_laws(self) -> tuple[Finite, ...]:
        """The distribution of the answer of a person whose truth is v, at position v."""

    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of one answer (of a truth) or of all answers (of a sequence).

        Raises ValueError for data that are not categories.
        """
        truths = records.categories("data", data, len(self.answer_laws))
        if truths.ndim == 0:
            return self.answer_laws[int(truths)]
        return Product(tuple(self.answer_laws[v] for v in truths.ravel()))

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return noisy answers, ints of the same shape as data: the local release of a dataset.

        Raises ValueError for other arguments.
        """
        truths = records.categories("data", data, len(self.answer_laws))
        arguments.generator("rng", rng)
        cumulative = np.cumsum([p.probabilities for p in self.answer_laws], axis=1)
        draws = rng.random(truths.shape)
        return (draws[..., None] >= cumulative[truths][..., :-1]).sum(axis=-1)


@dataclass(frozen=True)
class RandomizedResponse(LocalMechanism):
    """The mechanism that answers the truth with probability e^epsilon / (e^epsilon + k - 1).

        P(answer = j | truth = i) = e^epsilon / (e^epsilon + k - 1) if j = i,
                                    1 / (e^epsilon + k - 1) otherwise

    Otherwise it answers another category, uniformly: epsilon-DP for each person. There are k
    categories 0..k-1; for k = 2 the truth has probability
    e^epsilon / (1 + e^epsilon). Raises ValueError unless epsilon > 0 and 2 <= k <= 2^53.

    >>> mechanism = RandomizedResponse(epsilon=np.log(3))
    >>> float(round(mechanism.truth_probability, 12))
    0.75
    >>> round(mechanism.privacy_loss([0, 1, 1], [1, 1, 1]).largest_log_ratio, 6)
    1.098612
    """

    epsilon: float
    k: int = 2

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.whole, "k", least=2, most=MAX_CATEGORIES)

    @classmethod
    def from_truth_probability(cls, p: float) -> RandomizedResponse:
        """Return Warner's design: with probability p answer "I do", otherwise the opposite.

        epsilon = log(p / (1 - p)); p must be above 1/2 and below 1.
        """
        p = arguments.number("p", p, above=0.5, below=1)
        return cls(float(np.log(p / (1 - p))))

    @property
    def worst_case(self) -> AtomicLoss:
        """The loss of one truth against another; the other k - 2 answers have loss 0."""
        p, q = self.truth_probability, self.lie_probability
        masses, losses = np.array([q, (self.k - 2) * q, p]), self.epsilon * np.array([-1, 0, 1])
        possible = masses + masses[::-1] > 0
        return AtomicLoss(losses[possible], masses[possible], masses[::-1][possible])

    @property
    def truth_probability(self) -> float:
        """p = e^epsilon / (e^epsilon + k - 1)."""
        return float(1 / (1 + (self.k - 1) * np.exp(-self.epsilon)))

    @property
    def lie_probability(self) -> float:
        """q = 1 / (e^epsilon + k - 1), of each single category that is not the truth."""
        rare = np.exp(-self.epsilon)
        return float(rare / (1 + (self.k - 1) * rare))

    @property
    def gap(self) -> float:
        """p - q = (e^epsilon - 1) / (e^epsilon + k - 1), with all digits also for a small epsilon.

        Raises ValueError if it is so small that it lacks digits or its inverse overflows.
        """
        gap = -np.expm1(-self.epsilon) / (1 + (self.k - 1) * np.exp(-self.epsilon))
        return arguments.number("p - q", gap, least=float(np.finfo(float).tiny))

    @cached_property
    def answer_laws(self) -> tuple[Finite, ...]:
        arguments.whole("k", self.k, least=2, most=MAX_ANSWERS)
        total = np.logaddexp(self.epsilon, np.log(self.k - 1))
        answers = tuple(range(self.k))
        return tuple(
            Finite(answers, np.where(np.arange(self.k) == truth, self.epsilon, 0.0) - total)
            for truth in answers
        )

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return noisy answers, ints of the same shape as data, for any number of categories.

        The distribution of an answer is inverted: q for each category below the truth, p for the
        truth, q for each above.

        Raises ValueError for other arguments.
        """
        truths = records.categories("data", data, self.k)
        arguments.generator("rng", rng)
        p, q = self.truth_probability, self.lie_probability
        u = rng.random(truths.shape)
        excess = u - truths * q - p
        with np.errstate(divide="ignore", invalid="ignore"):  # nobody lies if q = 0
            lies = np.where(excess < 0, u / q, truths + 1 + excess / q)
            reply = np.where((u >= truths * q) & (excess < 0), truths, np.minimum(lies, self.k - 1))
        return reply.astype(int)

    def debias(self, answers: Any, category: int = 1) -> np.ndarray:
        """Return z with E[z] = 1[truth = category]: z = (1[answer = category] - q) / (p - q).

        It is elementwise, so z has the shape of `answers`. For k = 2 and category 1 it is
        z = (y - 1/(1 + e^epsilon)) (e^epsilon + 1) / (e^epsilon - 1). Raises ValueError for answers
        that are no categories.
        """
        answers = arguments.categories("answers", answers, self.k)
        category = arguments.whole("category", category, least=0, most=self.k - 1)
        return ((answers == category) - self.lie_probability) / self.gap

    def frequency(self, answers: Any, category: int = 1) -> Estimate:
        """Estimate the share of people whose truth is `category`: the mean of `debias`.

        It is unbiased, so it may be below 0 or above 1. The standard error is that of the coins
        alone, at the estimated share.
        """
        value = float(self.debias(answers, category).mean())
        variance = self.frequency_variance(np.clip(value, 0, 1), n=np.size(answers))
        return Estimate(value, variance**0.5)

    def frequency_variance(self, share: float, n: int) -> float:
        """Return the variance of `frequency`: (s p(1-p) + (1-s) q(1-q)) / (n (p-q)^2).

        Only the coins vary. For k = 2 it is e^epsilon / (n (e^epsilon - 1)^2) for every share s.
        Raises ValueError unless the share is from 0 to 1 and n a whole number of at least 1.
        """
        share = arguments.number("share", share, least=0, most=1)
        n = arguments.whole("n", n, least=1)
        p, q = self.truth_probability, self.lie_probability
        variance = share * p * (self.k - 1) * q + (1 - share) * q * (1 - q)
        return variance / n / self.gap / self.gap  # the square of the gap may underflow


@dataclass(frozen=True)
class CoinSurvey(LocalMechanism):
    """A survey with a coin: heads (probability theta) says the truth, tails a YES of chance `yes`.

        P(answer = 1 | truth) = theta truth + (1 - theta) yes

    With yes = 1 tails always says YES. Then it estimates well, but it is not epsilon-DP for any
    epsilon: a NO proves innocence. It is (0, theta)-DP, and no better. With 0 < yes < 1 it is
    log(1 + theta / ((1 - theta) min(yes, 1 - yes)))-DP; yes = 1/2 gives the least epsilon,
    log((1 + theta) / (1 - theta)).
    Answers are 1 (YES) and 0 (NO). Raises ValueError unless 0 < theta <= 1 and 0 <= yes <= 1.

    >>> CoinSurvey(theta=0.5).guarantee
    ApproxDP(epsilon=0.0, delta=0.5)
    >>> round(CoinSurvey(theta=0.5, yes=0.5).guarantee.epsilon, 6)
    1.098612
    """

    theta: float
    yes: float = 1.0

    def __post_init__(self):
        arguments.settle(self, arguments.number, "theta", above=0, most=1)
        arguments.settle(self, arguments.number, "yes", least=0, most=1)

    @cached_property
    def answer_laws(self) -> tuple[Finite, ...]:
        forced = (1 - self.theta) * np.array([1 - self.yes, self.yes])
        rows = (forced + self.theta * np.eye(2)[truth] for truth in (0, 1))
        return tuple(Finite.of({0: row[0], 1: row[1]}) for row in rows)

    @property
    def guarantee(self) -> Guarantee:
        rarest = (1 - self.theta) * min(self.yes, 1 - self.yes)
        if rarest == 0:
            return ApproxDP(0.0, self.theta)
        return PureDP(float(np.log1p(self.theta / rarest)))

    def share(self, answers: Any) -> Estimate:
        """Estimate the share of the population whose truth is 1.

        With pi the share of YES, (pi - (1 - theta) yes) / theta; for yes = 1 this is (pi - 1 +
        theta) / theta. Its variance under sampling from a population is pi (1 - pi) / (n theta^2).
        It is unbiased, so it may be outside of [0, 1]. Raises ValueError for answers other than 0
        and 1, or none.
        """
        answers = arguments.categories("answers", answers, 2)
        pi = float(answers.mean())
        value = (pi - (1 - self.theta) * self.yes) / self.theta
        return Estimate(value, (pi * (1 - pi) / answers.size) ** 0.5 / self.theta)
