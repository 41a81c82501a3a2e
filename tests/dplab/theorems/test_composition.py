import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import ZCDP, GeometricMechanism, PureDP, RandomizedResponse
from dplab.audit import exact_epsilon
from dplab.interaction import Interaction
from dplab.theorems.composition import transcript_losses

PRICES = st.lists(st.floats(0.05, 1.5), min_size=1, max_size=5)


@given(PRICES)
@settings(max_examples=25)
def test_fixed_releases_cost_their_sum_and_it_is_reached(prices):
    """k coins tell all they can: the largest loss is exactly the sum of the epsilons."""
    interaction = Interaction.of([RandomizedResponse(price) for price in prices])
    theorem = transcript_losses(interaction, 0, 1)
    assert theorem.holds
    assert theorem.is_reached
    assert theorem.total == pytest.approx(sum(prices))
    assert len(theorem.transcripts) == 2 ** len(prices)


def greedy(answers):
    """Asks for more after each 1, and gives up after two 0s in a row."""
    if answers[-2:] == (0, 0):
        return None
    return RandomizedResponse(0.25 * (1 + sum(answers)))


@given(st.floats(0.3, 3))
@settings(max_examples=20)
def test_no_transcript_tells_more_than_it_cost_or_costs_more_than_the_total(total):
    theorem = transcript_losses(Interaction(greedy, PureDP(total)), 1, 0)
    assert theorem.holds
    for transcript, price, loss in zip(
        theorem.transcripts, theorem.prices, theorem.losses, strict=True
    ):
        asked = [0.25 * (1 + sum(transcript[:i])) for i in range(len(transcript))]
        assert price == pytest.approx(sum(asked))
        signs = [1 if answer else -1 for answer in transcript]
        assert loss == pytest.approx(np.dot(signs, asked))


def test_equality_is_reachable_by_an_analyst_who_adapts():
    interaction = Interaction(greedy, PureDP(0.25 + 0.5 + 0.75))
    assert transcript_losses(interaction, 1, 0).is_reached
    audit = exact_epsilon(
        Interaction(lambda y: greedy(tuple(bit for (bit,) in y)), interaction.total), (0, 1), n=1
    )
    assert audit.epsilon == pytest.approx(1.5)


def test_a_count_then_a_second_one_where_it_matters():
    """Bigger outputs, three people: ask again, more exactly, only if the first answer is 0."""
    count = GeometricMechanism(sum, 1, 0.5).clamp(0, 3)
    exact = GeometricMechanism(sum, 1, 1.0).clamp(0, 3)
    interaction = Interaction(
        lambda y: count if not y else exact if y == (0,) else None, PureDP(1.5)
    )
    assert exact_epsilon(interaction, (0, 1), n=3).epsilon == pytest.approx(1.5)
    law = interaction.distribution((0, 1, 1))
    assert sorted(map(len, law.outcomes)) == [1] * 3 + [2] * 4


def test_a_loss_above_its_price_is_seen():
    """A mechanism that promises too much: the theorem's premise fails, and `holds` says so."""

    class Boaster(RandomizedResponse):
        guarantee = PureDP(0.1)

    theorem = transcript_losses(Interaction.of([Boaster(1.0)]), 0, 1)
    assert not theorem.holds


def test_prices_of_another_kind_are_refused():
    with pytest.raises(ValueError, match=r"interaction\.total must be PureDP, not ZCDP"):
        transcript_losses(Interaction(greedy, ZCDP(1.0)), 0, 1)
