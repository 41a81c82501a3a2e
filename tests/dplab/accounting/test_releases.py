"""Mechanisms, promises and curves in one sum, against the theorem for each kind."""

import math
import re

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dplab import (
    ADD_REMOVE,
    BoundedRange,
    ExponentialMechanism,
    GaussianMechanism,
    GeometricMechanism,
    LaplaceMechanism,
    PermuteAndFlip,
    RandomizedResponse,
    RenyiDP,
    StabilityHistogram,
    histogram,
)
from dplab.accounting import (
    Bounds,
    Release,
    RenyiCurve,
    delta_bounds,
    epsilon_bounds,
    optimal_delta,
    optimal_epsilon,
    renyi_curve,
)
from dplab.accounting.releases import worst_loss
from dplab.guarantees import ZCDP, ApproxDP, PureDP
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss, total_loss
from tests.refusals import assert_refused

LAPLACE = LaplaceMechanism(sum, sensitivity=1, epsilon=0.1)
GAUSSIAN = GaussianMechanism(sum, sensitivity=1, sigma=10)
ALL_OR_NOTHING = AtomicLoss(np.array([0, np.inf]), np.array([0.9, 0.1]), np.array([1, 0]))
deltas = st.sampled_from([1e-2, 1e-6, 1e-10])


@given(st.floats(0.01, 1), st.integers(1, 300), deltas)
def test_pure_promises_cost_what_coins_do(epsilon, k, delta):
    bounds = epsilon_bounds([Release(PureDP(epsilon), k)], delta=delta)
    exact = optimal_epsilon(ApproxDP(epsilon, 0), k, delta=delta)
    assert bounds.lower <= exact <= bounds.upper
    # Next to an epsilon of 0 it is the difference of two deltas, whose digits are all there are.
    assert bounds.upper - bounds.lower <= 1e-8 * max(bounds.upper, np.sqrt(k) * epsilon)


@settings(max_examples=40, deadline=None)
@given(
    st.floats(-14, 2.5),
    st.integers(1, 40),
    st.just(0.0) | st.floats(-250, -0.1).map(lambda x: 10**x),
    st.floats(0, 1.1),
    st.floats(-300, -1e-9),
)
@example(2.5, 5, 0.0, 0.0, -1.0)
@example(2.5, 40, 1e-250, 0.0, -300.0)
def test_bounds_for_promises_of_any_size_hold_the_exact_sum(log_epsilon, k, told, share, log_delta):
    """The binomial law of the coins, and the chance that all is told, to 400 digits and more.

    More by as many as the rarest outcome has zeros, or one less that outcome would round to one.
    """
    promise = ApproxDP(10**log_epsilon, told)
    releases, delta = [Release(promise, k)], 10**log_delta
    with mpmath.workdps(400 + math.ceil(k * promise.epsilon / math.log(10))):
        e, all_told = mpmath.mpf(promise.epsilon), 1 - (1 - mpmath.mpf(told)) ** k
        truth, lie = 1 / (1 + mpmath.exp(-e)), 1 / (1 + mpmath.exp(e))
        law = [
            (mpmath.binomial(k, n) * truth**n * lie ** (k - n), (2 * n - k) * e)
            for n in range(k + 1)
        ]

        def exact(epsilon):
            rest = sum(p * -mpmath.expm1(epsilon - z) for p, z in law if z > epsilon)
            return 1 - (1 - all_told) * (1 - rest)

        bounds = delta_bounds(releases, epsilon=share * k * promise.epsilon)
        assert bounds.lower <= exact(share * k * promise.epsilon) <= bounds.upper
        bounds = epsilon_bounds(releases, delta=delta)
        if bounds.lower == np.inf:
            assert all_told > delta
        elif bounds.lower > 0:
            assert exact(bounds.lower * (1 - mpmath.mpf(10) ** -40)) > delta
        assert bounds.upper == np.inf or exact(bounds.upper) <= delta


