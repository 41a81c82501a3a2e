import re

import numpy as np
import pytest
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv
from scipy.stats import binom, laplace, norm

from dplab.audit import goodness_of_fit
from dplab.audit.goodness_of_fit import _binomial_p_value, _wrong_scale
from dplab.continuous import Gaussian, Laplace
from dplab.distributions import Finite, Product
from dplab.piecewise_constant import PiecewiseConstant


@pytest.mark.parametrize(
    ("law", "wrong"),
    [
        (Laplace(0, scale=1), Laplace(0, scale=0.8)),
        (Laplace(0, scale=1), Laplace(0.2, scale=1)),
        (Gaussian(0, sigma=1), Gaussian(0, sigma=1.1)),
        (Gaussian(3, sigma=2), Gaussian(3, sigma=2.2)),
        (Laplace(-5, scale=0.5), Laplace(-5, scale=0.4)),
        (Finite.of({None: 0.5, "a": 0.3, 2: 0.2}), Finite.of({None: 0.5, "a": 0.35, 2: 0.15})),
        (Gaussian(0, sigma=1), Laplace(0, scale=1 / np.sqrt(2))),
        (Finite.of({0: 0.5, 1: 0.5}), Finite.of({0: 0.45, 1: 0.55})),
        (Finite.of({0: 0.5, 1: 0.5}), Finite.of({0: 0.5, 1: 0.49, 2: 0.01})),
    ],
)
def test_right_draws_pass_and_wrong_ones_fail(law, wrong):
    """20,000 draws: false alarm 1e-10; each fault here escapes with probability below 1e-12."""
    rng = np.random.default_rng()
    assert goodness_of_fit(law.sample(rng, 20_000), law).passed
    verdict = goodness_of_fit(wrong.sample(rng, 20_000), law)
    assert not verdict.passed
    assert verdict.reason


@pytest.mark.parametrize("n", [50, 1000, 20_000])
@pytest.mark.parametrize("failure", [0.1, 1e-10])
def test_the_limit_for_a_shape_is_massarts(n, failure):
    """Draws in equal steps, moved: half of the failure is for the shape, half for the scale."""
    limit = np.sqrt(np.log(4 / failure) / (2 * n))
    even = (np.arange(n) + 0.5) / n
    law = PiecewiseConstant([0, 1], [0])
    for share, passed in ((0.999, True), (1.001, False)):
        moved = np.minimum(even + share * limit - 0.5 / n, 1.0)
        assert goodness_of_fit(moved, law, failure=failure).passed == passed


@pytest.mark.parametrize("n", [100, 3000])
@pytest.mark.parametrize("failure", [0.1, 1e-10])
@pytest.mark.parametrize("law", [Gaussian(3, 1.5), Laplace(3, 1.5)])
def test_the_limit_for_a_scale_is_its_exact_law(law, failure, n):
    """Each side has a quarter of the failure. The draws are quantiles, made wider or narrower."""
    scipys, power, shape = {Gaussian: (norm, 2, n / 2), Laplace: (laplace, 1, n)}[type(law)]
    draws = scipys.ppf((np.arange(n) + 0.5) / n)
    total = (abs(draws) ** power).sum() / power
    for wanted in (gammaincinv, gammainccinv):
        for share, passed in ((1.001, True), (0.999, False)):
            times = (wanted(shape, share * failure / 4) / total) ** (1 / power)
            assert goodness_of_fit(3 + 1.5 * times * draws, law, failure=failure).passed == passed


def test_a_sample_at_a_limit_passes():
    """The failure itself is allowed."""
    limit = np.sqrt(np.log(4 / 0.6) / 2)
    assert goodness_of_fit([limit], PiecewiseConstant([0, 1], [0]), failure=0.6).passed
    assert not goodness_of_fit(
        [np.nextafter(limit, 1)], PiecewiseConstant([0, 1], [0]), failure=0.6
    ).passed
    for y in (0.1, 1.0, 7.0):
        failure = 2 * min(gammainc(1, y), gammaincc(1, y))
        assert not _wrong_scale(Laplace(0, 1), np.array([y]), failure)
        assert _wrong_scale(Laplace(0, 1), np.array([y]), np.nextafter(failure, 1))
    coin = Finite.of({0: 0.5, 1: 0.5})
    for ones in range(5, 15):
        failure, draws = 2 * _binomial_p_value(ones, 40, 0.5), [1] * ones + [0] * (40 - ones)
        assert goodness_of_fit(draws, coin, failure=failure).passed
        assert not goodness_of_fit(draws, coin, failure=np.nextafter(failure, 1)).passed


