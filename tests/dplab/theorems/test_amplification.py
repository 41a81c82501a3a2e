"""Amplification by sampling, with the exact audit of small mechanisms on all their datasets."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from dplab import ApproxDP, Gaussian, Laplace, PureDP
from dplab.accounting import sampled
from dplab.audit.exact import exact_delta, exact_epsilon
from dplab.distributions import Finite
from dplab.mechanism import ExactMechanism
from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors
from dplab.theorems.amplification import amplify
from tests.dplab.strategies import pairs_of_laws
from tests.refusals import assert_refused

UNIVERSE, FIXED = (0, 1), "without replacement"
rates = st.floats(0.01, 0.99)
alarm_rates = st.lists(st.floats(0.01, 0.99), min_size=5, max_size=5)


@dataclass(frozen=True)
class Alarm(ExactMechanism):
    """An alarm whose probability `alarms[j]` depends on the number j of ones in the sample."""

    alarms: tuple[float, ...]
    neighbors: Neighbors = REPLACE_ONE
    guarantee: ApproxDP = field(default=ApproxDP(1.0, 0.5), compare=False)

    def distribution(self, data):
        chance = self.alarms[sum(data)]
        return Finite.of({"alarm": chance, "silence": 1 - chance})


def sampled_kinds(alarms, rate):
    """The alarm and its two sampled versions: 4 records, and m of these 4."""
    m = max(1, round(4 * rate))
    yield Alarm(tuple(alarms), ADD_REMOVE), (lambda a: sampled(a, rate=rate)), rate
    yield Alarm(tuple(alarms), REPLACE_ONE), (lambda a: sampled(a, rate=m / 4, by=FIXED)), m / 4


@given(alarm_rates, rates, st.floats(0, 2))
def test_no_pair_of_neighbours_exceeds_the_theorem(alarms, rate, inner_epsilon):
    for alarm, on_sample, share in sampled_kinds(alarms, rate):
        size = 4 if alarm.neighbors == ADD_REMOVE else round(4 * share)
        hidden = on_sample(alarm)
        inner = exact_epsilon(alarm, UNIVERSE, size).epsilon
        bound = np.log1p(share * np.expm1(inner))
        assert exact_epsilon(hidden, UNIVERSE, 4).epsilon <= bound * (1 + 1e-9) + 1e-12
        delta = exact_delta(alarm, UNIVERSE, size, epsilon=inner_epsilon)
        outer = np.log1p(share * np.expm1(inner_epsilon))
        assert exact_delta(hidden, UNIVERSE, 4, epsilon=outer) <= share * delta + 1e-12


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("rate", [0.25, 0.5, 1.0])
def test_the_promise_is_reached_by_an_alarm_that_one_record_sets_off(epsilon, rate):
    loud = (0.02, *[0.02 * np.exp(epsilon)] * 4)
    promise = PureDP(epsilon)
    kinds = (
        sampled(Alarm(loud, ADD_REMOVE, promise), rate=rate),
        sampled(Alarm(loud, REPLACE_ONE, promise), rate=rate, by=FIXED),
    )
    for hidden in kinds:
        assert hidden.guarantee.epsilon == pytest.approx(np.log1p(rate * np.expm1(epsilon)))
        found = exact_epsilon(hidden, UNIVERSE, 4).epsilon
        assert found == pytest.approx(hidden.guarantee.epsilon)


def test_the_delta_is_reached_by_an_alarm_that_only_one_record_can_set_off():
    rare = (0.0, 0.1, 0.1, 0.1, 0.1)
    promise = ApproxDP(0.0, 0.1)
    for hidden in (
        sampled(Alarm(rare, ADD_REMOVE, promise), rate=0.25),
        sampled(Alarm(rare, REPLACE_ONE, promise), rate=0.25, by=FIXED),
    ):
        assert hidden.guarantee == ApproxDP(0.0, 0.025)
        assert exact_delta(hidden, UNIVERSE, 4, epsilon=0.0) == pytest.approx(0.025)


@given(alarm_rates, rates)
def test_samples_are_drawn_with_their_probabilities(alarms, rate):
    data, ones = (1, 0, 1, 1), np.arange(5)
    laws = (binom(3, rate), hypergeom(4, 3, 2))
    mechanisms = (
        sampled(Alarm(tuple(alarms), ADD_REMOVE), rate=rate),
        sampled(Alarm(tuple(alarms), REPLACE_ONE), rate=0.5, by=FIXED),
    )
    for mechanism, law in zip(mechanisms, laws, strict=True):
        found = np.exp(mechanism.distribution(data).log_density("alarm"))
        assert found == pytest.approx(law.pmf(ones) @ alarms)


@given(pairs_of_laws(), rates)
def test_the_picture_confirms_the_theorem_on_finite_laws(pair, rate):
    assert amplify(*pair, rate=rate, epsilons=np.linspace(0, 3, 7)).is_confirmed


@pytest.mark.parametrize("family", [Gaussian, Laplace])
def test_the_picture_has_the_deltas_of_both_directions(family):
    p, r = family(1.5, 1.0), family(0.0, 1.0)
    found = amplify(p, r, rate=0.2, epsilons=[0.0, 0.3])
    assert found.is_confirmed
    assert found.sampled == pytest.approx(found.promised)  # where the record is removed
    assert found.sampled[0] == pytest.approx(0.2 * found.whole[0])
    assert not amplify(p, r, rate=0.2, epsilons=[0.3]).whole[0] <= found.sampled[1]
    everybody = amplify(p, r, rate=1, epsilons=[0.0, 0.3])
    assert everybody.sampled == pytest.approx(everybody.whole)


def test_bad_arguments_are_refused():
    laws = (Laplace(1, 1), Laplace(0, 1))
    assert_refused(
        [
            (lambda: amplify(*laws, rate=0, epsilons=[1.0]), "rate must be"),
            (lambda: amplify(*laws, rate=0.5, epsilons=[-1.0]), "the least of epsilons must be"),
        ]
    )
