"""The closed forms against a second method: quadrature, enumeration, or a published figure."""

import math
from functools import partial

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from dplab.accounting import Release, delta_bounds, epsilon_bounds
from dplab.accounting.optimal import randomized_response_loss
from dplab.continuous import Gaussian, GaussianVector, Laplace, LaplaceVector
from dplab.distributions import Finite, Product
from dplab.divergences import (
    _count_losses,
    hockey_stick,
    largest_log_ratio,
    max_divergence,
    privacy_loss,
    renyi_divergence,
    total_variation,
    true_positive_rate,
)
from dplab.guarantees import PureDP
from dplab.losses import NO_LOSS, AtomicLoss, BinomialLoss, GaussianLoss, LaplaceLoss, total_loss
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.moments import variance
from tests.dplab.strategies import epsilons, pairs_of_laws
from tests.refusals import assert_refused

PAIRS = {
    "Laplace": (Laplace(0.8, scale=1.25), Laplace(-0.3, scale=1.25)),
    "Laplace, mirrored": (Laplace(-0.3, scale=1.25), Laplace(0.8, scale=1.25)),
    "Gaussian": (Gaussian(1.0, sigma=0.7), Gaussian(0.4, sigma=0.7)),
    "Gaussian, mirrored": (Gaussian(0.4, sigma=0.7), Gaussian(1.0, sigma=0.7)),
}
every_pair = pytest.mark.parametrize(("p", "q"), PAIRS.values(), ids=PAIRS)


def integral(function):
    return quad(function, -40, 40, points=[-0.3, 0.4, 0.8, 1.0], limit=400)[0]


@every_pair
@pytest.mark.parametrize("epsilon", [-0.5, 0.0, 0.2, 0.8, 3.0])
def test_delta_is_the_hockey_stick_integral(p, q, epsilon):
    def excess(y):
        return max(0.0, np.exp(p.log_density(y)) - np.exp(epsilon + q.log_density(y)))

    assert hockey_stick(p, q, epsilon=epsilon) == pytest.approx(integral(excess), abs=1e-7)


@every_pair
@pytest.mark.parametrize("alpha", [1.01, 2.0, 8.5])
def test_renyi_is_its_integral(p, q, alpha):
    def moment(y):
        return np.exp(alpha * p.log_density(y) + (1 - alpha) * q.log_density(y))

    expected = np.log(integral(moment)) / (alpha - 1)
    assert renyi_divergence(p, q, alpha=alpha) == pytest.approx(expected, rel=1e-5)


@every_pair
def test_the_trade_off_curve_is_that_of_threshold_tests(p, q):
    cuts = np.linspace(-6, 6, 400)
    if p.log_density(50.0) > q.log_density(50.0):  # large outcomes speak for p
        rates, power = 1 - q.cdf(cuts), 1 - p.cdf(cuts)
    else:
        rates, power = q.cdf(cuts), p.cdf(cuts)
    found = true_positive_rate(p, q, false_positive_rate=rates)
    np.testing.assert_allclose(found, power, rtol=1e-9, atol=1e-12)


@given(pairs_of_laws(), epsilons)
def test_for_finite_laws_delta_is_a_sum(pair, epsilon):
    p, q = pair
    excess = np.maximum(0, p.probabilities - np.exp(epsilon) * q.probabilities).sum()
    assert hockey_stick(p, q, epsilon=epsilon) == pytest.approx(excess, abs=1e-12)


@given(pairs_of_laws())
def test_for_finite_laws_the_definition_is_enumerated(pair):
    p, q = pair
    ratios = p.log_probabilities - q.log_probabilities
    assert max_divergence(p, q) == pytest.approx(ratios.max())
    assert largest_log_ratio(p, q) == pytest.approx(np.abs(ratios).max())
    assert total_variation(p, q) == pytest.approx(
        np.abs(p.probabilities - q.probabilities).sum() / 2
    )


@given(pairs_of_laws(3))
def test_the_trade_off_curve_of_finite_laws_passes_every_test(pair):
    """No event, of all 2^3, beats the curve; and the curve is reached by one of them or between."""
    p, q = pair
    events = [np.array([i >> k & 1 for k in range(3)], dtype=bool) for i in range(8)]
    rates = np.clip([q.probabilities[e].sum() for e in events], 0, 1)
    power = np.array([p.probabilities[e].sum() for e in events])
    best = true_positive_rate(p, q, false_positive_rate=rates)
    assert (power <= best + 1e-9).all()
    assert np.isclose(best, power, atol=1e-9).sum() >= 4  # the corners of the curve are events


@given(pairs_of_laws())
def test_rounding_makes_no_power_and_no_delta_other_than_1(pair):
    """Where masses add up to a little more or less."""
    loss = privacy_loss(*pair)
    assert loss.true_positive_rate(1.0) == 1
    assert loss.delta(-60.0) <= 1


