import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.sampling.floats import first_float, rounded_log, uniform
from tests.dplab.sampling.scripted import Script

floats = st.floats(min_value=0, max_value=1, exclude_min=True, exclude_max=True)


@given(floats)
@settings(max_examples=200)
def test_logarithm_is_the_nearest_float(u):
    """Against the midpoints to its two neighbours, with 60 digits."""
    ours = rounded_log(u)
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(u).ln()
        low, high = (
            (Decimal(ours) + Decimal(math.nextafter(ours, side))) / 2
            for side in (-math.inf, math.inf)
        )
        assert low <= exact <= high


def test_logarithm_near_a_midpoint_takes_more_digits():
    """log(1 - 2^-53) = -2^-53 - 2^-107 - ...: nearly, but not quite, a float."""
    assert rounded_log(1 - 2.0**-53) == -(2.0**-53)
    assert rounded_log(2.0**-1074) == pytest.approx(-1074 * math.log(2), rel=1e-15)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (0, 2.0**-1074),
        (1, 2.0**-1074),
        (1 << 1073, 0.5),
        ((1 << 1074) - 1, 1 - 2.0**-53),
        ((1 << 1000) + 1, 2.0**-74),
        (12345, 12345 * 2.0**-1074),
    ],
)
def test_uniform_numbers_are_rounded_down(k, expected):
    """The seventeen words of a draw are little-endian, with 14 bits to spare at the low end."""
    number = k << 14
    words = [(number >> 64 * i) & ((1 << 64) - 1) for i in range(17)]
    assert uniform(Script(words)) == expected


@given(floats.filter(lambda u: u > 1e-300), st.sampled_from([0.0, 1e-5, 0.5, 1.0]))
@settings(max_examples=100)
def test_the_first_float_is_found_whatever_the_guess(threshold, near):
    assert first_float(lambda u: u >= threshold, near) == threshold
    assert first_float(lambda u: u >= threshold, threshold) == threshold


def test_ends_of_the_search():
    assert first_float(lambda u: True, 0.5) == 0.0
    assert first_float(lambda u: False, 0.5) == 1.0
