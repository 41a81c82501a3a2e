"""Samples against mixtures: of finite laws exactly, of densities by quadrature."""

from itertools import combinations, pairwise, product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import logsumexp
from scipy.stats import binom

from dplab.accounting import (
    Release,
    RenyiCurve,
    amplify_by_sampling,
    epsilon_bounds,
)
from dplab.accounting.optimal import randomized_response_loss
from dplab.continuous import Gaussian, Laplace
from dplab.discrete import DiscreteGaussian
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import ApproxDP
from dplab.losses import (
    NO_LOSS,
    GaussianLoss,
    LaplaceLoss,
    fixed_size_sampled_loss,
    poisson_sampled_loss,
)
from dplab.losses.grid import optimistic, pessimistic
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.neighbors import REPLACE_ONE, pairs
from tests.dplab.strategies import finite_laws, pairs_of_laws
from tests.refusals import assert_refused

CUT = privacy_loss(DiscreteGaussian(0, 2), DiscreteGaussian(1, 2))
rates = st.floats(1e-6, 1 - 1e-6)
FAMILIES = [(Gaussian, GaussianLoss), (Laplace, LaplaceLoss)]


def both_ways(loss, rate):
    """The losses where the record is taken away, and where it is added."""
    sampled = poisson_sampled_loss(loss, rate=rate)
    return sampled, sampled.reverse()


def mixture(p, q, rate):
    return Finite(p.outcomes, np.log(rate * p.probabilities + (1 - rate) * q.probabilities))


