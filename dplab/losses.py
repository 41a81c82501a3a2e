"""The privacy loss Z = log(p(Y) / q(Y)), Y ~ p: one random variable that tells everything.

For two laws p and q (a mechanism on two neighbouring datasets), with Z's tail under both,

    delta(epsilon) = P_p[Z > epsilon] - e^epsilon P_q[Z > epsilon]      (hockey stick)
    trade-off      = { (P_q[Z > t], P_p[Z > t]) : t }                    (Neyman-Pearson)
    Renyi          = log E_p[e^{(alpha - 1) Z}] / (alpha - 1)

Sources: Canonne, Kamath and Steinke (2020), Lemma 9, for delta as E[max(0, 1 - e^{epsilon - Z})];
Dong, Roth and Su (2022) for trade-off curves; Mironov (2017) for Renyi differential privacy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache

import numpy as np

from dplab import arguments
from dplab.bisection import edge


class PrivacyLoss(ABC):
    """The law of the privacy loss of p against q. Losses are natural logarithms."""

    @property
    @abstractmethod
    def smallest(self) -> float:
        """inf Z, in nats; -inf where there is no bound."""

    @property
    @abstractmethod
    def largest(self) -> float:
        """sup Z, in nats."""

    @abstractmethod
    def tails(self, threshold) -> tuple:
        """Return (P_p[Z > threshold], P_q[Z > threshold]), elementwise."""

    @abstractmethod
    def true_positive_rate(self, false_positive_rate):
        """The most powerful test of q (null) against p: its power at each false positive rate."""

    @abstractmethod
    def renyi(self, alpha: float) -> float:
        """The Renyi divergence of order alpha > 1 of p from q."""

    @abstractmethod
    def reverse(self) -> PrivacyLoss:
        """The loss of q against p: the law of -Z under q."""

    @property
    def infinite(self) -> float:
        """P_p[Z = inf]: the probability of an outcome that only p can produce."""
        return 0.0

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """P_p and P_q of each cell edges[i] < Z <= edges[i + 1], with relative error below 1e-11.

        Differences of tails would lose all digits of a small cell. Raises ValueError for a loss
        that knows no better.
        """
        raise ValueError(f"no accurate masses of small cells are known for {self!r}")

    @property
    def largest_log_ratio(self) -> float:
        """sup |log p(y) - log q(y)|: the smallest epsilon of pure DP for this pair."""
        return max(self.largest, -self.smallest)

    def delta(self, epsilon: float) -> float:
        """The smallest delta with p(S) <= e^epsilon q(S) + delta for all events S."""
        epsilon = arguments.number("epsilon", epsilon)
        above_p, above_q = self.tails(epsilon)
        if above_p == 0:  # also keeps e^epsilon from overflowing where no loss is that large
            return 0.0
        excess = above_q if above_q == 0 else np.exp(epsilon + np.log(above_q))
        return float(max(0.0, above_p - excess))

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon >= 0 with delta(epsilon) <= delta; inf if there is none."""
        delta = arguments.number("delta", delta, least=0, below=1)
        if self.delta(0.0) <= delta:
            return 0.0
        return np.inf if self.infinite > delta else edge(lambda e: self.delta(e) > delta)[1]


