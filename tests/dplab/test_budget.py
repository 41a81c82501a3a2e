from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.accounting import rho_for
from dplab.budget import Budget, BudgetExceeded, Odometer
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP, RenyiDP
from dplab.losses import AtomicLoss, GaussianLoss
from dplab.mechanisms.discrete import DiscreteGaussianMechanism
from tests.refusals import assert_refused


def test_a_refused_release_costs_nothing():
    budget = Budget(PureDP(1.0))
    budget.pay(PureDP(0.7))
    with pytest.raises(BudgetExceeded, match=r"price must be at most .*0\.3.*, not .*0\.5"):
        budget.pay(PureDP(0.5))
    assert budget.spent == PureDP(0.7)
    budget.pay(PureDP(0.3))
    assert budget.remaining.epsilon == pytest.approx(0, abs=1e-12)


def test_prices_are_checked_together_and_nothing_is_taken():
    budget = Budget(PureDP(1.0))
    budget.check()
    budget.check(PureDP(0.75), PureDP(0.25))
    words = r"at most PureDP\(epsilon=1.0\), not PureDP\(epsilon=0.75\) \+ PureDP\(epsilon=0.5\)"
    with pytest.raises(BudgetExceeded, match=words):
        budget.check(PureDP(0.75), PureDP(0.5))
    with pytest.raises(ValueError, match="implies no PureDP"):
        budget.check(PureDP(0.25), ZCDP(0.25))
    assert budget.spent == PureDP(0.0)


@pytest.mark.parametrize("k", [3, 7, 10, 1000])
def test_k_shares_are_the_whole_and_one_more_is_not(k):
    budget = Budget(ApproxDP(1.0, 1e-6))
    for _ in range(k):
        budget.pay(ApproxDP(1 / k, 1e-6 / k))
    assert not budget.allows(ApproxDP(1 / k, 0))
    assert budget.allows(ApproxDP(0, 0))


def test_prices_too_small_for_a_float_to_show_add_up():
    """A sum of floats would stand still at 0.4."""
    budget, odometer = Budget(PureDP(0.5)), Odometer(delta=1e-6, smallest=ZCDP(0.01))
    budget.pay(PureDP(0.4))
    odometer.add(ZCDP(0.4))
    for _ in range(20_000):
        budget.pay(PureDP(5e-18))
        odometer.add(ZCDP(5e-18))
    for spent in (
        budget.spent.epsilon - 0.4,
        0.1 - budget.remaining.epsilon,
        odometer.spent.rho - 0.4,
    ):
        assert spent == pytest.approx(1e-13, rel=1e-3, abs=0)


def test_each_part_of_a_budget_is_watched():
    budget = Budget(ApproxDP(1.0, 1e-6))
    assert not budget.allows(ApproxDP(0.1, 1e-5))
    assert not budget.allows(ApproxDP(1.1, 0))


@given(st.lists(st.floats(0.001, 2), max_size=30), st.floats(0.1, 3))
def test_what_is_paid_never_exceeds_the_total(prices, total):
    budget = Budget(ZCDP(total))
    paid = 0.0
    for price in prices:
        if budget.allows(ZCDP(price)):
            budget.pay(ZCDP(price))
            paid += price
        else:
            assert paid + price > total
    assert paid <= total * (1 + 1e-9)


def adaptive_loss(choose):
    """The law of the total loss of coins whose price is `choose(answers)`, by its tree."""
    outcomes = []

    def walk(answers, p, q):
        price = choose(answers)
        if price is None:
            outcomes.append((p, q))
            return
        truth = 1 / (1 + np.exp(-price))
        walk((*answers, 1), p * truth, q * (1 - truth))
        walk((*answers, 0), p * (1 - truth), q * truth)

    walk((), 1.0, 1.0)
    p, q = np.array(outcomes).T
    return AtomicLoss.of(np.log(p), np.log(q))


