"""A curator who tells the truth but for a share of the answers, and there lies without measure.

Least absolute errors (`least_absolute`) take no notice of lies at random places. The worst places
are the queries whose counts differ most between the secret and some other dataset: answered from
that one, they make it fit better as soon as they hold half of all the difference. If the other
dataset has about as many 1s for 0s as 0s for 1s, the differences of many random queries are normal
around 0; the largest of their absolute values hold half of the sum when they are a share

    erfc(sqrt(log 2)) = 0.2390...

of all. Below it every bit comes out right, above it the other dataset does. A secret of 1s alone,
or of 0s, has no such neighbour: it holds out to 1/4, where one person's bit can be turned over.
Source: Dwork, McSherry and Talwar (2007), Theorem 1.
"""

from __future__ import annotations

import math

import numpy as np

from dplab import arguments

MOST_WILD = math.erfc(math.sqrt(math.log(2)))


def wild_answers(queries, secret, share: float) -> np.ndarray:
    """True counts, and the counts of the opposite bits for the share where the two differ most.

    `queries` is 0/1 of shape (m, n), `secret` 0/1 of shape (n,), `share` from 0 to 1. Returns
    shape (m,), of which floor(share m) are wild. ValueError for other arguments.

    >>> wild_answers([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [1, 1, 0], share=0.34).tolist()
    [0, 1, 1]
    """
    queries = arguments.categories("queries", queries, 2)
    secret = arguments.categories("secret", secret, 2)
    if queries.ndim != 2 or secret.shape != queries.shape[1:]:
        shapes = f"{queries.shape} and {secret.shape}"
        raise ValueError(f"queries and secret must be (m, n) and (n,), not {shapes}")
    count = math.floor(arguments.number("share", share, least=0, most=1) * len(queries))
    answers, opposite = queries @ secret, queries @ (1 - secret)
    worst = np.argsort(-abs(opposite - answers), kind="stable")[:count]
    answers[worst] = opposite[worst]
    return answers
