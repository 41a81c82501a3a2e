from dataclasses import dataclass

import numpy as np
import pytest

from dplab import Gaussian
from dplab.accounting import Release, epsilon_bounds
from dplab.audit import goodness_of_fit
from dplab.learning.networks import LinearModel, Network
from dplab.learning.private_training import PoissonTraining
from dplab.learning.risk import LOGISTIC
from dplab.losses import GaussianLoss, poisson_sampled_loss

HOW = {"clip": 0.5, "noise_multiplier": 3.0, "steps": 4, "learning_rate": 0.7}


def training(features=2, **changes):
    settings = {"rate": 0.3, "batch_size": 8.0} | HOW | changes
    return PoissonTraining(LinearModel(LOGISTIC, features), **settings)


@dataclass
class Written:
    """A generator of uniform numbers that are written down, and whose normal noise is 0."""

    uniforms: list

    def random(self, size):
        return np.array(self.uniforms.pop(0)[:size])

    def normal(self, size):
        return np.zeros(size)


def test_a_step_takes_those_below_the_rate_and_divides_by_the_public_number():
    records = np.column_stack([np.eye(3), np.ones(3)])
    one = training(features=3, steps=1)
    moved = one(records, Written([[0.1, 0.3, 0.29]]))
    assert moved == pytest.approx([0.7 / 8 * 0.5, 0, 0.7 / 8 * 0.5])
    assert one(records, Written([[0.9, 0.9, 0.9]])).tolist() == [0, 0, 0]


def test_a_record_that_pulls_nowhere_or_is_in_no_sample_leaves_no_trace():
    rng = np.random.default_rng()
    records = np.column_stack([rng.normal(size=(5, 2)), rng.choice([-1, 1], 5)])
    uniforms = rng.random((4, 6))
    found = []
    for more, last in (([], 0.0), ([[0.0, 0.0, 1.0]], 0.0), ([[9.0, 9.0, 1.0]], 0.99)):
        script = [[*row[:5], last] for row in uniforms]
        found.append(training()(np.array([*records.tolist(), *more]), Written(script)))
    assert found[0].tolist() == found[1].tolist() == found[2].tolist()


@pytest.mark.parametrize("n", [0, 1, 40])
def test_the_noise_does_not_tell_how_many_records_there_are(n):
    """Records without features pull nowhere: what is left is a sum of normal noises. The draws of
    1,000 models of two coordinates, tested at 1e-10."""
    x = np.column_stack([np.zeros((n, 2)), np.ones(n)])
    mechanism, rng = training(), np.random.default_rng()
    draws = np.array([mechanism(x, rng) for _ in range(1000)])
    sigma = 0.7 / 8 * 0.5 * 3.0 * 2
    for column in draws.T:
        assert goodness_of_fit(column, Gaussian(0, sigma)).passed
    assert goodness_of_fit((draws[:, 0] + draws[:, 1]) / np.sqrt(2), Gaussian(0, sigma)).passed


@pytest.mark.parametrize(("rate", "noise", "steps"), [(0.1, 2.0, 50), (0.5, 8.0, 10)])
def test_the_account_is_the_worse_of_both_directions(rate, noise, steps):
    found = training(rate=rate, noise_multiplier=noise, steps=steps).guarantee
    loss = poisson_sampled_loss(GaussianLoss(1 / noise), rate=rate)
    assert found.epsilon == epsilon_bounds([Release(loss, steps)], delta=1e-5).upper
    twice = Release(training(rate=rate, noise_multiplier=noise, steps=steps), 2)
    bounds = epsilon_bounds([twice], delta=1e-5)
    assert bounds == epsilon_bounds([Release(loss, 2 * steps)], delta=1e-5)
    assert bounds.lower_of == "guarantee"  # only the last parameters are published
    assert found.delta == 1e-5
    assert found.epsilon < training(rate=1, noise_multiplier=noise, steps=steps).guarantee.epsilon


def test_with_everybody_in_each_step_it_costs_what_normal_noise_does():
    found = training(rate=1, noise_multiplier=5.0, steps=9).guarantee.epsilon
    exact = GaussianLoss(3 / 5).epsilon(1e-5)
    assert exact <= found <= exact * (1 + 1e-6)


def test_noise_for_an_epsilon_is_enough_and_hardly_more():
    model = LinearModel(LOGISTIC, 2)
    settings = {"rate": 0.2, "batch_size": 10, "clip": 1, "steps": 20, "learning_rate": 1}
    found = PoissonTraining.for_epsilon(model, epsilon=1.0, **settings)
    less = PoissonTraining(model, noise_multiplier=found.noise_multiplier * 0.997, **settings)
    assert found.guarantee.epsilon <= 1.0 < less.guarantee.epsilon


def test_a_network_learns_what_is_easy():
    """The clouds are 28 deviations apart, and 100 steps have noise that hardly matters."""
    rng, labels = np.random.default_rng(), np.arange(200) % 2
    x = rng.normal(size=(200, 2)) * 0.1 + np.where(labels == 1, 1, -1)[:, None]
    network = Network(2, 8, 2)
    how = {"clip": 1.0, "noise_multiplier": 0.1, "steps": 100, "learning_rate": 1.0}
    theta = PoissonTraining(network, 0.5, 100, **how)(np.column_stack([x, labels]), rng)
    assert network.accuracy(theta, np.column_stack([x, labels])) > 0.9


def test_bad_numbers_are_refused():
    for name in ("clip", "noise_multiplier", "learning_rate", "batch_size", "rate", "delta"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            training(**{name: 0.0})
    with pytest.raises(ValueError, match="steps must be"):
        training(steps=0)
    with pytest.raises(ValueError, match="rate must be"):
        training(rate=1.01)
    how = {"rate": 0.2, "batch_size": 10, "clip": 1, "steps": 20, "learning_rate": 1}
    for epsilon, settings in ((0, how), (1, how | {"rate": 2})):
        with pytest.raises(ValueError, match="must be"):
            PoissonTraining.for_epsilon(LinearModel(LOGISTIC, 2), epsilon=epsilon, **settings)