@dataclass(frozen=True, eq=False)
class AtomicLoss(PrivacyLoss):
    """A loss with finitely many values: masses under p and under q, sorted by loss.

    A loss of inf is an outcome that only p can produce, -inf one that only q can.
    """

    losses: np.ndarray
    p: np.ndarray
    q: np.ndarray

    @classmethod
    def of(cls, log_p: np.ndarray, log_q: np.ndarray) -> AtomicLoss:
        """The exact loss of two finite laws given by aligned log probabilities."""
        possible = (log_p > -np.inf) | (log_q > -np.inf)
        log_p, log_q = log_p[possible], log_q[possible]
        return cls._merged(log_p - log_q, np.exp(log_p), np.exp(log_q))

    @classmethod
    def _merged(cls, losses, p, q) -> AtomicLoss:
        # Sums of the same log ratios in another order differ in the last bits; they are one atom.
        key = np.round(losses, 12)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        size = len(first)
        return cls(losses[first], np.bincount(inverse, p, size), np.bincount(inverse, q, size))

    @property
    def smallest(self) -> float:
        return float(self.losses[0])

    @property
    def largest(self) -> float:
        return float(self.losses[-1])

    def tails(self, threshold):
        start = np.searchsorted(self.losses, threshold, side="right")
        return tuple(np.append(_sums_from(mass), 0.0)[start] for mass in (self.p, self.q))

    def reverse(self):
        return type(self)(-self.losses[::-1], self.q[::-1], self.p[::-1])

    @property
    def infinite(self) -> float:
        return float(self.p[-1]) if self.losses[-1] == np.inf else 0.0

    def masses(self, edges):
        # cell i is (edges[i - 1], edges[i]]
        cells = np.atleast_1d(np.searchsorted(edges, self.losses, side="left"))
        inside = (cells > 0) & (cells < len(edges))
        size = len(edges) - 1
        return tuple(np.bincount(cells[inside] - 1, m[inside], size) for m in (self.p, self.q))

    def true_positive_rate(self, false_positive_rate):
        rates = np.concatenate([[0.0], np.cumsum(self.q[::-1])])
        power = np.concatenate([[0.0], np.cumsum(self.p[::-1])])
        # np.interp takes the last of equal abscissas, so an atom of q-mass 0 counts at rate 0.
        return np.interp(_rates(false_positive_rate), rates / rates[-1], power / power[-1])

    def renyi(self, alpha):
        alpha = arguments.number("alpha", alpha, above=1)
        present = self.p > 0
        z, p, q = self.losses[present], self.p[present], self.q[present]
        if np.inf in z:
            return np.inf
        log_moment = np.logaddexp.reduce(np.log(p) + (alpha - 1) * z)
        if log_moment < 0.5:  # as a sum of positive terms a small one keeps its digits:
            # E_p[e^{tZ}] - 1 = E_p[r(tZ)] + t (E_p[r(-Z)] + Q[p = 0]) with r(x) = e^x - 1 - x >= 0
            rest = np.where(np.abs(z) > 1, q - p + p * z, p * remainder(np.clip(-z, -1, 1)))
            divergence = rest.sum() + self.q[~present].sum()
            log_moment = np.log1p(p @ remainder((alpha - 1) * z) + (alpha - 1) * divergence)
        return float(log_moment / (alpha - 1))

    def __add__(self, other: AtomicLoss) -> AtomicLoss:
        """The loss of two independent releases: a sum of losses, a convolution of laws."""
        with np.errstate(invalid="ignore"):
            losses = np.add.outer(self.losses, other.losses).ravel()
        p, q = (np.outer(a, b).ravel() for a, b in ((self.p, other.p), (self.q, other.q)))
        kept = (p > 0) | (q > 0)  # an outcome with inf + (-inf) happens under neither law
        return self._merged(losses[kept], p[kept], q[kept])


@dataclass(frozen=True)
class LaplaceLoss(PrivacyLoss):
    """The loss between two Laplace laws `shift` scales apart: -shift <= Z <= shift.

    Z has atoms of mass 1/2 at shift and e^{-shift}/2 at -shift, and a density between them.
    """

    shift: float

    def __post_init__(self):
        object.__setattr__(self, "shift", arguments.number("shift", self.shift, above=0))

    @property
    def smallest(self) -> float:
        return -self.shift

    @property
    def largest(self) -> float:
        return self.shift

    def reverse(self):
        return self

    def tails(self, threshold):
        t, a = np.asarray(threshold, dtype=float), self.shift
        inside = np.clip(t, -a, a)
        p, q = 1 - np.exp((inside - a) / 2) / 2, np.exp(-(inside + a) / 2) / 2
        return tuple(np.where(t >= a, 0.0, np.where(t < -a, 1.0, tail)) for tail in (p, q))

    def masses(self, edges):
        a = self.shift
        left, right = np.clip(edges[:-1], -a, a), np.clip(edges[1:], -a, a)
        widths = (right - left) / 2
        p = -np.exp((right - a) / 2) * np.expm1(-widths) / 2
        q = -np.exp(-(left + a) / 2) * np.expm1(-widths) / 2
        top, bottom = (np.array((edges[:-1] < z) & (z <= edges[1:])) for z in (a, -a))
        p = p + 0.5 * top + 0.5 * np.exp(-a) * bottom
        return p, q + 0.5 * np.exp(-a) * top + 0.5 * bottom

    def true_positive_rate(self, false_positive_rate):
        rate, a = _rates(false_positive_rate), self.shift
        with np.errstate(divide="ignore"):
            middle = 1 - np.exp(-a) / (4 * rate)
        outer = np.where(rate > 0.5, 1 - (1 - rate) * np.exp(-a), middle)
        return np.where(rate <= np.exp(-a) / 2, np.exp(a) * rate, outer)

    def renyi(self, alpha):
        alpha = arguments.number("alpha", alpha, above=1)
        up, down = alpha / (2 * alpha - 1), (alpha - 1) / (2 * alpha - 1)
        high, low = (alpha - 1) * self.shift, -alpha * self.shift
        if high < 0.5:  # terms of first order cancel
            log_moment = np.log1p(up * remainder(high) + down * remainder(low))
        else:
            log_moment = np.logaddexp(np.log(up) + high, np.log(down) + low)
        return float(log_moment / (alpha - 1))


