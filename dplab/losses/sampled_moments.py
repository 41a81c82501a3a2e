"""Quadrature for the Renyi divergences of samples: E_q of functions of the whole loss Z.

The loss of a sampled record is log(1 - rate + rate e^Z), and its moments have no closed form. Each
distribution has nodes z and log masses under q that integrate, up to rounding, functions that grow
like e^{alpha z}.
"""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from dplab.losses.gaussian import GaussianLoss
from dplab.losses.laplace import LaplaceLoss
from dplab.losses.loss import PrivacyLoss, remainder
from dplab.quadrature import gauss_legendre

MAX_NODES = 2**21  # nodes of one integral
PANEL_NODES = 20  # nodes of Gauss and Legendre's rule in one panel
REACH_SIGMAS = 13  # a normal density further out is below e^-84 of its peak, and left out
REACH_NATS = 60  # parts of an integrand so far below its peak are left out
WIDE_NATS = 1000  # beyond this width, e^-width is negligible beside any rate


@singledispatch
def rule(loss: PrivacyLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a quadrature rule: values z of the loss, and log masses under q.

    It integrates, up to rounding, functions of z that grow like e^{alpha z} at most and are as
    smooth as the one above. Raises ValueError for a loss without such a rule, or for more than 2^21
    values.
    """
    raise ValueError(f"no Renyi divergences are known of a sample for {loss!r}")


@rule.register
def _(loss: GaussianLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    # The trapezoidal rule on the whole line: its error falls like e^{-2 pi d / h}, d the distance
    # pi / mu of the nearest singularity of log(1 - rate + rate e^z), z = mu (x - mu / 2).
    step, top = min(0.5, 0.5 / loss.mu), alpha * loss.mu
    low, high = -_count_nodes(REACH_SIGMAS / step), int((top + REACH_SIGMAS) / step)
    points = (
        np.arange(low, high)
        if high < MAX_NODES
        else _hills(-low, 0, int(loss.mu / step), int(top / step))
    )
    x = step * points
    return loss.mu * (x - loss.mu / 2), np.log(step / np.sqrt(2 * np.pi)) - x**2 / 2


def two_sided_rule(loss: GaussianLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return points y and log masses under N(0, 1), for both mixtures with N(mu, 1) and N(-mu, 1).

    It integrates the moment of order alpha of their ratio. Raises ValueError if that takes more
    than 2^21 points.
    """
    step, top = min(0.5, 0.5 / loss.mu), alpha * loss.mu
    low, high = -REACH_SIGMAS - loss.mu, top + REACH_SIGMAS
    y = step * np.arange(_count_nodes((high - low) / step)) + low
    return y, np.log(step / np.sqrt(2 * np.pi)) - y**2 / 2


def _hills(width: int, *middles: int) -> np.ndarray:
    """Return points around the middles, if all points between them would be too many.

    There alpha mu^2 > 10^6, and around x = alpha mu the term rate e^z outweighs 1 - rate at any
    rate. The integrand e^{alpha log(1 - rate + rate e^z) - x^2 / 2} is log-convex only where both
    terms count. So it has two hills of curvature 1, at 0 and alpha mu. The integrand of the reverse
    has them at 0 and mu. Points further than 13 from all hills are below e^-84 of the highest.
    """
    offsets = np.arange(-width, width)
    return np.unique(np.concatenate([middle + offsets for middle in middles]))


@rule.register
def _(loss: LaplaceLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    a = loss.shift
    steepness = max(1.0, alpha / 10)  # panels for each nat
    if a <= WIDE_NATS:
        pieces = [(-a, a, steepness)]
    else:  # log-convex, and steep at the ends: e^{-z/2} at one, e^{(alpha - 1/2) z} at the other,
        # for the reverse e^{z/2}
        flat, steep = a - 2 * REACH_NATS, a - REACH_NATS / (alpha - 0.5)
        pieces = [(-a, -flat, 1.0), (flat, steep, 1.0), (steep, a, steepness)]
    z, weights = _panels(pieces)
    log_density = np.log(weights / 4) - (z + a) / 2
    return np.append(z, [-a, a]), np.append(log_density, [-np.log(2), -a - np.log(2)])


@singledispatch
def rule_above_0(loss: PrivacyLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a rule for z above 0 only, for functions that are 0 at z = 0; see `rule`.

    Raises ValueError for a loss without such a rule.
    """
    raise ValueError(f"no Renyi divergences are known of a sample for {loss!r}")


@rule_above_0.register
def _(loss: GaussianLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    middle, top, fine = loss.mu / 2, alpha * loss.mu, max(1.0, loss.mu)
    pieces = [(middle, top + REACH_SIGMAS, fine)]
    if (top + REACH_SIGMAS) * fine > MAX_NODES / PANEL_NODES:
        # The integrand rises towards x = alpha mu where rate e^z outweighs 1. Below, it is first
        # like e^{2 z}, with a hill at 2 mu. That hill counts only for a tiny mu: otherwise
        # e^{alpha mu^2 / 2} is so large that the other one outweighs it at any rate.
        pieces = [(top - REACH_SIGMAS, top + REACH_SIGMAS, fine)]
        if loss.mu < 1:
            pieces.append((middle, 2 + REACH_SIGMAS, fine))
    x, weights = _panels(pieces)
    return loss.mu * (x - middle), np.log(weights / np.sqrt(2 * np.pi)) - x**2 / 2


@rule_above_0.register
def _(loss: LaplaceLoss, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    a, steepness = loss.shift, max(1.0, alpha / 10)
    pieces = [(0.0, a, steepness)]
    if a > WIDE_NATS:  # it rises all the way
        steep = a - REACH_NATS / (alpha - 0.5)
        pieces = [(a - 2 * REACH_NATS, steep, 1.0), (steep, a, steepness)]
    z, weights = _panels(pieces)
    log_density = np.log(weights / 4) - (z + a) / 2
    return np.append(z, a), np.append(log_density, -a - np.log(2))


def _panels(pieces: list[tuple[float, float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of Gauss and Legendre's rule on equal panels of intervals.

    Each interval is (start, end, panels for each unit of length).
    """
    nodes, weights = gauss_legendre(PANEL_NODES)
    parts = []
    for low, high, fine in pieces:
        number = _count_nodes((high - low) * fine) + 1
        width = (high - low) / number
        z = (low + width * (np.arange(number)[:, None] + nodes)).ravel()
        parts.append((z, np.tile(width * weights, number)))
    return tuple(map(np.concatenate, zip(*parts, strict=True)))


def _count_nodes(count: float) -> int:
    if count > MAX_NODES:
        raise ValueError(f"alpha must be smaller: its integral has more than {MAX_NODES} nodes")
    return int(np.ceil(count))


def divergence(log_q: np.ndarray, z: np.ndarray, alpha: float) -> float:
    """Return log E_q[e^{alpha z}] / (alpha - 1), where E_q[e^z] = 1; also for tiny values."""
    log_moment = float(np.logaddexp.reduce(log_q + alpha * z))
    if log_moment < 0.5:  # E_q[e^{alpha z} - 1 - alpha (e^z - 1)], a sum of positive terms:
        # with t = alpha - 1 and r(x) = e^x - 1 - x it is E_p[t r(-z) + r(t z)]
        q, p, t = np.exp(log_q), np.exp(log_q + z), alpha - 1
        large_terms = np.exp(log_q + alpha * z) - p * (1 + t * z)
        with np.errstate(invalid="ignore"):  # the unused form may be invalid
            mean = np.where(z < -1, q - p + p * z, p * remainder(-z))
            terms = np.where(t * z > 1, large_terms, p * remainder(t * z))
        log_moment = float(np.log1p((t * mean + terms).sum()))
    return max(0.0, log_moment) / (alpha - 1)


def symmetric_divergence(log_q: np.ndarray, t: np.ndarray, alpha: float) -> float:
    """Return `divergence` for a loss with these masses at t > 0 under q and their reverse below 0.

    E[e^{alpha Z}] - 1 = E_q[(e^{alpha t} - 1) - (e^t - 1) + (e^{(1 - alpha) t} - 1); t > 0], and
    the term in brackets is e^{alpha t} (1 - e^{-alpha t}) (1 - e^{-(alpha - 1) t}).
    """
    with np.errstate(divide="ignore"):
        factors = np.log(-np.expm1(-alpha * t)) + np.log(-np.expm1(-(alpha - 1) * t))
    return float(np.logaddexp(0.0, np.logaddexp.reduce(log_q + alpha * t + factors))) / (alpha - 1)
