import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import GaussianMechanism, records
from dplab.learning.risk import (
    LOG_COSH,
    LOGISTIC,
    SQUARED,
    TOLERANCE,
    RegularizedRisk,
    clip_rows,
    row_lengths,
    split,
)
from dplab.mechanisms.laplace import SphericalLaplaceMechanism

LOSSES = (LOGISTIC, SQUARED, LOG_COSH)
seeds = st.integers(0, 2**32 - 1)


def records_of(n, d, rng, objective):
    """Rows inside the unit ball, some on its edge, and labels."""
    x = clip_rows(rng.normal(size=(n, d)) * rng.choice([0.1, 1, 9], size=(n, 1)))
    labels = rng.choice(objective.labels, n) if objective.labels else rng.normal(size=n) * 3
    return np.column_stack([x, labels])


@pytest.mark.parametrize("objective", LOSSES)
def test_slope_and_curvature_are_the_derivatives_of_the_value(objective):
    z = np.linspace(-6, 6, 121)
    for y in objective.labels or (-2.0, 0.5):
        h = 1e-4
        slope = (objective.value(z + h, y) - objective.value(z - h, y)) / (2 * h)
        bend = (objective.slope(z + h, y) - objective.slope(z - h, y)) / (2 * h)
        assert slope == pytest.approx(objective.slope(z, y), abs=1e-7)
        assert bend == pytest.approx(objective.curvature(z, y), abs=1e-7)


def test_the_losses_are_what_they_are_called():
    away = np.array([-3.0, 0.0, 0.5])
    assert LOGISTIC.value(away, -1.0) == pytest.approx(np.log(1 + np.exp(away)))
    assert SQUARED.value(2 + away, 2.0) == pytest.approx(away**2 / 2)
    assert LOG_COSH.value(2 + away, 2.0) == pytest.approx(np.log(np.cosh(away)), abs=1e-15)


@pytest.mark.parametrize("objective", LOSSES)
def test_the_constants_are_the_largest_slope_and_curvature(objective):
    z = np.linspace(-40, 40, 8001)
    slopes, bends = (np.abs(f(z, 1.0)).max() for f in (objective.slope, objective.curvature))
    assert slopes <= objective.lipschitz
    assert objective.lipschitz == np.inf or slopes == pytest.approx(objective.lipschitz)
    assert bends == pytest.approx(objective.smoothness)
    assert np.isfinite(objective.value(np.array([-1e4, 1e4]), 1.0)).all()


@settings(max_examples=60, deadline=None)
@given(
    seeds, st.sampled_from(LOSSES), st.integers(1, 40), st.integers(1, 12), st.floats(1e-4, 10.0)
)
def test_the_minimizer_has_no_gradient_and_no_better_neighbour(seed, objective, n, d, regularizer):
    rng = np.random.default_rng(seed)
    risk, records = RegularizedRisk(objective, n, regularizer), records_of(n, d, rng, objective)
    tilt = rng.normal(size=d) * rng.choice([0, 1, 30])
    theta = risk.minimizer(records, tilt)

    def value(t):
        return objective.evaluate(t, records).mean() + regularizer / 2 * t @ t + tilt @ t / n

    for step in 1e-3 * rng.normal(size=(20, d)):
        assert value(theta) <= value(theta + step) + 1e-12 * (1 + abs(value(theta)))


@settings(max_examples=100, deadline=None)
@given(
    seeds,
    st.sampled_from((LOGISTIC, LOG_COSH)),
    st.integers(1, 30),
    st.integers(1, 6),
    st.floats(1e-3, 10.0),
)
def test_no_neighbour_moves_the_minimizer_by_more_than_the_sensitivity(
    seed, objective, n, d, strength
):
    rng = np.random.default_rng(seed)
    risk, x = RegularizedRisk(objective, n, strength), records_of(n, d, rng, objective)
    y = x.copy()
    y[0] = records_of(1, d, rng, objective)[0]
    moved = np.linalg.norm(risk.minimizer(x) - risk.minimizer(y))
    assert moved <= risk.sensitivity


@pytest.mark.parametrize("n", [1, 7, 200])
def test_the_sensitivity_is_nearly_reached(n):
    """Others that pull nowhere, and a record whose objective has the slope 1 both ways: its label
    moves far off, so that the minimiser stays where the objective is steep. 2 / (n lambda)."""
    risk = RegularizedRisk(LOG_COSH, n, 1.0)
    x = np.zeros((n, 2))
    y = x.copy()
    x[0], y[0] = (1, 50), (1, -50)
    moved = abs(risk.minimizer(x)[0] - risk.minimizer(y)[0])
    assert moved == pytest.approx(risk.sensitivity, rel=1e-7)


@pytest.mark.parametrize(("n", "regularizer"), [(1, 1e-3), (2, 0.1), (5, 0.1)])
def test_the_longest_rows_that_are_let_in_move_the_minimizer_no_further(n, regularizer):
    risk, rest = RegularizedRisk(LOG_COSH, n, regularizer), [[1, 1e7]] * (n - 1)
    x, y = (risk.minimizer([[1 + 1e-9, label], *rest]) for label in (1e9, -1e9))
    assert abs(x - y).max() <= risk.sensitivity


