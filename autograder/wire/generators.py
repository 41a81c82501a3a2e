"""Describe generators and rebuild them, and make seeds from any bytes."""

from __future__ import annotations

import hashlib
import hmac
from functools import cached_property
from typing import Any

import numpy as np

from autograder.wire.errors import Malformed

_BIT_GENERATORS = ("PCG64", "PCG64DXSM", "Philox", "MT19937")


def describe_generator(generator: np.random.Generator, secret: bytes) -> dict:
    """Return the state of a seeded copy, and change the state of the generator itself.

    Only the sender can foresee the new state: it is computed from the old one and a `secret`, not
    by further draws. Raises `TypeError` for a bit generator that is none of numpy's common
    ones.
    """
    source = generator.bit_generator
    name = type(source).__name__
    if name not in _BIT_GENERATORS:
        allowed_names = ", ".join(_BIT_GENERATORS)
        raise TypeError(f"a generator over {name} can't be passed: use {allowed_names}")
    state = dict(source.state)
    new_seed = hmac.digest(secret, repr(state).encode(), "sha256")
    source.state = type(source)(Seeds(new_seed)).state
    return state


class Seeds(np.random.bit_generator.ISpawnableSeedSequence):
    """A seed sequence from any bytes, five times as fast as numpy's own."""

    def __init__(self, material: bytes) -> None:
        self._material = material

    def generate_state(self, n_words: int, dtype: type = np.uint32) -> np.ndarray:
        digest = hashlib.shake_256(self._material).digest(n_words * np.dtype(dtype).itemsize)
        return np.frombuffer(digest, dtype).copy()

    @cached_property
    def _parent(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(
            int.from_bytes(hashlib.sha256(self._material).digest(), "big")
        )

    def spawn(self, n_children: int) -> Any:
        return self._parent.spawn(n_children)


def restore_generator(state: dict) -> np.random.Generator:
    """Return the copy whose state was described. Raises `Malformed` for a malformed state."""
    name = state["bit_generator"]
    if name not in _BIT_GENERATORS:
        raise Malformed(f"no bit generator {name!r}")
    # numpy doesn't check these numbers, and would read beyond its buffers.
    if not (0 <= state["state"].get("pos", 0) <= 624 and 0 <= state.get("buffer_pos", 0) <= 4):
        raise Malformed("a bit generator that reads beyond its buffer")
    bit_generator = getattr(np.random, name)(Seeds(repr(state).encode()))
    bit_generator.state = state
    return np.random.Generator(bit_generator)
