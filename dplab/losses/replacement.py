"""The loss on a Poisson sample if a record is replaced.

Let R be the distribution of the output without the record, P1 with the old one and P2 with the new
one. Let p against q be the worst pair of the mechanism if a record is removed. F(u) is the largest
probability under p of an event that has probability u under q. So an event of probability u under R
has at most F(u) under P1, and at least 1 - F(1 - u) under P2. On a sample the two datasets have the
distributions (1 - rate) R + rate P1 and (1 - rate) R + rate P2. The first gives the event more than
e^epsilon times the probability that the second gives it, by at most

    (1 - rate) u + rate F(u) - e^epsilon ((1 - rate) u + rate (1 - F(1 - u))).

The largest value over u is the hockey stick of the pair with the densities 1 - rate + rate F'(u)
and 1 - rate + rate F'(1 - u) on [0, 1]: their ratio falls with u, so its best events are [0, u].
This pair dominates, and its loss is symmetric. Normal noise attains it: R = N(0, 1) with
P1 = N(mu, 1) and P2 = N(-mu, 1).

Source for normal noise: Lebeda, Regehr, Kamath and Steinke (2024).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.losses.atoms import NO_LOSS, AtomicLoss, BinomialLoss
from dplab.losses.gaussian import GaussianLoss
from dplab.losses.laplace import LaplaceLoss
from dplab.losses.loss import PrivacyLoss, checked_rates
from dplab.losses.sampled import check_loss, fixed_size_sampled_loss, mix
from dplab.losses.sampled_moments import divergence, two_sided_rule
from dplab.losses.total import DiscretizedLoss

LEVEL_STEPS = 100  # of bisection for a threshold


def replacement_loss(loss: PrivacyLoss, *, rate: float = 1.0) -> PrivacyLoss:
    """Return the loss on a Poisson sample if a record is replaced; `loss` is for a removed one.

    It is exact for a normal loss and for finite distributions. For a Laplace loss and a rate below
    1 it is an upper bound, `fixed_size_sampled_loss` of the loss at rate 1. Raises ValueError for
    other losses, and unless 0 <= rate <= 1.

    >>> round(replacement_loss(GaussianLoss(1.0), rate=0.01).epsilon(1e-5), 4)
    0.2094
    >>> replacement_loss(LaplaceLoss(1.0))
    LaplaceLoss(shift=2.0)
    """
    check_loss(loss)
    rate = arguments.number("rate", rate, least=0, most=1)
    if rate == 0:
        return NO_LOSS
    if isinstance(loss, GaussianLoss):
        return GaussianLoss(2 * loss.mu) if rate == 1 else NormalReplacementLoss(loss, rate)
    if isinstance(loss, LaplaceLoss):
        full = LaplaceLoss(2 * loss.shift)  # at rate 1
        return full if rate == 1 else fixed_size_sampled_loss(full, rate=rate)
    if isinstance(loss, BinomialLoss):
        loss = loss.atoms()
    if isinstance(loss, AtomicLoss):
        return _replace_in_atoms(loss, rate)
    raise ValueError(f"loss must be normal, Laplace or have finitely many values, not {loss!r}")


def has_exact_replacement(loss: PrivacyLoss, rate: float) -> bool:
    """Return whether `replacement_loss` is exact, and not an upper bound."""
    return rate in (0, 1) or not isinstance(loss, LaplaceLoss)


def _replace_in_atoms(loss: AtomicLoss, rate: float) -> AtomicLoss:
    """Return the worst pair of finite distributions: one half of [0, 1], and its mirror image.

    From 0 on, P1 has the atoms of the largest losses, and P2 those of the smallest.
    """
    has_q = loss.q > 0
    z, p, q = loss.losses[has_q], loss.p[has_q], loss.q[has_q]
    falling, rising = np.cumsum(q[::-1]), np.cumsum(q)
    ends = np.unique(np.minimum(np.concatenate([falling, rising, [0.5]]), 0.5))
    widths = np.diff(ends, prepend=0.0)
    last = len(q) - 1
    high = last - np.minimum(np.searchsorted(falling, ends), last)
    low = np.minimum(np.searchsorted(rising, ends), last)
    old, new = (widths * ((1 - rate) + rate * (p / q)[place]) for place in (high, low))
    with np.errstate(invalid="ignore"):  # -inf - (-inf) where p and q are 0
        losses = mix(z[high], rate) - mix(z[low], rate)
    losses, old, new = (np.append(a, b) for a, b in ((losses, np.inf), (old, 0), (new, 0)))
    old[-1] = rate * loss.infinite
    possible = (old > 0) | (new > 0)
    losses, old, new = losses[possible], old[possible], new[possible]
    kind = AtomicLoss if isinstance(loss, DiscretizedLoss) else type(loss)
    return kind._merge(
        *(np.concatenate(both) for both in ((-losses, losses), (new, old), (old, new)))
    )


@dataclass(frozen=True)
class NormalReplacementLoss(PrivacyLoss):
    """The loss of (1 - rate) N(0, 1) + rate N(mu, 1) against (1 - rate) N(0, 1) + rate N(-mu, 1).

    At y it is mix(mu y - mu^2 / 2) - mix(-mu y - mu^2 / 2), mix(z) = log(1 - rate + rate e^z).
    """

    loss: GaussianLoss
    rate: float
    smallest = -np.inf
    largest = np.inf

    @property
    def rho(self) -> float:
        """The rho of N(mu, 1) and N(-mu, 1): a rate below 1 makes all deltas smaller."""
        return 4 * self.loss.rho

    def reverse(self) -> NormalReplacementLoss:
        return self

    def _old_loss(self, y: np.ndarray) -> np.ndarray:
        """Return log(P1 / R) at y; log(P2 / R) is its value at -y."""
        return self.loss.mu * (y - self.loss.mu / 2)

    def _place(self, threshold: ArrayLike) -> np.ndarray:
        """Return y where the loss is t: mu y = t / 2 + asinh(x).

        x = (1 / rate - 1) e^{mu^2 / 2} sinh(t / 2), and e^{asinh(x)} is the v with v - 1 / v = 2 x.
        """
        t, mu = np.asarray(threshold, dtype=float), self.loss.mu
        half = np.abs(t) / 2
        with np.errstate(divide="ignore"):
            log_sinh = half + np.log(-np.expm1(-2 * half) / 2)
        log_x = np.log1p(-self.rate) - np.log(self.rate) + mu * mu / 2 + log_sinh
        inverse = np.where(
            log_x > 300, log_x + np.log(2), np.arcsinh(np.exp(np.minimum(log_x, 300)))
        )
        return np.sign(t) * (half + inverse) / mu

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        from scipy.special import ndtr

        y, mu = self._place(threshold), self.loss.mu
        without = (1 - self.rate) * ndtr(-y)
        return without + self.rate * ndtr(mu - y), without + self.rate * ndtr(-mu - y)

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        y = self._place(edges)
        old, without = self.loss.masses(self._old_loss(y))
        new = self.loss.masses(self._old_loss(-y[::-1]))[0][::-1]
        return tuple((1 - self.rate) * without + self.rate * mass for mass in (old, new))

    def delta(self, epsilon: float) -> float:
        """Return rate (d(z1) + e^{epsilon + z2} d(-z2)), d the delta of `loss`.

        z1 is log(P1 / R) and z2 log(P2 / R) where the loss is epsilon. The two terms are the masses
        above there of P1 - e^z1 R and of e^epsilon (e^z2 R - P2).
        """
        y = self._place(arguments.number("epsilon", epsilon))
        old, new = float(self._old_loss(y)), float(self._old_loss(-y))
        return self.rate * (self.loss.delta(old) + np.exp(epsilon + new) * self.loss.delta(-new))

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        from scipy.special import ndtr

        rates, mu = checked_rates(false_positive_rate), self.loss.mu
        low, high = (np.full_like(rates, end) for end in (-40 - mu, 40 + mu))
        for _ in range(LEVEL_STEPS):
            y = (low + high) / 2
            exceeds = (1 - self.rate) * ndtr(-y) + self.rate * ndtr(-mu - y) > rates
            low, high = np.where(exceeds, y, low), np.where(exceeds, high, y)
        return (1 - self.rate) * ndtr(-high) + self.rate * ndtr(mu - high)

    def renyi(self, alpha: float) -> float:
        alpha = arguments.number("alpha", alpha, above=1)
        y, log_mass = two_sided_rule(self.loss, alpha)
        old, new = (mix(self._old_loss(side), self.rate) for side in (y, -y))
        return divergence(log_mass + new, old - new, alpha)
