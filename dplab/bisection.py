"""Bisection: find the largest number for which something holds."""

from __future__ import annotations

from collections.abc import Callable

RELATIVE_GAP = 1e-12  # between the two sides, unless the caller asks for another one


def edge(holds: Callable[[float], bool], relative: float = RELATIVE_GAP) -> tuple[float, float]:
    """Return (low, high) around the number above 0 up to which `holds` is true.

    `holds` must be true below that number and false above it; it is never asked at 0. So `holds`
    is true at `low`, unless that is 0, and false at `high`. If it is true of all floats, `high`
    is inf.

    >>> low, high = edge(lambda x: x**2 <= 2)
    >>> low**2 <= 2 < high**2
    True
    """
    low, high = 0.0, 1.0
    while holds(high):
        low, high = high, 2 * high
        if high == float("inf"):
            return low, high
    return between(holds, low, high, relative)


def between(
    holds: Callable[[float], bool], low: float, high: float, relative: float = RELATIVE_GAP
) -> tuple[float, float]:
    """Halve the gap between a `low` where `holds` is true and a `high` where it is false."""
    while high - low > relative * high:
        middle = (low + high) / 2
        if middle in (low, high):  # no float is left between them
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high
