import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dplab.accounting import (
    Release,
    RenyiCurve,
    TradeOff,
    delta_from_trade_off,
    epsilon_bounds,
    promised_trade_off,
    renyi_curve,
)
from dplab.accounting.optimal import randomized_response_loss
from dplab.budget import Budget
from dplab.divergences import privacy_loss
from dplab.guarantees import ZCDP, ApproxDP, PureDP
from dplab.losses import AtomicLoss, GaussianLoss, LaplaceLoss
from tests.dplab.strategies import pairs_of_laws
from tests.refusals import assert_refused

LEVELS = np.linspace(0, 1, 101)
LOSSES = [GaussianLoss(0.8), LaplaceLoss(1.2), randomized_response_loss(0.5, 4)]
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)


@every_loss
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.1])
def test_delta_is_the_dual_of_the_trade_off(loss, epsilon):
    f = TradeOff(loss)
    assert delta_from_trade_off(f, epsilon=epsilon) == pytest.approx(f.delta(epsilon), abs=1e-9)


@every_loss
def test_the_trade_off_is_the_dual_of_delta(loss):
    """These three losses are symmetric, so that the largest promised function is f itself."""
    promises = [ApproxDP(e, loss.delta(e)) for e in np.linspace(0, 12, 2401)]
    found = np.max([promised_trade_off(promise, LEVELS) for promise in promises], axis=0)
    exact = TradeOff(loss)(LEVELS)
    assert (found <= exact + 1e-9).all()
    np.testing.assert_allclose(found, exact, atol=2e-3)


def test_coins_attain_what_pure_dp_promises():
    found = TradeOff(randomized_response_loss(0.9))(LEVELS)
    np.testing.assert_allclose(found, promised_trade_off(ApproxDP(0.9, 0), LEVELS), atol=1e-12)


@given(st.floats(0, 5), st.floats(0, 0.5), st.floats(0, 5))
def test_the_dual_of_a_promise_is_its_delta(epsilon, delta, other):
    """At epsilon it is delta; elsewhere that of the worst (epsilon, delta)-DP pair."""
    promise = ApproxDP(epsilon, delta)
    worst = (np.exp(epsilon) - np.exp(min(other, epsilon))) / (1 + np.exp(epsilon))
    found = delta_from_trade_off(lambda a: promised_trade_off(promise, a), epsilon=other)
    assert found == pytest.approx(delta + (1 - delta) * worst, abs=1e-13)


@pytest.mark.parametrize("epsilon", [700.0, 710.0, 1e6])
def test_no_promise_overflows(epsilon):
    found = promised_trade_off(ApproxDP(epsilon, 0.25), [0.0, 1e-320, 0.5, 0.75, 1.0])
    assert found.tolist() == pytest.approx([0.75, 0.75 * (epsilon < 737), 0, 0, 0], abs=0.3)
    assert found[0] == 0.75


def test_normal_functions_compose_like_pythagoras():
    f = TradeOff.gaussian(3) + TradeOff.gaussian(4)
    np.testing.assert_allclose(f(LEVELS), norm.cdf(norm.ppf(1 - LEVELS) - 5), atol=1e-12)


@given(pairs_of_laws(3), pairs_of_laws(2))
def test_composition_of_finite_laws_is_the_test_of_the_pair(first, second):
    """Every outcome of the pair is listed, and likelihood ratios are taken from the largest on."""
    f = TradeOff(privacy_loss(*first)) + TradeOff(privacy_loss(*second))
    p = np.outer(first[0].probabilities, second[0].probabilities).ravel()
    q = np.outer(first[1].probabilities, second[1].probabilities).ravel()
    order = np.argsort(-p / q)
    rates, misses = np.cumsum(q[order]), 1 - np.cumsum(p[order])
    np.testing.assert_allclose(f(np.clip(rates, 0, 1)), misses, atol=1e-9)


@every_loss
def test_a_trade_off_is_convex_falling_and_composition_lowers_it(loss):
    f = TradeOff(loss)
    values = f(LEVELS)
    assert (np.diff(values) <= 1e-12).all()
    assert (np.diff(values, 2) >= -1e-12).all()
    assert (values <= 1 - LEVELS + 1e-12).all()
    if not isinstance(loss, LaplaceLoss | GaussianLoss):
        f = TradeOff(loss.atoms())
    assert ((f + f)(LEVELS) <= values + 1e-9).all()


def test_bad_arguments_are_named():
    calls = [
        (lambda: TradeOff.gaussian(0), "mu must be a finite number above 0, not 0"),
        (lambda: promised_trade_off(ApproxDP(1, 0), 1.5), r"alpha must lie in \[0, 1\], not 1.5"),
        (lambda: promised_trade_off(ApproxDP(1, 0), -0.5), r"alpha must lie in .* not -0.5"),
        (lambda: delta_from_trade_off(TradeOff.gaussian(1), epsilon=-1), "epsilon must be .* -1"),
    ]
    assert_refused(calls)


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize(("loss", "shift"), [(GaussianLoss, 0.4), (LaplaceLoss, 0.7)])
def test_the_trade_off_of_groups_is_that_of_steps(loss, shift, k):
    """1 - f of k steps is 1 - f applied k times."""
    f, power = TradeOff(loss(shift)), LEVELS
    for _ in range(k):
        power = 1 - f(np.clip(power, 0, 1))
    assert 1 - f.group(k)(LEVELS) == pytest.approx(power, abs=1e-9)


