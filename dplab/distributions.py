"""Probability distributions, those of the outputs of mechanisms.

A distribution is a small frozen object that can be sampled and that knows its log density. Finite
distributions are exact: everything about them is a sum. A `Product` has independent parts.
Distributions on a grid are in `dplab.discrete`, those on the real line and on vectors in
`dplab.continuous`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product as cartesian
from typing import Any

import numpy as np

from dplab import arguments

ROUNDING = 1e-9  # how far the sum of probabilities may be from 1


class Distribution(ABC):
    """The distribution of one random outcome."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        """Draw one outcome, or an array of independent outcomes of shape `size`.

        Raises ValueError unless `rng` is a generator.
        """

    @abstractmethod
    def log_density(self, outcome: Any) -> Any:
        """Return the log probability (discrete) or log density (continuous), -inf off support."""


@dataclass(frozen=True, eq=False)
class Finite(Distribution):
    """A distribution on finitely many outcomes, P(outcomes[i]) = exp(log_probabilities[i]).

    Outcomes are distinct hashable values; log probabilities are natural logarithms, -inf for an
    impossible outcome. Raises ValueError if outcomes repeat or probabilities do not sum to one.

    >>> coin = Finite.of({"heads": 0.25, "tails": 0.75})
    >>> float(coin.map(len).probabilities[0])
    1.0
    """

    outcomes: tuple[Hashable, ...]
    log_probabilities: np.ndarray

    def __post_init__(self):
        arguments.settle(self, arguments.sequence, "outcomes", is_hashable=True)
        logs = arguments.to_floats(self.log_probabilities)
        if logs is None:
            raise ValueError("log_probabilities must hold real numbers or -inf")
        logs = freeze(logs)
        object.__setattr__(self, "log_probabilities", logs)
        if logs.shape != (len(self.outcomes),):
            raise ValueError(
                f"log_probabilities must have shape ({len(self.outcomes)},), not {logs.shape}"
            )
        if len(set(self.outcomes)) < len(self.outcomes):
            raise ValueError(f"outcomes must be distinct, not {self.outcomes!r}")
        total = np.exp(logs).sum()
        if not abs(total - 1) <= ROUNDING:
            raise ValueError(f"probabilities must sum to 1, not {total!r}")

    @classmethod
    def of(cls, probabilities: dict[Hashable, float]) -> Finite:
        """Build a distribution from a dict of outcome to probability.

        Raises ValueError unless probabilities are at least 0 and sum to 1.
        """
        values = np.fromiter(probabilities.values(), dtype=float, count=len(probabilities))
        if not (values >= 0).all():
            raise ValueError(f"probabilities must be at least 0, not {values.min()!r}")
        with np.errstate(divide="ignore"):
            return cls(tuple(probabilities), np.log(values))

    @property
    def probabilities(self) -> np.ndarray:
        """P(outcome) for each of `outcomes`, shape (len(outcomes),)."""
        return np.exp(self.log_probabilities)

    @property
    def support(self) -> tuple[Hashable, ...]:
        """The outcomes of positive probability."""
        return tuple(o for o, p in zip(self.outcomes, self.probabilities, strict=True) if p > 0)

    @cached_property
    def _position(self) -> dict[Hashable, int]:
        return {outcome: i for i, outcome in enumerate(self.outcomes)}

    @cached_property
    def _outcome_array(self) -> np.ndarray:
        if all(isinstance(o, int | float | np.number) for o in self.outcomes):
            return np.array(self.outcomes)
        array: np.ndarray = np.empty(len(self.outcomes), dtype=object)
        array[:] = self.outcomes
        return array

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        weights = self.probabilities
        return self._outcome_array[rng.choice(len(weights), size=size, p=weights / weights.sum())]

    def log_density(self, outcome: Any) -> float:
        i = self._position.get(outcome)
        return -np.inf if i is None else float(self.log_probabilities[i])

    def log_densities(self, outcomes: Sequence[Hashable]) -> np.ndarray:
        """Return the log probability of each outcome, shape (len(outcomes),)."""
        if isinstance(outcomes, tuple) and outcomes == self.outcomes:
            return self.log_probabilities
        return np.array([self.log_density(outcome) for outcome in outcomes])

    def expectation(self, function: Callable[[Any], float]) -> float:
        """Return E[function(outcome)], a sum over the support."""
        possible = self.probabilities > 0  # elsewhere the function may be infinite
        values = [function(outcome) for outcome in self.support]
        return float(np.dot(self.probabilities[possible], values))

    def map(self, function: Callable[[Any], Hashable]) -> Finite:
        """Return the distribution of function(outcome): the push-forward, as in post-processing."""
        image: dict[Hashable, float] = {}
        for outcome, log in zip(self.outcomes, self.log_probabilities, strict=True):
            value = function(outcome)
            image[value] = np.logaddexp(image.get(value, -np.inf), log)
        return Finite(tuple(image), np.array(list(image.values())))


@dataclass(frozen=True, eq=False)
class Product(Distribution):
    """The distribution of independent parts: log density is the sum of the factors' log densities.

    Outcomes are sequences of one part for each factor; samples carry the parts on the last axis.
    Raises ValueError if there are no factors.
    """

    factors: tuple[Distribution, ...]

    def __post_init__(self):
        factors = arguments.instances("factors", self.factors, Distribution)
        object.__setattr__(self, "factors", factors)

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None
    ) -> np.ndarray:
        return np.stack([factor.sample(rng, size) for factor in self.factors], axis=-1)

    def log_density(self, outcome: Any) -> Any:
        parts = zip(self.factors, outcome, strict=True)
        return sum(factor.log_density(part) for factor, part in parts)

    def enumerate(self) -> Finite:
        """Return the same distribution as one `Finite` on tuples.

        The number of tuples is the product of the sizes of the factors. Raises ValueError if a
        factor is not finite.
        """
        finite, logs = [], np.zeros(1)
        for factor in self.factors:
            distribution = factor.enumerate() if isinstance(factor, Product) else factor
            if not isinstance(distribution, Finite):
                raise ValueError(
                    f"only finite factors can be enumerated, not {type(distribution).__name__}"
                )
            finite.append(distribution)
            logs = np.add.outer(logs, distribution.log_probabilities).ravel()
        return Finite(_list_tuples(tuple(distribution.outcomes for distribution in finite)), logs)


def enumerate_law(law: Distribution) -> Finite:
    """Return a finite distribution or a product of such as one `Finite`, or raise ValueError."""
    if isinstance(law, Finite):
        return law
    if isinstance(law, Product):
        return law.enumerate()
    if not isinstance(law, Distribution):
        raise ValueError(f"law must be a Distribution, not of type {type(law).__name__}")
    raise ValueError(f"the distribution must have finitely many outcomes, not {type(law).__name__}")


@lru_cache(maxsize=64)
def _list_tuples(outcomes: tuple[tuple[Hashable, ...], ...]) -> tuple[tuple[Hashable, ...], ...]:
    # Distributions of one mechanism share this object, so that aligning them is an identity check.
    return tuple(cartesian(*outcomes))


def freeze(values: np.ndarray) -> np.ndarray:
    """Return a read-only copy, which later changes of `values` do not affect."""
    copy = values.copy()
    copy.setflags(write=False)
    return copy
