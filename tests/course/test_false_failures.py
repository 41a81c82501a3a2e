"""The lessons state that what is random fails by chance with probability under 1e-9. Is it so?

Lessons 5 and 7 compare the root mean square error of 1,000 surveys with its theory, within 16%.
Chernoff: P[mean of R squares >= f v] <= min over t > 0 of (E e^{t (X^2 - f v)})^R, and likewise
below. The law of X is known exactly, so every expectation here is a sum.
"""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from dplab import RandomizedResponse
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


def test_lesson_5_measures_errors_within_16_percent(failure):
    assert failure < 1e-9


def test_lesson_7_adds_five_fits(failure):
    assert failure + len(SIZES) * 1e-10 < 1e-9


def test_slope_within_a_tenth_follows():
    x = np.log(SIZES) - np.log(SIZES).mean()
    assert np.abs(x / (x @ x)).sum() * -np.log(1 - WITHIN) < 0.1


def test_one_release_of_doctor_visits():
    scale = 50 / (20_190 * 0.1)
    assert np.exp(-(0.6 - 0.01) / scale) < 1e-10
