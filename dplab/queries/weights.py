"""Multiplicative weights: learn a table from the few queries on which it errs most.

The analyst approximates the data by a table h over all cells of the universe, with equal cells at
first. In each round the exponential mechanism finds a query on which h is far off. That query is
measured with noise, and the cells that it counts are multiplied by a factor:

    h(c) <- h(c) e^{q(c) (answer - q . h) / (2 n)},  scaled to n.

Each round brings h nearer to the data in relative entropy, which is at most log(cells). So the
number of rounds depends on the cells, and not on the number of queries. Old measurements are
replayed: that is post-processing, and several passes learn more from them than one.

Sources: Hardt, Ligett and McSherry (2012); Hardt and Rothblum (2010) for queries that come one by
one; Cesar and Rogers (2021) for the price of the choices in rho.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.guarantees import ZCDP, PureDP
from dplab.mechanism import Mechanism
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.neighbors import REPLACE_ONE
from dplab.queries.linear import LinearQueries, table_of

Measured = list[tuple[np.ndarray, float]]  # queries of shape (cells,), and their noisy answers


def multiplicative_weights_update(table: ArrayLike, query: ArrayLike, answer: float) -> np.ndarray:
    """Return the table after one step towards the answer, see above; shape (cells,).

    The sum n of the table stays the same. Raises ValueError for a table with negative or no counts,
    and for another shape of the query.

    >>> multiplicative_weights_update([2.0, 2.0], [1, 0], answer=4.0).round(4).tolist()
    [2.2487, 1.7513]
    """
    table, query = arguments.reals("table", table), arguments.reals("query", query)
    if table.ndim != 1 or (table < 0).any() or table.sum() <= 0:
        raise ValueError("table must be a row of counts of at least 0, with a sum above 0")
    if query.shape != table.shape:
        raise ValueError(f"query must have shape {table.shape}, not {query.shape}")
    error = arguments.number("answer", answer) - query @ table
    return _step(table, query, error, table.sum())


def _step(table: np.ndarray, query: np.ndarray, error: float, n: float) -> np.ndarray:
    powers = query * (error / (2 * n))
    if not table.all():  # empty cells stay empty
        powers[table == 0] = -np.inf
    scaled = table * np.exp(powers - powers.max())
    return n * (scaled / scaled.sum())  # n over the sum may be inf


@dataclass(frozen=True, eq=False)
class MWEM(Mechanism):
    """The mechanism that makes a table of n synthetic people, which answers queries like the data.

    `queries` are an array of shape (m, cells) with entries from 0 to 1, or a family of
    `dplab.queries`. `total` is PureDP or ZCDP. It is split evenly over `rounds`; each spends half
    on the choice, by the exponential mechanism, and half on the measurement. PureDP pays for
    Laplace noise; ZCDP pays for the bounded range of the choice (eta^2 / 8) and for normal noise.
    Data are n records, whole numbers from 0 to cells - 1; one may be replaced. The output is the
    table, shape (cells,), with sum n. Raises ValueError for other arguments.
    """

    queries: np.ndarray | LinearQueries
    n: int
    rounds: int
    total: PureDP | ZCDP
    replays: int = 20
    neighbors = REPLACE_ONE

    def __post_init__(self):
        if not isinstance(self.queries, LinearQueries):
            queries = arguments.reals("queries", self.queries)
            if queries.ndim != 2 or (queries < 0).any() or (queries > 1).any():
                raise ValueError("queries must be of shape (m, cells), with entries from 0 to 1")
            object.__setattr__(self, "queries", queries)
        arguments.settle(self, arguments.whole, "n", "rounds", "replays", least=1)
        if not isinstance(self.total, PureDP | ZCDP) or self.total in (PureDP(0), ZCDP(0)):
            raise ValueError(f"total must be PureDP or ZCDP, above 0, not {self.total!r}")

    @property
    def guarantee(self) -> PureDP | ZCDP:
        return self.total

    @property
    def choice_epsilon(self) -> float:
        """The epsilon of one choice: epsilon / (2 T), or 2 sqrt(rho / T) for rho / (2 T)."""
        if isinstance(self.total, PureDP):
            return self.total.epsilon / (2 * self.rounds)
        return 2 * float(np.sqrt(self.total.rho / self.rounds))

    def choice(self, errors: np.ndarray) -> ExponentialMechanism:
        """Return the mechanism that chooses a query by these errors, each of sensitivity 1."""
        return ExponentialMechanism(
            range(len(errors)), lambda _: errors, sensitivity=1, epsilon=self.choice_epsilon
        )

    def measurement(self, answer: float) -> Mechanism:
        """Return the mechanism that publishes this answer, at half the price of a round."""

        def query(_: Any) -> float:
            return answer

        if isinstance(self.total, PureDP):
            return LaplaceMechanism(query, 1, self.total.epsilon / (2 * self.rounds))
        return GaussianMechanism.for_zcdp(
            query, sensitivity=1, rho=self.total.rho / (2 * self.rounds)
        )

    def __call__(self, data: Any, rng: np.random.Generator) -> np.ndarray:
        m, cells = self.queries.shape
        if np.shape(data) != (self.n,):
            raise ValueError(f"data must be n = {self.n} records")
        truth = self.queries @ table_of(data, cells).astype(float)
        arguments.generator("rng", rng)
        table: np.ndarray = np.full(cells, self.n / cells)
        measured: Measured = []
        for _ in range(self.rounds):
            errors = np.abs(truth - self.queries @ table)
            i = self.choice(errors)(data, rng)
            answer = self.measurement(truth[i])(data, rng)
            unit = np.zeros(m)
            unit[i] = 1.0
            measured.append((self.queries.T @ unit, answer))
            table = replayed(table, measured, self.replays)
        return table


def replayed(table: np.ndarray, measured: Measured, times: int) -> np.ndarray:
    """Return the table after a step towards each measured answer in turn, `times` times."""
    n = table.sum()
    for _ in range(times):
        for query, answer in measured:
            table = _step(table, query, answer - query @ table, n)
    return table
