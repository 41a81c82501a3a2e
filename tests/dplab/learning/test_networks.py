import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.learning.gradient_descent import clipped_sum
from dplab.learning.networks import LinearModel, Network
from dplab.learning.risk import LOGISTIC

seeds = st.integers(0, 2**32 - 1)


def drawn(seed, n=6, features=3, units=4, classes=3):
    """A network, parameters that are not near 0, and n records."""
    rng, network = np.random.default_rng(seed), Network(features, units, classes)
    records = np.column_stack([rng.normal(size=(n, features)), rng.integers(classes, size=n)])
    return network, network.start(rng) + rng.normal(size=network.size), records


@given(seeds)
def test_each_gradient_is_the_slope_of_its_own_objective(seed):
    network, theta, records = drawn(seed)
    gradients = network.gradients(theta, records)
    for j in range(network.size):
        step = 1e-5 * (np.arange(network.size) == j)
        ends = (network.losses(theta + sign * step, records) for sign in (1, -1))
        assert gradients[:, j] == pytest.approx(np.subtract(*ends) / 2e-5, abs=1e-7)


@given(seeds, st.floats(-3, 2))
def test_lengths_from_two_norms_shorten_each_gradient_by_itself(seed, log_clip):
    network, theta, records = drawn(seed)
    clip, gradients = 10.0**log_clip, network.gradients(theta, records)
    lengths = np.linalg.norm(gradients, axis=1, keepdims=True)
    right = (gradients / np.maximum(1, lengths / clip)).sum(axis=0)
    assert network.clipped_sum(theta, records, clip) == pytest.approx(right)


def test_nobody_pulls_nowhere():
    network, theta, _ = drawn(1)
    assert network.clipped_sum(theta, np.zeros((0, 4)), 1.0).tolist() == [0.0] * network.size
    assert LinearModel(LOGISTIC, 2).clipped_sum(np.zeros(2), np.zeros((0, 3)), 1.0).tolist() == [
        0,
        0,
    ]


@given(seeds)
def test_probabilities_decide_classes_and_losses(seed):
    network, theta, records = drawn(seed)
    every = [np.column_stack([records[:, :-1], np.full(6, label)]) for label in range(3)]
    chances = np.exp([-network.losses(theta, one) for one in every])
    assert chances.sum(axis=0) == pytest.approx(np.ones(6))
    assert (network.classify(theta, records) == chances.argmax(axis=0)).all()
    share = (chances.argmax(axis=0) == records[:, -1]).mean()
    assert network.accuracy(theta, records) == pytest.approx(share)


def test_a_network_starts_small_and_without_records():
    network, rng = Network(400, 100, 50), np.random.default_rng()
    theta = network.start(rng)
    weights = theta[
        : 400 * 100
    ]  # their deviation is 1 / 20; that of 40,000 within 0.0014, 8 sigmas
    assert abs(weights.std() - 1 / 20) < 0.0014
    assert (theta[400 * 100 : 401 * 100] == 0).all()
    assert (theta[-50:] == 0).all()


def test_a_linear_model_is_the_one_of_the_descent():
    rng = np.random.default_rng()
    x, y, theta = rng.normal(size=(9, 4)), rng.choice([-1.0, 1.0], 9), rng.normal(size=4)
    model = LinearModel(LOGISTIC, 4)
    right = clipped_sum(x, LOGISTIC.slope(x @ theta, y), 0.3)
    assert model.clipped_sum(theta, np.column_stack([x, y]), 0.3) == pytest.approx(right)
    assert model.start(rng).tolist() == [0.0] * 4


def test_bad_shapes_and_labels_are_refused():
    for name in ("features", "units"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            Network(**{"features": 2, "units": 2, "classes": 2, name: 0})
    with pytest.raises(ValueError, match="classes must be"):
        Network(2, 2, 1)
    with pytest.raises(ValueError, match="features must be"):
        LinearModel(LOGISTIC, 0)
    network, theta, records = drawn(3)
    for label in (-1, 3, 0.5, np.nan):
        records[2, -1] = label
        with pytest.raises(
            ValueError, match="labels must hold whole numbers from 0 to 2, but entry 2 is"
        ):
            network.clipped_sum(theta, records, 1.0)
