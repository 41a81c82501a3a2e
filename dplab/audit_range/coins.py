"""Random choices of a release, drawn by a generator or enumerated for its exact law.

A release is a function `run(data, coins)` that takes all of its randomness from `coins`. With
`DrawnCoins` it returns one output. `enumerate_outputs` runs it once for each sequence of choices,
and so finds the probability of each output.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, Protocol

import numpy as np

TAIL = 1e-11  # the probability of noise that is cut off at each end
MAX_PATHS = 400_000  # sequences of choices


@dataclass(frozen=True)
class Choice:
    """A finite law: values, their probabilities, and the running sums of these."""

    values: tuple[Any, ...]
    probabilities: tuple[float, ...]
    cumulative: tuple[float, ...]

    @classmethod
    def of(cls, values: Sequence[Any], weights: Sequence[float]) -> Choice:
        """Return the law with probabilities proportional to the weights."""
        total = math.fsum(weights)
        probabilities = tuple(weight / total for weight in weights)
        return cls(tuple(values), probabilities, tuple(accumulate(probabilities)))


class CoinSource(Protocol):
    """A source of random choices."""

    def pick(self, choice: Choice) -> Any:
        """Return a value of this law."""

    def laplace(self, scale: float) -> float:
        """Return Laplace noise, computed in floats from a uniform float."""


class DrawnCoins:
    """Choices that a generator makes."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._random = rng.random

    def pick(self, choice: Choice) -> Any:
        place = bisect_right(choice.cumulative, self._random())
        return choice.values[min(place, len(choice.values) - 1)]

    def laplace(self, scale: float) -> float:
        uniform = self._random() - 0.5
        return math.copysign(scale * math.log1p(-2 * abs(uniform)), -uniform)


class NoLaw(Exception):
    """Raised where a release draws from a law that can't be enumerated."""


class _ReplayedCoins:
    """Choices by their places in a given list, and the first value after its end."""

    def __init__(self, places: list[int]) -> None:
        self.places, self.sizes, self.weight = places, list[int](), 1.0

    def pick(self, choice: Choice) -> Any:
        step = len(self.sizes)
        self.sizes.append(len(choice.values))
        if step == len(self.places):
            self.places.append(0)
        place = self.places[step]
        self.weight *= choice.probabilities[place]
        return choice.values[place]

    def laplace(self, scale: float) -> float:
        raise NoLaw


def enumerate_outputs(
    run: Callable[[Any, CoinSource], Hashable], data: Any
) -> dict[Any, float] | None:
    """Return the probability of each output, or None if there are too many choices, or floats."""
    law: dict[Any, float] = {}
    coins = _ReplayedCoins([])
    for _ in range(MAX_PATHS):
        try:
            output = run(data, coins)
        except NoLaw:
            return None
        law[output] = law.get(output, 0.0) + coins.weight
        places = _advance(coins.places, coins.sizes)
        if places is None:
            return law
        coins = _ReplayedCoins(places)
    return None


def _advance(places: list[int], sizes: list[int]) -> list[int] | None:
    """Return the next sequence of choices in order, or None after the last."""
    while places and places[-1] == sizes[len(places) - 1] - 1:
        places.pop()
    if not places:
        return None
    places[-1] += 1
    return places


@cache
def geometric(epsilon: float) -> Choice:
    """Return two-sided geometric noise: P[k] proportional to e^(-epsilon |k|).

    It hides a difference of 1 with `epsilon`. Outside of a range of probability 1 - 2 TAIL it is
    moved to the ends of the range, so the law is (epsilon, 2 TAIL)-DP, and `verify` forgives more.
    Source: Ghosh, Roughgarden and Sundararajan (2009).
    """
    ratio = math.exp(-epsilon)
    most = math.ceil(-math.log(TAIL * (1 + ratio)) / epsilon)
    inner = [(1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-most + 1, most)]
    end = ratio**most / (1 + ratio)
    return Choice.of(range(-most, most + 1), [end, *inner, end])


@cache
def flip(probability: float) -> Choice:
    """Return True with this probability, otherwise False."""
    return Choice.of((True, False), (probability, 1 - probability))


@cache
def keep_or_change(value: int, k: int, epsilon: float) -> Choice:
    """Return k-ary randomized response: the value has e^epsilon times the weight of any other."""
    return Choice.of(range(k), [math.exp(epsilon) if j == value else 1.0 for j in range(k)])


@cache
def noisy(count: int, epsilon: float, low: int, high: int) -> Choice:
    """Return the law of count + geometric noise, moved into low..high: the geometric mechanism.

    It is exactly epsilon-DP for counts that differ by 1, since moving is post-processing.
    """
    ratio = math.exp(-epsilon)
    inner = [(1 - ratio) / (1 + ratio) * ratio ** abs(k - count) for k in range(low + 1, high)]
    ends = [_lower_tail(ratio, distance) for distance in (low - count, count - high)]
    return Choice.of(range(low, high + 1), [ends[0], *inner, ends[1]])


def _lower_tail(ratio: float, k: int) -> float:
    """Return P[noise <= k] of two-sided geometric noise."""
    if k <= 0:
        return ratio**-k / (1 + ratio)
    return 1 - ratio ** (k + 1) / (1 + ratio)


@cache
def at_least(threshold: int, epsilon: float) -> Choice:
    """Return True with the probability that geometric noise is at least the threshold."""
    probability = _lower_tail(math.exp(-epsilon), -threshold)
    return flip(probability)
