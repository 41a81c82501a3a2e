"""Moments of the privacy loss Z under p: how large it is on average, and how far it strays.

The mean is the Kullback-Leibler divergence of p from q, the Renyi divergence of order 1. Laws with
finitely many losses are summed; the others are integrated from their tails,

    E|Z|^k = integral of k t^{k - 1} P[|Z| > t] over t > 0.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dplab import arguments
from dplab.losses import AtomicLoss, GaussianLoss, PrivacyLoss

PANELS, NODES = 64, 12  # Gauss-Legendre: exact to rounding where the tails are smooth
NEGLIGIBLE = 1e-18  # of t^k P[|Z| > t], beyond which nothing is integrated


def mean(loss: PrivacyLoss) -> float:
    """E[Z] in nats: at least 0, and inf if p has an outcome that q has not.

    >>> mean(GaussianLoss(2.0))
    2.0
    """
    if isinstance(loss, GaussianLoss):
        return loss.mu**2 / 2
    if isinstance(loss, AtomicLoss):
        return _sum(loss, loss.losses)
    t, weights = _nodes(_reach(loss, 1))
    return float(weights @ (loss.tails(t)[0] - (1 - loss.tails(-t)[0])))


def variance(loss: PrivacyLoss) -> float:
    """E[(Z - E Z)^2] in nats squared; inf if the mean is.

    >>> variance(GaussianLoss(2.0))
    4.0
    """
    if isinstance(loss, GaussianLoss):
        return loss.mu**2
    center = mean(loss)
    if center == np.inf:
        return np.inf
    if isinstance(loss, AtomicLoss):
        return _sum(loss, (loss.losses - center) ** 2)
    return max(0.0, absolute_moment(loss, 2) - center**2)


def absolute_moment(loss: PrivacyLoss, k: float) -> float:
    """E|Z|^k in nats to the k, for a real k of at least 1.

    Raises ValueError for another k.
    """
    k = arguments.number("k", k, least=1)
    if isinstance(loss, AtomicLoss):
        return _sum(loss, np.abs(loss.losses) ** k)
    t, weights = _nodes(_reach(loss, k))
    return float(weights @ (k * t ** (k - 1) * _beyond(loss, t)))


def _sum(loss: AtomicLoss, values: np.ndarray) -> float:
    possible = loss.p > 0
    return float(loss.p[possible] @ values[possible])


def _beyond(loss: PrivacyLoss, t: np.ndarray) -> np.ndarray:
    """P[|Z| > t], up to the countably many t at which Z has an atom."""
    return loss.tails(t)[0] + 1 - loss.tails(-t)[0]


def _reach(loss: PrivacyLoss, k: float) -> float:
    """Where |Z| ends, or is so unlikely to be that the rest of the integral is rounding error."""
    if loss.largest_log_ratio < np.inf:
        return loss.largest_log_ratio
    reach = 1.0
    while reach**k * _beyond(loss, reach) > NEGLIGIBLE:
        reach *= 2
    return reach


def _nodes(reach: float) -> tuple[np.ndarray, np.ndarray]:
    t, weights = _unit_nodes()
    return reach * t, reach * weights


@lru_cache
def _unit_nodes() -> tuple[np.ndarray, np.ndarray]:
    t, weights = np.polynomial.legendre.leggauss(NODES)
    corners = np.arange(PANELS) / PANELS
    return (
        (corners[:, None] + (t + 1) / (2 * PANELS)).ravel(),
        np.tile(weights / (2 * PANELS), PANELS),
    )
