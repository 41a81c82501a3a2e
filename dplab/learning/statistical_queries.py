"""Learning from noisy counts: what can be learned from statistics can be learned privately.

A statistical-query algorithm never sees a record; it asks how many records have some property, and
can bear a small error. So answer with noise: by composition the epsilons of the counts add up, and
what is learned from the answers is post-processing.

Sources: Kearns (1998) for the model and the conjunctions; Blum, Dwork, McSherry and Nissim (2005)
for its private version.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dplab import arguments
from dplab.interaction import Curator
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.sampling.rational import rational


def noisy_count(has: Callable[[np.ndarray], Any], *, epsilon: float) -> GeometricMechanism:
    """The number of records for which `has(records)` is True, + noise of scale 1 / epsilon.

    Data are rows, one a record; a count moves by at most 1 when one is replaced. Raises ValueError
    on n records for which has(records) hasn't the shape (n,).

    >>> from dplab import PureDP
    >>> from dplab.budget import Budget
    >>> people = np.array([[1, 0], [1, 1], [0, 1]])
    >>> curator = Curator(people, Budget(PureDP(1.0)), np.random.default_rng())
    >>> noisy = curator.ask(noisy_count(lambda rows: rows[:, 0] == 1, epsilon=0.25))
    >>> curator.budget.left
    PureDP(epsilon=0.75)
    """
    price = rational("epsilon", epsilon, above=0)

    def count(rows) -> int:
        which = np.asarray(has(np.asarray(rows)))
        if which.shape != (len(rows),):
            raise ValueError(f"has(records) must have shape ({len(rows)},), not {which.shape}")
        return int(np.count_nonzero(which))  # not a sum: `which` may hold other numbers

    return GeometricMechanism(count, Fraction(1), price)


def noise_bound(counts: int, *, epsilon: float, failure: float) -> int:
    """The least t with: all of `counts` noises of scale counts / epsilon are in (-t, t).

    But for probability `failure` at most, by the union bound:
    P[|noise| >= t] = 2 p^t / (1 + p) for t >= 1 with p = e^{-epsilon / counts}.
    Raises ValueError unless counts >= 1, epsilon > 0 and 0 < failure < 1.
    """
    counts = arguments.whole("counts", counts, least=1)
    rate = arguments.number("epsilon", epsilon, above=0) / counts
    failure = arguments.number("failure", failure, above=0, below=1)
    needed = (np.log(2 * counts) - np.log(failure) - np.log1p(np.exp(-rate))) / rate
    return int(np.ceil(needed))


@dataclass(frozen=True)
class Conjunction:
    """The rule "all of these features are 1", `literals` being the features' numbers.

    >>> Conjunction((0, 2))(np.array([[1, 0, 1], [1, 1, 0]]))
    array([ True, False])
    """

    literals: tuple[int, ...]

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Whether the rule says yes, a bool for each row of 0/1 features."""
        return np.asarray(features)[:, list(self.literals)].astype(bool).all(axis=1)


def learn_conjunction(
    curator: Curator, features: int, *, epsilon: float, failure: float = 0.05
) -> Conjunction:
    """Learn which features a conjunction asks for, from one count for each feature.

    The curator's data are rows of `features` 0/1 entries and a label. Feature j is kept if fewer
    than t = noise_bound(features, ...) positive examples seem to lack it. Costs epsilon in all;
    where the budget can't pay that, BudgetExceeded is raised before anything is drawn.

    If labels do follow a conjunction, then with probability 1 - `failure`: every feature that it
    asks for is kept, so no record is called positive wrongly; and each other one that is kept
    is lacked by fewer than 2t positive examples, so that fewer than 2 t features are missed.
    """
    bound, share = noise_bound(features, epsilon=epsilon, failure=failure), epsilon / features
    counts = [noisy_count(_positive_without(j), epsilon=share) for j in range(features)]
    curator.check(*counts)
    lacking = [curator.ask(count) for count in counts]
    return Conjunction(tuple(j for j in range(features) if lacking[j] < bound))


def _positive_without(feature: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda records: (records[:, -1] == 1) & (records[:, feature] == 0)
