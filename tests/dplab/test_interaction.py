import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import (
    ADD_REMOVE,
    REPLACE_ONE,
    ZCDP,
    ApproxDP,
    ExponentialMechanism,
    GaussianMechanism,
    GeometricMechanism,
    PureDP,
    RandomizedResponse,
    histogram,
)
from dplab.audit import goodness_of_fit
from dplab.budget import Budget, BudgetExceeded, Refused
from dplab.interaction import Curator, Interaction, MechanismError
from dplab.mechanism import Mechanism
from tests.refusals import assert_refused

ONE = PureDP(1.0)


def curator(total=ONE, data=(1, 0, 1)):
    return Curator(data, Budget(total), np.random.default_rng())


def count(epsilon, neighbors=REPLACE_ONE):
    return GeometricMechanism(sum, 1, epsilon, neighbors=neighbors)


def greedy(answers):
    """Asks for more after each 1, and gives up after two 0s in a row."""
    if answers[-2:] == (0, 0):
        return None
    return RandomizedResponse(0.25 * (1 + sum(answers)))


class Untouched:
    """A generator that nobody may draw from."""

    def __getattr__(self, name):
        raise AssertionError(f"something was drawn: {name}")


def test_answers_are_paid_and_noted():
    asked = curator()
    answers = (asked.ask(count(0.5)), asked.ask(count(0.25)))
    assert asked.transcript == answers
    assert asked.budget.remaining == PureDP(0.25)


def test_a_refused_question_costs_nothing_and_draws_nothing():
    asked = Curator((1, 0), Budget(PureDP(1.0)), Untouched())
    for _ in range(3):
        with pytest.raises(BudgetExceeded, match=r"price must be at most .*1\.0.*, not .*1\.5"):
            asked.ask(count(1.5))
    assert asked.transcript == ()
    assert asked.budget.remaining == PureDP(1.0)


def test_something_smaller_may_be_asked_after_a_refusal():
    patient = curator()
    patient.ask(count(0.5))
    with pytest.raises(BudgetExceeded):
        patient.ask(count(0.75))
    patient.ask(count(0.5))
    assert len(patient.transcript) == 2
    assert patient.budget.spent == PureDP(1.0)


def test_several_questions_are_checked_together_and_none_is_asked():
    asked = Curator((1, 0), Budget(PureDP(1.0)), Untouched())
    asked.check(count(0.75), count(0.25))
    with pytest.raises(BudgetExceeded, match=r"at most .*1\.0.*, not .*0\.75.* \+ .*0\.5"):
        asked.check(count(0.75), count(0.5))
    with pytest.raises(ValueError, match="the same neighbors as before, ReplaceOne"):
        asked.check(count(0.25), count(0.25, ADD_REMOVE))
    with pytest.raises(ValueError, match="mechanism must be a Mechanism, not 'more'"):
        asked.check(count(0.25), "more")
    assert (asked.transcript, asked.budget.spent) == ((), PureDP(0.0))
    asked.check(count(0.5, ADD_REMOVE))  # what was checked is not agreed on


class Broken(Mechanism):
    """Fails on the data, after noise was drawn."""

    guarantee, neighbors = PureDP(0.4), REPLACE_ONE

    def __call__(self, data, rng):
        raise ZeroDivisionError(rng.random())


def test_a_question_that_fails_is_paid():
    """That it failed may tell of the data."""
    asked = curator()
    with pytest.raises(
        MechanismError, match=r"^Broken failed on the data, and its price stays paid"
    ):
        asked.ask(Broken())
    assert asked.budget.spent == PureDP(0.4)
    assert asked.transcript == ()


def test_a_refusal_within_a_mechanism_does_not_end_the_conversation_around_it():
    """The law has no transcript without its answer: it is an error, and is seen."""

    class Inner(RandomizedResponse):
        def __call__(self, data, rng):
            return Curator(data, Budget(PureDP(0.1)), rng).ask(RandomizedResponse(0.5))

    with pytest.raises(MechanismError, match="Inner failed"):
        Interaction.of([Inner(0.5)])(1, np.random.default_rng())


def test_all_answers_promise_for_the_same_neighbors():
    asked = curator(total=PureDP(2.0), data=(0, 1, 1))
    with pytest.raises(BudgetExceeded):
        asked.ask(count(3.0))
    asked.ask(histogram((0, 1), epsilon=0.5, neighbors=ADD_REMOVE))
    with pytest.raises(ValueError, match="the same neighbors as before, AddRemoveOne"):
        asked.ask(count(0.5))
    assert asked.budget.spent == PureDP(0.5)
    asked.ask(count(0.5, ADD_REMOVE))


def test_a_budget_pays_for_every_kind_that_converts():
    asked = curator(total=ZCDP(1.0))
    asked.ask(GaussianMechanism(sum, 1, 2))
    asked.ask(count(0.5))
    asked.ask(ExponentialMechanism((0, 1), lambda data: [data.count(0), data.count(1)], 1, 0.5))
    paid = 1 / 8 + 0.5 * np.tanh(0.25) + 0.5**2 / 8  # the last by its bounded range
    assert asked.budget.spent.rho == pytest.approx(paid)
    pure = curator()
    with pytest.raises(ValueError, match="implies no PureDP by itself"):
        pure.ask(GaussianMechanism(sum, 1, 2))
    assert pure.budget.remaining == PureDP(1.0)


