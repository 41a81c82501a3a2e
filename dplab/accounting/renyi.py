"""Renyi and zero-concentrated accounting: curves of orders, and what subsampling saves.

A curve gives for each order alpha the Renyi divergence of neighbouring outputs, in nats. Curves of
adaptive releases add up; one order, the best, is turned into (epsilon, delta) in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.bisection import edge
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, PureDP, RenyiDP

ORDERS = tuple(1 + 10 ** np.linspace(-2, 4, 241))  # where no other orders are asked for
WHOLE_ORDERS = tuple(range(2, 257))


@dataclass(frozen=True)
class RenyiCurve:
    """(orders[i], epsilons[i])-Renyi DP for every i: orders above 1, epsilons in nats.

    `a + b` composes, adaptively too, at the orders that both have; `k * a` is k releases.
    Raises ValueError for lists of different length, orders at most 1 or negative epsilons.
    Source: Mironov (2017), Proposition 1.

    >>> curve = RenyiCurve.of(ZCDP(0.00125))  # a normal law, sigma 20
    >>> round((1000 * curve).to_approx(1e-6).epsilon, 2)
    8.85
    """

    orders: tuple[float, ...]
    epsilons: tuple[float, ...]

    def __post_init__(self):
        if not self.orders or len(self.orders) != len(self.epsilons):
            raise ValueError(
                f"orders and epsilons must be as many, and some, "
                f"not {len(self.orders)} and {len(self.epsilons)}"
            )
        promises = [RenyiDP(a, e) for a, e in zip(self.orders, self.epsilons, strict=True)]
        object.__setattr__(self, "orders", tuple(promise.alpha for promise in promises))
        object.__setattr__(self, "epsilons", tuple(promise.epsilon for promise in promises))

    @classmethod
    def of(cls, promise: PureDP | ZCDP | BoundedRange, orders: Sequence[float] = ORDERS):
        """The curve that another kind of promise implies, the tightest known at each order."""
        if isinstance(promise, BoundedRange):
            subgaussian, pure = cls.of(promise.to_zcdp(), orders), cls.of(promise.to_pure(), orders)
            pairs = zip(subgaussian.epsilons, pure.epsilons, strict=True)
            return cls(tuple(orders), tuple(min(pair) for pair in pairs))
        return cls(tuple(orders), tuple(promise.to_renyi(alpha).epsilon for alpha in orders))

    @classmethod
    def from_function(cls, divergence: Callable[[float], float], orders=ORDERS) -> RenyiCurve:
        """The curve of a divergence given as a function of the order, as `PrivacyLoss.renyi`."""
        return cls(tuple(orders), tuple(divergence(alpha) for alpha in orders))

    def __add__(self, other: RenyiCurve) -> RenyiCurve:
        theirs = dict(zip(other.orders, other.epsilons, strict=True))
        mine = zip(self.orders, self.epsilons, strict=True)
        total = {alpha: e + theirs[alpha] for alpha, e in mine if alpha in theirs}
        if not total:
            raise ValueError("curves must share an order to compose, and these share none")
        return RenyiCurve(tuple(total), tuple(total.values()))

    def __rmul__(self, k: int) -> RenyiCurve:
        k = arguments.whole("k", k, least=1)
        return RenyiCurve(self.orders, tuple(k * e for e in self.epsilons))

    def to_approx(self, delta: float) -> ApproxDP:
        """The best `RenyiDP.to_approx` over the orders (Canonne, Kamath and Steinke 2020)."""
        pairs = zip(self.orders, self.epsilons, strict=True)
        promises = [RenyiDP(alpha, e).to_approx(delta) for alpha, e in pairs]
        return min(promises, key=lambda promise: promise.epsilon)

    def delta(self, epsilon: float) -> float:
        """The least delta over the orders for a given `epsilon`, in nats; it inverts `to_approx`.

        e^{(alpha - 1)(tau - epsilon)} (1 - 1/alpha)^alpha / (alpha - 1), tau the curve at alpha.
        Source: Canonne, Kamath and Steinke (2020), Proposition 12.
        """
        epsilon = arguments.number("epsilon", epsilon, least=0)
        a, tau = np.array(self.orders), np.array(self.epsilons)
        logs = (a - 1) * (tau - epsilon) + a * np.log1p(-1 / a) - np.log(a - 1)
        return float(min(1.0, np.exp(logs.min())))


def simple_epsilon(promise: ZCDP, *, delta: float) -> float:
    """rho + 2 sqrt(rho ln(1 / delta)), in nats: what `ZCDP.to_approx` improves on.

    Source: Bun and Steinke (2016), Proposition 1.3.

    >>> round(simple_epsilon(ZCDP(0.5), delta=1e-6), 4), round(ZCDP(0.5).to_approx(1e-6).epsilon, 4)
    (5.7565, 5.2215)
    """
    delta = arguments.number("delta", delta, above=0, below=1)
    return float(promise.rho + 2 * np.sqrt(promise.rho * np.log(1 / delta)))


def rho_for(target: ApproxDP) -> ZCDP:
    """The largest rho whose `ZCDP.to_approx` stays within `target`: the budget it can buy.

    Raises ValueError unless 0 < delta < 1.
    """
    delta = arguments.number("delta", target.delta, above=0, below=1)
    return ZCDP(edge(lambda rho: ZCDP(rho).to_approx(delta).epsilon <= target.epsilon)[0])


def subsampled(promise: ApproxDP, *, rate: float) -> ApproxDP:
    """The promise when each record takes part with probability `rate`, in secret.

    (ln(1 + rate (e^epsilon - 1)), rate delta): tight for Poisson sampling under add-remove, and for
    rate = m / n with m of n records drawn without replacement under replace-one.
    Raises ValueError unless 0 <= rate <= 1.
    Source: Balle, Barthe and Gaboardi (2018), Theorems 8 and 9.

    >>> round(subsampled(ApproxDP(1.0, 1e-5), rate=0.01).epsilon, 6)
    0.017037
    """
    rate = arguments.number("rate", rate, least=0, most=1)
    return ApproxDP(float(np.log1p(rate * np.expm1(promise.epsilon))), rate * promise.delta)


def subsampled_gaussian(
    sigma: float, *, rate: float, orders: Sequence[int] = WHOLE_ORDERS
) -> RenyiCurve:
    """Normal noise of `sigma` sensitivities on a Poisson sample: its exact Renyi curve.

    log(sum_j C(alpha, j) (1 - rate)^{alpha - j} rate^j e^{j (j - 1) / (2 sigma^2)}) / (alpha - 1)
    at whole orders alpha, for neighbours that add or remove one record; the other direction of
    the divergence is smaller. Each record takes part with probability `rate`, independently.
    Raises ValueError unless sigma > 0, 0 < rate <= 1 and orders are whole numbers from 2 on.
    Source: Mironov, Talwar and Zhang (2019), Theorems 4 and 5, equation 10.
    """
    sigma = arguments.number("sigma", sigma, above=0)
    rate = arguments.number("rate", rate, above=0, most=1)
    orders = [arguments.whole("orders", alpha, least=2) for alpha in orders]
    if rate == 1:
        return RenyiCurve.of(ZCDP(1 / (2 * sigma**2)), orders)
    return RenyiCurve(
        tuple(orders), tuple(_mixture_divergence(alpha, sigma, rate) for alpha in orders)
    )


def _mixture_divergence(alpha: int, sigma: float, rate: float) -> float:
    from scipy.special import gammaln, logsumexp

    j = np.arange(alpha + 1)
    choose = gammaln(alpha + 1) - gammaln(j + 1) - gammaln(alpha - j + 1)
    logs = choose + (alpha - j) * np.log1p(-rate) + j * np.log(rate) + j * (j - 1) / (2 * sigma**2)
    return max(0.0, float(logsumexp(logs)) / (alpha - 1))


def subsampled_without_replacement(curve: RenyiCurve, *, rate: float) -> RenyiCurve:
    """The curve when m = rate n of n records are drawn without replacement, in secret.

    With g = rate and e(j) the curve of the mechanism on the sample, at whole orders alpha
        log(1 + g^2 C(alpha, 2) min(4 (e^{e(2)} - 1), 2 e^{e(2)})
              + sum_{j=3}^alpha 2 g^j C(alpha, j) e^{(j - 1) e(j)}) / (alpha - 1),
    for neighbours that replace one record. `curve` must have the orders 2, 3, ..., up to its last.
    Raises ValueError unless 0 <= rate <= 1 and the orders are those.
    Source: Wang, Balle and Kasiviswanathan (2019), Theorem 9, for an unbounded loss.
    """
    rate = arguments.number("rate", rate, least=0, most=1)
    count = len(curve.orders)
    if curve.orders != tuple(range(2, count + 2)):
        raise ValueError(f"orders must be 2, 3, ..., {count + 1}, not {curve.orders}")
    if rate == 0:
        return RenyiCurve(curve.orders, (0.0,) * count)
    bounds = (
        min(_without_replacement(curve, alpha, rate), e)
        for alpha, e in zip(range(2, count + 2), curve.epsilons, strict=True)
    )
    return RenyiCurve(curve.orders, tuple(bounds))


def _without_replacement(curve: RenyiCurve, alpha: int, rate: float) -> float:
    from scipy.special import gammaln, logsumexp

    j = np.arange(2, alpha + 1)
    e = np.array(curve.epsilons[: alpha - 1])
    logs = gammaln(alpha + 1) - gammaln(j + 1) - gammaln(alpha - j + 1) + j * np.log(rate)
    logs += np.log(2) + (j - 1) * e
    with np.errstate(divide="ignore"):
        small = np.log(4) + np.log(-np.expm1(-e[0])) + e[0]  # log(4 (e^{e(2)} - 1))
    logs[0] += min(0.0, small - np.log(2) - e[0])
    return float(logsumexp(np.append(logs, 0.0)) / (alpha - 1))
