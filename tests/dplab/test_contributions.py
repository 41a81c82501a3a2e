import sqlite3
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from dplab.audit import goodness_of_fit
from dplab.contributions import (
    DIALECTS,
    best_bound,
    bike_rides,
    bound_error,
    bounding_query,
    choose_rows,
)
from dplab.distributions import Finite
from tests.refusals import assert_refused

OWNERS = ["Ada", "Bo", "Ada", ("Bo", 1), "Ada", "Bo"]


@pytest.mark.parametrize("bound", range(5))
def test_each_owner_keeps_as_many_rows_as_allowed(bound):
    stays = choose_rows(OWNERS, bound, np.random.default_rng())
    kept = Counter(owner for owner, stay in zip(OWNERS, stays, strict=True) if stay)
    assert kept == {o: min(n, bound) for o, n in Counter(OWNERS).items() if bound}
    assert stays.dtype == bool


def test_no_rows_of_no_owner_and_of_one():
    rng = np.random.default_rng()
    assert choose_rows([], 3, rng).tolist() == []
    assert choose_rows(["Ada"], 1, rng).tolist() == [True]


def test_each_choice_of_rows_is_equally_likely():
    """One test at 1e-10: two of Ada's four rows, six choices."""
    rng = np.random.default_rng()
    draws = [
        tuple(np.flatnonzero(choose_rows(["Ada", "Bo", "Ada", "Ada", "Ada"], 2, rng)).tolist())
        for _ in range(3000)
    ]
    pairs = [tuple(sorted((*pair, 1))) for pair in combinations((0, 2, 3, 4), 2)]
    assert goodness_of_fit(draws, Finite.of(dict.fromkeys(pairs, 1 / 6))).passed


def test_a_person_s_choice_is_independent_of_other_people():
    """The same 20 draws of a law by who else is there: one test at 1e-10 for each."""
    for others in ([], ["Bo"] * 50):
        draws = [
            int(choose_rows(["Ada", *others, "Ada"], 1, rng)[0])
            for rng in map(np.random.default_rng, range(1000))
        ]
        assert goodness_of_fit(draws, Finite.of({0: 0.5, 1: 0.5})).passed


def test_the_query_bounds_rows_in_a_database():
    table = sqlite3.connect(":memory:")
    table.execute('CREATE TABLE "my rides" (rider TEXT, day INT, "from" TEXT)')
    rows = [("Ada", day, "A") for day in (1, 1, 1, 2, 2)] + [("Bo", 1, "B")]
    table.executemany('INSERT INTO "my rides" VALUES (?, ?, ?)', rows)
    for unit, bound, expected in [
        ("rider", 2, {("Ada",): 2, ("Bo",): 1}),
        (("rider", "day"), 2, {("Ada", 1): 2, ("Ada", 2): 2, ("Bo", 1): 1}),
        ("rider", 0, {}),
    ]:
        kept = table.execute(bounding_query("my rides", unit, bound)).fetchall()
        size = 1 if isinstance(unit, str) else 2
        assert Counter(row[:size] for row in kept) == expected
        assert all(row[:3] in rows for row in kept)


def test_the_query_chooses_rows_at_random():
    """Two rows each of 200 people: all first ones stay with probability 2^-200."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE TABLE rides (rider INT, number INT)")
    table.executemany(
        "INSERT INTO rides VALUES (?, ?)", [(r, n) for r in range(200) for n in (0, 1)]
    )
    numbers = {row[1] for row in table.execute(bounding_query("rides", "rider", 1))}
    assert numbers == {0, 1}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_are_quoted_in_every_dialect(dialect):
    query = bounding_query('ri"des; DROP', ("a b", "day"), 5, dialect)
    assert 'FROM "ri""des; DROP"' in query
    assert 'PARTITION BY "a b", "day" ORDER BY draw' in query
    assert query.endswith("row_rank <= 5")


def test_the_query_runs_in_duckdb():
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect(":memory:")
    base.execute("CREATE TABLE rides AS SELECT range % 3 AS rider, range AS number FROM range(12)")
    kept = base.execute(bounding_query("rides", "rider", 2, "duckdb")).fetchall()
    assert Counter(row[0] for row in kept) == {0: 2, 1: 2, 2: 2}


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 0.5, 1, 2.5, 40])
@pytest.mark.parametrize("rows", [[1], [7], [0, 0], [3, 3, 3], [9, 1, 4, 2, 2, 60], range(40)])
def test_no_bound_has_a_smaller_error_than_the_best_and_no_smaller_one_the_same(rows, epsilon):
    totals = [bound_error(rows, c, epsilon=epsilon).total for c in range(max(rows) + 2)]
    best = best_bound(rows, epsilon=epsilon)
    assert totals[best] == pytest.approx(min(totals))
    assert all(total > totals[best] + 1e-12 for total in totals[:best])


def test_bias_and_noise_of_a_bound():
    error = bound_error([5, 1, 2], 2, epsilon=0.5)
    assert (error.bias, error.noise, error.total) == (3, 4, 7)
    noise = np.random.default_rng(5).laplace(scale=4, size=100_000)
    assert abs(noise).mean() == pytest.approx(error.noise, rel=0.03)


def test_every_rider_rides_and_couriers_much():
    """Of 3,000 riders the share with one or two rides is 54% on average, off by less than 6%.

    By Hoeffding an error of 6 points has probability 2 exp(-2 3000 0.06^2) < 1e-9.
    """
    rides = bike_rides(np.random.default_rng(), riders=3000)
    per_rider = np.bincount(rides[:, 0])[1:]
    assert len(per_rider) == 3000
    assert per_rider.min() >= 1
    assert per_rider.max() <= 150
    chance = 1 - (1 + 300 / 148 / 3) ** -1.5  # P[3 X <= 300 / 148] of a Pareto law above 0
    assert (per_rider <= 2).mean() == pytest.approx(chance, abs=0.06)
    assert np.isin(rides[:, 1], range(1, 29)).all()
    assert np.isin(rides[:, 2], range(1, 81)).all()
    assert bike_rides(np.random.default_rng(), riders=1)[:, 0].tolist()[0] == 1


def test_bad_arguments_are_named():
    rng = np.random.default_rng()
    assert_refused(
        [
            (lambda: choose_rows("ab", -1, rng), "bound must be a whole number"),
            (lambda: choose_rows("ab", 1, None), "rng must be"),
            (lambda: bounding_query("t", "u", 1, "cobol"), "dialect must be one of"),
            (lambda: bounding_query("", "u", 1), "table must be a name"),
            (lambda: bounding_query("t", ("u", 3), 1), "unit must be a name"),
            (lambda: bounding_query("t", (), 1), "unit must"),
            (lambda: bounding_query("t", "u", 1.5), "bound must be a whole number"),
            (lambda: bound_error([-1], 1, epsilon=1), "rows must hold"),
            (lambda: bound_error([1], 1, epsilon=0), "epsilon must be"),
            (lambda: best_bound([1.5], epsilon=1), "rows must hold whole"),
            (lambda: best_bound([], epsilon=1), "rows must not be empty"),
            (lambda: bike_rides(rng, riders=0), "riders must be a whole number"),
            (lambda: choose_rows([["Ada"]], 1, rng), "owners must hold values that can be keys"),
        ]
    )
