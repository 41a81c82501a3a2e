"""The exact audit: all datasets of a small universe, all neighbours, all outcomes.

For a finite mechanism the definition of privacy is a finite statement, and this module checks it
by enumeration. It needs no sampling and no confidence level: its results are certain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from dplab import arguments
from dplab.distributions import Distribution, Finite, enumerate_law
from dplab.mechanism import ExactMechanism

MAX_RECORDS = 1000  # all datasets are enumerated

CHUNK = 1 << 21  # log ratios held in memory at once


@dataclass(frozen=True)
class ExactAudit:
    """The largest |log P[M(x) = y] / P[M(x') = y]| and where it is reached.

    `epsilon` is the smallest for which the mechanism is epsilon-DP on these datasets; `x`,
    `neighbor` and `outcome` are a worst case, `pairs` the number of neighbouring pairs examined.
    """

    epsilon: float
    x: Any
    neighbor: Any
    outcome: Hashable
    pairs: int


@dataclass(frozen=True, eq=False)
class _LawTable:
    """A table of log P[M(x) = outcome], a row for each dataset, and the pairs of neighbours."""

    datasets: list
    outcomes: tuple[Hashable, ...]
    logs: np.ndarray
    x_rows: np.ndarray
    y_rows: np.ndarray

    @classmethod
    def of(cls, mechanism: ExactMechanism, universe: Sequence[Hashable], n: int) -> _LawTable:
        universe, n = tuple(universe), arguments.whole("n", n, least=1)
        datasets = list(mechanism.neighbors.datasets(universe, n))
        distributions = [_enumerate(mechanism.distribution(x)) for x in datasets]
        outcomes = _collect_outcomes(distributions)
        row = {x: i for i, x in enumerate(datasets)}
        pairs = sorted(  # `of` appends at the end but removes anywhere, so look from both sides
            {
                (min(i, row[y]), max(i, row[y]))
                for i, x in enumerate(datasets)
                for y in mechanism.neighbors.neighbors_of(x, universe)
                if row.get(y, i) != i
            }
        )
        if not pairs:
            raise ValueError(f"universe {universe!r} has no neighbouring datasets of {n} records")
        x_rows, y_rows = np.array(pairs).T
        logs = np.array([distribution.log_densities(outcomes) for distribution in distributions])
        return cls(datasets, outcomes, logs, x_rows, y_rows)

    def chunks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (x_rows, y_rows) in pieces that fit in memory."""
        step = max(1, CHUNK // len(self.outcomes))
        for start in range(0, len(self.x_rows), step):
            yield self.x_rows[start : start + step], self.y_rows[start : start + step]

    def largest(self) -> Iterator[tuple[float, int, int, int]]:
        """Yield for each piece the largest |log ratio|, its two rows and its outcome."""
        for x_rows, y_rows in self.chunks():
            with np.errstate(invalid="ignore"):  # impossible under both: nan
                ratios = np.abs(self.logs[x_rows] - self.logs[y_rows])
            pair, outcome = np.unravel_index(np.nanargmax(ratios), ratios.shape)
            yield float(ratios[pair, outcome]), x_rows[pair], y_rows[pair], int(outcome)


def exact_epsilon(mechanism: ExactMechanism, universe: Sequence[Hashable], n: int) -> ExactAudit:
    """Audit a finite mechanism over all neighbouring datasets of n records from `universe`.

    Where the mechanism's neighbours add or remove a record, all sizes up to n are examined. Work
    and memory grow as |universe|^n times the number of outcomes. Raises ValueError if a
    distribution is not finite. For a density, `mechanism.privacy_loss(x, y).largest_log_ratio`
    compares two datasets.

    >>> from dplab import RandomizedResponse
    >>> audit = exact_epsilon(RandomizedResponse(epsilon=0.5), universe=(0, 1), n=3)
    >>> round(audit.epsilon, 12), audit.pairs
    (0.5, 12)
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    universe = arguments.sequence("universe", universe, is_hashable=True)
    n = arguments.size("n", n, most=MAX_RECORDS)
    table = _LawTable.of(mechanism, universe, n)
    worst, i, j, o = max(table.largest())
    return ExactAudit(
        worst, table.datasets[i], table.datasets[j], table.outcomes[o], len(table.x_rows)
    )


def exact_delta(
    mechanism: ExactMechanism, universe: Sequence[Hashable], n: int, *, epsilon: float
) -> float:
    """Return the least delta for which the mechanism is (epsilon, delta)-DP on these datasets.

    It is the hockey stick sum_y max(0, P[M(x) = y] - e^epsilon P[M(x') = y]) at its largest over
    ordered neighbours, written as E[max(0, 1 - e^{epsilon - Z})], which does not overflow.
    Arguments and errors as for `exact_epsilon`.
    """
    arguments.instance("mechanism", mechanism, ExactMechanism)
    universe = arguments.sequence("universe", universe, is_hashable=True)
    n = arguments.size("n", n, most=MAX_RECORDS)
    epsilon = arguments.number("epsilon", epsilon, least=0)
    table = _LawTable.of(mechanism, universe, n)
    probabilities, deltas = np.exp(table.logs), []
    for x_rows, y_rows in table.chunks():
        for x, y in ((x_rows, y_rows), (y_rows, x_rows)):
            with np.errstate(invalid="ignore"):  # impossible under both: nan
                losses = table.logs[x] - table.logs[y]
            excess = probabilities[x] * -np.expm1(np.minimum(0.0, epsilon - losses))
            deltas.append(np.nansum(excess, axis=1).max())
    return float(max(deltas))


def _enumerate(distribution: Distribution) -> Finite:
    try:
        return enumerate_law(distribution)
    except ValueError as error:
        raise ValueError(
            f"{error}. Audit draws of the mechanism by epsilon_lower_bound, or compare "
            "two datasets by mechanism.privacy_loss(x, y).largest_log_ratio"
        ) from None


def _collect_outcomes(distributions: list[Finite]) -> tuple[Hashable, ...]:
    tuples = {id(p.outcomes): p.outcomes for p in distributions}  # many of them share one tuple
    return tuple(dict.fromkeys(chain.from_iterable(tuples.values())))
