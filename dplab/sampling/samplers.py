"""Exact samplers: Bernoulli(e^{-x}), discrete Laplace and discrete Gaussian on the integers.

Scales are rational and taken exactly: an int, a Fraction, a float (for the binary fraction that
it is), or a pair (numerator, denominator) of ints. Draws cost a few nanoseconds each; the table
of a new scale is made in some milliseconds and kept.

Sources: Canonne, Kamath and Steinke (2020) for the laws and the use of rational arithmetic;
inversion in place of their rejection, see `dplab.sampling.inversion`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from dplab.sampling import bits
from dplab.sampling.fixed_point import Bounds, exp_minus, exp_ratio, multiply
from dplab.sampling.inversion import GUARD, Inversion, Weights, identity, zigzag
from dplab.sampling.rational import rational

NARROW = 31  # blocks of at most 2^31 integers: the sum of block and offset fits 64 bits
DIGIT = 10  # bits of an offset drawn at once
CHUNK = 1 << 15  # draws made at once
LIGHT = 1 << GUARD - 8  # a table ends where weights fall to this: 2^-8 of a unit of the thresholds


def bernoulli_exp(x: Any, rng: bits.Source, size: int | tuple[int, ...] | None = None) -> Any:
    """Draw 1 with probability exactly e^{-x}, else 0, for a rational x >= 0.

    Returns an int, or an int array of shape `size`. Raises ValueError for a negative x.

    >>> bernoulli_exp((1, 1000), np.random.default_rng(1), size=5).tolist()
    [1, 1, 1, 1, 1]
    """
    coin = _coin(rational("x", x, least=0))
    return _shaped(lambda n: coin.sample(rng, n).astype(np.int64), size)


def discrete_laplace(scale: Any, rng: bits.Source, size: int | tuple[int, ...] | None = None):
    """Draw k with probability (1 - p) / (1 + p) p^|k|, p = e^{-1 / scale}, k any integer.

    Returns an int, or an int64 array of shape `size`; for scales from 2^35 on, which 64 bits
    might not hold, an array of Python's ints. Raises ValueError unless the scale is above 0.
    """
    sampler = _laplace_sampler(rational("scale", scale, above=0))
    return _shaped(lambda n: sampler.sample(rng, n), size)


def discrete_gaussian(sigma: Any, rng: bits.Source, size: int | tuple[int, ...] | None = None):
    """Draw k with probability proportional to exp(-k^2 / (2 sigma^2)), k any integer.

    sigma is the parameter; the standard deviation is at most that. Returns an int, or an int64
    array of shape `size`; for sigma from 2^41 on an array of Python's ints. Raises ValueError
    unless sigma is above 0.
    """
    sampler = _gaussian_sampler(rational("sigma", sigma, above=0))
    return _shaped(lambda n: sampler.sample(rng, n), size)


@dataclass(frozen=True, eq=False)
class LaplaceSampler:
    """k = g or k = -1 - g, where g = 2^width q + r: sign and block q from one law, r from others.

    P(k >= 0) = 1 / (1 + p) and g has law (1 - p) p^g either way. For such a geometric g the
    digits of r, in any base, and q are independent, each with weights p^{digit * place}.
    In two's complement -1 - g flips all bits of g: the block to -1 - q and the bits of r.
    """

    block: Inversion
    digits: tuple[Inversion, ...]
    width: int

    @classmethod
    def of(cls, scale: Fraction) -> LaplaceSampler:
        width = max(0, (int(scale) // 16).bit_length())
        places = [*range(0, width, DIGIT), width]
        digits = tuple(
            Inversion(_powers((1 << low) / scale, 1 << (high - low)), identity)
            for low, high in pairwise(places)
        )
        return cls(Inversion(_signed_powers(1 / scale, 1 << width), zigzag), digits, width)

    def sample(self, source: bits.Source, size: int) -> np.ndarray:
        block = self.block.sample(source, size)
        offset = np.zeros(size, dtype=object if self.width > NARROW else np.int64)
        for i, digit in enumerate(self.digits):
            drawn = digit.sample(source, size).astype(offset.dtype)
            offset += drawn << DIGIT * i
        return _join(block, offset, self.width)


@dataclass(frozen=True, eq=False)
class GaussianSampler:
    """k = g or k = -1 - g, g = 2^width q + r, by rejection; without blocks (width 0) directly.

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
        width = max(0, (int(sigma) // 1024).bit_length())
        return cls(sigma, Inversion(_signed_gaussian(sigma, 1 << width), zigzag), width)

    def sample(self, source: bits.Source, size: int) -> np.ndarray:
        if not self.width:
            return self.block.sample(source, size).astype(np.int64)
        block = self.block.sample(source, size)
        offset = _uniform(source, size, self.width)
        rejected = self._rejected(block, offset, source)
        draws = _join(block, offset, self.width)
        if rejected:
            draws[rejected] = self.sample(source, len(rejected))
        return draws

    def _rejected(self, block: np.ndarray, offset: np.ndarray, source: bits.Source) -> list[int]:
        """The proposals not accepted. With m = 2^width, b <= m q + 1 and r < m give

        (b + r)^2 - b^2 = r (2 b + r) <= r m (2 q + 3), and 2^16 r / m < part, a whole number.
        """
        unit = -(-(1 << 32 + 2 * self.width) // (2 * self.sigma**2))  # 2^32 m^2 / (2 sigma^2)
        part = _scaled(offset, 16 - self.width).astype(np.int64) + 1
        block_number = (block ^ block >> 31).astype(np.int64)
        bound = ((2 * block_number + 3) * int(unit) * part >> 16) + 1  # above 2^32 x
        begin = bits.cells(source, len(block)).astype(np.int64)
        doubtful = np.flatnonzero((begin + 1 << 16) > (1 << 32) - bound)
        further = bits.words(source, len(doubtful)) >> np.uint64(16)
        return [
            i
            for i, more in zip(doubtful.tolist(), further.tolist(), strict=True)
            if not self._accept(int(block[i]), int(offset[i]), int(begin[i]) << 48 | more, source)
        ]

    def _accept(self, block: int, offset: int, number: int, source: bits.Source) -> bool:
        """Whether U < e^{-x}, for U with the 64 bits `number`: more bits until it is sure."""
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


@lru_cache(maxsize=64)
def _coin(x: Fraction) -> Inversion:
    def weights(precision: int) -> Weights:
        low, high = exp_minus(x, precision)
        one = 1 << precision
        return Weights.of([(one - high, one - low), (low, high)])

    return Inversion(weights, identity)


_laplace_sampler = lru_cache(maxsize=64)(LaplaceSampler.of)
_gaussian_sampler = lru_cache(maxsize=64)(GaussianSampler.of)


def _powers(x: Fraction, count: int) -> Callable[[int], Weights]:
    """The weights e^{-x j} for j = 0..count-1."""

    def weights(precision: int) -> Weights:
        ratio, weight = exp_minus(x, precision), (1 << precision, 1 << precision)
        bounds = [weight]
        for _ in range(count - 1):
            weight = multiply(weight, ratio, precision)
            bounds.append(weight)
        return Weights.of(bounds)

    return weights


def _signed_powers(x: Fraction, block: int) -> Callable[[int], Weights]:
    """At 2 q the weight of block q, e^{-x block q}; at 2 q + 1 e^{-x} times that, its complement's.

    All left out weigh at most twice as much as the next block and its followers.
    """

    def weights(precision: int) -> Weights:
        ratio, odd = exp_minus(x * block, precision), exp_minus(x, precision)
        weight, bounds = (1 << precision, 1 << precision), []
        while weight[1] > LIGHT:
            bounds += [weight, multiply(weight, odd, precision)]
            weight = multiply(weight, ratio, precision)
        return Weights.of(bounds, 2 * _geometric_tail(weight, ratio, precision))

    return weights


def _signed_gaussian(sigma: Fraction, block: int) -> Callable[[int], Weights]:
    """At 2 q the weight of block q, g(block q) for g(b) = e^{-b^2 / (2 sigma^2)}; at 2 q + 1 that
    of its complement, g(block q + 1), which is no larger."""
    x = 1 / (2 * sigma**2)

    def weights(precision: int) -> Weights:
        even, tail = _gaussian_side(x, 0, block, precision)
        odd, _ = _gaussian_side(x, 1, block, precision, count=len(even))
        return Weights.of([side for pair in zip(even, odd, strict=True) for side in pair], 2 * tail)

    return weights


def _gaussian_side(
    x: Fraction, start: int, step: int, precision: int, count: int | None = None
) -> tuple[list[Bounds], int]:
    """Bounds of e^{-x b^2}, b = start, start + step, ..., and of the sum of all left out.

    From b to b + step the weight changes by the ratio e^{-x step (2 b + step)}, and that by
    e^{-2 x step^2}: ratios fall, so what is left out weighs less than a geometric series.
    """
    weight = exp_minus(x * start**2, precision)
    ratio = exp_minus(x * step * (2 * start + step), precision)
    change = exp_minus(2 * x * step**2, precision)
    bounds = []
    while len(bounds) != count and (count or weight[1] > LIGHT):
        bounds.append(weight)
        weight, ratio = multiply(weight, ratio, precision), multiply(ratio, change, precision)
    return bounds, _geometric_tail(weight, ratio, precision)


def _geometric_tail(first: Bounds, ratio: Bounds, precision: int) -> int:
    """An upper bound of first / (1 - ratio)."""
    return -(-(first[1] << precision) // ((1 << precision) - ratio[1]))


def _inner(block: int, width: int) -> int:
    """The least |k| of a signed block: 2^width q for block q, one more for its complement."""
    return block << width if block >= 0 else (-1 - block << width) + 1


def _join(block: np.ndarray, offset: np.ndarray, width: int) -> np.ndarray:
    """k = 2^width q + r for blocks q >= 0; for complements -1 - q, all bits flipped."""
    if not width:
        return block.astype(np.int64)
    block = block.astype(offset.dtype)
    flips = (block < 0).astype(offset.dtype) * ((1 << width) - 1)
    return (block << width) + (offset ^ flips)


def _uniform(source: bits.Source, size: int, width: int) -> np.ndarray:
    """Uniform integers below 2^width."""
    if width > NARROW:
        return np.array([bits.integer(source, width) for _ in range(size)], dtype=object)
    return (bits.words(source, size) >> np.uint64(64 - width)).astype(np.int64)


def _scaled(values: np.ndarray, shift: int) -> np.ndarray:
    """floor(2^shift values)."""
    return values << shift if shift >= 0 else values >> -shift


def _shaped(draw: Callable[[int], np.ndarray], size: Any) -> Any:
    """Draw `size` numbers, in pieces that fit the processor's cache."""
    if size is None:
        return int(draw(1)[0])
    count = int(np.prod(size))
    pieces = [draw(min(CHUNK, count - start)) for start in range(0, count, CHUNK)] or [draw(0)]
    return (np.concatenate(pieces) if len(pieces) > 1 else pieces[0]).reshape(size)
