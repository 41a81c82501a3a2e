import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.accounting import Release, epsilon_bounds
from dplab.guarantees import ZCDP
from dplab.losses import NO_LOSS
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.synthesis import KernelDensity
from dplab.synthesis.kernel import kernel_values
from tests.refusals import assert_refused

places = st.floats(-1, 2)


def test_the_estimate_is_a_mean_of_normal_densities():
    curve = KernelDensity((0.0, 0.3), n=2, bandwidth=0.2, sigma=1)
    x = [0.1, 0.5]
    expected = [
        np.mean([np.exp(-((t - a) ** 2) / 0.08) / np.sqrt(2 * np.pi * 0.04) for a in x])
        for t in (0.0, 0.3)
    ]
    assert curve.estimate(x) == pytest.approx(expected)


@settings(max_examples=50)
@given(
    places,
    places,
    st.lists(st.integers(0, 40), min_size=1, max_size=8, unique=True),
    st.sampled_from([0.05, 0.3]),
)
def test_no_pair_is_further_apart_than_mu_at_any_points(x, y, at, bandwidth):
    """The Mahalanobis distance, which is the mu of the two normal laws."""
    points = tuple(place / 20 - 0.5 for place in at)
    curve = KernelDensity(points, n=3, bandwidth=bandwidth, sigma=0.5)
    loss = curve.privacy_loss([x, 0.0, 1.0], [y, 0.0, 1.0])
    assert loss is NO_LOSS or loss.mu <= curve.mu


def test_the_worst_pair_is_reached_where_the_records_are():
    """The published figure: n = 200, h = 0.05, sqrt(2) / (n sqrt(2 pi) h)."""
    curve = KernelDensity((0.2, 0.8), n=200, bandwidth=0.05, sigma=0.1)
    rest = [0.5] * 199
    assert curve.sensitivity == pytest.approx(0.0564190, abs=5e-8)
    assert curve.privacy_loss([0.2, *rest], [0.8, *rest]).mu == pytest.approx(curve.mu, rel=1e-7)
    assert curve.guarantee == ZCDP(curve.mu**2 / 2)


def test_the_noise_has_the_covariance_of_the_kernel():
    """Variances and the covariance of two points, of 20,000 draws: within 8 deviations."""
    curve, rng = KernelDensity((0.4, 0.5), n=1, bandwidth=0.2, sigma=0.3), np.random.default_rng()
    law = curve.distribution([0.45])
    noise = law.sample(rng, 20_000) - curve.estimate([0.45])
    near = np.exp(-(0.1**2) / 0.08)
    for product, expected in (
        (noise[:, 0] ** 2, 0.09),
        (noise[:, 1] ** 2, 0.09),
        (noise[:, 0] * noise[:, 1], 0.09 * near),
    ):
        assert abs(product.mean() - expected) < 8 * product.std() / 20_000**0.5
    one = curve([0.45], rng)
    assert one.shape == (2,)


def test_a_fine_curve_costs_no_more_than_a_coarse_one():
    fine = KernelDensity(tuple(np.linspace(0, 1, 300)), n=10, bandwidth=0.1, sigma=1.0)
    loss = fine.privacy_loss([0.1] + [0.5] * 9, [0.9] + [0.5] * 9)
    assert 0.99 * fine.mu <= loss.mu <= fine.mu
    assert np.isfinite(fine([0.5] * 10, np.random.default_rng())).all()


def test_its_price_is_that_of_normal_noise():
    """sigma by the exact formula, and not the classic one: 3.73 and not 4.94 of the sensitivity."""
    plain = KernelDensity((0.5,), n=100, bandwidth=0.1, sigma=1)
    sigma = analytic_sigma(sensitivity=plain.sensitivity, epsilon=1, delta=1e-5)
    curve = KernelDensity((0.5,), n=100, bandwidth=0.1, sigma=sigma)
    assert sigma / plain.sensitivity == pytest.approx(3.731, abs=5e-4)
    assert epsilon_bounds([Release(curve)], delta=1e-5).upper == pytest.approx(1, rel=1e-6)


def test_a_bandwidth_whose_square_is_0():
    assert kernel_values([0.5], [0.5, 0.6], 1e-170).tolist() == [[1, 0]]


def test_bad_arguments_are_named():
    calls = [
        (lambda: KernelDensity((), 1, 1, 1), "points must not be empty"),
        (lambda: KernelDensity((0,), 0, 1, 1), "n must be a whole number"),
        (lambda: KernelDensity((0,), 1, 0, 1), "bandwidth must be"),
        (lambda: KernelDensity((0,), 1, 1, -1), "sigma must be"),
        (lambda: KernelDensity((0,), 2, 1, 1).estimate([0]), "data must be n = 2 numbers"),
    ]
    assert_refused(calls)
