"""Sticky noise: a standard Gaussian for each name, the same whenever the name is repeated.

A name (a condition, a person, a question's text) is hashed with the curator's secret salt to 64
bits, its seed. If a layer depends on two things, their seeds are mixed into one. A set's seed is
the sum of its members' seeds, so neither their order nor the wording of the question matters. All
functions work on arrays, for thousands of questions at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from scipy.special import ndtri

_ODD = np.uint64(0x9E3779B97F4A7C15)
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def seeds(salt: str, names: Iterable[str]) -> np.ndarray:
    """Return the seed of each name, uint64 of shape (k,). Equal names have equal seeds."""
    key, seed_of = salt.encode()[:64], {}
    for name in names if isinstance(names, Sequence) else (names := list(names)):
        if name not in seed_of:
            digest = blake2b(name.encode(), key=key, digest_size=8).digest()
            seed_of[name] = int.from_bytes(digest, "little")
    return np.array([seed_of[name] for name in names], dtype=np.uint64)


def mix(first: np.ndarray, second: np.ndarray | np.uint64) -> np.ndarray:
    """Mix two seeds into one, in this order. Source: Steele, Lea and Flood (2014)."""
    with np.errstate(over="ignore"):  # the overflow computes modulo 2^64
        bits = np.asarray(first, dtype=np.uint64) + _ODD * np.asarray(second, dtype=np.uint64)
        for shift, factor in _STEPS:
            bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    return bits


def set_seeds(members: np.ndarray, people: np.ndarray) -> np.ndarray:
    """Add up the seeds of each set of people: (m, n) of True and False, (n,) -> (m,)."""
    halves = (people & np.uint64(0xFFFFFFFF), people >> np.uint64(32))
    matrix = np.asarray(members, dtype=float)
    low, high = (matrix @ half.astype(float) for half in halves)  # exact: below 2^53
    return low.astype(np.uint64) + (high.astype(np.uint64) << np.uint64(32))


def uniforms(seed: np.ndarray, purpose: int) -> np.ndarray:
    """Return a number in (0, 1) for each seed and purpose."""
    bits = mix(seed, np.uint64(purpose))
    return ((bits >> np.uint64(11)).astype(float) + 0.5) / 2.0**53


def normals(seed: np.ndarray, purpose: int = 0) -> np.ndarray:
    """Return a standard Gaussian for each seed."""
    return ndtri(uniforms(seed, purpose))
