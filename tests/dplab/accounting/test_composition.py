import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom

from dplab.accounting import (
    advanced_composition,
    basic_composition,
    bounded_range_composition,
    optimal_epsilon,
)
from dplab.accounting.composition import largest_mean_loss
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP


def share(eta, t):
    """P[Z = t] of a loss of values t and t - eta: x + y = 1, x e^{-t} + y e^{eta - t} = 1."""
    return (np.exp(eta) - np.exp(t)) / np.expm1(eta)


@pytest.mark.parametrize(
    ("epsilon", "k", "expected"), [(0.1, 100, 6.3082), (0.01, 1000, 1.7628), (1.0, 100, 224.39)]
)
def test_advanced_composition_has_both_terms(epsilon, k, expected):
    found = advanced_composition(ApproxDP(epsilon, 1e-9), k, delta=1e-6)
    assert found.epsilon == pytest.approx(expected, rel=3e-5)
    assert found.delta == pytest.approx(1e-6 + k * 1e-9)


@given(st.floats(0.001, 1.0), st.integers(1, 300), st.floats(1e-9, 0.1))
def test_no_bound_undercuts_the_exact_answer(epsilon, k, delta):
    exact = optimal_epsilon(ApproxDP(epsilon, 0), k, delta=delta)
    assert exact <= advanced_composition(ApproxDP(epsilon, 0), k, delta=delta).epsilon * (1 + 1e-9)
    assert exact <= basic_composition([PureDP(epsilon)] * k).epsilon * (1 + 1e-9)


def test_basic_composition_adds_what_is_of_one_kind():
    assert basic_composition([ApproxDP(0.5, 1e-6), ApproxDP(1.0, 1e-6)]) == ApproxDP(1.5, 2e-6)
    assert basic_composition([ZCDP(0.25)] * 3) == ZCDP(0.75)
    with pytest.raises(ValueError, match="promises must not be empty"):
        basic_composition([])
    with pytest.raises(ValueError, match="convert first"):
        basic_composition([PureDP(1), ZCDP(1)])


@pytest.mark.parametrize("eta", [1e-6, 1e-3, 0.1, 1.0, 5.0])
def test_the_largest_mean_is_found_by_search(eta):
    best = minimize_scalar(
        lambda t: -(share(eta, t) * eta + t - eta), bounds=(0, eta), options={"xatol": 1e-12}
    )
    assert largest_mean_loss(eta) == pytest.approx(-best.fun, rel=1e-3, abs=1e-15)


@pytest.mark.parametrize("k", [1, 5, 40])
@pytest.mark.parametrize("eta", [0.1, 0.7])
def test_bounded_range_composition_covers_its_worst_losses(eta, k):
    """Of k losses of values t and t - eta, for many t, none has a larger delta."""
    promise = bounded_range_composition([BoundedRange(eta)] * k, delta=1e-4)
    j = np.arange(k + 1)
    for t in eta * np.linspace(0.01, 0.99, 41):
        losses = k * (t - eta) + eta * j
        excess = np.maximum(0, -np.expm1(promise.epsilon - losses))
        assert binom.pmf(j, k, share(eta, t)) @ excess <= 1e-4


def test_bounded_range_is_worth_more_than_pure_dp():
    etas = [BoundedRange(0.1)] * 100
    assert bounded_range_composition(etas, delta=1e-6).epsilon < optimal_epsilon(
        ApproxDP(0.1, 0), 100, delta=1e-6
    )
    assert bounded_range_composition(etas[:2], delta=1e-6).epsilon == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: advanced_composition(ApproxDP(1, 0), 0, delta=0.1), "k must be a whole number"),
        (lambda: advanced_composition(ApproxDP(1, 0), 2, delta=0), "delta must be .* not 0"),
        (lambda: bounded_range_composition([BoundedRange(1)], delta=1), "delta must be .* not 1"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
