import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import quad

from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.theorems.loss_above_epsilon import LossAboveEpsilon, loss_above_epsilon
from tests.dplab.strategies import pairs_of_laws

EPSILONS = np.linspace(0, 4, 17)


@settings(max_examples=40)  # of 2,000 deltas each
@given(pairs_of_laws())
def test_delta_tail_and_what_the_curve_allows_are_in_order(pair):
    assert loss_above_epsilon(privacy_loss(*pair), EPSILONS).holds


@pytest.mark.parametrize("loss", [GaussianLoss(0.5), GaussianLoss(2.0), LaplaceLoss(3.0)])
def test_they_are_in_order_for_laws_on_the_line(loss):
    assert loss_above_epsilon(loss, EPSILONS).holds


def test_the_order_can_be_broken():
    found = loss_above_epsilon(GaussianLoss(1.0), EPSILONS)
    swapped = vars(found) | {"delta": found.tails, "tails": found.delta}
    assert not LossAboveEpsilon(**swapped).holds


@pytest.mark.parametrize("epsilon", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("loss", [GaussianLoss(1.0), LaplaceLoss(2.5)])
def test_delta_is_the_tail_beyond_an_exponential_margin(loss, epsilon):
    def after_margin(t):
        return np.exp(-t) * loss.tails(epsilon + t)[0]

    corner = [max(0.0, min(loss.largest, 50) - epsilon)]
    expected = quad(after_margin, 0, 60, points=corner, limit=300)[0]
    assert loss.delta(epsilon) == pytest.approx(expected, abs=1e-8)


def test_published_figures():
    """Normal laws one sigma apart: the tail is two and three times the delta."""
    found = loss_above_epsilon(GaussianLoss(1.0), [1, 2])
    np.testing.assert_allclose(found.delta, [0.126937, 0.020924], atol=1e-6)
    np.testing.assert_allclose(found.tails, [0.308538, 0.066807], atol=1e-6)


def test_only_infinite_losses_count_in_full():
    """Name-and-shame: here, and only here, delta is the probability of a loss above epsilon."""
    loss = privacy_loss(Finite.of({0: 0.9, 1: 0.1}), Finite.of({0: 0.9, 2: 0.1}))
    found = loss_above_epsilon(loss, EPSILONS)
    np.testing.assert_allclose(found.delta, 0.1)
    np.testing.assert_allclose(found.tails, 0.1)
    assert found.bounds[-1] < 0.1 / (1 - np.exp(-3.7))  # s near epsilon: the margin is passed


def test_epsilons_must_be_finite():
    with pytest.raises(ValueError, match="epsilons must hold finite numbers, not nan"):
        loss_above_epsilon(GaussianLoss(1.0), [1, np.nan])