def test_an_outcome_that_neither_law_can_produce_is_left_out():
    with np.errstate(divide="ignore"):
        loss = AtomicLoss.of(np.log([0.25, 0.75, 0]), np.log([0.5, 0.5, 0]))
    assert loss.losses == pytest.approx(np.log([0.5, 1.5]))


@pytest.mark.parametrize("epsilon", [0.3, 40.0])
def test_the_tails_of_coins_keep_their_digits(epsilon):
    """Those of q are tiny, which 1 minus the chance of the other side would not show."""
    loss = randomized_response_loss(epsilon, 5)
    for threshold in epsilon * np.arange(-6, 6):
        expected = loss.atoms().tails(threshold)
        assert loss.tails(threshold) == pytest.approx(expected, rel=1e-9, abs=0)


def test_the_least_deltas_of_many_coins_are_spent():
    loss = randomized_response_loss(1e-4, 10**8)
    assert 0 < loss.delta(loss.epsilon(1e-321)) <= 2e-321


def test_a_delta_that_is_just_what_is_told_is_spent_by_the_largest_finite_loss():
    loss = AtomicLoss(np.array([-1.0, 2, np.inf]), np.array([0.5, 0.25, 0.25]), np.ones(3) / 3)
    assert loss.epsilon(0.25) == 2


@st.composite
def with_an_infinite_loss(draw):
    one, share = privacy_loss(*draw(pairs_of_laws())), draw(st.floats(-12, -0.01))
    p = np.append((1 - 10**share) * one.p, 10**share)
    return AtomicLoss(np.append(one.losses, np.inf), p, np.append(one.q, 0))


@st.composite
def coins(draw):
    """Up to 10^5 losses of the same two values."""
    p, q = ([10**x, 1 - 10**x] for x in (draw(st.floats(-6, -0.01)) for _ in "pq"))
    one = AtomicLoss.of(np.log(p), np.log(q))
    assume(len(one.losses) == 2)
    return BinomialLoss.of(draw(st.integers(1, 10**5)), one)


@given(
    pairs_of_laws().map(lambda pair: privacy_loss(*pair)) | with_an_infinite_loss() | coins(),
    st.floats(-300, -1e-12) | st.floats(-12, -1e-3),
)
def test_epsilon_inverts_delta(loss, log_share):
    """From the chance of an infinite loss, which no epsilon covers, up to delta(0)."""
    least, most = loss.infinite, loss.delta(0.0)
    delta = least + (most - least) * 10**log_share
    assume(0 < delta < most)
    epsilon = loss.epsilon(delta)
    assert loss.delta(epsilon * (1 + 1e-11)) <= delta * (1 + 1e-11)
    assert loss.delta(epsilon * (1 - 1e-11)) >= delta * (1 - 1e-11)
    assert most > 1 - 1e-9 or loss.epsilon(most * (1 + 1e-11)) == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("least", [40, 45, 60])
def test_a_delta_just_below_that_of_epsilon_0_is_spent_where_floats_tell(least):
    """1 - e^(epsilon - least) is 1 in floats, or by rounding more, from 37 below the least loss."""
    found = []
    for m in range(2, 400):
        p, losses = np.full(m, 1 / m), np.linspace(least, 80, m)
        loss = AtomicLoss(losses, p, p * np.exp(-losses))
        found.append(loss.epsilon(np.nextafter(loss.delta(0.0), 0)))
    assert least - 37 < min(found) < least - 36.7
    assert max(found) < least


def test_no_epsilon_is_below_0():
    """Not where a logarithm or a ratio is rounded down, either."""
    rng = np.random.default_rng(0)
    for losses, p in zip(np.sort(rng.uniform(0, 3, (1000, 4))), rng.random((1000, 4)), strict=True):
        loss = AtomicLoss(losses, p / p.sum(), np.ones(4))
        assert loss.epsilon(np.nextafter(loss.delta(0.0), 0)) >= 0
    assert AtomicLoss(np.array([-1e-17]), np.ones(1), np.ones(1)).epsilon(0) == 0


@given(pairs_of_laws(), st.floats(0.1, 8))
def test_the_mean_of_atoms_is_a_sum(pair, scale):
    """Of losses on both sides of 1, where another form of the terms takes over."""
    with np.errstate(under="ignore"):
        p, q = (Finite(law.outcomes, _scaled(law, scale)) for law in pair)
    loss = privacy_loss(p, q)
    ratios = p.log_probabilities - q.log_probabilities
    assert loss.mean == pytest.approx(p.probabilities @ ratios, rel=1e-9, abs=1e-14)


def _scaled(law, scale):
    logs = scale * law.log_probabilities
    return logs - np.logaddexp.reduce(logs)


