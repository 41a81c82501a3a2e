"""Numpy arrays as plain values and back: the name of a type, a shape, bytes.

Object and structured types don't cross this way: an object array can hold anything. Arrays of
Python objects cross as their items.
"""

from __future__ import annotations

import math
import re

import numpy as np

from autograder.wire.errors import Malformed

MAX_DIMENSIONS = 32
_UNIT = r"\[([1-9]\d{0,8})?(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]"  # of dates and time spans
_TYPE = re.compile(rf"[<>|=]?([biufcSU][1-9]\d{{0,8}}|[mM]8{_UNIT})")
_NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def can_cross(value: np.ndarray | np.generic) -> bool:
    """Return whether type, shape and bytes describe the value."""
    return value.ndim <= MAX_DIMENSIONS and _TYPE.fullmatch(value.dtype.str) is not None


def describe_array(array: np.ndarray, data: object) -> list:
    """Describe an array that `can_cross`, with `data` instead of its bytes."""
    return [array.dtype.str, list(array.shape), data]


def restore_array(inner: list) -> np.ndarray:
    """Return the array behind a description. Only for a bytearray, it shares the memory."""
    name, shape, data = inner
    if not _TYPE.fullmatch(name):
        raise Malformed(f"no array has the type {name!r}")
    dtype = np.dtype(name)
    _check_shape(shape, len(data) // dtype.itemsize)
    if dtype.kind == "b":  # a byte other than 0 and 1 would count as more than one True
        return (np.frombuffer(data, np.uint8) != 0).reshape(shape)
    array = np.frombuffer(data, dtype).reshape(shape)
    return array.astype(dtype.newbyteorder("="), copy=type(data) is bytes)


def list_items(array: np.ndarray) -> list:
    """Return shape and items of an array of Python objects, or of strings that are all empty.

    Raises `ValueError` and `TypeError` for arrays that can't cross.
    """
    if array.ndim > MAX_DIMENSIONS:
        raise ValueError(f"an array of {array.ndim} dimensions can't pass to or from a test")
    if array.dtype.kind in "OSU":
        return [list(array.shape), array.ravel().tolist()]
    raise TypeError(f"an array of type {array.dtype} can't pass to or from a test")


def restore_items(inner: list) -> np.ndarray:
    """Return the array whose shape and items `list_items` returned."""
    shape, items = inner
    _check_shape(shape, len(items))
    return np.fromiter(items, dtype=object, count=len(items)).reshape(shape)


def stack(results: list) -> list | np.ndarray:
    """Return the results of many calls as an array if all are numbers or arrays of one shape."""
    kinds = set(map(type, results))
    if kinds and all(issubclass(kind, _NUMBERS) for kind in kinds):
        stacked = np.array(results)
        return results if stacked.dtype == object else stacked
    if kinds == {np.ndarray} and len({(array.shape, array.dtype) for array in results}) == 1:
        return np.array(results)
    return results


def _check_shape(shape: list[int], size: int) -> None:
    if len(shape) > MAX_DIMENSIONS or min(shape, default=0) < 0 or math.prod(shape) != size:
        raise Malformed(f"{size} items don't fill the shape {shape}")
