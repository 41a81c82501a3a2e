"""Checks of data: a message quotes no record, and a conversation never depends on one.

Checks of other arguments quote the value (`dplab.arguments`). A value of the data, or a number that
was computed from them, is secret. So these checks say which values are allowed, and at most
which entry has another value. They raise ValueError where the owner of the data calls a mechanism
or a function.

In a conversation (`dplab.interaction`) an analyst would see that error, and even whether
there is an error would depend on the data. So there every entry counts as the nearest allowed one:

- a number outside of a range counts as the nearest end of the range;
- where whole numbers or points of a grid are allowed, it is rounded, and halfway up;
- NaN, infinity without an end of the range, and all that is not a number count as 0.

Each record is moved independently of the others. So neighbours stay neighbours, and the guarantee
holds for all data. The answer of a query is moved by the same rule: its sensitivity is that of the
moved answers.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from dplab import arguments

_in_conversation = ContextVar("_in_conversation", default=False)


@contextmanager
def conversation() -> Iterator[None]:
    """Move entries instead of raising errors, and give no warnings: they depend on the data."""
    token = _in_conversation.set(True)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        _in_conversation.reset(token)


def are_moved() -> bool:
    """Return whether entries that are not allowed are moved, as in a conversation."""
    return _in_conversation.get()


def reals(
    name: str,
    values: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    may_be_empty: bool = False,
) -> np.ndarray:
    """Return `values` as an array of finite floats from `low` to `high`.

    Raises ValueError for others, and for no values unless there may be none; in a conversation it
    moves the others, and there may be none.
    """
    array = _to_floats(values)
    if are_moved():
        return _move(values if array is None else array, low, high)
    if array is None:
        raise ValueError(f"{name} must hold real numbers")
    if array.size == 0 and not may_be_empty:
        raise ValueError(f"{name} must not be empty")
    is_right = np.isfinite(array)
    refuse_entries(name, "finite numbers", ~is_right)
    if low is not None or high is not None:
        least, most = -np.inf if low is None else low, np.inf if high is None else high
        refuse_entries(
            name, f"numbers from {least:g} to {most:g}", (array < least) | (array > most)
        )
    return array


def clip(name: str, values: Any, low: float, high: float) -> np.ndarray:
    """Return finite `values`, those outside of [low, high] moved to its ends; there may be none."""
    if are_moved():
        return reals(name, values, low=low, high=high)
    return np.clip(reals(name, values, may_be_empty=True), low, high)


def floats(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of any floats; raise ValueError for others, or move them."""
    array = _to_floats(values)
    if array is None and are_moved():
        return _move(values, None, None)
    if array is None:
        raise ValueError(f"{name} must hold real numbers")
    return array


def scores(name: str, values: Any) -> np.ndarray:
    """Return `values` as floats, finite or -inf, of which one is finite.

    Raises ValueError for others; in a conversation it moves them, and all to 0 if all are -inf.
    """
    array = _to_floats(values)
    if are_moved():
        numbers = _move(values if array is None else array, None, None)
        is_possible = array is None or array != -np.inf
        return np.where(is_possible, numbers, -np.inf) if np.any(is_possible) else numbers
    if array is None or array.size == 0 or not np.isfinite(array.max()):
        raise ValueError(f"{name} must be finite numbers or -inf, and one finite")
    return array


def number(name: str, value: Any) -> float:
    """Return `value` as a finite float; raise ValueError for others, or move them."""
    array = _to_floats(None if isinstance(value, str | bytes | bool | np.bool_) else value)
    if are_moved():
        array = _move(value if array is None else array, None, None)
        return float(array.ravel()[0]) if array.size == 1 else 0.0
    if array is None or array.size != 1 or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a finite number")
    return float(array.ravel()[0])


