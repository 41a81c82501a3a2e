"""Certified bounds against closed forms, an inverted Laplace transform, and exact sums."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dplab.accounting import (
    Bounds,
    Release,
    delta_bounds,
    epsilon_bounds,
    loss_distribution,
)
from dplab.accounting.loss_distribution import (
    _align_step,
    _common_divisor,
    _ends,
    _multiple,
    _put_on_grids,
    _root_of_lower,
    _spread,
    _spread_of_sum,
    certainly_within,
)
from dplab.accounting.optimal import randomized_response_loss
from dplab.discrete import DiscreteGaussian
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP
from dplab.losses import (
    NO_LOSS,
    AtomicLoss,
    GaussianLoss,
    LaplaceLoss,
    PrivacyLoss,
    convolution,
    poisson_sampled_loss,
    total_loss,
)
from dplab.losses.convolution import DeltaBounds, GridSum, convolve, window
from dplab.losses.grid import ROUNDING, GridLaw, optimistic, pessimistic
from dplab.moments import variance
from tests.dplab.strategies import pairs_of_laws
from tests.refusals import assert_refused

DISCRETE = privacy_loss(DiscreteGaussian(0, 2), DiscreteGaussian(1, 2))
PEERS = {  # of 1,000 releases at delta 1e-6: from dp_accounting, or exact
    "Gaussian": (GaussianLoss(1 / 20), 8.306225, 8.306225),
    "Laplace": (LaplaceLoss(1 / 20), 8.2032, 8.20444),
    "randomized response": (randomized_response_loss(1 / 20), 8.283573, 8.283573),
}


def laplace_moment(s, shift):
    """E[e^{s Z}], also for complex s."""
    up, down = (s + 1) * np.exp(s * shift), s * np.exp(-(s + 1) * shift)
    return (up + down) / (2 * s + 1)


def inverted_delta(log_moment, epsilon, theta, reach, points=100_001):
    """delta(epsilon) = (1 / 2 pi i) int M(s) e^{-s epsilon} / (s (s + 1)) ds on Re s = theta."""
    s = theta + 1j * np.linspace(-reach, reach, points)
    values = np.exp(log_moment(s) - s * epsilon) / (s * (s + 1))
    return np.trapezoid(values.real, s.imag) / (2 * np.pi)


@pytest.mark.parametrize(("loss", "least", "most"), PEERS.values(), ids=PEERS)
def test_bounds_meet_the_published_figures(loss, least, most):
    bounds = epsilon_bounds([Release(loss, 1000)], delta=1e-6)
    assert bounds.gap <= 1e-3
    assert bounds.lower <= most + 1e-6
    assert bounds.upper >= least - 1e-6


@pytest.mark.parametrize(("scale", "k"), [(20, 1000), (200, 100_000), (20, 100_000), (1, 300)])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-12])
def test_laplace_bounds_hold_the_inverted_transform(scale, k, delta):
    bounds = epsilon_bounds([Release(LaplaceLoss(1 / scale), k)], delta=delta)
    assert bounds.gap <= 1e-3
    for epsilon, side in ((bounds.lower, 1), (bounds.upper, -1)):
        # about the saddle point, but away from the pole at 0: there quadrature is accurate
        theta = max(0.1, epsilon * scale**2 / k - 0.5)
        found = inverted_delta(
            lambda s: k * np.log(laplace_moment(s, 1 / scale)), epsilon, theta, reach=150
        )
        assert side * (found / delta - 1) >= -1e-5


@pytest.mark.parametrize("mu", [0.05, 0.5])
@pytest.mark.parametrize("k", [10, 1000])
@pytest.mark.parametrize("delta", [1e-2, 1e-6, 1e-12])
def test_the_transform_of_normal_losses_meets_their_closed_form(mu, k, delta):
    """Put on the grid one by one, although they would add like Pythagoras."""
    exact = GaussianLoss(mu * k**0.5)
    epsilon = exact.epsilon(delta)
    sums = [
        GridSum((put(GaussianLoss(mu), mu / 16, 1e-22),), (k,)) for put in (optimistic, pessimistic)
    ]
    lower, upper = (DeltaBounds(s, sums[1].tilt_for_delta(delta)) for s in sums)
    assert lower.lower(epsilon) <= delta <= upper.upper(epsilon)
    assert lower.lower(epsilon * 0.999) > delta > upper.upper(epsilon * 1.001)


@given(st.floats(-4, 1.5), st.floats(-6, 1), st.integers(1, 400))
def test_the_certificate_covers_the_transform_on_all_of_the_window(log_step, log_tilt, k):
    """E ||w|| for the weights w of every sum above 0, and e^-44 beyond each end of the window."""
    step = 10**log_step
    total = GridSum((GridLaw(step, -2, np.array([0.1, 0.2, 0.3, 0.25, 0.15]), 0.0),), (k,))
    theta = 10**log_tilt / step
    bounds = DeltaBounds(total, theta)
    start = round(bounds.losses[0] / step)
    error = convolve(total, theta, start, bounds.size)[1]
    above_0 = step * np.arange(bounds.size)
    weights = np.exp(-theta * above_0) * -np.expm1(-above_0)
    least = error * np.linalg.norm(weights) + 2 * np.exp(-44)
    most = error / np.sqrt(max(1 / bounds.size, np.expm1(2 * theta * step))) + 2 * np.exp(-44)
    assert least * (1 - 1e-12) <= bounds.error <= most * (1 + 1e-12)
    assert error >= 2.0**-53 * 16 * np.log2(bounds.size) * 0.9 / np.sqrt(bounds.size)


SHAPES = {"both ways": (-2, [0.1, 0.2, 0.3, 0.25, 0.15]), "far down": (-4, [0.2, 0, 0, 0, 0, 0.8])}


@pytest.mark.parametrize(("low", "shape"), SHAPES.values(), ids=SHAPES)
@given(st.floats(0, 0.9), st.floats(-3, 1), st.integers(1, 150))
@settings(max_examples=30)
def test_the_window_misses_next_to_nothing_on_each_side(low, shape, infinite, log_tilt, k):
    """The tilted law of the finite losses' sum, added up one by one."""
    total = GridSum((GridLaw(1.0, low, (1 - infinite) * np.array(shape), infinite),), (k,))
    start, width = window(total, 10**log_tilt)
    law = reduce(np.convolve, [total.laws[0].tilt(10**log_tilt)[0]] * k)
    first = start - k * low
    for missed in (law[:first], law[first + width :]):
        assert missed.sum() <= np.exp(-44) * (1 + 1e-9)


