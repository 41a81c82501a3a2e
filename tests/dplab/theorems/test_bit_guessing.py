import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ApproxDP, Finite, LaplaceMechanism, RandomizedResponse, total_variation
from dplab.divergences import privacy_loss
from dplab.losses import GaussianLoss, LaplaceLoss
from dplab.mechanisms.catastrophe import NameAndShame
from dplab.theorems.bit_guessing import best_reconstruction, bit_guessing, guess_bound
from tests.dplab.strategies import pairs_of_laws
from tests.refusals import assert_refused

EPSILONS = np.linspace(0, 4, 41)


@given(pairs_of_laws())
def test_no_bound_of_the_curve_is_below_the_best_guess(pair):
    found = bit_guessing(privacy_loss(*pair), EPSILONS)
    assert found.holds
    assert found.best == pytest.approx((1 + total_variation(*pair)) / 2)
    assert found.bounds[0] == pytest.approx(found.best)  # delta(0) is the total variation


@pytest.mark.parametrize("loss", [LaplaceLoss(0.7), GaussianLoss(1.3)])
def test_the_best_guess_at_a_shifted_law_is_its_midpoint(loss):
    found = bit_guessing(loss, EPSILONS)
    right = {LaplaceLoss: 1 - np.exp(-0.35) / 2, GaussianLoss: 0.7421538891941353}[type(loss)]
    assert found.holds
    assert found.best == pytest.approx(right)


@given(st.floats(0, 5), st.floats(0, 1))
def test_the_mechanism_that_leaks_or_flips_attains_the_bound(epsilon, delta):
    truth = (1 - delta) / (1 + np.exp(-epsilon))
    lie = (1 - delta) / (1 + np.exp(epsilon))
    one = Finite.of({"leak 1": delta, 1: truth, 0: lie, "leak 0": 0})
    zero = Finite.of({"leak 1": 0, 1: lie, 0: truth, "leak 0": delta})
    best = bit_guessing(privacy_loss(one, zero), [epsilon])
    assert best.best == pytest.approx(guess_bound(ApproxDP(epsilon, delta)))


@pytest.mark.parametrize("n", [1, 3, 5])
def test_randomized_response_gives_away_just_the_bound(n):
    assert best_reconstruction(RandomizedResponse(1.0), n) == pytest.approx(np.e / (1 + np.e))


def test_a_count_gives_away_less_than_its_promise_to_who_knows_nobody_else():
    count = RandomizedResponse(1.0).post_process(sum)
    assert 0.5 < best_reconstruction(count, 4) < np.e / (1 + np.e)


def test_the_share_is_what_the_best_attack_gets_by_hand():
    """Two people, the exact sum: (0, 0) and (1, 1) are told; in the other half it is a toss."""

    class Sum(RandomizedResponse):
        def distribution(self, data):
            return Finite.of({sum(data): 1.0})

    assert best_reconstruction(Sum(1.0), 2) == pytest.approx(0.75)


def test_bad_arguments_are_named():
    calls = [
        (lambda: best_reconstruction(RandomizedResponse(1), 13), "n must be .* at most 12"),
        (
            lambda: best_reconstruction(LaplaceMechanism(sum, sensitivity=1, epsilon=1), 2),
            "distribution must have finitely many outcomes",
        ),
        (lambda: bit_guessing(LaplaceLoss(1), []), "epsilons must not be empty"),
    ]
    assert_refused(calls)


def test_best_reconstruction_with_outcomes_that_have_no_order():
    assert best_reconstruction(NameAndShame(0.25), 2) == pytest.approx(0.625)


@pytest.mark.parametrize("epsilon", [1.0, 30.0, 38.0, 700.0])
def test_at_epsilon_nothing_is_left_to_delta(epsilon):
    """In either direction: 1 - P[Z > -epsilon] has no digits of the rare lie."""
    guess = bit_guessing(RandomizedResponse(epsilon).worst_case, [epsilon / 2, epsilon])
    expected = RandomizedResponse(epsilon).truth_probability * -np.expm1(-epsilon / 2)
    assert guess.deltas == pytest.approx([expected, 0.0], abs=1e-15)
    assert guess.holds
