"""The low bits of a floating-point Laplace draw reveal its center.

`Generator.laplace` makes a draw of one number U = k / 2^53, k = 1, ..., 2^53 - 1, all equally
likely, by a few float operations. The output is a function of k and of the center, and it never
decreases in k; so a bisection over k finds all k that give an output y, if there are any. Another
center mostly gives other floats, and then y alone tells which center it was.

Source: Mironov, "On significance of the least significant bits for differential privacy" (2012).
"""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np

from dplab import arguments
from dplab.continuous import Laplace
from dplab.distributions import Distribution, Finite

UNIFORMS = (1 << 53) - 1  # U is k / 2^53 for k = 1, ..., UNIFORMS: numpy redraws a zero

# The C library's logarithm, as numpy's sampler calls it; np.log has its own code for some
# processors, and its last bit may differ.
_log = np.frompyfunc(math.log, 1, 1)


def replay(k: Any, location: float, scale: float) -> np.ndarray:
    """Return the output of `Generator.laplace(location, scale)` for U = k / 2^53, bit by bit.

        location + scale log(U + U)       for U < 1/2
        location - scale log(2 - U - U)   for U >= 1/2

    `k` is an integer array of any shape with entries from 1 to `UNIFORMS`; outputs have the units
    of `scale`. 2 - U is rounded to a multiple of 2^-52. So the positive half draws logarithms of
    odd multiples of 2^-53 too, the negative half only of multiples of 2^-52. (Where a compiler
    fuses product and sum, as on some ARM processors, this holds for location 0 or scale 1 only.)

    Raises ValueError for other arguments.
    """
    k = arguments.wholes("k", k, least=1, most=UNIFORMS, ndim=None)
    location = arguments.number("location", location)
    scale = arguments.number("scale", scale, above=0)
    u = np.asarray(k) * 2.0**-53
    upper = u >= 0.5
    noise = scale * np.asarray(_log(np.where(upper, 2.0 - u - u, u + u)), dtype=float)
    return np.where(upper, location - noise, location + noise)


def uniforms_below(outputs: Any, location: float, scale: float) -> np.ndarray:
    """Count the k for which `Generator.laplace(location, scale)` is below each output: int64.

    This is exactly the distribution function times `UNIFORMS`, found by bisection over k.
    Raises ValueError unless outputs and location are finite and scale > 0.
    """
    outputs = arguments.reals("outputs", outputs)
    location = arguments.number("location", location)
    scale = arguments.number("scale", scale, above=0)
    low = np.ones(outputs.shape, dtype=np.int64)
    high = low + UNIFORMS
    while (low < high).any():
        middle = (low + high) >> 1
        is_below = replay(np.minimum(middle, UNIFORMS), location, scale) < outputs
        is_below &= middle < high
        low, high = np.where(is_below, middle + 1, low), np.where(is_below, high, middle)
    return low - 1


def multiplicity(outputs: Any, location: float, scale: float) -> np.ndarray:
    """Count the k that give each output exactly; divided by `UNIFORMS`, its probability.

    Raises ValueError unless outputs are finite numbers.

    >>> multiplicity([0.0, 0.1], location=0, scale=1).tolist()
    [1, 0]
    """
    outputs = arguments.reals("outputs", outputs)
    following = np.nextafter(outputs, np.inf)
    counts = [uniforms_below(ends, location, scale) for ends in (outputs, following)]
    return counts[1] - counts[0]


def finer_than_grid(outputs: Any, grid: float = 2.0**-53) -> np.ndarray:
    """Return for each output whether it is no multiple of `grid`, a power of two.

    Laplace noise of scale 1 around 1 is always a multiple of 2^-53. Around 0 it has finer bits
    whenever it is small, so a True proves that the center was not 1. Raises ValueError unless
    outputs are finite numbers.

    >>> finer_than_grid([0.75, 0.1]).tolist()
    [False, True]
    """
    grid = arguments.number("grid", grid, above=0)
    return arguments.reals("outputs", outputs) % grid != 0


@singledispatch
def impossible(law: Distribution, outputs: Any) -> np.ndarray:
    """Return for each output whether `law.sample` can never return it.

    For `Laplace` this depends on float operations, which `replay` repeats. Every other distribution
    knows its support.

    Raises ValueError for other arguments.
    """
    arguments.instance("law", law, Distribution)
    return np.asarray(law.log_density(outputs)) == -np.inf


@impossible.register
def _(law: Finite, outputs: Any) -> np.ndarray:
    return law.log_densities(np.asarray(outputs).tolist()) == -np.inf


@impossible.register
def _(law: Laplace, outputs: Any) -> np.ndarray:
    smaller = uniforms_below(outputs, law.location, law.scale)
    first = np.minimum(smaller + 1, UNIFORMS)  # the least k that gives the output or more
    return replay(first, law.location, law.scale) != np.asarray(outputs)


def giveaway(
    law: Distribution, other: Distribution, rng: np.random.Generator, size: int = 10_000
) -> float:
    """Return the share of `size` draws from `law` that `other` can never produce.

    Each such draw proves its distribution: no epsilon holds, and delta is at least that
    probability. The standard error is at most 1 / (2 sqrt(size)). Raises ValueError unless `size`
    is a whole number of at least 1.

    >>> rng = np.random.default_rng(1)
    >>> round(giveaway(Laplace(0, 1), Laplace(1, 1), rng), 1)
    0.8
    """
    arguments.instance("law", law, Distribution)
    arguments.instance("other", other, Distribution)
    arguments.generator("rng", rng)
    size = arguments.size("size", size)
    draws = law.sample(rng, size)
    return float(impossible(other, draws).mean())