def test_an_outcome_that_only_one_law_has_is_an_infinite_loss():
    p, q = Finite.of({0: 0.25, 1: 0.75}), Finite.of({1: 0.5, 2: 0.5})
    loss = privacy_loss(p, q)
    assert (loss.smallest, loss.largest) == (-np.inf, np.inf)
    assert loss.delta(1.0) == pytest.approx(0.25)  # only outcome 0 exceeds e q
    assert loss.epsilon(0.1) == np.inf
    assert loss.renyi(2.0) == np.inf
    assert loss.true_positive_rate(0.0) == pytest.approx(0.25)


def test_losses_are_sorted_where_all_or_nothing_is_told():
    loss = privacy_loss(Finite.of({0: 0.25, 1: 0.75}), Finite.of({1: 0.75, 2: 0.25}))
    assert loss.losses.tolist() == [-np.inf, 0, np.inf]
    assert loss.p == pytest.approx([0, 0.75, 0.25])
    assert loss.q == pytest.approx([0.25, 0.75, 0])


def test_losses_are_sorted_where_all_is_told():
    loss = privacy_loss(Finite.of({0: 1.0}), Finite.of({1: 1.0}))
    assert (loss.losses.tolist(), loss.p.tolist()) == ([-np.inf, np.inf], [0, 1])


def test_all_or_nothing_adds_up():
    """What one of two releases tells is told; and what neither law can produce is left out."""
    loss = privacy_loss(Finite.of({0: 0.25, 1: 0.75}), Finite.of({1: 0.6, 2: 0.4}))
    both = loss + loss
    assert both.losses == pytest.approx([-np.inf, 2 * np.log(0.75 / 0.6), np.inf])
    assert both.p == pytest.approx([0, 0.75**2, 1 - 0.75**2])
    assert both.q == pytest.approx([1 - 0.6**2, 0.6**2, 0])


def test_a_tail_is_strict():
    loss = privacy_loss(Finite.of({0: 0.75, 1: 0.25}), Finite.of({0: 0.25, 1: 0.75}))
    assert loss.tails(loss.largest) == (0, 0)
    assert loss.tails(loss.smallest)[0] == pytest.approx(0.75)
    laplace = privacy_loss(*PAIRS["Laplace"])
    assert laplace.tails(laplace.largest) == (0, 0)
    assert laplace.tails(-laplace.largest - 1e-9) == (1, 1)
    assert laplace.tails(-laplace.largest)[1] == pytest.approx(0.5)


def test_published_figures():
    """sigma = 1: delta(1), delta(2) and the tail P[Z > 1]; power at level .05 for epsilon = 1."""
    loss = privacy_loss(Gaussian(1, sigma=1), Gaussian(0, sigma=1))
    assert loss.delta(1) == pytest.approx(0.126937, abs=1e-6)
    assert loss.delta(2) == pytest.approx(0.020924, abs=1e-6)
    assert loss.tails(1)[0] == pytest.approx(0.308538, abs=1e-6)
    coin = privacy_loss(Finite.of({0: 0.5, 1: 0.5}), Finite.of({0: 0.5, 1: 0.5}))
    assert coin.delta(0) == 0
    laplace = privacy_loss(Laplace(1, scale=1), Laplace(0, scale=1))
    assert laplace.true_positive_rate(0.05) == pytest.approx(0.13591, abs=1e-5)


def test_no_finite_loss_overflows():
    loss = privacy_loss(Laplace(1e5, scale=1), Laplace(0, scale=1))
    assert loss.delta(5e4) == pytest.approx(1.0)
    assert loss.delta(1e5) == 0


@pytest.mark.filterwarnings("error")
def test_normal_laws_at_the_ends_of_floats():
    assert GaussianLoss(1e154).epsilon(0.5) == pytest.approx(5e307, rel=1e-11)
    near = GaussianLoss(1e-310)
    assert (near.tails(1.0), near.tails(-1.0)) == ((0.0, 0.0), (1.0, 1.0))
    assert [float(mass[0]) for mass in near.masses(np.array([-1.0, 1.0]))] == [1.0, 1.0]


