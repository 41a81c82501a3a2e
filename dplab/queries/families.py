"""Query families: the kind of allowed questions decides how much noise hides the bits.

    conjunctions   "how many with blue eyes and brown hair have the bit?", for public attributes
    marginals      the same of a table of counts: all cells of all its k-way marginal tables
    intervals      "how many of those aged i to j have it?"; thresholds, from the first on
    Hadamard       halves of all people, any two of which share exactly half of their members

Conjunctions of a few attributes reconstruct almost as well as random subsets. Each row is far from
the sums of other rows. So no direction in the space of secrets is hard to see: the least singular
value of the queries is a constant times sqrt(m). Thresholds reconstruct badly: answers to
neighbouring thresholds differ by one bit, so the noise need not grow with n to hide it. Sources:
Kasiviswanathan, Rudelson, Smith and Ullman (2010); Dwork and Yekhanin (2008); for marginals, Barak,
Chaudhuri, Dwork, Kale, McSherry and Talwar (2007).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from math import comb, isqrt, prod

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.queries.linear import MAX_CELLS, LinearQueries


class IntervalQueries(LinearQueries):
    """The sums over places starts[j] <= i < stops[j]: whole numbers, 0 <= start <= stop <= n.

    Products are differences of running sums and take m + n additions. Raises ValueError for other
    starts or stops.

    >>> (IntervalQueries(4, starts=[0, 1], stops=[4, 3]) @ [5, 6, 7, 8]).tolist()
    [26.0, 13.0]
    """

    def __init__(self, n: int, starts: ArrayLike, stops: ArrayLike):
        n = arguments.whole("n", n, least=1, most=MAX_CELLS)
        self._stops = arguments.categories("stops", stops, n + 1)
        self._starts = arguments.categories("starts", starts, n + 1)
        if self._starts.ndim != 1 or self._starts.shape != self._stops.shape:
            shapes = f"{self._starts.shape} and {self._stops.shape}"
            raise ValueError(f"starts and stops must be rows of one length, not {shapes}")
        if (self._starts > self._stops).any():
            raise ValueError("starts must be at most stops")
        super().__init__(len(self._starts), n)

    @classmethod
    def thresholds(cls, n: int) -> IntervalQueries:
        """Return the n thresholds on n people in a public order: query j has the first j + 1.

        Raises ValueError unless n is from 1 to 2^28.

        >>> np.asarray(IntervalQueries.thresholds(3)).tolist()
        [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
        """
        n = arguments.whole("n", n, least=1, most=MAX_CELLS)
        return cls(n, np.zeros(n, dtype=int), np.arange(1, n + 1))

    @classmethod
    def every(cls, n: int) -> IntervalQueries:
        """Return all n (n + 1) / 2 intervals, sorted by their starts and then by their stops.

        Raises ValueError unless n is at least 1, and for more than 2^28 intervals.
        """
        most = isqrt(2 * MAX_CELLS)
        starts, last = np.triu_indices(arguments.whole("n", n, least=1, most=most))
        return cls(n, starts, last + 1)

    @classmethod
    def tree(cls, n: int) -> IntervalQueries:
        """Return the nodes of a binary tree: all i 2^l to (i + 1) 2^l up to n, the shortest first.

        Each place is in at most n.bit_length() nodes, one for each length. Raises ValueError
        unless n is from 1 to 2^28.

        >>> np.asarray(IntervalQueries.tree(3)).tolist()
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
        """
        n = arguments.whole("n", n, least=1, most=MAX_CELLS)
        firsts = [np.arange(n >> level) << level for level in range(n.bit_length())]
        stops = [first + (1 << level) for level, first in enumerate(firsts)]
        return cls(n, np.concatenate(firsts), np.concatenate(stops))

    def _matmat(self, x: np.ndarray) -> np.ndarray:
        sums = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(x, axis=0)])
        return sums[self._stops] - sums[self._starts]

    def _rmatmat(self, y: np.ndarray) -> np.ndarray:
        steps: np.ndarray = np.zeros((self.shape[1] + 1, y.shape[1]))
        np.add.at(steps, self._starts, y)
        np.subtract.at(steps, self._stops, y)
        return np.cumsum(steps, axis=0)[:-1]


class ConjunctionQueries(LinearQueries):
    """All conjunctions of at most k of d public attributes, the empty one (everybody) first.

    `attributes` is 0/1 of shape (n, d), with one row for each person. There are m = 1 + d + ... +
    (d choose k) queries, the shorter ones first, each length in lexicographic order; a query sums
    over the people who have all attributes of its set. Raises ValueError for entries that are not 0
    or 1, or a k outside 1 to d.

    >>> np.asarray(ConjunctionQueries([[1, 1], [1, 0], [0, 1]], k=2)).tolist()
    [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0]]
    """

    def __init__(self, attributes: ArrayLike, k: int):
        attributes = arguments.categories("attributes", attributes, 2)
        if attributes.ndim != 2:
            raise ValueError(f"attributes must be of shape (n, d), not {attributes.shape}")
        n, d = attributes.shape
        self.k = arguments.whole("k", k, least=1, most=d)
        self._columns = np.ascontiguousarray(attributes.T, dtype=float)
        super().__init__(sum(comb(d, size) for size in range(k + 1)), n)

    def _blocks(self) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Yield blocks of sets of attributes that differ only in their last attribute.

        A block has the rows of the sets, the people who have all other attributes, of shape (n,),
        and the columns of the last attributes.
        """
        end = 1
        for size in range(self.k):
            for others in combinations(range(len(self._columns)), size):
                last = self._columns[max(others, default=-1) + 1 :]
                start, end = end, end + len(last)
                yield slice(start, end), self._columns[list(others)].all(axis=0), last

    def _to_matrix(self) -> np.ndarray:
        matrix = np.ones(self.shape)
        for rows, has_others, last in self._blocks():
            matrix[rows] = has_others * last
        return matrix

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        answers: np.ndarray = np.full(self.shape[0], x.sum(), dtype=float)
        for rows, has_others, last in self._blocks():
            answers[rows] = last @ (has_others * np.ravel(x))
        return answers

    def _rmatvec(self, y: np.ndarray) -> np.ndarray:
        y = np.ravel(y)
        total = np.full(self.shape[1], y[0], dtype=float)
        for rows, has_others, last in self._blocks():
            total += has_others * (y[rows] @ last)
        return total