@given(st.integers(4, 10), st.integers(0, 2**32 - 1))
def test_the_certificate_covers_a_transform_as_wrong_as_it_may_be(log_size, seed):
    """Every frequency is off by all that the transform allows for, in a direction of its own."""
    rng, size = np.random.default_rng(seed), 1 << log_size
    masses = rng.dirichlet(np.full(size, 5.0))  # none so small that it could become negative
    total = GridSum((GridLaw(1e-3, 0, masses, 0.0),), (1,))
    off = 16 * 2.0**-53 * log_size * np.sqrt(size) * np.linalg.norm(masses)

    def wrong(places, tilted, size):
        turned = np.exp(2j * np.pi * rng.random(size // 2 + 1))
        turned[[0, -1]] = 1.0  # the spectrum of a real law is real at both ends
        return np.fft.rfft(tilted) + 1e6 * off * turned

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(convolution, "UNIT", 1e6 * 2.0**-53)
        patched.setattr(convolution, "_spectrum", wrong)
        law, error = convolve(total, 0.0, 0, size)
    assert np.linalg.norm(law - masses) <= error


def test_the_lower_bound_takes_off_what_the_upper_one_adds(monkeypatch):
    monkeypatch.setattr(convolution, "ROUNDING", 0.0)
    masses = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    bounds = DeltaBounds(GridSum((GridLaw(0.1, -2, masses, 0.0),), (20,)), 1.0)
    for epsilon in (0.0, 0.3, 1.0):
        off = np.exp(bounds.log_moment - epsilon) * bounds.error
        assert bounds.upper(epsilon) - bounds.lower(epsilon) >= 1.9 * off > 1e-15


@pytest.mark.parametrize("delta", [1e-3, 1e-6])
def test_a_tilt_is_the_best_order_for_delta_or_has_its_mean_at_epsilon(delta):
    total = GridSum((pessimistic(LaplaceLoss(0.3), 0.01, 1e-20),), (30,))

    def converted(theta):  # the order is 1 + theta
        return (total.log_moment(theta) - np.log(delta * (1 + theta))) / theta - np.log1p(1 / theta)

    best = total.tilt_for_delta(delta)
    assert converted(best) < min(converted(0.99 * best), converted(1.01 * best))
    assert total.moments(total.tilt_for_epsilon(2.0))[1] == pytest.approx(2.0, rel=1e-4)


def test_a_sum_that_is_certain_has_a_tilt():
    certain = GridSum((GridLaw(0.1, 3, np.array([1.0]), 0.0),), (2,))
    assert 0 < certain.tilt_for_delta(0.1) < np.inf


@given(st.floats(1e-3, 0.5), st.integers(1, 1000))
def test_what_is_infinite_counts_as_less_from_below(infinite, k):
    """By the rounding of each of k masses."""
    law = GridLaw(0.01, 0, np.array([1 - infinite]), infinite)
    total = GridSum((law,), (k,))
    bounds = DeltaBounds(total, 1.0)
    exact = -np.expm1(k * np.log1p(-infinite))
    assert bounds.lower(1e6) <= exact * (1 - 0.9 * k * ROUNDING)
    assert bounds.lower(1e6) == pytest.approx(exact, rel=2 * k * ROUNDING)
    assert bounds.upper(1e6) >= min(1.0, exact * (1 + 6 * 2.0**-53))


def test_no_upper_bound_of_delta_is_above_1():
    """Where delta is 1 - e^-25, and the transform may be wrong by more than that."""
    bounds = DeltaBounds(GridSum((GridLaw(1.0, 25, np.array([1.0]), 0.0),), (1,)), 1.0)
    assert np.exp(-25) < np.exp(25) * bounds.error < 0.5
    assert bounds.upper(0.0) == 1


def test_a_lower_bound_of_epsilon_is_found_however_far_it_is_below_the_upper_one():
    law = DeltaBounds(GridSum((GridLaw(1.0, 1, np.array([1.0]), 0.0),), (1,)), 1.0)
    assert _root_of_lower(law, 0.1, 10.0) == pytest.approx(1 + np.log(0.9))


def test_next_to_the_largest_loss_there_is_a_delta():
    assert delta_bounds([Release(LaplaceLoss(1.0))], epsilon=1 - 1e-9 / 2).upper > 2e-10
    assert delta_bounds([Release(LaplaceLoss(1.0))], epsilon=1 + 2e-9) == Bounds(0, 0)


def test_grids_are_as_fine_as_the_spread_asks_for_at_first_and_then_four_times_finer(monkeypatch):
    fine, put = [], loss_distribution._put_on_grids
    monkeypatch.setattr(loss_distribution, "_put_on_grids", lambda *a: fine.append(a[1]) or put(*a))
    losses = {LaplaceLoss(0.5): 9, GaussianLoss(0.3): 1}
    epsilon_bounds([Release(loss, k) for loss, k in losses.items()], delta=1e-6)
    assert fine[0] == pytest.approx(8 / _spread_of_sum(losses, 1e-20))
    assert np.array(fine[1:]) / fine[:-1] == pytest.approx(4)


@pytest.fixture
def grids(monkeypatch):
    """(fineness, points of the transform or 0 where none was made) of every grid that is tried."""
    tried, put, made = [], loss_distribution._put_on_grids, loss_distribution.DeltaBounds

    def noted(losses, fine, tail):
        tried.append([fine, 0])
        return put(losses, fine, tail)

    def transformed(total, theta):
        tried[-1][1] = window(total, theta)[1]
        return made(total, theta)

    monkeypatch.setattr(loss_distribution, "_put_on_grids", noted)
    monkeypatch.setattr(loss_distribution, "DeltaBounds", transformed)
    return tried


def rare(mu, rate, k):
    return Release(poisson_sampled_loss(GaussianLoss(mu), rate=rate), k)


def delta_one_way(release, epsilon):
    """Bound delta in the direction of the loss alone."""
    return loss_distribution._DeltaAt(epsilon).by_losses({release.mechanism: release.count})


def test_a_coarse_grid_is_tried_first_where_the_usual_one_is_large(grids):
    bounds = delta_bounds([rare(2.7, 1e-4, 2500)], epsilon=6.7)
    fine, points = np.array(grids).T
    assert fine / fine[0] == pytest.approx([1, 1 / 64, 1 / 16, 1 / 4, 1])
    assert points[0] == 0 < points[1] < points[2] < points[3] < points[4] < 2**20
    assert bounds.gap <= 5e-4


def test_the_first_grid_is_the_usual_one_where_that_is_small(grids):
    delta_one_way(rare(2.0, 0.01, 100), epsilon=1.0)
    fine, points = np.array(grids).T
    assert 0 < points[0] <= loss_distribution.FIRST_POINTS
    assert fine[1:] / fine[:-1] == pytest.approx(4)


def test_the_usual_grid_is_the_last_one_where_it_has_more_points_than_finer_ones_may(
    grids, monkeypatch
):
    monkeypatch.setattr(loss_distribution, "MAX_POINTS", 2**6)
    bounds = delta_one_way(rare(2.0, 0.01, 100), epsilon=1.0)
    assert len(grids) == 1
    assert 0 < bounds.lower < bounds.upper < 1


def test_coarse_grids_may_have_more_points_as_long_as_the_bounds_come_closer(grids, monkeypatch):
    """The third one has 2^17, from the first one on; both bounds are above 0."""
    monkeypatch.setattr(loss_distribution, "MAX_POINTS", 2**15)
    delta_bounds([rare(2.7, 1e-4, 2500)], epsilon=6.7)
    fine, points = np.array(grids).T
    assert fine / fine[0] == pytest.approx([1, 1 / 64, 1 / 16, 1 / 4, 1])
    assert points[3] > 2 * 2**15


def test_a_coarse_grid_that_is_large_itself_is_made_no_coarser(grids):
    bounds = delta_bounds([rare(0.8, 1e-5, 2000)], epsilon=1.2)
    fine, points = np.array(grids).T
    assert (fine / fine[0])[:2] == pytest.approx([1, 1 / 64])
    assert points[1] > loss_distribution.FIRST_POINTS
    assert bounds.upper < 1e-30


def test_coarse_grids_may_be_large_as_long_as_finer_ones_tell_much_more(grids):
    """Up to the usual step: there a transform of 2^22 points is made, as the third one helped."""
    bounds = delta_one_way(rare(1.0, 1e-6, 1000), epsilon=0.001)
    fine, points = np.array(grids).T
    assert fine / fine[0] == pytest.approx([1, 1 / 64, 1 / 16, 1 / 4, 1])
    assert points[-1] > 4 * loss_distribution.MAX_POINTS
    assert bounds.upper < 3e-8


def test_coarse_grids_are_limited_once_finer_ones_tell_no_more(grids):
    delta_one_way(rare(1.6, 3.3e-6, 680), epsilon=0.6)
    fine, points = np.array(grids).T
    assert fine / fine[0] == pytest.approx([1, 1 / 64, 1 / 16, 1 / 4, 1, 1 / 2])
    assert points[4] == 0 < points[5] <= 4 * loss_distribution.MAX_POINTS


@settings(max_examples=30)
@given(st.floats(0.3, 1), st.floats(-7, -3), st.floats(0, 4), st.floats(-2, 1), st.booleans())
def test_of_many_samples_at_a_small_rate_delta_is_bracketed(
    log_mu, log_rate, log_k, log_epsilon, reverse
):
    """With a lower bound of more than a tenth of the upper one, where that is 1e-6 or more."""
    loss = poisson_sampled_loss(GaussianLoss(10**log_mu), rate=10**log_rate)
    release = Release(loss.reverse() if reverse else loss, int(10**log_k))
    bounds = delta_one_way(release, epsilon=10**log_epsilon)
    assert bounds.lower <= bounds.upper
    assert bounds.upper < 1e-6 or bounds.lower > 0.1 * bounds.upper


def test_what_is_far_from_a_target_is_told_by_the_first_grid(monkeypatch):
    made, put = [], loss_distribution._put_on_grids
    monkeypatch.setattr(loss_distribution, "_put_on_grids", lambda *a: made.append(a) or put(*a))
    for delta, within in ((0.9, True), (1e-9, False)):
        assert certainly_within([Release(LaplaceLoss(0.5), 9)], ApproxDP(1.0, delta)) == within
    assert len(made) == 2


@pytest.mark.parametrize(
    ("loss", "k", "step"),
    [
        (GaussianLoss(1.0), 100, 1 / 100),
        (GaussianLoss(1.0), 4 * 10**6, 1 / 10**4),  # of a million at most
        (GaussianLoss(0.005), 100, 2 / 100),  # half as wide as a step: it may be twice as large
        (GaussianLoss(1e-6), 100, 1 / 10),
    ],
)
def test_the_step_of_a_loss_is_by_the_root_of_its_count_and_wider_where_it_is_narrow(loss, k, step):
    lower, upper = _put_on_grids({loss: k}, 10.0, 1e-20)
    assert lower.laws[0].step == upper.laws[0].step == pytest.approx(step)


def test_no_lower_bound_of_epsilon_is_below_0():
    total = GridSum((GridLaw(0.1, -5, np.array([1.0]), 0.0),), (1,))
    assert _root_of_lower(DeltaBounds(total, 1.0), 0.1, 0.0) == 0


@given(st.floats(-300, 2))
def test_a_closed_form_is_granted_a_part_of_delta_and_of_what_it_leaves(log_mu):
    """1e-9 of delta times 1 - delta, and 1e-14 for rounding: at epsilon 0 that is all."""
    loss = GaussianLoss(10**log_mu)
    delta, bounds = loss.delta(0.0), delta_bounds([Release(loss)], epsilon=0.0)
    room = delta * (1e-9 * (1 - delta) + 1e-14)
    assert delta - bounds.lower == pytest.approx(room, rel=0.01, abs=1e-15 * delta)
    assert bounds.upper - delta == pytest.approx(min(room, 1 - delta), rel=0.01, abs=1e-15 * delta)


def test_a_closed_form_is_granted_the_least_float_and_no_more_than_1():
    tiny = GaussianLoss(1e-320)
    bounds = delta_bounds([Release(tiny)], epsilon=0.0)
    assert bounds == Bounds(tiny.delta(0.0) - 5e-324, tiny.delta(0.0) + 5e-324)
    assert delta_bounds([Release(GaussianLoss(1.0))], epsilon=100.0) == Bounds(0, 5e-324)
    nearly = float(np.nextafter(1, 0))
    assert epsilon_bounds([Release(GaussianLoss(100.0))], delta=nearly).lower == 0


@given(st.floats(-6, 6), st.integers(1, 40), st.integers(1, 40))
def test_two_multiples_have_their_common_divisor_whatever_the_unit(log_unit, first, second):
    """Off by a rounding each."""
    unit = 10**log_unit
    found = _common_divisor(first * unit * (1 + 2e-16), second * unit)
    assert found == pytest.approx(unit * np.gcd(first, second), rel=1e-9)
    assert _common_divisor(0.0, 0.0) == 0


@pytest.mark.parametrize(
    "loss",
    [randomized_response_loss(0.7).one, LaplaceLoss(2.0), GaussianLoss(0.3), DISCRETE],
    ids=repr,
)
def test_the_first_step_is_a_part_of_the_spread(loss):
    spread = variance(loss) ** 0.5
    assert _spread(loss) == pytest.approx(spread, rel=1e-6)
    assert _spread_of_sum({loss: 100}, 1e-20) == pytest.approx(10 * spread, rel=1e-6)
    both = _spread_of_sum({loss: 4, LaplaceLoss(0.5): 9}, 1e-20)
    assert both == pytest.approx(np.hypot(2 * spread, 3 * _spread(LaplaceLoss(0.5))), rel=1e-6)


def test_the_first_step_is_no_finer_than_rounding_or_the_widest_loss_allows():
    rare = np.array([1e-8 * np.exp(-10), 1 - 1e-8 * (1 + np.exp(-10)), 1e-8])
    wide = AtomicLoss(np.array([-10.0, 0, 10]), rare, rare[::-1])
    assert _spread_of_sum({wide: 2}, 1e-30) == pytest.approx(0.02)
    assert _spread_of_sum({LaplaceLoss(1e-12): 2}, 1e-20) == pytest.approx(16e-11)
    told = AtomicLoss(np.array([0.0, np.inf]), np.array([0.9, 0.1]), np.array([1.0, 0.0]))
    assert _spread(told) == 1e-9
    mostly = AtomicLoss(np.array([-1.0, 1, np.inf]), np.array([0.2, 0.2, 0.6]), np.ones(3) / 3)
    assert _spread(mostly) == pytest.approx(1)


def test_a_step_has_the_ends_for_multiples_or_the_end_that_comes_most_often():
    coins = [randomized_response_loss(scale).one for scale in (0.3, 0.5, 2**0.5)]
    step = _align_step({coins[0]: 1, coins[1]: 1}, 0.04)
    assert step == pytest.approx(0.1 / 3)
    for often, end in ((coins[0], 0.3), (coins[2], 2**0.5)):
        step = _align_step({coins[0]: 1, coins[2]: 1, often: 9}, 0.04)
        assert 0.03 < step <= 0.04
        assert end / step == pytest.approx(round(end / step))
    for unit, found in ((0.00258, 0.00258), (0.0024, 9 * 0.0024)):  # a 16th of the step is 0.0025
        near = {randomized_response_loss(n * unit).one: n for n in (7, 9)}
        assert _align_step(near, 0.04) == pytest.approx(found)
    assert _align_step({coins[0]: 1, coins[1]: 1}, 0.05) == pytest.approx(0.05)
    assert _align_step({GaussianLoss(1.0): 3}, 0.03) == 0.03
    assert _align_step({randomized_response_loss(0.001).one: 1}, 0.04) == 0.04
    assert _align_step({randomized_response_loss(0.003).one: 1}, 0.04) == pytest.approx(0.003)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("steps", "most", "expected"),
    [
        (30, 20, 15),
        (31, 20, 1),
        (101, 100, 6),
        (101, 95, 5),
        (606, 95, 6),
        (64, 64, 64),
        (3, 0.5, 1),
    ],
)
def test_a_loss_has_the_widest_steps_that_divide_its_ends(steps, most, expected):
    """Or, where these are 16 times finer than they might be, as many as that."""
    coin = randomized_response_loss(0.01 * steps).one
    assert _multiple(coin, 0.01, 0.01 * most * 1.001) == expected
    assert _multiple(GaussianLoss(1.0), 0.01, 0.01 * most * 1.001) == max(1, int(most))


@pytest.mark.parametrize("shift", [0.01, 2.0])
def test_an_end_is_where_an_atom_is_and_not_where_a_density_comes_near(shift):
    """Where a record is added, a part of 3e-8 is within a part of 1e-9 of the largest loss."""
    assert np.array(_ends(LaplaceLoss(shift))) == pytest.approx(
        np.array([[-shift, np.exp(-shift) / 2], [shift, 0.5]])
    )
    assert _ends(poisson_sampled_loss(GaussianLoss(3.0), rate=shift / 4).reverse()) == []


def test_a_step_that_is_the_whole_but_for_rounding_is_one_of_it():
    assert _multiple(LaplaceLoss(1.0), 0.25 * (1 + 1e-10), 0.25) == 1


def test_bounds_that_agree_leave_no_gap():
    assert [Bounds(both, both).gap for both in (0.0, 2.0, np.inf)] == [0, 0, 0]
    assert [Bounds(3.0, upper).gap for upper in (4.0, np.inf)] == [0.25, 1]


@pytest.mark.parametrize("delta", [1e-2, 1e-6, 1e-12])
def test_the_transform_of_coins_meets_the_binomial_law(delta):
    epsilon_0, k = 0.1, 500
    exact = randomized_response_loss(epsilon_0, k).epsilon(delta)
    near = Release(randomized_response_loss(epsilon_0 / 10), 1)  # so that no closed form applies
    bounds = epsilon_bounds([Release(randomized_response_loss(epsilon_0), k), near], delta=delta)
    assert exact - 1e-6 <= bounds.upper
    assert bounds.lower <= exact + epsilon_0 / 10
    assert bounds.gap <= 5e-4


def test_fifty_coins_in_one_loss_are_fifty_losses():
    near = Release(LaplaceLoss(0.05))  # so that no closed form applies
    one, many = randomized_response_loss(0.1), randomized_response_loss(0.1, 50)
    alone = epsilon_bounds([Release(one, 100)], delta=1e-6)
    assert epsilon_bounds([Release(many, 2)], delta=1e-6) == alone
    separate = epsilon_bounds([Release(one, 100), near], delta=1e-6)
    assert epsilon_bounds([Release(many, 2), near], delta=1e-6) == separate
    assert separate.lower > many.epsilon(1e-6)


@pytest.mark.parametrize("loss", [GaussianLoss(5.0), randomized_response_loss(1.0, 200)])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 20.0, 150.0])
def test_a_closed_form_is_granted_an_error_that_grows_with_epsilon(loss, epsilon):
    bounds = delta_bounds([Release(loss)], epsilon=epsilon)
    less, more = loss.delta(epsilon * (1 + 1e-9)), loss.delta(epsilon * (1 - 1e-9))
    assert less * (1 - 2e-9) <= bounds.lower <= less
    assert more <= bounds.upper <= more * (1 + 2e-9)