class TestProducts:
    def test_independent_finite_laws_add_their_losses(self):
        bit, other = Finite.of({0: 0.7, 1: 0.3}), Finite.of({0: 0.4, 1: 0.6})
        p, q = Product((bit,) * 4), Product((other,) * 4)
        joint = privacy_loss(p.enumerate(), q.enumerate())
        summed = privacy_loss(p, q)
        np.testing.assert_allclose(summed.losses, joint.losses)
        np.testing.assert_allclose(summed.p, joint.p)
        assert len(summed.losses) == 5  # not 16: equal sums are one atom

    def test_a_shared_factor_says_nothing(self):
        shared = Laplace(3, scale=9)
        p = Product((shared, Gaussian(1, sigma=1)))
        q = Product((shared, Gaussian(0, sigma=1)))
        assert privacy_loss(p, q).mu == 1
        assert privacy_loss(p, p).delta(0) == 0

    def test_normal_laws_add_like_pythagoras(self):
        p = Product((Gaussian(3, sigma=1), Gaussian(8, sigma=2)))
        q = Product((Gaussian(0, sigma=1), Gaussian(0, sigma=2)))
        assert privacy_loss(p, q).mu == pytest.approx(5)

    @pytest.mark.parametrize("epsilon", [0.0, 0.3, 0.9])
    def test_other_products_are_bounded_above_within_the_grid(self, epsilon):
        """delta(epsilon) of both is E over the first loss z of the second's delta(epsilon - z)."""
        first = (Laplace(0.5, scale=1), Laplace(0, scale=1))
        second = (Laplace(0, scale=2), Laplace(1.4, scale=2))
        inner = privacy_loss(*second)

        def exact(epsilon):
            def integrand(y):
                loss = first[0].log_density(y) - first[1].log_density(y)
                return np.exp(first[0].log_density(y)) * inner.delta(epsilon - loss)

            return quad(integrand, -35, 35, points=[0, 0.5], limit=200)[0]

        loss = privacy_loss(*(Product(pair) for pair in zip(first, second, strict=True)))
        assert exact(epsilon) - 1e-9 <= loss.delta(epsilon) <= exact(epsilon - 2e-4) + 1e-9
        assert loss.largest_log_ratio == pytest.approx(0.5 + 0.7)
        assert loss.p.sum() == pytest.approx(1)
        assert loss.q.sum() == pytest.approx(1)

    def test_a_mixed_product_with_a_normal_factor(self):
        """A fair coin beside a normal law is that normal law; the grid may add a little."""
        coin = Finite.of({0: 0.5, 1: 0.5})
        almost = Finite.of({0: 0.5 + 1e-9, 1: 0.5 - 1e-9})
        p, q = Product((coin, Gaussian(1, sigma=2))), Product((almost, Gaussian(0, sigma=2)))
        exact = privacy_loss(p.factors[1], q.factors[1]).delta(0.5)
        assert exact <= privacy_loss(p, q).delta(0.5) <= exact + 2e-4


RARE = AtomicLoss.of(np.log([1e-4, 1 - 1e-4]), np.log([1e-6, 1 - 1e-6]))


