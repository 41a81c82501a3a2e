"""An audit in one run: many canaries, a coin for each, and guesses of the coins.

Each of m canary records has two versions, and a fair coin decides which one goes into the data. The
mechanism runs once. From its output the auditor guesses some of the coins.

**Theorem** (Steinke, Nasr and Jagielski 2023, Theorem 3.1 and 5.2). If the mechanism is
(epsilon, delta)-DP for replace-one, then at least v of r guesses are right with probability at most

    P[W >= v] + 2 m delta max_{1 <= i <= m} P[v > W >= v - i] / i,

where W is binomial with r trials and chance e^epsilon / (1 + e^epsilon). **Proof** for delta = 0:
given the output and the earlier coins, a coin's sides have odds of at most e^epsilon to 1, by
Bayes' rule and the guarantee for two neighbours. So each guess is right with at most that chance,
whatever the earlier guesses were, and W dominates the number of right guesses.

The epsilon at which this probability is `failure` is a lower bound on the true one, wrong with
probability `failure` at most. It can prove that a guarantee is broken, never that it is kept. The
auditor should guess only the coins that are nearly certain: coins without a guess cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.bisection import edge


@dataclass(frozen=True)
class CanaryAudit:
    """A bound on epsilon by `right` of `guesses`, wrong with probability `failure` at most."""

    epsilon: float
    right: int
    guesses: int
    failure: float


def audit_by_canaries(
    mechanism: Callable[[np.ndarray, np.random.Generator], Any],
    first: np.ndarray,
    second: np.ndarray,
    score: Callable[[Any], Any],
    rng: np.random.Generator,
    *,
    guesses: int,
    delta: float = 0.0,
    failure: float = 1e-9,
) -> CanaryAudit:
    """Run mechanism(data, rng) once on canaries and bound its epsilon from below.

    `first` and `second` are the two versions, m records each; `score(output)` has m numbers, the
    larger the more the output looks like `first[i]`. For the largest guesses / 2 scores the guess
    is `first`, for the smallest guesses / 2 `second`. Raises ValueError for shapes that don't match
    and for an odd number of guesses.
    """
    arguments.function("mechanism", mechanism)
    arguments.function("score", score)
    arguments.generator("rng", rng)
    first, second = arguments.array("first", first), arguments.array("second", second)
    if first.shape != second.shape:
        raise ValueError(f"first and second must match, not {first.shape} and {second.shape}")
    m = len(first)
    guesses = arguments.whole("guesses", guesses, least=2, most=m)
    if guesses % 2:
        raise ValueError(f"guesses must be even, not {guesses}")
    coins = rng.random(m) < 0.5
    output = mechanism(np.where(coins.reshape(m, *[1] * (first.ndim - 1)), first, second), rng)
    scores = arguments.reals("score(output)", score(output))
    if scores.shape != (m,):
        raise ValueError(f"score(output) must be of shape ({m},), not {scores.shape}")
    order = np.argsort(scores, kind="stable")
    half = guesses // 2
    right = int(coins[order[-half:]].sum() + (~coins[order[:half]]).sum())
    bound = epsilon_from_guesses(right, guesses, canaries=m, delta=delta, failure=failure)
    return CanaryAudit(bound, right, guesses, failure)


def epsilon_from_guesses(
    right: int, guesses: int, *, canaries: int, delta: float = 0.0, failure: float = 1e-9
) -> float:
    """Return the epsilon that `right` of `guesses` coins prove, or 0.

    Raises ValueError unless 0 <= right <= guesses <= canaries, 0 <= delta < 1 and 0 < failure < 1.

    >>> round(epsilon_from_guesses(90, 100, canaries=1000, failure=0.05), 3)
    1.631
    """
    canaries = arguments.whole("canaries", canaries, least=1)
    guesses = arguments.whole("guesses", guesses, least=1, most=canaries)
    right = arguments.whole("right", right, least=0, most=guesses)
    delta = arguments.number("delta", delta, least=0, below=1)
    failure = arguments.number("failure", failure, above=0, below=1)

    def is_refuted(epsilon: float) -> bool:
        return probability_of_guesses(right, guesses, epsilon, canaries, delta) <= failure

    return edge(is_refuted)[0] if is_refuted(0.0) else 0.0


def probability_of_guesses(
    right: int, guesses: int, epsilon: float, canaries: int, delta: float
) -> float:
    """Return the theorem's bound on the probability of `right` or more right guesses."""
    from scipy.stats import binom

    distribution = binom(guesses, 1 / (1 + np.exp(-epsilon)))
    cumulative = np.cumsum(distribution.pmf(right - np.arange(1, right + 1)))  # P[v > W >= v - i]
    worst = (cumulative / np.arange(1, right + 1)).max(initial=0.0)
    return float(min(1.0, distribution.sf(right - 1) + 2 * canaries * delta * worst))
