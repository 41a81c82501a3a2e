from dataclasses import dataclass

import numpy as np
import pytest

from dplab.audit import exact, exact_delta, exact_epsilon
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP, PureDP
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.mechanisms.randomized_response import CoinSurvey, RandomizedResponse
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, pairs


@dataclass(frozen=True)
class NameAndShame(ExactMechanism):
    """Publishes one random row: (0, 1/n)-DP and a catastrophe."""

    guarantee = ApproxDP(0.0, 1 / 3)
    neighbors = REPLACE_ONE

    def distribution(self, data):
        shares: dict = {}
        for row in enumerate(data):
            shares[row] = 1 / len(data)
        return Finite.of(shares)


@dataclass(frozen=True)
class TruncatedGeometricCount(ExactMechanism):
    """The number of ones plus two-sided geometric noise, clamped to 0..cap."""

    epsilon: float
    cap: int
    neighbors = ADD_REMOVE

    @property
    def guarantee(self):
        return PureDP(self.epsilon)

    def distribution(self, data):
        a, count = np.exp(-self.epsilon), sum(data)
        inside = {y: (1 - a) / (1 + a) * a ** abs(y - count) for y in range(1, self.cap)}
        ends = {y: a ** abs(y - count) / (1 + a) for y in (0, self.cap)}
        return Finite.of(ends | inside)


def test_randomized_response_on_ten_bits():
    audit = exact_epsilon(RandomizedResponse(1.0), (0, 1), n=10)
    assert audit.epsilon == pytest.approx(1.0)
    assert audit.pairs == 1024 * 10 // 2
    law, other = (RandomizedResponse(1.0).distribution(x) for x in (audit.x, audit.neighbor))
    ratio = law.log_density(audit.outcome) - other.log_density(audit.outcome)
    assert abs(ratio) == pytest.approx(1.0)  # the witness is one


def test_the_geometric_count_is_tight():
    assert exact_epsilon(TruncatedGeometricCount(0.7, 10), (0, 1), n=5).epsilon == pytest.approx(
        0.7
    )


def test_name_and_shame_is_what_it_promises():
    assert exact_epsilon(NameAndShame(), (0, 1), n=3).epsilon == np.inf
    for epsilon in (0.0, 1.0, 10.0):
        assert exact_delta(NameAndShame(), (0, 1), n=3, epsilon=epsilon) == pytest.approx(1 / 3)


def test_delta_matches_the_closed_form_of_randomized_response():
    """delta(t) = (e^epsilon - e^t) / (1 + e^epsilon) for one differing bit."""
    for t in (0.0, 0.4, 1.0):
        expected = max(0.0, (np.e - np.exp(t)) / (1 + np.e))
        delta = exact_delta(RandomizedResponse(1.0), (0, 1), n=3, epsilon=t)
        assert delta == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("epsilon", [700.0, 709.0, 710.0, 800.0, 1e300])
def test_no_epsilon_overflows(epsilon):
    """Half of the time the record is told: half of delta stays, however large epsilon is."""
    assert exact_delta(CoinSurvey(theta=0.5), (0, 1), n=1, epsilon=epsilon) == pytest.approx(0.5)
    coin = exact_delta(RandomizedResponse(750.0), (0, 1), n=2, epsilon=epsilon)
    assert coin == pytest.approx(-np.expm1(min(0.0, epsilon - 750.0)), abs=1e-12)


class Deaf(ExactMechanism):
    """Says the same to all, and one thing never."""

    guarantee, neighbors = PureDP(0.0), REPLACE_ONE

    def distribution(self, data):
        return Finite.of({0: 0.0, 1: 1.0})


def test_what_nobody_says_tells_nothing():
    audit = exact_epsilon(Deaf(), (0, 1), n=2)
    assert (audit.epsilon, audit.outcome) == (0, 1)
    assert sum(a != b for a, b in zip(audit.x, audit.neighbor, strict=True)) == 1
    assert exact_delta(Deaf(), (0, 1), n=2, epsilon=0) == 0


@pytest.mark.parametrize("ratios", [1, 7, 8, 24, 95, 96, 10**6])
def test_only_so_many_ratios_are_in_memory_at_once(ratios, monkeypatch):
    """12 pairs and 8 outcomes: as many pairs at a time as fit, but at least one."""
    m = RandomizedResponse(1.0)
    whole = exact_epsilon(m, (0, 1), 3).epsilon, exact_delta(m, (0, 1), 3, epsilon=0.5)
    monkeypatch.setattr(exact, "CHUNK", ratios)
    fit = min(12, max(1, ratios // 8))
    pieces = [len(left) for left, _ in exact._LawTable.of(m, (0, 1), 3).chunks()]
    assert pieces == [fit] * (12 // fit) + [12 % fit] * (12 % fit > 0)
    audit = exact_epsilon(m, (0, 1), 3)
    assert (audit.epsilon, exact_delta(m, (0, 1), 3, epsilon=0.5)) == whole
    laws = (m.distribution(data) for data in (audit.x, audit.neighbor))
    here, there = (law.log_density(audit.outcome) for law in laws)
    assert abs(here - there) == audit.epsilon


def test_a_megabyte_of_ratios_is_one_piece():
    left, _ = next(exact._LawTable.of(RandomizedResponse(1.0), (0, 1), 6).chunks())
    assert len(left) == 6 * 2**5


def test_what_cannot_be_enumerated_is_refused():
    count = LaplaceMechanism(sum, sensitivity=1, epsilon=1)
    with pytest.raises(ValueError, match="finitely many outcomes, not Laplace"):
        exact_epsilon(count, (0, 1), n=2)
    with pytest.raises(ValueError, match="no neighbouring datasets"):
        exact_epsilon(RandomizedResponse(1.0), (0,), n=2)
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, not 0"):
        exact_epsilon(RandomizedResponse(1.0), (0, 1), n=0)
    with pytest.raises(ValueError, match=r"epsilon must be .* at least 0, not -0.5"):
        exact_delta(RandomizedResponse(1.0), (0, 1), n=2, epsilon=-0.5)


class FirstRecord(ExactMechanism):
    guarantee, neighbors = PureDP(1.0), ADD_REMOVE

    def distribution(self, data):
        one = 0.5 if not data else 0.6 if data[0] else 0.4
        return Finite.of({1: one, 0: 1 - one})


def test_the_exact_audit_looks_at_all_neighbours_where_a_record_comes_or_goes():
    m = FirstRecord()
    worst = max(m.privacy_loss(x, y).largest_log_ratio for x, y in pairs(ADD_REMOVE, (0, 1), 2))
    assert exact_epsilon(m, (0, 1), 2).epsilon == pytest.approx(worst)  # (1,) and (0, 1)
    assert exact_delta(m, (0, 1), 2, epsilon=0) == pytest.approx(0.2)


@dataclass(frozen=True)
class LaterOutcome(ExactMechanism):
    """Whoever has a one is seen now and then by an outcome that others don't have."""

    guarantee = ApproxDP(np.log(2), 1 / 4)
    neighbors = REPLACE_ONE

    def distribution(self, data):
        return Finite.of({0: 0.5, 1: 0.25, 2: 0.25} if sum(data) else {0: 0.5, 1: 0.5})


def test_an_outcome_that_the_first_law_has_not_is_not_forgotten():
    assert exact_epsilon(LaterOutcome(), (0, 1), n=1).epsilon == np.inf
    assert exact_delta(LaterOutcome(), (0, 1), n=1, epsilon=np.log(2)) == pytest.approx(1 / 4)
