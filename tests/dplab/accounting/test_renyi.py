import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.accounting import (
    RenyiCurve,
    optimal_epsilon,
    rho_for,
    simple_epsilon,
)
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss
from tests.refusals import assert_refused

deltas = st.floats(1e-12, 0.1)
rhos = st.floats(0.001, 5)


@given(rhos, deltas)
def test_delta_inverts_epsilon(rho, delta):
    curve = RenyiCurve.of(ZCDP(rho))
    epsilon = curve.to_approx(delta).epsilon
    assert curve.delta(epsilon) == pytest.approx(delta, rel=1e-9) or epsilon == 0


@given(rhos, deltas)
def test_conversions_lie_between_the_truth_and_the_simple_bound(rho, delta):
    """The normal law of this rho has the exact delta; fixed orders lose little."""
    exact = GaussianLoss(np.sqrt(2 * rho)).epsilon(delta)
    tight = ZCDP(rho).to_approx(delta).epsilon
    assert exact <= tight * (1 + 1e-9) + 1e-12
    assert tight <= RenyiCurve.of(ZCDP(rho)).to_approx(delta).epsilon + 1e-6
    assert RenyiCurve.of(ZCDP(rho)).to_approx(delta).epsilon <= simple_epsilon(
        ZCDP(rho), delta=delta
    ) * (1 + 1e-3)


@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0.5), (0.1, 0.5), (1, 0.9), (1e3, 1e-9)])
def test_no_larger_rho_stays_within(epsilon, delta):
    """Also where rho is larger than epsilon."""
    rho = rho_for(ApproxDP(epsilon, delta)).rho
    assert ZCDP(rho).to_approx(delta).epsilon <= epsilon
    assert ZCDP(rho * (1 + 1e-6)).to_approx(delta).epsilon > epsilon


@given(st.floats(0.05, 8), deltas)
def test_rho_inverts_its_conversion(epsilon, delta):
    rho = rho_for(ApproxDP(epsilon, delta)).rho
    assert ZCDP(rho).to_approx(delta).epsilon <= epsilon
    assert ZCDP(rho * 1.001).to_approx(delta).epsilon > epsilon


@pytest.mark.parametrize(
    ("epsilon", "k", "expected"), [(0.1, 100, 5.7565), (0.01, 1000, 1.7123), (1.0, 100, 102.57)]
)
def test_published_figures_of_the_simple_conversion(epsilon, k, expected):
    """epsilon-DP taken as (epsilon^2 / 2)-zCDP, k times, at delta 1e-6."""
    found = simple_epsilon(ZCDP(k * epsilon**2 / 2), delta=1e-6)
    assert found == pytest.approx(expected, rel=5e-5)


@pytest.mark.parametrize("log_rho", [-6.8, -5, -3, 0, 3, 4.5])
def test_the_orders_are_enough_for_any_rho(log_rho):
    """From 1.01 to 10^4, so near to each other that a thousandth is lost at most."""
    rho = 10**log_rho
    best = ZCDP(rho).to_approx(1e-6).epsilon
    assert best <= RenyiCurve.of(ZCDP(rho)).to_approx(1e-6).epsilon <= best * 1.001


def test_a_thousand_normal_releases():
    curve = 1000 * RenyiCurve.of(ZCDP(1 / 800))
    assert curve.to_approx(1e-6).epsilon == pytest.approx(8.85, abs=0.005)


def test_curves_compose_order_by_order():
    laplace = RenyiCurve.of(LaplaceLoss(0.5))
    assert (laplace + laplace).epsilons == (2 * laplace).epsilons
    both = RenyiCurve((2.0, 3.0), (0.1, 0.2)) + RenyiCurve((3.0, 4.0), (0.5, 0.6))
    assert both == RenyiCurve((3.0,), (0.7,))


