"""Exact rational arguments, checked like `dplab.arguments` checks floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

MAX_DENOMINATOR = 10**6  # of a fraction that a float grid may mean


def rational(
    name: str, value: Any, *, above: int | None = None, least: int | None = None
) -> Fraction:
    """Return an int, Fraction, float or pair (numerator, denominator) of ints as a Fraction.

    A float is taken for the binary fraction that it is. Raises ValueError for anything else and
    for a value outside the bounds.

    >>> rational("scale", (1, 3))
    Fraction(1, 3)
    """
    try:
        result = None if isinstance(value, str | bool) else Fraction(*_parts(value))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        result = None
    if (
        result is None
        or (above is not None and result <= above)
        or (least is not None and result < least)
    ):
        allowed = f" above {above}" if above is not None else ""
        allowed += f" of at least {least}" if least is not None else ""
        raise ValueError(f"{name} must be a rational number{allowed}, not {value!r}")
    return result


def grid_step(name: str, value: Any) -> Fraction:
    """Return the step of a grid as a Fraction above 0, or raise ValueError.

    A float that is the nearest one to a fraction with a denominator of at most 10^6 counts as that
    fraction. So the grid 0.1 has the numbers that `numpy.round(x, 1)` returns.

    >>> grid_step("grid", 0.1), grid_step("grid", 2.0**-40) == Fraction(1, 2**40)
    (Fraction(1, 10), True)
    """
    exact = rational(name, value, above=0)
    simple = exact.limit_denominator(MAX_DENOMINATOR)
    return simple if isinstance(value, float) and float(simple) == value else exact


def _parts(value: Any) -> tuple:
    """Return the arguments of a Fraction; turn numpy's integers, which overflow, into ints."""
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(int(part) if isinstance(part, np.integer) else part for part in parts)
