"""The mean of a bounded number, from one bit of each person.

Scale x to [0, 1], and send a 1 with a probability that moves from the lie's to the truth's of
randomized response as x moves from 0 to 1. The mean of the bits moves with the mean of x, so it can
be debiased. Rounding x to a bit is part of the noise that hides it.

Source: Ding, Kulkarni and Yekhanin, Collecting telemetry data privately (2017), Section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Distribution, Finite, Product
from dplab.estimates import Estimate
from dplab.losses import AtomicLoss
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.neighbors import REPLACE_ONE


@dataclass(frozen=True)
class OneBitMean(ExactMechanism):
    """The mechanism that sends one bit about a number between `low` and `high`.

        P(answer = 1 | x) = (1 + t (e^epsilon - 1)) / (e^epsilon + 1),
        t = (x - low) / (high - low)

    It is randomized response at both ends, and the ratio of two numbers between is smaller:
    epsilon-DP for each person. Numbers outside count as the nearest end. Raises ValueError unless
    epsilon > 0 and low < high.

    Source: Ding, Kulkarni and Yekhanin (2017).

    >>> mechanism = OneBitMean(epsilon=np.log(3), low=0, high=24)
    >>> mechanism.distribution(12.0).probabilities.round(6).tolist()
    [0.5, 0.5]
    """

    epsilon: float
    low: float = 0.0
    high: float = 1.0

    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.number, "low")
        arguments.settle(self, arguments.number, "high", above=self.low)
        arguments.number("high - low", self.high - self.low, least=arguments.SMALLEST)

    @property
    def worst_case(self) -> AtomicLoss:
        """The loss of `high` against `low`."""
        return RandomizedResponse(self.epsilon).worst_case

    def distribution(self, data: Any) -> Distribution:
        """Return the distribution of one bit (of a number) or of all bits (of a sequence).

        Raises ValueError for data that are no numbers.
        """
        chances = self._chances(data)
        laws = [Finite.of({0: 1 - chance, 1: chance}) for chance in chances.ravel()]
        return laws[0] if chances.ndim == 0 else Product(tuple(laws))

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        """Return a bit for each number, ints of the shape of data.

        Raises ValueError for other arguments.
        """
        chances = self._chances(data)
        arguments.generator("rng", rng)
        return (rng.random(chances.shape) < chances).astype(int)

    def mean(self, answers: Any) -> Estimate:
        """Estimate the mean of the numbers: low + (high - low) (mean bit - q) / (p - q).

        It is unbiased, so it may be outside of [low, high]. The standard error counts the coins,
        at their largest variance of 1/4: (high - low) / (2 (p - q) sqrt(n)). Raises ValueError for
        answers other than 0 and 1, or none.
        """
        bits = arguments.categories("answers", answers, 2)
        coin, width = RandomizedResponse(self.epsilon), self.high - self.low
        value = self.low + width * float(bits.mean() - coin.lie_probability) / coin.gap
        return Estimate(value, width / (2 * coin.gap * bits.size**0.5))

    def _chances(self, data: Any) -> np.ndarray:
        numbers = records.clip("data", data, self.low, self.high)
        shares = (numbers - self.low) / (self.high - self.low)
        coin = RandomizedResponse(self.epsilon)
        return coin.lie_probability + np.minimum(shares, 1) * coin.gap
