"""The game of mistakes: a learner says a label, an adversary says "wrong" as long as it can.

In each round the adversary asks for the label of a point, and the learner says 0 or 1. Then the
adversary gives the answer. Some hypothesis of the class must agree with all answers so far. A
mistake tree has a point at each inner node and an answer on each edge. The class shatters it if
every path from the root to a leaf agrees with one of its hypotheses. The Littlestone dimension is
the depth of the deepest complete tree that is shattered, -1 for no hypotheses.

Theorem. Some learner makes at most Ldim mistakes on every sequence, and none can guarantee fewer.

Proof. The adversary walks down a shattered tree and says "wrong" at each node: Ldim mistakes. The
standard optimal algorithm says the label whose side, the hypotheses that agree with it, has the
larger dimension. If both sides had the dimension d of the whole, a node above their two trees would
make a tree of depth d + 1. So a mistake leaves a dimension of d - 1 at most, and at 0 all remaining
hypotheses agree on every point.

The threshold dimension Tdim is the largest k such that h_i(x_j) = [i <= j] for some hypotheses h_i
and points x_j, i and j from 1 to k. Either dimension is infinite if the other one is:
floor(log2 Tdim) <= Ldim and floor(log2 Ldim) <= Tdim. And a class can be learned with
(epsilon, delta)-DP if and only if they are finite.

Sources: Littlestone (1988); Shelah (1978) and Hodges (1997) for the two dimensions; Alon, Livni,
Malliaris and Moran (2019) and Bun, Livni and Moran (2020) for privacy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab.learning.pac import as_class, examples


@dataclass(frozen=True)
class Node:
    """A mistake tree: a point, and a subtree for each answer. A leaf is the number of a row."""

    point: int
    zero: Node | int
    one: Node | int

    def paths(self) -> Iterator[tuple[list[tuple[int, int]], int]]:
        """Yield each path to a leaf, as examples (point, label), and the leaf."""
        for label, child in enumerate((self.zero, self.one)):
            step = (self.point, label)
            if isinstance(child, Node):
                yield from (([step, *path], leaf) for path, leaf in child.paths())
            else:
                yield [step], child


class MistakeGame:
    """A class of hypotheses; an int `alive` is a subset of it, with bit h for row h.

    Dimensions are searched for once and stored: 1,024 hypotheses on 32 points take hundredths of a
    second. In the worst case the work grows like hypotheses^(log2 hypotheses).
    """

    def __init__(self, hypotheses: Any):
        self.hypotheses = as_class(hypotheses)
        self.everybody = (1 << len(self.hypotheses)) - 1
        self._saying_one = _bits(self.hypotheses.T)
        self._bounds: dict[int, tuple[int, int]] = {}  # bounds of the dimension of each `alive`

    @property
    def points(self) -> int:
        return self.hypotheses.shape[1]

    def split(self, alive: int, point: int) -> tuple[int, int]:
        """Return those of `alive` that answer 0 on the point, and those that answer 1."""
        ones = alive & self._saying_one[point]
        return alive ^ ones, ones

    def consistent(self, sample: Any) -> int:
        """Return the hypotheses that make no error on the sample."""
        alive = self.everybody
        for point, label in zip(*examples(sample, self.points), strict=True):
            alive = self.split(alive, point)[label]
        return alive

    def splits(self, alive: int, least: int = 1) -> list[tuple[int, int, int]]:
        """Return (point, zeros, ones) with at least `least` on both sides, the most even first."""
        splits = [(point, *self.split(alive, point)) for point in range(self.points)]
        sizes = [min(zeros.bit_count(), ones.bit_count()) for _, zeros, ones in splits]
        order = sorted(range(self.points), key=lambda point: -sizes[point])
        return [splits[point] for point in order if sizes[point] >= least]

    def dimension(self, alive: int) -> int:
        """Return the Littlestone dimension of a part of the class."""
        depth = -1
        while self.shatters(alive, depth + 1):
            depth += 1
        return depth

    def shatters(self, alive: int, depth: int) -> bool:
        """Return whether these hypotheses shatter a complete tree of this depth.

        Then they are 2^depth or more, and some point splits them into two sides that both shatter
        a tree of depth - 1. The smaller side is tried first, since it often doesn't.
        """
        most = alive.bit_count().bit_length() - 1
        low, high = self._bounds.get(alive, (min(most, 0), most))
        if depth <= low or depth > high:
            return depth <= low
        is_shattered = any(
            all(self.shatters(side, depth - 1) for side in sorted(sides, key=int.bit_count))
            for _, *sides in self.splits(alive, 1 << depth - 1)
        )
        self._bounds[alive] = (depth, high) if is_shattered else (low, depth - 1)
        return is_shattered

    def tree(self, alive: int, depth: int | None = None) -> Node | int:
        """Return a shattered complete tree of this depth, by default the largest.

        A tree of depth 0 is a leaf. Raises ValueError for a larger depth, and if no hypothesis is
        alive.
        """
        depth = self.dimension(alive) if depth is None else depth
        if depth == 0 and alive:
            return (alive & -alive).bit_length() - 1
        for point, *sides in self.splits(alive):
            if all(self.shatters(side, depth - 1) for side in sides):
                return Node(point, *(self.tree(side, depth - 1) for side in sides))
        raise ValueError(f"depth must be at most {self.dimension(alive)}, not {depth}")


def littlestone_dimension(hypotheses: Any) -> int:
    """Return the largest depth of a complete tree that the class, an array of bools, shatters.

    >>> from dplab.learning import thresholds
    >>> [littlestone_dimension(thresholds(points)) for points in (1, 3, 7, 8, 255)]
    [1, 2, 3, 3, 8]
    """
    game = MistakeGame(hypotheses)
    return game.dimension(game.everybody)


def threshold_dimension(hypotheses: Any) -> int:
    """Return the largest k with h_i(x_j) = [i <= j] for some hypotheses h_i and points x_j.

    It searches, and its work grows exponentially in the worst case: 30 random hypotheses on 30
    points take seconds.

    >>> from dplab.learning import single_points, thresholds
    >>> threshold_dimension(thresholds(7)), threshold_dimension(single_points(7))
    (7, 1)
    """
    rules = as_class(hypotheses)
    for _ in range(2):  # drop duplicate hypotheses, then duplicate points
        rules = rules[list({bits: i for i, bits in enumerate(_bits(rules))}.values())].T
    rows, columns = _bits(rules), _bits(rules.T)
    lengths: dict[tuple[int, int], int] = {}

    def longest(alive: int, open_points: int) -> int:
        """Return how far a chain can go on: `alive` are 0 on its points, its own 1 on the rest."""
        state = (alive, open_points)
        if state not in lengths:
            best = 0
            says_one = {rows[h] & open_points for h in _list_members(alive)}
            for ones in sorted(says_one, key=int.bit_count, reverse=True):
                for x in _list_members(ones):
                    zeros, later = alive & ~columns[x], ones & ~(1 << x)
                    if min(zeros.bit_count(), later.bit_count()) >= best:
                        best = max(best, 1 + longest(zeros, later))
            lengths[state] = best
        return lengths[state]

    return longest((1 << len(rows)) - 1, (1 << len(columns)) - 1)


def _bits(rows: np.ndarray) -> list[int]:
    """Return an int for each row, with bit i for its entry i."""
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _list_members(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1
