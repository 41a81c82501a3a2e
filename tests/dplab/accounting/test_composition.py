import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.accounting import advanced_composition, optimal_epsilon, simple_epsilon
from dplab.guarantees import ZCDP, ApproxDP
from dplab.theorems.composition_curves import crossing_by_price
from dplab.theorems.noise_curves import crossing_by_target
from tests.refusals import assert_refused


@pytest.mark.parametrize(
    ("epsilon", "k", "expected"), [(0.1, 100, 6.3082), (0.01, 1000, 1.7628), (1.0, 100, 224.39)]
)
def test_advanced_composition_has_both_terms(epsilon, k, expected):
    found = advanced_composition(ApproxDP(epsilon, 1e-9), k, delta=1e-6)
    assert found.epsilon == pytest.approx(expected, rel=3e-5)
    assert found.delta == pytest.approx(1e-6 + k * 1e-9)


def test_no_delta_of_a_sum_is_above_1():
    assert advanced_composition(ApproxDP(0.1, 0.5), 3, delta=0.5).delta == 1


@given(st.floats(0.001, 1.0), st.integers(1, 300), st.floats(1e-9, 0.1))
def test_no_bound_undercuts_the_exact_answer(epsilon, k, delta):
    exact = optimal_epsilon(ApproxDP(epsilon, 0), k, delta=delta)
    assert exact <= advanced_composition(ApproxDP(epsilon, 0), k, delta=delta).epsilon * (1 + 1e-9)
    assert exact <= k * epsilon * (1 + 1e-9)


def test_bad_arguments_are_named():
    calls = [
        (lambda: advanced_composition(ApproxDP(1, 0), 0, delta=0.1), "k must be a whole number"),
        (lambda: advanced_composition(ApproxDP(1, 0), 2, delta=0), "delta must be .* not 0"),
        (lambda: advanced_composition(ApproxDP(1, 0), 2, delta=1), "delta must be .* not 1"),
    ]
    assert_refused(calls)


def test_the_least_delta_has_a_logarithm():
    """Where 1 / delta is no float."""
    least = 1074 * np.log(2)
    found = advanced_composition(ApproxDP(0.1, 0), 10, delta=5e-324).epsilon
    assert found == pytest.approx(0.1 * np.sqrt(20 * least) + np.expm1(0.1), rel=1e-14)
    assert crossing_by_price(0.1, delta=5e-324) == pytest.approx(
        2 * least / (2 - np.exp(0.1)) ** 2, rel=1e-14
    )
    assert crossing_by_target(ApproxDP(1.0, 5e-324)) == 1 + max(
        k for k in range(1, 3000) if k * (2 - np.exp(1 / k)) ** 2 <= 2 * least
    )
    assert simple_epsilon(ZCDP(1.0), delta=5e-324) == pytest.approx(1 + 2 * np.sqrt(least))
