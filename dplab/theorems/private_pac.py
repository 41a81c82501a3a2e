"""Theorem: the exponential mechanism learns every finite class, and pure privacy costs log(N).

Let the best of N hypotheses be wrong on a new example with probability r, which is 0 if it gives
the labels. From n independent examples `private_learner` chooses a hypothesis that is wrong with
probability above alpha with probability at most

    N e^{-n rate},   rate = max over 0 <= s <= epsilon / 2 of alpha (1 - e^{-s}) - r (e^s - 1).

The best s is log(alpha / r) / 2, or epsilon / 2 if that is smaller. For r = 0 the rate is
alpha (1 - e^{-epsilon / 2}), about alpha epsilon / 2: n grows like log(N) / (alpha epsilon).

Proof. Let D be the errors of a bad hypothesis on the sample less those of the good one, c. It is
chosen with probability at most min(1, e^{-epsilon D / 2}) <= e^{-s D}, since c is there to be
chosen. D is a sum over independent examples: +1 where only the bad one errs, with probability a, -1
where only c errs, with probability b. So E[e^{-s D}] = (1 - a (1 - e^{-s}) + b (e^s - 1))^n. If
both err on some examples, a and b lose the same, and as e^s - 1 >= 1 - e^{-s} this is at most what
it would be with a > alpha and b <= r. Add over the bad hypotheses.

If the distribution of points is known, replace the class by a `cover` of radius r: N becomes the
size of the cover, which does not grow with a finer grid.

For thresholds no epsilon-DP learner needs fewer examples, apart from a constant factor (Feldman and
Xiao 2015). To find a threshold exactly is a simpler case:

Theorem (packing). An epsilon-DP algorithm that finds each of T thresholds in a class, with
probability 1 - beta, from n examples of two points on either side of it, has
n >= log(T (1 - beta)) / epsilon.

Proof. Samples of two thresholds are at most n replacements apart. So on the sample of the first
threshold each of the T comes out with probability (1 - beta) e^{-n epsilon} or more. These
probabilities add to 1 at most.

Theorem (point masses; after Blum, Ligett and Roth 2008). Whichever of T values all n people have,
let an epsilon-DP release of a distribution function be less than 1/2 away from the true one with
probability 1/2. Then n >= log(T / 2) / epsilon: on a continuum no n is enough. Proof. A function
less than 1/2 away passes 1/2 at the value, so these T events are disjoint; go on as above.

Sources: Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith (2008); Chaudhuri and Hsu (2011) for
covers; Beimel, Kasiviswanathan and Nissim (2010) for the packing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.learning.pac import all_samples, as_class, private_learner

SLACK = 1e-9  # an allowance for rounding; relative, since failures may be rare


def failure_rate(*, epsilon: float, alpha: float, radius: float = 0.0) -> float:
    """Return the rate of the theorem; r is `radius`, at least 0 and below alpha.

    Raises ValueError for another radius, and unless epsilon > 0 and 0 < alpha <= 1.
    """
    alpha = arguments.number("alpha", alpha, above=0, most=1)
    radius = arguments.number("radius", radius, least=0, below=alpha)
    s = arguments.number("epsilon", epsilon, above=0) / 2
    if radius == 0:
        return float(-alpha * np.expm1(-s))
    s = min(s, float(np.log1p((alpha - radius) / radius)) / 2)
    return float(-np.expm1(-s) * (alpha - radius - radius * np.expm1(s)))  # no cancellation


def examples_enough(
    hypotheses: int, *, epsilon: float, alpha: float, failure: float, radius: float = 0.0
) -> int:
    """Return the least n for which the theorem says "with probability at most `failure`".

    Raises ValueError for numbers out of range, as `failure_rate` does, and for an n above 1e308.

    >>> [examples_enough(2**bits, epsilon=1, alpha=0.1, failure=0.1) for bits in (10, 20)]
    [235, 411]
    """
    hypotheses = arguments.whole("hypotheses", hypotheses, least=1, most=math.inf)
    failure = arguments.number("failure", failure, above=0, below=1)
    rate = failure_rate(epsilon=epsilon, alpha=alpha, radius=radius)
    enough = (math.log(hypotheses) - math.log(failure)) / rate if rate else math.inf
    return math.ceil(
        arguments.number(
            "the number of examples for this epsilon, alpha, failure and radius", enough
        )
    )


MAX_EXAMPLES = 1000  # all samples are enumerated


@dataclass(frozen=True)
class PrivateLearning:
    """The exact probability that the learner fails, and its bound."""

    failure: float
    bound: float

    @property
    def holds(self) -> bool:
        """True if the learner fails no more often than the bound says."""
        return self.failure <= self.bound * (1 + SLACK)


def private_learning(
    hypotheses: Any, target: Any, weights: Any, n: int, *, epsilon: float, alpha: float
) -> PrivateLearning:
    """Check the first theorem on one distribution, by enumeration of all samples.

    `target` is the rule that labels the points; it need not be in the class. `weights` are the
    probabilities of the points.
    Raises ValueError if even the best hypothesis is wrong with probability alpha.
    """
    weights = arguments.reals("weights", weights, ndim=1)
    target = arguments.categories("target", target, 2, ndim=1)
    n = arguments.size("n", n, most=MAX_EXAMPLES)
    alpha = arguments.number("alpha", alpha, above=0, most=1)
    rules, weights = as_class(hypotheses), np.asarray(weights, dtype=float)
    wrong = (rules ^ as_class([target])) @ weights
    bad, learner = wrong > alpha * (1 + SLACK), private_learner(rules, epsilon)
    rate = failure_rate(epsilon=epsilon, alpha=alpha, radius=float(wrong.min()))
    failure = sum(
        chance * learner.distribution(sample).probabilities[bad].sum()
        for sample, chance in all_samples(target, weights, n)
    )
    return PrivateLearning(float(failure), min(1.0, float(len(rules) * np.exp(-n * rate))))


def two_point_success(thresholds: int, n: int, *, epsilon: float) -> float:
    """Return P[the threshold is found] = 1 / (1 + others e^{-epsilon n / 4}).

    The exponential mechanism chooses it. Half of n examples lie just below it, labelled 0, and half
    just above: each of the others makes n / 2 errors. There may be more than 2^64 thresholds.
    Raises ValueError for odd n.

    >>> round(two_point_success(2**16 + 1, 54, epsilon=1), 3)
    0.918
    """
    other_thresholds = arguments.whole("thresholds", thresholds, least=1, most=math.inf) - 1
    half, odd = divmod(arguments.whole("n", n, least=0), 2)
    if odd:
        raise ValueError(f"n must be even, not {n}")
    epsilon = arguments.number("epsilon", epsilon, above=0)
    odds = math.log(other_thresholds) - epsilon * half / 2 if other_thresholds else -math.inf
    return float(np.exp(-np.logaddexp(0.0, odds)))


def fewest_examples(thresholds: int, *, epsilon: float, success: float) -> float:
    """Return log(T success) / epsilon, or 0 if that is negative, the bound by packing.

    With fewer examples no epsilon-DP algorithm finds each of T thresholds with this probability.
    Raises ValueError unless T is a whole number of at least 1, 0 < success <= 1 and epsilon is
    above 0.
    """
    thresholds = arguments.whole("thresholds", thresholds, least=1, most=math.inf)
    success = arguments.number("success", success, above=0, most=1)
    least = math.log(thresholds) + math.log(success)
    return max(0.0, least) / arguments.number("epsilon", epsilon, above=0)