class MarginalQueries(LinearQueries):
    """All cells of all k-way marginal tables of a table of counts.

    `shape` is the shape of the table, whose cells are in the order of `ravel`. Marginal tables come
    in lexicographic order of the axes that they keep. Raises ValueError unless 0 <= k <=
    len(shape).

    >>> (MarginalQueries((2, 3), k=1) @ [1, 2, 3, 4, 5, 6]).tolist()
    [6, 15, 5, 7, 9]
    """

    def __init__(self, shape: Sequence[int], k: int):
        shape = arguments.sequence("shape", shape)
        self.table = tuple(arguments.whole("shape", size, least=1) for size in shape)
        self.k = arguments.whole("k", k, least=0, most=len(self.table))
        cells, tables = prod(self.table), comb(len(self.table), self.k)
        if max(cells, tables) > MAX_CELLS:
            raise ValueError(f"shape and k make {cells:,} cells and {tables:,} tables: too many")
        shapes = [  # shapes of marginal tables, with 1 for axes that are summed over
            tuple(size if axis in axes else 1 for axis, size in enumerate(self.table))
            for axes in combinations(range(len(self.table)), self.k)
        ]
        ends = list(accumulate(map(prod, shapes), initial=0))
        self._tables = [
            (slice(*rows), shape, tuple(axis for axis, size in enumerate(shape) if size == 1))
            for rows, shape in zip(pairwise(ends), shapes, strict=True)
        ]
        super().__init__(ends[-1], prod(self.table))

    def _to_matrix(self) -> np.ndarray:
        matrix = np.zeros(self.shape)
        every = np.arange(self.shape[1])
        for rows, shape, _ in self._tables:
            cells = np.arange(rows.start, rows.stop).reshape(shape)
            matrix[np.broadcast_to(cells, self.table).ravel(), every] = 1
        return matrix

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        table: np.ndarray = np.reshape(x, self.table)
        return np.concatenate([table.sum(axis=axes).ravel() for _, _, axes in self._tables])

    def _rmatvec(self, y: np.ndarray) -> np.ndarray:
        y, total = np.ravel(y), np.zeros(self.table)
        for rows, shape, _ in self._tables:
            total += y[rows].reshape(shape)
        return total.ravel()


class HadamardQueries(LinearQueries):
    """The n subsets of n people that the Hadamard matrix makes; n is a power of two.

    Query j has the people whose number i shares an even number of binary ones with j. The queries
    are (1 + H) / 2 with the Hadamard matrix H, whose rows are orthogonal. A product takes n log2(n)
    additions. Raises ValueError for other n.

    >>> np.asarray(HadamardQueries(4)).tolist()
    [[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]]
    """

    def __init__(self, n: int):
        super().__init__(power_of_two("n", n), n)

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        return (x.sum() + transform(np.ravel(x))) / 2

    _rmatvec = _matvec  # H is symmetric


def transform(values: ArrayLike) -> np.ndarray:
    """Return H times values, shape (n,): the fast Walsh-Hadamard transform, n log2(n) sums."""
    sums = np.array(values, dtype=float)
    width = power_of_two("the number of values", len(sums))
    sums = sums.reshape(1, width)
    while width > 1:
        width //= 2
        pairs = sums.reshape(-1, 2, width)
        sums = np.empty_like(pairs)
        np.add(pairs[:, 0], pairs[:, 1], out=sums[:, 0])
        np.subtract(pairs[:, 0], pairs[:, 1], out=sums[:, 1])
    return sums.ravel()


def power_of_two(name: str, n: int) -> int:
    """Return n if it is a power of two, or raise ValueError."""
    if arguments.whole(name, n, least=1) & (n - 1):
        raise ValueError(f"{name} must be a power of two, not {n}")
    return n
