"""Guarantees of mechanisms, and how they convert, compose and extend to groups.

Each guarantee is a value. `a + b` is the guarantee of releasing both outputs, adaptively too,
except for ranges (see `BoundedRange`), and `k * a` that of k outputs. `group(k)` is the guarantee
for datasets k steps apart, and `to_...` a guarantee that this one implies. `convert_to(kind)` is
the implied guarantee of that kind if there is no choice to make. `list_implied` does the same for a
privacy loss.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np

from dplab import arguments
from dplab.bisection import edge
from dplab.deprecated import OldName
from dplab.losses import PrivacyLoss

ORDERS = tuple(1 + np.geomspace(0.01, 29, 25))  # at which `ZCDP.holds_for` checks Renyi divergences
SLACK = 1e-9  # relative error of rounding
LAST_DIGIT = 1e-15  # an error of a log ratio of probabilities, or of a probability

Kind = TypeVar("Kind", bound="Guarantee")


@dataclass(frozen=True)
class Guarantee(ABC):
    """A guarantee about every pair of neighbouring datasets."""

    def __post_init__(self):
        for name, value in vars(self).items():
            object.__setattr__(self, name, self._allowed(name, value))

    def _allowed(self, name: str, value: Any) -> Any:
        return arguments.number(name, value, least=0)

    @abstractmethod
    def __add__(self, other: Self) -> Self:
        """Return the guarantee of both outputs, the second chosen after seeing the first."""

    def __rmul__(self, k: int) -> Self:
        """Return the guarantee of k outputs, a sum. Raises ValueError unless k is at least 1.

        >>> 2 * PureDP(0.5), 3 * ApproxDP(0.5, 1e-6)
        (PureDP(epsilon=1.0), ApproxDP(epsilon=1.5, delta=3e-06))
        """
        if arguments.whole("k", k, least=1) == 1:
            return self
        half = (k // 2) * self
        return half + half + self if k % 2 else half + half

    @abstractmethod
    def group(self, k: int) -> Self:
        """Return the guarantee for two datasets that are k neighbouring steps apart.

        Raises ValueError unless k is a whole number of at least 1.
        """

    @abstractmethod
    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Return whether two distributions with this loss keep the guarantee, up to rounding.

        It checks one direction, p against q. Neighbours keep the guarantee if both their loss and
        its `reverse()` do.
        """

    def convert_to(self, kind: type[Kind]) -> Kind:
        """Return the best guarantee of another kind that this one implies, if there is no choice.

        PureDP implies all kinds except RenyiDP. BoundedRange implies all that PureDP does.
        (epsilon, 0)-DP is PureDP. Raises ValueError where a delta or an order must be chosen first:
        by `to_approx(delta)` or `to_renyi(alpha)`.

        >>> BoundedRange(0.5).convert_to(ZCDP), PureDP(0.5).convert_to(ApproxDP)
        (ZCDP(rho=0.03125), ApproxDP(epsilon=0.5, delta=0.0))
        """
        for implied in list_implied(self):
            if isinstance(implied, kind):
                return implied
        raise ValueError(f"{self} implies no {kind.__name__} by itself: convert it first")

    into, kept_by = OldName("convert_to"), OldName("holds_for")

    def _implied(self) -> Iterator[Guarantee]:
        """Yield guarantees of other kinds that follow, the best of each kind first."""
        yield from ()

    def _like(self, other: Self) -> Self:
        if type(other) is not type(self):
            raise ValueError(
                f"{self} composes with another {type(self).__name__}, not {other!r}: convert first"
            )
        return other


def list_implied(cost: PrivacyLoss | Guarantee) -> Iterator[Guarantee]:
    """Yield the guarantees that follow from a worst case, the best of each kind first.

    A loss that dominates those of all neighbours implies its `rho`, its range, and the larger bound
    of both directions.

    >>> from dplab.losses import GaussianLoss, LaplaceLoss
    >>> next(list_implied(GaussianLoss(2.0))), next(list_implied(LaplaceLoss(0.5)))
    (ZCDP(rho=2.0), PureDP(epsilon=0.5))
    """
    if isinstance(cost, Guarantee):
        yield cost
        yield from cost._implied()
        return
    if cost.largest_log_ratio < np.inf:
        yield PureDP(cost.largest_log_ratio)
        yield PureDP(cost.largest_log_ratio).to_approx()
        yield BoundedRange(cost.largest - cost.smallest)
    if cost.rho < np.inf:
        yield ZCDP(cost.rho)


