"""Shared parts of the samplers: integers from a signed block and an offset, and tails of tables.

Let g = 2^width q + r. Block q and offset r represent k = g; block -1 - q and offset r represent
k = -1 - g, which in two's complement flips all bits of g.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from dplab import arguments
from dplab.sampling.fixed_point import Bounds
from dplab.sampling.inversion import GUARD

MAX_WIDTH = 31  # bits of an offset, for which the sum of block and offset fits 64 bits
CHUNK_DRAWS = 1 << 15  # drawn at once
MIN_WEIGHT = 1 << GUARD - 8  # the least weight in a table: 2^-8 of a unit of the thresholds
remembered = lru_cache(maxsize=64)  # stores samplers with their tables


def geometric_tail(first: Bounds, ratio: Bounds, precision: int) -> int:
    """Return an upper bound of first / (1 - ratio)."""
    return -(-(first[1] << precision) // ((1 << precision) - ratio[1]))


def join(block: np.ndarray, offset: np.ndarray, width: int) -> np.ndarray:
    """Return 2^width q + r for blocks q >= 0, and flip all its bits for blocks -1 - q."""
    if not width:
        return block.astype(np.int64)
    block = block.astype(offset.dtype)
    flips = (block < 0).astype(offset.dtype) * ((1 << width) - 1)
    return (block << width) + (offset ^ flips)


def shaped(draw: Callable[[int], np.ndarray], size: Any) -> Any:
    """Draw `size` numbers, in pieces that fit the processor's cache; ValueError for size < 0."""
    if size is None:
        return draw(1).item()
    lengths = size if isinstance(size, tuple | list) else (size,)
    if not all(
        isinstance(length, int | np.integer) and length is not True and length >= 0
        for length in lengths
    ):
        allowed = "a whole number of at least 0, or a tuple of them"
        raise ValueError(f"size must be {allowed}, not {arguments.show(size)}")
    count = arguments.size("size", math.prod(lengths), least=0)
    if count <= CHUNK_DRAWS:
        return draw(count).reshape(size)
    pieces = [draw(min(CHUNK_DRAWS, count - start)) for start in range(0, count, CHUNK_DRAWS)]
    return np.concatenate(pieces).reshape(size)
