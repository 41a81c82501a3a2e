"""Contributions: whose rows a table has, how many of them count, and what a bound costs.

A person with many rows moves a count by all of them. With at most C rows of each person, or of
another unit of privacy, such as a person on a day, a count moves by at most C, and Laplace noise of
scale C / epsilon makes it epsilon-DP for this unit. Rows beyond the bound are lost.

Which rows of a person stay may depend on these rows and on chance, never on rows of other people.

Sources: Wilson and others (2020), "Differentially private SQL with bounded user contribution";
Amin, Kulesza, Munoz Medina and Vassilvitskii (2019), "Bounding user contributions: a bias-variance
trade-off in differential privacy".
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, records

DIALECTS = ("sqlite", "duckdb", "postgres")


def rank_rows(owners: Sequence[Hashable], rng: np.random.Generator) -> np.ndarray:
    """Return the place of each row among its owner's rows, in random order; the first is 0.

    `owners` says for each row whose it is: a person, or a tuple such as a person and a day. Each
    order of an owner's rows is equally likely, whatever others have. Returns ints, shape (rows,).
    Raises ValueError for other owners.

    >>> ranks = rank_rows(["Ada", "Bo", "Ada", "Ada"], np.random.default_rng(1))
    >>> sorted(ranks[[0, 2, 3]].tolist()), int(ranks[1])
    ([0, 1, 2], 0)
    """
    arguments.generator("rng", rng)
    numbers: dict[Hashable, int] = {}
    rows = records.hashables("owners", records.sized("owners", owners))
    try:
        codes = np.array([numbers.setdefault(owner, len(numbers)) for owner in rows], dtype=int)
    except TypeError:
        raise ValueError("owners must hold values that can be keys of a dict") from None
    order = rng.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    starts = np.searchsorted(codes[order], codes[order])
    ranks: np.ndarray = np.empty(len(codes), dtype=int)
    ranks[order] = np.arange(len(codes)) - starts
    return ranks


def choose_rows(owners: Sequence[Hashable], bound: int, rng: np.random.Generator) -> np.ndarray:
    """Choose at most `bound` rows of each owner at random; True for each row that stays.

    They are the first in the random order of `rank_rows`. Returns a bool array of shape (rows,).
    Raises ValueError for other owners, and unless `bound` is a whole number of at least 0.

    >>> choose_rows(["Ada", "Bo", "Ada", "Ada"], 2, np.random.default_rng(1)).sum().item()
    3
    """
    bound = arguments.whole("bound", bound, least=0)
    return rank_rows(owners, rng) < bound


def bounding_query(
    table: str, unit: str | Sequence[str], bound: int, dialect: str = "sqlite"
) -> str:
    """Return the SQL that keeps at most `bound` random rows of each unit.

        SELECT * FROM (
            SELECT *, ROW_NUMBER() OVER (PARTITION BY unit ORDER BY draw) AS row_rank
            FROM (SELECT *, RANDOM() AS draw FROM table)
        ) WHERE row_rank <= bound

    `unit` is one column, or several, such as ("rider", "day"). Names are quoted. The rows have two
    more columns, `draw` and `row_rank`. `dialect` is one of sqlite, duckdb and postgres. Raises
    ValueError for others.

    >>> "PARTITION BY rider" in bounding_query("rides", "rider", 5).replace('"', "")
    True
    """
    from sqlglot import exp, select

    columns = (unit,) if isinstance(unit, str) else arguments.sequence("unit", unit)
    arguments.one_of("dialect", dialect, DIALECTS)
    bound = arguments.whole("bound", bound, least=0)
    for name, value in (("table", table), *(("unit", column) for column in columns)):
        if not isinstance(value, str) or not value:
            raise ValueError(f"{name} must be a name, not {arguments.show(value)}")
    with_draws = select("*", exp.alias_(exp.Rand(), "draw")).from_(
        exp.Table(this=exp.to_identifier(table, quoted=True))
    )
    rank = exp.Window(
        this=exp.RowNumber(),
        partition_by=[exp.column(column, quoted=True) for column in columns],
        order=exp.Order(expressions=[exp.column("draw")]),
    )
    ranked = select("*", exp.alias_(rank, "row_rank")).from_(with_draws.subquery("drawn"))
    query = select("*").from_(ranked.subquery("ranked")).where(f"row_rank <= {bound}")
    return query.sql(dialect=dialect)


@dataclass(frozen=True)
class BoundError:
    """The cost of a bound for a total: the rows that are lost, and the mean size of the noise."""

    bias: float
    noise: float

    @property
    def total(self) -> float:
        return self.bias + self.noise


def bound_error(rows: ArrayLike, bound: int, *, epsilon: float) -> BoundError:
    """Return the errors of a noisy total of all rows, with at most `bound` rows of each person.

        bias = sum_i max(rows_i - bound, 0),   noise = E|Lap(bound / epsilon)| = bound / epsilon

    `rows` says how many each person has, shape (people,). The mean absolute error is at most the
    sum of both. Raises ValueError for others.

    >>> bound_error([1, 2, 50], 2, epsilon=1)
    BoundError(bias=48.0, noise=2.0)
    """
    counts = _row_counts(rows)
    bound = arguments.whole("bound", bound, least=0)
    epsilon = arguments.number("epsilon", epsilon, above=0)
    return BoundError(float(np.maximum(counts - bound, 0).sum()), bound / epsilon)


def _row_counts(rows: ArrayLike) -> np.ndarray:
    counts = records.reals("rows", rows, low=0).ravel()
    if np.asarray(rows).dtype == bool or (counts != np.rint(counts)).any():
        raise ValueError("rows must hold whole numbers")
    return counts


def best_bound(rows: ArrayLike, *, epsilon: float) -> int:
    """Return the least whole bound with the smallest sum of bias and noise.

    A bound that rises by 1 keeps one more row of each person who has more, and adds 1 / epsilon of
    noise. So the best is the least whole C with #{i : rows_i > C} <= 1 / epsilon: the row count
    of rank floor(1 / epsilon) + 1, from the largest. It depends on the data: publish
    nothing with it unless it was chosen privately, or from other data. Raises ValueError for
    others.

    >>> best_bound([1, 2, 3, 50], epsilon=1)
    3
    """
    counts = np.sort(_row_counts(rows))[::-1]
    may_have_more = 1 / arguments.number("epsilon", epsilon, above=0)
    return 0 if may_have_more >= len(counts) else int(counts[floor(may_have_more)])


def bike_rides(rng: np.random.Generator, *, riders: int = 10_000) -> np.ndarray:
    """Draw four weeks of an invented bicycle hire: rider, day and station, ints (rides, 3).

    Days are 1 to 28. Half of the riders ride once or twice, and a few couriers a hundred times or
    more. Station 1 of 80 is the most popular, and the weight of station s is 1 / s. For half of
    the rides a rider starts at a station of her own. Raises ValueError for other arguments.

    >>> rides = bike_rides(np.random.default_rng(1))
    >>> rides.shape[1], int(rides[:, 1].max()), int(rides[:, 2].max())
    (3, 28, 80)
    """
    arguments.generator("rng", rng)
    riders = arguments.size("riders", riders)
    demand = 3 * rng.pareto(1.5, riders)
    per_rider = np.ceil(150 * demand / (150 + demand)).astype(
        int
    )  # nobody rides more than 150 times
    rider: np.ndarray = np.repeat(np.arange(1, riders + 1), np.maximum(per_rider, 1))
    weights = 1 / np.arange(1, 81)
    home, other = (
        rng.choice(np.arange(1, 81), size, p=weights / weights.sum())
        for size in (riders, len(rider))
    )
    station = np.where(rng.random(len(rider)) < 0.5, home[rider - 1], other)
    return np.column_stack([rider, rng.integers(1, 29, len(rider)), station])
