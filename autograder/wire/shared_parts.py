"""Write a container only once if it occurs in a value several times.

The rows of `[[0] * n] * n` are one list: setting an item of one row sets it in all. In a copy
they must be one list, too. So a repeated part is written once, and each place where it occurs has
its number. A part gets its number only when it is complete. So no part can contain itself or a
later part.

In this way a small message could describe a huge value, or a value with many levels. So two numbers
have limits: the bytes that would be written if nothing were shared, and the levels of parts within
parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np

from autograder.wire.errors import Malformed

SHARED = b"\xc1"  # before a list of bytes: of each part, and of the value
AGAIN = 25  # the number of a part
MAX_LEVELS = 500  # of parts within parts

_WALKED = (list, tuple, dict)
_CONTAINERS = {*_WALKED, set, Counter, np.ndarray}


class Parts:
    """The repeated parts of one value in order, each with its full size and its levels."""

    def __init__(self, most: int) -> None:
        self._max_bytes = most
        self._parts: list[tuple[object, int, int]] = []
        self.repeated = 0  # bytes of the current part that are not written again
        self.aside = 0  # bytes of the current part's arrays, which are sent before the value
        self.level = 0  # the current part's levels of parts within parts

    def add(self, part: object, written: int) -> int:
        """Add a complete part of so many written bytes, and return its number."""
        self._parts.append((part, written + self.repeated + self.aside, self.level + 1))
        self.repeated = self.aside = self.level = 0
        return len(self._parts) - 1

    def again(self, number: object) -> object:
        """Return the part with this number.

        Raises `Malformed` if there is none yet, and `ValueError` if the whole would be too large.
        """
        if type(number) is not int or not 0 <= number < len(self._parts):
            raise Malformed("a part that is not there yet")
        part, size, level = self._parts[number]
        self.repeated += size
        self.level = max(self.level, level)
        if self.repeated > self._max_bytes:
            raise ValueError(
                f"more than {self._max_bytes:,} bytes, were nothing shared, are too many"
            )
        if self.level > MAX_LEVELS:
            raise ValueError(f"more than {MAX_LEVELS} shared values within each other")
        return part


def find_repeated(value: object) -> set[int]:
    """Return the ids of all containers that occur in a value more than once."""
    visited_ids: set[int] = set()
    repeated_ids: set[int] = set()
    unvisited: list[Any] = [value]
    for part in unvisited:  # the list grows
        kind = type(part)
        inner = part.values() if kind is dict else part if kind in _WALKED else ()
        is_flat = not inner or _CONTAINERS.isdisjoint(map(type, inner))
        if is_flat and kind is tuple:
            continue  # for a tuple of numbers, for example, a copy is as good as the tuple
        if id(part) in visited_ids:
            repeated_ids.add(id(part))
            continue
        visited_ids.add(id(part))
        if not is_flat:
            unvisited += [child for child in inner if type(child) in _CONTAINERS]
    return repeated_ids


def write(value: object, shared: set[int], pack: Callable[[object], bytes], parts: Parts) -> bytes:
    """Return the value's bytes, with these parts shared. Raises `ValueError`."""
    part_bytes: list[bytes] = []
    numbers: dict[int, int | None] = {}  # by id; None for a part that is not complete

    def pack_part(part: Any) -> Any:
        if id(part) not in shared or type(part) not in _CONTAINERS:
            return rebuild(part)
        if id(part) not in numbers:
            numbers[id(part)] = None
            outer_counts = parts.repeated, parts.level
            parts.repeated = parts.level = 0
            data = pack(rebuild(part))
            numbers[id(part)] = parts.add(part, len(data))
            parts.repeated, parts.level = outer_counts
            part_bytes.append(data)
        if (number := numbers[id(part)]) is None:
            raise ValueError("what holds itself can't pass to or from a test")
        parts.again(number)
        return msgpack.ExtType(AGAIN, pack(number))

    def rebuild(part: Any) -> Any:
        if type(part) is dict:
            return {key: pack_part(inner) for key, inner in part.items()}
        return type(part)(map(pack_part, part)) if type(part) in (list, tuple) else part

    try:
        value_bytes = pack(pack_part(value))
    except RecursionError:
        raise ValueError("too many values within each other") from None
    return SHARED + pack([*part_bytes, value_bytes])


def read(data: bytes, decode: Callable[[bytes, Parts], object], most: int) -> object:
    """Return the value that `write` wrote. Raises `Malformed`, or the errors of `decode`."""
    parts = Parts(most)
    byte_parts = decode(data[len(SHARED) :], parts)
    if type(byte_parts) is not list or not byte_parts or {*map(type, byte_parts)} != {bytes}:
        raise Malformed("no list of parts")
    *inner, value_bytes = byte_parts
    for data in inner:
        parts.add(decode(data, parts), len(data))
    return decode(value_bytes, parts)
