"""Theorem: bounds on the tail of the privacy loss by its moments, from Markov to subgaussian.

For the loss Z under p, with D_alpha the Renyi divergence, and t in the range that a line names:

    moment k      P[Z > t] <= E|Z|^k / t^k                            (k = 1: Markov)
    variance      P[Z > t] <= Var Z / (Var Z + (t - E Z)^2), t >= E Z  (Chebyshev, one-sided)
    Renyi         P[Z > t] <= e^{(alpha - 1) (D_alpha - t)}
    subgaussian   P[Z > t] <= e^{-(t - rho)^2 / (4 rho)}, t >= rho     (rho-zCDP)

Each bound can be solved for t, the epsilon at which it is delta. Then (epsilon, delta)-DP holds for
the pair. For powers of t this epsilon grows like a power of 1 / delta, for exponentials like
log(1 / delta), and for squares in the exponent like the root of that.

Proof. All are Markov's inequality, P[X > x] <= E X / x for X >= 0: for |Z|^k, for the square of
Z - E Z + Var Z / (t - E Z), and for e^{(alpha - 1) Z}, whose mean is e^{(alpha - 1) D_alpha}. The
last is the third with D_alpha = rho alpha at its best order, alpha = (t + rho) / (2 rho).

Sources: Mironov (2017), Proposition 3; Bun and Steinke (2016), Lemma 3.5.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, moments
from dplab.losses import PrivacyLoss
from dplab.theorems.concentrated import least_rho


class TailBound(ABC):
    """A bound on P[Z > t] that falls with t, and its inverse."""

    @abstractmethod
    def tail(self, thresholds: ArrayLike) -> np.ndarray:
        """Return the bound at each threshold above 0, at most 1, elementwise.

        Raises ValueError for thresholds that are not finite.
        """

    @abstractmethod
    def epsilon(self, delta: float) -> float:
        """Return the threshold at which the bound is `delta`; inf if it stays above.

        Raises ValueError unless 0 < delta < 1.
        """


@dataclass(frozen=True)
class MomentBound(TailBound):
    """The bound E|Z|^k / t^k: Markov's inequality for |Z|^k.

    Raises ValueError for other arguments.
    """

    k: float
    moment: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "k", least=1)
        arguments.settle(self, arguments.number_or_inf, "moment")

    def tail(self, thresholds: ArrayLike) -> np.ndarray:
        return _cap(self.moment * arguments.reals("thresholds", thresholds) ** -self.k)

    def epsilon(self, delta: float) -> float:
        return float((self.moment / _check_delta(delta)) ** (1 / self.k))


@dataclass(frozen=True)
class VarianceBound(TailBound):
    """The bound Var Z / (Var Z + (t - E Z)^2) for t >= E Z, otherwise 1: Cantelli's inequality.

    Raises ValueError for other arguments.
    """

    mean: float
    variance: float

    def __post_init__(self):
        arguments.settle(self, arguments.number_or_inf, "mean")
        arguments.settle(self, arguments.number_or_inf, "variance", least=0)

    def tail(self, thresholds: ArrayLike) -> np.ndarray:
        thresholds = arguments.reals("thresholds", thresholds)
        if self.variance == np.inf:
            return np.ones_like(thresholds)
        excess = np.maximum(0.0, thresholds - self.mean) ** 2
        total = self.variance + excess
        return np.divide(self.variance, total, out=np.ones_like(total), where=total > 0)

    def epsilon(self, delta: float) -> float:
        return float(self.mean + np.sqrt(self.variance * (1 / _check_delta(delta) - 1)))


@dataclass(frozen=True)
class RenyiBound(TailBound):
    """The bound e^{(alpha - 1) (D_alpha - t)}: Markov's inequality for e^{(alpha - 1) Z}.

    Raises ValueError for other arguments.
    """

    alpha: float
    divergence: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "alpha", above=1)
        arguments.settle(self, arguments.number_or_inf, "divergence")

    def tail(self, thresholds: ArrayLike) -> np.ndarray:
        gap = self.divergence - arguments.reals("thresholds", thresholds)
        return np.exp(np.minimum(0.0, (self.alpha - 1) * gap))

    def epsilon(self, delta: float) -> float:
        return float(self.divergence - np.log(_check_delta(delta)) / (self.alpha - 1))


@dataclass(frozen=True)
class SubgaussianBound(TailBound):
    """The bound e^{-(t - rho)^2 / (4 rho)} for t >= rho; the best order for D_alpha = rho alpha.

    Raises ValueError for other arguments.
    """

    rho: float

    def __post_init__(self):
        arguments.settle(self, arguments.number_or_inf, "rho", least=0)

    def tail(self, thresholds: ArrayLike) -> np.ndarray:
        thresholds = arguments.reals("thresholds", thresholds)
        if self.rho in (0.0, np.inf):
            return np.full_like(thresholds, float(self.rho > 0))
        return np.exp(-(np.maximum(0.0, thresholds - self.rho) ** 2) / (4 * self.rho))

    def epsilon(self, delta: float) -> float:
        return float(self.rho + 2 * np.sqrt(-self.rho * np.log(_check_delta(delta))))


@dataclass(frozen=True)
class LossTails:
    """The bounds on one loss, from the weakest assumption to the strongest, and the exact tail."""

    loss: PrivacyLoss
    markov: MomentBound
    chebyshev: VarianceBound
    moment: MomentBound
    renyi: RenyiBound
    subgaussian: SubgaussianBound

    @property
    def bounds(self) -> tuple[TailBound, ...]:
        """All five, in the order above."""
        return self.markov, self.chebyshev, self.moment, self.renyi, self.subgaussian

    def exact(self, thresholds: ArrayLike) -> np.ndarray:
        """Return P[Z > t] at each threshold, elementwise; ValueError unless they are finite."""
        return np.asarray(self.loss.tails(arguments.reals("thresholds", thresholds))[0])

    def holds(self, thresholds: ArrayLike) -> bool:
        """Return whether no bound is below the exact tail at any threshold, up to rounding."""
        exact = self.exact(thresholds)
        return all((bound.tail(thresholds) >= exact - 1e-12).all() for bound in self.bounds)


def loss_tails(loss: PrivacyLoss, *, k: float = 4, alpha: float = 4.0) -> LossTails:
    """Bound the tail of `loss` by its moments of order 1, 2 and k, and by Renyi at `alpha`.

    Raises ValueError unless k >= 1 and alpha > 1.

    >>> from dplab.losses import GaussianLoss
    >>> tails = loss_tails(GaussianLoss(1.0))
    >>> [round(bound.epsilon(1e-6), 2) for bound in tails.bounds[-2:]]
    [6.61, 5.76]
    """
    k = arguments.number("k", k, least=1, most=1e6)
    arguments.instance("loss", loss, PrivacyLoss)
    return LossTails(
        loss,
        markov=MomentBound(1, moments.absolute_moment(loss, 1)),
        chebyshev=VarianceBound(moments.mean(loss), moments.variance(loss)),
        moment=MomentBound(k, moments.absolute_moment(loss, k)),
        renyi=RenyiBound(alpha, loss.renyi(alpha)),
        subgaussian=SubgaussianBound(least_rho(loss)),
    )


def _cap(values: np.ndarray) -> np.ndarray:
    return np.minimum(1.0, values)


def _check_delta(delta: float) -> float:
    return arguments.number("delta", delta, above=0, below=1)
