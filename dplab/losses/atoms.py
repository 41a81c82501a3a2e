"""Losses with finitely many values: of finite distributions, and sums of two-valued losses."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.losses.loss import PrivacyLoss, checked_rates, remainder


@dataclass(frozen=True, eq=False)
class AtomicLoss(PrivacyLoss):
    """A loss with finitely many values: masses under p and under q, sorted by loss.

    A loss of inf is an outcome that only p can produce, a loss of -inf one that only q can.
    """

    losses: np.ndarray
    p: np.ndarray
    q: np.ndarray

    @classmethod
    def of(cls, log_p: np.ndarray, log_q: np.ndarray) -> AtomicLoss:
        """Return the exact loss of two finite distributions, given by aligned log probabilities."""
        possible = (log_p > -np.inf) | (log_q > -np.inf)
        log_p, log_q = log_p[possible], log_q[possible]
        return cls._merge(log_p - log_q, np.exp(log_p), np.exp(log_q))

    @classmethod
    def _merge(cls, losses: np.ndarray, p: np.ndarray, q: np.ndarray) -> AtomicLoss:
        # Sums of the same log ratios in another order differ in the last bits: merge them.
        widest = float(np.max(np.abs(losses), where=np.isfinite(losses), initial=0.0))
        key = np.round(losses / min(1.0, widest or 1.0), 12)
        atoms, inverse = np.unique(key, return_inverse=True)
        size = len(atoms)
        low, high = np.full(size, np.inf), np.full(size, -np.inf)
        np.minimum.at(low, inverse, losses)
        np.maximum.at(high, inverse, losses)
        middle = low / 2 + high / 2  # 0 for a loss and its negative
        return cls(middle, np.bincount(inverse, p, size), np.bincount(inverse, q, size))

    @property
    def smallest(self) -> float:
        return float(self.losses[0])

    @property
    def largest(self) -> float:
        return float(self.losses[-1])

    def finite(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the finite losses that p can produce, and their masses under p."""
        is_finite = np.isfinite(self.losses) & (self.p > 0)
        return self.losses[is_finite], self.p[is_finite]

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        start = np.searchsorted(self.losses, threshold, side="right")
        return tuple(np.append(_sums_from(mass), 0.0)[start] for mass in (self.p, self.q))

    def delta(self, epsilon: float) -> float:
        return _excess(arguments.number("epsilon", epsilon), self.losses, self.p)

    def _solve_delta(self, delta: float) -> float:
        return _solve_excess(delta, self.losses, self.p)

    def reverse(self) -> AtomicLoss:
        return type(self)(-self.losses[::-1], self.q[::-1], self.p[::-1])

    @property
    def is_symmetric(self) -> bool:
        pairs = ((self.losses, -self.losses[::-1]), (self.p, self.q[::-1]))
        return all(np.allclose(a, b, rtol=1e-12, atol=0) for a, b in pairs)

    @property
    def infinite(self) -> float:
        return float(self.p[-1]) if self.losses[-1] == np.inf else 0.0

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # cell i is (edges[i - 1], edges[i]]
        cells = np.atleast_1d(np.searchsorted(edges, self.losses, side="left"))
        inside = (cells > 0) & (cells < len(edges))
        size = len(edges) - 1
        return tuple(np.bincount(cells[inside] - 1, m[inside], size) for m in (self.p, self.q))

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        rates = np.concatenate([[0.0], np.cumsum(self.q[::-1])])
        power = np.concatenate([[0.0], np.cumsum(self.p[::-1])])
        # np.interp takes the last of equal abscissas, so an atom of q-mass 0 counts at rate 0.
        return np.interp(checked_rates(false_positive_rate), rates / rates[-1], power / power[-1])

    @property
    def mean(self) -> float:
        """E_p[Z] in nats; inf if only p can produce some outcome.

        It is computed as E_p[r(-Z)] + Q[p = 0] with r(x) = e^x - 1 - x >= 0: a sum of positive
        terms, which keeps its digits.
        """
        present = self.p > 0
        z, p, q = self.losses[present], self.p[present], self.q[present]
        terms = np.where(np.abs(z) > 1, q - p + p * z, p * remainder(-z))
        return float(terms.sum() + self.q[~present].sum())

    def renyi(self, alpha: float) -> float:
        alpha = arguments.number("alpha", alpha, above=1)
        z, p = self.losses[self.p > 0], self.p[self.p > 0]
        if np.inf in z:
            return np.inf
        log_moment = np.logaddexp.reduce(np.log(p) + (alpha - 1) * z)
        if log_moment < 0.5:  # a small one keeps its digits in this form:
            # E_p[e^{tZ}] - 1 = E_p[r(tZ)] + t E_p[Z] with the r of `mean`
            log_moment = np.log1p(p @ remainder((alpha - 1) * z) + (alpha - 1) * self.mean)
        return float(log_moment / (alpha - 1))

    def __add__(self, other: AtomicLoss) -> AtomicLoss:
        """Return the loss of two independent releases: the convolution of both distributions."""
        with np.errstate(invalid="ignore"):
            losses = np.add.outer(self.losses, other.losses).ravel()
        p, q = (np.outer(a, b).ravel() for a, b in ((self.p, other.p), (self.q, other.q)))
        possible = (p > 0) | (q > 0)  # inf + (-inf) happens under neither distribution
        return self._merge(losses[possible], p[possible], q[possible])


NO_LOSS = AtomicLoss(np.zeros(1), np.ones(1), np.ones(1))


