"""Partition selection: which keys of a table may be named, when nobody has listed them.

A table is grouped by a key: a word, a page, a place. Even to name a key tells that somebody has it.
A key that one person alone has may be named with probability delta at most.

`StabilityHistogram` names a key if its noisy count reaches a threshold, and publishes this count.
Here only the names are published, each with the largest probability that a guarantee allows.

Source: Desfontaines, Voss, Gipson and Mandayam (2022), "Differentially private partition
selection", Theorems 1 and 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import ADD_REMOVE

MAX_KEYS = 16  # of a dataset whose distribution is enumerated


@dataclass(frozen=True)
class PartitionSelection(ExactMechanism):
    """The mechanism that names each key with the largest probability that privacy allows.

        pi(0) = 0,   pi(n + 1) = min(e^e pi(n) + d, 1 - e^-e (1 - pi(n) - d), 1)
        e = epsilon / bound,   d = delta / bound

    Keys are named independently of each other, and pi(n) is the probability for a key that n people
    have. A record of the data is one person's: a tuple of keys, or a single key. Of a tuple the
    first `bound` different keys count. So a person who comes or goes changes at most `bound`
    counts by 1, and each costs (e, d): (epsilon, delta)-DP in total. No (e, d)-DP way to name a key
    that never names one without people has a larger probability at any n. The output is a
    frozenset of keys. Raises ValueError unless epsilon > 0, 0 < delta < 1 and bound >= 1.

    Coins are floats, to be looked at: a deployment draws them exactly (`dplab.sampling`).

    >>> names = PartitionSelection(epsilon=1, delta=1e-6)
    >>> names.naming_probability([0, 1, 14, 28]).round(6).tolist()
    [0.0, 1e-06, 0.699887, 1.0]
    """

    epsilon: float
    delta: float
    bound: int = 1
    neighbors = ADD_REMOVE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        arguments.settle(self, arguments.whole, "bound", least=1)
        for name, part in (("epsilon", self.epsilon), ("delta", self.delta)):
            arguments.number(f"{name} / bound", part / self.bound, least=arguments.SMALLEST)

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(self.epsilon, self.delta)

    def naming_probability(self, people: ArrayLike) -> np.ndarray:
        """Return pi(n), the probability that a key is named which n people have.

        `people` are whole numbers from 0 on, of any shape. Up to some n the first term of the
        minimum is the smaller one, pi(n) = d (e^{n e} - 1) / (e^e - 1); from there on
        1 - pi(n) + d / (e^e - 1) shrinks by e^-e at each step.
        """
        n = arguments.reals("people", people, least=0)
        if (n != np.rint(n)).any():
            raise ValueError("people must hold whole numbers")
        e, d = self.epsilon / self.bound, self.delta / self.bound
        odds = -np.expm1(-e) + 2 * d * np.exp(-e)  # over 1 + e^-e, at the crossing, times d
        crossing = 1 + np.floor((np.log(odds) - np.log1p(np.exp(-e)) - np.log(d)) / e)
        rises = np.minimum(n, crossing)
        log_rise = np.log(d) + (rises - 1) * e - np.log(-np.expm1(-e))
        rise = np.exp(log_rise) * -np.expm1(-rises * e)
        extra = d * np.exp(-e) / -np.expm1(-e)
        missing = np.exp(-(n - rises) * e) * (1 - rise + extra) - extra
        return np.where(n <= crossing, rise, np.clip(1 - missing, 0.0, 1.0))

    def count_people(self, data: Iterable[Hashable]) -> Counter:
        """Return how many people have each key, of each person the first `bound` keys."""
        counts: Counter = Counter()
        for record in records.hashables("data", data):
            keys = record if isinstance(record, tuple) else (record,)
            counts.update(list(dict.fromkeys(keys))[: self.bound])
        return counts

    def distribution(self, data: Iterable[Hashable]) -> Finite:
        """Return the distribution of the named keys, for at most 16 keys: 2^16 sets."""
        counts = self.count_people(data)
        if len(counts) > MAX_KEYS:
            raise ValueError(f"data must have at most {MAX_KEYS} keys for an exact distribution")
        chances = self.naming_probability(np.array([*counts.values(), 0]))[:-1]
        law: dict[Hashable, float] = {}
        for choice in product((False, True), repeat=len(counts)):
            keys = frozenset(key for key, is_in in zip(counts, choice, strict=True) if is_in)
            chance = float(np.prod(np.where(choice, chances, 1 - chances)))
            if chance > 0:
                law[keys] = chance
        return Finite.of(law)

    def __call__(self, data: Iterable[Hashable], rng: Any) -> frozenset:
        """Draw the set of named keys."""
        counts = self.count_people(data)
        arguments.generator("rng", rng)
        chances = self.naming_probability(np.array([*counts.values(), 0]))[:-1]
        is_named = rng.random(len(counts)) < chances
        return frozenset(key for key, is_in in zip(counts, is_named, strict=True) if is_in)
