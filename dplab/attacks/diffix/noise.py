"""Noise that sticks: a standard Gaussian for each name, the same whenever the name comes back.

A name (a condition, a person, a question's text) is hashed with the curator's secret salt to 64
bits, its seed. Two seeds are mixed into one where a layer depends on two things. A set's seed is
the sum of its members' seeds: neither their order nor the words that found them matter. All of it
works on arrays, for thousands of questions at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from scipy.special import ndtri

_ODD = np.uint64(0x9E3779B97F4A7C15)
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def seeds(salt: str, names: Iterable[str]) -> np.ndarray:
    """The seed of each name, uint64 of shape (k,). Equal names have equal seeds."""
    key, known = salt.encode()[:64], {}
    for name in names if isinstance(names, Sequence) else (names := list(names)):
        if name not in known:
            digest = blake2b(name.encode(), key=key, digest_size=8).digest()
            known[name] = int.from_bytes(digest, "little")
    return np.array([known[name] for name in names], dtype=np.uint64)


def mixed(first: np.ndarray, second: np.ndarray | np.uint64) -> np.ndarray:
    """A seed that depends on two, in this order. Source: Steele, Lea and Flood (2014)."""
    with np.errstate(over="ignore"):  # modulo 2^64 is meant
        bits = np.asarray(first, dtype=np.uint64) + _ODD * np.asarray(second, dtype=np.uint64)
        for shift, factor in _STEPS:
            bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    return bits


def set_seeds(members: np.ndarray, people: np.ndarray) -> np.ndarray:
    """The seed of each set of people: (m, n) of True and False, seeds (n,) -> seeds (m,)."""
    halves = (people & np.uint64(0xFFFFFFFF), people >> np.uint64(32))
    matrix = np.asarray(members, dtype=float)
    low, high = (matrix @ half.astype(float) for half in halves)  # exact: below 2^53
    return low.astype(np.uint64) + (high.astype(np.uint64) << np.uint64(32))


def uniforms(seed: np.ndarray, purpose: int) -> np.ndarray:
    """A number in (0, 1) for each seed; another one for another `purpose`."""
    bits = mixed(seed, np.uint64(purpose))
    return ((bits >> np.uint64(11)).astype(float) + 0.5) / 2.0**53


def normals(seed: np.ndarray, purpose: int = 0) -> np.ndarray:
    """A standard Gaussian for each seed."""
    return ndtri(uniforms(seed, purpose))
