"""The loss of a mechanism on a sample, which contains each record with probability `rate`.

**A Poisson sample**; neighbours add or remove a record. Let p be the distribution of the output
with the record and q without it, the worst pair of the mechanism on all of its data. On a sample
the pair is

    (1 - rate) q + rate p  against  q,   if the record is removed,

and the same two the other way round if it is added. The losses of several releases add up in each
direction, and their price is the larger of the two sums.

**m = rate n of n records without replacement, in a random order**; neighbours replace a record. Let
p and q be the worst pair of the mechanism on m records. Both datasets have the same samples without
the record, and every sample with it is one step from some sample without it. So for
a = 1 + rate (b - 1) and b >= 1 the hockey stick of order a is at most rate times that of p and q at
order b, which is that of the first pair above. The two datasets may be exchanged:
delta(-e) = 1 - e^-e + e^-e delta(e) gives the orders below 1.

Sources: Zhu, Dong and Wang (2022), Theorem 11, for the pairs; Balle, Barthe and Gaboardi (2018),
Theorem 9; Lebeda, Regehr, Kamath and Steinke (2024) for adding up each direction by itself.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.deprecated import old_names
from dplab.losses.atoms import NO_LOSS, AtomicLoss, BinomialLoss
from dplab.losses.loss import PrivacyLoss, checked_rates
from dplab.losses.sampled_moments import divergence, rule, rule_above_0, symmetric_divergence


def poisson_sampled_loss(loss: PrivacyLoss, *, rate: float) -> PrivacyLoss:
    """Return the loss of (1 - rate) q + rate p against q, from the `loss` of p against q.

    It is exact. Let `loss` be the loss of the worst pair, p with the record and q without it. Then
    this is the largest loss on a Poisson sample if a record is removed, and its `reverse()` is the
    largest one if a record is added. Raises ValueError unless 0 <= rate <= 1.

    >>> from dplab.losses import GaussianLoss
    >>> sampled = poisson_sampled_loss(GaussianLoss(1.0), rate=0.01)
    >>> round(sampled.epsilon(1e-5), 4), round(sampled.reverse().epsilon(1e-5), 4)
    (0.1995, 0.0091)
    """
    check_loss(loss)
    rate = arguments.number("rate", rate, least=0, most=1)
    if rate == 0:
        return NO_LOSS
    if rate == 1:
        return loss
    if isinstance(loss, BinomialLoss):
        loss = loss.atoms()
    if type(loss) is AtomicLoss:
        losses, q = mix(loss.losses, rate), loss.q
        return AtomicLoss(losses, (1 - rate) * q + rate * loss.p, q)
    return SampledLoss(loss, rate)


def fixed_size_sampled_loss(loss: PrivacyLoss, *, rate: float) -> PrivacyLoss:
    """Return a bound on the loss on m = rate n of n records, for neighbours that replace one.

    `loss` is that of the worst pair of the mechanism on m records, one of which is replaced. It is
    symmetric, since either record may be the new one. No output on a sample has a larger loss. One
    release attains the bound if the other records of the worst pair are all equal; several releases
    may cost less. Raises ValueError for another loss, and unless 0 <= rate <= 1.

    >>> from dplab.losses import GaussianLoss
    >>> sampled = fixed_size_sampled_loss(GaussianLoss(1.0), rate=0.01)
    >>> round(sampled.epsilon(1e-5), 4), sampled.reverse() == sampled
    (0.1995, True)
    """
    half = poisson_sampled_loss(loss, rate=rate)
    if not _is_nearly_symmetric(loss):
        raise ValueError(
            "loss must be as large as its reverse: a replaced record may be the old or the new one"
        )
    if half is NO_LOSS:
        return half
    if type(half) is not AtomicLoss:
        return SymmetricLoss(half)
    positive = half.losses > 0
    losses, p, q = half.losses[positive], half.p[positive], half.q[positive]
    zero_mass = max(0.0, 1 - p.sum() - q.sum())
    return AtomicLoss(
        *(
            np.concatenate(parts)
            for parts in (
                (-losses[::-1], [0.0], losses),
                (q[::-1], [zero_mass], p),
                (p[::-1], [zero_mass], q),
            )
        )
    )


@dataclass(frozen=True)
class SymmetricLoss(PrivacyLoss):
    """A loss that is `half` above 0 and its reverse below 0; the rest of the mass is at 0."""

    half: PrivacyLoss

    @property
    def smallest(self) -> float:
        return -self.half.largest

    @property
    def largest(self) -> float:
        return self.half.largest

    @property
    def infinite(self) -> float:
        return self.half.infinite

    @property
    def rho(self) -> float:
        return self.half.rho

    def reverse(self) -> SymmetricLoss:
        return self

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        low, high = self.half.reverse().tails(threshold), self.half.tails(threshold)
        return tuple(np.where(np.less(threshold, 0), *pair) for pair in zip(low, high, strict=True))

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        starts, ends = edges[:-1], edges[1:]
        low, high = self.half.reverse().masses(edges), self.half.masses(edges)
        whole = map(np.subtract, self.tails(starts), self.tails(ends))
        parts = zip(low, high, whole, strict=True)
        return tuple(np.where(ends < 0, a, np.where(starts < 0, c, b)) for a, b, c in parts)

    def delta(self, epsilon: float) -> float:
        epsilon = arguments.number("epsilon", epsilon)
        if epsilon >= 0:
            return self.half.delta(epsilon)
        return float(-np.expm1(epsilon) + np.exp(epsilon) * self.half.delta(-epsilon))

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        rate = checked_rates(false_positive_rate)
        p, q = self.half.tails(0.0)  # a line of slope 1 connects the two halves
        low, high = (loss.true_positive_rate(rate) for loss in (self.half.reverse(), self.half))
        return np.where(rate < q, high, np.where(rate > 1 - p, low, rate + self.half.delta(0.0)))

    def renyi(self, alpha: float) -> float:
        alpha = arguments.number("alpha", alpha, above=1)
        if self.infinite:
            return np.inf
        sampled = self.half if isinstance(self.half, SampledLoss) else SampledLoss(self.half, 1.0)
        z, log_q = rule_above_0(sampled.loss, alpha)
        return symmetric_divergence(log_q, mix(z, sampled.rate), alpha)


@dataclass(frozen=True)
class _Mixture(PrivacyLoss):
    """A loss that increases with `loss`: one of two distributions has become a mixture of both."""

    loss: PrivacyLoss
    rate: float

    @property
    def smallest(self) -> float:
        return float(self._outer(self.loss.smallest))

    @property
    def largest(self) -> float:
        return float(self._outer(self.loss.largest))

    @property
    def rho(self) -> float:
        """At most that of `loss`, since a smaller rate makes all deltas smaller."""
        return min(super().rho, self.loss.rho)

    @abstractmethod
    def _outer(self, loss: ArrayLike) -> np.ndarray:
        """Return this loss at outcomes where the original loss is `loss`, elementwise."""

    @abstractmethod
    def _inner(self, threshold: ArrayLike) -> np.ndarray:
        """Return the original loss where this loss is `threshold`; +-inf outside its range."""

    @abstractmethod
    def _masses(self, p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the masses of an event under this pair, from those under the original pair."""

    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        return self._masses(*self.loss.tails(self._inner(threshold)))

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._masses(*self.loss.masses(self._inner(edges)))


