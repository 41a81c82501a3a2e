"""A density from a noisy histogram: post-processing, which costs nothing.

Noise makes counts negative and fills empty bins. Negative counts become 0 and the rest is scaled to
one, which gives a density to sample from. `dplab.theorems.histogram_risk` computes its error.
Source: Wasserman and Zhou (2010).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.piecewise_constant import PiecewiseConstant


def histogram_density(counts: ArrayLike, edges: ArrayLike) -> PiecewiseConstant:
    """Return the density that is proportional to the positive counts, constant on each bin.

    `counts` has shape (m,), `edges` are increasing, shape (m + 1,). If no count is positive, it is
    the uniform density. Raises ValueError for other shapes and for edges that do not increase.

    >>> histogram_density([3, -1, 1], [0, 1, 2, 4]).probabilities.round(6).tolist()
    [0.75, 0.0, 0.25]
    """
    counts, edges = arguments.reals("counts", counts), arguments.reals("edges", edges)
    if counts.ndim != 1 or edges.shape != (len(counts) + 1,):
        raise ValueError(f"edges must be one more than counts, not {edges.shape}, {counts.shape}")
    widths = np.diff(edges)
    if (widths <= 0).any():
        raise ValueError(f"edges must increase, not {edges}")
    masses = np.maximum(counts, 0.0) if (counts > 0).any() else widths
    with np.errstate(divide="ignore"):
        return PiecewiseConstant(edges, np.log(masses) - np.log(widths))
