from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from dplab import ExponentialMechanism
from dplab.audit import exact_epsilon
from dplab.learning import cover, draw_sample, intervals, private_learner, single_points, thresholds
from dplab.theorems.private_pac import (
    PrivateLearning,
    examples_enough,
    failure_rate,
    fewest_examples,
    private_learning,
    two_point_success,
)
from tests.refusals import assert_refused

epsilons = st.floats(0.01, 20)


@given(epsilons, st.floats(0.01, 1), st.floats(0, 0.99))
def test_the_rate_is_the_best_of_all_s(epsilon, alpha, share):
    def minus_rate(s):
        return -alpha * (1 - np.exp(-s)) + share * alpha * (np.exp(s) - 1)

    found = failure_rate(epsilon=epsilon, alpha=alpha, radius=share * alpha)
    tried = minimize_scalar(
        minus_rate, bounds=(0, epsilon / 2), method="bounded", options={"xatol": 1e-9}
    )
    best = max(-tried.fun, -minus_rate(epsilon / 2), 0.0)
    assert found == pytest.approx(best, rel=1e-5, abs=1e-9)


def test_the_rate_at_its_ends():
    assert failure_rate(epsilon=1, alpha=0.2) == pytest.approx(0.2 * (1 - np.exp(-0.5)))
    assert failure_rate(epsilon=1e-4, alpha=0.2) == pytest.approx(0.2 * 1e-4 / 2, rel=1e-4)
    assert failure_rate(epsilon=1e6, alpha=0.2) == pytest.approx(0.2)
    many = failure_rate(epsilon=1e6, alpha=0.2, radius=0.05)
    assert many == pytest.approx((0.2**0.5 - 0.05**0.5) ** 2)


@pytest.mark.parametrize("make", [thresholds, single_points, intervals])
@given(seed=st.integers(0, 2**32), n=st.integers(1, 7), epsilon=epsilons, alpha=st.floats(0.01, 1))
@settings(max_examples=25)
def test_it_holds_on_random_distributions(make, seed, n, epsilon, alpha):
    rng = np.random.default_rng(seed)
    weights, rules = rng.dirichlet(np.full(4, 0.5)), make(4)
    target = rules[rng.integers(len(rules))]
    assert private_learning(rules, target, weights, n, epsilon=epsilon, alpha=alpha).holds


@given(st.integers(0, 2**32), st.integers(1, 7), epsilons, st.floats(1.01, 20))
@settings(max_examples=40)
def test_it_holds_for_labels_that_no_hypothesis_gives(seed, n, epsilon, times):
    rng = np.random.default_rng(seed)
    weights, rules = rng.dirichlet(np.ones(4)), rng.random((5, 4)) < 0.5
    target = rng.random(4) < 0.5
    best = float(((rules ^ target) @ weights).min())
    alpha = min(1.0, times * max(best, 0.01))
    if best < alpha:
        assert private_learning(rules, target, weights, n, epsilon=epsilon, alpha=alpha).holds


def failure_by_sequences(rules, target, weights, n, epsilon, alpha):
    total = 0.0
    for xs in product(range(len(weights)), repeat=n):
        wrong = np.array([sum(rule[x] != target[x] for x in xs) for rule in rules])
        law = np.exp(-epsilon * wrong / 2) / np.exp(-epsilon * wrong / 2).sum()
        bad = (rules != target) @ weights > alpha
        total += weights[list(xs)].prod() * law[bad].sum()
    return total


@pytest.mark.parametrize(("n", "epsilon", "alpha"), [(1, 1.0, 0.1), (4, 0.3, 0.3), (5, 4.0, 0.05)])
def test_the_failure_is_that_of_all_sequences(n, epsilon, alpha):
    weights, rules = np.array([0.4, 0.25, 0.35]), thresholds(3)
    found = private_learning(rules, rules[1], weights, n, epsilon=epsilon, alpha=alpha)
    expected = failure_by_sequences(rules, rules[1], weights, n, epsilon, alpha)
    assert found.failure == pytest.approx(expected)
    assert found.bound == min(1, 4 * np.exp(-n * failure_rate(epsilon=epsilon, alpha=alpha)))