@dataclass(frozen=True)
class GaussianLoss(PrivacyLoss):
    """The loss between two normal laws `mu` sigmas apart: Z ~ N(mu^2 / 2, mu^2) under p."""

    mu: float
    smallest = -np.inf
    largest = np.inf

    def __post_init__(self):
        object.__setattr__(self, "mu", arguments.number("mu", self.mu, above=0))

    def reverse(self):
        return self

    def tails(self, threshold):
        from scipy.special import ndtr

        half, t = self.mu / 2, np.asarray(threshold, dtype=float) / self.mu
        return ndtr(half - t), ndtr(-half - t)

    def delta(self, epsilon):
        epsilon = arguments.number("epsilon", epsilon)
        if epsilon < 0:  # what an event gains at -epsilon, its complement loses at epsilon
            return float(-np.expm1(epsilon) + np.exp(epsilon + self.log_delta(-epsilon)))
        return min(1.0, float(np.exp(self.log_delta(epsilon))))

    def log_delta(self, epsilon: float) -> float:
        """log delta(epsilon) for epsilon >= 0, right to 1e-12 however small mu or delta are.

        With x = epsilon / mu - mu / 2, phi the normal density and m(x) = Phi(-x) / phi(x),
        delta = phi(x) (m(x) - m(x + mu)) = phi(x) int_x^{x + mu} (1 - s m(s)) ds.
        """
        from scipy.special import erfcx, log_ndtr, ndtr

        x = epsilon / self.mu - self.mu / 2
        if x < -1:  # nothing cancels, and m(x) would overflow
            return float(np.log(ndtr(-x) - np.exp(epsilon + log_ndtr(-x - self.mu))))
        if self.mu >= 1:
            ends = np.array([x, x + self.mu])
            gain = np.sqrt(np.pi / 2) * -np.diff(erfcx(ends / np.sqrt(2)))[0]
        else:
            nodes, weights = _gauss_legendre()
            s = x + self.mu * nodes
            gain = self.mu * (weights @ (1 - s * np.sqrt(np.pi / 2) * erfcx(s / np.sqrt(2))))
        with np.errstate(divide="ignore"):  # at an epsilon without any digits left
            return float(np.log(max(0.0, gain)) - (x**2 + np.log(2 * np.pi)) / 2)

    def masses(self, edges):
        from scipy.special import ndtr

        def between(z):  # on the side of the mode where the distribution function is small
            left, right = z[:-1], z[1:]
            mirrored = left > 0
            low, high = np.where(mirrored, -right, left), np.where(mirrored, -left, right)
            return ndtr(high) - ndtr(low)

        z = np.asarray(edges, dtype=float) / self.mu
        return between(z - self.mu / 2), between(z + self.mu / 2)

    def true_positive_rate(self, false_positive_rate):
        from scipy.special import ndtr, ndtri

        return ndtr(ndtri(_rates(false_positive_rate)) + self.mu)

    def renyi(self, alpha):
        return arguments.number("alpha", alpha, above=1) * self.mu**2 / 2


NO_LOSS = AtomicLoss(np.zeros(1), np.ones(1), np.ones(1))


