import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtri

from dplab.audit import goodness_of_fit
from dplab.continuous import Gaussian
from dplab.guarantees import ZCDP
from dplab.losses import GaussianLoss
from dplab.mechanisms.gaussian import GaussianMechanism, analytic_sigma, classic_sigma
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, sensitivity
from tests.refusals import assert_refused

epsilons = st.floats(0.01, 20)
log_deltas = st.floats(-12, -0.5)


def delta_by_quadrature(mu, epsilon):
    """The area where the density at mu exceeds e^epsilon times the density at 0."""

    def excess(y):
        return np.exp(-((y - mu) ** 2) / 2) - np.exp(epsilon - y**2 / 2)

    start = epsilon / mu + mu / 2
    return quad(excess, start, max(start, mu) + 12, epsabs=0)[0] / np.sqrt(2 * np.pi)


def textbook(epsilon, delta, factor=1.25):
    """The classic formula without its range."""
    return np.sqrt(2 * np.log(factor / delta)) / epsilon


def exact_delta(sigma, epsilon):
    return GaussianMechanism(sum, 1, sigma, epsilon).guarantee.delta


@given(epsilons, log_deltas)
def test_the_analytic_sigma_inverts_the_exact_delta(epsilon, log_delta):
    delta = 10**log_delta
    sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    assert delta_by_quadrature(1 / sigma, epsilon) == pytest.approx(delta, rel=1e-6)
    assert exact_delta(sigma, epsilon) == pytest.approx(delta, rel=1e-6)


def test_published_figures_at_delta_1e_5_and_epsilon_1():
    assert analytic_sigma(sensitivity=1, epsilon=1, delta=1e-5) == pytest.approx(3.730632, abs=1e-6)
    assert textbook(1, 1e-5) == pytest.approx(4.844805, abs=1e-6)
    assert textbook(1, 1e-5, factor=2) == pytest.approx(4.940865, abs=1e-6)
    assert exact_delta(textbook(1, 1e-5, factor=2), 1) == pytest.approx(2.434e-8, rel=1e-3)


def test_delta_is_not_the_chance_of_a_large_loss():
    """sigma = 1: delta(1) = .126937 and P[Z > 1] = .308538; delta(2) = .020924 and .066807."""
    loss = GaussianMechanism(sum, 1, 1).privacy_loss([1], [0])
    for epsilon, delta, chance in ((1, 0.126937, 0.308538), (2, 0.020924, 0.066807)):
        assert loss.delta(epsilon) == pytest.approx(delta, abs=1e-6)
        assert loss.tails(epsilon)[0] == pytest.approx(chance, abs=1e-6)


@given(st.floats(0.01, 0.999), log_deltas)
def test_the_classic_sigma_is_enough_within_its_range_and_wastes(epsilon, log_delta):
    bounds = {"sensitivity": 2.5, "epsilon": epsilon, "delta": 10**log_delta}
    assert analytic_sigma(**bounds) < classic_sigma(**bounds)
    assert (
        GaussianMechanism.for_epsilon(sum, **bounds, formula=classic_sigma).guarantee.delta
        <= 10**log_delta
    )


@pytest.mark.parametrize(
    ("delta", "factor", "end"),
    [(1e-5, 1.25, 8.420), (1e-5, 2, 9.391), (1e-2, 2, 7.906), (1e-9, 2, 10.54)],
)
def test_where_the_classic_formulas_stop_holding(delta, factor, end):
    assert exact_delta(textbook(end - 0.01, delta, factor), end - 0.01) <= delta
    assert exact_delta(textbook(end + 0.01, delta, factor), end + 0.01) > delta


@pytest.mark.parametrize(("delta", "true"), [(1e-5, 4.284e-5), (1e-6, 1.063e-5), (1e-9, 1.933e-7)])
def test_the_formula_with_too_little_noise_is_broken_by(delta, true):
    """Variance log(1/delta) / epsilon^2, as some lecture notes have it, at epsilon = 1."""
    assert exact_delta(np.sqrt(np.log(1 / delta)), 1) == pytest.approx(true, rel=1e-3)


def test_extremes_of_the_analytic_sigma():
    tiny = analytic_sigma(sensitivity=1, epsilon=500, delta=1e-5)
    assert delta_by_quadrature(1 / tiny, 500) == pytest.approx(1e-5, rel=1e-5)
    assert analytic_sigma(sensitivity=1, epsilon=1, delta=1e-300) > 30
    zero = analytic_sigma(sensitivity=3, epsilon=0, delta=0.1)
    assert zero == pytest.approx(3 / (2 * ndtri(0.55)), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1e-5, 0.3, 1.0, 30.0, 1e3, 1e6])
@pytest.mark.parametrize("delta", [1e-300, 1e-15, 1e-8, 1e-3, 0.5, 1 - 1e-9])
def test_the_analytic_sigma_is_never_too_small(epsilon, delta):
    """In 700 digits: just enough, and a little less would not be."""
    sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    with mpmath.workdps(700):
        e = mpmath.mpf(epsilon)

        def true_delta(mu):
            return mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)

        assert true_delta(1 / mpmath.mpf(sigma)) <= delta
        least = 1e-9 if delta < 0.9 else 1e-3  # the delta of 1 - 1e-9 hardly moves with sigma
        assert true_delta((1 + least) / mpmath.mpf(sigma)) > delta