@given(st.floats(0.01, 5), st.floats(1e-9, 0.9))
def test_the_worst_loss_of_a_promise_is_two_laws_that_keep_it(epsilon, delta):
    """And use it up, in both directions."""
    loss = worst_loss(ApproxDP(epsilon, delta))
    assert (loss.p.sum(), loss.q.sum()) == pytest.approx((1, 1))
    assert (loss.p >= 0).all()
    assert (loss.q >= 0).all()
    finite = slice(1, 3)
    assert np.log(loss.p[finite] / loss.q[finite]) == pytest.approx(loss.losses[finite])
    for each in (loss, loss.reverse()):
        assert (each.infinite, each.delta(epsilon)) == pytest.approx((delta, delta))


def test_bounds_for_a_thousand_million_coins():
    bounds = delta_bounds([Release(PureDP(1e-5), 10**9)], epsilon=1.0)
    assert 0 < bounds.upper - bounds.lower < 1e-7 * bounds.upper
    assert bounds.lower < optimal_delta(ApproxDP(1e-5, 0), 10**9, epsilon=1.0) < bounds.upper


def test_a_delta_that_is_just_what_is_told_has_an_epsilon():
    bounds = epsilon_bounds([Release(ApproxDP(1, 1e-6))], delta=1e-6)
    assert bounds.lower <= 1 <= bounds.upper < 1 + 1e-8


@pytest.mark.parametrize("others", [[], [Release(LaplaceLoss(0.1), 4)]])
def test_where_all_is_told_nothing_else_matters(others):
    releases = [Release(ApproxDP(1, 1.0), 3), *others]
    assert epsilon_bounds(releases, delta=0.5) == Bounds(np.inf, np.inf)
    assert delta_bounds(releases, epsilon=2).upper == 1
    assert delta_bounds(releases, epsilon=2).gap < 1e-13


@settings(max_examples=15)
@given(st.floats(0.01, 1), st.floats(1e-9, 1e-4), st.integers(1, 60))
def test_promises_with_a_delta_cost_what_the_optimal_theorem_says(epsilon, delta, k):
    bounds = epsilon_bounds([Release(ApproxDP(epsilon, delta), k)], delta=0.01)
    exact = optimal_epsilon(ApproxDP(epsilon, delta), k, delta=0.01)
    assert bounds.lower - 1e-8 <= exact <= bounds.upper + 1e-8
    assert bounds.gap <= 1e-3 or exact < 1e-3


def test_a_hundred_of_this_and_ten_of_that():
    releases = [Release(LAPLACE, 100), Release(GAUSSIAN, 10)]
    losses = [Release(LaplaceLoss(0.1), 100), Release(GaussianLoss(0.1), 10)]
    assert epsilon_bounds(releases, delta=1e-6) == epsilon_bounds(losses, delta=1e-6)
    assert delta_bounds(releases, epsilon=1) == delta_bounds(losses, epsilon=1)


def test_side_by_side_is_both_and_the_two_ways_to_add_up_agree():
    """A product's loss lies on a grid; the certified interval ends where it says, or below."""
    half = LaplaceMechanism(sum, sensitivity=1, epsilon=0.5)
    both = delta_bounds([Release(half.compose(half))], epsilon=0.3)
    assert both == delta_bounds([Release(half, 2)], epsilon=0.3)
    rounded = half.compose(half).privacy_loss([1], [0]).delta(0.3)
    assert both.lower <= rounded
    assert rounded - both.upper <= 2e-6
    nested = LAPLACE.compose(GAUSSIAN).compose(LAPLACE)
    assert delta_bounds([Release(nested, 3)], epsilon=0.3) == delta_bounds(
        [Release(LAPLACE, 6), Release(GAUSSIAN, 3)], epsilon=0.3
    )


def test_what_is_only_drawn_counts_with_its_promise():
    mechanism = StabilityHistogram(epsilon=1, delta=1e-8, neighbors=ADD_REMOVE)
    found = epsilon_bounds([Release(mechanism, 5)], delta=1e-6)
    exact = optimal_epsilon(ApproxDP(1, 1e-8), 5, delta=1e-6)
    assert found.lower <= exact <= found.upper