@pytest.mark.parametrize("loss", [GaussianLoss(1.0), randomized_response_loss(0.1, 200)])
@pytest.mark.parametrize("delta", [0.1, 1e-6])
def test_the_epsilon_of_a_closed_form_is_granted_a_part_of_itself_besides(loss, delta):
    bounds = epsilon_bounds([Release(loss)], delta=delta)
    room = delta * (1e-9 * (1 - delta) + 1e-14)
    assert bounds.lower == pytest.approx(loss.epsilon(delta + room) * (1 - 1e-9), rel=3e-11)
    assert bounds.upper == pytest.approx(loss.epsilon(delta - room) * (1 + 1e-9), rel=3e-11)


def test_a_wide_loss_that_hardly_ever_comes_needs_no_fine_grid():
    """One of two losses is 10 with probability 2 t: delta is 2 t (1 - e^{epsilon - 10})."""
    t = 1e-20
    law = np.array([t * np.exp(-10), 1, t])
    loss = AtomicLoss(np.array([-10.0, 0, 10]), law, law[::-1])
    bounds = epsilon_bounds([Release(loss, 2)], delta=t)
    assert bounds.lower <= 10 + np.log(0.5) <= bounds.upper
    assert bounds.gap <= 5e-4


def test_grids_are_made_finer_no_more_where_twice_finer_is_too_large(monkeypatch):
    """Two coins have a step in common that is far finer than the first one tried, and half as fine
    a grid has it, too."""
    releases = [Release(GaussianLoss(1.2))]
    releases += [Release(randomized_response_loss(n * 0.0021)) for n in (41, 44)]
    exact, fine, put = epsilon_bounds(releases, delta=1e-6), [], loss_distribution._put_on_grids

    def noted(*arguments):
        fine.append(arguments[1])
        assert len(fine) < 9
        return put(*arguments)

    class Watched(DeltaBounds):
        def __init__(self, total, theta):
            assert window(total, theta)[1] <= 4 * 2**10
            super().__init__(total, theta)

    monkeypatch.setattr(loss_distribution, "DeltaBounds", Watched)
    monkeypatch.setattr(loss_distribution, "MAX_POINTS", 2**10)
    monkeypatch.setattr(loss_distribution, "_put_on_grids", noted)
    bounds = epsilon_bounds(releases, delta=1e-6)
    assert np.array(fine[1:]) / fine[:-1] == pytest.approx([4, 4, 0.5])
    assert bounds.lower <= exact.lower <= exact.upper <= bounds.upper < 1.01 * exact.upper


