from math import comb, exp

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import kstest

from dplab import GeometricMechanism, Laplace
from dplab.inference import NoisyCount, ProportionTest, Tulap, smooth_count

EPSILONS = (1e-3, 0.3, 1.0, 5.0)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_law_by_its_parts(epsilon):
    """K + U, summed over K; the density is the slope of the distribution function."""
    law, k = Tulap(2.0, epsilon), np.arange(-60_000, 60_001)
    masses = np.tanh(epsilon / 2) * np.exp(-epsilon * abs(k))
    for value in (-3.3, 1.5, 1.7, 2.0, 2.5, 4.25):
        below = np.clip(value - 2.0 - k + 0.5, 0, 1)
        assert law.cdf(value) == pytest.approx(masses @ below, rel=1e-9)
        if (value - 2.0) % 1 != 0.5:
            slope = (law.cdf(value + 1e-4) - law.cdf(value - 1e-4)) / 2e-4
            assert np.exp(law.log_density(value)) == pytest.approx(slope, rel=1e-6)
    assert law.variance == pytest.approx(masses @ (k**2.0) + 1 / 12, rel=1e-6)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_its_function_rises_as_fast_as_the_promise_allows(epsilon):
    law, t = Tulap(0.0, epsilon), np.linspace(-9, 9, 1001)
    here, there = law.cdf(t), law.cdf(t + 1)
    fastest = np.minimum(exp(epsilon) * here, 1 - exp(-epsilon) * (1 - here))
    assert there == pytest.approx(fastest, rel=1e-9)


def test_samples_have_the_law():
    """Three Kolmogorov-Smirnov tests, each fails with probability 1e-9."""
    rng = np.random.default_rng()
    law = Tulap(10.0, 0.7)
    assert kstest(law.sample(rng, 20_000), law.cdf).pvalue > 1e-9
    count = GeometricMechanism(sum, sensitivity=1, epsilon=0.7)
    noisy = np.array([count([1] * 10, rng) for _ in range(2000)])
    assert kstest(smooth_count(np.zeros(20_000), rng), "uniform", (-0.5, 1)).pvalue > 1e-9
    assert kstest(smooth_count(noisy, rng), law.cdf).pvalue > 1e-9
    assert isinstance(smooth_count(3, rng), float)


def masses(n, p):
    return np.array([comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)])


def best_power(n, epsilon, null, other, alpha):
    """Return the largest power of all private tests, by a linear program over phi."""
    step = np.eye(n + 1)
    rows, limits = [masses(n, null)], [alpha]
    for x in range(n):
        for a, b in ((x, x + 1), (x + 1, x)):
            rows += [step[a] - exp(epsilon) * step[b], exp(epsilon) * step[b] - step[a]]
            limits += [0, exp(epsilon) - 1]
    found = linprog(-masses(n, other), rows, limits, bounds=(0, 1), method="highs")
    return -found.fun


@pytest.mark.parametrize("n", [1, 2, 9, 40])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_no_private_test_has_more_power(n, epsilon):
    for null, alpha in ((0.5, 0.05), (0.9, 0.3), (0.1, 0.7)):
        test = ProportionTest(n, epsilon, null, alpha)
        assert test.power(null) == pytest.approx(alpha, abs=1e-8)
        for other in (0.95, null + 0.05):
            best = best_power(n, epsilon, null, other, alpha)
            assert test.power(other) == pytest.approx(best, abs=1e-6)


def test_power_is_the_mean_of_the_rejections():
    test = ProportionTest(12, 0.5, 0.4, 0.1)
    assert masses(12, 0.7) @ test.rejection(range(13)) == pytest.approx(test.power(0.7))
    assert test.rejection([3, 4])[1] > test.rejection([3, 4])[0]
    assert test.power_at(test.threshold + 1, 0.4) < 0.1


def test_with_laplace_noise_of_the_same_epsilon_a_test_has_less_power():
    test, laplace = ProportionTest(60, 0.5), NoisyCount(60, Laplace(0, 2))
    grid = np.linspace(0, 90, 9001)
    bar = grid[np.argmax(1 - laplace.cdf(grid, 0.5) <= 0.05)]
    assert 1 - laplace.cdf(bar, 0.7) < test.power(0.7)


def test_small_epsilon_has_no_power_and_large_epsilon_that_of_the_plain_test():
    assert ProportionTest(50, 1e-6).power(0.9) == pytest.approx(0.05, abs=1e-4)
    plain = ProportionTest(50, 50.0)
    exact = masses(50, 0.5)[::-1].cumsum()  # P(X >= 50), P(X >= 49), ...
    k = int(np.argmax(exact > 0.05))  # the test tosses a coin where X = 50 - k
    coin = (0.05 - exact[k - 1]) / (exact[k] - exact[k - 1])
    expected = masses(50, 0.7)[::-1].cumsum()[[k - 1, k]] @ [1 - coin, coin]
    assert plain.power(0.7) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Tulap(0, 0), "epsilon must be"),
        (lambda: ProportionTest(10, 1, share=0), "share must be"),
        (lambda: ProportionTest(10, 1, alpha=1), "alpha must be"),
        (lambda: smooth_count(0.5, np.random.default_rng()), "count must be a whole number"),
        (lambda: smooth_count(1, None), "rng must be"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
