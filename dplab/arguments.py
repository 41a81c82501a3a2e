"""Checks of arguments. Every error names the argument, its value and what is allowed.

Data are secret: `dplab.records` checks them, and quotes no value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

_NO_NUMBERS = (str, bytes, bool, np.bool_)  # although float() accepts them
_WHOLE = (int, np.integer)


def number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    below: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> float:
    """Return `value` as a float inside the stated bounds (`above`, `below` exclude their end).

    Raises ValueError for anything that is not one finite real number within them. A text like "2"
    and True are no numbers.
    """
    try:
        result = float("nan" if isinstance(value, _NO_NUMBERS) else value)
    except (TypeError, ValueError, OverflowError):
        result = math.nan
    is_inside = (
        math.isfinite(result)
        and (above is None or result > above)
        and (below is None or result < below)
        and (least is None or result >= least)
        and (most is None or result <= most)
    )
    if not is_inside:
        raise ValueError(f"{name} must be {_interval(above, below, least, most)}, not {value!r}")
    return result


def whole(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return `value` as an int of at least `least` and at most `most`, or raise ValueError."""
    integral = isinstance(value, _WHOLE) and not isinstance(value, _NO_NUMBERS)
    if not integral or value < least or (most is not None and value > most):
        allowed = f"at least {least}" + ("" if most is None else f", at most {most}")
        raise ValueError(f"{name} must be a whole number of {allowed}, not {value!r}")
    return int(value)


def reals(name: str, values: Any) -> np.ndarray:
    """Return `values` as a non-empty float array without NaN or infinity, or raise ValueError."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold real numbers, not {values!r}") from None
    if array.size == 0:
        raise ValueError(f"{name} must not be empty")
    if not np.isfinite(array).all():
        bad = array[~np.isfinite(array)].flat[0]
        raise ValueError(f"{name} must hold finite numbers, not {bad}")
    return array


def categories(name: str, values: Any, k: int) -> np.ndarray:
    """Return `values` as an int array of categories 0..k-1, or raise ValueError."""
    array = np.asarray(values)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold whole numbers from 0 to {k - 1}, not {values!r}")
    wrong = ~((array >= 0) & (array <= k - 1) & (array == np.floor(array)))
    if wrong.any():
        raise ValueError(
            f"{name} must hold whole numbers from 0 to {k - 1}, not {array[wrong].flat[0]}"
        )
    return array.astype(int)


def one_of(name: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return `value` if it is one of `allowed`, or raise ValueError."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def settle(owner: Any, check: Callable[..., Any], *names: str, **bounds: Any) -> None:
    """Set these fields of a frozen dataclass to the results of check(name, value, **bounds)."""
    for name in names:
        object.__setattr__(owner, name, check(name, getattr(owner, name), **bounds))


def _interval(
    open_low: float | None, open_high: float | None, least: float | None, most: float | None
) -> str:
    parts = [
        f"{word} {bound}"
        for word, bound in (
            ("above", open_low),
            ("at least", least),
            ("below", open_high),
            ("at most", most),
        )
        if bound is not None
    ]
    return " ".join(["a finite number", " and ".join(parts)]).strip()
