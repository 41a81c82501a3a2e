"""Floats, drawn and rounded exactly: what the snapping mechanism is made of.

Source: Mironov, "On significance of the least significant bits for differential privacy" (2012).
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_left
from collections.abc import Callable
from decimal import Context, Decimal

from dplab.sampling import bits

TINIEST = 2.0**-1074  # the smallest float above 0; all floats are multiples of it
ONE = 1023 << 52  # the bits of 1.0, read as an integer


def uniform(source: bits.Source) -> float:
    """A float U > 0 with P(U < u) = u for every float u in (0, 1] but the tiniest.

    The uniform multiples of 2^-1074 in [0, 1), rounded down to 53 significant bits.
    """
    k = bits.integer(source, 1074)
    spare = max(0, k.bit_length() - 53)
    return max(math.ldexp(k >> spare, spare - 1074), TINIEST)


def rounded_log(u: float) -> float:
    """The float nearest to log(u), for a float u > 0.

    A decimal within 10^(1 - digits) of the logarithm, relatively, decides unless a midpoint of two
    floats is as near; then more digits do (log u is irrational but for u = 1).
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
    """The first float in [0, 1] at which `holds` turns true for good; 1 if it never does below.

    Floats in [0, 1] are ordered as their bits are. `holds` is asked about `TINIEST` where 0 is
    meant; `near` is a guess, which saves time where it is good to twelve digits.
    """
    low, high = (_bits(min(1.0, near * factor)) for factor in (1 - 1e-12, 1 + 1e-12))
    low = 0 if holds(_float(low)) else low
    high = high if holds(_float(high)) else ONE
    found = bisect_left(range(low, high), True, key=lambda key: holds(_float(key)))
    return _float(low + found) if low + found else 0.0


def _bits(value: float) -> int:
    (key,) = struct.unpack("<q", struct.pack("<d", value))
    return key


def _float(key: int) -> float:
    """The float with these bits; the tiniest in the place of 0, as `uniform` has it."""
    (value,) = struct.unpack("<d", struct.pack("<q", key))
    return max(value, TINIEST)
