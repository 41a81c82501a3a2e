"""What the samplers share: integers made of a signed block and an offset, and tails of tables.

For g = 2^width q + r, block q and offset r stand for k = g, and the complement -1 - q of the block
for k = -1 - g: in two's complement all bits of g are flipped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from dplab.sampling.fixed_point import Bounds
from dplab.sampling.inversion import GUARD

NARROW = 31  # blocks of at most 2^31 integers: the sum of block and offset fits 64 bits
CHUNK = 1 << 15  # draws made at once
LIGHT = 1 << GUARD - 8  # a table ends where weights fall to this: 2^-8 of a unit of the thresholds
remembered = lru_cache(maxsize=64)  # of samplers, which have their tables with them


def geometric_tail(first: Bounds, ratio: Bounds, precision: int) -> int:
    """An upper bound of first / (1 - ratio)."""
    return -(-(first[1] << precision) // ((1 << precision) - ratio[1]))


def join(block: np.ndarray, offset: np.ndarray, width: int) -> np.ndarray:
    """k = 2^width q + r for blocks q >= 0; for complements -1 - q, all bits flipped."""
    if not width:
        return block.astype(np.int64)
    block = block.astype(offset.dtype)
    flips = (block < 0).astype(offset.dtype) * ((1 << width) - 1)
    return (block << width) + (offset ^ flips)


def shaped(draw: Callable[[int], np.ndarray], size: Any) -> Any:
    """Draw `size` numbers, in pieces that fit the processor's cache; ValueError if negative."""
    if size is None:
        return draw(1).item()
    if np.less(size, 0).any():
        raise ValueError(f"size must be at least 0, not {size!r}")
    count = int(np.prod(size))
    if count <= CHUNK:
        return draw(count).reshape(size)
    pieces = [draw(min(CHUNK, count - start)) for start in range(0, count, CHUNK)]
    return np.concatenate(pieces).reshape(size)
