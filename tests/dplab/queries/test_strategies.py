import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import ADD_REMOVE, REPLACE_ONE
from dplab.audit import goodness_of_fit
from dplab.continuous import Gaussian
from dplab.neighbors import sensitivity
from dplab.queries import (
    HadamardQueries,
    IntervalQueries,
    answers_from,
    strategy_deviations,
    strategy_mechanism,
    table_sensitivity,
)
from tests.refusals import assert_refused

relations = pytest.mark.parametrize("relation", [ADD_REMOVE, REPLACE_ONE])


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(2, 4), st.randoms(use_true_random=False))
def test_the_sensitivity_is_that_of_all_neighbouring_tables(m, cells, random):
    matrix = np.array([[random.choice([-1, 0, 0.5, 2]) for _ in range(cells)] for _ in range(m)])

    def answers(records):
        return matrix @ np.bincount(np.array(records, dtype=int), minlength=cells)

    for relation in (ADD_REMOVE, REPLACE_ONE):
        expected = sensitivity(answers, relation, range(cells), 2)
        assert table_sensitivity(matrix, neighbors=relation) == pytest.approx(expected)


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_what_a_strategy_determines_has_no_unit(unit):
    counts, tree = np.array([3, 1, 4, 1, 5]), IntervalQueries.tree(5)
    workload = unit * np.asarray(IntervalQueries.every(5))
    assert answers_from(workload, tree, tree @ counts) == pytest.approx(workload @ counts)
    with pytest.raises(ValueError, match="strategy must determine the answers"):
        answers_from(unit * np.array([[1.0, 0.0]]), [[1, 1]], [3])


@relations
@pytest.mark.parametrize("strategy", [np.eye(4), IntervalQueries.tree(4), HadamardQueries(4)])
def test_a_strategy_keeps_its_promise_and_all_of_it_is_needed(strategy, relation):
    mechanism = strategy_mechanism(strategy, epsilon=0.5, neighbors=relation)
    base = (0, 3, 3)
    others = [(0, 3)] if relation == ADD_REMOVE else []
    others += [(0, 3, cell) for cell in range(3)] if relation == REPLACE_ONE else [(*base, 1)]
    losses = [mechanism.privacy_loss(base, other).largest for other in others]
    assert max(losses) <= 0.5 + 1e-9
    assert max(losses) >= 0.25


@pytest.mark.parametrize("n", [1, 2, 8, 13])
def test_answers_without_noise_are_those_of_the_workload(n):
    counts = np.random.default_rng(n).integers(9, size=n)
    workload = IntervalQueries.every(n)
    for strategy in (np.eye(n), IntervalQueries.tree(n), IntervalQueries.thresholds(n)):
        found = answers_from(workload, strategy, np.asarray(strategy) @ counts)
        assert found == pytest.approx(np.asarray(workload) @ counts)


@relations
def test_deviations_are_those_of_draws(relation):
    """4,000 draws: means and squares within 8 of their deviations."""
    strategy, workload = IntervalQueries.tree(5), np.array([[1, 1, 1, 0, 0], [0, 0, 1, 1, 1]])
    mechanism, rng = (
        strategy_mechanism(strategy, epsilon=2, neighbors=relation),
        np.random.default_rng(),
    )
    records = (0, 1, 4)
    exact = workload @ np.bincount(records, minlength=5)
    drawn = np.array(
        [answers_from(workload, strategy, mechanism(records, rng)) for _ in range(4000)]
    )
    expected = strategy_deviations(workload, strategy, epsilon=2, neighbors=relation)
    assert abs(drawn.mean(axis=0) - exact).max() < 8 * expected.max() / 4000**0.5
    for errors, deviation in zip((drawn - exact).T, expected, strict=True):
        square = errors**2
        assert abs(square.mean() - deviation**2) < 8 * square.std() / 4000**0.5


def test_the_tree_beats_identity_and_thresholds_on_all_intervals_of_many_cells():
    n = 128
    workload = IntervalQueries.every(n)
    worst = {
        name: strategy_deviations(workload, strategy, epsilon=1).max()
        for name, strategy in {
            "identity": np.eye(n),
            "tree": IntervalQueries.tree(n),
            "thresholds": IntervalQueries.thresholds(n),
        }.items()
    }
    assert worst["identity"] == pytest.approx(np.sqrt(2 * n))
    assert worst["thresholds"] == pytest.approx(2 * n, rel=0.01)
    assert worst["tree"] < worst["thresholds"] / 10
    assert np.median(strategy_deviations(np.eye(n), np.eye(n), epsilon=1)) == pytest.approx(2**0.5)


def test_bad_arguments_are_named():
    calls = [
        (lambda: table_sensitivity([1, 0]), r"queries must be of shape \(m, n\)"),
        (lambda: table_sensitivity([[1]], neighbors="x"), "neighbors must be one of"),
        (lambda: strategy_mechanism([[1, 1]], epsilon=0), "epsilon must be"),
        (lambda: strategy_mechanism([[0, 0]], epsilon=1), "sensitivity must be .*above 0"),
        (lambda: strategy_mechanism(np.eye(2), epsilon=1).query([2]), "data must hold whole"),
        (lambda: answers_from([[1, 0]], [[1, 1]], [3]), "strategy must determine the answers"),
        (lambda: answers_from([[2, 1]], [[1, 1]], [3]), "strategy must determine the answers"),
        (
            lambda: answers_from(IntervalQueries.every(2), [[1, 1]], [3]),
            "strategy must determine the answers",
        ),
        (lambda: answers_from([[1, 0]], [[1]], [3]), "strategy must be on 2 cells, not 1"),
        (lambda: answers_from([[1, 0]], np.eye(2), [3]), r"measured must have shape \(2,\)"),
        (lambda: strategy_deviations([[1]], [[1]], epsilon=0), "epsilon must be"),
    ]
    assert_refused(calls)


def test_the_noise_of_a_sum_of_many_cells_is_nearly_normal():
    """64 cells of Laplace noise: their sum has the deviation of the formula."""
    mechanism, rng = strategy_mechanism(np.eye(64), epsilon=1), np.random.default_rng()
    sums = [mechanism((), rng).sum() for _ in range(2000)]
    deviation = strategy_deviations(np.ones((1, 64)), np.eye(64), epsilon=1)[0]
    assert goodness_of_fit(sums, Gaussian(0, deviation), failure=1e-10).passed
