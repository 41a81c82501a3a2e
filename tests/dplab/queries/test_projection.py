import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from dplab.queries import (
    IntervalQueries,
    MarginalQueries,
    nearest_table,
    projection,
    random_queries,
)
from dplab.queries.projection import _to_sparse, to_simplex
from tests.refusals import assert_refused


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8), st.floats(0.1, 9))
def test_the_nearest_point_of_the_simplex(values, total):
    """Optimal where what is kept moves by one number and what is cut lies below it."""
    values = np.array(values)
    found = to_simplex(values, total)
    assert found.sum() == pytest.approx(total)
    assert (found >= 0).all()
    moved = values - found
    kept = found > 0
    assert moved[kept] == pytest.approx(np.repeat(moved[kept][:1], kept.sum()), abs=1e-9)
    assert (moved[~kept] <= moved[kept][0] + 1e-9).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_table_is_that_of_a_general_solver(seed):
    rng = np.random.default_rng(seed)
    queries, answers = random_queries(7, 5, rng), rng.normal(5, 6, size=7)
    found = nearest_table(queries, answers, n=10, steps=5000)

    def distance(table):
        return ((queries @ table - answers) ** 2).sum()

    best = minimize(
        distance,
        np.full(5, 2.0),
        bounds=[(0, None)] * 5,
        constraints={"type": "eq", "fun": lambda table: table.sum() - 10},
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.sum() == pytest.approx(10)
    assert (found >= 0).all()
    assert distance(found) <= best.fun * (1 + 1e-4) + 1e-4


def test_it_converges_as_fast_as_the_method_promises():
    """Of 40 thresholds: the excess is at most 2 L |h_0 - h*|^2 / (steps + 1)^2."""
    queries = np.asarray(IntervalQueries.thresholds(40)).astype(float)
    answers = queries @ np.repeat([9.0, 0.0], [10, 30]) + np.random.default_rng(1).normal(size=40)
    best = nearest_table(queries, answers, 90, steps=30_000)  # off by 1e-4 of the bound at 300

    def distance(table):
        return ((queries @ table - answers) ** 2).sum() / 2

    size = np.max(queries.T @ queries.sum(axis=1))
    for steps in (5, 80, 300):
        bound = 2 * size * ((best - 90 / 40) ** 2).sum() / (steps + 1) ** 2
        found = nearest_table(queries, answers, 90, steps=steps)
        assert distance(found) - distance(best) <= bound


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 9])
def test_the_steps_are_those_of_beck_and_teboulle(steps):
    """x_k = p(y_k), t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2, y_{k+1} = x_k + (t_k - 1) / t_{k+1}
    (x_k - x_{k-1}), with t_1 = 1 and y_1 = x_0."""
    rng = np.random.default_rng(steps)
    queries, answers = rng.uniform(0, 2, size=(5, 4)), rng.normal(3, 4, size=5)
    size = (queries.T @ queries).sum(axis=1).max()
    x, t = [np.full(4, 2.0)], [1.0]
    y = x[0]
    for k in range(steps):
        x.append(to_simplex(y - queries.T @ (queries @ y - answers) / size, 8))
        t.append((1 + (1 + 4 * t[k] ** 2) ** 0.5) / 2)
        y = x[k + 1] + (t[k] - 1) / t[k + 1] * (x[k + 1] - x[k])
    assert nearest_table(queries, answers, 8, steps=steps) == pytest.approx(x[-1], abs=1e-9)


def test_unless_something_else_is_said_there_are_400_steps():
    queries, answers = np.array([[1.0, 0.2, 0], [0.3, 1, 0.9]]), [3.0, 8.0]
    found = nearest_table(queries, answers, 10)
    assert (found == nearest_table(queries, answers, 10, steps=400)).all()


def test_where_nothing_is_asked_the_table_stays_even():
    assert nearest_table(np.zeros((2, 4)), [1.0, 5.0], 10).tolist() == [2.5] * 4


@pytest.mark.parametrize(("rows", "ones"), [(256, 1), (257, 63), (257, 64), (257, 65)])
def test_zeros_are_passed_over_where_they_are_three_in_four_of_many(rows, ones):
    """More than 65,536 entries, of which fewer than a quarter are not 0."""
    queries = np.zeros((rows, 256))
    queries[:, :ones] = 1
    passed = not isinstance(_to_sparse(queries), np.ndarray)
    assert passed == (rows > 256 and ones < 64)
    assert (_to_sparse(queries) @ np.arange(256) == ones * (ones - 1) // 2).all()


def test_zeros_that_are_passed_over_change_nothing(monkeypatch):
    rng = np.random.default_rng()
    queries = MarginalQueries((2,) * 9, 3)
    answers = rng.normal(100, 30, size=len(queries))
    written = np.asarray(queries)
    assert written.size > projection.MAX_DENSE
    found = nearest_table(written, answers, 1000, steps=100)
    assert found == pytest.approx(nearest_table(queries, answers, 1000, steps=100), abs=1e-6)
    weighted = written * rng.uniform(0, 2, size=written.shape)
    found = nearest_table(weighted, answers, 1000, steps=100)
    monkeypatch.setattr(projection, "MAX_DENSE", np.inf)
    assert found == pytest.approx(nearest_table(weighted, answers, 1000, steps=100), abs=1e-6)


def test_possible_answers_are_kept_and_noise_on_many_is_mostly_taken_off():
    rng = np.random.default_rng(5)
    queries = MarginalQueries((2,) * 7, 3)
    table = np.bincount(rng.integers(128, size=400), minlength=128)
    truth = queries @ table
    assert queries @ nearest_table(queries, truth, 400, steps=3000) == pytest.approx(truth, abs=0.5)
    noisy = truth + rng.normal(0, 40, size=len(truth))
    better = queries @ nearest_table(queries, noisy, 400)
    assert np.linalg.norm(better - truth) < np.linalg.norm(noisy - truth) / 2


@pytest.mark.parametrize("seed", range(6))
def test_the_error_is_within_the_range_of_the_noise_along_columns(seed):
    """The theorem of the module, with the rounding of 4,000 steps."""
    rng = np.random.default_rng(seed)
    queries, n = random_queries(60, 12, rng), 50
    table = rng.multinomial(n, rng.dirichlet(np.ones(12)))
    noise = rng.normal(0, [0.1, 1, 5, 20, 100, 1000][seed], 60)
    off = queries @ (nearest_table(queries, queries @ table + noise, n, steps=4000) - table)
    assert off @ off <= noise @ off * (1 + 1e-3) + 1e-3
    assert off @ off <= n * np.ptp(noise @ queries) * (1 + 1e-3)


def test_bad_arguments_are_named():
    calls = [
        (lambda: nearest_table([[1, 0]], [1, 2], 3), "queries and answers must be"),
        (lambda: nearest_table([[1, 0]], [[1]], 3), r"answers must be \(m,\), not \(1, 1\)"),
        (lambda: nearest_table([[1, 0]], [1], 0), "n must be a whole number"),
        (lambda: nearest_table([[1, 0]], [1], 1, steps=0), "steps must be a whole number"),
    ]
    assert_refused(calls)
