"""A curator with true answers except for a share of wild ones, which may be off by any amount.

Least absolute errors (`least_absolute`) ignore wild answers at random places. The worst places are
the queries whose counts differ most between the secret and some other dataset. If the curator
answers these from the other dataset, that dataset fits better as soon as these queries make up half
of the total difference.
If the other dataset turns about as many 1s into 0s as 0s into 1s, the differences of many random
queries are normal around 0. The largest absolute values hold half of their sum if they are a share

    erfc(sqrt(log 2)) = 0.2390...

of all. Below that share the attack gets every bit right; above it, it finds the other dataset. A
secret of only 1s, or only 0s, has no such neighbour. Its threshold is 1/4, where one bit can be
flipped. Source: Dwork, McSherry and Talwar (2007), Theorem 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments

MAX_WILD_SHARE = math.erfc(math.sqrt(math.log(2)))


def wild_answers(queries: ArrayLike, secret: ArrayLike, share: float) -> np.ndarray:
    """Return true counts, but counts of opposite bits for the share where these differ most.

    `queries` is 0/1 of shape (m, n), `secret` 0/1 of shape (n,), `share` from 0 to 1. Returns
    shape (m,), of which floor(share m) are wild. Raises ValueError for other arguments.

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