@dataclass(frozen=True)
class PureDP(Guarantee):
    """epsilon-DP: P[M(x) in S] <= e^epsilon P[M(x') in S] for every event S.

    Source: Dwork, McSherry, Nissim and Smith (2006).

    >>> PureDP(0.5) + PureDP(0.25)
    PureDP(epsilon=0.75)
    >>> PureDP(0.5).group(3)
    PureDP(epsilon=1.5)
    """

    epsilon: float

    def __add__(self, other: PureDP) -> PureDP:
        return PureDP(self.epsilon + self._like(other).epsilon)

    def group(self, k: int) -> PureDP:
        return PureDP(_steps(k) * self.epsilon)

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return loss.largest_log_ratio <= self.epsilon * (1 + SLACK)

    def _implied(self) -> Iterator[Guarantee]:
        yield self.to_approx()
        yield self.to_zcdp()
        yield self.to_bounded_range()

    def to_approx(self, delta: float = 0.0) -> ApproxDP:
        """Return (epsilon, delta)-DP for any delta."""
        return ApproxDP(self.epsilon, delta)

    def to_zcdp(self) -> ZCDP:
        """Return rho = epsilon tanh(epsilon / 2) <= epsilon^2 / 2, as of randomized response."""
        return ZCDP(self.epsilon * np.tanh(self.epsilon / 2))

    def to_renyi(self, alpha: float) -> RenyiDP:
        """Return the Renyi divergence of randomized response, the worst epsilon-DP pair.

        Raises ValueError unless alpha is above 1.
        """
        alpha = arguments.number("alpha", alpha, above=1)
        t, tilt = (alpha - 1) * self.epsilon, np.tanh(self.epsilon / 2)
        # log(cosh(t) + tilt sinh(t)), to all digits of a small or large t
        if t < 1:
            log_moment = np.log1p(2 * np.sinh(t / 2) ** 2 + tilt * np.sinh(t))
        else:
            log_moment = t + np.log((1 + tilt + (1 - tilt) * np.exp(-2 * t)) / 2)
        return RenyiDP(alpha, log_moment / (alpha - 1))

    def to_bounded_range(self) -> BoundedRange:
        """Return range 2 epsilon, that of a loss in [-epsilon, epsilon]."""
        return BoundedRange(2 * self.epsilon)


@dataclass(frozen=True)
class ApproxDP(Guarantee):
    """(epsilon, delta)-DP: P[M(x) in S] <= e^epsilon P[M(x') in S] + delta for every event S.

    delta is not the probability that epsilon fails; it is the largest excess over all events.
    Source: Dwork, Kenthapadi, McSherry, Mironov and Naor (2006).
    """

    epsilon: float
    delta: float

    def _allowed(self, name: str, value: Any) -> float:
        most = 1 if name == "delta" else None
        return arguments.number(name, value, least=0, most=most)

    def __add__(self, other: ApproxDP) -> ApproxDP:
        other = self._like(other)
        return ApproxDP(self.epsilon + other.epsilon, min(1.0, self.delta + other.delta))

    def group(self, k: int) -> ApproxDP:
        """Return (k epsilon, delta (e^{k epsilon} - 1) / (e^epsilon - 1)): delta grows, too."""
        steps, e = _steps(k), self.epsilon
        if self.delta == 0 or e == 0:
            return ApproxDP(steps * e, min(1.0, steps * self.delta))
        # in logs, because e^{k e} is huge
        growth = (steps - 1) * e + np.log(np.expm1(-steps * e) / np.expm1(-e))
        return ApproxDP(steps * e, float(np.exp(min(0.0, np.log(self.delta) + growth))))

    def _implied(self) -> Iterator[Guarantee]:
        if self.delta == 0:
            pure = PureDP(self.epsilon)
            yield pure
            yield from pure._implied()

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return loss.delta(self.epsilon * (1 + SLACK) + LAST_DIGIT) <= self.delta * (1 + SLACK)