@given(epsilons, log_deltas)
def test_the_analytic_sigma_is_within_its_safety_margin(epsilon, log_delta):
    """Which is 1e-12 of log delta and of sigma, and a hundredth of it for the search."""
    sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=10**log_delta)
    least = log_delta * np.log(10)
    assert GaussianLoss(1 / sigma).log_delta(epsilon) <= least
    assert GaussianLoss((1 + 1e-11) / sigma).log_delta(epsilon) > least


def test_a_delta_for_which_no_float_is_wide_enough_is_named():
    with pytest.raises(ValueError, match="delta must be larger for a sigma that is finite, not 5"):
        analytic_sigma(sensitivity=1e10, epsilon=0, delta=5e-324)


def histogram(data):
    return np.bincount(np.array(data, dtype=int), minlength=3)


@pytest.mark.parametrize(("relation", "l2"), [(REPLACE_ONE, np.sqrt(2)), (ADD_REMOVE, 1)])
def test_a_vector_needs_only_its_l2_sensitivity(relation, l2):
    assert sensitivity(histogram, relation, (0, 1, 2), 3, norm=2) == pytest.approx(l2)
    release = GaussianMechanism.for_epsilon(
        histogram, sensitivity=l2, epsilon=0.7, delta=1e-3, neighbors=relation
    )
    losses = [release.privacy_loss((0, 1), y) for y in relation.neighbors_of((0, 1), (0, 1, 2))]
    assert max(loss.delta(0.7) for loss in losses) == pytest.approx(1e-3)


@given(st.floats(0.001, 10), st.floats(0.1, 5))
def test_zcdp_is_reached_at_every_order(rho, width):
    mechanism = GaussianMechanism.for_zcdp(lambda d: width * sum(d), sensitivity=width, rho=rho)
    assert isinstance(mechanism.guarantee, ZCDP)
    assert mechanism.guarantee.rho == pytest.approx(rho)
    loss = mechanism.privacy_loss([1], [0])
    for alpha in (1.1, 2.0, 50.0):
        assert loss.renyi(alpha) == pytest.approx(rho * alpha)


def test_noise_follows_its_law():
    """Two tests at 1e-10: false-failure probability 2e-10."""
    rng = np.random.default_rng()
    count = GaussianMechanism(sum, sensitivity=1, sigma=3)
    assert goodness_of_fit(
        [count([1, 1, 0], rng) for _ in range(4000)], Gaussian(2, sigma=3)
    ).passed
    release = GaussianMechanism(lambda data: np.zeros((50, 100)), sensitivity=1, sigma=0.2)
    noisy = release([0], rng)
    assert noisy.shape == (50, 100)
    assert goodness_of_fit(noisy, Gaussian(0, sigma=0.2)).passed


def test_bad_arguments_are_named():
    calls = [
        (
            lambda: classic_sigma(sensitivity=1, epsilon=1, delta=1e-5),
            "epsilon must be a finite number above 0 and below 1, not 1",
        ),
        (lambda: classic_sigma(sensitivity=1, epsilon=0.5, delta=0), "delta must be .*not 0"),
        (lambda: classic_sigma(sensitivity=1, epsilon=0.5, delta=1), "delta must be .*not 1"),
        (lambda: analytic_sigma(sensitivity=0, epsilon=1, delta=1e-5), "sensitivity must be"),
        (lambda: analytic_sigma(sensitivity=1, epsilon=-1, delta=1e-5), "epsilon must be .*not -1"),
        (lambda: analytic_sigma(sensitivity=1, epsilon=1, delta=1), "delta must be .*below 1"),
        (lambda: GaussianMechanism(sum, 1, 0), "sigma must be .*above 0, not 0"),
        (lambda: GaussianMechanism(sum, 1, 1e-200).guarantee, "rho must be .*not inf"),
        (
            lambda: GaussianMechanism(np.array, 1, 1e200).distribution([0, 1]),
            "covariance must hold finite numbers, not inf",
        ),
        (lambda: GaussianMechanism(sum, 1, 1, epsilon=np.nan), "epsilon must be .*not nan"),
        (lambda: GaussianMechanism.for_zcdp(sum, sensitivity=1, rho=0), "rho must be .*above 0"),
        (
            lambda: GaussianMechanism(lambda d: np.nan, 1, 1)([0], np.random.default_rng()),
            r"query\(data\) must hold finite numbers$",
        ),
    ]
    assert_refused(calls)


@pytest.mark.filterwarnings("error")
def test_the_classic_sigma_at_the_ends_of_floats():
    least = classic_sigma(sensitivity=1, epsilon=0.5, delta=5e-324)
    assert least == pytest.approx(2 * np.sqrt(2 * (np.log(1.25) + 1074 * np.log(2))), rel=1e-14)
    for moved, epsilon in ((1, 5e-324), (1.7e308, 0.9)):
        with pytest.raises(ValueError, match="sensitivity / epsilon must be a finite number"):
            classic_sigma(sensitivity=moved, epsilon=epsilon, delta=1e-5)
