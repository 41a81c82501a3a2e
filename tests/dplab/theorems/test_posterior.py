from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.audit import exact_epsilon
from dplab.distributions import Finite
from dplab.guarantees import PureDP
from dplab.mechanisms.catastrophe import NameAndShame
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.posterior import Confidant, beliefs

chances = st.floats(0.02, 0.98)


def independent_prior(*shares: float) -> Finite:
    weights = {
        x: float(np.prod([s if bit else 1 - s for s, bit in zip(shares, x, strict=True)]))
        for x in product((0, 1), repeat=len(shares))
    }
    return Finite.of(weights)


@given(st.floats(0.05, 3), chances, chances)
def test_a_belief_moves_by_epsilon_where_records_are_independent(epsilon, mine, yours):
    survey = RandomizedResponse(epsilon)
    found = beliefs(survey, independent_prior(mine, yours), person=0, default=0)
    assert found.independent
    assert found.bound(survey.guarantee) == pytest.approx(epsilon)
    assert found.largest_log_factor <= epsilon + 1e-9
    assert found.posterior_without == pytest.approx(np.repeat(found.prior[:, None], 4, axis=1))


@given(
    st.floats(0.05, 2),
    st.lists(st.floats(0.001, 1), min_size=8, max_size=8),
    st.integers(0, 2),
    st.integers(0, 1),
)
def test_twice_epsilon_bounds_it_for_any_prior_and_any_default(epsilon, weights, person, default):
    prior = Finite(tuple(product((0, 1), repeat=3)), np.log(weights) - np.log(sum(weights)))
    survey = RandomizedResponse(epsilon)
    found = beliefs(survey, prior, person=person, default=default)
    assert found.largest_log_factor <= 2 * epsilon + 1e-9


def test_the_belief_is_bayes_rule_on_a_case_done_by_hand():
    found = beliefs(
        RandomizedResponse(np.log(3)), Finite.of({(0, 0): 0.5, (1, 1): 0.5}), person=0, default=0
    )
    column = found.outputs.index((1, 1))
    assert found.values == (0, 1)
    assert found.posterior[:, column] == pytest.approx([0.1, 0.9])  # two answers, odds 9 : 1
    assert found.posterior_without[:, column] == pytest.approx(
        [0.25, 0.75]
    )  # the twin alone, 3 : 1
    assert not found.independent


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_the_confidant_is_private_and_reaches_twice_epsilon(epsilon):
    confidant = Confidant(epsilon)
    for universe in ((0, 1), (None, 0, 1)):
        assert exact_epsilon(confidant, universe=universe, n=2).epsilon == pytest.approx(epsilon)
    logs = []
    for rare in (1e-2, 1e-4, 1e-8):
        prior = Finite.of({(1, 0): rare, (0, 1): 1 - rare})
        found = beliefs(confidant, prior, person=0, default=None)
        logs.append(found.largest_log_factor)
        assert found.posterior_without == pytest.approx(np.repeat(found.prior[:, None], 2, axis=1))
    assert logs == sorted(logs)
    assert logs[-1] == pytest.approx(2 * epsilon, abs=1e-5)
    assert logs[-1] < 2 * epsilon


@pytest.mark.parametrize("rare", [1e-6, 1e-9, 1e-12])
def test_a_rare_dependence_is_one(rare):
    prior = Finite.of({(1, 0): rare, (0, 1): 1 - rare})
    found = beliefs(Confidant(1.0), prior, person=0, default=None)
    assert not found.independent
    assert found.largest_log_factor <= found.bound(PureDP(1.0))


def test_the_figure_of_the_lesson():
    prior = Finite.of({(1, 0): 1e-4, (0, 1): 1 - 1e-4})
    found = beliefs(Confidant(1.0), prior, person=0, default=None)
    assert found.largest_log_factor == pytest.approx(1.9994, abs=5e-5)
    assert found.bound(PureDP(1.0)) == 2


@pytest.mark.parametrize("k", [1, 2, 5])
def test_a_family_that_shares_a_secret_moves_the_prior_by_k_epsilon_and_each_member_by_one(k):
    survey = RandomizedResponse(0.7)
    family = Finite.of({(0,) * k: 1 - 1e-9, (1,) * k: 1e-9})
    found = beliefs(survey, family, person=0, default=0)
    assert found.largest_log_change == pytest.approx(0.7 * k, abs=1e-5)
    assert found.largest_log_factor <= 0.7 + 1e-9


def test_only_finite_laws_and_people_in_the_data():
    prior = independent_prior(0.5, 0.5)
    with pytest.raises(ValueError, match="distribution must have finitely many outcomes"):
        beliefs(GeometricMechanism(sum, sensitivity=1, epsilon=1), prior, person=0, default=0)
    with pytest.raises(ValueError, match="person must be a whole number of at least 0, at most 1"):
        beliefs(RandomizedResponse(1.0), prior, person=2, default=0)
    with pytest.raises(ValueError, match="only where person 1's record is in the data"):
        beliefs(NameAndShame(0.5), prior, person=1, default="absent")
    with pytest.raises(ValueError, match="quiet must be"):
        Confidant(1.0, quiet=0.5)
    with pytest.raises(ValueError, match="epsilon must be a finite number above 0"):
        Confidant(0.0)


def test_a_confidant_who_is_hardly_ever_heard():
    loud = Confidant(720.0, quiet=1e-313)
    law = loud.distribution((1, 0))
    assert law.log_density("alarm") == pytest.approx(720 + np.log(1e-313))
    with pytest.raises(ValueError, match=r"quiet must be .*at most 0"):
        Confidant(800.0, quiet=1e-313)
