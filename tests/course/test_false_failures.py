"""The lessons state that what is random fails by chance with probability under 1e-9. Is it so?

Lessons 5 and 7 compare the root mean square error of 1,000 surveys with its theory, within 16%.
Chernoff: P[mean of R squares >= f v] <= min over t > 0 of (E e^{t (X^2 - f v)})^R, and likewise
below. The law of X is known exactly, so every expectation here is a sum.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import binom, chi2, norm

from dplab import ApproxDP, RandomizedResponse, analytic_sigma
from dplab.theorems.bit_guessing import guess_bound
from dplab.widgets.class_survey import binomial_law

SIZES = np.array([30, 100, 300, 1000, 3000])
SURVEYS, WITHIN = 1000, 0.16
# By Hoeffding P[X] <= exp(-0.39 X^2 / v) here, so below this t the law's far tail adds nothing.
LARGEST_LOG_T = np.log(0.3)


def law_of_error(n, epsilon=1.0, share=0.3):
    """Values and probabilities of estimate - truth, for one survey of n people."""
    mechanism, ones = RandomizedResponse(epsilon), round(share * n)
    p, q = mechanism.truth_probability, mechanism.lie_probability
    law = np.convolve(binomial_law(ones, p), binomial_law(n - ones, q))
    errors = (np.arange(n + 1) / n - q) / (p - q) - ones / n
    return errors[law > 1e-290], law[law > 1e-290]


def chernoff(squares, law, factor):
    """Bound P[mean of SURVEYS squares is beyond factor times its expectation], on either side."""
    mean, side = law @ squares, np.sign(factor - 1)

    def log_bound(log_t):
        return SURVEYS * logsumexp(side * np.exp(log_t) * (squares / mean - factor), b=law)

    return np.exp(minimize_scalar(log_bound, bounds=(-6, LARGEST_LOG_T), method="bounded").fun)


@pytest.fixture(scope="module")
def failure():
    """The probability that any of the five sizes is off by more than 16%."""
    total = 0.0
    for n in SIZES:
        errors, law = law_of_error(n)
        total += sum(chernoff(errors**2, law, (1 + d) ** 2) for d in (WITHIN, -WITHIN))
    return total


def test_theory_is_the_exact_deviation():
    for n in SIZES:
        errors, law = law_of_error(n)
        variance = RandomizedResponse(1.0).frequency_variance(0.3, n=int(n))
        assert law @ errors == pytest.approx(0, abs=1e-12)
        assert law @ errors**2 == pytest.approx(variance, rel=1e-9)


def test_chernoff_bound_is_one_at_no_distance_and_small_far_away():
    errors, law = law_of_error(100)
    assert chernoff(errors**2, law, 1.0001) == pytest.approx(1, abs=0.01)
    assert chernoff(errors**2, law, 2.0) < 1e-40


def test_lesson_1_compares_six_shares_of_4000_attacks():
    """By Hoeffding; each attack is on a fair bit, so it is right with the theorem's probability."""
    assert 6 * 2 * np.exp(-2 * 4000 * 0.06**2) < 1e-9


def test_lesson_5_measures_errors_within_16_percent(failure):
    assert failure < 1e-9


def test_lesson_6_leaves_room_for_98_shares_of_20000_releases():
    """By Hoeffding no share is off by 0.03, and the bound on the power rises by e^0.3 at most."""
    assert 98 * 2 * np.exp(-2 * 20_000 * 0.03**2) < 1e-13
    assert 0.03 + 0.03 * np.exp(0.3) < 0.071


def test_lesson_7_adds_five_fits(failure):
    assert failure + len(SIZES) * 1e-10 < 1e-9


def test_lesson_8_compares_shares_of_single_releases():
    """Shares known to three digits; the lesson rejects counts outside of these ends."""
    shares = (0.817, 0.801, 0.606, 0.594, 0.471, 0.449, 0.106, 0.122, 0.812, 0.812)
    beyond = sum(
        outside(20_000, p + d, p - 0.025, p + 0.025) for p in shares for d in (-1e-3, 1e-3)
    )
    beyond += outside(100_000, 0.00157, 5e-4, 3e-3)
    beyond += outside(5000, 0.2717, 0.272 - 0.04, 0.272 + 0.04)
    beyond += outside(20_000, 1.27e-6 / (np.exp(-10) / 2), 1e-6 / (np.exp(-10) / 2), 1)
    heads = np.exp(-1 / 3)
    beyond += 2 * norm.sf(0.07 / np.sqrt(2 * heads * (1 - heads) / 4000))
    assert 1e-16 < beyond < 8e-10  # and a fit, at 1e-10


def outside(n, p, low, high):
    """P[a share of n draws of chance p is not strictly between low and high]."""
    return binom.cdf(np.floor(n * low), n, p) + binom.sf(np.ceil(n * high) - 1, n, p)


def test_slope_within_a_tenth_follows():
    x = np.log(SIZES) - np.log(SIZES).mean()
    assert np.abs(x / (x @ x)).sum() * -np.log(1 - WITHIN) < 0.1


def test_one_release_of_doctor_visits():
    scale = 50 / (20_190 * 0.1)
    assert np.exp(-(0.6 - 0.01) / scale) < 1e-10


def test_lesson_12_compares_two_spreads_of_normal_noise():
    """Of 100 and of 10,000 draws: their ratio, 10 on average, leaves (6, 18) by chance.

    It does so only if the large one is 6% off, or the small one what is left of 10 / 6 or 10 / 18.
    """
    large = chi2.sf(9_999 * 1.06**2, 9_999) + chi2.cdf(9_999 * 0.94**2, 9_999)
    small = chi2.sf(99 * (0.94 * 10 / 6) ** 2, 99) + chi2.cdf(99 * (1.06 * 10 / 18) ** 2, 99)
    assert large + small < 1e-9


def test_lesson_12_leaves_room_for_three_attacks():
    """The mean of 400 shares is at most Phi(mu / 2) on average; by Hoeffding, below the bound."""
    mu = 1 / analytic_sigma(sensitivity=1, epsilon=1, delta=1e-6)
    room = guess_bound(ApproxDP(1, 1e-6)) - norm.cdf(mu / 2)
    assert 3 * np.exp(-2 * 400 * room**2) < 1e-10