@settings(max_examples=20)
@given(st.floats(-2, 6), st.sampled_from([1e-9, 1e-2, 0.5]))
def test_normal_noise_of_any_size_beside_another(exponent, delta):
    """The other release, of epsilon 1, adds nothing at least and one nat at most; what is too large
    for a grid is said to be."""
    normal = GaussianLoss(10**exponent)
    releases = [Release(normal), Release(LaplaceLoss(1.0))]
    if exponent > 4.17:  # the mean, mu^2 / 2, is above 1.09e8 nats
        for add_up in (
            lambda: epsilon_bounds(releases, delta=delta),
            lambda: total_loss(r.mechanism for r in releases).delta(1.0),
        ):
            with pytest.raises(ValueError, match="more than 1e8 nats is too large"):
                add_up()
    elif exponent < 4.16:
        bounds, alone = epsilon_bounds(releases, delta=delta), normal.epsilon(delta)
        assert bounds.lower <= alone + 1
        assert alone <= bounds.upper <= 1.001 * (alone + 1)


@settings(max_examples=20)
@given(pairs_of_laws(3), pairs_of_laws(2), st.sampled_from([1e-1, 1e-3]))
def test_bounds_of_random_finite_laws_hold_the_exact_sum(first, second, delta):
    losses = [privacy_loss(*first), privacy_loss(*second)]
    total = total_loss([losses[0]] * 3 + [losses[1]] * 2)
    exact = max(total.epsilon(delta), total.reverse().epsilon(delta))
    bounds = epsilon_bounds([Release(losses[0], 3), Release(losses[1], 2)], delta=delta)
    assert bounds.lower - 1e-8 <= exact <= bounds.upper + 1e-8
    assert bounds.upper - bounds.lower <= 0.02 * max(1, exact)