class TestVectors:
    @pytest.mark.parametrize(("shift", "k"), [(0.01, 10_000), (1e-4, 10_000), (0.5, 3), (3, 40)])
    @pytest.mark.parametrize("delta", [0.1, 1e-6])
    def test_equal_shifts_are_within_the_certified_interval_or_next_above(self, shift, k, delta):
        at = np.arange(k) % 7 / 8  # so that differences are exact
        p, q = LaplaceVector(at, 1), LaplaceVector(at + np.where(at < 0.5, shift, -shift), 1)
        loss = privacy_loss(p, q)
        bounds = epsilon_bounds([Release(LaplaceLoss(shift), k)], delta=delta)
        assert bounds.lower * (1 - 1e-9) <= loss.epsilon(delta) <= bounds.upper * (1 + 1e-3)
        assert loss.largest == pytest.approx(k * shift)
        assert loss.smallest == pytest.approx(-k * shift)

    @pytest.mark.parametrize("d", [5, 64, 65, 200, 20_000])
    def test_unequal_shifts_are_bounded_above(self, d):
        """Between the sum of the shifts rounded down to one of 40, and up to the next."""
        shifts = np.random.default_rng(d).exponential(2 / d**0.5, size=d)
        loss = privacy_loss(LaplaceVector(shifts, 1), LaplaceVector(np.zeros(d), 1))
        groups = np.array_split(np.sort(shifts), min(40, d))
        for end, direction in ((0, 1), (-1, -1)):
            ends = [Release(LaplaceLoss(group[end]), len(group)) for group in groups]
            bounds = epsilon_bounds(ends, delta=1e-5)
            exact = bounds.lower if end == 0 else bounds.upper
            assert direction * (loss.epsilon(1e-5) - exact) >= -2e-3 * exact

    @pytest.mark.parametrize("d", [1, 64, 65, 96, 97, 1000, 5000])
    def test_shifts_are_rounded_up_and_as_many_as_before(self, d):
        shifts = np.random.default_rng(d).exponential(size=d)
        shifts[: d // 3] = 0.5
        kinds = _count_losses(shifts)
        rounded = np.sort(np.repeat([loss.shift for loss in kinds], list(kinds.values())))
        assert len(kinds) <= 64
        assert (rounded >= np.sort(shifts)).all()
        following = np.minimum(np.arange(d) + -(-d // 64), d - 1)  # a 64th of them ahead
        assert (rounded <= np.sort(shifts)[following] + 1e-9 * shifts.max()).all()
        assert rounded.max() == shifts.max()
        if len(np.unique(shifts)) <= 64:
            assert rounded == pytest.approx(np.sort(shifts), rel=1e-8, abs=1e-8)

    @pytest.mark.parametrize("shift", [1.0, 1e-9, 40.0])
    def test_one_shift_is_what_it_is(self, shift):
        assert _count_losses(np.array([0.0, shift, 0.0, shift])) == {LaplaceLoss(shift): 2}
        assert _count_losses(np.zeros(3)) == {}

    def test_64_shifts_are_what_they_are_however_often_each_comes(self):
        shifts = np.arange(1, 65) / 64
        assert list(_count_losses(np.repeat(shifts, range(1, 65))).values()) == [*range(1, 65)]

    def test_shifts_are_rounded_up_to_a_part_in_2_to_the_30_of_the_largest(self):
        nearly = 0.5 + np.array([0.2, 0.4, 0.6, 0.9, 1.1]) / 2**30
        found = {loss.shift: k for loss, k in _count_losses(np.append(nearly, 1.0)).items()}
        assert found == {0.5 + 2**-30: 4, 0.5 + 2**-29: 1, 1.0: 1}

    def test_a_sum_on_the_grid_keeps_what_is_infinite(self):
        with np.errstate(divide="ignore"):
            log_p, log_q = np.log([0.25, 0.75, 0]), np.log([0, 0.9, 0.1])
        told = AtomicLoss.of(log_p, log_q)
        total = total_loss([LaplaceLoss(1.0), GaussianLoss(0.5), told])
        assert total.infinite == pytest.approx(0.25)
        assert total.p.sum() == pytest.approx(1)
        assert total.q.sum() == pytest.approx(1)

    @pytest.mark.parametrize(("shift", "n"), [(0.01, 200), (1e-5, 100), (0.1, 50), (1.0, 100)])
    def test_no_delta_of_a_total_is_too_small_however_small_it_is(self, shift, n):
        """Even where the transform that added them up knows nothing but rounding."""
        loss, releases = total_loss({LaplaceLoss(shift): n}), [Release(LaplaceLoss(shift), n)]
        for share in np.linspace(0, 0.99, 12):
            epsilon = share * n * shift
            assert loss.delta(epsilon) >= delta_bounds(releases, epsilon=epsilon).lower

    @pytest.mark.parametrize(
        "loss", [randomized_response_loss(0.11).one, RARE], ids=["coin", "rare"]
    )
    @pytest.mark.parametrize("n", [10, 4000, 20_000])
    def test_the_variance_of_a_total_is_larger_by_a_fiftieth_at_most(self, loss, n):
        """The step is no wider than a quarter of a release's standard deviation, or 1% more."""
        parts = {loss: n, LaplaceLoss(0.1): 2}
        total, exact = total_loss(parts), sum(k * variance(part) for part, k in parts.items())
        z, p = total.losses[1:-1], total.p[1:-1]
        assert z[1] - z[0] <= 0.2525 * np.sqrt(exact / (n + 2))
        assert exact * (1 - 1e-9) <= p @ (z - p @ z) ** 2 <= 1.02 * exact

    @pytest.mark.parametrize("alpha", [1.001, 2, 30, 1000])
    def test_renyi_divergences_of_a_total_add_up(self, alpha):
        parts = {LaplaceLoss(0.1): 50, GaussianLoss(0.2): 1, LaplaceLoss(1.0): 2}
        exact = sum(k * loss.renyi(alpha) for loss, k in parts.items())
        assert total_loss(parts).renyi(alpha) == pytest.approx(exact, rel=1e-12)

    def test_the_trade_off_of_a_total_far_apart_is_the_dual_of_its_deltas(self):
        """1 - f(x) is at most delta(epsilon) + e^epsilon x, and just that at one epsilon."""
        loss, releases = total_loss({LaplaceLoss(1.0): 100}), [Release(LaplaceLoss(1.0), 100)]
        assert (loss.p.sum(), loss.q.sum()) == pytest.approx((1, 1))
        for rate in (1e-12, 1e-9, 1e-6):
            misses = [
                1 - delta_bounds(releases, epsilon=epsilon).upper - np.exp(epsilon) * rate
                for epsilon in np.arange(0, -np.log(rate), 0.1)
            ]
            assert 1 - loss.true_positive_rate(rate) == pytest.approx(max(misses), rel=0.05)

    def test_coordinates_that_agree_say_nothing(self):
        p, q = np.zeros(1000), np.zeros(1000)
        q[[3, 999]] = [0.5, -0.5]
        loss = privacy_loss(LaplaceVector(p, 2), LaplaceVector(q, 2))
        assert loss.largest == 0.5
        assert privacy_loss(LaplaceVector(p, 2), LaplaceVector(p, 2)) is NO_LOSS
        q[3] = 0
        assert privacy_loss(LaplaceVector(p, 2), LaplaceVector(q, 2)) == LaplaceLoss(0.25)

    def test_shifts_that_rounding_set_apart_are_one(self):
        at = np.random.default_rng(1).normal(size=10_000)
        loss = privacy_loss(LaplaceVector(at, 1), LaplaceVector(at + 0.01, 1))
        bounds = epsilon_bounds([Release(LaplaceLoss(0.01), 10_000)], delta=1e-6)
        assert loss.epsilon(1e-6) == pytest.approx(bounds.upper, rel=1e-3)

    def test_normal_vectors_are_as_far_apart_as_their_whitened_means(self):
        rng = np.random.default_rng(2)
        root, p, q = rng.normal(size=(5, 5)), rng.normal(size=5), rng.normal(size=5)
        covariance = root @ root.T
        laws = [GaussianVector(mean, covariance) for mean in (p, q)]
        expected = np.sqrt((p - q) @ np.linalg.solve(covariance, p - q))
        assert privacy_loss(*laws).mu == pytest.approx(expected)
        plain = privacy_loss(GaussianVector(p, 4), GaussianVector(q, 4))
        assert plain.mu == pytest.approx(np.linalg.norm(p - q) / 2)
        assert privacy_loss(laws[0], laws[0]) is NO_LOSS
        drawn = laws[0].sample(rng, 200_000)
        losses = laws[0].log_density(drawn) - laws[1].log_density(drawn)
        far = losses > expected**2 / 2  # half of them: off by 8 deviations of 200,000 coins
        assert abs(far.mean() - 0.5) < 0.009


def test_pairs_without_an_exact_form_are_refused():
    cases = [
        (LaplaceVector([0, 1], 1), LaplaceVector([0, 1], 2), "same scale"),
        (
            LaplaceVector([0, 1], 1),
            LaplaceVector([0], 1),
            "q must have 2 coordinates like p",
        ),
        (GaussianVector([0, 1], 1), GaussianVector([0], 1), "q must have 2 coordinates like p"),
        (GaussianVector([0, 1], 1), GaussianVector([0, 0], 2), "q must have the same covariance"),
        (GaussianVector([0, 1], 1), LaplaceVector([0, 0], 2), "q must be GaussianVector like p"),
        (Laplace(0, scale=1), Laplace(0, scale=2), "same scale"),
        (Laplace(0, scale=1), Gaussian(0, sigma=1), "q must be Laplace like p"),
        (
            Product((Laplace(0, scale=1),)),
            Product((Laplace(0, scale=1),) * 2),
            "must have 1 factors",
        ),
    ]
    assert_refused([(partial(privacy_loss, p, q), message) for p, q, message in cases])


def test_a_rate_is_a_probability():
    with pytest.raises(ValueError, match=r"false_positive_rate must lie in \[0, 1\], not 1.5"):
        true_positive_rate(*PAIRS["Laplace"], false_positive_rate=1.5)


def test_normal_trade_off_in_closed_form():
    rate = np.array([0.01, 0.2, 0.9])
    expected = norm.cdf(norm.ppf(rate) + 0.6 / 0.7)
    found = true_positive_rate(*PAIRS["Gaussian"], false_positive_rate=rate)
    np.testing.assert_allclose(found, expected)


def exact_log_delta(mu, epsilon):
    """log(Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)), in 800 digits."""
    with mpmath.workdps(800):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        above = mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)
        return float(mpmath.log(above))


@pytest.mark.parametrize("epsilon", [0.0, 1e-200, 1e-9, 1e-3, 0.5, 3.0, 50.0, 800.0, 1e5])
@pytest.mark.parametrize("x", [-30.0, -1.001, -0.999, -0.1, 0.0, 0.7, 4.0, 30.0])
def test_the_delta_of_normal_laws_keeps_its_digits(epsilon, x):
    """At epsilon = x mu + mu^2 / 2; far from 0 delta is tiny, and for a small mu anyway."""
    root = np.sqrt(x**2 + 2 * epsilon)
    mu = float(root - x if x < 0 else 2 * epsilon / (x + root) if epsilon else 0)
    for shift in [mu] if mu else [1e-300, 1e-9, 0.999, 1.0, 40.0]:  # all are there at epsilon 0
        right = exact_log_delta(shift, epsilon)
        room = 1e-12 + 1e-15 * (1 + abs(x)) * (shift + epsilon / shift)  # of x itself
        assert abs(GaussianLoss(shift).log_delta(epsilon) - right) <= room


@pytest.mark.parametrize("epsilon", [1e-9, 0.3, 5.0])
def test_delta_below_epsilon_0_is_that_of_the_complement(epsilon):
    for loss in (GaussianLoss(0.4), GaussianLoss(3.0), LaplaceLoss(0.4)):
        mirrored = -np.expm1(-epsilon) + np.exp(-epsilon) * loss.delta(epsilon)
        assert np.isclose(loss.delta(-epsilon), mirrored, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("alpha", [1 + 1e-12, 1.001, 2, 50, 1e6])
@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e-3, 0.3, 20.0])
def test_renyi_divergences_keep_their_digits(alpha, scale):
    """Of Laplace laws and of coins, against 400 digits."""
    with mpmath.workdps(400):
        a, e = mpmath.mpf(alpha), mpmath.mpf(scale)
        high, low = mpmath.exp((a - 1) * e), mpmath.exp(-a * e)
        laplace = mpmath.log((a * high + (a - 1) * low) / (2 * a - 1)) / (a - 1)
        coin = (mpmath.exp(a * e) + mpmath.exp((1 - a) * e)) / (1 + mpmath.exp(e))
        coin = mpmath.log(coin) / (a - 1)
    assert np.isclose(LaplaceLoss(scale).renyi(alpha), float(laplace), rtol=1e-11, atol=0)
    assert np.isclose(PureDP(scale).to_renyi(alpha).epsilon, float(coin), rtol=1e-11, atol=0)
    if scale > 1e-100:  # whose square is a probability that floats beside 1/2 can tell
        listed = randomized_response_loss(scale).atoms().renyi(alpha)
        assert np.isclose(listed, float(coin), rtol=1e-6, atol=1e-17)


def test_an_outcome_of_q_alone_counts_in_a_small_divergence():
    """p = (1, 0) against q = (1 - t, t): -log(1 - t) at every order."""
    loss = privacy_loss(Finite.of({0: 1.0, 1: 0.0}), Finite.of({0: 1 - 1e-6, 1: 1e-6}))
    for alpha in (1.001, 2, 100):
        assert np.isclose(loss.renyi(alpha), -np.log1p(-1e-6), rtol=1e-9, atol=0)


def test_epsilon_is_found_at_any_size():
    assert randomized_response_loss(5e5, 3).epsilon(0.0) == pytest.approx(1.5e6, rel=1e-12)
    loss = LaplaceLoss(1e-12)  # delta(epsilon) = 1 - e^{(epsilon - 1e-12) / 2}
    assert loss.epsilon(1e-13) == pytest.approx(8e-13, rel=1e-2)
    catastrophe = AtomicLoss.of(np.log([0.9, 0.1]), np.array([0.0, -np.inf]))
    assert catastrophe.epsilon(0.05) == np.inf


@pytest.mark.parametrize("wrong", [0, -1, np.nan, np.inf, True, "1"])
def test_a_distance_between_laws_is_above_0(wrong):
    with pytest.raises(ValueError, match="mu must be a finite number above 0"):
        GaussianLoss(wrong)
    with pytest.raises(ValueError, match="shift must be a finite number above 0"):
        LaplaceLoss(wrong)


@pytest.mark.parametrize("mu", [1e-100, 1e-160, 1e-300, 5e-324])
@pytest.mark.filterwarnings("error")
def test_laws_next_to_each_other_tell_next_to_nothing(mu):
    loss = GaussianLoss(mu)
    assert loss.delta(0.0) == pytest.approx(mu / np.sqrt(2 * np.pi), rel=1e-9, abs=5e-324)
    assert loss.delta(1e-3) == loss.delta(1.0) == 0
    assert loss.delta(-1.0) == pytest.approx(1 - np.exp(-1))
    assert total_loss([loss, loss]).mu == pytest.approx(np.sqrt(2) * mu, rel=0.5)
    assert loss.epsilon(1e-6) == 0


@pytest.mark.parametrize("epsilon", [1e-10, 1e-13, 1e-14])
def test_a_coin_that_is_nearly_fair_keeps_its_two_losses(epsilon):
    loss = RandomizedResponse(epsilon).worst_case
    assert (loss.smallest, loss.largest) == (pytest.approx(-epsilon, rel=0.1), -loss.smallest)
    assert (loss + loss).losses.tolist() == [2 * loss.smallest, 0.0, 2 * loss.largest]


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 30.0, 49.99999999999999])
@pytest.mark.parametrize("nearly", [1e-12, 1e-9, 4.3e-8, 1e-6, 0.5])
def test_delta_just_below_the_largest_loss_of_coins(epsilon, nearly):
    """p (1 - e^{-nearly}), also where that is less than rounding is granted to a place."""
    exact = -np.expm1(-nearly) / (1 + np.exp(-epsilon))
    found = randomized_response_loss(epsilon).delta(epsilon - nearly)
    assert found == pytest.approx(exact, rel=1e-6, abs=4e-15)


