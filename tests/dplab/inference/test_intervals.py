from functools import partial
from math import comb

import numpy as np
import pytest

from dplab import Gaussian, Laplace
from dplab.inference import Interval, NoisyCount, Tulap, bootstrap_interval
from dplab.inference.intervals import EXACT, NAIVE, NORMAL, normal_quantile

NOISES = [Laplace(0, 3), Gaussian(0, 2), Tulap(0, 0.5)]
ids = partial(map, repr)


def brute_cdf(count, value, p):
    """P(T <= value), by all counts one after the other."""
    n = count.n
    return sum(
        comb(n, x) * p**x * (1 - p) ** (n - x) * count.noise.cdf(value - x) for x in range(n + 1)
    )


@pytest.mark.parametrize("noise", NOISES, ids=ids(NOISES))
@pytest.mark.parametrize("n", [1, 2, 37])
def test_the_law_is_that_of_a_count_plus_noise(noise, n):
    count = NoisyCount(n, noise)
    for p in (0, 0.03, 0.5, 1):
        for value in (-4.5, 0, 1, n / 2, n + 3):
            assert count.cdf(value, p) == pytest.approx(brute_cdf(count, value, p), abs=1e-12)
            assert count.p_value(value, p, "less") == pytest.approx(brute_cdf(count, value, p))
            assert count.p_value(value, p) == pytest.approx(1 - brute_cdf(count, value, p))
    assert count.p_value(n / 2, 0.5, "two-sided") == pytest.approx(1)
    assert count.p_value(-9.0, 0.5, "two-sided") == pytest.approx(2 * count.cdf(-9.0, 0.5))
    grid = np.linspace(-60, 60, 240_001)
    density = np.exp(noise.log_density(grid))
    assert count.variance == pytest.approx(np.trapezoid(grid**2 * density, grid), rel=1e-3)


def test_both_tails_keep_their_digits():
    """Far above all counts P(T >= t) is E e^{X - t} / 2 for Laplace noise of scale 1."""
    count = NoisyCount(10, Laplace(0, 1))
    tail = ((1 + np.e) / 2) ** 10 * np.exp(-200) / 2
    assert count.p_value(200, 0.5) == pytest.approx(tail, rel=1e-9)
    assert count.p_value(10 - 200, 0.5, "less") == pytest.approx(tail, rel=1e-9)
    sure = count.interval(3.0, alpha=1e-12)
    assert count.p_value(3.0, sure.lower) == pytest.approx(5e-13, rel=1e-3) or sure.lower == 0
    assert sure.upper > count.interval(3.0, alpha=1e-3).upper


def test_noise_of_every_epsilon_is_around_0():
    for epsilon in np.geomspace(1e-3, 50, 200):
        assert NoisyCount(3, Tulap(0, float(epsilon))).cdf(1.5, 0.5) == pytest.approx(0.5)


def test_of_many_people_nothing_is_left_out():
    """Against the normal law, whose error is far below 1 / sqrt(n)."""
    for share in (1e-6, 0.3):
        count = NoisyCount(10**8, Gaussian(0, 1000))
        spread = np.sqrt(10**8 * share * (1 - share) + 1e6)
        values = 10**8 * share + spread * np.array([-2, 0, 1])
        expected = Gaussian(0, 1).cdf([-2, 0, 1])
        assert count.cdf(values, share) == pytest.approx(expected, abs=1e-4)


def ends(count, method, p, alpha):
    """Return the counts of a fine grid whose interval contains p: their least, their largest."""
    grid = np.linspace(-20, count.n + 20, 4001)
    inside = [t for t in grid if count.interval(t, alpha=alpha, method=method).contains(p)]
    return np.array([min(inside), max(inside)]), grid[1] - grid[0]


@pytest.mark.parametrize("method", [NORMAL, NAIVE])
@pytest.mark.parametrize("p", [0.02, 0.4, 0.97])
def test_coverage_is_the_probability_of_the_counts_whose_interval_contains_p(method, p):
    count = NoisyCount(30, Laplace(0, 2))
    found, step = ends(count, method, p, 0.1)
    outer, inner = found + np.array([-step, step]), found
    exact = count.coverage(p, alpha=0.1, method=method)
    inside = np.diff(count.cdf(inner, p))[0]
    assert inside - 1e-9 <= exact <= np.diff(count.cdf(outer, p))[0] + 1e-9


