"""The discrete Laplace distribution, drawn exactly for every rational scale.

The distribution is that of Ghosh, Roughgarden and Sundararajan (2009). Canonne, Kamath and Steinke
(2020) draw it with rational arithmetic by rejection; here it is drawn by inversion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dplab.sampling import bits
from dplab.sampling.blocks import MAX_WIDTH, MIN_WEIGHT, geometric_tail, join, remembered, shaped
from dplab.sampling.fixed_point import exp_minus, multiply
from dplab.sampling.inversion import Inversion, Weights, identity, zigzag
from dplab.sampling.rational import rational

DIGIT_BITS = 10  # bits of an offset that are drawn at once


def discrete_laplace(
    scale: Any, rng: bits.Source, size: int | tuple[int, ...] | None = None
) -> Any:
    """Draw k with probability (1 - p) / (1 + p) p^|k|, p = e^{-1 / scale}, k any integer.

    Returns an int, or an int64 array of shape `size`; for scales from 2^35 on, which 64 bits
    might not hold, an array of Python's ints. Raises ValueError unless the scale is above 0.
    """
    sampler = _sampler(rational("scale", scale, above=0))
    return shaped(lambda n: sampler.sample(rng, n), size)


@dataclass(frozen=True, eq=False)
class LaplaceSampler:
    """A sampler of k = g or k = -1 - g, where g = 2^width q + r.

    One distribution gives the sign and the block q, other distributions give the digits of r. The
    probability P(k >= 0) is 1 / (1 + p), and P(g) = (1 - p) p^g either way. For such a geometric g
    the digits of r, in any base, and q are independent, each with weights p^{digit * place}. In
    two's complement -1 - g flips all bits of g: the block to -1 - q and the bits of r.
    """

    block: Inversion
    digits: tuple[Inversion, ...]
    width: int

    @classmethod
    def of(cls, scale: Fraction) -> LaplaceSampler:
        width = (int(scale) // 16).bit_length()
        places = [*range(0, width, DIGIT_BITS), width]
        digits = tuple(
            Inversion(_powers((1 << low) / scale, 1 << (high - low)), identity)
            for low, high in pairwise(places)
        )
        return cls(Inversion(_signed_powers(1 / scale, 1 << width), zigzag), digits, width)

    def sample(self, source: bits.Source, size: int) -> np.ndarray:
        block = self.block.sample(source, size)
        offset: np.ndarray = np.zeros(size, dtype=object if self.width > MAX_WIDTH else np.int64)
        for i, digit in enumerate(self.digits):
            draws = digit.sample(source, size).astype(offset.dtype)
            offset += draws << DIGIT_BITS * i
        return join(block, offset, self.width)


_sampler = remembered(LaplaceSampler.of)


def _powers(x: Fraction, count: int) -> Callable[[int], Weights]:
    """Return the weights e^{-x j} for j = 0..count-1."""

    def weights(precision: int) -> Weights:
        ratio, weight = exp_minus(x, precision), (1 << precision, 1 << precision)
        bounds = [weight]
        for _ in range(count - 1):
            weight = multiply(weight, ratio, precision)
            bounds.append(weight)
        return Weights.of(bounds)

    return weights


def _signed_powers(x: Fraction, block: int) -> Callable[[int], Weights]:
    """Return the weights of signed blocks.

    At 2 q is the weight of block q, e^{-x block q}. At 2 q + 1 is that of its complement, e^{-x}
    times as much. The rest weighs at most twice as much as the next block and its followers.
    """

    def weights(precision: int) -> Weights:
        ratio, odd = exp_minus(x * block, precision), exp_minus(x, precision)
        weight, bounds = (1 << precision, 1 << precision), []
        while weight[1] > MIN_WEIGHT:
            bounds += [weight, multiply(weight, odd, precision)]
            weight = multiply(weight, ratio, precision)
        return Weights.of(bounds, 2 * geometric_tail(weight, ratio, precision))

    return weights
