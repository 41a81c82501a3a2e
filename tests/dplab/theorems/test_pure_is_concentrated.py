import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.divergences import privacy_loss
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.pure_is_concentrated import PureIsConcentrated, pure_is_concentrated
from tests.dplab.strategies import epsilons, pairs_of_laws

ALPHAS = 1 + np.logspace(-3, 3, 40)


@given(pairs_of_laws())
def test_no_pair_is_worse_than_randomized_response(pair):
    assert pure_is_concentrated(privacy_loss(*pair), ALPHAS).holds


@given(epsilons)
def test_randomized_response_reaches_the_bound(epsilon):
    found = pure_is_concentrated(RandomizedResponse(epsilon).privacy_loss(0, 1), ALPHAS)
    assert found.holds
    np.testing.assert_allclose(found.divergences, found.worst, atol=1e-9)
    near_one = 1 + 1e-6
    close = pure_is_concentrated(RandomizedResponse(epsilon).privacy_loss(0, 1), [near_one])
    assert close.divergences[0] == pytest.approx(close.line[0], rel=1e-4)


@given(st.floats(min_value=0.05, max_value=30))
def test_laplace_is_better_than_randomized_response_of_its_epsilon(shift):
    found = pure_is_concentrated(LaplaceLoss(shift), ALPHAS)
    assert found.epsilon == shift
    assert found.holds


@pytest.mark.parametrize(("epsilon", "rho"), [(1, 0.462117), (4, 3.85611)])
def test_published_figures(epsilon, rho):
    found = pure_is_concentrated(RandomizedResponse(epsilon).privacy_loss(0, 1), [2.0])
    assert found.line[0] / 2 == pytest.approx(rho, rel=1e-5)
    assert found.loose_line[0] / 2 == pytest.approx(epsilon**2 / 2)


def test_a_worse_pair_does_not_hold():
    found = pure_is_concentrated(LaplaceLoss(1.0), ALPHAS)
    assert not PureIsConcentrated(1.0, ALPHAS, found.worst + 0.01, found.worst).holds


def test_an_unbounded_loss_is_refused():
    with pytest.raises(ValueError, match="largest log ratio must be a finite number"):
        pure_is_concentrated(GaussianLoss(1.0), ALPHAS)
