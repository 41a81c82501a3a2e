import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

from dplab.accounting import simple_epsilon
from dplab.distributions import Finite
from dplab.divergences import privacy_loss
from dplab.guarantees import ZCDP
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.loss_tails import MomentBound, RenyiBound, VarianceBound, loss_tails
from tests.dplab.strategies import pairs_of_laws

THRESHOLDS = np.linspace(0.05, 12, 200)
LOSSES = {
    "normal, narrow": GaussianLoss(0.2),
    "normal, wide": GaussianLoss(2.0),
    "Laplace": LaplaceLoss(1.5),
    "randomized response": RandomizedResponse(1.0).privacy_loss(0, 1),
}
every_loss = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)


@every_loss
@pytest.mark.parametrize(("k", "alpha"), [(1, 1.1), (3, 2), (12, 40)])
def test_no_bound_is_below_the_truth(loss, k, alpha):
    assert loss_tails(loss, k=k, alpha=alpha).holds(THRESHOLDS)


@given(pairs_of_laws())
def test_no_bound_is_below_the_truth_for_finite_laws(pair):
    loss = privacy_loss(*pair)
    assert loss_tails(loss).holds(THRESHOLDS)


def test_a_bound_that_is_too_low_does_not_hold():
    tails = loss_tails(GaussianLoss(1.0))
    wrong = MomentBound(tails.moment.k, tails.moment.moment / 20)
    assert not type(tails)(**(vars(tails) | {"moment": wrong})).holds(THRESHOLDS)


@every_loss
@pytest.mark.parametrize("delta", [0.2, 1e-3, 1e-9])
def test_epsilon_is_where_the_tail_has_fallen_to_delta(loss, delta):
    for bound in loss_tails(loss).bounds:
        epsilon = bound.epsilon(delta)
        assert bound.tail([epsilon])[0] == pytest.approx(delta, rel=1e-9)
        assert loss.delta(epsilon) <= delta * (1 + 1e-9)


def test_markov_is_reached_by_a_loss_of_two_values():
    """|Z| is t with probability E|Z| / t, else 0: mostly silence, rarely a noisy answer."""
    p = Finite.of({"nothing": 0.9, "one": 0.08, "other": 0.02})
    q = Finite.of({"nothing": 0.9, "one": 0.02, "other": 0.08})
    loss, t = privacy_loss(p, q), np.log(4)
    assert loss_tails(loss).markov.tail([t])[0] == pytest.approx(0.1)  # losses t and -t
    assert loss.tails(t - 1e-9)[0] + 1 - loss.tails(-t + 1e-9)[0] == pytest.approx(0.1)


def test_a_mean_of_epsilon_delta_trades_ten_epsilon_for_a_tenth_of_delta():
    bound = MomentBound(1, 0.5 * 1e-3)  # E|Z| = epsilon delta
    assert bound.tail([0.5, 5.0]) == pytest.approx([1e-3, 1e-4])
    assert bound.epsilon(1e-3) == pytest.approx(0.5)


def test_chebyshev_is_reached_by_its_extremal_law():
    """Cantelli: of mean m and variance v, the law on two values puts v / (v + s^2) at m + s."""
    loss = RandomizedResponse(2.0).privacy_loss(0, 1)
    truth = RandomizedResponse(2.0).truth_probability
    assert loss_tails(loss).chebyshev.tail([2.0])[0] == pytest.approx(truth)


def test_an_exponential_bound_beats_moments_where_it_matters():
    """E|Z| of a normal loss with rho = 1/2 asks for an epsilon of 900,000 at delta = 1e-6."""
    found = [round(bound.epsilon(1e-6), 2) for bound in loss_tails(GaussianLoss(1.0)).bounds]
    assert found == [895593.11, 1000.5, 46.22, 6.61, 5.76]
    assert GaussianLoss(1.0).epsilon(1e-6) == pytest.approx(4.8866, abs=1e-4)


@pytest.mark.parametrize("mu", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("t", [0.5, 2.0, 7.0])
def test_subgaussian_is_the_best_of_all_orders_for_normal_laws(mu, t):
    loss, rho = GaussianLoss(mu), mu**2 / 2
    bound = loss_tails(loss).subgaussian.tail([t])[0]
    orders = 1 + np.logspace(-6, 4, 4001)
    best = min(1.0, *(RenyiBound(a, loss.renyi(a)).tail([t])[0] for a in orders))
    assert bound == pytest.approx(best, rel=1e-4)
    assert norm.sf(t, rho, mu) <= bound


def test_the_subgaussian_epsilon_is_the_simple_conversion_of_zcdp():
    epsilon = loss_tails(GaussianLoss(1.0)).subgaussian.epsilon(1e-6)
    assert epsilon == pytest.approx(simple_epsilon(ZCDP(0.5), delta=1e-6))


def test_no_bound_is_below_the_truth_for_a_rare_loss():
    """Its curve is steepest at an order of 23,000."""
    p = Finite.of({0: 1e-10, 1: 1 - 1e-10})
    q = Finite.of({0: 1e-10 * np.exp(-1e-3), 1: 1 - 1e-10 * np.exp(-1e-3)})
    assert loss_tails(privacy_loss(p, q)).holds([5e-4, 9e-4])


def test_a_catastrophe_has_no_tail_bound():
    p = Finite.of({"nothing": 0.99, "Alice: yes": 0.01})
    q = Finite.of({"nothing": 0.99, "Alice: no": 0.01})
    tails = loss_tails(privacy_loss(p, q))
    assert tails.holds(THRESHOLDS)
    for bound in tails.bounds:
        assert (bound.tail(THRESHOLDS) == 1).all()
        assert bound.epsilon(1e-6) == np.inf


def test_no_loss_at_all():
    tails = loss_tails(privacy_loss(Finite.of({0: 1.0}), Finite.of({0: 1.0})))
    assert tails.holds(THRESHOLDS)
    assert [bound.epsilon(0.5) for bound in tails.bounds[:3]] == [0, 0, 0]
    assert tails.subgaussian.tail(THRESHOLDS).max() == 0


def test_bad_arguments_are_named():
    bound = VarianceBound(0.5, 1.0)
    with pytest.raises(ValueError, match="delta must be a finite number above 0 and below 1"):
        bound.epsilon(0)
    with pytest.raises(ValueError, match="thresholds must hold finite numbers"):
        bound.tail([np.inf])
    with pytest.raises(ValueError, match="alpha must be a finite number above 1"):
        loss_tails(GaussianLoss(1.0), alpha=1)