@every_loss
@pytest.mark.parametrize("other", LOSSES, ids=lambda loss: type(loss).__name__)
def test_a_trade_off_is_kept_by_what_is_no_easier_to_tell_apart(loss, other):
    levels = np.linspace(0, 1, 4001)
    expected = (TradeOff(other)(levels) >= TradeOff(loss)(levels) - 1e-9).all()
    assert TradeOff(loss).holds_for(other) == expected


def test_a_trade_off_is_compared_at_every_400th_of_the_levels_and_tenth_of_an_epsilon():
    epsilons, levels = [], []

    class Asked(GaussianLoss):
        def delta(self, epsilon):
            epsilons.append(epsilon)
            return super().delta(epsilon)

        def true_positive_rate(self, false_positive_rate):
            levels.append(false_positive_rate)
            return super().true_positive_rate(false_positive_rate)

    assert TradeOff.gaussian(1.0).holds_for(Asked(0.5))
    assert epsilons == pytest.approx(np.arange(-200, 201) / 10)
    assert levels == [pytest.approx(np.arange(401) / 400)]


@pytest.mark.parametrize("share", [0.999, 1.0, 1.001])
def test_a_trade_off_is_broken_by_a_little_less_noise(share):
    for family, shift in (
        (GaussianLoss, 0.8),
        (GaussianLoss, 5),
        (LaplaceLoss, 0.3),
        (LaplaceLoss, 4),
    ):
        assert TradeOff(family(shift)).holds_for(family(share * shift)) == (share <= 1)


def test_what_no_epsilon_of_the_list_sees_is_seen_at_a_level():
    """Both have no delta at epsilon 0.1, and the same at 0; between, the rarer coin has more."""
    share = np.tanh(0.025) / np.tanh(0.03)
    rare = share * np.array([1 / (1 + np.exp(0.06)), 1 / (1 + np.exp(-0.06))])
    p = np.array([rare[0], 1 - share, rare[1]])
    assert not TradeOff(randomized_response_loss(0.05)).holds_for(
        AtomicLoss(np.array([-0.06, 0.0, 0.06]), p, p[::-1])
    )


def test_what_no_level_of_the_list_sees_is_seen_at_an_epsilon():
    """A loss of 3 that comes once in 10^10 draws, or half as often again."""

    def rarely(t):
        p = np.array([t * np.exp(-3), *(1 - t) * np.exp(-np.logaddexp(0, [1.0, -1.0])), t])
        return AtomicLoss(np.array([-3.0, -1, 1, 3]), p, p[::-1])

    assert TradeOff(rarely(1e-10)).holds_for(rarely(1e-10))
    assert not TradeOff(rarely(1e-10)).holds_for(rarely(1.5e-10))


def test_a_trade_off_converts_and_pays():
    gaussian, laplace = TradeOff.gaussian(0.5), TradeOff(LaplaceLoss(0.5))
    assert gaussian.convert_to(ZCDP) == ZCDP(0.125)
    assert laplace.convert_to(PureDP) == PureDP(0.5)
    assert laplace.convert_to(ApproxDP) == ApproxDP(0.5, 0)
    assert gaussian.to_approx(1e-5).epsilon == pytest.approx(GaussianLoss(0.5).epsilon(1e-5))
    with pytest.raises(ValueError, match="implies no PureDP by itself"):
        gaussian.convert_to(PureDP)
    budget = Budget(ZCDP(0.3))
    for price in (gaussian, gaussian):
        budget.pay(price)
    assert not budget.allows(gaussian)


def test_accounting_takes_a_trade_off_as_the_loss_of_its_worst_pair():
    found = epsilon_bounds([Release(TradeOff.gaussian(0.1), 100)], delta=1e-5)
    assert found == epsilon_bounds([Release(GaussianLoss(0.1), 100)], delta=1e-5)
    curve, told = renyi_curve([Release(TradeOff(LaplaceLoss(1.0)), 2)])
    assert curve == 2 * RenyiCurve.of(LaplaceLoss(1.0))
    assert told == 0
    summed = TradeOff(LaplaceLoss(1.0)) + TradeOff(LaplaceLoss(2.0))
    parts = [Release(LaplaceLoss(1.0)), Release(LaplaceLoss(2.0))]
    assert epsilon_bounds([Release(summed)], delta=1e-5) == epsilon_bounds(parts, delta=1e-5)


def test_bad_arguments_of_promises_are_named():
    calls = [
        (lambda: TradeOff(0.5), "loss must be a PrivacyLoss, not 0.5"),
        (lambda: TradeOff.gaussian(0), "mu must be .*above 0"),
        (lambda: TradeOff.gaussian(1).group(0), "k must be a whole number"),
        (lambda: TradeOff(randomized_response_loss(1.0)).group(2), "no trade-off of groups"),
        (lambda: TradeOff.gaussian(1) + ZCDP(0.5), "composes with another TradeOff"),
        (lambda: RenyiCurve.of(ApproxDP(1, 0.1)), "implies no Renyi curve"),
    ]
    assert_refused(calls)
