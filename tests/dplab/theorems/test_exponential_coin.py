import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplab.audit import goodness_of_fit
from dplab.distributions import Finite
from dplab.theorems.exponential_coin import ExponentialCoin, exponential_coin, toss


@given(st.fractions(0, 1, max_denominator=10**6))
def test_the_theorem_holds_within_its_undecided_rest(gamma):
    coin = exponential_coin(gamma)
    assert coin.holds
    low, high = coin.odd
    assert 0 <= high - low <= Fraction(1, math.factorial(39))
    assert float(low) == pytest.approx(math.exp(-gamma), rel=1e-14)


def test_a_wrong_law_does_not_hold():
    right = exponential_coin(Fraction(1, 2))
    wrong = ExponentialCoin(right.gamma, tuple(s * s for s in right.survival))
    assert not wrong.holds


def test_on_average_e_to_the_gamma_coins_are_tossed():
    assert float(sum(exponential_coin(1).survival)) == pytest.approx(math.e)


@pytest.mark.parametrize("gamma", [0, Fraction(3, 7), 1])
def test_tosses_follow_the_law(gamma):
    """Fails with probability 1e-10."""
    rng = np.random.default_rng()
    p = math.exp(-gamma)
    draws = [toss(gamma, rng) for _ in range(3000)]
    assert goodness_of_fit(draws, Finite.of({1: p, 0: 1 - p}), failure=1e-10).passed


@pytest.mark.parametrize("gamma", [-1, Fraction(9, 8), "much", math.nan])
def test_gamma_is_a_rational_from_zero_to_one(gamma):
    with pytest.raises(ValueError, match="gamma must be"):
        exponential_coin(gamma)


@pytest.mark.parametrize("gamma", [1e-4, (1, 10**20), 1e-300])
def test_coins_of_small_chances(gamma):
    assert toss(gamma, np.random.default_rng(0)) == 1