def total_loss(losses: list[PrivacyLoss], step: float = 1e-4) -> PrivacyLoss:
    """The loss of independent releases: the sum of their losses.

    Exact for finite laws and for normal laws. Otherwise losses are rounded up to multiples of
    `step`, so that delta is an upper bound, reached at an epsilon at most len(losses) * step lower.
    """
    losses = [loss for loss in losses if loss is not NO_LOSS]
    if len(losses) <= 1:
        return losses[0] if losses else NO_LOSS
    normal = [loss for loss in losses if isinstance(loss, GaussianLoss)]
    if len(normal) == len(losses):
        return GaussianLoss(float(np.sqrt(sum(loss.mu**2 for loss in normal))))
    atomic = [loss for loss in losses if isinstance(loss, AtomicLoss)]
    if len(atomic) < len(losses):
        return _on_grid(losses, step)
    total = atomic[0]
    for loss in atomic[1:]:
        total = total + loss
    return total


TAIL = 1e-16  # losses of smaller probability under p count as infinite


@dataclass(frozen=True, eq=False)
class RoundedLoss(AtomicLoss):
    """A sum of losses, rounded up to a grid; its two ends are exact."""

    ends: tuple[float, float]

    @property
    def smallest(self) -> float:
        return self.ends[0]

    @property
    def largest(self) -> float:
        return self.ends[1]

    def reverse(self):
        raise ValueError("a loss that is rounded up has no reverse: reverse what was added up")


def _on_grid(losses: list[PrivacyLoss], step: float) -> RoundedLoss:
    """Add losses by convolving their laws under p on the grid of multiples of `step`."""
    masses, lowest, infinite = np.ones(1), 0, 0.0
    for loss in losses:
        part, low, lost = _grid_law(loss, step)
        masses, lowest = _convolve(masses, part), lowest + low
        infinite = 1 - (1 - infinite) * (1 - lost)
    grid = step * (lowest + np.arange(len(masses)))
    q = masses * np.exp(-grid)
    # Rounding up takes mass from q; as outcomes of q alone it completes q and leaves delta above.
    missing = max(0.0, 1 - q.sum())
    return RoundedLoss(
        np.concatenate([[-np.inf], grid, [np.inf]]),
        np.concatenate([[0.0], masses, [infinite]]),
        np.concatenate([[missing], q, [0.0]]),
        ends=(sum(loss.smallest for loss in losses), sum(loss.largest for loss in losses)),
    )


def _grid_law(loss: PrivacyLoss, step: float) -> tuple[np.ndarray, int, float]:
    """Return masses under p at step * (low, low + 1, ...), low, and the mass at infinity."""
    ends = (max(loss.smallest, -_reach(loss)), min(loss.largest, _reach(loss)))
    # A loss that is a multiple of step but for rounding error stays where it is.
    low, high = (int(np.ceil(end / step - 1e-9)) for end in ends)
    above = np.array(loss.tails(step * np.arange(low, high + 1))[0])
    above[-1] = loss.tails(max(step * high, ends[1]))[0]
    return np.diff(1 - above, prepend=0.0), low, float(above[-1])


def _reach(loss: PrivacyLoss) -> float:
    reach = 1.0
    while loss.tails(reach)[0] > TAIL:
        reach *= 2
    return reach


def _convolve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if min(len(a), len(b)) < 64:
        return np.convolve(a, b)
    size = len(a) + len(b) - 1
    spectrum = np.fft.rfft(a, size) * np.fft.rfft(b, size)
    return np.maximum(np.fft.irfft(spectrum, size), 0.0)


@cache
def _gauss_legendre() -> tuple[np.ndarray, np.ndarray]:
    """Twenty nodes on [0, 1] and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return (nodes + 1) / 2, weights / 2


def remainder(x):
    """e^x - 1 - x >= 0, elementwise, to full relative accuracy."""
    small = np.clip(x, -0.5, 0.5)
    series = np.ones_like(small, dtype=float)
    for n in range(17, 2, -1):
        series = 1 + series * small / n
    return np.where(np.abs(x) > 0.5, np.expm1(x) - x, series * small**2 / 2)


def _sums_from(masses: np.ndarray) -> np.ndarray:
    """The sum of each mass and all that follow."""
    return np.cumsum(masses[::-1])[::-1]


def _rates(false_positive_rate) -> np.ndarray:
    rates = arguments.reals("false_positive_rate", false_positive_rate)
    if not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError(f"false_positive_rate must lie in [0, 1], not {false_positive_rate!r}")
    return rates