@pytest.mark.parametrize("noise", NOISES, ids=ids(NOISES))
def test_the_exact_interval_misses_each_side_with_half_of_alpha(noise):
    """Its ends at the quantiles of T are the share itself, for every n and p, n = 1 included."""
    for n, p in ((1, 0.2), (1, 0.5), (25, 0.04), (25, 0.9)):
        count = NoisyCount(n, noise)
        grid = np.linspace(-60, n + 60, 24_001)
        levels = count.cdf(grid, p)
        for level, end in ((0.95, "lower"), (0.05, "upper")):
            t = np.interp(level, levels, grid)
            found = getattr(count.interval(t, alpha=0.1), end)
            assert found == pytest.approx(p, abs=2e-3)
        assert count.coverage(p, alpha=0.1, method=EXACT) == pytest.approx(0.9)


def test_the_exact_interval_without_noise_worth_the_name_is_clopper_and_pearson():
    """With noise that is far below one person: 7 of 20, at 95%: from their tables."""
    found = NoisyCount(20, Gaussian(0, 1e-3)).interval(7 - 0.01)
    assert found.lower == pytest.approx(0.1539, abs=1e-4)
    assert NoisyCount(20, Gaussian(0, 1e-3)).interval(7 + 0.01).upper == pytest.approx(
        0.5922, abs=1e-4
    )


def test_counts_far_outside_have_an_interval_at_the_end():
    count = NoisyCount(50, Laplace(0, 2))
    assert count.interval(-200) == Interval(0.0, 0.0)
    assert count.interval(300) == Interval(1.0, 1.0)
    near = count.interval(-1.0)
    assert near.lower == 0
    assert 0 < near.upper < 0.3
    mirrored = count.interval(51.0)
    assert (mirrored.lower, mirrored.upper) == pytest.approx((1 - near.upper, 1.0))
    for method in (NORMAL, NAIVE):
        assert count.interval(300, method=method).upper == 1
        assert count.interval(-300, method=method) == Interval(0.0, 0.0)


def test_normal_interval_by_hand():
    count = NoisyCount(100, Gaussian(0, 5))
    for method, variance in ((NAIVE, 0.2 * 0.8 / 100), (NORMAL, 0.2 * 0.8 / 100 + 25 / 100**2)):
        found = count.interval(20.0, method=method)
        assert (found.lower, found.upper) == pytest.approx(
            (0.2 - 1.959964 * variance**0.5, 0.2 + 1.959964 * variance**0.5)
        )
        assert found.length == pytest.approx(2 * 1.959964 * variance**0.5)
    assert normal_quantile(0.3173105) == pytest.approx(1)


def test_bootstrap_turns_the_quantiles_round():
    draws = 3 + np.arange(101.0)  # 3 to 103, for an estimate of 50: the bias is 3
    assert bootstrap_interval(50, draws, alpha=0.2) == Interval(100 - 93.0, 100 - 13.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NoisyCount(0, Laplace(0, 1)), "n must be"),
        (lambda: NoisyCount(5, Laplace(1, 1)), "noise must be around 0"),
        (lambda: NoisyCount(5, Laplace(0, 1)).interval(2, alpha=0), "alpha must be"),
        (lambda: NoisyCount(5, Laplace(0, 1)).interval(2, method="wald"), "method must be"),
        (lambda: NoisyCount(5, Laplace(0, 1)).coverage(0.0), "share must be"),
        (lambda: NoisyCount(5, Laplace(0, 1)).cdf(2, 1.5), "share must be"),
        (lambda: NoisyCount(5, Laplace(0, 1)).p_value(2, 0.5, "both"), "alternative must be"),
        (lambda: bootstrap_interval(0.5, [[1.0]]), "estimates must have 1 dim"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_another_noise_is_refused():
    from dplab import PiecewiseConstant

    flat = PiecewiseConstant(np.array([-1.0, 1.0]), np.array([np.log(0.5)]))
    with pytest.raises(ValueError, match="noise must be"):
        NoisyCount(5, flat)
