"""The discrete Gaussian distribution, drawn exactly for every rational sigma.

The distribution is that of Canonne, Kamath and Steinke (2020), who draw it by rejection from the
discrete Laplace distribution. Here it is drawn by inversion, which for large sigma a rare rejection
follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dplab.sampling import bits
from dplab.sampling.blocks import MAX_WIDTH, MIN_WEIGHT, geometric_tail, join, remembered, shaped
from dplab.sampling.fixed_point import Bounds, exp_minus, exp_ratio, multiply
from dplab.sampling.inversion import Inversion, Weights, zigzag
from dplab.sampling.rational import rational


def discrete_gaussian(
    sigma: Any, rng: bits.Source, size: int | tuple[int, ...] | None = None
) -> Any:
    """Draw k with probability proportional to exp(-k^2 / (2 sigma^2)), k any integer.

    The standard deviation is at most the parameter sigma. Returns an int, or an int64 array of
    shape `size`; for sigma from 2^41 on an array of Python's ints. Raises ValueError
    unless sigma is above 0.
    """
    sampler = _sampler(rational("sigma", sigma, above=0))
    return shaped(lambda n: sampler.sample(rng, n), size)


@dataclass(frozen=True, eq=False)
class GaussianSampler:
    """A sampler of k = g or k = -1 - g, g = 2^width q + r, by rejection; direct for width 0.

    Propose a signed block with the weight of its innermost integer b, |k| = b + r, and r
    uniformly; accept with probability e^{-x}, x = ((b + r)^2 - b^2) / (2 sigma^2). sigma is at
    least 512 blocks, so x is about 1/1000: U < 1 - x accepts without e^{-x} (as 1 - x <= e^{-x}),
    and only U above a lower bound of 1 - x is compared with bounds of e^{-x}.
    """

    sigma: Fraction
    block: Inversion
    width: int

    @classmethod
    def of(cls, sigma: Fraction) -> GaussianSampler:
        width = (int(sigma) // 1024).bit_length()
        return cls(sigma, Inversion(_signed_gaussian(sigma, 1 << width), zigzag), width)

    def sample(self, source: bits.Source, size: int) -> np.ndarray:
        if not self.width:
            return self.block.sample(source, size).astype(np.int64)
        block = self.block.sample(source, size)
        offset = _uniform(source, size, self.width)
        rejected = self._reject(block, offset, source)
        draws = join(block, offset, self.width)
        if rejected:
            draws[rejected] = self.sample(source, len(rejected))
        return draws

    def _reject(self, block: np.ndarray, offset: np.ndarray, source: bits.Source) -> list[int]:
        """Return the indices of the rejected proposals.

        With m = 2^width, b <= m q + 1 and r < m give
        (b + r)^2 - b^2 = r (2 b + r) <= r m (2 q + 3), and 2^16 r / m < part, a whole number.
        """
        unit = -(-(1 << 32 + 2 * self.width) // (2 * self.sigma**2))  # 2^32 m^2 / (2 sigma^2)
        part: np.ndarray = (offset << 16 >> self.width).astype(np.int64) + 1
        block_number = np.maximum(block, ~block).astype(np.int64)
        bound = ((2 * block_number + 3) * int(unit) * part >> 16) + 1  # above 2^32 x
        begin: np.ndarray = bits.cells(source, len(block)).astype(np.int64)
        doubtful = np.flatnonzero((begin + 1 << 16) > (1 << 32) - bound)
        further = bits.words(source, len(doubtful)) >> np.uint64(16)
        return [
            i
            for i, more in zip(doubtful.tolist(), further.tolist(), strict=True)
            if not self._accept(int(block[i]), int(offset[i]), int(begin[i]) << 48 | more, source)
        ]

    def _accept(self, block: int, offset: int, number: int, source: bits.Source) -> bool:
        """Return whether U < e^{-x}, for U with the 64 bits `number` and more bits if needed."""
        p, q = (2 * self.sigma**2).as_integer_ratio()
        p, q = offset * (2 * _inner(block, self.width) + offset) * q, p
        precision = 64
        while True:
            low, high = exp_ratio(p, q, precision)
            if number < low:
                return True
            if number >= high:
                return False
            number, precision = number << 64 | bits.integer(source, 64), precision + 64


_sampler = remembered(GaussianSampler.of)


def _signed_gaussian(sigma: Fraction, block: int) -> Callable[[int], Weights]:
    """Return the weights of signed blocks, with g(b) = e^{-b^2 / (2 sigma^2)}.

    At 2 q is the weight of block q, g(block q). At 2 q + 1 is that of its complement,
    g(block q + 1), which is no larger.
    """
    x = 1 / (2 * sigma**2)

    def weights(precision: int) -> Weights:
        even, tail = _gaussian_side(x, 0, block, precision)
        odd, _ = _gaussian_side(x, 1, block, precision, count=len(even))
        return Weights.of([side for pair in zip(even, odd, strict=True) for side in pair], 2 * tail)

    return weights


def _gaussian_side(
    x: Fraction, start: int, step: int, precision: int, count: int | None = None
) -> tuple[list[Bounds], int]:
    """Return bounds of e^{-x b^2}, b = start, start + step, ..., and of the sum of the rest.

    From b to b + step the weight changes by the ratio e^{-x step (2 b + step)}, and that ratio by
    e^{-2 x step^2}. Ratios fall, so the rest weighs less than a geometric series.
    """
    weight = exp_minus(x * start**2, precision)
    ratio = exp_minus(x * step * (2 * start + step), precision)
    change = exp_minus(2 * x * step**2, precision)
    bounds: list[Bounds] = []
    while len(bounds) != count and (count or weight[1] > MIN_WEIGHT):
        bounds.append(weight)
        weight, ratio = multiply(weight, ratio, precision), multiply(ratio, change, precision)
    return bounds, geometric_tail(weight, ratio, precision)


def _inner(block: int, width: int) -> int:
    """Return the least |k| of a signed block: 2^width q, one more for the complement of q."""
    return block << width if block >= 0 else (-1 - block << width) + 1


def _uniform(source: bits.Source, size: int, width: int) -> np.ndarray:
    """Draw uniform integers below 2^width."""
    if width > MAX_WIDTH:
        return np.array([bits.integer(source, width) for _ in range(size)], dtype=object)
    return (bits.words(source, size) >> np.uint64(64 - width)).astype(np.int64)
