import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab import ApproxDP, RandomizedResponse
from dplab.accounting import promised_trade_off
from dplab.attacks.model_membership import advantage, most_advantage
from dplab.learning.gradient_descent import NoisyGradientDescent
from dplab.learning.risk import LOGISTIC, RegularizedRisk

scores = st.lists(st.integers(-4, 4), min_size=1, max_size=12)


@given(scores, scores)
def test_advantage_is_the_best_of_all_thresholds(members, outsiders):
    best = max(
        sum(m > t for m in members) / len(members) - sum(o > t for o in outsiders) / len(outsiders)
        for t in range(-5, 6)
    )
    assert advantage(members, outsiders) == pytest.approx(best)


@given(st.floats(0, 8), st.floats(0, 1))
def test_the_limit_is_where_the_trade_off_curve_is_furthest_from_the_diagonal(epsilon, delta):
    promise = ApproxDP(epsilon, delta)
    corner = (1 - delta) / (1 + np.exp(epsilon))  # of the curve
    rates = np.append(np.linspace(0, 1, 101), corner)
    powers = 1 - np.array([promised_trade_off(promise, rate) for rate in rates])
    assert most_advantage(promise) == pytest.approx((powers - rates).max(), abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_randomized_response_reaches_the_limit(epsilon):
    law = RandomizedResponse(epsilon).distribution
    reached = law(1).log_density(1), law(0).log_density(1)
    assert np.exp(reached[0]) - np.exp(reached[1]) == pytest.approx(
        most_advantage(ApproxDP(epsilon, 0.0))
    )


def test_a_model_remembers_its_members_and_a_private_one_does_not():
    """200 records in 200 dimensions with labels by a coin: nothing can be learned of others. The
    shares of 200 are within .2 of their means, by Massart but for 2e-7 at each threshold-free
    supremum; so the private advantage is below .1 + .4, and seldom near: the mean of 9 models of
    fresh people stays below .3 but for 1e-9, as the plain one stays above .4."""
    rng, n = np.random.default_rng(), 200
    plain_risk = RegularizedRisk(LOGISTIC, n, 1e-3)
    private = NoisyGradientDescent.for_epsilon(
        LOGISTIC, n, epsilon=1, clip=1, steps=30, learning_rate=5
    )
    found = []
    for _ in range(9):
        x = rng.normal(size=(2 * n, 200))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        people = np.column_stack([x, rng.choice([-1.0, 1.0], 2 * n)])
        models = plain_risk.minimizer(people[:n]), private(people[:n], rng)
        losses = [LOGISTIC.evaluate(theta, people) for theta in models]
        found.append([advantage(-loss[:n], -loss[n:]) for loss in losses])
    plain, kept = np.mean(found, axis=0)
    assert plain > 0.4
    assert kept < 0.3
