"""Tracing: an attack that decides whether a person was in a study with published averages.

A study of n people publishes the means of d attributes, each 0 or 1, out of a population with the
frequencies p. The score of a person y asks whether y leans where the published means lean:

    score(y) = <y - p, released - p> / (sum_j p_j (1 - p_j) (released_j - p_j)^2)^{1/2}

A person who was not in the study is independent of its release. Given the release, their score has
mean 0 and variance 1. A member's score has mean (d/n)^{1/2}, nearly, if all p_j are equal: every
mean leans a little towards every member, and d attributes add up. If the p_j differ, replace d by
(sum_j v_j)^2 / sum_j v_j^2 with v_j = p_j (1 - p_j), which is less. With the threshold z the attack
accuses outsiders with probability alpha = Phi(-z), members with probability Phi((d/n)^{1/2} - z).

Sources: Homer et al. (2008); Dwork, Smith, Steinke, Ullman and Vadhan (2015), "Robust traceability
from trace amounts".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dplab import arguments


@dataclass(frozen=True, eq=False)
class Population:
    """People with d independent attributes, 0 or 1: attribute j is 1 with probability p_j.

    Raises ValueError unless all frequencies are strictly between 0 and 1, in one row.
    """

    frequencies: np.ndarray

    def __post_init__(self):
        frequencies = arguments.reals("frequencies", self.frequencies)
        if frequencies.ndim != 1 or frequencies.min() <= 0 or frequencies.max() >= 1:
            raise ValueError(f"frequencies must be one row inside (0, 1), not {self.frequencies!r}")
        object.__setattr__(self, "frequencies", frequencies)

    @classmethod
    def fair(cls, d: int) -> Population:
        """Return d >= 1 attributes that half of the people have; ValueError for another d."""
        return cls(np.full(arguments.whole("d", d, least=1), 0.5))

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n people, 1 or more, as 0/1 of shape (n, d); ValueError for another n."""
        n = arguments.whole("n", n, least=1)
        arguments.generator("rng", rng)
        return (rng.random((n, len(self.frequencies))) < self.frequencies).astype(int)

    def scores(self, people: ArrayLike, means: ArrayLike) -> np.ndarray:
        """Score `people`, 0/1 of shape (k, d), against released `means` (d,): shape (k,).

        A release may be noisy, or of a subsample: an outsider's score always has mean 0 and
        variance 1. Raises ValueError for shapes that do not fit, and for a release that equals
        the frequencies and so leans nowhere.

        >>> Population.fair(4).scores([[1, 1, 0, 0], [1, 1, 1, 1]], [0.8, 0.6, 0.3, 0.5]).round(3)
        array([1.604, 0.535])
        """
        people, means = arguments.reals("people", people), arguments.reals("means", means)
        p = self.frequencies
        if people.ndim != 2 or not people.shape[1:] == means.shape == p.shape:
            shapes = f"{people.shape} and {means.shape}"
            raise ValueError(f"people and means must be (k, {len(p)}) and ({len(p)},): {shapes}")
        lean = means - p
        lean = lean / (np.abs(lean).max() or 1.0)  # a score has no unit; squares would be 0 or inf
        spread = np.sqrt((p * (1 - p) * lean**2).sum())
        if spread == 0:
            raise ValueError("means must differ from the frequencies somewhere")
        return (people - p) @ lean / spread


def expected_score(d: int, n: int, *, sigma: float = 0.0) -> float:
    """Return a member's mean score at p = 1/2: (d/n)^{1/2} / (1 + 4 n sigma^2)^{1/2}, nearly.

    `sigma` is the standard deviation of independent noise in each published mean. The sampling
    error of a mean is 1 / (2 n^{1/2}), so only noise well above that hides members.
    Raises ValueError unless d and n are whole numbers of at least 1 and sigma is at least 0.

    >>> expected_score(400, 100)
    2.0
    """
    d, n = arguments.whole("d", d, least=1), arguments.whole("n", n, least=1)
    sigma = arguments.number("sigma", sigma, least=0)
    return float(np.sqrt(d / n) / np.hypot(1, 2 * np.sqrt(n) * sigma))


def tracing_power(d: int, n: int, *, false_positive_rate: float, sigma: float = 0.0) -> float:
    """Return the share of accused members: Phi(expected score - z), z = Phi^{-1}(1 - FPR).

    The normal approximation, for d large. Raises ValueError unless 0 < false_positive_rate < 1.

    >>> round(tracing_power(400, 100, false_positive_rate=0.01), 3)
    0.372
    """
    rate = arguments.number("false_positive_rate", false_positive_rate, above=0, below=1)
    return float(ndtr(expected_score(d, n, sigma=sigma) + ndtri(rate)))


def half_sample_power(d: int, n: int, *, false_positive_rate: float) -> float:
    """Return `tracing_power` against the means of a random half of the n people.

    The members in that half are easier to trace among n/2; the others are like outsiders.

    Raises ValueError for other arguments.

    >>> round(half_sample_power(400, 100, false_positive_rate=0.01), 3)
    0.351
    """
    d = arguments.whole("d", d, least=1)
    false_positive_rate = arguments.number(
        "false_positive_rate", false_positive_rate, least=0, most=1
    )
    sampled_power = tracing_power(2 * d, n, false_positive_rate=false_positive_rate)
    return (sampled_power + false_positive_rate) / 2


@dataclass(frozen=True)
class Rates:
    """The rates of a test: the shares of outsiders and of members that it accuses."""

    false_positive: float
    true_positive: float


def rates(member_scores: ArrayLike, outsider_scores: ArrayLike, threshold: float) -> Rates:
    """Accuse everybody who scores above the threshold, and return the shares.

    Raises ValueError for scores or a threshold that are no finite numbers, or no scores.

    >>> rates([0.5, 2.0, 3.0, 1.9], [-1.0, 0.0, 1.0, 2.5], threshold=1.5)
    Rates(false_positive=0.25, true_positive=0.75)
    """
    members = arguments.reals("member_scores", member_scores)
    outsiders = arguments.reals("outsider_scores", outsider_scores)
    threshold = arguments.number("threshold", threshold)
    return Rates(float((outsiders > threshold).mean()), float((members > threshold).mean()))
