"""The exhaustive attack: keep every dataset that is consistent with all answers.

If all of a curator's answers are within E = alpha n of the truth, an attacker who may ask about
every subset errs in at most 4 E bits. For any dataset that is consistent with all answers is wrong
in at most 4 alpha n bits.

Proof. Let b be the secret and c be consistent. Ask for the people D1 whose bit is 1 in c and 0 in
b: the two true counts are |D1| and 0, the answer is within E of both, so |D1| <= 2 E. The same
for the people whose bit is 0 in c and 1 in b. Together they are all people where c is wrong.

The bound is tight: see `MidpointCurator`. Random noise hides far less: a few dozen random
queries leave only the secret. The cost of the attack is the 2^n candidates, not the queries.
Source: Dinur and Nissim (2003), Theorem 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.queries.linear import check_one_answer_set

MAX_PEOPLE = 31  # the largest dataset for an exhaustive search
BLOCK_PEOPLE = 18  # people whose bits take all values within one block: its counts fit the cache


def consistent_datasets(queries: ArrayLike, answers: ArrayLike, error: float) -> np.ndarray:
    """Find every dataset whose counts are all within `error` of the answers, among all 2^n.

    `queries` is 0/1 of shape (m, n), n at most 31; `answers` has shape (m,). Returns 0/1 of shape
    (found, n), in lexicographic order; none where the answers are further off than `error`.
    Memory is 2^min(n, 18) bytes a query, plus the result. Raises ValueError for shapes that do
    not fit, entries that are not 0 or 1, and too many people.

    >>> consistent_datasets([[1, 1, 0], [0, 1, 1]], [1, 2], error=0).tolist()
    [[0, 1, 1]]
    """
    queries, answers = check_one_answer_set(arguments.categories("queries", queries, 2), answers)
    if not 1 <= queries.shape[1] <= MAX_PEOPLE:
        raise ValueError(f"queries must be on 1 to {MAX_PEOPLE} people, not {queries.shape[1]}")
    error = arguments.number("error", error, least=0)
    n = queries.shape[1]
    low, high = queries[:, : min(n, BLOCK_PEOPLE)], queries[:, min(n, BLOCK_PEOPLE) :]
    low_bits, low_counts = _list_datasets(low.shape[1]), [_count_ones(row) for row in low]
    datasets = []
    for block in _list_datasets(high.shape[1]):
        places = _find_consistent(low_counts, answers - high @ block.astype(int), error)
        datasets.append(np.hstack([low_bits[places], np.tile(block, (len(places), 1))]))
    return _sort(np.concatenate(datasets))


def _list_datasets(n: int) -> np.ndarray:
    """Return all 2^n rows of n bits."""
    return (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(np.uint8)


def _count_ones(query: np.ndarray) -> np.ndarray:
    """Return a query's count on all 2^n datasets, in the order of `_list_datasets`."""
    counts: np.ndarray = np.zeros(1, dtype=np.uint8)
    for bit in query.astype(np.uint8):
        counts = np.concatenate([counts, counts + bit])
    return counts


def _find_consistent(counts: list[np.ndarray], answers: np.ndarray, error: float) -> np.ndarray:
    """Return the places where every count is within `error` of its answer, query by query."""
    first, *others = answers.tolist()
    places = np.flatnonzero(_is_between(counts[0], first, error))
    for count, answer in zip(counts[1:], others, strict=True):
        if not len(places):
            break
        places = places[_is_between(count[places], answer, error)]
    return places


def _is_between(counts: np.ndarray, answer: float, error: float) -> np.ndarray:
    least, most = math.ceil(answer - error - 1e-9), math.floor(answer + error + 1e-9)
    return (counts >= least) & (counts <= most)  # ints may be out of range for the type of counts


def _sort(rows: np.ndarray) -> np.ndarray:
    return rows[np.lexsort(rows.T[::-1])].astype(int)


@dataclass(frozen=True, eq=False)
class MidpointCurator:
    """A curator that hides as many bits as the bound allows: 4 E, with all answers within E.

    Two datasets, `secret` and `decoy`, differ in 4 E people. Half of these have a 1 in `secret`,
    the other half in `decoy`. Every answer is the midpoint of the two true counts, which
    differ by 2 E at most. So no number of queries is enough to tell the two datasets apart.

    `secret` is 0/1 of shape (n,) with at least 2 E ones and 2 E zeros, E = `error`, a whole number;
    ValueError otherwise.

    >>> curator = MidpointCurator([1, 1, 0, 0, 1], error=1)
    >>> curator.decoy.tolist(), curator.ask([[1, 1, 0, 0, 1], [1, 0, 0, 0, 0]]).tolist()
    ([0, 0, 1, 1, 1], [2.0, 0.5])
    """

    secret: np.ndarray
    error: int

    def __post_init__(self):
        secret = arguments.categories("secret", self.secret, 2, ndim=1)
        error = arguments.whole("error", self.error, least=1)
        if min(secret.sum(), len(secret) - secret.sum()) < 2 * error:
            raise ValueError(f"secret must have {2 * error} ones and as many zeros at least")
        object.__setattr__(self, "secret", secret)
        object.__setattr__(self, "error", error)

    @property
    def decoy(self) -> np.ndarray:
        """The other dataset: the first 2 E ones are 0 there, the first 2 E zeros are 1."""
        decoy = self.secret.copy()
        for bit in (0, 1):
            decoy[np.flatnonzero(self.secret == bit)[: 2 * self.error]] = 1 - bit
        return decoy

    def ask(self, queries: ArrayLike) -> np.ndarray:
        """Return the midpoints of the two counts, shape (m,)."""
        return np.asarray(queries) @ (self.secret + self.decoy) / 2
