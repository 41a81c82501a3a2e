import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import LaplaceMechanism, RandomizedResponse
from dplab.audit import exact_epsilon
from dplab.distributions import Product
from dplab.guarantees import PureDP
from dplab.mechanism import Composed
from dplab.neighbors import ADD_REMOVE
from tests.dplab.strategies import epsilons


@given(epsilons, st.integers(2, 4))
def test_post_processing_never_costs_privacy(epsilon, modulus):
    mechanism = RandomizedResponse(epsilon, k=4)
    coarse = mechanism.post_process(lambda answer: answer % modulus)
    assert coarse.guarantee == PureDP(epsilon)
    before, after = (m.privacy_loss(0, 3) for m in (mechanism, coarse))
    assert after.largest_log_ratio <= before.largest_log_ratio + 1e-12
    for at in (0.0, epsilon / 2):
        assert after.delta(at) <= before.delta(at) + 1e-12


def test_post_processing_maps_draws_as_it_maps_laws():
    total = RandomizedResponse(1.0).post_process(sum)
    assert total.distribution([1, 1, 0]).support == (0, 1, 2, 3)
    draws = {int(total([1, 1, 0], np.random.default_rng(seed))) for seed in range(200)}
    assert draws <= {0, 1, 2, 3}
    assert len(draws) > 1


@given(epsilons, epsilons)
def test_two_releases_cost_the_sum_and_randomized_response_spends_it_all(a, b):
    both = RandomizedResponse(a).compose(RandomizedResponse(b))
    assert both.guarantee == PureDP(a + b)
    assert both.privacy_loss(0, 1).largest_log_ratio == pytest.approx(a + b)


def test_the_exact_audit_takes_compositions():
    both = RandomizedResponse(0.4).compose(RandomizedResponse(0.6))
    assert exact_epsilon(both, (0, 1), n=2).epsilon == pytest.approx(1.0)


def test_both_releases_must_mean_the_same_neighbours():
    count = LaplaceMechanism(sum, sensitivity=1, epsilon=1, neighbors=ADD_REMOVE)
    with pytest.raises(ValueError, match="AddRemoveOne"):
        RandomizedResponse(1.0).compose(count)


def test_a_composition_draws_both():
    both = RandomizedResponse(1.0).compose(LaplaceMechanism(sum, sensitivity=1, epsilon=1))
    answers, count = both([0, 1, 1], np.random.default_rng(0))
    assert answers.shape == (3,)
    assert isinstance(count, float)


def test_the_outputs_of_three_mechanisms_are_one_tuple():
    coins = [RandomizedResponse(epsilon) for epsilon in (0.1, 0.2, 0.4)]
    together = coins[0].compose(*coins[1:])
    for nested in (
        coins[0].compose(coins[1]).compose(coins[2]),
        Composed(coins[0], Composed(*coins[1:])),
    ):
        assert nested == together
    assert together.guarantee.epsilon == pytest.approx(0.7)
    assert len(together([0, 1], np.random.default_rng())) == 3
    law = together.distribution(1).enumerate()
    expected = Product(tuple(coin.distribution(1) for coin in coins)).enumerate()
    assert law.outcomes == expected.outcomes
    assert law.probabilities == pytest.approx(expected.probabilities)
    with pytest.raises(ValueError, match="mechanisms must not be empty"):
        Composed()
