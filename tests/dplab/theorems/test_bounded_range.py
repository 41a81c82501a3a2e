import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from dplab.distributions import Finite
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.mechanisms.selection import ExponentialMechanism, log_softmax
from dplab.theorems.bounded_range import extremal_pair, largest_rho, range_of_loss
from tests.dplab.strategies import pairs_of_laws

# (eta, rho): the sup over two-outcome pairs, worked out beforehand and elsewhere.
FIGURES = [(0.1, 0.00124983), (0.5, 0.0311421), (1, 0.123302), (2, 0.474474), (4, 1.66985)]


@settings(max_examples=60)
@given(pairs_of_laws())
def test_holds_for_every_pair(pair):
    found = range_of_loss(*pair)
    assert found.holds
    logs = pair[0].log_probabilities - pair[1].log_probabilities
    assert found.eta == pytest.approx(np.ptp(logs))
    assert found.epsilon == pytest.approx(abs(logs).max())


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
def test_randomized_response_has_the_widest_range_for_its_epsilon(epsilon):
    coin = RandomizedResponse(epsilon)
    found = range_of_loss(coin.distribution(0), coin.distribution(1))
    assert found.eta == pytest.approx(2 * found.epsilon)
    assert found.rho == pytest.approx(epsilon * np.tanh(epsilon / 2), rel=1e-5)
    assert found.rho == pytest.approx(found.rho_by_epsilon, rel=1e-5)


def test_the_exponential_mechanism_reaches_an_epsilon_as_large_as_its_range():
    """A candidate that hardly ever wins rises, all others fall: nearly all of the range is up."""
    vote = ExponentialMechanism(range(2), lambda data: data, 1, 1.0)
    found = range_of_loss(vote.distribution((-40, 1)), vote.distribution((-42, 3)))
    assert found.eta == pytest.approx(2)  # two steps apart
    assert found.largest == pytest.approx(2, abs=1e-8)


@pytest.mark.parametrize(("eta", "rho"), FIGURES)
def test_largest_rho_is_the_tables(eta, rho):
    assert largest_rho(eta) == pytest.approx(rho, rel=4e-6)
    assert 0.8 * eta**2 / 8 < largest_rho(eta) < eta**2 / 8


def by_scan(eta):
    """The steepest Renyi line over all two-outcome pairs, from sums of powers."""
    shares = np.linspace(0.005, 0.995, 397)[:, None]
    p = np.expm1(-(1 - shares) * -eta) / np.expm1(eta) * np.exp(shares * eta)
    losses = np.stack([shares * eta, (shares - 1) * eta])
    laws = np.stack([p, 1 - p])
    orders = 1 + np.logspace(-4, 3, 400)
    logs = np.log(laws) + (orders - 1) * losses
    return (np.logaddexp(*logs) / (orders - 1) / orders).max()


@pytest.mark.parametrize("eta", [0.5, 1.0, 2.0, 4.0])
def test_largest_rho_agrees_with_a_scan_of_shares_and_orders(eta):
    assert largest_rho(eta) == pytest.approx(by_scan(eta), rel=2e-4)


@settings(max_examples=40)
@given(st.floats(0.05, 5), st.floats(0.02, 0.98))
def test_extremal_pairs_have_the_losses_asked_for(eta, share):
    p, q = extremal_pair(eta, share * eta)
    losses = p.log_probabilities - q.log_probabilities
    assert losses == pytest.approx([share * eta - eta, share * eta])


@settings(max_examples=40)
@given(st.lists(st.floats(-6, 6), min_size=3, max_size=6), st.integers(0, 10**6))
def test_no_pair_of_the_exponential_mechanism_is_worse_than_two_outcomes(scores, seed):
    rng, base = np.random.default_rng(seed), np.array(scores)
    moved = base + rng.uniform(-1, 1, len(base))
    laws = [Finite(range(len(base)), log_softmax(0.5 * (s - s.max()))) for s in (base, moved)]
    found = range_of_loss(*laws)
    assert found.eta <= 1 + 1e-9
    assert found.rho <= 0.123302 + 1e-6


def test_hoeffdings_lemma_is_what_the_proof_uses():
    """E e^{t Z} <= exp(t E Z + t^2 eta^2 / 8), and nearly an equality near t = 0 at p = 1/2."""
    p, _ = extremal_pair(1.0, 0.5)
    z, mass = np.array([-0.5, 0.5]), p.probabilities
    gap = minimize_scalar(
        lambda t: t * (mass @ z) + t**2 / 8 - np.log(mass @ np.exp(t * z)),
        bounds=(-5, 5),
        method="bounded",
    )
    assert -1e-12 <= gap.fun < 1e-6


@pytest.mark.parametrize(("eta", "largest"), [(0, 1), (1, 1), (1, 0), (1, np.nan)])
def test_ends_outside_the_range_are_refused(eta, largest):
    with pytest.raises(ValueError, match="must be"):
        extremal_pair(eta, largest)


def test_an_outcome_that_only_one_law_has_is_refused():
    with pytest.raises(ValueError, match="privacy loss"):
        range_of_loss(Finite.of({0: 0.5, 1: 0.5}), Finite.of({0: 1.0, 1: 0.0}))


def test_extremal_pairs_of_a_wide_range():
    p, q = extremal_pair(800, 400)
    assert p.log_probabilities - q.log_probabilities == pytest.approx([-400, 400])
    assert q.log_probabilities[1] == pytest.approx(-400)


@pytest.mark.parametrize("eta", [1e-6, 1e-4, 1e-2])
def test_largest_rho_of_a_small_range_is_next_to_hoeffdings(eta):
    """eta^2 / 8 (1 - eta^2 / 72 ...): log p - log q has lost half of its digits there."""
    assert largest_rho(eta) == pytest.approx(eta**2 / 8, rel=1e-5)
