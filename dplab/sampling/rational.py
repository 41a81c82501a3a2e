"""Exact rational arguments, checked like `dplab.arguments` checks floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


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


def _parts(value: Any) -> tuple:
    """Return the arguments of a Fraction; turn numpy's integers, which overflow, into ints."""
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(int(part) if isinstance(part, np.integer) else part for part in parts)
