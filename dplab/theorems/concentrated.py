"""Theorem: concentrated privacy is a line through the origin above the Renyi curve of the loss.

A pair is rho-zCDP in one direction if D_alpha <= rho alpha for every finite order alpha > 1. The
least such rho is the slope of the steepest line from the origin to the curve. At order 1 the curve
is the mean of the loss, at order infinity its largest value. The definition leaves out order
infinity: there rho alpha = infinity bounds nothing, and any finite bound would be pure privacy.

For two normal distributions mu sigmas apart the curve *is* the line, with
rho = mu^2 / 2 = E Z = Var Z / 2.
Proof. Z ~ N(rho, 2 rho), so log E e^{lambda Z} = lambda rho + lambda^2 rho. Put
lambda = alpha - 1.

Source: Bun and Steinke (2016), Definition 1.1, Lemma 2.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, moments
from dplab.losses import GaussianLoss, PrivacyLoss

EXCESS = np.logspace(-3, 4, 141)  # orders minus 1, for the search of the steepest
_STEP, _LAST = 10**0.05, 1e15  # further orders, as long as a steeper one is possible


@dataclass(frozen=True, eq=False)
class RenyiLine:
    """The curve `divergences` at the orders `alphas`, and the least line above the whole curve."""

    alphas: np.ndarray
    divergences: np.ndarray
    rho: float
    mean: float
    largest: float

    @property
    def line(self) -> np.ndarray:
        """rho alpha at each order."""
        return self.rho * self.alphas

    @property
    def holds(self) -> bool:
        """True if the curve rises from the mean to the largest loss, below the line."""
        slack = 1e-9 * (1 + abs(self.mean))
        curve = np.concatenate([[self.mean], self.divergences, [self.largest]])
        with np.errstate(invalid="ignore"):  # inf - inf, where the pair has an infinite loss
            falls = np.diff(curve) < -slack
        return not falls.any() and bool((self.divergences <= self.line + slack).all())


def renyi_line(loss: PrivacyLoss, alphas: ArrayLike) -> RenyiLine:
    """Return the Renyi curve of `loss` at increasing orders above 1, in nats, and its line.

    Raises ValueError for orders that are not above 1.
    """
    arguments.instance("loss", loss, PrivacyLoss)
    alphas = arguments.reals("alphas", alphas, ndim=1)
    divergences = np.array([loss.renyi(alpha) for alpha in alphas])
    return RenyiLine(alphas, divergences, least_rho(loss), moments.mean(loss), loss.largest)


def least_rho(loss: PrivacyLoss) -> float:
    """Return sup over alpha > 1 of D_alpha / alpha, in nats; inf if q lacks an outcome of p.

    It has about six digits, and includes the limit at order 1. For a guarantee take the larger of
    the two directions, p against q and q against p.

    Raises ValueError for other arguments.

    >>> from dplab.losses import LaplaceLoss
    >>> least_rho(GaussianLoss(0.5)), round(least_rho(LaplaceLoss(1.0)), 4)
    (0.125, 0.3679)
    """
    arguments.instance("loss", loss, PrivacyLoss)
    if isinstance(loss, GaussianLoss):
        return loss.mu * loss.mu / 2
    start = moments.mean(loss)
    if start == np.inf or loss.infinite > 0:
        return np.inf
    excess = EXCESS.tolist()
    slopes = [loss.renyi(1 + value) / (1 + value) for value in excess]
    # D_alpha <= largest, so no order above largest / rho is steeper than rho.
    while excess[-1] < _LAST and max(slopes) < loss.largest / excess[-1] < np.inf:
        excess.append(excess[-1] * _STEP)
        slopes.append(loss.renyi(1 + excess[-1]) / (1 + excess[-1]))
    best = int(np.argmax(slopes))
    if slopes[best] <= start:
        return start
    return max(slopes[best], _find_steepest(loss, np.array(excess[max(0, best - 1) : best + 2])))


def _find_steepest(loss: PrivacyLoss, excess: np.ndarray) -> float:
    from scipy.optimize import minimize_scalar

    def flatness(log_excess: float) -> float:
        alpha = 1 + np.exp(log_excess)
        return -loss.renyi(alpha) / alpha

    ends = np.log(excess[[0, -1]])
    return -float(minimize_scalar(flatness, bounds=tuple(ends), method="bounded").fun)