@settings(max_examples=20)
@given(pairs_of_laws(3), st.floats(0.01, 0.3), st.floats(0, 2))
def test_one_release_on_the_grid_is_bracketed_at_every_epsilon(pair, step, epsilon):
    """The hockey stick of the merged law is nowhere above, that of the split law nowhere below."""
    loss = privacy_loss(*pair)

    def hockey_stick(law):
        return float(law.masses @ np.maximum(0, -np.expm1(epsilon - law.losses)))

    exact = loss.delta(epsilon)
    assert hockey_stick(optimistic(loss, step, 1e-20)) <= exact + 1e-12
    assert hockey_stick(pessimistic(loss, step, 1e-20)) >= exact - 1e-12


@pytest.mark.parametrize("place", [0.0, 30.0])
def test_merged_losses_keep_the_mean_ratio_however_large_they_are(place):
    z, p = place + np.array([0.03, 0.06, 0.2, 0.24]), np.array([0.1, 0.1, 0.5, 0.3])
    law = optimistic(AtomicLoss(z, p, p * np.exp(-z)), 0.1, 1e-20)
    assert law.masses @ np.exp(place - law.losses) == pytest.approx(p @ np.exp(place - z), rel=1e-9)


@pytest.mark.parametrize("rare", [1e-3, 1e-12])
def test_no_loss_is_merged_into_a_larger_one_however_rare_it_is(rare):
    z, p = np.array([0.0, 0.03]), np.array([1 - rare, rare])
    law = optimistic(AtomicLoss(z, p, p * np.exp(-z)), 0.1, 1e-20)
    assert law.masses[law.losses > 0.05].sum() == 0