def categories(name: str, values: Any, k: int) -> np.ndarray:
    """Return `values` as an int array of categories 0..k-1.

    Raises ValueError for others, and for no values; in a conversation it moves the others, and
    there may be none.
    """
    if are_moved():
        rounded = np.floor(reals(name, values, low=0, high=k - 1) + 0.5)
        return np.minimum(rounded, k - 1).astype(int)
    array = _to_floats(values)
    if array is not None and array.size == 0:
        raise ValueError(f"{name} must not be empty")
    allowed = f"whole numbers from 0 to {k - 1}"
    if array is None:
        raise ValueError(f"{name} must hold {allowed}")
    is_right = (array >= 0) & (array <= k - 1) & (array == np.floor(array))
    refuse_entries(name, allowed, ~is_right)
    return array.astype(int)


def array(name: str, values: Any) -> np.ndarray:
    """Return `values` as an array of any entries; what a masked array masks is no entry.

    So ValueError is raised for a masked array, and in a conversation those entries become None.
    """
    if not isinstance(values, np.ma.MaskedArray):
        return np.asarray(values)
    if not are_moved():
        raise ValueError(f"{name} must not be a masked array")
    return np.ma.filled(values.astype(object), None)


def sized(name: str, values: Any) -> Any:
    """Return `values` if they are a sequence of records; raise ValueError for others.

    Masked arrays are treated as in `array`.
    """
    records = array(name, values) if isinstance(values, np.ma.MaskedArray) else values
    is_sized = hasattr(records, "__len__") and not isinstance(records, type)
    if not is_sized or (isinstance(records, np.ndarray) and records.ndim == 0):
        raise ValueError(f"{name} must be a sequence of records")
    return records


def hashables(name: str, values: Iterable[Any]) -> Iterator[Hashable]:
    """Yield the values, and for every NaN the same one, because a dict counts NaN by identity.

    Raises ValueError for what is no sequence of values; in a conversation it leaves out those that
    Python can't count as equal.
    """
    if not isinstance(values, Iterable) or isinstance(values, type):
        raise ValueError(f"{name} must be a sequence of records")
    if isinstance(values, np.ma.MaskedArray):
        values = sized(name, values)
    counted = filter(_is_hashable, values) if are_moved() else values
    return (math.nan if isinstance(x, float) and x != x else x for x in counted)


def refuse_entries(name: str, allowed: str, is_wrong: np.ndarray) -> None:
    """Raise ValueError if an entry is wrong, and say which is the first, but not its value."""
    if is_wrong.any():
        place = tuple(int(i) for i in np.argwhere(is_wrong)[0])
        entry = f", but entry {place[0] if len(place) == 1 else place} is another" if place else ""
        raise ValueError(f"{name} must hold {allowed}{entry}")


def _move(values: Any, low: float | None, high: float | None) -> np.ndarray:
    """Return the nearest allowed float for each of the values, as above."""
    array = _to_floats(values)
    if array is None:
        entries = _to_objects(values)
        array = np.array([_to_float(entry) for entry in entries.ravel()]).reshape(entries.shape)
    ends = [0.0 if end is None else end for end in (low, high)]
    finite = np.nan_to_num(array, nan=0.0, neginf=ends[0], posinf=ends[1])
    return np.clip(finite, -np.inf if low is None else low, np.inf if high is None else high)


def _to_floats(values: Any) -> np.ndarray | None:
    """Return the values as floats, or None if they are no numbers.

    An error is not raised on from here: its context would quote the value.
    """
    return arguments.to_floats(values)


def _to_objects(values: Any) -> np.ndarray:
    """Return an array of Python's objects; rows of several lengths are one object each.

    What is masked becomes None.
    """
    if isinstance(values, np.ma.MaskedArray):
        return array("values", values)
    try:
        return np.asarray(values, dtype=object)
    except ValueError:
        objects: np.ndarray = np.empty(len(values), dtype=object)
        objects[:] = [None] * len(values)
        return objects


def _to_float(value: Any) -> float:
    try:
        return 0.0 if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
