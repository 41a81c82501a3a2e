from decimal import localcontext
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from dplab.sampling.fixed_point import exp_minus, exp_ratio, multiply
from tests.dplab.sampling.scripted import exp_minus as decimal_exp_minus

rationals = st.fractions(min_value=0, max_value=200, max_denominator=10**30)
precisions = st.sampled_from([8, 64, 112, 176])


@given(rationals, precisions)
@example(Fraction(170), 176)
def test_the_bounds_contain_the_exponential_and_are_a_few_units_apart(x, bits):
    low, high = exp_minus(x, bits)
    with localcontext() as context:
        context.prec = 150
        scaled = decimal_exp_minus(x, 150) * 2**bits
    assert low <= scaled <= high
    assert 0 <= low <= high <= min(low + 4, 1 << bits)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 50))
def test_shared_factors_change_nothing(p, q, factor):
    assert exp_ratio(factor * p, factor * q, 64) == exp_ratio(p, q, 64)


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 9), st.integers(0, 9))
def test_products_stay_within_their_bounds(a, b, wide, high):
    bounds = multiply((a, a + wide), (b, b + high), 8)
    assert bounds[0] * 256 <= a * b
    assert (a + wide) * (b + high) <= bounds[1] * 256


def test_extremes():
    assert exp_minus(Fraction(10**30), 64) == (0, 1)
    for tiny in (Fraction(0), Fraction(1, 10**40)):
        low, high = exp_minus(tiny, 64)
        assert (1 << 64) - 4 <= low < high == 1 << 64