@given(st.floats(0.001, 0.5), st.integers(1, 50), deltas)
def test_concentrated_promises_go_by_their_curve(rho, k, delta):
    found = epsilon_bounds([Release(ZCDP(rho), k)], delta=delta)
    curve = (k * RenyiCurve.of(ZCDP(rho))).to_approx(delta).epsilon
    assert (found.lower, found.upper) == (0, pytest.approx(curve))
    assert ZCDP(k * rho).to_approx(delta).epsilon <= found.upper * (1 + 1e-9)
    at = delta_bounds([Release(ZCDP(rho), k)], epsilon=found.upper)
    assert at.upper == pytest.approx(delta, rel=1e-6) or found.upper == 0


def test_losses_and_promises_of_renyi_divergences_add_up_in_one_curve():
    releases = [Release(LAPLACE, 100), Release(ZCDP(1 / 200), 10), Release(PureDP(0.01), 3)]
    curve, told = renyi_curve(releases)
    parts = [100 * LaplaceLoss(0.1).renyi(2) + 10 * 2 / 200 + 3 * PureDP(0.01).to_renyi(2).epsilon]
    assert np.interp(2, curve.orders, curve.epsilons) == pytest.approx(parts[0], rel=1e-4)
    assert told == 0
    normal = [Release(LAPLACE, 100), Release(GAUSSIAN, 10), Release(PureDP(0.01), 3)]
    found = epsilon_bounds(releases, delta=1e-6)
    assert epsilon_bounds(normal, delta=1e-6).lower < found.upper
    assert found.upper == curve.to_approx(1e-6).epsilon


def test_a_sum_of_losses_counts_as_its_parts():
    parts = {LaplaceLoss(0.5): 3, GaussianLoss(0.2): 1}
    apart = delta_bounds([Release(loss, 2 * k) for loss, k in parts.items()], epsilon=1.0)
    assert delta_bounds([Release(total_loss(parts), 2)], epsilon=1.0) == apart
    assert apart.lower > 0


def test_bounds_say_to_whom_their_lower_end_belongs():
    choice = ExponentialMechanism("ab", lambda data: [0, 0], 1, 0.1)
    coin = RandomizedResponse(0.1)
    for releases, lower_of in (
        ([LAPLACE, GAUSSIAN, coin, LaplaceLoss(1.0)], "mechanism"),
        ([LAPLACE.compose(coin)], "mechanism"),
        ([choice], "guarantee"),
        ([LAPLACE, PureDP(0.1)], "guarantee"),
        ([coin.post_process(lambda answer: 0)], "guarantee"),
        ([LAPLACE.compose(choice)], "guarantee"),
        ([StabilityHistogram(1, 1e-6)], "guarantee"),
    ):
        bounds = epsilon_bounds(list(map(Release, releases)), delta=1e-6)
        assert bounds.lower_of == lower_of
        assert repr(bounds).endswith(f", lower_of={lower_of!r})")


def test_a_delta_of_its_own_is_taken_off_before_the_curve_is_asked():
    releases = [Release(ZCDP(0.1)), Release(ApproxDP(0.1, 1e-7), 5)]
    curve, told = renyi_curve(releases)
    assert told == pytest.approx(5e-7, rel=1e-6)
    found = epsilon_bounds(releases, delta=1e-6).upper
    assert found == pytest.approx(curve.to_approx(1e-6 - told).epsilon, rel=1e-6)
    assert delta_bounds(releases, epsilon=found).upper == pytest.approx(1e-6)
    assert epsilon_bounds(releases, delta=5e-7 * (1 - 1e-5)).upper == np.inf


def test_no_epsilon_is_left_where_a_catastrophe_takes_all_of_delta():
    releases = [Release(ZCDP(0.1)), Release(ApproxDP(0.0, 0.3), 2)]
    told = renyi_curve(releases)[1]
    assert epsilon_bounds(releases, delta=told) == Bounds(0, np.inf)


