"""Renyi and zero-concentrated accounting: curves of orders, and the way to (epsilon, delta).

A curve gives for each order alpha the Renyi divergence of neighbouring outputs, in nats. Curves of
adaptive releases add up. In the end the best order is converted into (epsilon, delta).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dplab import arguments, plots
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, Guarantee, PureDP, RenyiDP
from dplab.guarantees import rho_for as rho_for
from dplab.losses import PrivacyLoss

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ORDERS = tuple(1 + 10 ** np.linspace(-2, 4, 241))  # unless the caller gives other orders


@dataclass(frozen=True)
class RenyiCurve(Guarantee):
    """(orders[i], epsilons[i])-Renyi DP for every i: orders above 1, epsilons in nats.

    A guarantee like the others: `a + b` composes, adaptively too, at the orders that both have;
    `k * a` is k releases.
    Raises ValueError for lists of different length, orders at most 1 or negative epsilons.
    Source: Mironov (2017), Proposition 1.

    >>> curve = RenyiCurve.of(ZCDP(0.00125))  # a normal law, sigma 20
    >>> round((1000 * curve).to_approx(1e-6).epsilon, 2)
    8.85
    """

    orders: tuple[float, ...]
    epsilons: tuple[float, ...]

    def __post_init__(self):
        arguments.settle(self, arguments.sequence, "orders", "epsilons", may_be_empty=True)
        if not self.orders or len(self.orders) != len(self.epsilons):
            raise ValueError(
                f"orders and epsilons must be of one length, at least 1, "
                f"not {len(self.orders)} and {len(self.epsilons)}"
            )
        for order, epsilon in self._pairs:
            arguments.number("each of orders", order, above=1)
            arguments.number("each of epsilons", epsilon, least=0)
        guarantees = [RenyiDP(*pair) for pair in self._pairs]
        object.__setattr__(self, "orders", tuple(guarantee.alpha for guarantee in guarantees))
        object.__setattr__(self, "epsilons", tuple(guarantee.epsilon for guarantee in guarantees))

    @property
    def _pairs(self) -> Iterator[tuple[float, float]]:
        """Each order and its epsilon."""
        return zip(self.orders, self.epsilons, strict=True)

    @classmethod
    def of(cls, source: Guarantee | PrivacyLoss, orders: Sequence[float] = ORDERS) -> RenyiCurve:
        """Return the curve of a loss, or the tightest known one that another guarantee implies.

        A loss counts in its worse direction at each order.
        A Renyi guarantee has its own order only, a curve its own. Raises ValueError for a loss that
        may be infinite, and for a guarantee that implies no curve.
        """
        if isinstance(source, RenyiCurve):
            return source
        if isinstance(source, RenyiDP):
            return cls((source.alpha,), (source.epsilon,))
        if isinstance(source, BoundedRange):
            pairs = zip(
                *(cls.of(p, orders).epsilons for p in (source.to_zcdp(), source.to_pure())),
                strict=True,
            )
            return cls(tuple(orders), tuple(min(pair) for pair in pairs))
        if isinstance(source, PrivacyLoss):
            if source.infinite or source.reverse().infinite:
                raise ValueError(f"what may be infinite has no Renyi curve: {source!r}")
            directions = {source} if source.is_symmetric else {source, source.reverse()}
            return cls(tuple(orders), tuple(max(d.renyi(a) for d in directions) for a in orders))
        if isinstance(source, PureDP | ZCDP):
            return cls(tuple(orders), tuple(source.to_renyi(alpha).epsilon for alpha in orders))
        raise ValueError(f"{source!r} implies no Renyi curve")

    def __add__(self, other: RenyiCurve) -> RenyiCurve:
        epsilons = dict(other._pairs)
        total = {alpha: e + epsilons[alpha] for alpha, e in self._pairs if alpha in epsilons}
        if not total:
            raise ValueError("curves must share an order to compose, and these share none")
        return RenyiCurve(tuple(total), tuple(total.values()))

    def group(self, k: int) -> RenyiCurve:
        """Convert each order from 2 k on by `RenyiDP.group`, for a k that is a power of 2.

        Raises ValueError for another k, and if no order is as large.
        """
        guarantees = [RenyiDP(*pair) for pair in self._pairs]
        groups = [
            guarantee.group(k) for guarantee in guarantees if k == 1 or guarantee.alpha >= 2 * k
        ]
        if not groups:
            raise ValueError(f"k must be at most half of the largest order, not {k}")
        return RenyiCurve(tuple(p.alpha for p in groups), tuple(p.epsilon for p in groups))

    def holds_for(self, loss: PrivacyLoss) -> bool:
        """Return whether the loss keeps the guarantee at each of its orders."""
        return all(RenyiDP(*pair).holds_for(loss) for pair in self._pairs)

    def __rmul__(self, k: int) -> RenyiCurve:
        k = arguments.whole("k", k, least=1)
        return RenyiCurve(self.orders, tuple(k * e for e in self.epsilons))

    def to_approx(self, delta: float) -> ApproxDP:
        """Return the best `RenyiDP.to_approx` over the orders."""
        guarantees = [RenyiDP(*pair).to_approx(delta) for pair in self._pairs]
        return min(guarantees, key=lambda guarantee: guarantee.epsilon)

    def delta(self, epsilon: float) -> float:
        """Return the least delta over the orders at `epsilon`, in nats; it inverts `to_approx`.

        It is the least e^{(alpha - 1)(tau - epsilon)} (1 - 1/alpha)^alpha / (alpha - 1), where tau
        is the curve at alpha.
        Source: Canonne, Kamath and Steinke (2020), Proposition 12.
        """
        epsilon = arguments.number("epsilon", epsilon, least=0)
        a, tau = np.array(self.orders), np.array(self.epsilons)
        logs = (a - 1) * (tau - epsilon) + a * np.log1p(-1 / a) - np.log(a - 1)
        return float(np.exp(min(0.0, logs.min())))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the divergence of each order, with logarithmic axes, into `ax`; return the axes."""
        ax = plots.label_axes(ax, xlabel="order α", ylabel="Rényi divergence (nats)")
        ax.set(xscale="log", yscale="log" if max(self.epsilons) > 0 else "linear")
        ax.plot(self.orders, self.epsilons, marker="." if len(self.orders) < 30 else "")
        return ax


def simple_epsilon(promise: ZCDP, *, delta: float) -> float:
    """Return rho + 2 sqrt(rho ln(1 / delta)), in nats; `ZCDP.to_approx` is better.

    Raises ValueError unless 0 < delta < 1. Source: Bun and Steinke (2016), Proposition 1.3.

    >>> round(simple_epsilon(ZCDP(0.5), delta=1e-6), 4), round(ZCDP(0.5).to_approx(1e-6).epsilon, 4)
    (5.7565, 5.2215)
    """
    promise = arguments.guarantee("promise", promise, ZCDP)
    delta = arguments.number("delta", delta, above=0, below=1)
    return float(promise.rho + 2 * np.sqrt(-promise.rho * np.log(delta)))