@given(st.floats(-300, 3), st.floats(-2, 1) | st.floats(-12, 0).map(lambda x: 1 - 10**x))
def test_the_delta_of_laplace_laws_keeps_its_digits(log_shift, share):
    """1 - e^{(epsilon - shift) / 2} inside the range of the loss, 1 - e^epsilon below it."""
    shift = 10**log_shift
    epsilon = share * shift
    with mpmath.workdps(400):
        a, e = mpmath.mpf(shift), mpmath.mpf(epsilon)
        exact = -mpmath.expm1(e if e < -a else min(0, (e - a) / 2))
    assert LaplaceLoss(shift).delta(epsilon) == pytest.approx(float(exact), rel=1e-12, abs=0)


def exact_coins(scale, k):
    """Losses and probabilities of k coins of randomized response."""
    e = mpmath.mpf(scale)
    truth, lie = 1 / (1 + mpmath.exp(-e)), 1 / (1 + mpmath.exp(e))
    return [
        ((2 * n - k) * e, mpmath.binomial(k, n) * truth**n * lie ** (k - n)) for n in range(k + 1)
    ]


@given(st.floats(-300, 2.5), st.integers(1, 60), st.floats(0, 0.999))
def test_the_delta_of_coins_keeps_its_digits(log_scale, k, share):
    scale = 10**log_scale
    epsilon = share * k * scale
    loss = randomized_response_loss(scale, k)
    with mpmath.workdps(400):
        law = exact_coins(scale, k)
        exact = sum(p * -mpmath.expm1(epsilon - z) for z, p in law if z > epsilon)
    assert loss.delta(epsilon) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)
    assert loss.atoms().delta(epsilon) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_the_delta_of_a_thousand_million_coins_keeps_its_digits(epsilon):
    """The terms of the binomial law one from the other, the first of them to 40 digits."""
    k, scale = 10**9, 1e-5
    first = (k + math.ceil(epsilon / scale)) // 2
    with mpmath.workdps(40):
        truth = 1 / (1 + mpmath.exp(-mpmath.mpf(scale)))
        ways = mpmath.loggamma(k + 1) - mpmath.loggamma(first + 1)
        ways -= mpmath.loggamma(k - first + 1)
        chance = mpmath.log(truth) * first + mpmath.log(1 - truth) * (k - first)
        start = float(mpmath.exp(ways + chance))
    n = first + np.arange(250_000)  # 15 standard deviations
    ratios = (k - n[:-1]) / (n[1:]) * np.exp(scale)
    masses = start * np.cumprod(np.append(1.0, ratios))
    exact = masses @ -np.expm1(np.minimum(0, epsilon - (2 * n - k) * scale))
    assert randomized_response_loss(scale, k).delta(epsilon) == pytest.approx(exact, rel=1e-9)


