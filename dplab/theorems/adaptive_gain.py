"""Theorem: k exact answers let an analyst look better than she is by about sqrt(k / n) / pi.

The data contain no pattern: labels of n records are fair coins, and so are k variables. The analyst
asks on what share of records each variable agrees with the label. She turns variables below 1/2
over, and lets all of them vote. The true accuracy is 1/2. On the records that answered, the mean
accuracy is exactly

    1/2 + gain,  gain = P[B > k / 2] + P[B = k / 2] / 2 - 1 / 2,
    B binomial of k at 1/2 + gamma,  gamma = C(n - 1, floor((n - 1) / 2)) / 2^n,

which is Phi(2 gamma sqrt(k)) - 1/2 for large k, 2 gamma = sqrt(2 / (pi n)) for large n, and so
sqrt(k / n) / pi as long as k is small against n. An analyst who asks any k questions with answers
of 0 or 1 for each record gains in the mean at most sqrt(k log(n + 1) / (2 n)). So up to the root of
a logarithm, voting fools the analyst as much as anything can.

Proof. Look at one record, and let Z be its agreement (1 or -1) with one variable; the sum T of the
agreements of all n decides whether the variable is turned over. By symmetry over records
P[Z has the sign of T] - 1/2 = E|T| / (2 n), ties counting half, and that is gamma. Variables are
independent of each other, given the labels: of k votes for this record, a binomial number is right.

For the bound: an answer is one of 0, 1/n, ..., 1, so there are at most N = (n + 1)^k conversations,
and the last query is a function of the conversation (and of coins, which we fix). Each of these N
queries is fixed beforehand. By Hoeffding's lemma its mean on the sample is sub-Gaussian around its
true mean, with parameter 1 / (2 sqrt(n)). The largest of N such errors has a mean of at most
sqrt(2 log N) / (2 sqrt(n)).

Sources: Blum and Hardt (2015) for the vote; Dwork and others (2015), Generalization in adaptive
data analysis and holdout reuse, for counting conversations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import bdtr, ndtr, poch

from dplab import arguments


@dataclass(frozen=True, eq=False)
class AdaptiveGain:
    """The gain of a vote of k variables on n records, its approximation, and the general bound.

    All are arrays of one shape.
    """

    k: np.ndarray
    voting: np.ndarray
    normal: np.ndarray
    bound: np.ndarray

    @property
    def holds(self) -> bool:
        """True if voting gains no more than the bound."""
        return bool((self.voting <= self.bound + 1e-12).all())


def adaptive_gain(k: Any, n: int) -> AdaptiveGain:
    """Return the gain from k exact answers on n records without any pattern, see above.

    `k` is a whole number of at least 1, or an array of them. Raises ValueError for others, and
    unless n is at least 1.

    >>> gain = adaptive_gain([1, 100, 1000], n=2000)
    >>> gain.voting.round(4).tolist(), gain.bound.round(4).tolist()
    ([0.0089, 0.0706, 0.2136], [0.0436, 0.4359, 1.3785])
    """
    n, counts = arguments.whole("n", n, least=1), arguments.to_floats(k)
    if counts is None or np.asarray(k).dtype.kind not in "iu" or (counts < 1).any():
        raise ValueError(f"k must hold whole numbers of at least 1, not {arguments.show(k)}")
    k = np.asarray(k, dtype=np.int64)  # the root of an int8 would have three digits
    gamma = float(poch(n // 2 + 1, -0.5) / (2 * np.sqrt(np.pi)))  # by the duplication formula
    at_most, less = (bdtr(top, k, 1 / 2 - gamma) for top in (k // 2, (k - 1) // 2))
    voting = (at_most + less) / 2 - 1 / 2  # up to half of the votes are wrong; a tie counts half
    normal = ndtr(2 * gamma * np.sqrt(k)) - 1 / 2
    return AdaptiveGain(k, voting, normal, np.sqrt(k * np.log(n + 1) / (2 * n)))
