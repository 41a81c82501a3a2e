from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from dplab.audit import exact_delta
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP, RenyiDP
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.gaussian import GaussianMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.groups import FamilyAlarm, chain


def family(k: int, n: int = 6) -> list[tuple[int, ...]]:
    """From nobody's bit set to k people's, one after the other."""
    return [(1,) * j + (0,) * (n - j) for j in range(k + 1)]


@pytest.mark.parametrize("k", [1, 2, 6])
def test_pure_mechanisms_reach_k_epsilon(k):
    for mechanism in (
        RandomizedResponse(0.4),
        LaplaceMechanism(sum, sensitivity=1, epsilon=0.4),
        GeometricMechanism(sum, sensitivity=1, epsilon=0.4),
    ):
        found = chain(mechanism, family(k))
        assert found.k == k
        assert found.ends[0].largest_log_ratio == pytest.approx(0.4 * k)
        assert found.keeps(mechanism.guarantee)
        assert not found.keeps(PureDP(0.39))


@pytest.mark.parametrize(("k", "factor"), [(1, 1.0), (2, 3.71828), (5, 85.791), (10, 12818.3)])
def test_delta_grows_by_the_factor_of_the_theorem_and_an_alarm_reaches_it(k, factor):
    delta = 1e-5
    alarm = FamilyAlarm(epsilon=1.0, delta=delta, n=k)
    promised = alarm.guarantee.group(k)
    assert promised.delta / delta == pytest.approx(factor, rel=1e-5)
    found = chain(alarm, family(k, n=k))
    assert found.keeps(alarm.guarantee)
    assert found.ends[1].delta(promised.epsilon) == pytest.approx(promised.delta, rel=1e-9)
    assert promised.delta <= k * np.exp(k - 1) * delta * (1 + 1e-12)  # the simpler bound


@pytest.mark.parametrize(("delta", "first"), [(0.001, 0.0), (0.0, 0.02), (0.01, 0.01)])
def test_the_alarm_keeps_its_promise_to_single_people_and_nothing_less(delta, first):
    alarm = FamilyAlarm(epsilon=0.5, delta=delta, n=4, first=first)
    found = exact_delta(alarm, epsilon=0.5, universe=(0, 1), n=4)
    assert found == pytest.approx(delta, abs=1e-12)


def test_without_delta_the_alarm_reaches_k_epsilon():
    alarm = FamilyAlarm(epsilon=0.7, delta=0.0, n=3, first=0.05)
    found = chain(alarm, family(3, n=3))
    assert found.ends[0].largest_log_ratio == pytest.approx(2.1)
    assert all(step.largest_log_ratio <= 0.7 + 1e-9 for step in found.steps)


def test_an_alarm_that_never_sounds_at_a_large_epsilon():
    alarm = FamilyAlarm(epsilon=800.0, delta=0.0, n=3)
    assert [alarm.alarm(ones) for ones in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize("k", [1, 2, 4])
def test_gaussian_noise_reaches_k_squared_rho(k):
    mechanism = GaussianMechanism(sum, sensitivity=1, sigma=2.0)
    rho = 1 / (2 * 2.0**2)
    found = chain(mechanism, family(k))
    assert found.keeps(ZCDP(rho))
    for alpha in (1.5, 2.0, 8.0):
        assert found.ends[0].renyi(alpha) == pytest.approx(k**2 * rho * alpha)
    assert not found.keeps(ZCDP(0.99 * rho))


@pytest.mark.parametrize("k", [2, 4])
def test_renyi_promises_hold_for_groups_of_powers_of_two(k):
    for mechanism in (
        RandomizedResponse(0.8),
        LaplaceMechanism(sum, sensitivity=1, epsilon=0.8),
        GaussianMechanism(sum, sensitivity=1, sigma=1.5),
    ):
        x, y, *_ = family(1)
        promise = RenyiDP(8.0, mechanism.privacy_loss(x, y).renyi(8.0))
        assert chain(mechanism, family(k)).keeps(promise)


def test_any_two_datasets_of_n_people_are_n_epsilon_apart():
    mechanism, n = RandomizedResponse(0.25), 4
    losses = [
        mechanism.privacy_loss(x, y).largest_log_ratio
        for x, y in product(product((0, 1), repeat=n), repeat=2)
    ]
    assert max(losses) == pytest.approx(n * 0.25)


@dataclass(frozen=True)
class Boastful(RandomizedResponse):
    """It promises half of what it takes."""

    @property
    def guarantee(self):
        return PureDP(self.epsilon / 2)


def test_a_promise_that_is_broken_is_seen():
    mechanism = Boastful(1.0)
    assert not chain(mechanism, family(2)).keeps(mechanism.guarantee)
    assert chain(mechanism, family(2)).keeps(ApproxDP(1.0, 0.0))
    assert chain(mechanism, family(2)).keeps(BoundedRange(2.0))
    assert not chain(mechanism, family(2)).keeps(BoundedRange(1.999))


def test_errors_name_the_argument():
    mechanism = RandomizedResponse(1.0)
    with pytest.raises(ValueError, match="datasets must be a chain of neighbours"):
        chain(mechanism, [(0, 0), (1, 1)])
    with pytest.raises(ValueError, match="the length of datasets must be"):
        chain(mechanism, [(0, 0)])
    with pytest.raises(ValueError, match="the largest probability of the alarm"):
        FamilyAlarm(epsilon=1.0, delta=0.1, n=5)
    with pytest.raises(ValueError, match="delta must be a finite number at least 0"):
        FamilyAlarm(epsilon=1.0, delta=-0.1, n=5)


def test_an_alarm_for_more_people_than_memory_has_room_for():
    alarm = FamilyAlarm(1e-12, delta=1e-10, n=10**9, first=1e-9)
    assert alarm.alarm(10**9) == pytest.approx(1e-9 * np.exp(1e-3) + 1e2 * np.expm1(1e-3))
    assert FamilyAlarm(800.0, delta=0.1, n=1).alarm(1) == pytest.approx(0.1)
    with pytest.raises(ValueError, match=r"the largest probability of the alarm.* must .*not inf"):
        FamilyAlarm(1.0, delta=0.0, n=10**9, first=1e-9)
