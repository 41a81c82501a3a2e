"""Floats, drawn and rounded exactly, for the snapping mechanism.

Source: Mironov, "On significance of the least significant bits for differential privacy" (2012).
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_left
from collections.abc import Callable
from decimal import Context, Decimal

from dplab.sampling import bits

LEAST_FLOAT = 2.0**-1074  # the smallest float above 0; all floats are multiples of it
BITS_OF_ONE = 1023 << 52  # the bits of 1.0, read as an integer


def uniform(source: bits.Source) -> float:
    """Draw a float U > 0 with P(U < u) = u for every float u in (0, 1] except the smallest.

    It is a uniform multiple of 2^-1074 in [0, 1), rounded down to 53 significant bits.
    """
    k = bits.integer(source, 1074)
    spare = max(0, k.bit_length() - 53)
    return max(math.ldexp(k >> spare, spare - 1074), LEAST_FLOAT)


def rounded_log(u: float) -> float:
    """Return the float nearest to log(u), for a float u > 0.

    A decimal with a relative error of 10^(1 - digits) decides unless a midpoint of two floats is as
    near. Then more digits decide: log u is irrational, except for u = 1.
    """
    digits = 25
    while True:
        context = Context(prec=digits)
        value = context.ln(Decimal(u))
        slack = context.scaleb(context.abs(value), 1 - digits)
        nearest = {float(context.add(value, s)) for s in (-slack, slack)}
        if len(nearest) == 1:
            return nearest.pop()
        digits *= 2


def first_float(holds: Callable[[float], bool], near: float) -> float:
    """Return the first float in [0, 1] from which `holds` stays true; 1 if there is none below.

    Floats in [0, 1] have the order of their bits. `holds` gets `LEAST_FLOAT` instead of 0. `near`
    is a guess, which saves time if it is right to twelve digits.
    """
    low, high = (_bits(min(1.0, near * factor)) for factor in (1 - 1e-12, 1 + 1e-12))
    low = 0 if holds(_float(low)) else low
    high = high if holds(_float(high)) else BITS_OF_ONE
    first = low + bisect_left(range(low, high), True, key=lambda key: holds(_float(key)))
    return _float(first) if first else 0.0


def _bits(value: float) -> int:
    (key,) = struct.unpack("<q", struct.pack("<d", value))
    return key


def _float(key: int) -> float:
    """Return the float with these bits; the smallest one instead of 0, as in `uniform`."""
    (value,) = struct.unpack("<d", struct.pack("<q", key))
    return max(value, LEAST_FLOAT)
