"""The factorization mechanism: its errors, its privacy, and the table of lesson 17."""

import numpy as np
import pytest

from dplab import ADD_REMOVE, REPLACE_ONE, ZCDP, PureDP
from dplab.neighbors import sensitivity
from dplab.queries import (
    Factorization,
    FactorizationMechanism,
    HadamardQueries,
    IntervalQueries,
    square_root_coefficients,
    square_root_factorization,
    strategy_deviations,
    table_sensitivity,
    tree_factorization,
)
from tests.refusals import assert_refused

TOTALS = pytest.mark.parametrize("total", [PureDP(0.5), ZCDP(0.02)], ids=["pure", "zcdp"])
RELATIONS = pytest.mark.parametrize("relation", [ADD_REMOVE, REPLACE_ONE])


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13, 64])
def test_products_are_running_counts(n):
    for made in (square_root_factorization(n), tree_factorization(n)):
        assert made.workload == pytest.approx(np.tri(n), abs=1e-12)
    assert (np.triu(square_root_factorization(n).recovery, 1) == 0).all()
    assert (tree_factorization(n).strategy == np.asarray(IntervalQueries.tree(n))).all()


@pytest.mark.parametrize("n", [1, 7, 256])
def test_errors_have_closed_forms(n):
    """Of the tree: L^{1/2} or L nodes a column, and as many a row as the count has digits 1."""
    square = (square_root_coefficients(n) ** 2).sum()
    assert square_root_factorization(n).largest_error() == pytest.approx(square)
    digits = np.array([t.bit_count() for t in range(1, n + 1)])
    for norm, size in ((1, n.bit_length()), (2, n.bit_length() ** 0.5)):
        found = tree_factorization(n).errors(norm=norm)
        assert found == pytest.approx(size * np.sqrt(digits))
        mean = size * np.sqrt(digits.mean())
        assert tree_factorization(n).root_mean_error(norm=norm) == pytest.approx(mean)


def test_the_square_root_beats_its_tree_three_times_at_256_steps():
    """And 3.4 times at 4,096, by the closed forms; a tree with the best recovery 1.3 times."""
    for n, ratio in ((256, 3.0), (4096, 3.4)):
        tree = np.sqrt(n.bit_length() * (n - 1).bit_count())
        assert tree / (square_root_coefficients(n) ** 2).sum() == pytest.approx(ratio, abs=0.05)
    root, tree = square_root_factorization(256), tree_factorization(256)
    assert tree.largest_error() / root.largest_error() == pytest.approx(3.0, abs=0.05)
    best_tree = Factorization.by_least_squares(np.tri(256), tree.strategy)
    assert best_tree.largest_error() / root.largest_error() == pytest.approx(1.33, abs=0.01)


@pytest.mark.parametrize("n", [1, 2, 16, 256, 4096])
def test_no_factorization_of_running_counts_beats_the_square_root_by_much(n):
    """The mean singular value of W is a bound below; here from a closed form of these values."""
    odd = 2 * np.arange(1, n + 1) - 1
    least = np.mean(1 / (2 * np.sin(np.pi * odd / (4 * n + 2))))
    if n <= 256:
        assert least == pytest.approx(np.linalg.svd(np.tri(n), compute_uv=False).mean())
    gap = (square_root_coefficients(n) ** 2).sum() - least
    assert -1e-12 < gap < 0.37
    if n == 256:
        assert least == pytest.approx(2.471, abs=1e-3)


def test_the_table_of_running_counts():
    """|A|, |R| and their product, at 256 steps, by the L1 and by the L2 norm."""
    w = np.tri(256)
    rows = {
        "cells": (Factorization(w, np.eye(256)), 16, 16),
        "answers": (Factorization(np.eye(256), w), 256, 16),
        "halves": (Factorization.by_least_squares(w, HadamardQueries(256)), 256, 16),
        "tree": (tree_factorization(256), 9 * 8**0.5, 72**0.5),
        "square root": (square_root_factorization(256), 30.36, 2.831),
    }
    for name, (row, pure, normal) in rows.items():
        assert row.workload == pytest.approx(w, abs=1e-9), name
        assert row.largest_error(norm=1) == pytest.approx(pure, rel=1e-3), name
        assert row.largest_error(norm=2) == pytest.approx(normal, rel=1e-3), name


