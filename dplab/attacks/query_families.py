"""Query families: which questions a curator allows decides what noise still gives bits away.

    conjunctions   "how many with blue eyes and brown hair have the bit?", for public attributes
    prefixes       "how many of those aged j or less have it?": thresholds

Conjunctions of a few attributes reconstruct almost as random subsets do. The rows are far enough
from each other's sums that no direction in the space of secrets is hard to see: the least singular
value of the queries is a constant times sqrt(m). Prefixes don't: neighbouring answers differ by one
bit, so the noise need not grow with n to hide it.
Sources: Kasiviswanathan, Rudelson, Smith and Ullman (2010); Dwork and Yekhanin (2008).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from dplab import arguments


def conjunction_queries(attributes, k: int) -> np.ndarray:
    """All conjunctions of at most k of the public attributes, the empty one (everybody) first.

    `attributes` is 0/1 of shape (n, d), a row a person. Returns 0/1 of shape (m, n) with
    m = 1 + d + ... + (d choose k): row j marks the people who have all attributes of its set.
    Raises ValueError for entries that are not 0 or 1, or a k outside 1 to d.

    >>> conjunction_queries([[1, 1], [1, 0], [0, 1]], k=2).tolist()
    [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0]]
    """
    attributes = arguments.categories("attributes", attributes, 2)
    if attributes.ndim != 2:
        raise ValueError(f"attributes must be of shape (n, d), not {attributes.shape}")
    k = arguments.whole("k", k, least=1, most=attributes.shape[1])
    columns = attributes.T
    sets = [chosen for size in range(k + 1) for chosen in combinations(range(len(columns)), size)]
    return np.array([columns[list(chosen)].all(axis=0) for chosen in sets]).astype(int)


def prefix_queries(n: int) -> np.ndarray:
    """The n thresholds on n people in a public order: row j marks the first j + 1 of them.

    >>> prefix_queries(3).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return np.tri(arguments.whole("n", n, least=1), dtype=int)
