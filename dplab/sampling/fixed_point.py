"""Rigorous bounds in fixed point: integers (low, high) with low <= value * 2^bits <= high.

Every operation rounds low down and high up, so bounds stay bounds. Values lie in [0, 1].
"""

from __future__ import annotations

from fractions import Fraction

Bounds = tuple[int, int]


def multiply(a: Bounds, b: Bounds, bits: int) -> Bounds:
    """Return bounds of the product of two numbers."""
    return a[0] * b[0] >> bits, _shift_up(a[1] * b[1], bits)


def exp_minus(x: Fraction, bits: int) -> Bounds:
    """Return bounds of e^{-x} for a rational x >= 0, a few units apart."""
    return exp_ratio(x.numerator, x.denominator, bits)


def exp_ratio(p: int, q: int, bits: int) -> Bounds:
    """Return bounds of e^{-p/q} for integers p >= 0 and q > 0, which may share factors.

    With y = p / (2^j q) <= 1/2, all terms of e^y = sum_i y^i / i! are positive. Rounded down, they
    sum to a lower bound. Rounded up, with two more units, they sum to an upper bound: the last term
    in the sum is one unit, and each of the following terms is at most half of the one before it.
    The reciprocal is squared j times.
    """
    if p >= bits * q:  # e^{-bits} < 2^{-bits}
        return 0, 1
    halvings = (2 * p // q).bit_length()
    work = bits + halvings + 8
    low, high = _exp(p, q << halvings, work)
    value = (1 << 2 * work) // high, -(-(1 << 2 * work) // low)
    for _ in range(halvings):
        value = multiply(value, value, work)
    return value[0] >> (work - bits), _shift_up(value[1], work - bits)


def _exp(p: int, q: int, bits: int) -> Bounds:
    """Return bounds of e^{p/q} for 0 <= p/q <= 1/2; the value lies in [1, 2)."""
    low_term = high_term = low = high = 1 << bits
    i = 0
    while high_term > 1:
        i += 1
        low_term, high_term = low_term * p // (q * i), -(-high_term * p // (q * i))
        low, high = low + low_term, high + high_term
    return low, high + 2


def _shift_up(value: int, bits: int) -> int:
    return -(-value >> bits)