@dataclass(frozen=True)
class ZCDP(Guarantee):
    """rho-zCDP: the Renyi divergence of every order alpha > 1 is at most rho alpha.

    Source: Bun and Steinke (2016).
    """

    rho: float

    def __add__(self, other: ZCDP) -> ZCDP:
        return ZCDP(self.rho + self._like(other).rho)

    def group(self, k: int) -> ZCDP:
        steps = _steps(k)
        return ZCDP(steps * (steps * self.rho))  # steps^2 alone may be no float

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Check orders from 1.01 to 30; `theorems.concentrated.least_rho` checks more."""
        return all(self.to_renyi(order).holds_for(loss) for order in ORDERS)

    def to_renyi(self, alpha: float) -> RenyiDP:
        """Return (alpha, rho alpha)-Renyi DP. Raises ValueError unless alpha is above 1."""
        alpha = arguments.number("alpha", alpha, above=1)
        return RenyiDP(alpha, self.rho * alpha)

    def to_approx(self, delta: float) -> ApproxDP:
        """Return the best epsilon over all orders of `RenyiDP.to_approx`.

        With alpha = 1 + t it is rho (1 + t) - log(1 + 1/t) - (log delta + log(1 + t)) / t, or 0 if
        that is negative; its slope in t is rho + (log delta + log(1 + t)) / t^2. Raises ValueError
        unless 0 < delta < 1.
        """
        log_delta = np.log(arguments.number("delta", delta, above=0, below=1))
        if self.rho == 0:
            return ApproxDP(0.0, delta)
        t, _ = edge(lambda t: self.rho * t * t + np.log1p(t) <= -log_delta)
        epsilon = self.rho * (1 + t) - np.log1p(1 / t) - (log_delta + np.log1p(t)) / t
        return ApproxDP(max(0.0, epsilon), delta)

    def delta(self, epsilon: float) -> float:
        """Return the least delta over all orders at `epsilon`, in nats: the inverse of `to_approx`.

        With alpha = 1 + t its logarithm is t (rho (1 + t) - epsilon) - t log(1 + 1/t) - log(1 + t),
        convex in t, with the slope rho (1 + 2 t) - epsilon - log(1 + 1/t). Raises ValueError unless
        epsilon is at least 0.
        Source: Canonne, Kamath and Steinke (2020), Proposition 12.
        """
        epsilon = arguments.number("epsilon", epsilon, least=0)
        if self.rho == 0:
            return 0.0
        t, _ = edge(lambda t: self.rho * (1 + 2 * t) - epsilon - np.log1p(1 / t) <= 0)
        log_delta = t * (self.rho * (1 + t) - epsilon) - t * np.log1p(1 / t) - np.log1p(t)
        return float(np.exp(min(0.0, log_delta)))


@dataclass(frozen=True)
class RenyiDP(Guarantee):
    """(alpha, epsilon)-Renyi DP: D_alpha(M(x) || M(x')) <= epsilon. Source: Mironov (2017)."""

    alpha: float
    epsilon: float

    def _allowed(self, name: str, value: Any) -> float:
        if name == "alpha":
            return arguments.number(name, value, above=1)
        return arguments.number(name, value, least=0)

    def __add__(self, other: RenyiDP) -> RenyiDP:
        other = self._like(other)
        if other.alpha != self.alpha:
            raise ValueError(f"orders must agree to compose: {self.alpha} and {other.alpha}")
        return RenyiDP(self.alpha, self.epsilon + other.epsilon)

    def group(self, k: int) -> RenyiDP:
        """Return (alpha / k, 3^c epsilon) for k = 2^c and alpha >= 2 k.

        Raises ValueError for other k. Source: Mironov (2017), Proposition 2.
        """
        k = arguments.whole("k", k, least=1)
        doublings = k.bit_length() - 1
        if k != 2**doublings or (k > 1 and self.alpha < 2 * k):
            raise ValueError(
                f"k must be a power of 2, at most alpha / 2 = {self.alpha / 2}, not {k}"
            )
        return RenyiDP(self.alpha / k, 3**doublings * self.epsilon)

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return loss.renyi(self.alpha) <= self.epsilon * (1 + SLACK)

    def to_approx(self, delta: float) -> ApproxDP:
        """Return epsilon + log(1 - 1/alpha) - log(delta alpha) / (alpha - 1), or 0 if negative.

        Raises ValueError unless 0 < delta < 1.
        Source: Canonne, Kamath and Steinke (2020), Proposition 12.
        """
        log_delta = np.log(arguments.number("delta", delta, above=0, below=1))
        a = self.alpha
        epsilon = self.epsilon + np.log1p(-1 / a) - (log_delta + np.log(a)) / (a - 1)
        return ApproxDP(max(0.0, epsilon), delta)


@dataclass(frozen=True)
class BoundedRange(Guarantee):
    """eta-bounded range: sup Z - inf Z <= eta for the privacy loss Z of every neighbouring pair.

    Ranges add where the mechanisms are fixed beforehand. Where the first answer decides the second
    mechanism, the second range may lie elsewhere for each answer, and two ranges of eta may make
    3 eta. Guarantees converted by `to_zcdp` or `to_pure` add in both cases.

    Source: Durfee and Rogers (2019); Dong, Durfee and Rogers (2020); Cesar and Rogers (2021).
    """

    eta: float

    def __add__(self, other: BoundedRange) -> BoundedRange:
        return BoundedRange(self.eta + self._like(other).eta)

    def group(self, k: int) -> BoundedRange:
        return BoundedRange(_steps(k) * self.eta)

    def holds_for(self, loss: PrivacyLoss) -> bool:
        return loss.largest - loss.smallest <= self.eta * (1 + SLACK)

    def _implied(self) -> Iterator[Guarantee]:
        pure = self.to_pure()
        yield ZCDP(min(self.to_zcdp().rho, pure.to_zcdp().rho))  # the latter, from eta = 8 on
        yield pure
        yield pure.to_approx()

    def to_pure(self) -> PureDP:
        """Return eta-DP: a loss with a range of eta has 0 inside the range."""
        return PureDP(self.eta)

    def to_zcdp(self) -> ZCDP:
        """Return (eta^2 / 8)-zCDP, by Hoeffding's lemma: a quarter of eta-DP's rho, eta small."""
        return ZCDP(self.eta * self.eta / 8)


def rho_for(target: ApproxDP) -> ZCDP:
    """Return the largest rho whose `ZCDP.to_approx` stays within `target`.

    Raises ValueError unless 0 < delta < 1.
    """
    target = arguments.guarantee("target", target, ApproxDP)
    return ZCDP(edge(lambda rho: ZCDP(rho).to_approx(target.delta).epsilon <= target.epsilon)[0])


def _steps(k: int) -> float:
    """Return k, a whole number of steps from 1 on that a float can hold; ValueError otherwise."""
    return arguments.number("k", arguments.whole("k", k, least=1))