def test_the_bound_is_near_where_all_others_err_alike():
    """Two points, nine rules that are wrong on one of them alone: all of the union is needed."""
    rules = [[1, 0]] + [[1, 1]] * 9
    found = private_learning(rules, [1, 0], [0.7, 0.3], 60, epsilon=1.0, alpha=0.29)
    rate = 0.3 * (1 - np.exp(-0.5))
    assert 0.5 * 9 * np.exp(-60 * rate) < found.failure <= found.bound
    assert not PrivateLearning(found.failure, found.failure * 0.99).holds


@given(st.integers(1, 10**9), epsilons, st.floats(0.01, 1), st.floats(0, 0.9), st.floats(1e-9, 0.9))
def test_enough_examples_are_the_least_for_the_bound(count, epsilon, alpha, share, failure):
    choice = {"epsilon": epsilon, "alpha": alpha, "radius": share * alpha}
    n = examples_enough(count, failure=failure, **choice)
    rate = failure_rate(**choice)
    assert count * np.exp(-n * rate) <= failure * (1 + 1e-6)
    assert n == 0 or count * np.exp(-(n - 1) * rate) >= failure * (1 - 1e-6)


def test_a_cover_learns_under_a_known_distribution():
    """A thousand cut-offs or seventeen: 40 runs, each off by 0.2 with probability 1e-12 at most."""
    rng, weights = np.random.default_rng(), np.full(1000, 1 / 1000)
    rules = thresholds(1000)
    kept = cover(rules, weights, 0.05)
    assert len(kept) < 21
    n = examples_enough(len(kept), epsilon=1.0, alpha=0.2, radius=0.05, failure=1e-12)
    learner = private_learner(rules[kept], 1.0)
    for _ in range(40):
        target = rules[rng.integers(1001)]
        found = rules[kept[learner(draw_sample(target, weights, n, rng), rng)]]
        assert (found ^ target).mean() <= 0.2