@pytest.mark.parametrize("told", [0.3, 1e-4])
def test_epsilon_beside_a_catastrophe_spends_all_that_it_leaves(told):
    releases = [Release(ZCDP(0.1), 3), Release(ApproxDP(0.0, told))]
    epsilon = epsilon_bounds(releases, delta=2 * told).upper
    assert delta_bounds(releases, epsilon=epsilon).upper == pytest.approx(2 * told, rel=1e-6)
    assert epsilon_bounds(releases, delta=told / 2).upper == np.inf


def test_curves_of_a_sample_and_promises_at_their_orders():
    curve = RenyiCurve((2.0, 3.0), (0.1, 0.2))
    found, _ = renyi_curve([Release(curve, 2), Release(LAPLACE), Release(RenyiDP(3.0, 0.05))])
    assert found.orders == (3.0,)
    assert found.epsilons[0] == pytest.approx(0.45 + LaplaceLoss(0.1).renyi(3))


@pytest.mark.parametrize("k", [1, 3, 2000])
def test_a_bounded_range_costs_the_less_of_its_curve_and_of_pure_coins(k):
    eta, delta = 0.1, 1e-6
    found = epsilon_bounds([Release(BoundedRange(eta), k)], delta=delta)
    pure = optimal_epsilon(ApproxDP(eta, 0), k, delta=delta)
    curve = (k * RenyiCurve.of(BoundedRange(eta))).to_approx(delta).epsilon
    assert found.lower == 0
    assert found.upper == pytest.approx(min(pure, curve), rel=1e-6)
    assert (pure < curve) == (k < 2000)


@pytest.mark.parametrize("k", [10, 2000])
def test_a_choice_counts_with_its_range_where_that_is_no_wider_than_epsilon(k):
    def votes(candidates):
        return [candidates.count(c) for c in "ab"]

    coins = epsilon_bounds([Release(RandomizedResponse(0.1), k)], delta=1e-6)
    ranged = epsilon_bounds([Release(BoundedRange(0.1), k)], delta=1e-6)
    for mechanism, cost in ((ExponentialMechanism, ranged), (PermuteAndFlip, coins)):
        found = epsilon_bounds([Release(mechanism("ab", votes, 1, 0.1), k)], delta=1e-6)
        assert found.lower == pytest.approx(cost.lower, rel=1e-12)
        assert found.upper == pytest.approx(cost.upper, rel=1e-12)
    assert (ranged.upper < 0.5 * coins.upper) == (k == 2000)


def test_who_means_other_neighbours_is_not_added_up():
    counts = histogram("ab", epsilon=1, neighbors=ADD_REMOVE)
    assert epsilon_bounds([Release(counts), Release(PureDP(1))], delta=1e-6).upper > 1
    for others in ([RandomizedResponse(1.0)], [LaplaceLoss(1), counts, LAPLACE]):
        releases = [Release(counts, 2), *map(Release, others)]
        message = f"for the same neighbors, not {ADD_REMOVE} and {others[-1].neighbors}"
        with pytest.raises(ValueError, match=re.escape(message)):
            delta_bounds(releases, epsilon=1)


def test_a_sensitivity_of_too_many_steps_counts_with_its_promise():
    wide = GeometricMechanism(sum, 10**9, 1)
    assert wide.worst_case == PureDP(1)
    assert epsilon_bounds([Release(wide)], delta=1e-6).upper <= 1 + 1e-8


def test_bad_arguments_are_named():
    calls = [
        (lambda: epsilon_bounds([], delta=0.1), "releases must not be empty"),
        (lambda: Release("laplace"), "mechanism must be a mechanism, .* not 'laplace'"),
        (lambda: Release(PureDP(1), 0), "count must be a whole number of at least 1, not 0"),
        (
            lambda: renyi_curve([Release(ALL_OR_NOTHING)]),
            "what may be infinite has no Renyi curve",
        ),
        (
            lambda: epsilon_bounds([Release(RenyiDP(2, 0.1)), Release(RenyiDP(3, 0.1))], delta=0.1),
            "curves must share an order",
        ),
    ]
    assert_refused(calls)
