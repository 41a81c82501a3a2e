"""Theorem: the four known rates of error for k queries on T cells about n people.

The mean error alpha, as a share of the people, of the best mechanisms for the worst k queries, up
to constants (and, for approximate privacy, up to a factor of sqrt(log(1 / delta))), with
N = epsilon n:

                 epsilon-DP                            (epsilon, delta)-DP
    root mean    (log(k)^2 log(T)^{3/2} / N)^{1/2}     (log(T)^{1/2} / N)^{1/2}
    largest      (log(k) log(T) / N)^{1/3}             (log(k) log(T)^{1/2} / N)^{1/2}

The right column is tight. The left is open: the conjecture is (log(T) / N)^{1/2} for the root mean
square and (log(k) log(T) / N)^{1/2} for the largest error, below which no error can be. If k is
small, independent noise does better than all of them: k / N, or sqrt(k) / N.

Sources: Nikolov, Talwar and Zhang (2013); Dwork, Rothblum and Vadhan (2010); Blum, Ligett and Roth
(2013); Hardt and Rothblum (2010); Bun, Ullman and Vadhan (2014) for tightness; Hardt (2011) for the
lower bounds of the conjectures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments


@dataclass(frozen=True)
class Rate:
    """A rate with the constant 1: the error of answers as a share of the people.

    `known` is proved. `conjectured` may be possible, and equals it if the rate is tight.
    """

    known: float
    conjectured: float

    @property
    def open(self) -> bool:
        """True if it is an open question whether a better rate is possible."""
        return self.conjectured < self.known


def query_release_rates(k: int, cells: int, *, n: int, epsilon: float) -> dict[tuple, Rate]:
    """Return the table, by ("root mean" or "largest", "pure" or "approximate"), at most 1 each.

    Raises ValueError unless k, cells and n are whole numbers, from 2 on the first two, and
    epsilon > 0.

    >>> rates = query_release_rates(1000, 4096, n=10**6, epsilon=1.0)
    >>> round(rates["largest", "pure"].known, 4), rates["largest", "approximate"].open
    (0.0386, False)
    """
    log_k = np.log(arguments.whole("k", k, least=2))
    log_t = np.log(arguments.whole("cells", cells, least=2))
    people = arguments.whole("n", n, least=1) * arguments.number("epsilon", epsilon, above=0)

    def rate(top: float, power: float, hope: float | None = None) -> Rate:
        proved = min(1.0, float((top / people) ** power))
        return Rate(proved, proved if hope is None else min(proved, float((hope / people) ** 0.5)))

    return {
        ("root mean", "pure"): rate(log_k**2 * log_t**1.5, 1 / 2, log_t),
        ("root mean", "approximate"): rate(log_t**0.5, 1 / 2),
        ("largest", "pure"): rate(log_k * log_t, 1 / 3, log_k * log_t),
        ("largest", "approximate"): rate(log_k * log_t**0.5, 1 / 2),
    }
