from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from dplab.sampling.rational import rational
from tests.refusals import assert_refused


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (3, Fraction(3)),
        (np.int64(3), Fraction(3)),
        ((1, 3), Fraction(1, 3)),
        ((np.int64(2**62), np.int32(3)), Fraction(2**62, 3)),
        (Fraction(2, 7), Fraction(2, 7)),
        (0.1, Fraction(3602879701896397, 2**55)),
    ],
)
def test_what_is_rational_is_taken_as_it_is(value, exact):
    assert rational("x", value) == rational("x", value, least=exact) == exact
    assert type(rational("x", value).numerator) is int
    assert rational("x", -exact) == -exact


def test_what_is_not_is_refused():
    cases = ["1", True, None, np.nan, np.inf, (1, 0), (0.5, 2), (1, 2, 3)]
    assert_refused(
        [(partial(rational, "x", value), "x must be a rational number, not") for value in cases]
    )


def test_the_bounds_are_exact():
    """At the bound itself, and on either side of it."""
    tiny = Fraction(1, 10**30)
    assert rational("x", 0, least=0) == 0
    assert rational("x", tiny, least=0) == rational("x", tiny, above=0) == tiny
    for value, bounds, words in (
        (-tiny, {"least": 0}, " of at least 0"),
        (0, {"above": 0}, " above 0"),
        (-tiny, {"above": 0}, " above 0"),
        (1, {"above": 0, "least": 2}, " above 0 of at least 2"),
        (2, {"above": 2, "least": 1}, " above 2 of at least 1"),
    ):
        with pytest.raises(ValueError, match=f"x must be a rational number{words}, not"):
            rational("x", value, **bounds)
