"""Copy the results of student code as numbers of our own, after a check of their types."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from autograder.checks.failures import fail
from autograder.checks.value_texts import describe_kind, describe_result, find_strange, show

_SCALAR = bool | int | float | np.generic | Fraction
_REAL = bool | int | float | np.bool_ | np.integer | np.floating | Fraction


def to_numbers(what: object, value: Any, hint: str = "", should: str = "numbers") -> np.ndarray:
    """Copy a result of student code into a float array, or fail.

    The message has `what` as its subject, and says what it should be and what is wrong.
    """
    value = _strip_labels(value)
    if any(isinstance(part, np.ma.MaskedArray) for part in _parts(value)):
        fail(what, f"should be {should}, without a mask: return a plain array", hint)
    if isinstance(value, list | tuple):
        array = _list_to_array(what, value, hint, should)
    elif isinstance(value, np.ndarray | _SCALAR):
        array = np.asarray(_fraction_to_float(value))
    else:
        fail(what, f"should be {should}, it is {describe_result(value)}", hint)
    if other_part := find_strange(array, _REAL):
        problem = f"it is {describe_kind(value)}" if array.ndim == 0 else f"in it is {other_part}"
        fail(what, f"should be {should.replace('number', 'real number')}, {problem}", hint)
    try:
        return array.astype(float)
    except OverflowError:
        fail(what, "has a whole number in it that is too large to be tested", hint)


def is_number(value: Any) -> bool:
    """Return whether the value is one number, of any type that students use."""
    return isinstance(value, _REAL)


def equal_up_to(actual: np.ndarray, expected: np.ndarray, tolerance: float) -> np.ndarray:
    """Return an array that is True where two arrays are equal up to rounding, relative or absolute.

    Infinity equals itself, and so does NaN if it is expected.
    """
    with np.errstate(invalid="ignore"):
        is_near = abs(actual - expected) <= tolerance * (1 + abs(expected))
    is_equal = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    return is_equal | (is_near & np.isfinite(expected))


def outcome(what: object, key: Any, hint: str) -> tuple[int, ...]:
    """Return a key of a law as a tuple of whole numbers; fail if it isn't one."""
    if type(key) is tuple and set(map(type, key)) == {int}:
        return key
    if not isinstance(key, tuple) or not all(isinstance(part, _SCALAR) for part in key):
        parts = key if isinstance(key, tuple) else ()
        other_parts = [describe_kind(part) for part in parts if not isinstance(part, _SCALAR)]
        text = describe_kind(key) + (f" with {other_parts[0]} in it" if other_parts else "")
        fail(what, f"should have tuples such as (0, 1) as keys, one key is {text}", hint)
    numbers = to_numbers(what, key, hint)
    if not (numbers == np.floor(numbers)).all():
        should = "should have tuples of whole numbers as keys, one key is"
        fail(what, f"{should} {show(numbers)}", hint)
    return tuple(numbers.astype(int).tolist())


def _strip_labels(value: Any) -> Any:
    is_table = type(value).__module__.partition(".")[0] == "pandas"
    return np.asarray(value) if is_table else value


def _parts(value: Any) -> list:
    return [value, *value] if isinstance(value, list | tuple) else [value]


def _list_to_array(what: object, values: list | tuple, hint: str, should: str) -> np.ndarray:
    kind = "list" if isinstance(values, list) else "tuple"
    values = [_strip_labels(value) for value in values]
    other_values = [v for v in values if not isinstance(v, list | tuple | np.ndarray | _SCALAR)]
    if other_values:
        fail(what, f"should be {should}, in its {kind} is {describe_kind(other_values[0])}", hint)
    try:
        return np.array([_fraction_to_float(value) for value in values])
    except (TypeError, ValueError):
        fail(what, "has parts of different lengths, which are no array", hint)


def _fraction_to_float(value: Any) -> Any:
    return float(value) if type(value) is Fraction else value
