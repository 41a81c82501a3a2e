import numpy as np
import pytest

from dplab import ADD_REMOVE, GaussianMechanism, LaplaceMechanism, RandomizedResponse
from dplab.accounting import TradeOff, sampled, worst_trade_off
from dplab.accounting.dominating_pairs import connect
from dplab.guarantees import ZCDP, ApproxDP, RenyiDP
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss, total_loss

LEVELS = np.linspace(0, 1, 201)
NORMAL = GaussianLoss(1.0)


def test_the_curve_of_a_known_worst_pair_is_exact():
    normal = GaussianMechanism(sum, 1, sigma=2)
    assert worst_trade_off(normal).loss == GaussianLoss(0.5)
    assert worst_trade_off(normal.compose(normal), 8).loss == GaussianLoss(2.0)
    coin = RandomizedResponse(1.0)
    both = worst_trade_off(coin.compose(coin), 2)(LEVELS)
    assert both == pytest.approx(TradeOff(total_loss([coin.worst_case] * 4))(LEVELS))
    laplace = worst_trade_off(LaplaceMechanism(sum, 1, 0.5))
    assert laplace(0.1) == pytest.approx(TradeOff(LaplaceLoss(0.5))(0.1))


def test_connected_bounds_dominate_and_are_near():
    epsilons = np.linspace(0, 7, 200)
    loss = connect(epsilons, [NORMAL.delta(e) for e in epsilons])
    assert loss.p.sum() == pytest.approx(1)
    assert loss.q.sum() == pytest.approx(1)
    for epsilon in np.linspace(-9, 9, 500):
        assert NORMAL.delta(epsilon) <= loss.delta(epsilon) + 1e-15
    gap = TradeOff(NORMAL)(LEVELS) - TradeOff(loss)(LEVELS)
    assert gap.min() >= -1e-12
    assert gap.max() <= 1e-4


def test_bounds_that_are_not_convex_are_connected_from_below():
    """As the least of two bounds; the true delta is convex, so it is below the connection."""
    first, second = (GaussianLoss(mu) for mu in (0.5, 1.0))
    epsilons = np.linspace(0, 6, 60)
    bounds = [min(first.delta(e) + 0.05, second.delta(e)) for e in epsilons]
    loss = connect(epsilons, bounds)
    assert (loss.p >= 0).all()
    assert (loss.q >= 0).all()
    assert all(loss.delta(e) <= d + 1e-12 for e, d in zip(epsilons, bounds, strict=True))
    assert all(loss.delta(e) >= first.delta(e) - 1e-12 for e in np.linspace(-6, 6, 101))


@pytest.mark.parametrize("promise", [ZCDP(0.5), RenyiDP(4, 2.0)])
def test_the_curve_of_a_promise_holds_for_a_mechanism_that_keeps_it(promise):
    assert promise.holds_for(NORMAL)
    curve = worst_trade_off(promise)(LEVELS)
    assert (curve <= TradeOff(NORMAL)(LEVELS) + 1e-12).all()
    assert curve[20] >= 0.15  # of 0.61, at level 0.1


@pytest.mark.parametrize("count", [1, 30])
def test_both_directions_of_a_sampled_mechanism_are_above_the_curve(count):
    step = sampled(GaussianMechanism(sum, 1, sigma=1, neighbors=ADD_REMOVE), rate=0.1)
    curve = worst_trade_off(step, count)(LEVELS)
    losses = [total_loss({loss: count}) for loss in (step.worst_case, step.worst_case.reverse())]
    curves = [TradeOff(loss)(LEVELS) for loss in losses]
    assert worst_trade_off(step.worst_case.reverse(), count)(LEVELS) == pytest.approx(curve)
    gaps = np.minimum(*curves) - curve
    assert gaps.min() >= -1e-12
    assert gaps.max() <= 0.02  # where the lower curve isn't convex; each is above 0 alone
    assert min(np.abs(one - curve).max() for one in curves) > 1e-3


def test_a_mechanism_that_may_tell_everything_has_no_curve():
    certain = AtomicLoss(np.array([-0.5, np.inf]), np.array([0.6, 0.4]), np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match=r"must have a finite epsilon at delta 0\.1"):
        worst_trade_off(certain)
    assert worst_trade_off(ApproxDP(1.0, 0.4))(0.0) == pytest.approx(0.6)
