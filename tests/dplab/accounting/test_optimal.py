import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import comb

from dplab.accounting import (
    Release,
    epsilon_bounds,
    optimal_delta,
    optimal_epsilon,
)
from dplab.accounting.optimal import randomized_response_loss
from dplab.guarantees import ApproxDP
from dplab.losses import NO_LOSS, BinomialLoss, GaussianLoss
from dplab.mechanism import Composed
from dplab.mechanisms.randomized_response import RandomizedResponse
from tests.refusals import assert_refused


def theorem(epsilon, delta, k, i):
    """Kairouz, Oh and Viswanath, Theorem 3.3: delta at the epsilon (k - 2i) epsilon_0."""
    terms = [
        comb(k, j) * (np.exp((k - j) * epsilon) - np.exp((k - 2 * i + j) * epsilon))
        for j in range(i)
    ]
    return 1 - (1 - delta) ** k * (1 - sum(terms) / (1 + np.exp(epsilon)) ** k)


@pytest.mark.parametrize("delta", [0.0, 1e-3])
@pytest.mark.parametrize("i", [0, 1, 4, 7])
def test_delta_is_the_theorems_at_its_epsilons(delta, i):
    expected = theorem(0.3, delta, 15, i)
    found = optimal_delta(ApproxDP(0.3, delta), 15, epsilon=(15 - 2 * i) * 0.3)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_delta_between_them_is_the_audit_of_three_coins():
    coin = RandomizedResponse(0.8)
    three = Composed(Composed(coin, coin), coin)
    for epsilon in (0.0, 0.5, 1.3, 2.3):
        exact = three.privacy_loss(0, 1).delta(epsilon)
        found = optimal_delta(ApproxDP(0.8, 0), 3, epsilon=epsilon)
        assert found == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize(
    ("epsilon", "k", "expected"), [(0.1, 100, 4.7746), (0.01, 1000, 1.3654), (1.0, 100, 83.53)]
)
def test_published_figures(epsilon, k, expected):
    found = optimal_epsilon(ApproxDP(epsilon, 0), k, delta=1e-6)
    assert found == pytest.approx(expected, abs=6e-5 if expected < 80 else 6e-3)


def test_a_hundred_thousand_steps_do_not_overflow():
    found = optimal_epsilon(ApproxDP(0.05, 0), 1000, delta=1e-6)
    assert found == pytest.approx(8.283573, abs=1e-6)
    assert 190 < optimal_epsilon(ApproxDP(0.05, 0), 100_000, delta=1e-6) < 210


def test_large_epsilons_do_not_underflow():
    """Where e^{-epsilon} is 0 in floats: the grid and its transform give the same."""
    loss = randomized_response_loss(0.9, 5000)
    epsilon = loss.epsilon(1e-6)
    assert epsilon > 1000
    bounds = epsilon_bounds([Release(randomized_response_loss(0.9), 5000)], delta=1e-6)
    assert bounds.lower <= epsilon * (1 + 1e-9)
    assert epsilon * (1 - 1e-9) <= bounds.upper
    assert bounds.gap < 1e-6
    assert GaussianLoss(50.0).epsilon(1e-6) < GaussianLoss(50.0).epsilon(1e-6 * 0.999)


@given(
    st.floats(0.01, 2),
    st.floats(0, 1e-3),
    st.integers(1, 40),
    st.floats(min_value=0.05, max_value=0.5),
)
def test_epsilon_inverts_delta_and_never_exceeds_basic_composition(epsilon, delta, k, target):
    promise = ApproxDP(epsilon, delta)
    found = optimal_epsilon(promise, k, delta=target)
    assert found <= k * epsilon * (1 + 1e-9)
    assert optimal_delta(promise, k, epsilon=found) <= target * (1 + 1e-9)
    if found > 1e-3:
        assert optimal_delta(promise, k, epsilon=found * (1 - 1e-3)) > target * (1 - 1e-9)


def test_an_epsilon_of_0_tells_nothing():
    assert randomized_response_loss(0.0, 5) is NO_LOSS


def test_an_epsilon_of_millions_is_found():
    assert optimal_epsilon(ApproxDP(5e5, 0), 3, delta=0) == pytest.approx(1.5e6, rel=1e-12)
    assert optimal_epsilon(ApproxDP(1e300, 0), 2, delta=0) == pytest.approx(2e300, rel=1e-12)


