from math import exp

import numpy as np
import pytest
from scipy.optimize import linprog

from dplab import DiscreteLaplace, Gaussian, Laplace
from dplab.theorems.nonnegative_counts import clamped_bias, least_bias


@pytest.mark.parametrize("noise", [Laplace(0, 3), Gaussian(0, 2)], ids=repr)
def test_the_bias_by_quadrature(noise):
    t = np.linspace(-120, 120, 960_001)
    density = np.exp(noise.log_density(t))
    for count in (0, 1, 7):
        expected = np.trapezoid(np.maximum(count + t, 0) * density, t) - count
        assert clamped_bias(count, noise) == pytest.approx(expected, abs=1e-7)


def test_the_bias_of_whole_numbers_by_summing():
    k = np.arange(-2000, 2001)
    for scale in (0.1, 1, 20):
        law = DiscreteLaplace(0, scale)
        masses = np.exp(law.log_density(k))
        for count in (0, 1, 7):
            expected = masses @ np.maximum(count + k, 0) - count
            assert clamped_bias(count, law) == pytest.approx(expected, abs=1e-9)
    assert clamped_bias([[0, 1]], Laplace(0, 2)).shape == (1, 2)


def least_by_program(epsilon, most):
    """Return the least largest bias on counts from 0 to `most`, over means that privacy allows."""
    k = np.arange(most + 1)
    rows, limits = [], []
    for i in k[:-1]:
        for a, b in ((i, i + 1), (i + 1, i)):
            row = np.zeros(most + 2)
            row[a], row[b] = 1, -exp(epsilon)
            rows.append(row)
            limits.append(0)
    for i in k:
        for sign in (1, -1):
            row = np.zeros(most + 2)
            row[i], row[-1] = sign, -1
            rows.append(row)
            limits.append(sign * i)
    cost = np.zeros(most + 2)
    cost[-1] = 1
    return linprog(cost, rows, limits, bounds=(0, None), method="highs").fun


@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1.0, 3.0])
def test_no_bias_is_smaller_and_means_exist_that_reach_it(epsilon):
    assert least_bias(epsilon) == pytest.approx(least_by_program(epsilon, 30))


@pytest.mark.parametrize("epsilon", [1e-4, 0.03, 0.7, 1.278, 20.0, 1000.0])
def test_the_best_number_of_people_is_found(epsilon):
    k = np.arange(1.0, 40_000)
    with np.errstate(over="ignore"):
        assert least_bias(epsilon) == (k / (1 + np.exp(k * epsilon))).max()
    if epsilon < 0.01:
        assert least_bias(epsilon) * epsilon == pytest.approx(0.27846, abs=1e-5)


def test_cut_laplace_noise_has_less_than_twice_the_least_bias():
    for epsilon in (0.01, 0.1):
        assert 1 < clamped_bias(0, Laplace(0, 1 / epsilon)) / least_bias(epsilon) < 1.8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: clamped_bias(-1, Laplace(0, 1)), "counts must be"),
        (lambda: clamped_bias(0.5, Laplace(0, 1)), "counts must be"),
        (lambda: clamped_bias(1, Laplace(1, 1)), "noise must be"),
        (lambda: clamped_bias(1, DiscreteLaplace(0, 1, 2)), "noise must be"),
        (lambda: least_bias(0), "epsilon must be"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
