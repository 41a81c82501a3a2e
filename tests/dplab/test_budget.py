from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.accounting import Release, epsilon_bounds, rho_for
from dplab.budget import Budget, BudgetExceeded, Odometer
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP, RenyiDP
from dplab.losses import AtomicLoss, GaussianLoss
from dplab.mechanisms.discrete import DiscreteGaussianMechanism
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.selection import ExponentialMechanism
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


def count(data):
    return [len(data), 0]


def test_a_mechanism_costs_what_it_states_in_the_budgets_kind():
    """A choice its bounded range, and normal noise its rho, whatever guarantee was asked for."""
    vote = ExponentialMechanism("ab", count, sensitivity=1, epsilon=0.8)
    noise = GaussianMechanism.for_epsilon(count, sensitivity=1, epsilon=1.0, delta=1e-6)
    budget, odometer = Budget(ZCDP(10.0)), Odometer(delta=1e-6, smallest=ZCDP(0.1))
    for price in (vote, noise, vote.compose(noise), vote.post_process(str)):
        budget.pay(price)
        odometer.add(price)
    rho = noise.mu**2 / 2
    assert budget.spent.rho == odometer.spent.rho == pytest.approx(3 * 0.08 + 2 * rho)
    loose = Budget(ApproxDP(10.0, 0.1))
    loose.pay(vote)
    loose.pay(noise)
    assert (loose.spent.epsilon, loose.spent.delta) == pytest.approx((1.8, 1e-6))
    with pytest.raises(ValueError, match="implies no PureDP"):
        Budget(PureDP(10.0)).pay(noise)


TARGET = ApproxDP(3.0, 2e-2)


def test_a_budget_of_mixed_kinds_takes_a_rho_and_the_delta_that_is_left():
    budget = Budget(TARGET)
    budget.pay(ApproxDP(1.0, 0.01))
    limit = rho_for(ApproxDP(2.0, 0.005))
    with pytest.raises(BudgetExceeded) as refusal:
        budget.check(PureDP(0.5), ZCDP(0.3), ZCDP(0.3))
    left = f"ApproxDP(epsilon=2.0, delta=0.01) or {limit}"
    prices = "ApproxDP(epsilon=0.5, delta=0.0) + ZCDP(rho=0.3) + ZCDP(rho=0.3)"
    assert str(refusal.value) == f"price must be at most {left}, not {prices}"
    assert budget.remaining == ApproxDP(2.0, 0.01)
    budget.pay(ZCDP(limit.rho / 2))
    assert not budget.allows(ZCDP(0.51 * limit.rho))
    assert not budget.allows(ApproxDP(0.0, 0.0051))
    assert budget.spent.epsilon == pytest.approx(1 + ZCDP(limit.rho / 2).to_approx(0.005).epsilon)
    assert budget.spent.delta == pytest.approx(0.015)
    most = budget.remaining
    assert most.delta == 0.005
    assert not budget.allows(ApproxDP(most.epsilon * 1.001, 0.0))
    with pytest.raises(BudgetExceeded, match=r"or ZCDP\(rho=.*\), not ZCDP\(rho=9.0\)"):
        budget.pay(ZCDP(9.0))
    budget.pay(most)
    assert budget.spent.epsilon == pytest.approx(3.0, abs=1e-6)
    assert budget.spent.delta == pytest.approx(0.02)
    assert not budget.allows(ZCDP(1e-3))
    assert not Budget(ApproxDP(1.0, 0.0)).allows(ZCDP(1e-9))


@pytest.mark.parametrize("first", [0, 1, 3])
def test_normal_noise_and_coins_stay_within_a_budget_of_mixed_kinds(first):
    """As much as it sells, at the exact cost of all answers; most of the budget is used."""
    budget, coins, noises = Budget(ApproxDP(2.0, 1e-5)), first, 0
    for _ in range(first):
        budget.pay(PureDP(0.1))
    while budget.allows(ZCDP(0.005)):
        budget.pay(ZCDP(0.005))
        noises += 1
        if noises % 3 == 0 and budget.allows(PureDP(0.1)):
            budget.pay(PureDP(0.1))
            coins += 1
    losses = {
        GaussianLoss(0.1): noises,
        AtomicLoss.of(*np.log([[0.525, 0.475], [0.475, 0.525]])): coins,
    }
    cost = epsilon_bounds([Release(loss, k) for loss, k in losses.items() if k], delta=1e-5)
    assert 1.2 < cost.upper <= 2.0
    assert budget.spent.epsilon <= 2.0 + 1e-9


def told_or_coin(price):
    """The laws of a coin of this epsilon that tells all with this delta, given a bit."""
    truth = (1 - price.delta) / (1 + np.exp(-price.epsilon))
    lie = 1 - price.delta - truth
    return [truth, lie, price.delta, 0.0], [lie, truth, 0.0, price.delta]


def test_an_adversary_who_mixes_kinds_stays_within_the_total():
    """All transcripts of coins that may tell all; their kinds and prices follow the answers."""
    outcomes = []

    def walk(answers, p, q, budget):
        lucky = answers.count(0) * 2 > len(answers)
        price = ApproxDP(0.6 if lucky else 0.4, 0.002 if lucky else 0.0)
        stated = price if price.delta or len(answers) < 2 else PureDP(0.4).to_zcdp()
        if len(answers) == 9 or 2 in answers or 3 in answers or not budget.allows(stated):
            outcomes.append((p, q))
            return
        budget.pay(stated)
        for answer, (on_x, on_y) in enumerate(zip(*told_or_coin(price), strict=True)):
            if on_x + on_y > 0:
                walk((*answers, answer), p * on_x, q * on_y, deepcopy(budget))

    walk((), 1.0, 1.0, Budget(TARGET))
    with np.errstate(divide="ignore"):
        loss = AtomicLoss.of(*np.log(np.array(outcomes).T))
    assert len(outcomes) > 50
    assert loss.delta(0.5 * TARGET.epsilon) > TARGET.delta
    for direction in (loss, loss.reverse()):
        assert direction.delta(TARGET.epsilon) <= TARGET.delta


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
        (lambda: Budget(ApproxDP(1, 0.1)).pay(RenyiDP(2, 0.1)), "implies no ZCDP by itself"),
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
