import numpy as np
import pytest

from dplab.audit import exact_epsilon
from dplab.local.one_bit_means import OneBitMean


@pytest.mark.parametrize("x", [-3.0, -1.0, 2.25, 5, 9])
def test_the_mean_of_an_answer_is_the_number_or_the_nearest_end(x):
    mechanism = OneBitMean(0.7, -3, 5)
    law = mechanism.distribution(x)
    each = [mechanism.mean([answer]).value for answer in law.outcomes]
    assert law.probabilities @ each == pytest.approx(min(x, 5))
    deviation = (law.probabilities @ np.square(each) - min(x, 5) ** 2) ** 0.5
    assert deviation <= mechanism.mean([0]).standard_error * (1 + 1e-12)
    if x == 2.25:  # t = 0.656
        assert deviation < mechanism.mean([0]).standard_error * 0.999


def test_the_largest_deviation_is_that_of_the_middle():
    mechanism = OneBitMean(0.7, 0, 2)
    each = np.array([mechanism.mean([answer]).value for answer in (0, 1)])
    assert each.std() == pytest.approx(mechanism.mean([1]).standard_error)
    assert mechanism.mean([0, 1, 1, 0]).standard_error == pytest.approx(each.std() / 2)


def test_it_costs_what_it_says():
    mechanism = OneBitMean(0.7, -3, 5)
    assert exact_epsilon(mechanism, (-3, 0, 5), n=2).epsilon == pytest.approx(0.7)
    assert mechanism.guarantee.epsilon == pytest.approx(0.7)
    assert mechanism.privacy_loss([-1.0], [4.0]).largest_log_ratio < 0.7


def test_draws_follow_the_law():
    """20,000 bits are off by 0.03 with probability below 2e-15."""
    mechanism = OneBitMean(1.0, 0, 10)
    bits = mechanism(np.full((2, 10_000), 7.0), np.random.default_rng())
    assert bits.shape == (2, 10_000)
    assert abs(bits.mean() - mechanism.distribution(7.0).probabilities[1]) < 0.03


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0,), "epsilon must be a finite number above 0"),
        ((1, 2, 2), "high must be a finite number above 2"),
        ((1, -1e308, 1e308), "high - low must be a finite number"),
    ],
)
def test_bad_arguments_are_named(values, message):
    with pytest.raises(ValueError, match=message):
        OneBitMean(*values)
    with pytest.raises(ValueError, match="answers must hold whole numbers from 0 to 1"):
        OneBitMean(1).mean([0.5])
