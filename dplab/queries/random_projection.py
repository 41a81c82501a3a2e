"""Random projection: the best possible mean error under pure privacy, however many the queries.

Let b_c, for each of N cells, be the column of the k queries at c, centred and divided by sqrt(k),
and R the largest |b_c|. Lengths are in the L2 norm. A mechanism for a table x of n people takes
three steps:

    project    Q x with Q = T B: T has shape (m, k), its entries are normal of variance 1 / m and
               public; or T is the identity
    add noise  y = Q x + Y + sum_c J_c u_c, u_c the direction of column Q_c, see `RareJumpNoise`
    lift       h = the table of n people with the least |Q h - y|; the answers are those of h

Privacy. Along each u_c the log density of the noise changes by at most `slope` per unit. A record
that is removed or added moves Q x by |Q_c|, at most R_T = max |Q_c|. Replacing is one of each, so
slope = epsilon / (2 R_T) makes it epsilon-DP. The queries may be as many as they like.

Error. As h is nearest, |Q (h - x)|^2 <= z . Q (h - x) <= n (max_c z . Q_c - min_c z . Q_c) for the
noise z. Each z . Y is normal with a deviation of at most sigma R_T, so this is at most

    n 2 R_T sigma (sqrt(2 log N) + 1/5) = O(n R^2 log(N) / epsilon)      on average.

Without a projection |Q (h - x)| / n is the root mean square error of the answers, as a share of the
people: of the order sqrt(log(N) / (epsilon n)), which no epsilon-DP mechanism improves for all
queries (Hardt 2011, Theorem 4.5.1). A projection shortens no B (h - x) by much more than
2 n R sqrt(2 log(N) / m) (Gordon 1988), whatever k is: m = epsilon n numbers are enough for k.

Source of the plan, and of the rate: Nikolov (2022, SODA 2023), *Private query release via the
Johnson-Lindenstrauss transform*. The noise and the proofs above are this module's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments
from dplab.guarantees import PureDP
from dplab.mechanism import Mechanism
from dplab.neighbors import REPLACE_ONE
from dplab.queries.linear import LinearQueries, table_of
from dplab.queries.projection import DEFAULT_STEPS, descend
from dplab.queries.rare_jumps import MEAN_JUMPS, STEEPNESS, RareJumpNoise


def random_projection(k: int, m: int, rng: np.random.Generator) -> np.ndarray:
    """Draw T of shape (m, k), with normal entries of variance 1 / m: |T v| is near |v|.

    Raises ValueError unless k and m are whole numbers of at least 1.
    """
    k, m = arguments.shape(("k", k), ("m", m))
    arguments.generator("rng", rng)
    return rng.normal(0, m**-0.5, (m, k))


def _as_matrix(queries: np.ndarray | LinearQueries) -> np.ndarray:
    matrix = np.asarray(queries) if isinstance(queries, LinearQueries) else queries
    result = arguments.reals("queries", matrix)
    if result.ndim != 2:
        raise ValueError(f"queries must be of shape (k, cells), not {result.shape}")
    return result


@dataclass(frozen=True, eq=False)
class RandomProjectionMechanism(Mechanism):
    """The mechanism that projects the answers, adds noise, and lifts them: epsilon-DP.

    `queries` are an array of shape (k, cells), or a family of `dplab.queries`; `projection` is T of
    shape (m, k), drawn without a look at the data, or None for the identity. Data are n records,
    whole numbers from 0 to cells - 1, of which one may be replaced. The output is a table, shape
    (cells,), of n people: answer the queries by it. Raises ValueError for other arguments, and for
    queries that tell no cells apart.
    """

    queries: np.ndarray | LinearQueries
    n: int
    epsilon: float
    projection: np.ndarray | None = None
    steps: int = DEFAULT_STEPS
    neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "n", "steps", least=1)
        arguments.settle(self, arguments.number, "epsilon", above=0)
        if self._columns.ndim != 2 or not self._columns.any():
            raise ValueError("queries must be of shape (k, cells), and tell some cells apart")
        if self.projection is not None:
            arguments.settle(self, arguments.reals, "projection")
            if self.projection.ndim != 2 or self.projection.shape[1] != len(self._columns):
                shapes = f"(m, {len(self._columns)}), not {self.projection.shape}"
                raise ValueError(f"projection must be of shape {shapes}")

    @property
    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon)

    @cached_property
    def _columns(self) -> np.ndarray:
        """B, of shape (k, cells)."""
        queries = _as_matrix(self.queries)
        return (queries - queries.mean(axis=-1, keepdims=True)) / np.sqrt(len(queries))

    @cached_property
    def measured(self) -> np.ndarray:
        """Q = T B, of shape (m, cells): the numbers that are measured with noise."""
        return self._columns if self.projection is None else self.projection @ self._columns

    @cached_property
    def noise(self) -> RareJumpNoise:
        """The noise of a measurement, in people."""
        lengths = np.linalg.norm(self.measured, axis=0)
        directions = self.measured / np.where(lengths > 0, lengths, 1)
        return RareJumpNoise(directions, self.epsilon / (2 * float(lengths.max())))

    @property
    def error_bound(self) -> float:
        """A bound on the expected root mean square error, in shares of the people, at most 1.

        It holds for the table h that is nearest exactly, which the descent comes close to. With a
        projection, the mean of the error over T is at most the mean of this bound over T, before it
        is cut at 1. The queries' entries are from 0 to 1.
        """
        cells, noise = self._columns.shape[1], self.noise
        normal = np.sqrt(2 * np.log(cells))
        radius = self.epsilon / (2 * noise.slope)
        lift = np.sqrt(2 * radius * noise.sigma * (normal + MEAN_JUMPS / STEEPNESS) / self.n)
        if self.projection is not None:
            m, longest = len(self.projection), np.linalg.norm(self._columns, axis=0).max()
            shortened = 2 * longest * (normal + 1) / np.sqrt(m)
            lift = np.sqrt((m + 1) / m) * (lift + shortened)
        return min(1.0, float(lift))

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        if np.shape(data) != (self.n,):
            raise ValueError(f"data must be n = {self.n} records")
        measured = self.measured
        noisy = measured @ table_of(data, measured.shape[1]) + self.noise.sample(rng)
        return descend(measured, noisy, self.n, self.steps, pace=self._pace)

    @cached_property
    def _pace(self) -> float:
        """1 over the largest squared singular value, rounded to the safe side."""
        m, cells = self.measured.shape
        gram = self.measured @ self.measured.T if m < cells else self.measured.T @ self.measured
        return 1 / (np.linalg.eigvalsh(gram)[-1] * (1 + 1e-9))
