"""Training with correlated noise: its steps, its noise, its sensitivity and its account."""

from itertools import product

import numpy as np
import pytest

from dplab import Gaussian
from dplab.audit import goodness_of_fit
from dplab.learning import (
    LOGISTIC,
    BandedTraining,
    CorrelatedNoise,
    LinearModel,
    training_sensitivity,
)
from dplab.losses import GaussianLoss
from dplab.queries import banded_factorization, step_noise

HOW = {"batches": 2, "epochs": 2, "bands": 2, "batch_size": 8.0, "clip": 0.5}
HOW |= {"noise_multiplier": 3.0, "learning_rate": 0.7}


def training(features=2, **changes):
    return BandedTraining(LinearModel(LOGISTIC, features), **HOW | changes)


@pytest.mark.parametrize("bands", [1, 2, 3, 6])
def test_the_noise_is_that_of_the_factorization(bands):
    rng, same = np.random.default_rng(3), np.random.default_rng(3)
    noise = CorrelatedNoise(bands=bands, sigma=2.0, rng=rng)
    totals = np.arange(12.0).reshape(6, 2)
    noisy = np.array([noise.add_to(total) for total in totals])
    z = same.normal(size=(6, 2))
    expected = totals + 2 * step_noise(banded_factorization(6, bands)) @ z
    assert noisy == pytest.approx(expected)
    assert len(noise.past) == bands - 1


@pytest.mark.parametrize(("batches", "epochs"), [(1, 1), (1, 4), (2, 3), (3, 2), (5, 1)])
def test_the_sensitivity_is_the_largest_over_all_batches_and_signs(batches, epochs):
    """By brute force: each of a person's gradients is 1 or -1; lengths between are no worse."""
    steps = batches * epochs
    for bands in range(1, steps + 1):
        a = banded_factorization(steps, bands).strategy
        moves = [
            np.linalg.norm(a[:, batch::batches] @ signs)
            for batch in range(batches)
            for signs in product((-1, 1), repeat=epochs)
        ]
        assert training_sensitivity(batches, epochs, bands) == pytest.approx(max(moves))
        if bands <= batches:
            squares = (a[:, 0] ** 2).sum()
            assert max(moves) <= np.sqrt(epochs * squares) * (1 + 1e-12)


class Written:
    """A generator of uniform numbers that are written down, and whose normal noise is 0."""

    def __init__(self, uniforms):
        self.uniforms = np.array(uniforms)

    def random(self, size):
        return self.uniforms[:size]

    def normal(self, size):
        return np.zeros(size)


def test_batches_take_turns_and_the_step_divides_by_the_public_number(monkeypatch):
    monkeypatch.setattr("dplab.arguments.generator", lambda name, rng: rng)
    records = np.column_stack([np.eye(3), np.ones(3)])
    one = training(features=3, epochs=1)
    moved = one(records, Written([0.1, 0.5, 0.49]))  # the second is in the second batch
    assert moved == pytest.approx([0.7 / 8 * 0.5] * 3)
    steps = []
    monkeypatch.setattr(
        LinearModel, "clipped_sum", lambda self, theta, rows, clip: steps.append(len(rows)) or theta
    )
    training(features=3, epochs=2)(records, Written([0.1, 0.5, 0.49]))
    assert steps == [2, 1, 2, 1]


@pytest.mark.parametrize("n", [0, 40])
def test_the_noise_does_not_tell_how_many_records_there_are(n):
    """Records without features pull nowhere: the model is minus a sum of y_1, ..., y_4.

    300 models of two coordinates, tested at 1e-10.
    """
    x = np.column_stack([np.zeros((n, 2)), np.ones(n)])
    mechanism, rng = training(), np.random.default_rng()
    draws = np.array([mechanism(x, rng) for _ in range(300)])
    last = np.linalg.norm(banded_factorization(4, 2).recovery[-1])
    for column in draws.T:
        assert goodness_of_fit(column, Gaussian(0, 0.7 / 8 * 0.5 * 3.0 * last)).passed


def test_the_account_is_one_normal_loss():
    for bands, noise in ((1, 4.0), (3, 2.5), (4, 2.0)):
        made = training(bands=bands, noise_multiplier=noise)
        mu = training_sensitivity(2, 2, bands) / noise
        assert made.worst_case == GaussianLoss(mu)
        exact = GaussianLoss(mu).epsilon(1e-5)
        assert exact <= made.guarantee.epsilon <= exact * (1 + 1e-6)
        assert made.guarantee.delta == 1e-5
        assert made.steps == 4


def test_noise_for_an_epsilon_is_enough_and_hardly_more():
    model = LinearModel(LOGISTIC, 2)
    settings = {name: value for name, value in HOW.items() if name != "noise_multiplier"}
    found = BandedTraining.for_epsilon(model, epsilon=1.0, **settings)
    less = BandedTraining(model, **settings | {"noise_multiplier": found.noise_multiplier * 0.997})
    assert found.guarantee.epsilon <= 1.0 < less.guarantee.epsilon


def test_it_learns_what_is_easy():
    """The clouds are 28 deviations apart, and the noise hardly matters."""
    rng, labels = np.random.default_rng(), np.where(np.arange(200) % 2, 1, -1)
    x = rng.normal(size=(200, 2)) * 0.1 + labels[:, None]
    made = training(epochs=20, noise_multiplier=0.1, batch_size=100)
    theta = made(np.column_stack([x, labels]), rng)
    assert (np.sign(x @ theta) == labels).all()


def test_bad_numbers_are_refused():
    for name in ("clip", "noise_multiplier", "learning_rate", "batch_size", "delta"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            training(**{name: 0.0})
    for name, value in (("batches", 0), ("epochs", 0), ("bands", 0), ("bands", 5)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            training(**{name: value})
    with pytest.raises(ValueError, match=r"batches . epochs must be .* at most 4096"):
        training(batches=4097)
    with pytest.raises(ValueError, match="model must be a Model"):
        BandedTraining(LinearModel, **HOW)
    settings = {name: value for name, value in HOW.items() if name != "noise_multiplier"}
    for epsilon, changes in ((0, {}), (1, {"bands": 9}), (1, {"delta": 1})):
        with pytest.raises(ValueError, match="must be"):
            BandedTraining.for_epsilon(
                LinearModel(LOGISTIC, 2), epsilon=epsilon, **settings | changes
            )
