"""Moments of the privacy loss Z under p: its mean, variance and absolute moments.

The mean is the Kullback-Leibler divergence of p from q, the Renyi divergence of order 1.
Distributions with finitely many losses are summed; the others are integrated from their tails,

    E[Z^k; Z > 0] = integral of k t^{k - 1} P[Z > t] over t > 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dplab import arguments
from dplab.losses import AtomicLoss, BinomialLoss, GaussianLoss, LaplaceLoss, PrivacyLoss
from dplab.losses.loss import remainder
from dplab.losses.total import DiscretizedLoss
from dplab.quadrature import gauss_legendre

PANELS, NODES = 192, 12  # of Gauss and Legendre's rule; on each half, panels shrink towards the end
PANEL_RATIO = 2**-0.25  # the ratio of the two ends of a panel
NEGLIGIBLE_TAIL = 1e-18  # of t^k P[|Z| > t]: the integral ends there
FARTHEST = 1e200  # of t^k: a loss whose tail isn't negligible there has no moment


def mean(loss: PrivacyLoss) -> float:
    """Return E[Z] in nats: at least 0, and inf if p has an outcome that q has not.

    Raises ValueError for other arguments.

    >>> mean(GaussianLoss(2.0))
    2.0
    """
    arguments.instance("loss", loss, PrivacyLoss)
    if isinstance(loss, GaussianLoss):
        return loss.mu * loss.mu / 2
    if isinstance(loss, LaplaceLoss):
        return float(remainder(-loss.shift))
    if isinstance(loss, BinomialLoss):
        return loss.k * mean(loss.one)
    if isinstance(loss, DiscretizedLoss):
        return sum(k * mean(part) for part, k in loss.parts)
    if isinstance(loss, AtomicLoss):
        return loss.mean
    positive_part, negative_part = _signed_moments(loss, 1)
    return max(0.0, positive_part - negative_part)


def variance(loss: PrivacyLoss) -> float:
    """Return E[(Z - E Z)^2] in nats squared; inf if the mean is.

    Raises ValueError for other arguments.

    >>> variance(GaussianLoss(2.0))
    4.0
    """
    arguments.instance("loss", loss, PrivacyLoss)
    if isinstance(loss, GaussianLoss):
        return loss.mu * loss.mu
    if isinstance(loss, LaplaceLoss):  # of twice the lesser of an Exp(1) and the shift, or 0
        a = min(loss.shift, 700.0)  # the result is 3 for all larger shifts
        return float(4 * np.exp(-a) * remainder(a) - np.expm1(-a) ** 2)
    if isinstance(loss, BinomialLoss):
        return loss.k * variance(loss.one)
    if isinstance(loss, DiscretizedLoss):
        return sum(k * variance(part) for part, k in loss.parts)
    center = mean(loss)
    if center == np.inf:
        return np.inf
    if isinstance(loss, AtomicLoss):
        return _expect(loss, (loss.losses - center) ** 2)
    return max(0.0, absolute_moment(loss, 2) - center**2)


def absolute_moment(loss: PrivacyLoss, k: float) -> float:
    """Return E|Z|^k in nats to the k, for a real k of at least 1.

    Raises ValueError for another k.
    """
    arguments.instance("loss", loss, PrivacyLoss)
    k = arguments.number("k", arguments.number("k", k, least=1), most=1e6)
    if isinstance(loss, BinomialLoss):
        loss = loss.atoms()
    if isinstance(loss, AtomicLoss):
        return _expect(loss, np.abs(loss.losses) ** k)
    return sum(_signed_moments(loss, k))


def _expect(loss: AtomicLoss, values: np.ndarray) -> float:
    possible = loss.p > 0
    return float(loss.p[possible] @ values[possible])


def _signed_moments(loss: PrivacyLoss, k: float) -> tuple[float, float]:
    """Return E[Z^k; Z > 0] and E[(-Z)^k; Z < 0], for tails that jump only where the loss ends."""
    positive_part = _integrate(lambda t: loss.tails(t)[0], loss.largest, k)
    return positive_part, _integrate(lambda t: 1 - loss.tails(-t)[0], -loss.smallest, k)


def _integrate(tail: Callable, end: float, k: float) -> float:
    """Integrate k t^{k - 1} tail(t) from 0 to `end`, or to where the rest is negligible."""
    if end == np.inf:
        end = 1.0
        while end**k * tail(end) > NEGLIGIBLE_TAIL:
            end *= 2
            if end > FARTHEST ** (1 / k):
                raise ValueError(
                    f"loss must have moments: beyond {end:g} nats it still has the mass "
                    f"{float(tail(end)):g}. If it belongs to several mechanisms on one sample, "
                    "count one release, or give each mechanism a sample of its own"
                )
    t, weights = _unit_nodes()
    return float(end**k * (weights @ (k * t ** (k - 1) * tail(end * t))))


@lru_cache
def _unit_nodes() -> tuple[np.ndarray, np.ndarray]:
    t, weights = gauss_legendre(NODES)
    half: np.ndarray = np.append(0.0, PANEL_RATIO ** np.arange(PANELS - 1, -1, -1.0)) / 2
    corners = np.concatenate([half, 1 - half[-2::-1]])
    widths = np.diff(corners)[:, None]
    return (corners[:-1, None] + widths * t).ravel(), (widths * weights).ravel()
