"""Seed the student's own randomness from the submission: the same file gets the same points."""

from __future__ import annotations

import os
import random
import secrets
from typing import Any

import numpy as np


def seed_everything(entropy: bytes) -> None:
    """Seed `random`, numpy, generators without a seed, `secrets` and `os.urandom` from `entropy`.

    Hash randomisation is off already (PYTHONHASHSEED).
    """
    source = random.Random(entropy)
    unseeded = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        unseeded(self, source.getrandbits(256) if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    os.urandom = source.randbytes
    vars(random)["_urandom"] = source.randbytes
    vars(np.random.bit_generator)["randbits"] = vars(secrets)["randbits"] = source.getrandbits
    random.seed = random._inst.seed  # the old name is bound to the unseeded method
    random.seed()
    np.random.seed(source.getrandbits(32))  # noqa: NPY002 (students may use it)