def test_only_the_largest_loss_has_a_delta_of_0():
    """However soon floats lose a small delta."""
    assert GaussianLoss(1.0).epsilon(0) == np.inf
    assert LaplaceLoss(3.0).epsilon(0) == 3
    assert randomized_response_loss(0.1, 10**4).epsilon(0) == pytest.approx(1000, rel=1e-12)
    assert privacy_loss(Finite.of({0: 1.0, 1: 0.0}), Finite.of({0: 0.5, 1: 0.5})).epsilon(
        0
    ) == pytest.approx(np.log(2))


@given(st.integers(1, 3000), st.floats(1e-3, 6))
def test_the_power_against_many_releases_by_all_their_atoms(k, epsilon):
    loss, rates = randomized_response_loss(epsilon, k), [0, 1e-300, 1e-99, 1e-9, 0.1, 0.9, 1]
    expected = loss.atoms().true_positive_rate(rates)
    np.testing.assert_allclose(loss.true_positive_rate(rates), expected, rtol=1e-12)


def test_the_power_against_a_thousand_million_releases():
    """Nearly normal, 2 sqrt(k) sinh(epsilon / 2) sigmas apart; not a list of 10^9 atoms."""
    loss, rates = randomized_response_loss(1e-5, 10**9), np.array([1e-9, 0.05, 0.5])
    expected = norm.cdf(norm.ppf(rates) + 1e-5 * np.sqrt(1e9))
    np.testing.assert_allclose(loss.true_positive_rate(rates), expected, rtol=1e-6)