@pytest.mark.parametrize("off", [0.0, 4e-12, 6e-12, 1.5e-11])
def test_a_loss_next_to_a_multiple_is_moved_by_a_rounding_at_most(off):
    more, less = (randomized_response_loss(1.0 + move).one for move in (off, -off))
    assert pessimistic(more, 0.1, 1e-20).losses[-1] >= more.largest - ROUNDING
    merged = optimistic(less, 0.1, 1e-20)
    assert merged.losses[merged.masses > 0].max() <= less.largest + ROUNDING


def test_what_merges_into_a_multiple_but_for_rounding_is_there():
    z = np.array([0.05, 0.13])
    first, second = -np.expm1(0.1 - z)  # below 0 and above: as much of both would cancel
    p = np.array([1.0, -first / second * (1 - 1e-13)])
    p /= p.sum()
    law = optimistic(AtomicLoss(z, p, p * np.exp(-z)), 0.1, 1e-20)
    assert law.losses[law.masses > 0] == pytest.approx([0.1])


@pytest.mark.parametrize("loss", [LaplaceLoss(0.7), GaussianLoss(0.3)])
def test_both_grid_laws_keep_the_mass_and_the_mean_ratio(loss):
    """Masses sum to one, and so do masses times e^{-z}: both are laws of likelihood ratios."""
    for put in (optimistic, pessimistic):
        law = put(loss, 0.01, 1e-20)
        assert law.masses.sum() == pytest.approx(1, abs=1e-12)
        assert law.masses @ np.exp(-law.losses) == pytest.approx(1, abs=1e-9)


class Catastrophe(LaplaceLoss):
    """Laplace noise, and once in a hundred times everything is told."""

    infinite = 0.01
    largest = np.inf

    @property
    def smallest(self):
        return np.log1p(-self.infinite) - self.shift

    def tails(self, threshold):
        p, q = super().tails(threshold - np.log1p(-self.infinite))
        return self.infinite + (1 - self.infinite) * p, q

    def delta(self, epsilon):
        left = super().delta(epsilon - np.log1p(-self.infinite))
        return self.infinite + (1 - self.infinite) * left

    def masses(self, edges):
        p, q = super().masses(edges - np.log1p(-self.infinite))
        return (1 - self.infinite) * p, q


@pytest.mark.parametrize("loss", [LaplaceLoss(0.7), GaussianLoss(0.3), Catastrophe(0.7)])
@pytest.mark.parametrize("tail", [1e-20, 1e-6, 1e-3])
def test_what_is_beyond_the_grid_is_infinite_from_above_and_the_last_loss_from_below(loss, tail):
    split, merged = pessimistic(loss, 0.01, tail), optimistic(loss, 0.01, tail)
    for law in (split, merged):
        assert law.masses.sum() + law.infinite == pytest.approx(1, abs=1e-12)
    assert merged.infinite == loss.infinite <= split.infinite <= loss.infinite + tail
    last = merged.losses[-1] - 0.05
    kept = merged.masses[merged.losses > last - 0.01].sum()
    assert kept >= loss.tails(last)[0] - loss.infinite - 1e-12
    for epsilon in (0.0, 0.1, 0.5, 0.8, 2.0):
        low, high = (
            law.infinite + law.masses @ np.maximum(0, -np.expm1(epsilon - law.losses))
            for law in (merged, split)
        )
        assert low - 1e-12 <= loss.delta(epsilon) <= high + 1e-12


def test_no_mass_is_negative_where_losses_are_multiples_but_for_rounding():
    losses = np.nextafter(0.7 * np.arange(-30, 31, 3), np.inf)
    p: np.ndarray = 1e-9 * np.arange(1, len(losses) + 1)  # so that rounding of log q is larger
    assert (pessimistic(AtomicLoss(losses, p, p * np.exp(-losses)), 0.7, 1e-20).masses >= 0).all()


FAR_APART = (Finite.of({0: 0.49, 1: 0.01, 2: 0.5}), Finite.of({0: 0.97, 1: 0.02, 2: 0.01}))


@given(pairs_of_laws(3), st.integers(1, 40))
@example(FAR_APART, 1)  # steps of 1.25 for losses of -0.68, -0.69 and 3.91
@settings(max_examples=30)
def test_few_losses_keep_the_mass_and_the_mean_ratio(pair, steps):
    """On steps above 0.32 merging may not suffice; then losses are rounded down, by a step at most.

    This increases the mean of e^{-Z}, and no delta.
    """
    loss = privacy_loss(*pair)
    step = max(loss.largest / steps, 1e-3)
    split, merged = pessimistic(loss, step, 1e-20), optimistic(loss, step / np.pi, 1e-20)
    for law in (split, merged):
        most = np.exp(law.step) if law is merged and law.step > 0.3 else 1
        assert law.masses.sum() == pytest.approx(1, abs=1e-12)
        assert 1 - 1e-9 <= law.masses @ np.exp(-law.losses) <= most + 1e-9
    for epsilon in merged.losses:
        delta = merged.masses @ np.maximum(0, -np.expm1(epsilon - merged.losses))
        assert delta <= loss.delta(epsilon) + 1e-12


@given(st.floats(0.01, 0.9), st.integers(3, 20))
@settings(max_examples=5)
def test_epsilon_is_finite_where_delta_covers_all_that_is_infinite(infinite, k):
    """delta is the catastrophe's own probability, or a rounding error more: no bound is inf."""
    p = Finite.of({0: infinite, 1: 0.6 * (1 - infinite), 2: 0.4 * (1 - infinite)})
    releases = [Release(privacy_loss(p, Finite.of({1: 0.5, 2: 0.5})), k)]
    catastrophe = -np.expm1(k * np.log1p(-infinite))
    if catastrophe < 1:
        assert epsilon_bounds(releases, delta=catastrophe).lower < np.inf


