"""Linear queries without a stored matrix, and subsets stored with one bit for each entry."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse.linalg import LinearOperator

from dplab import arguments
from dplab import records as checks

Queries: TypeAlias = np.ndarray | LinearOperator

MAX_ENTRIES = 2**27  # entries of a stored matrix: a GiB of floats
MAX_CELLS = 2**28  # cells of a table, and answers: two GiB of floats
BYTE_BITS = np.arange(256)[:, None] >> np.arange(8) & 1  # bits of each byte, the lowest first


class LinearQueries(LinearOperator):
    """A family of m queries on n people or cells, with answers `queries @ x`.

    `queries.T @ y` is the adjoint. A subclass defines how to multiply, by `_matvec` and `_rmatvec`
    or, for many columns at once, by `_matmat` and `_rmatmat`. `numpy.asarray` makes the matrix, by
    products unless the subclass has a faster way. Raises ValueError for a matrix of more than 2^27
    entries, and for more than 2^28 queries or cells.
    """

    def __init__(self, m: int, n: int):
        m = arguments.whole("m", m, least=0)
        n = arguments.whole("n", n, least=1)
        if max(m, n) > MAX_CELLS:
            raise ValueError(
                f"m and n must be smaller: {m:,} queries on {n:,} cells are too many: "
                f"at most {MAX_CELLS:,}"
            )
        super().__init__(float, (m, n))

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        m, n = self.shape
        if m * n > MAX_ENTRIES:
            raise ValueError(f"queries of shape {self.shape} are too many to store as a matrix")
        return np.rint(self._to_matrix()).astype(dtype or int)

    def _to_matrix(self) -> np.ndarray:
        m, n = self.shape
        return self @ np.eye(n) if n <= m else (self.T @ np.eye(m)).T


def check_shapes(
    queries: ArrayLike | LinearOperator, answers: ArrayLike
) -> tuple[Queries, np.ndarray]:
    """Return queries of shape (m, n) and answers of shape (m,), or (r, m) for r sets of answers.

    Implicit queries are returned as they are. Raises ValueError for shapes that do not fit.
    """
    answers = arguments.reals("answers", answers)
    if not isinstance(queries, LinearOperator):
        queries = arguments.reals("queries", queries)
    if len(queries.shape) != 2 or answers.ndim > 2 or answers.shape[-1:] != queries.shape[:1]:
        shapes = f"{queries.shape} and {answers.shape}"
        raise ValueError(f"queries and answers must be (m, n) and (m,) or (r, m), not {shapes}")
    return queries, answers


def check_one_answer_set(queries: ArrayLike, answers: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return queries as a matrix and one set of answers; raise ValueError for more sets."""
    matrix = np.asarray(queries) if isinstance(queries, LinearQueries) else queries
    matrix, answers = check_shapes(arguments.reals("queries", matrix), answers)
    if answers.ndim != 1:
        raise ValueError(f"answers must be (m,), one set for the solver, not {answers.shape}")
    return np.asarray(matrix), answers


def table_of(records: ArrayLike, cells: int) -> np.ndarray:
    """Count the records in each cell, shape (cells,); raise ValueError for other numbers.

    Inside a curator, other numbers count in the nearest cell instead (see `dplab.records`).
    """
    records = checks.sized("data", records)
    places = checks.categories("data", records, cells) if len(records) else records
    return np.bincount(np.array(places, dtype=int), minlength=cells)


def random_queries(m: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw m queries on n people: a 0/1 array of shape (m, n), each entry a fair coin.

    Row j marks the people whose bits query j counts, so that `queries @ bits` are the answers.
    Raises ValueError unless m and n are whole numbers of at least 1.
    """
    m, n = arguments.shape(("m", m), ("n", n))
    arguments.generator("rng", rng)
    return rng.integers(2, size=(m, n))


class SubsetQueries(LinearQueries):
    """Any subsets of n people, stored with one bit for each person of each query.

    Products read a byte at a time: eight people can have 256 sums, and each query takes one of
    them. 40,000 queries on 20,000 people are 100 MB, and a tenth of a second.

    >>> SubsetQueries.of([[1, 0, 1], [0, 1, 1]]) @ [5, 6, 7]
    array([12., 13.])
    """

    def __init__(self, packed: np.ndarray, n: int):
        """Take bytes of shape (ceil(n / 8), m): bit i of packed[g, j] is person 8 g + i.

        Raises ValueError for another shape or type.
        """
        arguments.instance("packed", packed, np.ndarray)
        n = arguments.size("n", n)
        if packed.dtype != np.uint8 or packed.ndim != 2 or len(packed) != -(-n // 8):
            raise ValueError(
                f"packed must hold bytes, in {-(-n // 8)} rows for n = {n}, not "
                f"{packed.dtype} of shape {packed.shape}"
            )
        super().__init__(packed.shape[1], n)
        self._packed = packed

    @classmethod
    def of(cls, queries: ArrayLike) -> SubsetQueries:
        """Return the rows of a 0/1 array of shape (m, n); raise ValueError for anything else."""
        queries = arguments.categories("queries", queries, 2)
        if queries.ndim != 2:
            raise ValueError(f"queries must be of shape (m, n), not {queries.shape}")
        return cls(np.packbits(queries.T.astype(bool), axis=0, bitorder="little"), queries.shape[1])

    @classmethod
    def random(cls, m: int, n: int, rng: np.random.Generator) -> SubsetQueries:
        """Draw m subsets of n people; a fair coin decides for each person and subset.

        Raises ValueError unless m and n are whole numbers of at least 1.
        """
        m, n = arguments.size("m", m), arguments.size("n", n)
        arguments.shape(("n / 8", -(-n // 8)), ("m", m))
        arguments.generator("rng", rng)
        return cls(rng.integers(256, size=(-(-n // 8), m), dtype=np.uint8), n)

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        eights: np.ndarray = np.zeros((len(self._packed), 8))
        eights.ravel()[: self.shape[1]] = np.ravel(x)
        answers = np.zeros(self.shape[0])
        for sums, group in zip(eights @ BYTE_BITS.T, self._packed, strict=True):
            answers += sums.take(group)
        return answers

    def _rmatvec(self, y: np.ndarray) -> np.ndarray:
        weights = np.ravel(y)
        sums = np.array([np.bincount(group, weights, 256) for group in self._packed])
        return (sums @ BYTE_BITS).ravel()[: self.shape[1]]
