"""The number up to which something holds, found by halving."""

from __future__ import annotations

from collections.abc import Callable

RELATIVE = 1e-12  # how close the two sides come, unless the caller says otherwise


def edge(holds: Callable[[float], bool], relative: float = RELATIVE) -> tuple[float, float]:
    """Return (low, high) around the number above 0 up to which `holds` is true.

    `holds` is true from there down to 0, where it isn't asked, and false above: so it is true of
    `low`, unless that is 0, and false of `high`, which is inf if it is true of all floats.

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
    holds: Callable[[float], bool], low: float, high: float, relative: float = RELATIVE
) -> tuple[float, float]:
    """Close in from a `low` where `holds` is true and a `high` where it is false."""
    while high - low > relative * high:
        middle = (low + high) / 2
        if middle in (low, high):  # no float is left between them
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high