def test_the_reason_says_what_is_wrong():
    often = goodness_of_fit([1] * 90 + [0] * 10, Finite.of({1: 0.5, 0: 0.5})).reason
    assert often == "1 came up in a share 0.9000 of draws, expected 0.5000"
    never = goodness_of_fit([0] * 100, Finite.of({1: 0.5, 0: 0.5})).reason
    assert never.startswith("1 came up in a share 0.0000")
    quantiles = (np.arange(2000) + 0.5) / 2000
    small = -np.log(2 * (1 - quantiles[quantiles > 0.5])) / 2
    reason = goodness_of_fit(np.concatenate([-small, small]), Laplace(0, scale=1)).reason
    assert "spread around the center is 0.5" in reason
    assert (
        "2 came up, which is impossible"
        in goodness_of_fit([0, 1, 2, 3], Finite.of({0: 0.5, 1: 0.5})).reason
    )
    uniform, middle = PiecewiseConstant([0, 1], [0]), np.linspace(0.4, 0.8, 1000)
    reason = goodness_of_fit(middle, uniform).reason
    assert reason == "a share 0.0010 of draws is at most 0.4, expected 0.4000"
    assert "not a finite number" in goodness_of_fit([0.0, np.nan], Laplace(0, scale=1)).reason


@pytest.mark.parametrize("times", [0.5, 2.0])
@pytest.mark.parametrize("law", [Gaussian(3, 1.5), Laplace(3, 1.5)])
def test_a_wrong_scale_is_told_by_how_much(law, times):
    """The draws are quantiles, so that little else is wrong with them."""
    places = (np.arange(4000) + 0.5) / 4000
    scipys = {Gaussian: norm, Laplace: laplace}[type(law)]
    found = _wrong_scale(law, 3 + 1.5 * times * scipys.ppf(places), failure=1e-10)
    told = re.search(r"center is ([\d.]+) times what it should be", found).group(1)
    assert float(told) == pytest.approx(times, rel=0.01)


def test_parts_that_share_one_coin_do_not_pass_as_a_product():
    """Each part alone is right. False alarm 1e-10; half are (0, 0) where a quarter should be."""
    law = Product((Finite.of({0: 0.5, 1: 0.5}),) * 2)
    draws = law.sample(np.random.default_rng(), 2000)
    assert goodness_of_fit(draws, law).passed
    shared = goodness_of_fit(draws[:, [0, 0]], law)
    assert not shared.passed
    assert "(0, 0) came up in a share" in shared.reason


@pytest.mark.parametrize("pair", [[(0, 1), (1, 0)], [(0,), (0, 1)], [(), None], [0, "a"], [1, 2]])
def test_a_list_of_draws_may_hold_tuples(pair):
    assert goodness_of_fit(pair * 50, Finite.of(dict.fromkeys(pair, 0.5))).passed
    assert not goodness_of_fit(pair[:1] * 100, Finite.of(dict.fromkeys(pair, 0.5))).passed


def test_rows_of_draws_are_as_good_as_one_row():
    assert goodness_of_fit([[0, 1, 1], [0, 1, 0]] * 20, Finite.of({0: 0.5, 1: 0.5})).passed


def test_the_false_failure_probability_of_a_finite_law_by_enumeration():
    """All counts of 40 fair coins: those rejected have no more than the stated probability."""
    law, level = Finite.of({0: 0.5, 1: 0.5}), 0.01
    rejected = [
        k
        for k in range(41)
        if not goodness_of_fit(np.repeat([1, 0], [k, 40 - k]), law, failure=level).passed
    ]
    assert 0 < binom.pmf(rejected, 40, 0.5).sum() <= level


def test_the_false_failure_probability_of_a_real_law_in_many_trials():
    """2,000 samples at level 0.05: 174 or more rejections have probability below 1e-9."""
    rng = np.random.default_rng()
    law = Laplace(0, scale=1)
    rejections = sum(
        not goodness_of_fit(law.sample(rng, 200), law, failure=0.05).passed for _ in range(2000)
    )
    assert binom.sf(173, 2000, 0.05) < 1e-9
    assert rejections < 174


@pytest.mark.parametrize(
    ("count", "n", "p"), [(0, 10, 0.3), (1, 10, 0.01), (3, 10, 0.3), (10, 10, 0.3), (9, 1000, 0.5)]
)
def test_binomial_p_values_agree_with_scipy(count, n, p):
    expected = min(1, 2 * min(binom.cdf(count, n, p), binom.sf(count - 1, n, p)))
    assert _binomial_p_value(count, n, p) == pytest.approx(expected)


def test_what_rounding_puts_above_1_is_sure():
    assert _binomial_p_value(10, 10, 1 + 1e-12) == 1
    assert _binomial_p_value(9, 10, 1 + 1e-12) == 0


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="sample must not be empty"):
        goodness_of_fit([], Laplace(0, scale=1))
    with pytest.raises(ValueError, match="sample must not be empty"):
        goodness_of_fit([], Finite.of({0: 0.5, 1: 0.5}))
    with pytest.raises(ValueError, match="only finite factors"):
        goodness_of_fit([[0.0]], Product((Laplace(0, scale=1),)))
    with pytest.raises(ValueError, match=r"sample must have shape \(draws, 1\), not \(3,\)"):
        goodness_of_fit([0, 1, 1], Product((Finite.of({0: 0.5, 1: 0.5}),)))
    with pytest.raises(ValueError, match="law must be finite or real"):
        goodness_of_fit([0.0], "a law")
    with pytest.raises(ValueError, match=r"failure must be .*above 0 and below 1, not 0"):
        goodness_of_fit([0.0], Laplace(0, scale=1), failure=0)
