"""The numbers of lesson 8, *Why did the textbook mechanism leak?*, out of its reader's sight.

Together the random ones fail by chance with probability below 1e-10; see also
tests/course/test_false_failures.py.
"""

from fractions import Fraction

import numpy as np

from dplab.attacks.floating_point import impossible, replay
from dplab.audit import exact_epsilon, goodness_of_fit
from dplab.sampling import OPERATING_SYSTEM
from dplab.theorems.exponential_coin import exponential_coin


def after_cell_25(draws, k, textbook):
    """The library's replay is numpy's output bit by bit."""
    assert np.allclose(textbook(k, 1.0), draws)
    assert (replay(k, 1.0, 1.0) == draws).all()


def after_cell_15(fine):
    """A share of 5,000; by Chernoff's inequality this fails with probability 1e-13."""
    assert len(fine) == 5000
    assert abs(fine.mean() - 0.272) < 0.06


def after_cell_23(count, nobody, outputs):
    assert not impossible(count.distribution(nobody), outputs).any()


def after_cell_27(whole, loss, nobody):
    law = whole.distribution(nobody)
    assert np.allclose((np.exp(law.log_density(0)), law.variance), (0.4621172, 1.841347))
    assert np.isclose(loss.largest_log_ratio, 1)


def after_cell_29(share):
    assert exact_epsilon(share.clamp(0, 1), (0, 1), n=8).epsilon < 1 + 1e-12


def after_cell_31(coin):
    assert coin.holds
    low, high = (float(end) for end in exponential_coin(1).odd)
    assert np.isclose(low, np.exp(-1))
    assert np.isclose(high, np.exp(-1))


def after_63369bec(tosses, fast):
    """Shares of two times 4,000; by Hoeffding's inequality this fails with probability 1e-13."""
    assert len(tosses) == len(fast) == 4000
    assert abs(np.mean(tosses) - fast.mean()) < 0.09


def after_cell_38(shares):
    """Shares of 20,000; by Hoeffding's inequality each fails with probability 1e-13."""
    known = {0: (0.817, 0.801), 1: (0.606, 0.594), 2: (0.471, 0.449), 10: (0.106, 0.122)}
    assert shares.keys() == known.keys()
    for answer, expected in known.items():
        assert np.allclose(shares[answer], expected, atol=0.03)


def after_cell_40(stretched):
    """Two shares of 20,000, as above."""
    assert np.allclose(stretched, 0.812, atol=0.03)


def after_cell_42(broken):
    """157 are expected in 100,000; 50 to 300 are left with probability below 1e-13."""
    assert 5e-4 < broken(1000, size=100_000)[0] < 3e-3


def after_cell_52(whole, nobody, rounded):
    for g in (1, Fraction(1, 4), Fraction(1, 64)):
        on_grid = type(whole)(sum, sensitivity=1, epsilon=1, grid=g)
        assert on_grid.distribution(nobody).variance < 2
    assert rounded**2 > 2


def after_cell_56(whole, nobody):
    """The law of 3,000 releases is tested at 1e-11."""
    draws = [whole(nobody, OPERATING_SYSTEM) for _ in range(3000)]
    law = whole.clamp(-20, 20).distribution(nobody)
    assert goodness_of_fit(np.clip(draws, -20, 20), law, failure=1e-11).passed


def after_8af947d7():
    """The numbers of the three verdicts."""
    lowest = replay(np.array([1], dtype=np.int64), 0.0, 1.0)[0]
    assert round(lowest, 3) == -36.044
    assert round(replay(np.array([1], dtype=np.int64), 1.0, 1.0)[0], 3) == -35.044
    chance = exponential_coin(1).odd[0] ** 2 * exponential_coin(Fraction(1, 2)).odd[0]
    assert np.isclose(float(chance), np.exp(-2.5), rtol=1e-15)
    assert (np.round(0.5), np.round(1.5)) == (0, 2)


def after_cell_45(proofs):
    """1,150 are expected in 20,000, and fewer than 880 with probability below 1e-13."""
    assert proofs > 1e-6


def after_cell_34(audit, snapped, nobody):
    assert 1 - 1e-12 < audit.epsilon < 1
    assert sum(snapped.exact_law(nobody).values()) == 1


def after_cell_63(sums, big):
    assert (sums[0] - big, sums[1] - big) == (0, 2)
