from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ADD_REMOVE, REPLACE_ONE, ZCDP, ApproxDP, Finite, PureDP, RandomizedResponse
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.neighbors import Neighbors
from dplab.theorems.generalization import generalization, generalization_bound
from tests.dplab.strategies import finite_laws


@dataclass(frozen=True, eq=False)
class Table(ExactMechanism):
    """A law for each dataset, and a promise that need not be true."""

    laws: dict
    promise: PureDP | ZCDP
    neighbors: Neighbors = REPLACE_ONE

    @property
    def guarantee(self):
        return self.promise

    def distribution(self, data):
        return self.laws[data]


@st.composite
def tables(draw, values=3, n=2, outputs=3):
    """A mechanism on n records from range(values), with the least epsilon that is true."""
    laws = {x: draw(finite_laws(outputs)) for x in product(range(values), repeat=n)}
    close = [(x, y) for x in laws for y in laws if REPLACE_ONE.distance(x, y) == 1]
    logs = [laws[x].log_probabilities - laws[y].log_probabilities for x, y in close]
    return Table(laws, PureDP(float(np.max(logs))))


def gain_by_swapping(mechanism, population, n, query):
    """E[q(S)] - E[q(P)] as the proof has it: for each i, a fresh record in place of x_i."""
    gain, law = 0.0, dict(zip(population.outcomes, population.probabilities, strict=True))
    for sample in product(law, repeat=n):
        chance = np.prod([law[x] for x in sample])
        said = mechanism.distribution(sample)
        for y, probability in zip(said.outcomes, said.probabilities, strict=True):
            on_sample = np.mean([query(y, x) for x in sample])
            fresh = sum(law[z] * query(y, z) for z in law)
            gain += chance * probability * (on_sample - fresh)
    return gain


@given(tables(), finite_laws(3), st.lists(st.floats(0, 1), min_size=9, max_size=9))
def test_gains_are_those_of_the_definition_and_within_the_bound(mechanism, population, values):
    def query(y, x):
        return values[3 * y + x]

    found = generalization(mechanism, population, n=2)
    assert found.holds
    assert found.gain(query) == pytest.approx(
        gain_by_swapping(mechanism, population, 2, query), abs=1e-12
    )
    assert abs(found.gain(query)) <= found.largest_gain + 1e-12
    epsilon = mechanism.promise.epsilon
    assert found.largest_gain <= np.tanh(epsilon / 4) + 1e-12 <= np.exp(epsilon) - 1 + 1e-12


@given(tables(), finite_laws(3))
def test_the_best_analyst_is_the_best_of_all_that_say_yes_or_no(mechanism, population):
    found = generalization(mechanism, population, n=2)
    best = max(
        found.gain(lambda y, x, bits=bits: bits[3 * y + x]) for bits in product((0, 1), repeat=9)
    )
    assert found.largest_gain == pytest.approx(best, abs=1e-12)


@given(tables(), finite_laws(3))
def test_the_bound_for_rho_holds_too(mechanism, population):
    promised = replace(mechanism, promise=mechanism.promise.to_zcdp())
    assert generalization(promised, population, n=2).holds


@pytest.mark.parametrize("k", range(2, 12))
def test_randomized_response_reaches_the_bound(k):
    """With 1 + e^{epsilon / 2} answers; k = 2 is epsilon = 0, where all stops."""
    epsilon = 2 * np.log(k - 1) if k > 2 else 1e-9
    population = Finite(tuple(range(k)), np.full(k, -np.log(k)))
    found = generalization(RandomizedResponse(epsilon, k=k), population, n=1)
    assert found.largest_gain == pytest.approx(found.bound, abs=1e-9)
    assert found.bound == pytest.approx((k - 2) / k, abs=1e-9)  # tanh(log(k - 1) / 2)


