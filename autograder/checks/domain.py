"""Sizes and parameters from all of a domain: each order of magnitude as often as any other."""

from __future__ import annotations

import numpy as np


def parameters(rng: np.random.Generator, low: float, high: float, count: int) -> list[float]:
    """Return `count` log-uniform numbers from `low` to `high`, both included, in random order.

    Between the ends there is one number in each of `count` - 2 parts. All parts have the same ratio
    of upper to lower end. Raises ValueError unless 0 < low < high and `count` is at least 2.
    """
    if not 0 < low < high:
        raise ValueError(f"low and high must be above 0 and in order, not {low!r} and {high!r}")
    if count < 2:
        raise ValueError(f"count must be at least 2, for both ends, not {count!r}")
    shares = (np.arange(count - 2) + rng.random(count - 2)) / max(1, count - 2)
    inside = np.clip(low * (high / low) ** shares, low, high)
    return rng.permutation(np.array([low, high, *inside], dtype=float)).tolist()


def sizes(rng: np.random.Generator, low: int, high: int, count: int) -> list[int]:
    """Return `count` whole numbers from `low` to `high`: those of `parameters`, rounded."""
    return [round(value) for value in parameters(rng, low, high, count)]
