"""Theorem: a pure learner pays for the size of a representation, drawn without the data.

A random set of rules represents a class if this holds for each distribution of points and each
hypothesis of the class that labels them: with probability 3/4 the set contains a rule that is wrong
with probability at most 1/4. The representation dimension is the least log(size) of such sets.

Theorem (Beimel, Nissim and Stemmer 2013). Up to constants and the accuracy, epsilon-DP learners
that may return any rule need (representation dimension) / epsilon examples. They need no more, if
they draw a set and choose from it by the exponential mechanism.

    class                on T points     a rule of the class    any rule
    single points        [x = c]         log(T)                 constant
    thresholds           [x >= t]        log(T)                 log(T)

The last entry holds because every class needs Ldim / epsilon examples, up to a constant (Feldman
and Xiao 2015). With a delta, small compared with 1 / n^2, single points need a constant number in
either column, and thresholds about log*(T) (Alon, Livni, Malliaris and Moran 2019; Cohen, Lyu,
Nelson, Sarlos and Stemmer 2023).

Theorem. The dimension of single points is at most log(19), for any T: take "0 everywhere" and 18
random rules that say 1 on each point with probability 1/8, independently.

Proof. If the labelled point c has probability at most 1/4, "0 everywhere" suffices. If not, a
random rule says 1 on c with probability 1/8. Independently, it says 1 on others of probability
(1/8) (3/4) = 3/32 at most in the mean, so more than 1/4 with probability at most 3/8 by Markov's
inequality. It is good with probability 5/64 at least, and all 18 fail with (59/64)^18 < 1/4.

Sources: Beimel, Kasiviswanathan and Nissim (2010), Beimel, Brenner, Kasiviswanathan and Nissim
(2014) for points; Beimel, Nissim and Stemmer (2013).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from dplab import arguments

RULES, CHANCE_OF_ONE, MAX_ERROR = 18, 1 / 8, 1 / 4


def random_representation(points: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the set of the second theorem: "0 everywhere", then 18 rules; (19, points) bools.

    Raises ValueError unless `points` is a whole number of at least 1.
    """
    points = arguments.size("points", points)
    arguments.generator("rng", rng)
    return np.vstack([np.zeros(points, dtype=bool), rng.random((RULES, points)) < CHANCE_OF_ONE])


def representation_failure(weights: Any, target: int, rules: int = RULES) -> float:
    """Return the exact probability that no rule of the set is within 1/4 of [x = target].

    `weights` are the probabilities of at most 16 points; it enumerates all 2^points rules. With 18
    random rules it is at most (59/64)^18 = 0.231 for all weights. Raises ValueError for
    more points, weights that are no numbers, and a target that is no point.

    >>> round(representation_failure([0.5, 0.5], 0), 4)  # 1 on the first, 0 on the second
    0.1243
    """
    rules = arguments.whole("rules", rules, least=1)
    weights = arguments.reals("weights", weights, ndim=1)
    points = arguments.whole("the number of weights", weights.size, least=1, most=16)
    target = arguments.whole("target", target, least=0, most=points - 1)
    if weights[target] <= MAX_ERROR:
        return 0.0
    every = np.array(list(product((0, 1), repeat=points)))
    wrong = (every != (np.arange(points) == target)) @ weights
    ones = every.sum(axis=1)
    chances = CHANCE_OF_ONE**ones * (1 - CHANCE_OF_ONE) ** (points - ones)
    return float((1 - chances[wrong <= MAX_ERROR + 1e-12].sum()) ** rules)