@dataclass(frozen=True)
class SampledLoss(_Mixture):
    """The loss log(1 - rate + rate e^Z) of (1 - rate) q + rate p against q; Z is that of p, q."""

    def _outer(self, loss: ArrayLike) -> np.ndarray:
        return mix(loss, self.rate)

    def _inner(self, threshold: ArrayLike) -> np.ndarray:
        return _unmix(threshold, self.rate)

    def _masses(self, p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return (1 - self.rate) * q + self.rate * p, q

    @property
    def infinite(self) -> float:
        return self.rate * self.loss.infinite

    def delta(self, epsilon: float) -> float:
        """Return rate delta'(epsilon'), delta' that of `loss`, with mixed(epsilon') = epsilon."""
        inner = float(self._inner(arguments.number("epsilon", epsilon)))
        if inner == -np.inf:
            return float(-np.expm1(epsilon))
        return self.rate * self.loss.delta(inner)

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        power = self.loss.true_positive_rate(false_positive_rate)
        return (1 - self.rate) * np.asarray(false_positive_rate, dtype=float) + self.rate * power

    def renyi(self, alpha: float) -> float:
        alpha = arguments.number("alpha", alpha, above=1)
        z, log_q = rule(self.loss, alpha)
        return divergence(log_q, self._outer(z), alpha)

    def reverse(self) -> ReverseSampledLoss:
        return ReverseSampledLoss(self.loss.reverse(), self.rate)


@dataclass(frozen=True)
class ReverseSampledLoss(_Mixture):
    """The loss -log(1 - rate + rate e^{-Z}) of p against (1 - rate) p + rate q, Z of p, q."""

    def _outer(self, loss: ArrayLike) -> np.ndarray:
        return -mix(-np.asarray(loss), self.rate)

    def _inner(self, threshold: ArrayLike) -> np.ndarray:
        return -_unmix(-np.asarray(threshold), self.rate)

    def _masses(self, p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return p, (1 - self.rate) * p + self.rate * q

    def delta(self, epsilon: float) -> float:
        """Return (1 - (1 - rate) e^epsilon) delta'(epsilon'), as for `SampledLoss`."""
        inner = float(self._inner(arguments.number("epsilon", epsilon)))
        if inner == np.inf:
            return 0.0
        return float(-np.expm1(epsilon + np.log1p(-self.rate))) * self.loss.delta(inner)

    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        """Return f(x) with (1 - rate) f(x) + rate x the given rate, f the curve of `loss`."""
        rates = checked_rates(false_positive_rate)
        low, high = np.zeros_like(rates), rates
        for _ in range(60):  # x is at most the rate, since f(x) >= x
            middle = (low + high) / 2
            value = (1 - self.rate) * self.loss.true_positive_rate(middle) + self.rate * middle
            low, high = np.where(value < rates, middle, low), np.where(value < rates, high, middle)
        return (rates - self.rate * high) / (1 - self.rate)

    def renyi(self, alpha: float) -> float:
        alpha = arguments.number("alpha", alpha, above=1)
        z, log_q = rule(self.loss, alpha)
        log_ratios = self._outer(z)
        return divergence(log_q + z - log_ratios, log_ratios, alpha)

    def reverse(self) -> SampledLoss:
        return SampledLoss(self.loss.reverse(), self.rate)


def check_loss(loss: object) -> None:
    """Raise ValueError for anything but a privacy loss."""
    if not isinstance(loss, PrivacyLoss):
        raise ValueError(
            f"loss must be a PrivacyLoss, and accounting.sampled takes mechanisms, not {loss!r}"
        )


def _is_nearly_symmetric(loss: PrivacyLoss) -> bool:
    """Return whether the hockey stick of the loss agrees with that of its reverse at 41 places."""
    if loss.is_symmetric:
        return True
    ends = np.abs([z for z in (loss.smallest, loss.largest) if np.isfinite(z)])
    reverse, places = loss.reverse(), min(50.0, max(ends, default=50.0)) * np.linspace(-1, 1, 41)
    pairs = [(loss.delta(e), reverse.delta(e)) for e in places]
    return all(np.isclose(a, b, rtol=1e-6, atol=1e-13) for a, b in pairs)


def mix(loss: ArrayLike, rate: float) -> np.ndarray:
    """Return log(1 - rate + rate e^loss), elementwise."""
    z = np.asarray(loss, dtype=float)
    with np.errstate(divide="ignore"):
        change = rate * np.expm1(np.minimum(z, 700))
        values = np.asarray(np.log1p(change))
        far = (z >= 700) | (change < -0.5)  # e^z may overflow, or 1 + change lacks digits
        return np.logaddexp(np.log1p(-rate), np.log(rate) + z, where=far, out=values)


def _unmix(threshold: ArrayLike, rate: float) -> np.ndarray:
    """Return log((e^threshold - (1 - rate)) / rate), the inverse; -inf up to log(1 - rate)."""
    t = np.asarray(threshold, dtype=float)
    with np.errstate(all="ignore"):
        large = t + np.log1p(-np.minimum(1, (1 - rate) * np.exp(-t))) - np.log(rate)
        change = np.maximum(-1, np.expm1(t) / rate)
        has_digits = (t < 1) & ((change > -0.5) | (rate <= 0.5))
        return np.where(has_digits, np.log1p(change), large)


__getattr__ = old_names(
    __name__,
    poisson_sampled="poisson_sampled_loss",
    sampled_without_replacement="fixed_size_sampled_loss",
)