@RELATIONS
def test_errors_by_least_squares_are_those_of_the_matrix_mechanism(relation):
    workload, strategy = IntervalQueries.every(6), IntervalQueries.tree(6)
    made = Factorization.by_least_squares(workload, strategy)
    expected = strategy_deviations(workload, strategy, epsilon=0.5, neighbors=relation)
    found = FactorizationMechanism(made, PureDP(0.5), relation)
    assert found.deviations == pytest.approx(expected)


@RELATIONS
@pytest.mark.parametrize("norm", [1, 2])
def test_the_sensitivity_is_that_of_all_neighbouring_tables(norm, relation):
    matrix = np.array([[-1, 0, 0.5, 2], [0.5, 2, 0, -1], [1, 1, 0, 0]])

    def answers(records):
        return matrix @ np.bincount(np.array(records, dtype=int), minlength=4)

    expected = sensitivity(answers, relation, range(4), 2, norm=norm)
    assert table_sensitivity(matrix, norm=norm, neighbors=relation) == pytest.approx(expected)


@TOTALS
@RELATIONS
def test_the_measurement_keeps_its_promise_and_needs_all_of_it(total, relation):
    """Exactly: the loss of every neighbour of one dataset, and one of them has the promised one."""
    mechanism = FactorizationMechanism(square_root_factorization(4), total, relation)
    base = (0, 3, 3)
    others = [(0, 3), (3, 3)] if relation == ADD_REMOVE else [(c, 3, 3) for c in (1, 2, 3)]
    losses = [mechanism.measurement.privacy_loss(base, other) for other in others]
    if isinstance(total, PureDP):
        largest = max(loss.largest for loss in losses)
        assert largest == pytest.approx(total.epsilon)
    else:
        assert max(loss.mu for loss in losses) ** 2 / 2 == pytest.approx(total.rho)
    assert mechanism.guarantee == total
    assert mechanism.worst_case == mechanism.measurement.worst_case


@TOTALS
def test_deviations_are_those_of_draws(total):
    """4,000 draws: means and squares within 8 of their deviations, probability 1e-14 each."""
    mechanism = FactorizationMechanism(square_root_factorization(5), total)
    records, rng = (0, 1, 4), np.random.default_rng()
    drawn = np.array([mechanism(records, rng) for _ in range(4000)])
    errors = drawn - np.array([1, 2, 2, 2, 3])
    assert (abs(errors.mean(axis=0)) < 8 * mechanism.deviations / 4000**0.5).all()
    squares = errors**2
    off = abs(squares.mean(axis=0) - mechanism.deviations**2)
    assert (off < 8 * squares.std(axis=0) / 4000**0.5).all()


def test_bad_arguments_are_named():
    one = Factorization([[1]], [[1]])
    calls = [
        (lambda: Factorization([[1, 2]], [[1]]), r"recovery and strategy must be \(m, p\)"),
        (lambda: Factorization([1], [[1]]), "recovery and strategy must be"),
        (lambda: Factorization([[np.nan]], [[1]]), "recovery must hold finite"),
        (lambda: Factorization.by_least_squares([[1, 0]], [[1, 1]]), "strategy must determine"),
        (lambda: one.errors(norm=3), "norm must be one of 1, 2, not 3"),
        (lambda: FactorizationMechanism(one, PureDP(0)), "total must be PureDP or ZCDP, above 0"),
        (lambda: FactorizationMechanism(one, 1), "total must be PureDP or ZCDP"),
        (
            lambda: FactorizationMechanism(Factorization([[1]], [[0]]), PureDP(1)),
            "sensitivity of the strategy must be .*above 0",
        ),
        (lambda: square_root_coefficients(0), "n must be a whole number of at least 1"),
        (lambda: square_root_factorization(4097), "n must be .* at most 4096"),
        (lambda: tree_factorization(4097), "n must be .* at most 4096"),
    ]
    assert_refused(calls)
