"""Containers that occur in a value more than once: the copy has as many as the original.

The rows of `[[0] * n] * n` are one list, and whoever sets an item of one row sets it in all. So
what is repeated is written once, and where it occurs stands its number. A part is known by its
number only when it is complete: none can hold itself, or one that comes later.

A small message could so stand for a huge value, or one of many levels. Counted is what would be
written again if nothing were shared, and that may be no more than a whole message may have; and how
many parts are within each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np

from autograder.wire.malformed import Malformed

SHARED = b"\xc1"  # begins no other value; then a list of the parts' bytes and the whole's
AGAIN = 25  # the number of a part
MAX_LEVELS = 500  # of parts within parts

_WALKED = (list, tuple, dict)
_CONTAINERS = {*_WALKED, set, Counter, np.ndarray}


class Parts:
    """The repeated parts of one value, in their order; how large each is written out, how deep."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[tuple[object, int, int]] = []
        self.repeated = 0  # bytes that are not written again, of the part that is at work
        self.aside = 0  # bytes of its arrays that are sent ahead of the value
        self.level = 0  # the parts within each other in it

    def add(self, part: object, written: int) -> int:
        """A part is complete, in so many bytes; its number."""
        self._parts.append((part, written + self.repeated + self.aside, self.level + 1))
        self.repeated = self.aside = self.level = 0
        return len(self._parts) - 1

    def again(self, number: object) -> object:
        """The part of that number.

        Raises `Malformed` where there is none yet, and `ValueError` where all would be too much.
        """
        if type(number) is not int or not 0 <= number < len(self._parts):
            raise Malformed("a part that is not there yet")
        part, size, level = self._parts[number]
        self.repeated += size
        self.level = max(self.level, level)
        if self.repeated > self._most:
            raise ValueError(f"more than {self._most:,} bytes, were nothing shared, are too many")
        if self.level > MAX_LEVELS:
            raise ValueError(f"more than {MAX_LEVELS} shared values within each other")
        return part


def repeated(value: object) -> set[int]:
    """The ids of all containers that occur in a value more than once."""
    visited_ids: set[int] = set()
    repeated_ids: set[int] = set()
    rest = [value]
    while rest:
        part: Any = rest.pop()
        inner = part.values() if type(part) is dict else part if type(part) in _WALKED else ()
        is_flat = _CONTAINERS.isdisjoint(map(type, inner))
        if is_flat and type(part) is tuple:
            continue  # one of numbers, say, is as good as another
        if id(part) in visited_ids:
            repeated_ids.add(id(part))
            continue
        visited_ids.add(id(part))
        if not is_flat:
            rest += [one for one in inner if type(one) in _CONTAINERS]
    return repeated_ids


def write(value: object, shared: set[int], pack: Callable[[object], bytes], parts: Parts) -> bytes:
    """The value's bytes, where these parts are shared. Raises `ValueError`."""
    part_bytes: list[bytes] = []
    numbers: dict[int, int | None] = {}  # None: it is not complete

    def mark(part: Any) -> Any:
        if id(part) not in shared or type(part) not in _CONTAINERS:
            return rebuild(part)
        if id(part) not in numbers:
            numbers[id(part)] = None
            outer = parts.repeated, parts.level
            parts.repeated = parts.level = 0
            data = pack(rebuild(part))
            numbers[id(part)] = parts.add(part, len(data))
            parts.repeated, parts.level = outer
            part_bytes.append(data)
        if (number := numbers[id(part)]) is None:
            raise ValueError("what holds itself can't pass to or from a test")
        parts.again(number)
        return msgpack.ExtType(AGAIN, pack(number))

    def rebuild(part: Any) -> Any:
        if type(part) is dict:
            return {key: mark(inner) for key, inner in part.items()}
        return type(part)(map(mark, part)) if type(part) in (list, tuple) else part

    try:
        whole = pack(mark(value))
    except RecursionError:
        raise ValueError("too many values within each other") from None
    return SHARED + pack([*part_bytes, whole])


def read(data: bytes, decode: Callable[[bytes, Parts], object], most: int) -> object:
    """The value that was written so. Raises `Malformed`, or what `decode` raises."""
    parts = Parts(most)
    written = decode(data[len(SHARED) :], parts)
    if type(written) is not list or not written or {*map(type, written)} != {bytes}:
        raise Malformed("no list of parts")
    *inner, whole = written
    for data in inner:
        parts.add(decode(data, parts), len(data))
    return decode(whole, parts)