@pytest.mark.parametrize(
    ("k", "orders", "factor"),
    [(1, (1.5, 2.0, 4.0, 9.0), 1), (2, (2.0, 4.5), 3), (4, (2.25,), 9)],
)
def test_a_group_keeps_the_orders_that_are_twice_its_size(k, orders, factor):
    group = RenyiCurve((1.5, 2.0, 4.0, 9.0), (0.25, 0.25, 0.25, 0.25)).group(k)
    assert group == RenyiCurve(orders, (factor * 0.25,) * len(orders))


@given(st.floats(0.01, 1.0), st.integers(1, 200), deltas)
def test_renyi_never_undercuts_the_exact_composition(epsilon, k, delta):
    exact = optimal_epsilon(ApproxDP(epsilon, 0), k, delta=delta)
    found = (k * RenyiCurve.of(PureDP(epsilon))).to_approx(delta).epsilon
    assert exact <= found * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [1.5, 2.0, 10.0, 200.0])
@pytest.mark.parametrize("eta", [0.3, 2.0])
def test_the_curve_of_bounded_range_covers_its_worst_losses(eta, alpha):
    found = RenyiCurve.of(BoundedRange(eta), (alpha,)).epsilons[0]
    for t in eta * np.linspace(0.01, 0.99, 99):
        share = (np.exp(eta) - np.exp(t)) / np.expm1(eta)
        terms = (np.log(share) + (alpha - 1) * t, np.log1p(-share) + (alpha - 1) * (t - eta))
        assert np.logaddexp(*terms) / (alpha - 1) <= found * (1 + 1e-9)


def test_bad_arguments_are_named():
    calls = [
        (lambda: RenyiCurve((), ()), "orders and epsilons must be of one length"),
        (lambda: RenyiCurve((1.0,), (1.0,)), "orders must be a finite number above 1, not 1.0"),
        (lambda: RenyiCurve((2.0,), (1,)) + RenyiCurve((3.0,), (1,)), "must share an order"),
        (lambda: 0 * RenyiCurve((2.0,), (1,)), "k must be a whole number of at least 1, not 0"),
        (lambda: RenyiCurve((2.0,), (1,)).delta(-1), "epsilon must be .* not -1"),
        (lambda: RenyiCurve((2.0, 7.9), (1, 1)).group(4), "half of the largest order, not 4"),
        (lambda: RenyiCurve((2.0, 9.0), (1, 1)).group(3), "k must be a power of 2"),
        (lambda: rho_for(ApproxDP(1, 0)), "delta must be a finite number above 0"),
        (lambda: rho_for(ApproxDP(1, 1)), "delta must be .* below 1, not 1"),
        (lambda: simple_epsilon(ZCDP(1), delta=0), "delta must be .* not 0"),
        (lambda: simple_epsilon(ZCDP(1), delta=1), "delta must be .* not 1"),
    ]
    assert_refused(calls)


@pytest.mark.filterwarnings("error")
def test_an_order_that_says_nothing_has_a_delta_of_1():
    assert RenyiCurve((1000.0,), (30.0,)).delta(1.0) == 1


def test_a_curve_has_the_worse_direction_and_the_better_promise_at_each_order():
    orders, p, q = (1.5, 4.0, 1000.0), np.array([0.9, 0.1]), np.array([0.5, 0.5])
    loss = AtomicLoss.of(np.log(p), np.log(q))
    directions = [[one.renyi(a) for a in orders] for one in (loss, loss.reverse())]
    assert directions[0] != directions[1]
    for one in (loss, loss.reverse()):
        assert RenyiCurve.of(one, orders).epsilons == tuple(map(max, *directions))
    with np.errstate(divide="ignore"):
        sure = AtomicLoss.of(np.log([1.0, 0.0]), np.log(q))  # q alone has the second outcome
    for one in (sure, sure.reverse()):
        with pytest.raises(ValueError, match="may be infinite has no Renyi curve"):
            RenyiCurve.of(one, orders)
    ranged = RenyiCurve.of(BoundedRange(1.0), orders).epsilons
    assert ranged[:2] == (1.5 / 8, 0.5)
    assert ranged[2] == PureDP(1.0).to_renyi(1000.0).epsilon < 1
