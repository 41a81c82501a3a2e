import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplab.sampling.floats import first_float, rounded_log, uniform
from tests.dplab.sampling.scripted import Script

floats = st.floats(min_value=0, max_value=1, exclude_min=True, exclude_max=True)


def is_nearest_log(ours, u):
    """Against the midpoints to its two neighbours, with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        low, high = (
            (Decimal(ours) + Decimal(math.nextafter(ours, side))) / 2
            for side in (-math.inf, math.inf)
        )
        return low < Decimal(u).ln() < high


@given(floats)
@settings(max_examples=200)
def test_logarithm_is_the_nearest_float(u):
    assert is_nearest_log(rounded_log(u), u)


def test_logarithm_next_to_a_midpoint_takes_more_digits():
    """Of log(1 - d) = -d - d^2 / 2 - d^3 / 3 ... the first two terms are a midpoint of two floats
    for d = 2^(b - 53) times an odd number of b bits, and what follows is below 10^-24 of them.
    """
    for b in range(1, 7):
        for odd in range(1 << b - 1 | 1, 1 << b, 2):
            d = odd * 2.0 ** (b - 53)
            assert is_nearest_log(rounded_log(1 - d), 1 - d)
            assert is_nearest_log(rounded_log(1 + 2 * d), 1 + 2 * d)


def test_logarithm_next_to_a_float_and_of_the_tiniest():
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


@given(floats.filter(lambda u: u > 1e-300), st.floats(-9e-13, 9e-13))
def test_a_guess_good_to_twelve_digits_leaves_few_floats_to_ask_about(threshold, error):
    """At most 2e-12 / 2^-53, which is below 2^15, and the two ends."""
    asked = []
    first_float(lambda u: asked.append(u) or u >= threshold, threshold * (1 + error))
    assert len(asked) <= 17


def test_ends_of_the_search():
    assert first_float(lambda u: True, 0.5) == 0.0
    assert first_float(lambda u: False, 0.5) == 1.0
