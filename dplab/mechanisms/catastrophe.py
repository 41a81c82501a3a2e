"""Mechanisms that publish records as they are, and yet are (0, delta)-DP.

Each of them exposes a person's record with probability delta, and otherwise says nothing about that
person. So no probability of an event moves by more than delta when one record changes. The
mechanisms differ in who is exposed together: people independently, always exactly k people, or
either everybody or nobody.

Nobody should run these. They show how small delta has to be, see `dplab.theorems.catastrophes`.

Sources: Dwork and Roth (2014), Section 2.3, for records as they are; otherwise folklore.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from dplab import arguments, records
from dplab.distributions import Finite, Product, enumerate_law
from dplab.guarantees import ApproxDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors


@dataclass(frozen=True)
class NameAndShame(ExactMechanism):
    """The mechanism that publishes each record with probability delta: (0, delta)-DP.

        output_i = x_i with probability delta, otherwise None

    Records are published independently. The output is a tuple with one part for each person, the
    record or None. At least one of n people is named with probability 1 - (1 - delta)^n. Raises
    ValueError unless 0 < delta < 1.

    Source: folklore, under this name in several courses.

    >>> NameAndShame(0.25).privacy_loss((0, 1), (0, 0)).delta(0)
    0.25
    """

    delta: float
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "delta", above=0, below=1)

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(0.0, self.delta)

    def distribution(self, data: Sequence[Hashable]) -> Product:
        """Return the product of one distribution per person: the record with probability delta."""
        coin = Finite.of({True: self.delta, False: 1 - self.delta})
        data = records.sized("data", data)
        distributions = {x: coin.map({True: x, False: None}.get) for x in data}
        return Product(tuple(distributions[x] for x in data))

    def __call__(self, data: Sequence[Hashable], rng: np.random.Generator) -> tuple:
        data = records.sized("data", data)
        arguments.generator("rng", rng)
        is_named = rng.random(len(data)) < self.delta
        return tuple(x if out else None for x, out in zip(data, is_named, strict=True))


@dataclass(frozen=True)
class RandomRows(ExactMechanism):
    """The mechanism that publishes k of the n records, drawn without replacement: (0, k/n)-DP.

        P(output = the records at i_1 < ... < i_k) = 1 / C(n, k)

    The output is the tuple of chosen records, in the order of the data. With k = 1 it is "publish
    the record of a random person", which is (0, 1/n)-DP and exposes somebody every time.
    Raises ValueError unless n >= 1 and 1 <= k <= n, and for data of another size.

    >>> RandomRows(n=4).guarantee
    ApproxDP(epsilon=0.0, delta=0.25)
    """

    n: int
    k: int = 1
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "n", least=1)
        arguments.settle(self, arguments.whole, "k", least=1, most=self.n)

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(0.0, self.k / self.n)

    def distribution(self, data: Sequence[Hashable]) -> Finite:
        """Return the distribution by enumeration of the C(n, k) choices, for small n."""
        counts = Counter(combinations(self._check(data), self.k))
        total = comb(self.n, self.k)
        return Finite.of({rows: count / total for rows, count in counts.items()})

    def __call__(self, data: Sequence[Hashable], rng: np.random.Generator) -> tuple:
        data = self._check(data)
        arguments.generator("rng", rng)
        rows = np.sort(rng.choice(self.n, self.k, replace=False))
        return tuple(data[i] for i in rows)

    def _check(self, data: Sequence[Hashable]) -> Sequence[Hashable]:
        data = records.sized("data", data)
        if len(data) != self.n:
            raise ValueError(f"data must hold n = {self.n} records")
        return data


@dataclass(frozen=True)
class Everything:
    """An output that contains all of the data.

    Raises ValueError for other arguments.
    """

    data: tuple[Hashable, ...]

    def __post_init__(self):
        arguments.settle(self, arguments.sequence, "data", may_be_empty=True)


@dataclass(frozen=True)
class OrEverything(ExactMechanism):
    """A mechanism that publishes all data with probability delta, or else runs another one.

        output = data with probability delta, otherwise mechanism(data)

    It is (epsilon, delta)-DP for an epsilon-DP `mechanism`. For an (epsilon, delta')-DP one its
    delta is delta + (1 - delta) delta'. The output is `Everything(data)`, or the mechanism's.
    Raises ValueError unless 0 < delta < 1 and the mechanism's guarantee implies
    (epsilon, delta)-DP.

    >>> from dplab.mechanisms.randomized_response import RandomizedResponse
    >>> OrEverything(RandomizedResponse(1.0), delta=0.001).guarantee
    ApproxDP(epsilon=1.0, delta=0.001)
    """

    mechanism: ExactMechanism
    delta: float

    def __post_init__(self):
        arguments.instance("mechanism", self.mechanism, ExactMechanism)
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        self.mechanism.guarantee.convert_to(ApproxDP)  # raises ValueError if it can't

    @property
    def guarantee(self) -> ApproxDP:
        inner = self.mechanism.guarantee.convert_to(ApproxDP)
        return ApproxDP(inner.epsilon, self.delta + (1 - self.delta) * inner.delta)

    @property
    def neighbors(self) -> Neighbors:
        return self.mechanism.neighbors

    def distribution(self, data: Sequence[Hashable]) -> Finite:
        """Return the mixture of the mechanism's distribution, which must be finite, and a point."""
        distribution = enumerate_law(self.mechanism.distribution(data))
        kept_logs = distribution.log_probabilities + np.log1p(-self.delta)
        logs: np.ndarray = np.append(kept_logs, np.log(self.delta))
        return Finite((*distribution.outcomes, Everything(tuple(data))), logs)

    def __call__(self, data: Sequence[Hashable], rng: np.random.Generator) -> Any:
        arguments.generator("rng", rng)
        if rng.random() < self.delta:
            return Everything(tuple(data))
        return self.mechanism(data, rng)
