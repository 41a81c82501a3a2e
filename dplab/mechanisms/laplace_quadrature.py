"""Integrals over the Laplace noise of a threshold: quadrature nodes and distribution function."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dplab.quadrature import gauss_legendre

MAX_PANELS = 100_000  # panels of one integral
REACH_SCALES = 40  # distance beyond all corners; the rest is a share of e^-40 of the integral


@lru_cache(maxsize=256)
def noise_nodes(
    corners: tuple[float, ...], scale: float, other: float, factors: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return a rule to integrate a Laplace density of this scale times `factors` smooth factors.

    The factors are sums of exponentials of scale `other` or longer (0: steps). They have kinks only
    at the corners, where panels end. Without noise (scale 0) the rule is one node at 0. Raises
    ValueError if the corners are so far apart, in scales, that more than MAX_PANELS are needed.
    """
    if scale == 0:
        return np.zeros(1), np.zeros(1)
    width = min(scale, other) if other else scale
    reach = (REACH_SCALES + factors) * scale
    panels = (corners[-1] - corners[0] + 2 * reach) / width
    if panels > MAX_PANELS:
        raise ValueError(
            f"threshold_share must be larger, or answers closer to the threshold: noise of scale "
            f"{scale:g} beside {other:g} takes more than {MAX_PANELS} panels to integrate"
        )
    steps = np.arange(corners[0] - reach, corners[-1] + reach, width)
    ends = np.union1d(steps, corners)
    nodes, weights = gauss_legendre(16 + factors // 2)
    lengths = np.diff(ends)
    r = (ends[:-1, None] + lengths[:, None] * nodes).ravel()
    mass = (lengths[:, None] * weights).ravel()
    with np.errstate(divide="ignore"):
        return r, np.log(mass) - np.abs(r) / scale - np.log(2 * scale)


def log_cdf(distance: np.ndarray, scale: float) -> np.ndarray:
    """Return log P[noise < distance] for Laplace noise; scale 0 is no noise."""
    if scale == 0:
        return np.where(distance > 0, 0.0, -np.inf)
    z = distance / scale
    tail = -np.abs(z) - np.log(2)
    return np.where(z < 0, tail, np.log1p(-np.exp(tail)))