def test_an_outcome_that_one_group_uses_up_does_not_hold_up_the_next():
    bounds = delta_bounds([Release(LaplaceLoss(2**0.5 / 8), 2)], epsilon=1)
    assert (bounds.lower, bounds.upper) == (0, 0)  # two losses of at most 0.18


@pytest.mark.parametrize("loss", [LaplaceLoss(0.7), GaussianLoss(0.3)])
def test_masses_of_cells_are_differences_of_tails(loss):
    edges = np.linspace(-1, 1, 81)
    for mass, tail in zip(loss.masses(edges), loss.tails(edges), strict=True):
        np.testing.assert_allclose(mass, -np.diff(tail), atol=1e-14)


@pytest.mark.parametrize("cells", [64, 4096])
@pytest.mark.parametrize("end", [-9.0, -1.0, 0.0, 4.0, 9.0])
def test_small_cells_of_normal_losses_have_all_their_digits(cells, end):
    """Gauss-Legendre quadrature is exact on a cell so narrow; the certificate counts on 1e-11."""
    mu = 0.3
    edges = mu * (end + np.arange(9) / cells)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    middles, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    z = middles[:, None] + halves[:, None] * nodes
    for mass, mean in zip(GaussianLoss(mu).masses(edges), (mu**2 / 2, -(mu**2) / 2), strict=True):
        np.testing.assert_allclose(mass, norm.pdf(z, mean, mu) @ weights * halves, rtol=1e-11)


def test_mixed_releases_lie_between_what_their_parts_say():
    """A thousand normal and a thousand Laplace losses have nearly the law of 2,000 of a kind."""
    mixed = [Release(GaussianLoss(0.05), 1000), Release(LaplaceLoss(0.05), 1000)]
    bounds = epsilon_bounds(mixed, delta=1e-6)

    def log_moment(s):
        return 1000 * (np.log(laplace_moment(s, 0.05)) + s * (s + 1) * 0.05**2 / 2)

    for epsilon, side in ((bounds.lower, 1), (bounds.upper, -1)):
        assert side * (inverted_delta(log_moment, epsilon, 2.5, 30) - 1e-6) >= 0
    assert bounds.gap <= 5e-4


@pytest.mark.parametrize("loss", [LaplaceLoss(0.05), randomized_response_loss(0.05)])
def test_epsilon_and_delta_bounds_agree(loss):
    releases = [Release(loss, 400)]
    epsilons = [epsilon_bounds(releases, delta=delta) for delta in (1e-3, 1e-6, 1e-9)]
    assert epsilons[0].upper < epsilons[1].lower < epsilons[2].lower  # monotone
    for delta, epsilon in zip((1e-3, 1e-6, 1e-9), epsilons, strict=True):
        bounds = delta_bounds(releases, epsilon=epsilon.upper)
        assert bounds.lower <= delta * (1 + 1e-6)
        assert delta_bounds(releases, epsilon=epsilon.lower).upper >= delta * (1 - 1e-6)
        assert bounds.gap < 0.02


def test_what_only_one_law_can_produce_is_infinite():
    p, q = Finite.of({0: 0.01, 1: 0.59, 2: 0.4}), Finite.of({1: 0.5, 2: 0.5})
    releases = [Release(privacy_loss(p, q), 20)]
    assert epsilon_bounds(releases, delta=0.1).lower == np.inf
    finite = epsilon_bounds(releases, delta=0.3)
    assert 0 <= finite.lower <= finite.upper < np.inf
    catastrophe = 1 - 0.99**20
    assert delta_bounds(releases, epsilon=50).lower == pytest.approx(catastrophe, rel=1e-6)


@pytest.mark.parametrize("sigma", [*range(2, 41), 0.3, 100, 1000])
def test_discrete_gaussian_losses(sigma):
    """A loss is a straight line in the outcome, so that of two is a convolution of lists."""
    loss = privacy_loss(DiscreteGaussian(0, sigma), DiscreteGaussian(1, sigma))
    p, q = np.convolve(loss.p, loss.p), np.convolve(loss.q, loss.q)
    both = AtomicLoss(np.linspace(2 * loss.losses[0], 2 * loss.losses[-1], len(p)), p, q)
    bounds = epsilon_bounds([Release(loss, 2)], delta=1e-6)
    assert bounds.gap <= 1e-3
    assert bounds.lower - 1e-9 <= both.epsilon(1e-6) <= bounds.upper + 1e-9
    at = delta_bounds([Release(loss, 2)], epsilon=both.epsilon(1e-6))
    assert at.lower <= 1e-6 * (1 + 1e-6)
    assert at.upper >= 1e-6 * (1 - 1e-6)


@pytest.mark.parametrize("shift", [1e-300, 1e-100, 1e-14, 1e-9])
@pytest.mark.parametrize("count", [1, 2, 1000])
def test_losses_next_to_nothing(shift, count):
    """Together they spend between that of one and the sum, but for a rounding of 1e-11 each."""
    releases = [Release(LaplaceLoss(shift), count)]
    assert epsilon_bounds(releases, delta=1e-5).upper <= 1e-11 * count
    found = delta_bounds(releases, epsilon=0)
    assert found.lower <= count * shift / 2
    assert found.upper >= LaplaceLoss(shift).delta(0)


@pytest.mark.parametrize("shift", [1e-300, 1e-14, 1e-9])
def test_a_thousand_losses_next_to_nothing_beside_a_normal_one(shift):
    releases = [Release(LaplaceLoss(shift), 1000), Release(GaussianLoss(0.3))]
    bounds, alone = epsilon_bounds(releases, delta=1e-6), GaussianLoss(0.3).epsilon(1e-6)
    assert bounds.upper >= alone * (1 - 1e-9)
    assert bounds.lower <= alone + 1000 * shift


def test_what_is_within_delta_costs_nothing():
    """Two Laplace losses of 0.1 have a delta(0) of at most 0.1."""
    for releases in ([Release(NO_LOSS, 1000)], [Release(LaplaceLoss(0.1), 2)]):
        assert epsilon_bounds(releases, delta=0.1) == Bounds(0, 0)