def test_below_the_promises_own_delta_there_is_no_epsilon():
    assert optimal_epsilon(ApproxDP(1, 1e-3), 10, delta=1e-3) == np.inf
    assert optimal_epsilon(ApproxDP(1, 1e-3), 10, delta=1e-2) < 10
    assert optimal_delta(ApproxDP(1, 1.0), 3, epsilon=5) == 1


def test_different_promises_agree_with_equal_ones_and_with_enumeration():
    equal = epsilon_bounds([Release(ApproxDP(0.2, 1e-8), 12)], delta=1e-4)
    expected = optimal_epsilon(ApproxDP(0.2, 1e-8), 12, delta=1e-4)
    assert equal.lower * (1 - 1e-6) <= expected <= equal.upper * (1 + 1e-6)
    coins = Composed(RandomizedResponse(0.3), RandomizedResponse(1.1))
    found = epsilon_bounds([Release(ApproxDP(0.3, 0)), Release(ApproxDP(1.1, 0))], delta=0.05)
    expected = coins.privacy_loss(0, 1).epsilon(0.05)
    assert found.lower * (1 - 1e-6) <= expected <= found.upper * (1 + 1e-6)


def skewed_coins():
    """Seven of losses -0.4 and 0.9, and the only chances that have these for ratios."""
    p = np.expm1(-0.4) / np.expm1(-1.3)
    q = p * np.exp(-0.9)
    return BinomialLoss(7, (-0.4, 0.9), (1 - p, p), (1 - q, q))


def test_a_binomial_loss_is_its_list_of_atoms():
    loss = skewed_coins()
    atoms = loss.atoms()
    for threshold in (-3.0, -2.8, -0.2, 1.1, 6.3):
        np.testing.assert_allclose(loss.tails(threshold), atoms.tails(threshold), atol=1e-12)
    assert loss.renyi(2.5) == pytest.approx(atoms.renyi(2.5), rel=1e-9)
    rates = np.array([0.1, 0.6])
    np.testing.assert_allclose(loss.true_positive_rate(rates), atoms.true_positive_rate(rates))
    assert (loss.smallest, loss.largest) == pytest.approx((-2.8, 6.3))


def test_the_reverse_of_a_binomial_loss_is_that_of_its_atoms():
    loss = skewed_coins()
    reverse, atoms = loss.reverse(), loss.atoms().reverse()
    assert (reverse.smallest, reverse.largest) == (-loss.largest, -loss.smallest)
    np.testing.assert_allclose(reverse.tails(1.0), atoms.tails(1.0))
    for epsilon in (-1.0, 0.0, 0.7, 2.0):
        assert reverse.delta(epsilon) == pytest.approx(atoms.delta(epsilon), abs=1e-12)


@given(st.floats(0.01, 5), st.integers(1, 50))
def test_one_of_many_coins_is_the_coin(epsilon, k):
    one, coin = randomized_response_loss(epsilon, k).one, RandomizedResponse(epsilon).worst_case
    assert one.losses == pytest.approx([-epsilon, epsilon])
    truth = 1 / (1 + np.exp(-epsilon))
    assert one.p == pytest.approx([1 - truth, truth])
    assert one.q == pytest.approx([truth, 1 - truth])
    assert one.delta(epsilon / 2) == pytest.approx(coin.delta(epsilon / 2))


@pytest.mark.filterwarnings("error")
def test_delta_is_1_where_everything_is_told():
    assert optimal_delta(ApproxDP(1, 1), 3, epsilon=1) == 1
    assert optimal_epsilon(ApproxDP(1, 1), 3, delta=0.5) == np.inf
    assert optimal_delta(ApproxDP(50, 0), 1000, epsilon=0) == 1
    assert optimal_delta(ApproxDP(50, 0.5), 1000, epsilon=0) == 1


def test_bad_arguments_are_named():
    calls = [
        (lambda: optimal_epsilon(ApproxDP(1, 0), 0, delta=0.1), "k must be a whole number"),
        (lambda: optimal_epsilon(ApproxDP(1, 0), 2, delta=1), "delta must be .* not 1"),
        (lambda: optimal_epsilon(ApproxDP(1, 0), 2, delta=-0.1), "delta must be .* not -0.1"),
        (lambda: optimal_delta(ApproxDP(1, 0), 1, epsilon=-1), "epsilon must be .* not -1"),
        (lambda: randomized_response_loss(-1), "epsilon must be a finite number at least 0"),
    ]
    assert_refused(calls)
