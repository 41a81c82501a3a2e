"""Sources of random bits: a seeded generator, to repeat a run, or the operating system."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class OperatingSystemBits:
    """Random words from `os.urandom`, the same source as `secrets`: nobody can repeat them.

    The exact samplers and mechanisms take it wherever they take a `numpy.random.Generator`.

    >>> OPERATING_SYSTEM.words(3).shape
    (3,)
    """

    def words(self, size: int) -> np.ndarray:
        """Return independent uniform 64-bit words, uint64 of shape (size,)."""
        return np.frombuffer(os.urandom(8 * size), dtype=np.uint64)


OPERATING_SYSTEM = OperatingSystemBits()
Source = np.random.Generator | OperatingSystemBits


def words(source: Any, size: int) -> np.ndarray:
    """Return independent uniform 64-bit words, uint64 of shape (size,), from `source`.

    `source` is a numpy Generator or has a method `words`. Raises ValueError for anything else.
    """
    if isinstance(source, np.random.Generator):
        return source.integers(1 << 64, size=size, dtype=np.uint64)
    if not hasattr(source, "words"):
        raise ValueError(f"rng must be a numpy Generator or OperatingSystemBits, not {source!r}")
    return source.words(size)


def cells(source: Any, size: int) -> np.ndarray:
    """Return independent uniform 16-bit numbers, uint16 of shape (size,): four from each word."""
    return words(source, -(-size // 4)).view(np.uint16)[:size]


def integer(source: Any, bits: int) -> int:
    """Return a uniform integer in [0, 2^bits)."""
    count = -(-bits // 64)
    number = int.from_bytes(words(source, count).tobytes(), "little")
    return number >> (64 * count - bits)
