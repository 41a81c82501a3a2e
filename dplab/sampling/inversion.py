"""Lazy inversion: an exact draw from a discrete distribution, with as few random bits as possible.

A uniform real U in [0, 1) falls between two values of the distribution function, which determine
the outcome. Only the leading bits of U are drawn. They confine U to an interval, and rigorous
bounds confine every value c_j of the distribution function. If no bounds of a c_j meet the
interval, the outcome is decided: further bits of U cannot change it. Otherwise more bits are drawn
and the bounds become sharper. So the distribution is exactly the one stated, although the c_j are
irrational and nobody ever computes one. All comparisons are between integers.

Three stages make this fast. 16 bits decide nearly every draw by one look into a table. The rest
gets 64 bits and a binary search. A tie there has probability about 2^-63 for each outcome in the
table; Python's integers break it with 64 more bits at a time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from dplab import arguments
from dplab.sampling import bits
from dplab.sampling.fixed_point import Bounds

WORD = 64  # bits
CELL = 16  # bits
OPEN = np.iinfo(np.int32).min  # marks a cell of the table that does not decide
GUARD = 48  # extra bits of the weights, beyond those of the distribution function


@dataclass(frozen=True)
class Weights:
    """Unnormalised probabilities of outcomes 0, 1, ...: bounds in one fixed-point unit.

    low[j] <= weight_j <= high[j]. All outcomes beyond the lists together weigh at most `tail`.
    """

    low: list[int]
    high: list[int]
    tail: int = 0

    @classmethod
    def of(cls, bounds: list[Bounds], tail: int = 0) -> Weights:
        """Collect the bounds of one weight after the other."""
        return cls([low for low, _ in bounds], [high for _, high in bounds], tail)


@dataclass(frozen=True, eq=False)
class Inversion:
    """A sampler of the distribution P(decode(j)) proportional to weight_j, j = 0, 1, ...

    `weights(precision)` returns bounds in units of 2^-precision, with more outcomes where the
    distribution has infinitely many (then `tail` is never 0, and falls with the precision).
    `decode` maps indices, one int or an array of them, to values that fit 32 bits.

    Raises ValueError for other arguments.
    """

    weights: Callable[[int], Weights]
    decode: Callable

    def __post_init__(self):
        arguments.settle(self, arguments.function, "weights", "decode")

    def sample(self, source: bits.Source, size: int) -> np.ndarray:
        """Return independent draws, int32 of shape (size,)."""
        cells = bits.cells(source, size)
        values: np.ndarray = self._table.take(cells)
        undecided = np.flatnonzero(values == OPEN)
        if undecided.size:
            values[undecided] = self._by_words(cells[undecided], source)
        return values

    def _by_words(self, cells: np.ndarray, source: bits.Source) -> np.ndarray:
        fresh = bits.words(source, len(cells)) >> np.uint64(CELL)
        numbers = (cells.astype(np.uint64) << np.uint64(WORD - CELL)) | fresh
        first, last = self._possible(numbers, numbers)
        ties = np.flatnonzero(first != last)
        first[ties] = [self._by_integers(int(numbers[i]), source) for i in ties]
        return self.decode(first)

    def _by_integers(self, number: int, source: bits.Source) -> int:
        """Return the index of the outcome for U = 0.number..., if 64 bits do not decide it."""
        precision = WORD
        while True:
            precision += WORD
            number = number << WORD | bits.integer(source, WORD)
            low, high = self._distribution(precision)
            first, last = bisect_left(high, number), bisect_right(low, number)
            if first == last:
                return first

    def _distribution(self, precision: int) -> tuple[list[int], list[int]]:
        """Return bounds of c_j = P(index <= j) in units of 2^-precision.

        c_j = A / S, A the weight up to j and S that of all, lies between A_low / S_high and
        A_high / S_low; both are rounded down, so low <= 2^precision c_j < high + 1. For
        2^precision U in [number, number + 1), U < c_j is certain if number < low, that is
        number + 1 <= low, and U >= c_j if number > high, that is number >= high + 1.
        If there is a tail, the last high is at least 2^precision: no U is certain to lie in it.
        """
        weights = self.weights(precision + GUARD)
        total_low, total_high = sum(weights.low), sum(weights.high) + weights.tail
        low = [(part << precision) // total_high for part in accumulate(weights.low)]
        high = [(part << precision) // total_low for part in accumulate(weights.high)]
        if weights.tail:
            return low, high
        return low[:-1], high[:-1]  # U < 1 needs no comparison

    @cached_property
    def _words(self) -> tuple[np.ndarray, np.ndarray]:
        most = (1 << WORD) - 1
        low, high = (
            np.array([min(v, most) for v in c], dtype=np.uint64) for c in self._distribution(WORD)
        )
        return low, high

    def _possible(self, smallest: np.ndarray, largest: np.ndarray) -> tuple:
        """Return the first and last index possible for 2^64 U in [smallest, largest + 1)."""
        low, high = self._words
        return np.searchsorted(high, smallest, "left"), np.searchsorted(low, largest, "right")

    @cached_property
    def _table(self) -> np.ndarray:
        """The value that each 16-bit beginning of U decides, or OPEN; int32 of shape (65536,)."""
        begin = np.arange(1 << CELL, dtype=np.uint64) << np.uint64(WORD - CELL)
        end = begin + np.uint64((1 << (WORD - CELL)) - 1)
        first, last = self._possible(begin, end)
        return np.where(first == last, self.decode(first), OPEN).astype(np.int32)


def zigzag(index: Any) -> Any:
    """Decode 0, 1, 2, 3, 4, ... as 0, -1, 1, -2, 2, ...: q at 2q, its complement -1 - q next."""
    return index >> 1 ^ -(index & 1)


def identity(index: Any) -> Any:
    """Decode an index as itself."""
    return index
