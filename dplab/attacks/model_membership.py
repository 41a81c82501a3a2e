"""Membership in training data: accuse the records on which the model's objective is small.

A model fits its training records better than similar records. An attacker with the model and a
record accuses it if the model's objective on it is below a threshold. A guarantee limits every
attack: its *advantage*, the share of accused members minus the share of accused others, is at most

    (e^epsilon - 1 + 2 delta) / (e^epsilon + 1)      for (epsilon, delta)-DP under replace-one,

because membership means replacing a member by another of the same kind. Proof: with a = the share
of others accused and b that of members, b <= e^epsilon a + delta and 1 - a <= e^epsilon (1 - b) +
delta; add the two, and (e^epsilon + 1)(b - a) <= e^epsilon - 1 + 2 delta.

Sources: Yeom, Giacomelli, Fredrikson and Jha (2018) for the attack; Kairouz, Oh and Viswanath
(2015) for the limit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dplab import arguments
from dplab.guarantees import ApproxDP


def advantage(member_scores: ArrayLike, outsider_scores: ArrayLike) -> float:
    """Return the largest share of accused members minus that of outsiders, over all thresholds.

    Scores are larger for members, for example minus the model's objective. For few people the
    result is too large, because the same scores choose the threshold. Raises ValueError for scores
    that are no finite numbers, or none.

    >>> advantage([0.5, 2.0, 3.0, 1.9], [-1.0, 0.0, 1.0, 2.5])
    0.5
    """
    members = np.sort(arguments.reals("member_scores", member_scores).ravel())
    outsiders = np.sort(arguments.reals("outsider_scores", outsider_scores).ravel())
    places = np.concatenate([members, outsiders])
    accused_members = 1 - np.searchsorted(members, places) / len(members)
    accused_outsiders = 1 - np.searchsorted(outsiders, places) / len(outsiders)
    return float(max(0.0, (accused_members - accused_outsiders).max()))


def most_advantage(promise: ApproxDP) -> float:
    """Return the largest advantage that `promise` allows: the limit above.

    Raises ValueError for other arguments.

    >>> round(most_advantage(ApproxDP(1.0, 0.0)), 4)
    0.4621
    """
    promise = arguments.guarantee("promise", promise, ApproxDP)
    e = promise.epsilon
    return float(min(1.0, np.tanh(e / 2) + 2 * promise.delta * expit(-e)))
