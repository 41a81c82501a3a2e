"""The loss between two normal distributions of one sigma."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.losses.loss import PrivacyLoss, checked_rates
from dplab.quadrature import gauss_legendre


@dataclass(frozen=True)
class GaussianLoss(PrivacyLoss):
    """The loss between two normal distributions `mu` sigmas apart: Z ~ N(mu^2 / 2, mu^2) under p.

    Raises ValueError unless mu is above 0.
    """

    mu: float
    smallest = -np.inf
    largest = np.inf

    def __post_init__(self):
        arguments.settle(self, arguments.number, "mu", above=0)

    @property
    def rho(self) -> float:
        return self.mu * self.mu / 2

    def reverse(self) -> GaussianLoss:
        return self

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        from scipy.special import ndtr

        half, t = self.mu / 2, self._in_sigmas(threshold)
        return ndtr(half - t), ndtr(-half - t)

    def _in_sigmas(self, losses: ArrayLike) -> np.ndarray:
        with np.errstate(over="ignore"):  # an overflow means a loss without mass beyond it
            return np.asarray(losses, dtype=float) / self.mu

    def delta(self, epsilon: float) -> float:
        epsilon = arguments.number("epsilon", epsilon)
        if epsilon < 0:  # an event gains at -epsilon as much as its complement loses at epsilon
            return float(-np.expm1(epsilon) + np.exp(epsilon + self.log_delta(-epsilon)))
        return float(np.exp(self.log_delta(epsilon)))

    def log_delta(self, epsilon: float) -> float:
        """Return log delta(epsilon), epsilon >= 0, right to 1e-12 however small mu or delta are.

        With x = epsilon / mu - mu / 2, phi the normal density and m(x) = Phi(-x) / phi(x),
        delta = phi(x) (m(x) - m(x + mu)) = phi(x) int_x^{x + mu} (1 - s m(s)) ds.
        """
        from scipy.special import erfcx, ndtr

        x = epsilon / self.mu - self.mu / 2
        if x > 1e100:  # delta is below all floats
            return -np.inf
        if x < -1:  # nothing cancels, and m(x) would overflow
            lost = np.exp(-x * x / 2) / 2 * erfcx((x + self.mu) / np.sqrt(2))  # phi(x) m(x + mu)
            return float(np.log(ndtr(-x) - lost))
        if self.mu >= 1:
            near, far = erfcx(np.array([x, x + self.mu]) / np.sqrt(2))
            gain = np.sqrt(np.pi / 2) * (near - far)
        else:
            nodes, weights = gauss_legendre(20)
            s = x + self.mu * nodes
            gain = self.mu * (weights @ (1 - s * np.sqrt(np.pi / 2) * erfcx(s / np.sqrt(2))))
        with np.errstate(divide="ignore"):  # `gain` may have no digits and be 0
            return float(np.log(max(0.0, gain)) - (x**2 + np.log(2 * np.pi)) / 2)

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from scipy.special import ndtr

        def between(z: np.ndarray) -> np.ndarray:
            # on the side of the mode where the distribution function is small
            start, end = z[:-1], z[1:]
            mirrored = start > 0
            low, high = np.where(mirrored, -end, start), np.where(mirrored, -start, end)
            return ndtr(high) - ndtr(low)

        z = self._in_sigmas(edges)
        return between(z - self.mu / 2), between(z + self.mu / 2)

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        from scipy.special import ndtr, ndtri

        return ndtr(ndtri(checked_rates(false_positive_rate)) + self.mu)

    def renyi(self, alpha: float) -> float:
        return arguments.number("alpha", alpha, above=1) * self.mu * self.mu / 2
