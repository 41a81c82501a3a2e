"""Theorem: permute-and-flip is never worse than the exponential mechanism, for any loss.

Let candidate i accept with probability p_i = e^{rate (score_i - best)}. Both mechanisms ask a
candidate at random, and stop when one accepts. The exponential mechanism puts a refused candidate
back, permute-and-flip leaves it out. For every loss l that does not rise with the score,

    E l(permute-and-flip) <= E l(exponential mechanism).

Proof, by induction over the number of candidates. Both treat the first answer in the same way. If
j refuses, permute-and-flip goes on without j, and by the induction hypothesis (the best candidate
never refuses) does no worse than the exponential mechanism without j. So it is enough that

    sum_j (1 - p_j) (E_j - E) <= 0,

E_j being the expected loss without j. With W = sum p_j and E = sum p_j l_j / W,
E_j - E = p_j (E - l_j) / (W - p_j). So the sum is that of p_j h_j (E - l_j) with
h_j = (1 - p_j) / (W - p_j), which falls as p_j rises, since W >= 1: h_j and l_j rise together,
while E - l_j falls and has the mean 0 under weights p_j. By Chebyshev's sum inequality the sum is
at most 0.

Source: McKenna and Sheldon (2020), Theorem 2, for the expected score; the proof is another one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.mechanisms.selection import log_softmax, permute_and_flip_log_law


@dataclass(frozen=True, eq=False)
class FlipAgainstExponential:
    """Both output distributions on the same candidates, and their gaps; arrays of shape (m,)."""

    scores: np.ndarray
    flip: np.ndarray
    exponential: np.ndarray

    @property
    def gaps(self) -> np.ndarray:
        """Best score minus score, for each candidate."""
        return self.scores.max() - self.scores

    @property
    def flip_gap(self) -> float:
        """The expected gap of permute-and-flip, in the scores' units."""
        return float(self.flip @ self.gaps)

    @property
    def exponential_gap(self) -> float:
        """The expected gap of the exponential mechanism."""
        return float(self.exponential @ self.gaps)

    @property
    def holds(self) -> bool:
        """True if P[gap >= g] is at most that of the exponential mechanism, at every g."""
        order = np.argsort(-self.gaps, kind="stable")
        tails = np.cumsum(self.flip[order]), np.cumsum(self.exponential[order])
        # Candidates with equal scores count together.
        ends: np.ndarray = np.append(np.diff(self.gaps[order]) != 0, True)
        return bool((tails[0][ends] <= tails[1][ends] + 1e-12).all())


def compare(scores: ArrayLike, rate: float) -> FlipAgainstExponential:
    """Return the two distributions for scores of shape (m,) at rate = epsilon / (2 sensitivity).

    Raises ValueError for other arguments.

    >>> two = compare([0, 1, 1.5, 3], rate=0.5)
    >>> round(two.flip_gap, 6), round(two.exponential_gap, 6), two.holds
    (0.829031, 1.024389, True)
    """
    scores = arguments.reals("scores", scores, ndim=1)
    rate = arguments.number("rate", rate, above=0)
    scores = np.asarray(scores, dtype=float)
    advantages = rate * (scores - scores.max())
    distributions = np.exp(permute_and_flip_log_law(advantages)), np.exp(log_softmax(advantages))
    return FlipAgainstExponential(scores, *distributions)
