"""The best factors: certified from both sides, found by another optimiser, turned to be causal."""

import numpy as np
import pytest
from scipy.optimize import minimize

from dplab.queries import (
    Factorization,
    IntervalQueries,
    causal_factors,
    error_bound,
    optimal_factors,
    square_root_factorization,
    tree_factorization,
)
from tests.refusals import assert_refused

WORKLOADS = {
    "counts": np.tri(6),
    "one": np.array([[3.0]]),
    "equal rows": np.array([[1.0, 2], [1, 2], [0, 1]]),
    "one row": np.array([[1, -2, 2]]),
    "more rows than cells": np.asarray(IntervalQueries.every(4)),
    "an easy question": np.array([[1, 0], [0, 0.01]]),
}
every_workload = pytest.mark.parametrize("name", WORKLOADS)


@every_workload
@pytest.mark.parametrize("error", ["largest", "mean"])
def test_the_factors_are_certified_from_both_sides(name, error):
    workload = WORKLOADS[name]
    best = optimal_factors(workload, error=error, gap=1e-5)
    assert best.factorization.workload == pytest.approx(workload, abs=1e-9)
    sizes = {
        "largest": best.factorization.largest_error,
        "mean": best.factorization.root_mean_error,
    }
    assert best.error == pytest.approx(sizes[error]())
    assert best.bound * (1 - 1e-12) <= best.error <= best.bound * (1 + 1e-5)


@pytest.mark.parametrize("error", ["largest", "mean"])
def test_another_optimiser_finds_the_same_error(error):
    """Over all A with unit columns, by their entries: 3 counts, R = W A^{-1}."""
    w = np.tri(3)

    def error_of(entries):
        a = entries.reshape(3, 3) + 1e-9 * np.eye(3)
        rows = (np.linalg.solve((a / np.linalg.norm(a, axis=0)).T, w.T) ** 2).sum(axis=0)
        # a smooth maximum: the 60-th mean of powers is larger than the maximum by a factor of 3
        return np.sqrt(rows.mean()) if error == "mean" else np.sqrt((rows**60).sum() ** (1 / 60))

    found = minimize(error_of, np.tri(3).ravel(), method="BFGS").fun
    best = optimal_factors(w, error=error)
    assert best.bound <= found * (1 + 1e-9)
    assert found <= best.error * (1 + 1e-6 if error == "mean" else 3 ** (1 / 120))


def test_two_counts_have_a_closed_form():
    """2 / sqrt(3): W scaled by weights 1, 2 and 2, 1 has this nuclear norm."""
    assert optimal_factors(np.tri(2)).error == pytest.approx(2 / 3**0.5, rel=1e-6)
    assert error_bound(np.tri(2), [1, 2], [2, 1]) == pytest.approx(2 / 3**0.5)


@pytest.mark.parametrize("n", [1, 2, 5, 16])
def test_no_factors_beat_the_bound_for_any_weights(n):
    """Ten random factors, each with ten random weights: nothing here can fail by chance."""
    rng = np.random.default_rng()
    for _ in range(10):
        a = rng.normal(size=(n + 2, n))
        factors = Factorization.by_least_squares(np.tri(n), a)
        for w, u in rng.exponential(size=(10, 2, n)):
            assert error_bound(np.tri(n), w, u) <= factors.largest_error() * (1 + 1e-9)
            assert error_bound(np.tri(n), np.ones(n), u) <= factors.root_mean_error() * (1 + 1e-9)


@pytest.mark.parametrize("n", [1, 2, 9, 32])
def test_the_best_counter_is_a_little_better_than_the_square_root(n):
    best = optimal_factors(np.tri(n), gap=1e-3)
    assert best.bound <= square_root_factorization(n).largest_error() * (1 + 1e-9)
    assert square_root_factorization(n).largest_error() < 1.26 * best.bound + (n == 1)


@pytest.mark.parametrize("n", [1, 2, 7, 16])
def test_causal_factors_are_triangular_and_err_no_more(n):
    for factors in (optimal_factors(np.tri(n)).factorization, tree_factorization(n)):
        causal = causal_factors(factors)
        assert not np.triu(causal.recovery, 1).any()
        assert not np.triu(causal.strategy, 1).any()
        assert (np.diag(causal.strategy) > 0).all()
        assert causal.workload == pytest.approx(np.tri(n), abs=1e-9)
        gram, turned = (f.strategy.T @ f.strategy for f in (factors, causal))
        assert turned == pytest.approx(gram, abs=1e-9)  # each step moves as far as before
        assert (causal.errors() <= factors.errors() * (1 + 1e-9)).all()
    root = square_root_factorization(n)
    assert causal_factors(root).strategy == pytest.approx(root.strategy, abs=1e-9)


def test_bad_arguments_are_named():
    two = np.eye(2)
    calls = [
        (lambda: optimal_factors([[0, 0], [1, 1]]), "workload must have no row and no column"),
        (lambda: optimal_factors([[0, 1], [0, 1]]), "workload must have no row and no column"),
        (lambda: optimal_factors(np.ones((2, 257))), "workload must have .* at most 256"),
        (lambda: optimal_factors([1.0, 2.0]), "workload must have"),
        (lambda: optimal_factors(two, error="median"), "error must be one of"),
        (lambda: optimal_factors(two, gap=0), "gap must be .* above 0"),
        (lambda: error_bound(two, [1, 1, 1], [1, 1]), "row_weights must be 2 numbers"),
        (lambda: error_bound(two, [1, 1], [1, -1]), "column_weights must be 2 numbers"),
        (lambda: error_bound(two, [0, 0], [1, 1]), "row_weights must be 2 numbers"),
        (lambda: causal_factors(Factorization([[1, 1], [0, 1]], two)), "lower triangular"),
        (lambda: causal_factors(Factorization([[1, 1]], two)), "lower triangular"),
        (
            lambda: causal_factors(Factorization([[1], [1]], [[1, 0]])),
            "strategy with independent columns",
        ),
    ]
    assert_refused(calls)
