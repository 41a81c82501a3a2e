"""Sizes and parameters from all of a domain: each order of magnitude as often as any other."""

from __future__ import annotations

import numpy as np


def parameters(rng: np.random.Generator, low: float, high: float, count: int) -> list[float]:
    """`count` numbers from `low` to `high`, log-uniform, both ends among them, in random order.

    Raises ValueError unless 0 < low < high and there are at least two.
    """
    if not 0 < low < high:
        raise ValueError(f"low and high must be above 0 and in order, not {low!r} and {high!r}")
    if count < 2:
        raise ValueError(f"count must be at least 2, for both ends, not {count!r}")
    inside = np.exp(rng.uniform(np.log(low), np.log(high), count - 2))
    values = np.array([low, high, *np.clip(inside, low, high)], dtype=float)
    return rng.permutation(values).tolist()


def sizes(rng: np.random.Generator, low: int, high: int, count: int) -> list[int]:
    """`count` whole numbers from `low` to `high`, else as `parameters` gives them."""
    return [round(value) for value in parameters(rng, low, high, count)]
