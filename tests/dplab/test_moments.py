"""Moments against a second method: closed forms, sums, or quadrature over the density."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import foldnorm

from dplab import moments
from dplab.accounting.optimal import randomized_response_loss
from dplab.continuous import Laplace
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.losses import GaussianLoss, LaplaceLoss, poisson_sampled_loss, total_loss
from tests.dplab.strategies import pairs_of_laws


@pytest.mark.parametrize("shift", [0.1, 1.0, 6.0])
@pytest.mark.parametrize("k", [1, 2, 3.5, 8])
def test_laplace_moments_are_integrals_over_the_density(shift, k):
    p, q = Laplace(shift, scale=1), Laplace(0, scale=1)

    def part(y):
        return np.exp(p.log_density(y)) * abs(p.log_density(y) - q.log_density(y)) ** k

    corners = [0, shift / 2, shift]
    expected = quad(part, -40, 40 + shift, points=corners, limit=400, epsabs=1e-12)[0]
    assert moments.absolute_moment(LaplaceLoss(shift), k) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("shift", [0.1, 1.0, 6.0])
def test_laplace_mean_in_closed_form(shift):
    loss = LaplaceLoss(shift)
    assert moments.mean(loss) == pytest.approx(shift + np.exp(-shift) - 1, rel=1e-12)
    assert moments.variance(loss) == pytest.approx(
        moments.absolute_moment(loss, 2) - moments.mean(loss) ** 2
    )


@pytest.mark.parametrize("shift", [1e-200, 1e-150, 1e-17, 1e-9, 0.3, 40.0, 1e4, 1e9])
def test_laplace_mean_and_variance_at_any_size(shift):
    """a + e^-a - 1, and 4 (1 - e^-a (1 + a)) - (1 - e^-a)^2, in 500 digits."""
    with mpmath.workdps(500):
        a = mpmath.mpf(shift)
        mean = float(a + mpmath.expm1(-a))
        variance = float(4 * (1 - mpmath.exp(-a) * (1 + a)) - mpmath.expm1(-a) ** 2)
    loss = LaplaceLoss(shift)
    assert moments.mean(loss) == pytest.approx(mean, rel=1e-12, abs=1e-320)
    assert moments.variance(loss) == pytest.approx(variance, rel=1e-12, abs=1e-320)
    if 1e-17 < shift < 1e5:
        second = moments.absolute_moment(loss, 2)
        assert second == pytest.approx(variance + mean**2, rel=1e-9)


@given(st.floats(-3, 1.5), st.integers(1, 30), st.floats(1, 6))
def test_moments_of_a_sum_of_coins_are_those_of_its_atoms(log_epsilon, count, k):
    loss = randomized_response_loss(10**log_epsilon, count)
    for value in (moments.mean, moments.variance, lambda loss: moments.absolute_moment(loss, k)):
        assert value(loss) == pytest.approx(value(loss.atoms()), rel=1e-9)


@pytest.mark.parametrize("rate", [1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("loss", [GaussianLoss(1.0), LaplaceLoss(1.0)])
def test_no_mean_is_below_0(loss, rate):
    sampled = poisson_sampled_loss(loss, rate=rate)
    assert min(moments.mean(sampled), moments.mean(sampled.reverse())) >= 0
    if rate > 1e-12:
        assert moments.mean(sampled) == pytest.approx(sampled.renyi(1 + 1e-9), rel=1e-4)


@pytest.mark.parametrize("mu", [0.05, 1.0, 5.0])
@pytest.mark.parametrize("k", [1, 2, 3, 8])
def test_normal_moments_are_those_of_the_folded_normal_law(mu, k):
    expected = foldnorm(mu / 2, scale=mu).moment(k)  # |N(mu^2 / 2, mu^2)|
    assert moments.absolute_moment(GaussianLoss(mu), k) == pytest.approx(expected, rel=1e-8)


def test_normal_mean_and_variance_are_rho_and_twice_rho():
    loss = GaussianLoss(0.7)
    assert (moments.mean(loss), moments.variance(loss)) == (0.7**2 / 2, 0.7**2)


@given(pairs_of_laws())
def test_moments_of_finite_laws_are_sums(pair):
    p, q = pair
    logs = p.log_probabilities - q.log_probabilities
    loss = privacy_loss(p, q)
    assert moments.mean(loss) == pytest.approx(p.probabilities @ logs, abs=1e-9)
    assert moments.absolute_moment(loss, 3) == pytest.approx(p.probabilities @ abs(logs) ** 3)
    spread = p.probabilities @ (logs - p.probabilities @ logs) ** 2
    assert moments.variance(loss) == pytest.approx(spread, abs=1e-9)


@pytest.mark.parametrize("epsilon", [1e-150, 1e-20, 1e-9, 1e-4, 0.99, 1.01, 30.0])
def test_a_small_mean_of_a_finite_law_keeps_its_digits(epsilon):
    with mpmath.workdps(330):
        exact = epsilon * mpmath.tanh(mpmath.mpf(epsilon) / 2)
    loss = randomized_response_loss(epsilon)
    for known, k in ((loss.one, 1), (loss, 1), (loss.one + loss.one, 2)):
        assert moments.mean(known) == pytest.approx(float(k * exact), rel=1e-13, abs=0)


@given(pairs_of_laws())
def test_the_mean_is_the_renyi_divergence_of_order_one(pair):
    loss = privacy_loss(*pair)
    assert loss.renyi(1 + 1e-6) == pytest.approx(moments.mean(loss), abs=1e-4)


@pytest.mark.parametrize("loss", [GaussianLoss(1.0), LaplaceLoss(1.0)])
@pytest.mark.parametrize("rate", [1e-4, 1e-2, 0.5])
def test_moments_of_a_sample_whose_losses_are_of_two_orders(loss, rate):
    """Against the Renyi divergence near order 1, and its slope there, half of the variance."""
    for sampled in (
        poisson_sampled_loss(loss, rate=rate),
        poisson_sampled_loss(loss, rate=rate).reverse(),
    ):
        near, far = sampled.renyi(1.001), sampled.renyi(1.003)
        slope = (far - near) / 0.002
        assert moments.mean(sampled) == pytest.approx(near - 0.001 * slope, rel=1e-4)
        assert moments.variance(sampled) == pytest.approx(2 * slope, rel=1e-2)


def test_what_only_p_can_produce_has_no_moments():
    loss = privacy_loss(Finite.of({0: 0.5, 1: 0.5}), Finite.of({0: 1.0}))
    for value in (moments.mean(loss), moments.variance(loss), moments.absolute_moment(loss, 2)):
        assert value == np.inf


def test_what_only_q_can_produce_does_not_count():
    loss = privacy_loss(Finite.of({0: 1.0}), Finite.of({0: 0.5, 1: 0.5}))
    assert moments.mean(loss) == pytest.approx(np.log(2))
    assert moments.variance(loss) == pytest.approx(0, abs=1e-15)


def test_a_moment_below_the_first_is_refused():
    with pytest.raises(ValueError, match="k must be a finite number at least 1, not 0"):
        moments.absolute_moment(GaussianLoss(1.0), 0)


def test_means_and_variances_of_independent_releases_add_up():
    """Also where the sum is split on a grid, and what the grid hides counts as infinite."""
    laplace, normal = LaplaceLoss(1.0), GaussianLoss(0.3)
    total = total_loss({laplace: 3, normal: 2})
    assert total.largest == np.inf
    for moment in (moments.mean, moments.variance):
        assert moment(total) == pytest.approx(3 * moment(laplace) + 2 * moment(normal), rel=1e-12)