@pytest.mark.parametrize("points", [4, 9])
@pytest.mark.parametrize("n", [2, 8, 30])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_two_points_by_the_law_of_the_mechanism(points, n, epsilon):
    sample = [(1, 0)] * (n // 2) + [(2, 1)] * (n // 2)
    law = private_learner(thresholds(points), epsilon).distribution(sample)
    found = two_point_success(points + 1, n, epsilon=epsilon)
    assert found == pytest.approx(law.probabilities[2])


@pytest.mark.parametrize(
    ("epsilon", "expected"), [(1.0, (20, 32, 54, 66)), (0.1, (200, 310, 532, 644))]
)
def test_examples_for_nine_of_ten(epsilon, expected):
    """The least even n, which is (4 / epsilon) log(9 T) rounded up."""
    for bits, n in zip((4, 8, 16, 20), expected, strict=True):
        assert two_point_success(2**bits + 1, n, epsilon=epsilon) >= 0.9
        assert two_point_success(2**bits + 1, n - 2, epsilon=epsilon) < 0.9
        assert 0 <= n - 4 / epsilon * np.log(9 * 2**bits) < 2


def test_two_points_on_the_line_of_all_numbers_of_64_bits():
    assert two_point_success(2**64 + 1, 0, epsilon=1) == pytest.approx(2.0**-64)
    assert two_point_success(2**64 + 1, 10**6, epsilon=1) == 1.0
    assert two_point_success(1, 0, epsilon=1) == 1.0
    assert two_point_success(2**5000, 5000 * 4, epsilon=np.log(2)) == pytest.approx(1 / 2)
    assert fewest_examples(2**5000, epsilon=1, success=1) == pytest.approx(5000 * np.log(2))
    rate = failure_rate(epsilon=1, alpha=0.1)
    needed = (5000 * np.log(2) + np.log(10)) / rate
    assert examples_enough(2**5000, epsilon=1, alpha=0.1, failure=0.1) == np.ceil(needed)


@pytest.mark.parametrize("values", [3, 8])
@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_point_masses_need_as_many_people_as_packing_says(values, epsilon):
    """A published step function is less than 1/2 away only if its step is at the value."""
    for n in (1, 2, 4, 8):
        chooser = ExponentialMechanism(
            range(values), lambda x: np.bincount(x, minlength=values), 1, epsilon
        )
        found = [chooser.distribution([v] * n).probabilities[v] for v in range(values)]
        steps = np.arange(values)[:, None] <= np.arange(values)  # distribution functions, by row
        away = abs(steps[:, None, :].astype(int) - steps[None, :, :]).max(axis=-1)
        assert ((away < 1 / 2) == np.eye(values, dtype=bool)).all()
        if min(found) >= 1 / 2:
            assert n >= fewest_examples(values, epsilon=epsilon, success=0.5)
        assert min(found) <= np.exp(n * epsilon) / values  # by the proof


@given(st.integers(2, 10**6), epsilons, st.floats(0.01, 0.999))
def test_packing_asks_for_fewer_than_the_mechanism_has(cuts, epsilon, success):
    least = fewest_examples(cuts, epsilon=epsilon, success=success)
    assert least == pytest.approx(max(0, np.log(cuts * success)) / epsilon)
    n = 2 * int(least // 2)
    if n < least - 1e-9:
        assert two_point_success(cuts, n, epsilon=epsilon) < success + 1e-9


def test_packing_holds_for_an_audited_mechanism():
    """The exponential mechanism on three cut-offs, whose true epsilon is found by enumeration."""
    learner = private_learner(thresholds(3), 5.0)
    samples = [[(t - 1, 0), (t, 1)] for t in (1, 2)]
    success = min(np.exp(learner.distribution(s).log_density(t)) for t, s in enumerate(samples, 1))
    epsilon = exact_epsilon(learner, list(product(range(3), (0, 1))), n=2).epsilon
    assert fewest_examples(2, epsilon=epsilon, success=float(success)) <= 2


def test_bad_arguments_are_named():
    calls = [
        (lambda: failure_rate(epsilon=0, alpha=0.1), "epsilon must be"),
        (lambda: failure_rate(epsilon=1, alpha=0), "alpha must be .*above 0"),
        (lambda: failure_rate(epsilon=1, alpha=1.1), "alpha must be .*at most 1"),
        (lambda: failure_rate(epsilon=1, alpha=0.1, radius=0.1), "radius must be .*below 0.1"),
        (
            lambda: examples_enough(0, epsilon=1, alpha=0.1, failure=0.1),
            "hypotheses must be a whole number",
        ),
        (lambda: examples_enough(1, epsilon=1, alpha=0.1, failure=1), "failure must be"),
        (lambda: two_point_success(5, 3, epsilon=1), "n must be even, not 3"),
        (lambda: two_point_success(0, 2, epsilon=1), "thresholds must be a whole number"),
        (lambda: two_point_success(2, 2, epsilon=0), "epsilon must be"),
        (lambda: fewest_examples(0, epsilon=1, success=0.5), "thresholds must be"),
        (lambda: fewest_examples(2, epsilon=0, success=0.5), "epsilon must be"),
        (lambda: fewest_examples(2, epsilon=1, success=0), "success must be"),
        (
            lambda: private_learning([[0, 0]], [1, 1], [0.5, 0.5], 2, epsilon=1, alpha=0.5),
            "radius must be .*below 0.5",
        ),
    ]
    assert_refused(calls)


@given(st.floats(1e-6, 1), st.floats(-15, -0.01), st.floats(-12, 2.8))
def test_the_rate_has_its_digits_next_to_the_radius(alpha, log_gap, log_epsilon):
    radius, epsilon = alpha * (1 - 10.0**log_gap), 10.0**log_epsilon
    with mpmath.workdps(60):
        a, r = mpmath.mpf(alpha), mpmath.mpf(radius)
        s = min(mpmath.mpf(epsilon) / 2, mpmath.log(a / r) / 2)
        rate = a * (1 - mpmath.exp(-s)) - r * (mpmath.exp(s) - 1)
    ours = failure_rate(epsilon=epsilon, alpha=alpha, radius=radius)
    assert ours == pytest.approx(float(rate), rel=1e-12)


def test_more_examples_than_floats_can_count():
    with pytest.raises(ValueError, match=r"the number of examples for .* must be a finite number"):
        examples_enough(10, epsilon=1e-300, alpha=1e-10, failure=0.1)