@pytest.mark.parametrize("delta", [1e-20, 1e-100, 1e-300])
@pytest.mark.parametrize(("shift", "k"), [(17.0, 3), (1.0, 3), (0.1, 300), (1e-9, 7)])
def test_no_total_is_larger_than_the_sum_of_the_largest(shift, k, delta):
    """Where delta is smaller than a transform can tell, too; and nothing is left of it for less
    than the largest, which come together with probability 2^-k, of at least 4.9e-91."""
    bounds = epsilon_bounds([Release(LaplaceLoss(shift), k)], delta=delta)
    assert 0 < bounds.lower <= bounds.upper <= k * shift * (1 + 2e-9)
    if delta < 1e-99:
        assert bounds.upper >= k * shift * (1 - 1e-10)


@pytest.mark.parametrize(
    ("releases", "delta"),
    [
        ([Release(ApproxDP(30.0, 0.1), 2)], 0.3),
        ([Release(ApproxDP(100.0, 1e-6), 2), Release(LaplaceLoss(1.0))], 1e-3),
        ([Release(poisson_sampled_loss(GaussianLoss(1.5), rate=2e-9), 100)], 1e-112),
    ],
)
def test_one_loss_far_larger_than_the_spread_has_a_grid_of_its_size(releases, delta):
    """Else it would have 10^9 points and more."""
    made = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            loss_distribution, "pessimistic", lambda *a: made.append(pessimistic(*a)) or made[-1]
        )
        bounds = epsilon_bounds(releases, delta=delta)
    assert max(len(law.masses) for law in made) < 2**21
    assert 0 <= bounds.lower <= bounds.upper < np.inf


def test_what_is_left_of_ten_thousand_tails_is_nothing_beside_delta():
    loss = poisson_sampled_loss(GaussianLoss(1.0), rate=0.01)
    assert epsilon_bounds([Release(loss, 10_000)], delta=1e-5).gap <= 5e-4


def test_a_tail_far_heavier_than_the_spread_says_has_a_window_of_its_size():
    """Ten million coins of epsilon 137, which lie with probability e^-137: not 10^13 points."""
    step, masses = 1e-4, np.zeros(2_740_001)
    masses[[0, -1]] = np.exp(-137.0), 1.0
    total = GridSum((GridLaw(step, -1_370_000, masses, 0.0),), (10**7,))
    start, width = window(total, 1e-3)
    assert start + width - 1 == 1_370_000 * 10**7
    assert width < 2**22


ONE_WAY = AtomicLoss(np.array([0, np.inf]), np.array([0.9, 0.1]), np.array([1.0, 0]))


@pytest.mark.parametrize("others", [[], [ZCDP(0.01)], [BoundedRange(0.1)]])
def test_all_releases_go_in_the_worse_direction_together(others):
    """A record that only its presence shows: two such releases, and not one in each direction."""
    sampled = poisson_sampled_loss(LaplaceLoss(1.0), rate=0.1)
    for loss in (ONE_WAY, sampled):
        bounds = [
            delta_bounds([Release(one, 2), *map(Release, others)], epsilon=0.01)
            for one in (loss, loss.reverse())
            if not (others and loss is ONE_WAY)  # which has no curve
        ]
        assert all(bound == bounds[0] for bound in bounds)
    if not others:
        alone = [delta_one_way(Release(one, 2), 0.01) for one in (sampled, sampled.reverse())]
        assert bounds[0] == max(alone, key=lambda bound: bound.upper)
        assert alone[0].lower > 1.01 * alone[1].upper
        both = delta_bounds([Release(ONE_WAY), Release(ONE_WAY.reverse())], epsilon=0.0)
        assert delta_bounds([Release(ONE_WAY, 2)], epsilon=0.0).lower == pytest.approx(0.19)
        assert both.upper == pytest.approx(0.1)


def test_a_symmetric_loss_is_added_up_once(monkeypatch):
    asked, add_up = [], loss_distribution._DeltaAt.by_losses
    monkeypatch.setattr(
        loss_distribution._DeltaAt, "by_losses", lambda *a: asked.append(a) or add_up(*a)
    )
    delta_bounds([Release(LaplaceLoss(1)), Release(DISCRETE), Release(PureDP(1))], epsilon=0.5)
    assert len(asked) == 1
    assert not ONE_WAY.is_symmetric


class Unknown(PrivacyLoss):
    smallest, largest = -1.0, 1.0

    def tails(self, threshold):
        return 0.5, 0.5

    def reverse(self):
        return self

    delta = true_positive_rate = renyi = None


def test_bad_arguments_are_named():
    calls = [
        (lambda: epsilon_bounds([], delta=0.1), "releases must not be empty"),
        (lambda: Release(LaplaceLoss(1), 0), "count must be a whole number of at least 1, not 0"),
        (lambda: Release(0.5, 1), "mechanism must be a mechanism, .* not 0.5"),
        (lambda: epsilon_bounds([Release(LaplaceLoss(1), 2)], delta=0), "above 0 and below 1"),
        (lambda: epsilon_bounds([Release(LaplaceLoss(1), 2)], delta=1), "below 1, not 1"),
        (lambda: delta_bounds([Release(LaplaceLoss(1), 2)], epsilon=-1), "at least 0, not -1"),
        (lambda: epsilon_bounds([Release(Unknown(), 2)], delta=0.1), "no accurate masses"),
    ]
    assert_refused(calls)


def test_what_is_told_for_certain_is_infinite_for_certain():
    told = GridLaw(0.1, 0, np.array([0.0]), 1.0)
    rarely = GridLaw(0.1, 0, np.array([0.75]), 0.25)
    assert GridSum((told, rarely), (1, 2)).infinite == 1
    assert GridSum((rarely,), (2,)).infinite == pytest.approx(1 - 0.75**2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("other", [PureDP(50.0), ZCDP(1.0), LaplaceLoss(50.0)])
@pytest.mark.parametrize("catastrophe", [1 - 2.0**-47, 1 - 2.0**-49, 1.0])
def test_releases_beside_a_nearly_certain_catastrophe_count_as_well(other, catastrophe):
    """The catastrophe and the other release may together hide 2^-53 of the probability."""
    releases = [Release(ApproxDP(0.0, catastrophe)), Release(other)]
    bounds = epsilon_bounds(releases, delta=1 - 2.0**-53)
    missing = 1 - catastrophe
    needed = np.inf
    if missing:
        needed = epsilon_bounds([Release(other)], delta=1 - 2.0**-53 / missing).lower
    assert bounds.upper >= needed
