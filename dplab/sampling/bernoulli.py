"""A coin that shows 1 with probability e^{-x}, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from dplab.sampling import bits
from dplab.sampling.blocks import remembered, shaped
from dplab.sampling.fixed_point import exp_minus
from dplab.sampling.inversion import Inversion, Weights, identity
from dplab.sampling.rational import rational


def bernoulli_exp(x: Any, rng: bits.Source, size: int | tuple[int, ...] | None = None) -> Any:
    """Draw 1 with probability exactly e^{-x}, otherwise 0, for a rational x >= 0.

    Returns an int, or an int array of shape `size`. Raises ValueError for a negative x.

    >>> bernoulli_exp((1, 1000), np.random.default_rng(1), size=5).tolist()
    [1, 1, 1, 1, 1]
    """
    coin = _coin(rational("x", x, least=0))
    return shaped(lambda n: coin.sample(rng, n).astype(np.int64), size)


@remembered
def _coin(x: Fraction) -> Inversion:
    def weights(precision: int) -> Weights:
        low, high = exp_minus(x, precision)
        one = 1 << precision
        return Weights.of([(one - high, one - low), (low, high)])

    return Inversion(weights, identity)
