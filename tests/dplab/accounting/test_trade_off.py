import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dplab.accounting import (
    TradeOff,
    delta_from_trade_off,
    promised_trade_off,
    randomized_response_loss,
    trade_off_from_promises,
)
from dplab.divergences import privacy_loss
from dplab.guarantees import ApproxDP
from dplab.losses import GaussianLoss, LaplaceLoss
from tests.dplab.strategies import pairs_of_laws

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
    found = trade_off_from_promises(promises, LEVELS)
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
    assert found == pytest.approx(delta + (1 - delta) * worst, abs=1e-9)


@pytest.mark.parametrize("epsilon", [700.0, 710.0, 1e6])
def test_no_promise_overflows(epsilon):
    found = promised_trade_off(ApproxDP(epsilon, 0.25), [0.0, 1e-320, 0.5, 0.75, 1.0])
    assert found.tolist() == pytest.approx([0.75, 0.75 * (epsilon < 737), 0, 0, 0], abs=0.3)
    assert found[0] == 0.75


def test_normal_functions_compose_like_pythagoras():
    f = TradeOff.gaussian(3).compose(TradeOff.gaussian(4))
    np.testing.assert_allclose(f(LEVELS), norm.cdf(norm.ppf(1 - LEVELS) - 5), atol=1e-12)


@given(pairs_of_laws(3), pairs_of_laws(2))
def test_composition_of_finite_laws_is_the_test_of_the_pair(first, second):
    """Every outcome of the pair is listed, and likelihood ratios are taken from the largest on."""
    f = TradeOff(privacy_loss(*first)).compose(TradeOff(privacy_loss(*second)))
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
    assert (f.compose(f)(LEVELS) <= values + 1e-9).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TradeOff.gaussian(0), "mu must be a finite number above 0, not 0"),
        (lambda: promised_trade_off(ApproxDP(1, 0), 1.5), r"alpha must lie in \[0, 1\], not 1.5"),
        (lambda: trade_off_from_promises([], 0.5), "promises must not be empty"),
        (lambda: delta_from_trade_off(TradeOff.gaussian(1), epsilon=-1), "epsilon must be .* -1"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