def test_an_adversary_who_adapts_stays_within_what_rho_was_bought_for():
    """All transcripts of coins whose price rises with the good answers so far are enumerated."""
    target = ApproxDP(2.5, 1e-2)
    fresh = Budget(rho_for(target))

    def choose(answers):
        budget = deepcopy(fresh)
        for i in range(len(answers) + 1):
            price = 0.5 if sum(answers[:i]) * 2 > i else 0.2
            if not budget.allows(PureDP(price)):
                return None
            budget.pay(PureDP(price))
        return price if len(answers) < 10 else None

    loss = adaptive_loss(choose)
    assert len(loss.losses) > 8
    assert loss.delta(target.epsilon / 2) > 0
    assert loss.delta(target.epsilon) <= target.delta


@given(st.floats(1e-3, 20))
def test_prices_of_another_kind_are_paid_as_what_they_imply(price):
    """Bounded range costs a quarter of pure DP, in rho, as long as that is the better bound."""
    budget = Budget(ZCDP(1e6))
    budget.pay(BoundedRange(price))
    rho = price * np.tanh(price / 2)
    assert budget.spent.rho == pytest.approx(min(price**2 / 8, rho))
    budget.pay(PureDP(price))
    assert budget.spent.rho == pytest.approx(min(price**2 / 8, rho) + rho)
    loose = Budget(ApproxDP(100, 0.1))
    for promise in (PureDP(price), BoundedRange(price), ApproxDP(price, 0.05)):
        loose.pay(promise)
    assert loose.spent.epsilon == pytest.approx(3 * price)
    assert loose.spent.delta == 0.05


def test_an_odometer_never_reads_less_than_was_spent():
    """A normal release of the same rho has the exact epsilon at the share of delta that is read."""
    odometer = Odometer(delta=1e-6, smallest=ZCDP(0.01))
    readings = []
    for _ in range(60):
        odometer.add(ZCDP(0.02))
        reading = odometer.read()
        readings.append(reading.epsilon)
        exact = GaussianLoss(np.sqrt(2 * odometer.spent.rho)).epsilon(reading.delta)
        assert exact <= reading.epsilon
    assert readings == sorted(readings)
    assert readings[-1] < 2.5 * odometer.spent.to_approx(1e-6).epsilon


def test_the_shares_of_an_odometer_add_up_to_delta():
    shares = []
    for level in range(100):
        odometer = Odometer(delta=1e-3, smallest=ZCDP(1e-300))
        odometer.add(ZCDP(2.0**level * 1e-300))
        shares.append(odometer.read().delta)
    assert 0.99e-3 < sum(shares) < 1e-3


def test_bad_arguments_are_named():
    calls = [
        (lambda: Budget(RenyiDP(2, 1)), "total must be PureDP, ApproxDP or ZCDP"),
        (lambda: Budget(PureDP(1)).pay(ZCDP(0.1)), "implies no PureDP by itself"),
        (lambda: Budget(ApproxDP(1, 0.1)).pay(ZCDP(0.1)), "implies no ApproxDP by itself"),
        (lambda: Budget(ZCDP(1)).allows(ApproxDP(0.1, 1e-9)), "implies no ZCDP by itself"),
        (
            lambda: Odometer(delta=0.1, smallest=ZCDP(1)).add(ApproxDP(0.1, 1e-9)),
            "implies no ZCDP by itself",
        ),
        (lambda: Odometer(delta=0, smallest=ZCDP(1)), "delta must be .* not 0"),
        (lambda: Odometer(delta=0.1, smallest=ZCDP(0)), "smallest.rho must be .* above 0"),
    ]
    assert_refused(calls)


def test_errors_that_name_the_argument_or_none_at_all():
    with pytest.raises(ValueError, match="price must be a Guarantee"):
        Budget(PureDP(1)).pay(0.5)
    odometer = Odometer(delta=1e-6, smallest=ZCDP(1e-300))
    odometer.add(ZCDP(1e10))
    assert odometer.read().epsilon > 0
    DiscreteGaussianMechanism.for_zcdp(sum, sensitivity=1, rho=(1, 10**330))