@pytest.mark.parametrize("shift", [1e-300, 1.0, 700.0, 720.0, 800.0, 1e300])
def test_the_power_against_laplace_noise_at_any_shift(shift):
    """Nothing at rate 0; at one of the smallest there are e^shift rate, or 1 - e^-shift / (4 rate),
    by logarithms."""
    with np.errstate(all="raise", under="ignore"):
        nothing, rare, all_ = LaplaceLoss(shift).true_positive_rate([0, 1e-313, 1])
    assert (nothing, all_) == (0, 1)
    log_steep = math.log(1e-313) + shift
    expected = math.exp(log_steep) if log_steep < -math.log(2) else 1 - math.exp(-log_steep) / 4
    assert rare == pytest.approx(expected, rel=1e-8)


@pytest.mark.filterwarnings("error")
def test_coins_at_the_ends_of_floats():
    for epsilon in (5e-324, 1e-310, 8e307):
        coin = randomized_response_loss(epsilon)
        assert (coin.delta(1e308), float(coin.tails(1e308)[0])) == (0, 0)
        assert coin.epsilon(1e-320) <= epsilon
    for epsilon, k in ((1.7e308, 1), (1e300, 10**9), (1e-300, 10**400)):
        with pytest.raises(ValueError, match=r"k.* must be a finite number"):
            randomized_response_loss(epsilon, k)
