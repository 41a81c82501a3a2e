import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.continuous import Gaussian, Laplace
from dplab.distributions import Finite
from dplab.divergences import hockey_stick, largest_log_ratio
from dplab.guarantees import ApproxDP
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.theorems.no_powerful_test import largest_power, roc

laws = st.lists(st.floats(0.01, 1), min_size=4, max_size=4).map(
    lambda weights: Finite.of(dict(enumerate(np.array(weights) / sum(weights))))
)


def test_the_figure_of_the_lesson():
    assert float(largest_power(0.05, ApproxDP(1.0, 0.0))) == pytest.approx(0.05 * np.e)
    assert float(largest_power(0.05, ApproxDP(1.0, 0.0))) == pytest.approx(0.13591, abs=5e-6)


@given(st.floats(0, 4), st.floats(0, 1))
def test_the_bound_is_the_least_of_three(epsilon, delta):
    rates = np.linspace(0, 1, 11)
    by_hand = [
        min(1, np.exp(epsilon) * a + delta, 1 - np.exp(-epsilon) * (1 - a - delta)) for a in rates
    ]
    assert largest_power(rates, ApproxDP(epsilon, delta)) == pytest.approx(np.array(by_hand))


@given(laws, laws)
def test_no_test_does_better_than_the_promise_and_a_smaller_promise_is_broken(p, q):
    epsilon = largest_log_ratio(p, q)
    assert roc(p, q, ApproxDP(epsilon, 0.0)).holds
    if epsilon > 0.01:
        both = [roc(*pair, ApproxDP(0.9 * epsilon, 0.0), points=2001) for pair in ((p, q), (q, p))]
        assert not all(one.holds for one in both)


@given(laws, laws, st.floats(0, 1))
def test_the_same_with_delta(p, q, epsilon):
    delta = hockey_stick(p, q, epsilon=epsilon)
    back = hockey_stick(q, p, epsilon=epsilon)
    assert roc(p, q, ApproxDP(epsilon, max(delta, back))).holds


def test_randomized_response_attains_the_bound_everywhere_and_laplace_where_rates_are_small():
    truth, lie = (RandomizedResponse(1.0).distribution(bit) for bit in (1, 0))
    promise = ApproxDP(1.0, 0.0)
    assert roc(truth, lie, promise).is_attained.all()
    laplace = roc(Laplace(1, scale=1), Laplace(0, scale=1), promise)
    assert laplace.holds
    corner = 1 / (2 * np.e)
    assert laplace.is_attained[laplace.rates < corner - 0.01].all()
    assert not laplace.is_attained[(laplace.rates > corner + 0.01) & (laplace.rates < 0.49)].any()


def test_gaussian_noise_keeps_no_promise_without_delta():
    p, q = Gaussian(1, sigma=2), Gaussian(0, sigma=2)
    assert not roc(p, q, ApproxDP(1.0, 0.0), points=20_001).holds
    assert roc(p, q, ApproxDP(1.0, hockey_stick(p, q, epsilon=1.0))).holds


def test_errors_name_the_argument():
    with pytest.raises(ValueError, match="false_positive_rate must"):
        largest_power(1.5, ApproxDP(1.0, 0.0))
    with pytest.raises(ValueError, match="points must be a whole number of at least 2"):
        roc(Gaussian(0, 1), Gaussian(1, 1), ApproxDP(1.0, 0.1), points=1)