def test_output_perturbation_is_one_line_with_either_noise():
    rng = np.random.default_rng()
    risk = RegularizedRisk(LOGISTIC, 50, 0.1)
    x = records_of(50, 3, rng, LOGISTIC)
    pure = SphericalLaplaceMechanism(risk.minimizer, risk.sensitivity, 0.5)
    normal = GaussianMechanism.for_epsilon(
        risk.minimizer, sensitivity=risk.sensitivity, epsilon=0.5, delta=1e-6
    )
    assert pure.distribution(x).scale == pytest.approx(2 / (50 * 0.1 * 0.5))
    assert pure(x, rng).shape == normal(x, rng).shape == (3,)


def test_a_row_of_zeros_has_no_length():
    assert row_lengths(np.array([[0.0, 0.0], [3.0, -4.0]])).tolist() == [0, 5]


def test_the_first_label_that_is_none_is_named():
    with pytest.raises(
        ValueError, match="labels must hold -1 and 1, or 0 and 1, but entry 1 is another"
    ):
        split([[0.1, 1], [0.2, 7], [0.3, -1], [0.4, 9]], LOGISTIC.labels)


def test_labels_0_and_1_train_the_model_of_minus_1_and_1():
    signs = np.array([[0.5, 0.1, 1], [0.6, 0.8, -1], [0.0, 1.0, 1], [0.2, 0.2, -1]])
    zeros = np.where(signs == -1, 0, signs)
    risk = RegularizedRisk(LOGISTIC, 4, 0.1)
    models = [risk.minimizer(x) for x in (signs, zeros)]
    with records.conversation():
        models.append(risk.minimizer(zeros))
    assert (models[0] == models[1]).all()
    assert models[2] == pytest.approx(models[0])
    assert LOGISTIC.evaluate([1.0, 2.0], zeros) == pytest.approx(LOGISTIC.evaluate([1, 2], signs))
    signs[0, -1] = 0
    with pytest.raises(ValueError, match="-1 and 1, or 0 and 1, but not all three"):
        risk.minimizer(signs)


def test_clipping_keeps_directions_and_short_rows():
    rng = np.random.default_rng()
    rows = rng.normal(size=(200, 4)) * rng.choice([0, 1e-300, 0.2, 1, 1e200], size=(200, 1))
    for norm in (0.3, 1.0, 50.0):
        clipped, lengths = clip_rows(rows, norm), np.array([math.hypot(*row) for row in rows])
        assert np.linalg.norm(clipped, axis=1) == pytest.approx(np.minimum(lengths, norm))
        short = lengths <= norm
        assert (clipped[short] == rows[short]).all()
        assert (np.sign(clipped) == np.sign(rows)).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x: x * [1.1, 1.1, 1], "rows must have a length of at most 1"),
        (lambda x: x[1:], "records must be n = 3 rows"),
        (lambda x: x * [1, 1, 2], "labels must hold -1 and 1, or 0 and 1,"),
        (lambda x: x * [1, np.nan, 1], "records must hold finite numbers"),
        (lambda x: x[0], "must be of shape"),
        (lambda x: x[:, 2:], "records must be features and a label"),
    ],
)
def test_records_that_break_the_theorem_are_refused(change, words):
    x = np.array([[1.0, 0, 1], [0.6, 0.8, -1], [0, 1, 1]])
    risk = RegularizedRisk(LOGISTIC, 3, 0.1)
    assert risk.minimizer(x).shape == (2,)
    with pytest.raises(ValueError, match=words):
        risk.minimizer(change(x))


def test_a_loss_without_a_slope_and_a_regularizer_of_0_are_refused():
    with pytest.raises(
        ValueError, match="objective must have a bounded slope, but SQUARED has none"
    ):
        _ = RegularizedRisk(SQUARED, 3, 1.0).sensitivity
    for strength in (0, -1.0, np.inf):
        with pytest.raises(ValueError, match="regularizer must be"):
            RegularizedRisk(LOGISTIC, 3, strength)


@given(st.floats(-300, 308), st.floats(-300, 0), st.lists(st.floats(-1, 1), min_size=1, max_size=5))
def test_a_shortened_row_is_as_long_as_said_however_long_it_was(size, short, row):
    """To all digits: where the factor itself has none, neighbours would differ by more."""
    rows, norm = np.array([row]) * 10.0**size, 10.0**short
    clipped = clip_rows(rows, norm)
    longest = np.abs(rows).max()
    if longest >= norm:
        assert np.linalg.norm(clipped / norm) == pytest.approx(1, rel=1e-9)
        assert clipped / norm == pytest.approx(
            rows / longest / np.linalg.norm(rows / longest), abs=1e-9
        )
    elif longest * 3 < norm:
        assert (clipped == rows).all()


@pytest.mark.parametrize("objective", [LOGISTIC, LOG_COSH], ids=["logistic", "log cosh"])
@pytest.mark.parametrize("regularizer", [1e-6, 1e-4, 1e-2, 1.0])
def test_a_minimizer_has_hardly_a_gradient_however_large_the_tilt(objective, regularizer):
    """In a dozen draws, always the same; from 0 the search finds the minimum of some only."""
    rng = np.random.default_rng(3)
    for size in 4 * [1.0, 30.0, 1000.0]:
        n, d = int(rng.integers(1, 40)), int(rng.integers(1, 12))
        risk, records = RegularizedRisk(objective, n, regularizer), records_of(n, d, rng, objective)
        tilt = size * rng.normal(size=d)
        left = risk.gradient(risk.minimizer(records, tilt), records) + tilt / n
        assert np.linalg.norm(left) <= TOLERANCE * max(1.0, np.linalg.norm(tilt / n))
