"""What the numbers of lesson 4 must be.

The countries are drawn once. The checks of what is random fail together with probability below
1e-9; swapping and the noise of the tables have margins of six deviations and more.
"""

from math import isclose

import numpy as np

from dplab import ApproxDP, RandomRows
from dplab.attacks.membership import tracing_power


def after_cell_20(scores):
    """The mean score is 2 |q - p|, and an error of a half is seven standard deviations."""
    assert abs(scores.mean() - 2) < 0.5


def after_cell_25(power):
    assert np.isclose(power, 0.372, atol=5e-4)
    assert power / (power + 0.01) > 0.97


def after_cell_27(sigma, ceiling):
    assert (round(sigma, 2), round(float(ceiling), 3)) == (0.84, 0.027)


def after_cell_31(off):
    """Shares of 800 and more members are off by 0.15 at eight deviations."""
    assert max(off.values()) < 0.15
    assert off[100] < 0.08


def after_cell_35(right):
    """Of 200 fair bits, 60 too many or too few have probability 2 exp(-36)."""
    assert 0.6 < right.mean() < 0.9


def after_cell_38(named, secret, curator):
    assert secret[named.people].all()
    assert curator.sample[named.people].all()
    assert curator.guarantee == RandomRows(n=400, k=200).guarantee == ApproxDP(0, 0.5)


def after_cell_40(share, power):
    assert share > 0.9 * power


def after_cell_63(exact, outsiders, rng):
    for epsilon, loss in ((0.1, 0.1), (1, 0.02), (5, 0.01)):
        private = exact.release(epsilon, rng).accuracy(outsiders)
        assert exact.accuracy(outsiders) - private < loss


def after_cell_65(exact, counted, outsiders):
    assert abs(exact.accuracy(counted) - exact.accuracy(outsiders)) < 0.01


def after_fc135458(power, sigma):
    """The verdicts of the claims."""
    noisy = tracing_power(400, 100, false_positive_rate=0.01, sigma=0.05)
    fewer = tracing_power(200, 100, false_positive_rate=0.01)
    assert isclose(noisy, fewer, rel_tol=1e-6)
    assert abs(noisy - 0.18) < 5e-3
    many = tracing_power(40_000, 100, false_positive_rate=0.01, sigma=round(sigma, 2))
    assert abs(many - 0.13) < 5e-3
    assert abs(100 * power / (100 * power + 999) - 0.036) < 1e-3


def after_cell_48(some):
    assert not some.complete


def after_cell_49(solved, block):
    assert (solved.complete, solved.blocks) == (True, (tuple(sorted(block)),))


def after_cell_54(stayed):
    assert 0.9 < stayed < 0.99


def after_two_numbers(promise):
    assert promise == ApproxDP(1, 1e-6)


def after_census_epsilon(stated):
    assert 17 < stated < 17.5
    assert 1 / (1 + np.exp(-stated)) > 0.9999999