@given(pairs_of_laws(), rates, st.floats(-3, 3), st.floats(1.01, 20))
def test_a_sample_of_finite_laws_is_a_mixture(pair, rate, epsilon, alpha):
    p, q = pair
    mixed = mixture(p, q, rate)
    found = both_ways(privacy_loss(p, q), rate)
    for loss, exact in zip(found, (privacy_loss(mixed, q), privacy_loss(q, mixed)), strict=True):
        assert loss.delta(epsilon) == pytest.approx(exact.delta(epsilon), abs=1e-12)
        assert loss.renyi(alpha) == pytest.approx(exact.renyi(alpha), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("rate", [1e-3, 0.3, 0.99])
def test_what_only_p_can_produce_is_seen_as_often_as_it_is_sampled(rate):
    p, q = Finite.of({0: 0.2, 1: 0.8}), Finite.of({1: 1.0})
    away, added = both_ways(privacy_loss(p, q), rate)
    assert away.infinite == pytest.approx(0.2 * rate)
    assert added.largest == pytest.approx(-np.log1p(-0.2 * rate))


@pytest.mark.parametrize("loss", [GaussianLoss(0.7), LaplaceLoss(2.0), NO_LOSS])
def test_nobody_and_everybody_are_samples_too(loss):
    assert poisson_sampled_loss(loss, rate=0) is NO_LOSS
    assert poisson_sampled_loss(loss, rate=1) is loss


def densities(family, shift, rate):
    """Log densities of the mixture and of q, and where they have corners."""
    p, q = family(shift, 1), family(0, 1)

    def mixed(y):
        return np.logaddexp(np.log(rate) + p.log_density(y), np.log1p(-rate) + q.log_density(y))

    return mixed, q.log_density, [0.0, shift]


def integral(function, corners, reach):
    ends = [-reach, *corners, reach]
    return sum(
        quad(function, a, b, epsabs=1e-13, epsrel=1e-11, limit=400)[0] for a, b in pairwise(ends)
    )


@pytest.mark.parametrize(("family", "loss"), FAMILIES)
@pytest.mark.parametrize("shift", [0.2, 1.0, 4.0])
@pytest.mark.parametrize("rate", [1e-3, 0.2, 0.9])
def test_delta_is_the_hockey_stick_of_the_mixture(family, loss, shift, rate):
    mixed, plain, corners = densities(family, shift, rate)
    away, added = both_ways(loss(shift), rate)
    for found, p, q in ((away, mixed, plain), (added, plain, mixed)):
        for epsilon in (-0.5, -rate / 2, 0.0, rate / 2, 0.05, 1.0):
            y = np.linspace(-30, 30 + shift, 20_001)
            signs = np.flatnonzero(np.diff(p(y) - q(y) > epsilon))
            cut = sorted({*corners, *y[signs], *y[signs + 1]})
            exact = integral(lambda y, p=p, q=q, e=epsilon: max(0.0, _excess(p, q, e, y)), cut, 60)
            assert found.delta(epsilon) == pytest.approx(exact, rel=1e-6, abs=1e-10)


def _excess(p, q, epsilon, y):
    return float(np.exp(p(y)) - np.exp(epsilon + q(y)))


@pytest.mark.parametrize(("family", "loss"), FAMILIES)
@pytest.mark.parametrize("shift", [0.2, 1.0, 4.0])
@pytest.mark.parametrize("rate", [1e-3, 0.2, 0.9])
@pytest.mark.parametrize("alpha", [1.1, 2.0, 7.5])
def test_renyi_is_the_integral_of_the_mixture(family, loss, shift, rate, alpha):
    mixed, plain, corners = densities(family, shift, rate)
    for found, p, q in zip(
        both_ways(loss(shift), rate), (mixed, plain), (plain, mixed), strict=True
    ):

        def part(y, p=p, q=q):  # E_q[e^{alpha z} - 1 - alpha (e^z - 1)] keeps its digits
            z = float(p(y) - q(y))
            if z > 1:  # where it has them anyway, and q may underflow
                return float(
                    np.exp(q(y) + alpha * z) + (alpha - 1) * np.exp(q(y)) - alpha * np.exp(p(y))
                )
            return float(np.exp(q(y)) * (np.expm1(alpha * z) - alpha * np.expm1(z)))

        corners_and_peak = sorted({*corners, alpha * shift, 2.0})
        exact = np.log1p(integral(part, corners_and_peak, 100)) / (alpha - 1)
        assert found.renyi(alpha) == pytest.approx(exact, rel=1e-6, abs=1e-13)


@given(st.floats(1e-9, 1), st.floats(0.01, 3))
def test_the_second_order_in_closed_form_to_all_digits(rate, mu):
    """E_q[(1 + rate (e^Z - 1))^2] = 1 + rate^2 (e^{mu^2} - 1)."""
    exact = np.log1p(rate**2 * np.expm1(mu**2))
    assert poisson_sampled_loss(GaussianLoss(mu), rate=rate).renyi(2) == pytest.approx(
        exact, rel=1e-9
    )
    exact = np.log1p(rate**2 * np.expm1(LaplaceLoss(mu).renyi(2)))
    assert poisson_sampled_loss(LaplaceLoss(mu), rate=rate).renyi(2) == pytest.approx(
        exact, rel=1e-9
    )


@given(
    st.sampled_from([GaussianLoss, LaplaceLoss]),
    st.integers(2, 60),
    st.floats(0.05, 20),
    st.floats(1e-6, 1),
)
def test_whole_orders_are_a_binomial_sum(loss, alpha, shift, rate):
    """E_q[(1 - rate + rate e^Z)^alpha] by the moments e^{(j - 1) D_j} of the loss itself."""
    j = np.arange(alpha + 1)
    moments = [0, 0, *((i - 1) * loss(shift).renyi(i) for i in range(2, alpha + 1))]
    exact = logsumexp(binom.logpmf(j, alpha, rate) + moments) / (alpha - 1)
    found = poisson_sampled_loss(loss(shift), rate=rate).renyi(alpha)
    assert found == pytest.approx(exact, rel=1e-8, abs=1e-12)


@settings(max_examples=30)
@given(
    st.sampled_from([(GaussianLoss, 1, 2.5), (LaplaceLoss, 2.9, 4)]),
    st.floats(0, 1),
    st.integers(2, 400),
    st.floats(-300, -0.001),
)
def test_loud_mechanisms_have_every_order(kind, place, alpha, log_rate):
    """Too many points for all between the hills of the integrand: a binomial sum again; and of the
    reverse, where p is as good as apart from q, -log(1 - rate).
    """
    family, low, high = kind
    loss, rate = family(10 ** (low + place * (high - low))), 10**log_rate
    j = np.arange(1, alpha + 1)
    moments = [0, *((i - 1) * loss.renyi(i) for i in range(2, alpha + 1))]
    logs = binom.logpmf(j, alpha, rate) + moments
    exact = np.logaddexp(alpha * np.log1p(-rate), logsumexp(logs)) / (alpha - 1)
    assert poisson_sampled_loss(loss, rate=rate).renyi(alpha) == pytest.approx(exact, rel=1e-8)
    if loss.delta(0) > 1 - 1e-12:
        added = poisson_sampled_loss(loss, rate=rate).reverse().renyi(alpha)
        assert added == pytest.approx(-np.log1p(-rate), rel=1e-8)


@given(st.floats(0.01, 0.99), st.floats(1, 3.9), st.floats(40, 150))
@settings(max_examples=30)
def test_a_quiet_mechanism_has_one_hill_in_the_middle_at_a_high_order(rate, curvature, reach):
    """Where alpha mu^2 is below 4 the integrand is log-concave; its hill is then anywhere between 0
    and alpha mu, here many deviations from both. Against the trapezoidal rule on all of it."""
    mu = curvature / reach
    alpha = reach / mu
    x = np.linspace(-15, reach + 15, 200_001)
    z = mu * (x - mu / 2)
    heights = alpha * np.log1p(rate * np.expm1(z)) - x**2 / 2
    exact = logsumexp(heights) + np.log((x[1] - x[0]) / np.sqrt(2 * np.pi))
    found = poisson_sampled_loss(GaussianLoss(mu), rate=rate).renyi(alpha)
    assert found * (alpha - 1) == pytest.approx(exact, rel=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("loss", [GaussianLoss(12), LaplaceLoss(3000)])
def test_a_loud_mechanism_has_a_curve_at_all_orders(loss):
    for sampled in both_ways(loss, 0.01):
        curve = RenyiCurve.of(sampled)
        assert np.isfinite(curve.epsilons).all()
        assert (np.diff(curve.epsilons) >= -1e-9 * np.array(curve.epsilons[1:])).all()


@pytest.mark.parametrize("order", [300.0, 3000.0])
def test_large_orders_approach_the_largest_loss(order):
    """Where nearly all of the moment is far out, where the densities underflow."""
    exact = np.log(0.01) * order / (order - 1) + GaussianLoss(1.0).renyi(order)
    assert poisson_sampled_loss(GaussianLoss(1.0), rate=0.01).renyi(order) == pytest.approx(exact)
    added = poisson_sampled_loss(GaussianLoss(1.0), rate=0.01).reverse()
    assert added.renyi(order) <= added.largest * order / (order - 1)
    sampled = poisson_sampled_loss(LaplaceLoss(1.0), rate=0.5)
    assert sampled.renyi(order) == pytest.approx(sampled.largest, abs=5 / order)


@given(st.sampled_from([GaussianLoss, LaplaceLoss]), st.floats(0.05, 5), rates, st.floats(0, 1))
def test_tests_trade_off_as_the_tails_say(loss, shift, rate, place):
    """A threshold of the loss is a best test: its two tails are a point of the curve."""
    for found in both_ways(loss(shift), rate):
        low, high = max(found.smallest, -8.0), min(found.largest, 8.0)
        power, level = found.tails(low + (high - low) * (0.001 + 0.998 * place))
        assert found.true_positive_rate(level) == pytest.approx(float(power), rel=1e-6, abs=1e-9)
        assert found.true_positive_rate(np.array([0.0, 1.0])) == pytest.approx([0, 1], abs=1e-12)


@pytest.mark.parametrize("loss", [GaussianLoss(1.0), LaplaceLoss(1.0)])
@pytest.mark.parametrize("rate", [0.1, 0.9])
def test_the_power_where_a_record_is_added_keeps_its_digits(loss, rate):
    added = poisson_sampled_loss(loss, rate=rate).reverse()
    power, level = added.tails(np.linspace(max(added.smallest, -1.5), added.largest, 21)[1:-1])
    assert added.true_positive_rate(level) == pytest.approx(power, rel=1e-14, abs=0)


@given(st.sampled_from([GaussianLoss, LaplaceLoss]), st.floats(0.05, 5), rates)
def test_masses_of_cells_are_differences_of_tails(loss, shift, rate):
    for found in both_ways(loss(shift), rate):
        edges = np.linspace(max(found.smallest, -9) - 0.01, min(found.largest, 9) + 0.01, 200)
        for masses, tail in zip(found.masses(edges), found.tails(edges), strict=True):
            assert masses == pytest.approx(-np.diff(tail), abs=1e-12)


@given(st.sampled_from([GaussianLoss, LaplaceLoss]), st.floats(0.05, 3), rates, st.floats(-0.5, 1))
def test_one_release_on_the_grid_is_bracketed_at_every_epsilon(loss, shift, rate, epsilon):
    for found in both_ways(loss(shift), rate):
        exact, step = found.delta(epsilon), max(0.01 * rate, 1e-3)
        for law, side in (
            (optimistic(found, step, 1e-20), 1),
            (pessimistic(found, step, 1e-20), -1),
        ):
            stick = law.masses @ np.maximum(0, -np.expm1(epsilon - law.losses))
            assert side * (exact - stick) >= -1e-11


def inverted_delta(sigma, rate, k, epsilon, theta, added):
    """delta of k samples by an inverse Laplace transform of its moments, by another quadrature."""
    x, weights = np.polynomial.hermite_e.hermegauss(180)
    z = (x - 0.5 / sigma) / sigma
    mixed = np.log1p(rate * np.expm1(z))
    s = theta + 1j * np.linspace(-40, 40, 8001)
    powers = -s if added else s + 1  # E_q[(q / mixed)^s], E_q[(mixed / q)^{s + 1}]
    moments = np.exp(powers[:, None] * mixed) @ weights / np.sqrt(2 * np.pi)
    values = np.exp(k * np.log(moments) - s * epsilon) / (s * (s + 1))
    return np.trapezoid(values.real, s.imag) / (2 * np.pi)


@pytest.mark.parametrize("delta", [1e-3, 1e-5, 1e-9])
@pytest.mark.parametrize(("sigma", "rate", "k"), [(1.0, 0.01, 10_000), (2.0, 0.05, 1000)])
def test_a_training_run_has_an_interval_that_holds_the_truth(sigma, rate, k, delta):
    for loss in both_ways(GaussianLoss(1 / sigma), rate):
        bounds = epsilon_bounds([Release(loss, k)], delta=delta)
        assert bounds.gap <= 1e-3
        at_lower, at_upper = (
            max(inverted_delta(sigma, rate, k, e, 1.0, added) for added in (False, True))
            for e in (bounds.lower, bounds.upper)
        )
        assert at_upper <= delta * (1 + 1e-6) <= at_lower * (1 + 1e-5)


def test_a_training_run_costs_as_published_and_less_than_its_renyi_curve():
    """dp_accounting 0.6: 6.1877 from above, on its default grid."""
    loss = poisson_sampled_loss(GaussianLoss(1.0), rate=0.01)
    bounds = epsilon_bounds([Release(loss, 10_000)], delta=1e-5)
    assert bounds.lower <= 6.1877
    assert bounds.gap <= 1e-3
    assert epsilon_bounds([Release(loss.reverse(), 10_000)], delta=1e-5) == bounds
    curve = 10_000 * RenyiCurve.of(loss, range(2, 257))
    assert bounds.upper < curve.to_approx(1e-5).epsilon < 1.1 * bounds.upper


def on_samples(mechanism, x, m):
    """The law of a mechanism's output on m records of x, all choices as likely."""
    laws = [mechanism.distribution(chosen) for chosen in combinations(x, m)]
    outcomes = laws[0].outcomes
    logs = logsumexp([law.log_densities(outcomes) for law in laws], axis=0)
    return Finite(outcomes, logs - np.log(len(laws)))


@settings(max_examples=20)
@given(st.integers(1, 4), st.integers(1, 4), st.floats(0.1, 3), st.floats(-3, 3))
def test_no_neighbours_exceed_a_sample_without_replacement(n, m, epsilon, at):
    """All pairs of n records that differ in one, a noisy sum of m; and one of them attains it."""
    m = min(m, n)
    count = GeometricMechanism(sum, 1, epsilon).clamp(-2, m + 2)
    bound = fixed_size_sampled_loss(GeometricMechanism(sum, 1, epsilon).worst_case, rate=m / n)
    laws = {x: on_samples(count, x, m) for x in product((0, 1), repeat=n)}
    for x, y in pairs(REPLACE_ONE, (0, 1), n):
        assert privacy_loss(laws[x], laws[y]).delta(at) <= bound.delta(at) + 1e-12
    plain = count.privacy_loss((1,) + (0,) * (m - 1), (0,) * m)
    tight = fixed_size_sampled_loss(plain, rate=m / n)
    found = privacy_loss(laws[(1,) + (0,) * (n - 1)], laws[(0,) * n])
    assert found.delta(abs(at)) == pytest.approx(tight.delta(abs(at)), abs=1e-12)


COIN = randomized_response_loss(1.0)
SYMMETRIC = [
    fixed_size_sampled_loss(loss, rate=rate)
    for loss in (GaussianLoss(0.7), GaussianLoss(3), LaplaceLoss(0.3), LaplaceLoss(4), CUT)
    for rate in (1e-3, 0.2, 0.9, 1)
]


@pytest.mark.parametrize("found", [*SYMMETRIC, fixed_size_sampled_loss(COIN, rate=0.3)])
def test_a_sample_without_replacement_is_one_law(found):
    """The two halves and what is between them: probabilities, masses, hockey stick, trade-off."""
    low, high = max(found.smallest, -9) - 0.01, min(found.largest, 9) + 0.01
    edges = np.sort([*np.linspace(low, high, 199), 0.0])
    assert (np.diff(found.tails(edges), axis=1) <= 1e-12).all()
    assert [float(tail) for tail in found.tails(found.smallest - 1)] == pytest.approx([1, 1])
    for masses, tail in zip(found.masses(edges), found.tails(edges), strict=True):
        assert masses == pytest.approx(-np.diff(tail), abs=1e-12)
    for epsilon in (-2, -0.3, -1e-3, 0, 1e-3, 0.3, 2):
        above_p, above_q = found.tails(epsilon)
        expected = above_p - np.exp(epsilon) * above_q
        assert found.delta(epsilon) == pytest.approx(float(expected), abs=1e-11)
        assert found.true_positive_rate(min(1.0, float(above_q))) == pytest.approx(
            float(above_p), abs=1e-6
        )
        mirrored = -np.expm1(-epsilon) + np.exp(-epsilon) * found.delta(epsilon)
        assert found.delta(-epsilon) == pytest.approx(mirrored, abs=1e-11)
    assert found.true_positive_rate(np.array([0.0, 1.0])) == pytest.approx([0, 1], abs=1e-12)
    assert found.largest == -found.smallest


@pytest.mark.parametrize("found", SYMMETRIC)
def test_small_cells_of_a_sample_without_replacement_have_the_digits_of_their_half(found):
    edges = min(1.0, found.largest) * np.linspace(0.01, 0.99, 50)
    for cells, half in ((edges, found.half), (-edges[::-1], found.half.reverse())):
        np.testing.assert_allclose(found.masses(cells), half.masses(cells), rtol=1e-14)


@given(finite_laws(6), rates)
def test_a_sample_of_finite_laws_without_replacement_is_one_pair_of_laws(p, rate):
    """Atom by atom, and alike both ways, as the worst pair is where either may be replaced."""
    q = Finite(p.outcomes, p.log_probabilities[::-1])
    found = fixed_size_sampled_loss(privacy_loss(p, q), rate=rate)
    assert found.losses == pytest.approx(-found.losses[::-1])
    assert found.p == pytest.approx(found.q[::-1])
    assert np.exp(found.losses) * found.q == pytest.approx(found.p, rel=1e-9)
    assert found.p.sum() == pytest.approx(1)


@pytest.mark.parametrize("nearly", [1e-15, 1e-14, -1e-13])
def test_what_only_rounding_tells_apart_is_alike(nearly):
    weights = np.array([0.2, 0.35, 0.35 * (1 + nearly), 0.1])
    p = Finite(tuple(range(4)), np.log(weights / weights.sum()))
    q = Finite(p.outcomes, p.log_probabilities[::-1])
    found = fixed_size_sampled_loss(privacy_loss(p, q), rate=0.3)
    assert found.losses == pytest.approx(-found.losses[::-1])
    assert (found.p.sum(), found.q.sum()) == pytest.approx((1, 1))


@pytest.mark.parametrize("loss", [GaussianLoss(0.7), LaplaceLoss(2.0)])
def test_a_sample_of_nobody_and_one_of_all_without_replacement(loss):
    assert fixed_size_sampled_loss(loss, rate=0) is NO_LOSS
    everybody = fixed_size_sampled_loss(loss, rate=1)
    for epsilon in (-1, 0, 0.5):
        assert everybody.delta(epsilon) == pytest.approx(loss.delta(epsilon), abs=1e-12)


@given(st.sampled_from([GaussianLoss, LaplaceLoss]), st.floats(0.05, 3), rates, st.floats(-0.5, 1))
def test_one_sample_without_replacement_is_bracketed_at_every_epsilon(loss, shift, rate, epsilon):
    found = fixed_size_sampled_loss(loss(shift), rate=rate)
    exact, step = found.delta(epsilon), max(0.01 * rate, 1e-3)
    for law, side in ((optimistic(found, step, 1e-20), 1), (pessimistic(found, step, 1e-20), -1)):
        stick = law.masses @ np.maximum(0, -np.expm1(epsilon - law.losses))
        assert side * (exact - stick) >= -1e-11


@pytest.mark.parametrize("alpha", [1 + 1e-6, 2.5, 40])
@pytest.mark.parametrize("rate", [1e-6, 0.3])
@pytest.mark.parametrize(
    "loss", [GaussianLoss(0.02), GaussianLoss(4), LaplaceLoss(0.1), LaplaceLoss(9)]
)
def test_the_divergence_of_a_sample_without_replacement_is_its_integral(loss, rate, alpha):
    """E[e^{alpha Z}] over both sides of 0, by mpmath's quadrature."""
    found = fixed_size_sampled_loss(loss, rate=rate).renyi(alpha)
    with mpmath.workdps(40):
        expected = mpmath.log1p(_both_sides(loss, mpmath.mpf(rate), mpmath.mpf(alpha))) / (
            alpha - 1
        )
        assert found == pytest.approx(float(expected), rel=1e-10, abs=0)


def _both_sides(loss, rate, alpha):
    """E_q[e^{alpha t} + e^{(1 - alpha) t} - e^t - 1; t > 0], t the loss of the sampled record."""

    def value(z):
        u = 1 - rate + rate * mpmath.exp(z)  # e^t
        return u**alpha + u ** (1 - alpha) - u - 1

    if isinstance(loss, GaussianLoss):
        mu = mpmath.mpf(loss.mu)
        points = mpmath.linspace(mu / 2, alpha * mu + 14, 3)
        return mpmath.quad(lambda x: value(mu * (x - mu / 2)) * mpmath.npdf(x), points)
    a = mpmath.mpf(loss.shift)
    rest = mpmath.quad(lambda z: value(z) * mpmath.exp(-(z + a) / 2), mpmath.linspace(0, a, 3))
    return rest / 4 + value(a) * mpmath.exp(-a) / 2


def test_the_divergence_of_a_loud_sample_without_replacement_is_that_of_its_hills():
    """Where one rule would need too many nodes. With all records it is alpha mu^2 / 2; the term of
    rate^alpha outweighs, but where the rate is tiny and so is mu: there Z is near rate mu x."""
    for mu, alpha in ((400.0, 1.001), (400.0, 5.0), (20.0, 3e3), (0.01, 1e9), (3.0, 1e5)):
        everybody = fixed_size_sampled_loss(GaussianLoss(mu), rate=1)
        assert everybody.renyi(alpha) == pytest.approx(alpha * mu**2 / 2, rel=1e-12)
    for mu, alpha, rate in ((1000.0, 1.5, 1e-10), (25.0, 1500.0, 1e-300), (3.0, 1e5, 1e-300)):
        found = fixed_size_sampled_loss(GaussianLoss(mu), rate=rate).renyi(alpha)
        top = alpha * (mu**2 / 2 + np.log(rate) / (alpha - 1))
        assert found == pytest.approx(top, rel=1e-9)
    quiet = fixed_size_sampled_loss(GaussianLoss(1e-3), rate=1e-60).renyi(2e8)
    assert quiet == pytest.approx(1e-120 * 2e8 * 1e-6 / 2, rel=0.01, abs=0)


@pytest.mark.parametrize("alpha", [1.5, 3.0, 300.0])
@pytest.mark.parametrize("rate", [1e-300, 0.3, 1.0])
def test_the_divergence_of_a_loud_laplace_sample_is_that_of_its_steep_end(alpha, rate):
    """There the term of rate^alpha outweighs all others."""
    loss = LaplaceLoss(3000)
    exact = loss.renyi(alpha) + alpha * np.log(rate) / (alpha - 1)
    for sampled in (poisson_sampled_loss, fixed_size_sampled_loss):
        assert sampled(loss, rate=rate).renyi(alpha) == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize("loss", [GaussianLoss(1.0), LaplaceLoss(1.0), COIN])
def test_many_samples_without_replacement_cost_a_little_more_than_poisson_samples(loss):
    """Each is worse than a record taken away, and than one added; together no worse than both."""

    def bounds(*losses):
        return epsilon_bounds([Release(each, 5000) for each in losses], delta=1e-5)

    sampled = poisson_sampled_loss(loss, rate=0.01)
    found = bounds(fixed_size_sampled_loss(loss, rate=0.01))
    assert found.gap <= 1e-3
    assert bounds(sampled).lower <= found.upper
    assert found.lower <= bounds(sampled, sampled.reverse()).upper


@settings(max_examples=30)
@given(st.floats(0.05, 3), st.floats(0.01, 1))
def test_amplification_is_attained_by_a_sampled_coin(epsilon, rate):
    """Randomized response on a record that takes part with probability `rate`, else a fair 0."""
    found = amplify_by_sampling(ApproxDP(epsilon, 0), rate=rate).epsilon
    coin = privacy_loss(*coins(epsilon))
    assert poisson_sampled_loss(coin, rate=rate).largest == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("rate", [0.0, 1e-17, 1e-14, 1e-6, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 0.9, 1.1, 3.7, 699.0, 700.5, 5000.0])
def test_amplification_keeps_its_digits_at_every_rate(epsilon, rate):
    with mpmath.workdps(3000):
        exact = mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(mpmath.mpf(epsilon)))
    found = amplify_by_sampling(ApproxDP(epsilon, 0.5), rate=rate)
    assert found.epsilon == pytest.approx(float(exact), rel=1e-12, abs=0)
    assert found.delta == 0.5 * rate


@pytest.mark.parametrize("excess", [1e-12, 1e-9, 1e-4])
@pytest.mark.parametrize("shift", [1e-5, 0.3, 3.0])
@pytest.mark.parametrize("rate", [1e-9, 1e-3, 0.5])
def test_renyi_divergences_of_a_sample_keep_their_digits_next_to_order_1(excess, shift, rate):
    """log E_q[w^alpha] / (alpha - 1) of the weights w = 1 - rate + rate e^z, in 60 digits."""
    alpha = 1 + excess
    with mpmath.workdps(60):
        a, r, order = mpmath.mpf(shift), mpmath.mpf(rate), mpmath.mpf(alpha)

        def part(z, mass):
            return mass * (1 + r * mpmath.expm1(z)) ** order

        inside = mpmath.quad(lambda z: part(z, mpmath.exp(-(z + a) / 2) / 4), [-a, 0, a])
        ends = part(-a, mpmath.mpf(0.5)) + part(a, mpmath.exp(-a) / 2)
        exact = float(mpmath.log(inside + ends) / (order - 1))
    found = poisson_sampled_loss(LaplaceLoss(shift), rate=rate).renyi(alpha)
    assert found == pytest.approx(exact, rel=1e-9, abs=0)


def test_what_tells_nothing_is_one_atom_of_a_sample_without_replacement():
    found = fixed_size_sampled_loss(RandomizedResponse(1.0, k=5).worst_case, rate=0.3)
    assert found.losses == pytest.approx([-found.largest, 0, found.largest])
    assert (found.p.sum(), found.q.sum()) == pytest.approx((1, 1))


def test_a_sample_of_coins_is_one_of_their_atoms():
    coins = randomized_response_loss(0.5, 3)
    found, listed = (poisson_sampled_loss(z, rate=0.2) for z in (coins, coins.atoms()))
    assert found.renyi(3) == pytest.approx(listed.renyi(3))
    assert found.delta(0.1) == pytest.approx(listed.delta(0.1))
    bounds = epsilon_bounds([Release(found, 50)], delta=1e-6)
    assert bounds.gap <= 1e-3


def coins(epsilon):
    truth = 1 / (1 + np.exp(-epsilon))
    return Finite.of({1: truth, 0: 1 - truth}), Finite.of({1: 1 - truth, 0: truth})


def test_bad_arguments_are_named():
    calls = [
        (lambda: amplify_by_sampling(ApproxDP(1, 0), rate=2), "rate must be .* not 2"),
        (lambda: poisson_sampled_loss(GaussianLoss(1), rate=-0.1), "rate must be .* not -0.1"),
        (
            lambda: poisson_sampled_loss(LaplaceLoss(900), rate=0.1).renyi(1e6),
            "alpha must be smaller: its integral has more than",
        ),
        (
            lambda: poisson_sampled_loss(CUT, rate=0.1).renyi(2),
            "no Renyi divergences are known of a sample for CutLoss",
        ),
        (
            lambda: (
                poisson_sampled_loss(GaussianLoss(1), rate=0.1).reverse().true_positive_rate(1.5)
            ),
            "false_positive_rate must lie in .* not 1.5",
        ),
        (lambda: fixed_size_sampled_loss(GaussianLoss(1), rate=2), "rate must be .* not 2"),
        (
            lambda: fixed_size_sampled_loss(CUT, rate=0.1).renyi(2),
            "no Renyi divergences are known of a sample for CutLoss",
        ),
        (
            lambda: fixed_size_sampled_loss(LaplaceLoss(900), rate=0.1).renyi(1e6),
            "alpha must be smaller: its integral has more than",
        ),
        (
            lambda: fixed_size_sampled_loss(GaussianLoss(1), rate=0.1).true_positive_rate(2),
            "false_positive_rate must lie in",
        ),
    ]
    assert_refused(calls)