@pytest.mark.parametrize(("k", "arc"), [(5, 2), (7, 3), (7, 2), (100, 49), (100, 3)])
def test_arcs_on_a_circle_reach_the_bound(k, arc):
    """The share arc / k is 1 / (1 + e^{epsilon / 2}), which need not be one over a whole number."""
    epsilon = 2 * np.log((k - arc) / arc)
    near = (np.arange(k)[:, None] - np.arange(k)) % k < arc  # of records, in rows, and outputs
    chances = np.where(near, np.exp(epsilon), 1.0)
    logs = np.log(chances / chances.sum(axis=1, keepdims=True))
    mechanism = Table({(x,): Finite(tuple(range(k)), logs[x]) for x in range(k)}, PureDP(epsilon))
    found = generalization(mechanism, Finite(tuple(range(k)), np.full(k, -np.log(k))), n=1)
    assert np.ptp(logs, axis=0).max() <= epsilon + 1e-12
    assert found.largest_gain == pytest.approx(np.tanh(epsilon / 4), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1, 10])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_an_attribute_that_is_chosen_privately_generalizes(epsilon, n):
    """Three bits a record, coins: choose the most frequent, and ask for its share."""
    people = list(product((0, 1), repeat=3))
    population = Finite(tuple(people), np.full(8, -np.log(8)))
    chosen = ExponentialMechanism(
        range(3), lambda data: np.sum(data, axis=0), sensitivity=1, epsilon=epsilon
    )
    found = generalization(chosen, population, n)
    gain = found.gain(lambda attribute, person: person[attribute])
    assert 0 < gain <= found.largest_gain <= found.bound
    sums = np.array([np.sum(data, axis=0) for data in product(people, repeat=n)])
    weights = np.exp(epsilon / 2 * (sums - sums.max(axis=1, keepdims=True)))
    mean = (sums * weights).sum(axis=1) / weights.sum(axis=1)
    assert gain == pytest.approx(mean.mean() / n - 1 / 2)


def test_a_promise_that_is_not_kept_does_not_hold():
    """Whoever publishes a record, or flips it less often than said."""
    three = Finite((0, 1, 2), np.log([1 / 3] * 3))
    told = Table({(x,): Finite.of({x: 1.0}) for x in range(3)}, PureDP(1))
    assert generalization(told, three, n=1).largest_gain == pytest.approx(2 / 3)
    assert not generalization(told, three, n=1).holds
    honest = RandomizedResponse(2 * np.log(2), k=3)
    laws = {(x,): honest.distribution(x) for x in range(3)}
    assert generalization(Table(laws, honest.guarantee), three, n=1).holds
    assert not generalization(Table(laws, PureDP(honest.epsilon * 0.999)), three, n=1).holds


def test_bounds():
    assert generalization_bound(PureDP(0)) == generalization_bound(ZCDP(0)) == 0
    assert generalization_bound(PureDP(2 * np.log(3))) == pytest.approx(0.5)
    assert generalization_bound(ZCDP(0.5)) == pytest.approx(0.5)
    assert generalization_bound(ZCDP(100)) == 1
    assert generalization_bound(PureDP(100)) <= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n must be a whole number of at least 1, not 0"),
        ({"n": 17}, r"n must leave at most 100000 samples, not 2\^17"),
        (
            {"neighbors": ADD_REMOVE},
            "mechanism must have a guarantee for ReplaceOne.*, not AddRemove",
        ),
    ],
)
def test_bad_arguments_are_named(change, message):
    fair = Finite((0, 1), np.log([0.5, 0.5]))
    mechanism = ExponentialMechanism(
        "ab", len, 1, 1.0, neighbors=change.get("neighbors", REPLACE_ONE)
    )
    with pytest.raises(ValueError, match=message):
        generalization(mechanism, fair, change.get("n", 1))


def test_bad_promises_and_queries_are_named():
    with pytest.raises(ValueError, match="promise must be PureDP or ZCDP, not ApproxDP"):
        generalization_bound(ApproxDP(1, 0.1))
    fair = Finite((0, 1), np.log([0.5, 0.5]))
    found = generalization(RandomizedResponse(1.0), fair, n=1)
    for value in (1.5, -0.1, np.nan):
        with pytest.raises(ValueError, match="query must have values from 0 to 1"):
            found.gain(lambda y, x, value=value: value)