@dataclass(frozen=True)
class BinomialLoss(PrivacyLoss):
    """The sum of k independent losses with two finite values, low < high.

    It is (k - n) low + n high, where the number n of high losses is binomial. `losses` are the two
    values, `p` and `q` their probabilities, in this order. Raises ValueError if k (high - low)
    overflows.
    """

    k: int
    losses: tuple[float, float]
    p: tuple[float, float]
    q: tuple[float, float]

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "k", least=1)
        for name in ("losses", "p", "q"):
            pair = arguments.reals(name, getattr(self, name), ndim=1)
            if len(pair) != 2:
                raise ValueError(f"{name} must be two numbers, not {len(pair)}")
        low, high = self.losses
        arguments.number("k (high - low)", arguments.number("k", self.k) * (high - low))

    @classmethod
    def of(cls, k: int, one: AtomicLoss) -> BinomialLoss:
        """Return the sum of k losses like `one`, which has two values."""
        return cls(k, *(tuple(pair.tolist()) for pair in (one.losses, one.p, one.q)))

    @property
    def smallest(self) -> float:
        return self.k * self.losses[0]

    @property
    def largest(self) -> float:
        return self.k * self.losses[1]

    def reverse(self) -> BinomialLoss:
        low, high = self.losses
        return BinomialLoss(self.k, (-high, -low), self.q[::-1], self.p[::-1])

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        from scipy.stats import binom

        # A threshold that differs from an atom by rounding counts as that atom.
        most = np.clip(np.floor(self._high_ones(threshold) + 1e-9), -1, self.k)
        return tuple(
            binom.sf(most, self.k, high)
            if high <= low
            else binom.cdf(self.k - most - 1, self.k, low)
            for low, high in (self.p, self.q)
        )

    def _high_ones(self, total: ArrayLike) -> np.ndarray:
        """Return how many high losses make the sum `total`: a fraction between two atoms."""
        low, high = self.losses
        with np.errstate(over="ignore"):  # far beyond the last atom
            return (np.asarray(total, dtype=float) - self.smallest) / (high - low)

    def delta(self, epsilon: float) -> float:
        epsilon = arguments.number("epsilon", epsilon)
        # An atom that rounding has put above epsilon may count: its excess is 0.
        first = int(np.clip(np.floor(self._high_ones(epsilon)), 0, self.k))
        low, high = self.p
        likely = max(first, round(self.k * high))
        reach = 40 + int(9 * np.sqrt(self.k * low * high))  # beyond it is e^-42 of the rest
        n = np.arange(max(first, likely - reach), min(self.k, likely + reach) + 1)
        return _excess(epsilon, self._losses(n), self._masses(n, self.p))

    def _solve_delta(self, delta: float) -> float:
        likely = self._possible(self.p)
        return _solve_excess(delta, self._losses(likely), self._masses(likely, self.p))

    def _losses(self, high_ones: np.ndarray) -> np.ndarray:
        low, high = self.losses
        return self.smallest + (high - low) * high_ones

    def _masses(self, high_ones: np.ndarray, chances: tuple[float, float]) -> np.ndarray:
        """Return the masses from the smaller chance: 1 minus the other would lose digits."""
        from scipy.stats import binom

        low, high = chances
        rare, chance = (high_ones, high) if high <= low else (self.k - high_ones, low)
        none = np.exp(self.k * np.log1p(-chance))  # scipy's has fewer digits
        return np.where(rare == 0, none, binom.pmf(rare, self.k, chance))

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        likely = np.union1d(*map(self._possible, (self.p, self.q)))
        return self._atoms(likely).true_positive_rate(false_positive_rate)

    def _possible(self, chances: tuple[float, float]) -> np.ndarray:
        """Return the numbers n of a probability above e^-745, the least float (Bernstein)."""
        low, high = chances
        middle, reach = round(self.k * high), 500 + int(39 * np.sqrt(self.k * low * high))
        return np.arange(max(0, middle - reach), min(self.k, middle + reach) + 1)

    def renyi(self, alpha: float) -> float:
        return self.k * self.one.renyi(alpha)

    @property
    def one(self) -> AtomicLoss:
        """One of the k losses."""
        return AtomicLoss(*map(np.array, (self.losses, self.p, self.q)))

    def atoms(self) -> AtomicLoss:
        """Return the same distribution as a list of its k + 1 values."""
        return self._atoms(np.arange(self.k + 1))

    def _atoms(self, n: np.ndarray) -> AtomicLoss:
        return AtomicLoss(self._losses(n), self._masses(n, self.p), self._masses(n, self.q))


def _excess(epsilon: float, losses: np.ndarray, p: np.ndarray) -> float:
    """Return E_p[max(0, 1 - e^{epsilon - Z})], a sum of terms that are not negative."""
    exceeds = losses > epsilon
    return float(min(1.0, p[exceeds] @ -np.expm1(epsilon - losses[exceeds])))


def _solve_excess(delta: float, losses: np.ndarray, p: np.ndarray) -> float:
    """Return the smallest epsilon >= 0 with `_excess` at most delta, for a delta below that at 0.

    From one loss to the next the excess is linear in e^epsilon.
    """
    positive = losses[losses > 0]
    place = bisect_left(positive, True, key=lambda loss: _excess(loss, losses, p) <= delta)
    loss = positive[place]
    slope = p[losses >= loss] @ np.exp(loss - losses[losses >= loss])
    share = min((delta - _excess(loss, losses, p)) / slope, 1 - 2**-53)  # 1 - e^(epsilon - loss)
    return float(max(0.0, loss + np.log1p(-share)))


def _sums_from(masses: np.ndarray) -> np.ndarray:
    """Return the sum of each mass and all that follow it."""
    return np.cumsum(masses[::-1])[::-1]
