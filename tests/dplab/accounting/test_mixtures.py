"""Narrow and wide losses side by side, from 10^-4 to 50 and up to 100,000 of a kind."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom

from dplab.accounting import Release, delta_bounds, epsilon_bounds
from dplab.accounting.loss_distribution import _ends, _multiple
from dplab.accounting.optimal import randomized_response_loss
from dplab.losses import GaussianLoss, LaplaceLoss, PrivacyLoss, poisson_sampled_loss
from dplab.losses.convolution import DeltaBounds, GridSum, convolve
from dplab.losses.grid import GridLaw, optimistic, pessimistic

COUNTS = st.floats(0, 5).map(lambda log: int(10**log))
SCALES = st.floats(-4, np.log10(50)).map(lambda log: 10**log)
DELTAS = st.floats(-12, -3).map(lambda log: 10**log)


def log_moment(shift, k, mu, s):
    """log E[e^{s Z}] of k Laplace losses and a normal one, also for complex s."""
    up = np.log(s + 1) + s * shift
    down = np.log(s) - (s + 1) * shift
    return k * (up + np.log1p(np.exp(down - up)) - np.log(2 * s + 1)) + s * (s + 1) * mu**2 / 2


def exact_delta(shift, k, mu, epsilon):
    """(1 / 2 pi i) int M(s) e^{-s epsilon} / (s (s + 1)) ds through the saddle point."""

    def exponent(s):
        return log_moment(shift, k, mu, s) - s * epsilon

    def slope(log_theta):
        theta = np.exp(log_theta)
        return exponent(theta * (1 + 1e-4)).real - exponent(theta * (1 - 1e-4)).real - 2e-4

    theta = np.exp(brentq(slope, -12, 12))
    reach = 12 / mu  # beyond it the normal factor leaves e^-72
    s = theta + 1j * reach * np.linspace(-1, 1, 40_001)
    values = np.exp(exponent(s) - exponent(theta)) / (s * (s + 1))
    return np.exp(exponent(theta)) * np.trapezoid(values.real, s.imag) / (2 * np.pi)


@settings(max_examples=30)
@given(SCALES, COUNTS, st.floats(0.3, 50), DELTAS)
@example(1e-4, 100_000, 9.0, 1e-3)  # four times finer would be too many points, twice isn't
def test_laplace_losses_beside_a_normal_one(shift, k, mu, delta):
    """By the inverted Laplace transform, which has seven digits."""
    bounds = epsilon_bounds(
        [Release(LaplaceLoss(shift), k), Release(GaussianLoss(mu))], delta=delta
    )
    assert bounds.gap <= 1e-3
    assert exact_delta(shift, k, mu, bounds.lower) >= delta * (1 - 1e-6)
    assert exact_delta(shift, k, mu, bounds.upper) <= delta * (1 + 1e-6)


def coins(many_epsilon, k, few_epsilon, few):
    """Releases of many coins and a few, and their delta(epsilon).

    The few take few values; given one of them the others are a binomial law.
    """
    many, one = randomized_response_loss(many_epsilon, k), randomized_response_loss(few_epsilon)
    tosses = np.arange(few + 1)
    values = few_epsilon * (2 * tosses - few)
    chances = binom.pmf(tosses, few, 1 / (1 + np.exp(-few_epsilon)))

    def exact(epsilon):
        return sum(p * many.delta(epsilon - z) for p, z in zip(chances, values, strict=True))

    return [Release(many), Release(one, few)], exact


@settings(max_examples=30)
@given(SCALES, COUNTS, SCALES, st.integers(1, 20), DELTAS)
@example(49.99999999999999, 1, 1.0, 1, 1e-8)  # the largest loss but for 4e-8
@example(12.559, 886, 0.02565, 10, 1.66e-12)  # nearly all of the sum is one value
@example(1.24538e-4, 72_109, 0.06499, 11, 3.7e-10)  # nothing in common
@example(25.77, 15_659, 20.27, 8, 3.03e-9)  # good lower bounds lie close to the tilted mean only
@example(10**1.5, 100_000, 0.01, 1, 1e-6)
def test_many_coins_beside_a_few(many_epsilon, k, few_epsilon, few, delta):
    """Of sums of more than a million nats the lower bound may be 0."""
    releases, exact = coins(many_epsilon, k, few_epsilon, few)
    bounds = epsilon_bounds(releases, delta=delta)
    assert bounds.gap <= 1e-3 or (many_epsilon * k > 1e6 and bounds.lower == 0)
    assert exact(bounds.lower * (1 - 1e-9) - 1e-9) >= delta * (1 - 1e-6) or bounds.lower == 0
    assert exact(bounds.upper * (1 + 1e-9) + 1e-9) <= delta * (1 + 1e-6)


@pytest.mark.parametrize("few_epsilon", [0.37, 5])
@pytest.mark.parametrize(("many_epsilon", "k"), [(1e-4, 100_000), (1e-3, 3000), (0.1, 50)])
def test_deltas_of_many_coins_beside_a_few(many_epsilon, k, few_epsilon):
    releases, exact = coins(many_epsilon, k, few_epsilon, 3)
    for epsilon in 3 * few_epsilon + many_epsilon * np.sqrt(k) * np.array([-1, 0.5, 3]):
        bounds = delta_bounds(releases, epsilon=epsilon)
        assert bounds.gap <= 0.02
        assert bounds.lower <= exact(epsilon - 1e-9) * (1 + 1e-6)
        assert bounds.upper >= exact(epsilon + 1e-9) * (1 - 1e-6)


@pytest.mark.parametrize("mu", [300, 1e4])
@pytest.mark.parametrize("delta", [1e-3, 1e-12])
def test_a_normal_loss_so_wide_that_likelihoods_underflow(mu, delta):
    """Beside it ten narrow ones, of 0.01 together, are nothing."""
    alone = GaussianLoss(mu).epsilon(delta)
    wide, narrow = Release(GaussianLoss(mu)), Release(LaplaceLoss(1e-3), 10)
    bounds = epsilon_bounds([wide, narrow], delta=delta)
    assert bounds.gap <= 1e-3
    assert alone <= bounds.upper
    assert bounds.lower <= alone + 0.01


@settings(max_examples=20)
@given(st.floats(-3, 1), st.floats(-1, 1), st.integers(2, 1000), st.integers(1, 7))
def test_a_law_on_every_nth_point_is_the_law_on_all_points(log_step, log_tilt, k, every):
    """Sums, moments and windows agree."""
    step, masses = 10**log_step, np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    spaced = GridLaw(every * step, -2, masses, 0.0).refine(step, every)
    filled = np.zeros(4 * every + 1)
    filled[::every] = masses
    dense, theta = GridLaw(step, -2 * every, filled, 0.0), 10**log_tilt / step / every
    narrow = GridLaw(step, -1, np.array([0.2, 0.3, 0.5]), 0.0)
    sums = [GridSum((law, narrow), (k, 3)) for law in (spaced, dense)]
    np.testing.assert_allclose(*(total.moments(theta) for total in sums), rtol=1e-9, atol=1e-12)
    first, second = (DeltaBounds(total, theta) for total in sums)
    assert first.size == second.size
    start = round(first.losses[0] / step)
    laws = [convolve(total, theta, start, first.size) for total in sums]
    assert np.linalg.norm(laws[0][0] - laws[1][0]) <= laws[0][1] + laws[1][1]
    assert laws[0][0].sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("step", [0.01, 0.7, 3.0, 900.0])
@pytest.mark.parametrize("loss", [LaplaceLoss(1e-3), GaussianLoss(0.02), GaussianLoss(3)], ids=repr)
def test_a_step_far_wider_than_the_loss_holds_it_still(loss, step):
    """Nowhere above the truth, and nowhere below; nothing of it sinks by a whole step."""
    laws = [put(loss, step, 1e-20) for put in (optimistic, pessimistic)]
    for epsilon in (-0.01, 0.0, 1e-4, 0.005, 0.01, 1.0, 5.0):
        gains = [law.masses @ -np.expm1(np.minimum(0, epsilon - law.losses)) for law in laws]
        assert gains[0] - 1e-12 <= loss.delta(epsilon) <= gains[1] + 1e-12
    ratios = laws[0].masses @ np.exp(-laws[0].losses)
    assert ratios == pytest.approx(1, abs=1e-7)


@pytest.mark.parametrize("step", [750.0, 800.0, 1100.0])
def test_grid_points_further_apart_than_floats_reach_are_not_above_the_truth(step):
    loss = GaussianLoss(300)  # of mean 45,000
    law = optimistic(loss, step, 1e-20)
    for epsilon in np.linspace(43_500, 46_500, 61):
        gain = law.masses @ -np.expm1(np.minimum(0, epsilon - law.losses))
        assert gain <= loss.delta(epsilon) + 1e-12


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (LaplaceLoss(0.5), [-0.5, 0.5]),
        (LaplaceLoss(15), [15]),
        (LaplaceLoss(50), [50]),
        (GaussianLoss(1), []),
        (randomized_response_loss(2).one, [-2, 2]),
        (poisson_sampled_loss(GaussianLoss(1), rate=0.01), []),
        (poisson_sampled_loss(GaussianLoss(1), rate=1e-6).reverse(), []),
    ],
    ids=repr,
)
def test_ends_are_those_with_mass(loss: PrivacyLoss, expected):
    assert [z for z, _ in _ends(loss)] == pytest.approx(expected)


@given(st.integers(1, 5000), st.integers(1, 400), st.floats(-4, 0))
def test_ends_are_multiples_of_the_steps_of_the_loss(number, most, log_step):
    step = 10**log_step
    every = _multiple(randomized_response_loss(number * step).one, step, most * step * 1.001)
    assert 1 <= every <= most
    assert number % every == 0 or every == max(1, most // 16)
