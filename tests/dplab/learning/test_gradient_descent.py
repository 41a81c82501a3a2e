from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import Gaussian
from dplab.accounting import epsilon_bounds
from dplab.accounting.releases import Release
from dplab.audit import goodness_of_fit
from dplab.learning import risk
from dplab.learning.gradient_descent import LEAST_WEIGHT, NoisyGradientDescent, clipped_sum
from dplab.learning.risk import LOGISTIC, SQUARED
from dplab.losses import GaussianLoss
from dplab.losses.sampled import fixed_size_sampled_loss, poisson_sampled_loss
from tests.dplab.learning.test_risk import records_of


def descent(n, **changes):
    settings = {"clip": 0.5, "noise_multiplier": 10.0, "steps": 5, "learning_rate": 0.7} | changes
    return NoisyGradientDescent(LOGISTIC, n, **settings)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 4), st.floats(1e-3, 1e3))
def test_each_gradient_is_shortened_by_itself(seed, n, d, clip):
    rng = np.random.default_rng(seed)
    x, slopes = rng.normal(size=(n, d)), rng.choice([0, 1e-3, 1, -50.0], n)
    expected = np.zeros(d)
    for gradient in slopes[:, None] * x:
        expected += gradient * min(1, clip / max(np.linalg.norm(gradient), 1e-300))
    assert clipped_sum(x, slopes, clip) == pytest.approx(expected)


@dataclass
class Silent:
    """A generator that takes batches like a real one, and whose normal noise is 0."""

    rng: np.random.Generator

    def normal(self, size):
        return np.zeros(size)

    def choice(self, *arguments, **names):
        return self.rng.choice(*arguments, **names)


@pytest.mark.parametrize("loss", [LOGISTIC, SQUARED])
@pytest.mark.parametrize("n", [1, 2, 30])
def test_one_record_moves_a_step_by_two_clips_at_most_and_that_is_reached(loss, n):
    rng = np.random.default_rng()
    one = NoisyGradientDescent(loss, n, 0.5, 10.0, 1, 0.7)
    for size in (0.1, 1, 1e6):
        x = records_of(n, 3, rng, loss) * [size, size, size, 1]
        y = x.copy()
        y[0] = records_of(1, 3, rng, loss)[0] * [size, size, size, 1]
        moved = np.linalg.norm(one(x, Silent(rng)) - one(y, Silent(rng)))
        assert moved <= 0.7 / n * 2 * 0.5 * (1 + 1e-9)
    x[0], y[0] = (1, 0, 0, 1), (-1, 0, 0, 1)
    moved = np.linalg.norm(one(x, Silent(rng)) - one(y, Silent(rng)))
    assert moved == pytest.approx(0.7 / n * 2 * 0.5)


def test_the_descent_without_noise_finds_the_minimum():
    rng = np.random.default_rng(3)
    x = records_of(40, 2, rng, SQUARED)
    far = NoisyGradientDescent(SQUARED, 40, 1e9, 1.0, 4000, 1.0)
    best = np.linalg.lstsq(x[:, :2], x[:, 2], rcond=None)[0]
    assert far(x, Silent(rng)) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(("batch", "steps"), [(None, 1), (None, 7), (3, 4), (1, 2)])
def test_every_step_gets_noise_of_its_own(batch, steps):
    """Records without features pull nowhere: what is left is a sum of normal noises. The draws of
    500 models of two coordinates, tested at 1e-10."""
    rng, n = np.random.default_rng(), 10
    x = np.column_stack([np.zeros((n, 2)), np.ones(n)])
    mechanism = descent(n, batch=batch, steps=steps)
    draws = np.array([mechanism(x, rng) for _ in range(1000)])
    sigma = 0.7 / (batch or n) * 0.5 * 10.0 * np.sqrt(steps)
    for column in draws.T:
        assert goodness_of_fit(column, Gaussian(0, sigma)).passed
    together = (draws[:, 0] + draws[:, 1]) / np.sqrt(2)
    assert goodness_of_fit(together, Gaussian(0, sigma)).passed


def test_a_batch_has_as_many_different_records_as_said_each_as_often_as_another():
    """Record i pulls along coordinate i alone: one step shows who took part. Shares of 4,000 steps,
    by Hoeffding within 0.055 but for 1e-10 each."""
    n, m, rng = 6, 2, np.random.default_rng()
    x = np.column_stack([np.eye(n), np.ones(n)])
    one = descent(n, batch=m, steps=1)
    took_part = np.array([one(x, Silent(rng)) != 0 for _ in range(4000)])
    assert (took_part.sum(axis=1) == m).all()
    assert np.abs(took_part.mean(axis=0) - m / n).max() < np.sqrt(np.log(2e10) / 8000)


