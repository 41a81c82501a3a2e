"""Theorem: the best known rates of error for k queries on T cells about n people, as of 2026.

The mean error alpha, as a share of the people, of the best mechanisms for the worst k queries, up
to constants (and, for approximate privacy, up to a factor of sqrt(log(1 / delta))), with
N = epsilon n:

                 epsilon-DP                      (epsilon, delta)-DP
    root mean    (log(T) / N)^{1/2}              (log(T)^{1/2} / N)^{1/2}
    largest      (log(k) log(T) / N)^{1/3}       (log(k) log(T)^{1/2} / N)^{1/2}

Three are tight: no mechanism has a better rate for all queries. The root mean square under
epsilon-DP was open until Nikolov (2022): before, (log(k)^2 log(T)^{3/2} / N)^{1/2} was the best
known. The largest error under epsilon-DP is open, as far as we know in 2026: Nikolov and Ullman
(2021) conjecture (log(k) log(T) / N)^{1/2}, and less is impossible. If k is small, independent
noise does better than all of them: k / N, or sqrt(k) / N.

`dplab.queries` has the mechanisms: random_projection and small_database for epsilon-DP, projection
and weights for (epsilon, delta)-DP.

Sources, in the order of the table: Nikolov, *Private query release via the Johnson-Lindenstrauss
transform* (2022, SODA 2023); Dwork, Rothblum and Vadhan (2010); Blum, Ligett and Roth (2013); Hardt
and Rothblum (2010). Lower bounds: Hardt (2011), Theorem 4.5.1, for epsilon-DP; Bun, Ullman and
Vadhan (2014) for (epsilon, delta)-DP.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments


@dataclass(frozen=True)
class Rate:
    """A rate with the constant 1: the error of answers as a share of the people.

    `known` is proved by `source`. Less than `least` is impossible; the two are equal if the rate is
    tight. It is open which rate between them is possible.
    """

    known: float
    least: float
    source: str

    @property
    def open(self) -> bool:
        """True if nobody knows, as far as we know in 2026, whether a better rate is possible."""
        return self.least < self.known


def query_release_rates(k: int, cells: int, *, n: int, epsilon: float) -> dict[tuple, Rate]:
    """Return the table, by ("root mean" or "largest", "pure" or "approximate"), at most 1 each.

    Raises ValueError unless k, cells and n are whole numbers, k and cells at least 2, and
    epsilon > 0.

    >>> rates = query_release_rates(1000, 4096, n=10**6, epsilon=1.0)
    >>> round(rates["root mean", "pure"].known, 5), rates["root mean", "pure"].open
    (0.00288, False)
    >>> round(rates["largest", "pure"].known, 4), rates["largest", "pure"].open
    (0.0386, True)
    """
    log_k = np.log(arguments.whole("k", k, least=2))
    log_t = np.log(arguments.whole("cells", cells, least=2))
    people = arguments.whole("n", n, least=1) * arguments.number("epsilon", epsilon, above=0)

    def rate(source: str, top: float, power: float = 1 / 2) -> Rate:
        known = min(1.0, float((top / people) ** power))
        return Rate(known, min(known, float((top / people) ** 0.5)), source)

    return {
        ("root mean", "pure"): rate("Nikolov 2022", log_t),
        ("root mean", "approximate"): rate("Dwork, Rothblum, Vadhan 2010", log_t**0.5),
        ("largest", "pure"): rate("Blum, Ligett, Roth 2013", log_k * log_t, 1 / 3),
        ("largest", "approximate"): rate("Hardt, Rothblum 2010", log_k * log_t**0.5),
    }
