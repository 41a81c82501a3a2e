"""Learning from noisy counts: what can be learned from statistics can be learned privately.

A statistical-query algorithm never sees a record. It asks how many records have some property, and
it tolerates a small error. So the curator answers with noise. By composition the epsilons of the
counts add up, and learning from the answers is post-processing.

Sources: Kearns (1998) for the model and the conjunctions; Blum, Dwork, McSherry and Nissim (2005)
for its private version.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.interaction import Curator
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.sampling.rational import rational


def noisy_count(has: Callable[[np.ndarray], Any], *, epsilon: float) -> GeometricMechanism:
    """Return the mechanism that publishes a noisy count of the records where `has` is True.

    The noise has scale 1 / epsilon: a count moves by at most 1 when one record, a row of the data,
    is replaced. Raises ValueError if has(records) doesn't have the shape (n,) for n records.

    >>> from dplab import PureDP
    >>> from dplab.budget import Budget
    >>> people = np.array([[1, 0], [1, 1], [0, 1]])
    >>> curator = Curator(people, Budget(PureDP(1.0)), np.random.default_rng())
    >>> noisy = curator.ask(noisy_count(lambda rows: rows[:, 0] == 1, epsilon=0.25))
    >>> curator.budget.remaining
    PureDP(epsilon=0.75)
    """
    price = rational("epsilon", epsilon, above=0)

    def count(rows: ArrayLike) -> int:
        is_counted = np.asarray(has(np.asarray(rows)))
        if is_counted.shape != (len(rows),):
            raise ValueError(f"has(records) must have shape ({len(rows)},)")
        return int(np.count_nonzero(is_counted))  # not a sum: it may hold other numbers

    return GeometricMechanism(count, Fraction(1), price)


def noise_bound(counts: int, *, epsilon: float, failure: float) -> int:
    """Return the least t such that all noises are in (-t, t), except with probability `failure`.

    There are `counts` noises of scale counts / epsilon each. By the union bound, with
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
    """The rule that all of some features are 1; `literals` are the numbers of these features.

    >>> Conjunction((0, 2))(np.array([[1, 0, 1], [1, 1, 0]]))
    array([ True, False])
    """

    literals: tuple[int, ...]

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Return whether the rule says yes, a bool for each row of 0/1 features."""
        return np.asarray(features)[:, list(self.literals)].astype(bool).all(axis=1)


def learn_conjunction(
    curator: Curator, features: int, *, epsilon: float, failure: float = 0.05
) -> Conjunction:
    """Learn which features a conjunction asks for, from one count for each feature.

    The curator's data are rows of `features` 0/1 entries and a label. Feature j is kept if fewer
    than t = noise_bound(features, ...) positive examples seem to lack it. It costs
    epsilon in total. Raises BudgetExceeded before anything is drawn if the budget can't pay that.

    If the labels follow a conjunction, then with probability 1 - `failure` every feature that it
    asks for is kept, so no record is called positive wrongly. And fewer than 2t positive examples
    lack each of the other features that are kept, so that fewer than 2 t features are missed.
    """
    bound, share = noise_bound(features, epsilon=epsilon, failure=failure), epsilon / features
    counts = [noisy_count(_positive_without(j), epsilon=share) for j in range(features)]
    curator.check(*counts)
    lacking = [curator.ask(count) for count in counts]
    return Conjunction(tuple(j for j in range(features) if lacking[j] < bound))


def _positive_without(feature: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda records: (records[:, -1] == 1) & (records[:, feature] == 0)