@pytest.mark.parametrize("noise", [3.0, 20.0, 75.0])
@pytest.mark.parametrize("steps", [1, 10, 100])
def test_full_batches_cost_what_normal_noise_does(noise, steps):
    promise = descent(50, noise_multiplier=noise, steps=steps).guarantee
    exact = GaussianLoss(2 * np.sqrt(steps) / noise).epsilon(1e-5)
    assert exact <= promise.epsilon <= exact * (1 + 1e-6)
    assert promise.delta == 1e-5


@pytest.mark.parametrize(("n", "batch", "noise", "steps"), [(100, 10, 4.0, 30), (7, 6, 9.0, 3)])
def test_secret_batches_cost_less_by_the_certified_account(n, batch, noise, steps):
    sampled, full = (
        descent(n, noise_multiplier=noise, steps=steps, batch=b) for b in (batch, None)
    )
    step = fixed_size_sampled_loss(GaussianLoss(2 / noise), rate=batch / n)
    bounds = epsilon_bounds([Release(step, steps)], delta=1e-5)
    assert sampled.guarantee.epsilon == bounds.upper
    twice = epsilon_bounds([Release(sampled, 2)], delta=1e-5)
    assert twice == epsilon_bounds([Release(step, 2 * steps)], delta=1e-5)
    assert twice.lower_of == "guarantee"  # only the last theta is published
    half = [Release(poisson_sampled_loss(GaussianLoss(2 / noise), rate=batch / n), steps)]
    assert bounds.lower <= bounds.upper < full.guarantee.epsilon
    assert epsilon_bounds(half, delta=1e-5).lower <= bounds.upper


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("batch", [None, 40])
def test_noise_for_an_epsilon_is_enough_and_hardly_more(epsilon, batch):
    found = NoisyGradientDescent.for_epsilon(
        LOGISTIC, 400, epsilon=epsilon, clip=1, steps=20, learning_rate=1, batch=batch
    )
    less = descent(400, noise_multiplier=found.noise_multiplier * 0.997, steps=20, batch=batch)
    assert found.guarantee.epsilon <= epsilon < less.guarantee.epsilon


def test_bad_numbers_and_records_are_refused():
    with pytest.raises(ValueError, match="epsilon must be a finite number above 0"):
        NoisyGradientDescent.for_epsilon(LOGISTIC, 5, epsilon=0, clip=1, steps=2, learning_rate=1)
    for name in ("clip", "noise_multiplier", "learning_rate"):
        with pytest.raises(ValueError, match=f"{name} must be"):
            descent(5, **{name: 0.0})
    for name, value in (("steps", 0), ("batch", 6), ("batch", 0), ("delta", 0.0)):
        with pytest.raises(ValueError, match=f"{name} must be"):
            descent(5, **{name: value})
    with pytest.raises(ValueError, match=r"data must be n = 5 records$"):
        descent(5)(np.ones((4, 3)), np.random.default_rng())
    with pytest.raises(ValueError, match="labels must hold -1 and 1"):
        descent(4)(np.full((4, 3), 0.5), np.random.default_rng())
    with pytest.raises(ValueError, match="records must be features and a label"):
        descent(4)(np.ones((4, 1)), np.random.default_rng())


@pytest.mark.parametrize("name", ["LOGISTIC", "SQUARED"])
def test_no_record_makes_the_trained_model_nan(name):
    descent = NoisyGradientDescent(
        getattr(risk, name), 3, clip=1.0, noise_multiplier=20.0, steps=10, learning_rate=4.0
    )
    data = np.array([[1.5e308, -1.5e308, 1], [0.3, 0.1, -1], [0.1, 0.1, 1]])
    with np.errstate(all="ignore"):
        models = [descent(data, np.random.default_rng(seed)) for seed in range(30)]
    assert np.isfinite(models).all()


@given(st.floats(-300, 308), st.floats(-300, 3), st.sampled_from([1e-300, 1e-12, 0.3, 1.0, 1e6]))
def test_no_record_counts_for_more_than_the_clip_however_large(size, clip, slope):
    x, clip = np.array([[0.3, -0.8, 1.0]]) * 10.0**size, 10.0**clip
    assert np.linalg.norm(clipped_sum(x, [slope], clip) / clip) <= 1 + 1e-9


def test_a_record_whose_weight_has_lost_its_digits_has_no_part():
    """1.6 of the least float, which rounds to two of them, would count for a quarter more."""
    x = np.array([[1.5e308]])
    clip = 1.6 * 5e-324 * 1.5e308
    assert clipped_sum(x, [1.0], clip).tolist() == [0.0]
    assert clipped_sum(x, [1.0], 1e20).tolist() == pytest.approx([1e20])


def test_the_least_weight_that_has_a_part_is_above_the_limit():
    above = np.nextafter(LEAST_WEIGHT, 1)
    assert clipped_sum([[1.0], [1.0]], [LEAST_WEIGHT, -LEAST_WEIGHT / 2], 1.0).tolist() == [0.0]
    assert clipped_sum([[1.0], [1.0]], [above, -LEAST_WEIGHT], 1.0).tolist() == [above]
