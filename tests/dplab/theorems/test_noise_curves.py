import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab import ApproxDP, analytic_sigma
from dplab.accounting import advanced_composition, optimal_delta
from dplab.losses import GaussianLoss
from dplab.theorems.noise_curves import (
    _largest_shift,
    advanced_epsilon_each,
    crossing_by_target,
    noise_curves,
    optimal_epsilon_each,
)
from tests.refusals import assert_refused

targets = st.builds(ApproxDP, st.floats(0.05, 6), st.floats(-20, -0.05).map(np.exp))
TARGETS = [ApproxDP(1.0, 1e-6), ApproxDP(0.2, 1e-9), ApproxDP(4.0, 1e-3)]


@pytest.mark.parametrize("target", TARGETS)
def test_what_each_query_may_spend_uses_up_the_target(target):
    for k in (1, 5, 300):
        each = advanced_epsilon_each(target, k)
        total = advanced_composition(ApproxDP(each, 0), k, delta=target.delta)
        assert target.epsilon * (1 - 1e-9) <= total.epsilon <= target.epsilon
        best = optimal_epsilon_each(target, k)
        delta = optimal_delta(ApproxDP(best, 0), k, epsilon=target.epsilon)
        assert target.delta * (1 - 1e-4) <= delta <= target.delta
        assert max(target.epsilon / k, each) <= best * (1 + 1e-9)


def test_one_release_may_spend_what_the_worst_coin_says():
    """(e^e - e^epsilon) / (1 + e^e) = delta at e = log((e^epsilon + delta) / (1 - delta))."""
    for epsilon, delta in ((0.5, 0.9), (3.0, 1e-6)):
        each = optimal_epsilon_each(ApproxDP(epsilon, delta), 1)
        assert each == pytest.approx(np.log((np.exp(epsilon) + delta) / (1 - delta)))


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 5e3])
@pytest.mark.parametrize("k", [1, 7, 1000])
def test_without_delta_each_of_k_may_spend_epsilon_over_k(epsilon, k):
    each = optimal_epsilon_each(ApproxDP(epsilon, 0), k)
    assert epsilon * (1 - 1e-9) <= k * each <= epsilon


@given(targets)
@settings(max_examples=30)
def test_normal_laws_are_as_far_apart_as_the_target_allows(target):
    mu = _largest_shift(target)
    assert GaussianLoss(mu).delta(target.epsilon) <= target.delta
    assert GaussianLoss(mu * (1 + 1e-9)).delta(target.epsilon) > target.delta


@pytest.mark.parametrize("target", TARGETS)
def test_normal_noise_is_calibrated_as_the_mechanism_does_it(target):
    curves = noise_curves(target, [1, 49])
    sigma = analytic_sigma(epsilon=target.epsilon, delta=target.delta, sensitivity=1)
    assert curves.gaussian == pytest.approx([sigma, 7 * sigma], rel=1e-6)


def test_noise_grows_like_k_by_basic_and_like_its_root_by_the_others():
    curves = noise_curves(ApproxDP(1.0, 1e-6), [10_000, 1_000_000])
    assert curves.basic[1] / curves.basic[0] == pytest.approx(100)
    for noise in (curves.advanced, curves.optimal, curves.gaussian):
        assert noise[1] / noise[0] == pytest.approx(10, rel=0.01)
    assert (curves.gaussian < curves.optimal).all()


@pytest.mark.parametrize("target", TARGETS)
def test_advanced_beats_basic_from_there_on(target):
    k = crossing_by_target(target)
    for near in range(max(1, k - 30), k + 30):
        assert (advanced_epsilon_each(target, near) > target.epsilon / near) == (near >= k)


@given(st.floats(-20, 12), st.floats(-300, -1e-3))
def test_the_crossing_is_found_however_far_it_is(epsilon, delta):
    target = ApproxDP(10.0**epsilon, 10.0**delta)
    k = crossing_by_target(target)
    for near, needs_less in ((k, True), (k - 1, False)):
        margin = 2 - math.exp(min(target.epsilon / max(near, 1), math.log(2)))
        assert (near * margin**2 > -2 * math.log(target.delta)) == needs_less


def test_the_crossing_is_found_where_floats_do_not_tell_it_from_the_next():
    for epsilon in (1e20, 1e300):
        k = crossing_by_target(ApproxDP(epsilon, 1e-300))
        assert k * math.log(2) / epsilon == pytest.approx(1, abs=1e-8)


@given(targets)
def test_the_crossing_is_the_first_of_all(target):
    k = crossing_by_target(target)
    spent = [near * advanced_epsilon_each(target, near) for near in range(1, k + 1)]
    assert spent[-1] > target.epsilon * (1 - 1e-9)
    assert max(spent[:-1], default=0) < target.epsilon * (1 + 1e-9)


@given(targets, st.integers(1, 10_000))
def test_laplace_noise_is_what_each_of_the_theorems_allows(target, k):
    curves = noise_curves(target, [k])
    basic, advanced, optimal = (
        np.sqrt(2) / noise[0] for noise in (curves.basic, curves.advanced, curves.optimal)
    )
    assert k * basic == pytest.approx(target.epsilon)
    total = advanced_composition(ApproxDP(advanced, 0), k, delta=target.delta)
    assert total.epsilon == pytest.approx(target.epsilon, rel=1e-9)
    near = [ApproxDP(optimal * (1 + move), 0) for move in (-1e-9, 1e-9)]
    less, more = (optimal_delta(price, k, epsilon=target.epsilon) for price in near)
    assert less <= target.delta <= more


def test_bad_arguments_are_named():
    calls = [
        (lambda: noise_curves(ApproxDP(1, 0.1), [0]), "ks must be a whole number"),
        (lambda: noise_curves(ApproxDP(0, 0.1), [1]), "epsilon must be .* not 0"),
        (lambda: noise_curves(ApproxDP(1, 0), [1]), "delta must be .* not 0"),
        (lambda: optimal_epsilon_each(ApproxDP(1, 1), 2), "delta must be .* not 1"),
        (lambda: crossing_by_target(ApproxDP(0, 0.1)), "epsilon must be .* not 0"),
        (lambda: crossing_by_target(ApproxDP(1e301, 0.1)), "epsilon must be .* 1e\\+300"),
        (lambda: crossing_by_target(ApproxDP(1, 0)), "delta must be .* not 0"),
        (lambda: crossing_by_target(ApproxDP(1, 1)), "delta must be .* not 1"),
    ]
    assert_refused(calls)