def test_two_curators_may_share_a_budget():
    budget, rng = Budget(PureDP(1.0)), np.random.default_rng()
    one, other = (Curator((0, 1), budget, rng) for _ in range(2))
    one.ask(count(0.75))
    with pytest.raises(BudgetExceeded):
        other.ask(count(0.5))


@given(st.lists(st.floats(0.01, 0.8), min_size=1, max_size=30))
def test_what_is_answered_is_within_the_budget_and_nothing_more_would_be(prices):
    asked, paid = curator(), 0.0
    for price in prices:
        fits = paid + price <= 1.0
        try:
            asked.ask(RandomizedResponse(price))
        except Refused:
            assert not fits
        else:
            paid += price
            assert fits or paid <= 1 + 1e-11
    assert asked.budget.spent.epsilon == pytest.approx(paid)


def test_the_law_of_fixed_releases_is_the_product():
    mechanisms = [RandomizedResponse(price) for price in (0.3, 1.0, 2.0)]
    law = Interaction.of(mechanisms).distribution(1)
    for answers in product((0, 1), repeat=3):
        parts = [m.distribution(1).log_density(y) for m, y in zip(mechanisms, answers, strict=True)]
        assert math.exp(law.log_density(answers)) == pytest.approx(math.exp(sum(parts)))


def test_an_analyst_who_adapts_by_hand():
    """First 0.25; after a 1 the next costs 0.5, after a 0 the same again."""
    law = Interaction(lambda y: greedy(y) if len(y) < 2 else None, PureDP(5.0)).distribution(1)
    cheap, dear = (1 / (1 + np.exp(-price)) for price in (0.25, 0.5))
    expected = {
        (0, 0): (1 - cheap) * (1 - cheap),
        (0, 1): (1 - cheap) * cheap,
        (1, 0): cheap * (1 - dear),
        (1, 1): cheap * dear,
    }
    assert set(law.outcomes) == set(expected)
    for outcome, probability in expected.items():
        assert np.exp(law.log_density(outcome)) == pytest.approx(probability)


def test_the_curator_stops_where_the_budget_ends():
    rng = np.random.default_rng()
    interaction = Interaction(lambda y: RandomizedResponse(0.3), PureDP(1.0))
    assert {len(t) for t in interaction.distribution(0).outcomes} == {3}
    assert len(interaction(0, rng)) == 3
    assert interaction.price(interaction(0, rng)).epsilon == pytest.approx(0.9)


def test_conversations_follow_the_law():
    """One test at 1e-10."""
    interaction, rng = Interaction(greedy, PureDP(1.0)), np.random.default_rng()
    law = interaction.distribution(1)
    drawn = [law.outcomes.index(interaction(1, rng)) for _ in range(2000)]
    assert goodness_of_fit(np.array(drawn), law.map(law.outcomes.index)).passed


@pytest.mark.parametrize("total", [PureDP(1.0), ApproxDP(1.0, 1e-6), ZCDP(1.0)])
def test_a_transcript_costs_what_was_paid_in_the_kind_of_the_total(total):
    talk = Interaction(lambda y: RandomizedResponse(0.5) if len(y) < 2 else None, total)
    paid = PureDP(0.5).convert_to(type(total))
    assert talk.price((0, 1)) == paid + paid
    assert talk.price(()) == paid  # of the question that comes next
    assert Interaction(lambda y: None, total).price(()) == type(total)(*[0.0] * len(vars(total)))


def test_a_conversation_is_a_mechanism_and_may_be_part_of_one():
    inner = Interaction(greedy, PureDP(0.75))
    talk = Interaction.of([inner, RandomizedResponse(0.25)])
    assert talk.guarantee == PureDP(1.0)
    law, parts = talk.distribution(1), inner.distribution(1)
    assert len(law.outcomes) == 2 * len(parts.outcomes)
    asked = curator(data=1)
    assert asked.ask(inner) in parts.outcomes
    assert asked.budget.remaining == PureDP(0.25)


def test_bad_arguments_are_named():
    calls = [
        (lambda: curator().ask("SELECT"), "mechanism must be a Mechanism, not 'SELECT'"),
        (lambda: Interaction.of([]), "mechanisms must not be empty"),
        (lambda: Interaction.of([RandomizedResponse]), "each of mechanisms must be a Mechanism"),
        (lambda: RandomizedResponse(1).compose(RandomizedResponse), "each of mechanisms must be"),
        (
            lambda: Interaction.of([count(0.5), count(0.5, ADD_REMOVE)]),
            "the same neighbors as before",
        ),
        (
            lambda: Interaction(
                lambda answers: count(0.5, ADD_REMOVE) if answers else count(0.5), PureDP(1)
            ).mechanisms_for((1,)),
            "the same neighbors as before",
        ),
        (lambda: Interaction(lambda y: None, PureDP(1)).neighbors, "must be a mechanism, not None"),
    ]
    assert_refused(calls)


def test_a_conversation_and_its_law_have_the_same_transcripts():
    talk = Interaction.of([RandomizedResponse(0.5), RandomizedResponse(0.25)])
    assert talk((0, 1), np.random.default_rng(0)) in talk.distribution((0, 1)).outcomes
