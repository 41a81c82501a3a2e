"""Theorem: the exponential mechanism seldom chooses a candidate far below the best.

On any data, with m candidates and rate epsilon / (2 sensitivity),

    P[score <= best - (log(m) + t) / rate] <= e^{-t}   for all t >= 0,
    best - E[score] <= log(m) / rate.

Proof of the first. A candidate of score at most c has weight at most e^{rate c}, and there are
at most m of them; the best alone has weight e^{rate best}. So P[score <= c] is at most
m e^{rate (c - best)}, which is e^{-t} at the c above.

Proof of the second. log(m) is at least the entropy of the distribution, which is
rate (best - E[score]) + log sum_i e^{rate (score_i - best)}, and the sum is at least 1.

Source: McSherry and Talwar (2007); Dwork and Roth (2014), Theorem 3.11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments
from dplab.mechanisms.selection import ExponentialMechanism

SLACK = 1e-9  # an allowance for rounding; relative, since tails may be tiny


@dataclass(frozen=True, eq=False)
class UtilityTail:
    """The tail of the score and its bound at each of `t`, shape (len(t),); the gap and its bound.

    `floors[i]` is best - (log(m) + t[i]) / rate, and `tails[i]` is P[score <= floors[i]], exactly.
    `gap` is best - E[score], `largest_gap` is log(m) / rate, in the scores' units.
    """

    t: np.ndarray
    floors: np.ndarray
    tails: np.ndarray
    gap: float
    largest_gap: float

    @property
    def bounds(self) -> np.ndarray:
        """e^{-t}."""
        return np.exp(-self.t)

    @property
    def holds(self) -> bool:
        """True if every tail, and the gap, is within its bound."""
        tails_hold = (self.tails <= self.bounds * (1 + SLACK)).all()
        return bool(tails_hold and self.gap <= self.largest_gap * (1 + SLACK))


def utility_tail(mechanism: ExponentialMechanism, data: Any, t: Any) -> UtilityTail:
    """Check the theorem exactly for one dataset at each of `t`, reals of at least 0.

    Raises ValueError for other t, or none.

    >>> election = ExponentialMechanism("abc", lambda votes: votes, 1, 1)
    >>> tail = utility_tail(election, [0, 9, 10], [0.5, 1])
    >>> tail.floors.round(3).tolist(), tail.tails.round(5).tolist(), tail.holds
    ([6.803, 5.803], [0.00418, 0.00418], True)
    """
    arguments.instance("mechanism", mechanism, ExponentialMechanism)
    t = np.atleast_1d(arguments.reals("t", t)).ravel()
    if t.min() < 0:
        raise ValueError(f"t must be at least 0, not {t.min()}")
    gaps = mechanism.advantages(data) / mechanism.rate  # score - best
    probabilities = mechanism.distribution(data).probabilities
    largest_gap = np.log(len(probabilities)) / mechanism.rate
    depths = largest_gap + t / mechanism.rate
    tails = np.array([probabilities[gaps <= -depth].sum() for depth in depths])
    possible = probabilities > 0
    gap = float(-probabilities[possible] @ gaps[possible])
    best = float(np.max(mechanism.scores(data)))
    return UtilityTail(t, best - depths, tails, gap, largest_gap)
