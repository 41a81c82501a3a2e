"""Theorem: the largest of a_i + Gumbel noise is i's with probability e^{a_i} / sum_j e^{a_j}.

The value of the largest is independent of the index i that has it.

Proof. A standard Gumbel variable has P[G <= x] = exp(-e^{-x}) and density e^{-x} exp(-e^{-x}). So
i is the largest, with the value x, at density

    e^{-(x - a_i)} exp(-e^{-(x - a_i)}) prod_{j != i} exp(-e^{-(x - a_j)})
        = e^{a_i} e^{-x} exp(-W e^{-x}),   W = sum_j e^{a_j}.

It depends on i only by the factor e^{a_i}, which proves both statements. The rest integrates to
1 / W, as u = e^{-x} shows.

Source: Gumbel (1954); Yellott (1977), who shows that no other noise does it for all weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab import arguments

GRID_STEP = 0.02  # between values
GRID_BELOW, GRID_ABOVE = 5.0, 40.0  # ends of the grid around log W; mass outside below 1e-17


@dataclass(frozen=True, eq=False)
class GumbelTrick:
    """P[i is the largest] for each i: by integration (`winners`) and by the theorem (`softmax`).

    `densities[i]` is the density of "i is the largest, with the value x" at each of `values`,
    shapes (m, k) and (k,).
    """

    values: np.ndarray
    densities: np.ndarray
    softmax: np.ndarray

    @property
    def winners(self) -> np.ndarray:
        """The integral of each density; equal steps are exact up to rounding for a smooth curve."""
        return self.densities.sum(axis=1) * GRID_STEP

    @property
    def holds(self) -> bool:
        """True if both results agree, and all densities are multiples of one curve."""
        products = self.softmax[:, None] * self.densities.sum(axis=0)
        return bool(
            np.allclose(self.winners, self.softmax, rtol=1e-9, atol=1e-15)
            and np.allclose(self.densities, products, rtol=1e-9, atol=1e-15)
        )


def gumbel_trick(log_weights: Any) -> GumbelTrick:
    """Check the theorem for finite log weights a_i, from the definition of the noise alone.

    Raises ValueError for others, or none.

    >>> trick = gumbel_trick(np.log([1, 2, 5]))
    >>> trick.winners.round(6).tolist(), trick.holds
    ([0.125, 0.25, 0.625], True)
    """
    a = arguments.reals("log_weights", log_weights).ravel()
    largest = a.max()
    a = a - largest  # values far from 0 would round the grid's steps away
    log_total = np.logaddexp.reduce(a)
    x = log_total + np.arange(-GRID_BELOW, GRID_ABOVE, GRID_STEP)
    distance = x - a[:, None]
    log_cdfs = -np.exp(-distance)  # log P[a_j + G <= x]
    log_densities = -distance + log_cdfs
    other_cdfs = log_cdfs.sum(axis=0) - log_cdfs
    return GumbelTrick(x + largest, np.exp(log_densities + other_cdfs), np.exp(a - log_total))
