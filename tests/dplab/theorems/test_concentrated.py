import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import quad

from dplab import moments
from dplab.continuous import Gaussian
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.concentrated import RenyiLine, least_rho, renyi_line
from tests.dplab.strategies import pairs_of_laws

ALPHAS = 1 + np.logspace(-2, 2, 30)


@settings(max_examples=40)  # of curves at 441 orders each
@given(pairs_of_laws())
def test_the_curve_stays_below_its_line_and_touches_it(pair):
    loss = privacy_loss(*pair)
    line = renyi_line(loss, 1 + np.logspace(-5, 4, 300))
    assert line.holds
    assert (line.divergences / line.alphas).max() == pytest.approx(line.rho, rel=1e-3, abs=1e-9)


def test_a_lower_line_does_not_hold():
    line = renyi_line(LaplaceLoss(1.0), ALPHAS)
    assert line.holds
    lower = vars(line) | {"rho": line.rho * 0.97}
    assert not RenyiLine(**lower).holds


@pytest.mark.parametrize("mu", [0.3, 1.0, 4.0])
def test_for_normal_laws_the_curve_is_the_line(mu):
    line = renyi_line(GaussianLoss(mu), ALPHAS)
    np.testing.assert_allclose(line.divergences, line.line)
    assert line.rho == mu**2 / 2 == line.mean
    assert line.largest == np.inf


def test_the_equality_is_that_of_the_moments():
    """E e^{(alpha - 1) Z} = e^{(alpha - 1) rho alpha}, by quadrature over the output."""
    p, q = Gaussian(0.8, sigma=1), Gaussian(0, sigma=1)
    for alpha in (1.5, 3.0, 7.0):

        def moment(y, alpha=alpha):
            return np.exp(alpha * p.log_density(y) + (1 - alpha) * q.log_density(y))

        expected = np.exp((alpha - 1) * alpha * 0.8**2 / 2)
        assert quad(moment, -20, 30)[0] == pytest.approx(expected, rel=1e-8)


def test_the_steepest_order_may_be_anywhere():
    """Coins of two kinds: a rare large loss is steepest at a large order, not at order 1."""
    rare = privacy_loss(Finite.of({0: 0.01, 1: 0.99}), Finite.of({0: 0.001, 1: 0.999}))
    dense = 1 + np.logspace(-6, 4, 5001)
    expected = max(rare.renyi(alpha) / alpha for alpha in dense)
    assert least_rho(rare) == pytest.approx(expected, rel=1e-6)
    assert least_rho(rare) > 1.2 * moments.mean(rare)


def rare_loss(chance, size):
    """A pair of coins whose one side is so rare, and a loss of that size."""
    logs = np.array([np.log(chance), np.log1p(-chance)])
    other = np.array([logs[0] - size, np.log1p(-chance * np.exp(-size))])
    return privacy_loss(Finite((0, 1), logs), Finite((0, 1), other))


@pytest.mark.parametrize("chance", [1e-5, 1e-10, 1e-40])
@pytest.mark.parametrize("size", [1e-4, 1e-2])
def test_no_order_is_steeper_however_rare_the_loss(chance, size):
    loss = rare_loss(chance, size)
    steepest = max(loss.renyi(alpha) / alpha for alpha in 1 + np.logspace(-3, 9, 150))
    assert least_rho(loss) >= steepest * (1 - 1e-6)
    assert renyi_line(loss, [1e4, 1e5, 1e6]).holds


def test_pure_privacy_at_order_infinity_is_not_asked_for():
    """The slip "all orders up to and with infinity" would leave the normal laws out."""
    assert GaussianLoss(1.0).largest == np.inf
    assert least_rho(GaussianLoss(1.0)) == 0.5


@pytest.mark.parametrize(("epsilon", "rho"), [(1, 0.462117), (4, 3.85611)])
def test_randomized_response_needs_epsilon_tanh(epsilon, rho):
    assert least_rho(RandomizedResponse(epsilon).privacy_loss(0, 1)) == pytest.approx(rho, rel=1e-5)


def test_a_catastrophe_is_not_concentrated():
    loss = privacy_loss(Finite.of({0: 0.99, 1: 0.01}), Finite.of({0: 0.99, 2: 0.01}))
    assert least_rho(loss) == np.inf
