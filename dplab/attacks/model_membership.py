"""Was this record in the training data? Ask the model how small its loss on it is.

A model fits those it was trained on better than others of their kind. Whoever has the model and a
record accuses if the record's loss is below a threshold. With a promise there is a limit, for every
attack: its *advantage*, the share of members accused less the share of others, is at most

    (e^epsilon - 1 + 2 delta) / (e^epsilon + 1)      for (epsilon, delta)-DP under replace-one,

for membership is replacing a member by another of the same kind. Proof: with a = the share of
others accused and b that of members, b <= e^epsilon a + delta and 1 - a <= e^epsilon (1 - b) +
delta; add the two, and (e^epsilon + 1)(b - a) <= e^epsilon - 1 + 2 delta.

Sources: Yeom, Giacomelli, Fredrikson and Jha (2018) for the attack; Kairouz, Oh and Viswanath
(2015) for the limit.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dplab import arguments
from dplab.guarantees import ApproxDP


def advantage(member_scores, outsider_scores) -> float:
    """The largest share of members accused less the share of outsiders, over all thresholds.

    Scores are larger for members, as minus the loss is. On scores that were used to choose the
    threshold it is an optimistic number for few people. Raises ValueError for scores that are no
    finite numbers, or none.

    >>> advantage([0.5, 2.0, 3.0, 1.9], [-1.0, 0.0, 1.0, 2.5])
    0.5
    """
    members = np.sort(arguments.reals("member_scores", member_scores).ravel())
    outsiders = np.sort(arguments.reals("outsider_scores", outsider_scores).ravel())
    places = np.concatenate([members, outsiders])
    accused = 1 - np.searchsorted(members, places) / len(members)
    wrongly = 1 - np.searchsorted(outsiders, places) / len(outsiders)
    return float(max(0.0, (accused - wrongly).max()))


def most_advantage(promise: ApproxDP) -> float:
    """The limit above.

    >>> round(most_advantage(ApproxDP(1.0, 0.0)), 4)
    0.4621
    """
    e = promise.epsilon
    return float(min(1.0, np.tanh(e / 2) + 2 * promise.delta * expit(-e)))
