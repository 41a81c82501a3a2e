"""Comparing with a threshold that carries Laplace noise: what the integrals over it need."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dplab.quadrature import gauss_legendre

MOST_PANELS = 100_000  # of a law that is integrated
REACH = 40  # scales beyond all corners: a share of e^-40 of the integral is left out


@lru_cache(maxsize=256)
def noise_nodes(
    corners: tuple[float, ...], scale: float, other: float, factors: int
) -> tuple[np.ndarray, np.ndarray]:
    """A rule for integrals of a Laplace density of this scale times `factors` smooth factors.

    The factors are sums of exponentials of scale `other` or longer (0: steps), with kinks at the
    corners only, and panels end there. Without noise (scale 0) the rule is one node at 0. Raises
    ValueError where the noise is too small beside the distances for MOST_PANELS panels.
    """
    if scale == 0:
        return np.zeros(1), np.zeros(1)
    width = min(scale, other) if other else scale
    reach = (REACH + factors) * scale
    panels = (corners[-1] - corners[0] + 2 * reach) / width
    if panels > MOST_PANELS:
        raise ValueError(
            f"threshold_share must be larger, or answers closer to the threshold: noise of scale "
            f"{scale:g} beside {other:g} takes more than {MOST_PANELS} panels to integrate"
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
    """log P[noise < distance] for Laplace noise; scale 0 is no noise."""
    if scale == 0:
        return np.where(distance > 0, 0.0, -np.inf)
    z = distance / scale
    tail = -np.abs(z) - np.log(2)
    return np.where(z < 0, tail, np.log1p(-np.exp(tail)))
