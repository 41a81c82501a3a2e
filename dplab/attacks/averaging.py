"""Averaging: fresh noise on every answer averages out if one asks often enough.

Two counts, with and without a person, each with fresh Gaussian noise, differ by N(bit, variance),
where `variance` is that of the difference, twice that of one answer. The mean of k differences is
N(bit, variance / k); guess 1 where it is above 1/2. This guess is right with
probability Phi(sqrt(k / variance) / 2) for both bits, and no rule is right more often for both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dplab import arguments


def right_with(pairs: ArrayLike, variance: float, gap: float = 1.0) -> Any:
    """Return P[the guess is right] after `pairs` pairs of answers, a number or an array of them.

    It is Phi(gap sqrt(pairs / variance) / 2), where `variance` is that of the difference of a pair
    and `gap` the distance of the two truths. Raises ValueError unless variance and gap are above 0
    and pairs at least 0.

    >>> round(right_with(1, variance=20), 3), round(right_with(433, variance=20), 3)
    (0.545, 0.99)
    """
    pairs = arguments.reals("pairs", pairs)
    variance = arguments.number("variance", variance, above=0)
    gap = arguments.number("gap", gap, above=0)
    pairs = np.asarray(pairs)
    if (pairs < 0).any():
        raise ValueError(f"pairs must be at least 0, not {pairs}")
    chance = ndtr(gap * np.sqrt(pairs / variance) / 2)
    return float(chance) if pairs.ndim == 0 else chance


def pairs_to_be_right(confidence: float, variance: float, gap: float = 1.0) -> int:
    """Return the least number of pairs for a guess that is right with probability `confidence`.

    It is ceil(4 variance z^2 / gap^2), where Phi(z) = confidence, which is above 1/2 and below 1.
    Raises ValueError for a confidence outside, unless variance and gap are above 0, and if the
    number of pairs overflows.

    >>> [pairs_to_be_right(c, variance=20) for c in (0.75, 0.9, 0.95, 0.99, 0.999)]
    [37, 132, 217, 433, 764]
    """
    confidence = arguments.number("confidence", confidence, above=0.5, below=1)
    variance = arguments.number("variance", variance, above=0)
    gap = arguments.number("gap", gap, above=0)
    root = 2 * float(ndtri(confidence)) / gap
    return math.ceil(
        arguments.number(
            "the number of pairs for this confidence, variance and gap", variance * root * root
        )
    )


@dataclass(frozen=True, eq=False)
class FreshNoise:
    """A curator of bits, shape (n,): every count gets fresh noise N(0, variance).

    Raises ValueError for other arguments.
    """

    bits: np.ndarray
    variance: float

    def __post_init__(self):
        arguments.settle(self, arguments.categories, "bits", k=2, ndim=1)
        arguments.settle(self, arguments.number, "variance", above=0)

    def ask(self, group: ArrayLike, rng: np.random.Generator, times: int = 1) -> np.ndarray:
        """Draw `times` noisy counts of the ones in the group, an index or a mask: (times,).

        Raises ValueError for other arguments.
        """
        arguments.generator("rng", rng)
        count = int(np.asarray(self.bits)[group].sum())
        return count + rng.normal(0, math.sqrt(self.variance), times)


def guess_bits(differences: ArrayLike) -> np.ndarray:
    """Guess after each further difference: 1 where the mean so far is above 1/2.

    `differences` has shape (..., k), and so have the guesses, ints. Raises ValueError unless they
    are finite numbers.

    >>> guess_bits([0.2, 1.4, -0.4, 0.9])
    array([0, 1, 0, 1])
    """
    differences = np.atleast_1d(arguments.reals("differences", differences))
    means = differences.cumsum(axis=-1) / np.arange(1, differences.shape[-1] + 1)
    return (means > 1 / 2).astype(int)
