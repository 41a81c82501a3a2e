"""Releases, each described by a loss, a Renyi curve, or a guarantee alone.

Accounting takes mechanisms, and asks each for the loss of its worst pair of neighbours. A guarantee
counts as the worst mechanism that keeps it. For epsilon-DP that is randomized response; for
(epsilon, delta)-DP it also tells everything with probability delta. Guarantees of Renyi
divergences, and of a bounded range, have no single worst mechanism; they have a curve, as losses
have.

Sources: Kairouz, Oh and Viswanath (2015), Theorem 3.1, for the worst mechanisms; Zhu, Dong and Wang
(2022), Theorem 10, for adding up losses that dominate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from dplab import arguments
from dplab.accounting.optimal import randomized_response_loss
from dplab.accounting.renyi import ORDERS, RenyiCurve
from dplab.accounting.trade_off import TradeOff
from dplab.deprecated import OldName, old_arguments, old_names
from dplab.guarantees import ApproxDP, Guarantee, PureDP, RenyiDP
from dplab.losses import AtomicLoss, DiscretizedLoss, PrivacyLoss
from dplab.mechanism import Composed, DerivedMechanism, Mechanism

Known = Mechanism | PrivacyLoss | Guarantee


@old_arguments(what="mechanism")
@dataclass(frozen=True)
class Release:
    """One mechanism that runs `count` times on the same data.

    `mechanism` may also be a PrivacyLoss or a guarantee, if no more is known. Raises ValueError for
    anything else, and unless `count` is a whole number of at least 1.
    """

    mechanism: Known
    count: int = 1
    what = OldName("mechanism")

    def __post_init__(self):
        arguments.settle(self, arguments.whole, "count", least=1)
        if not isinstance(self.mechanism, Known):
            kinds = "a mechanism, a PrivacyLoss or a guarantee"
            raise ValueError(f"mechanism must be {kinds}, not {self.mechanism!r}")

    @property
    def is_tight(self) -> bool:
        """True if a loss is known that some neighbours have: see `Mechanism.is_tight`."""
        source = self.mechanism
        return source.is_tight if isinstance(source, Mechanism) else isinstance(source, PrivacyLoss)


Parts = list[tuple[PrivacyLoss | Guarantee, int]]


def worst_cases(releases: Sequence[Release]) -> Parts:
    """Return the worst loss or the guarantee of each mechanism, and how often it runs.

    Raises ValueError for no releases, and for mechanisms with different relations of neighbours.
    """
    releases = arguments.instances("releases", releases, Release)
    relations = [r.mechanism.neighbors for r in releases if isinstance(r.mechanism, Mechanism)]
    for relation in relations[1:]:
        if relation != relations[0]:
            raise ValueError(
                "releases must have guarantees for the same neighbors, "
                f"not {relations[0]} and {relation}"
            )
    return [
        part
        for release in releases
        for part in _collect_worst_cases(release.mechanism, release.count)
    ]


def _collect_worst_cases(source: Known, count: int) -> Iterator[tuple]:
    if isinstance(source, DerivedMechanism):
        source = source.mechanism
    if isinstance(source, Composed):
        for mechanism in source.parts:
            yield from _collect_worst_cases(mechanism, count)
        return
    part = source.worst_case if isinstance(source, Mechanism) else source
    part = part.loss if isinstance(part, TradeOff) else part
    losses = part.parts if isinstance(part, DiscretizedLoss) else ((part, 1),)
    yield from ((loss, k * count) for loss, k in losses)


def worst_loss(part: PrivacyLoss | Guarantee) -> PrivacyLoss | None:
    """Return the loss, or that of the worst mechanism with the guarantee; None without one.

    >>> worst_loss(PureDP(0.5)).largest
    0.5
    """
    if isinstance(part, PureDP) or (isinstance(part, ApproxDP) and part.delta == 0):
        return randomized_response_loss(part.epsilon)
    if isinstance(part, ApproxDP):
        e, catastrophe = part.epsilon, part.delta
        truth, lie = (1 - catastrophe) * np.exp(-np.logaddexp(0, [-e, e]))
        p, q = np.array([0, lie, truth, catastrophe]), np.array([catastrophe, truth, lie, 0])
        return AtomicLoss(np.array([-np.inf, -e, e, np.inf]), p, q)
    return part if isinstance(part, PrivacyLoss) else None


def renyi_curve(releases: Sequence[Release]) -> tuple[RenyiCurve, float]:
    """Return the Renyi curve of all releases together, and the probability that it leaves out.

    With that probability, 1 - prod (1 - delta_i), one of the releases that guarantee
    (epsilon_i, delta_i)-DP tells everything; the curve is that of all others. Its orders are those
    of the curves and Renyi guarantees among the releases. Raises ValueError for a loss that may be
    infinite, or for curves that share no order.

    >>> curve, besides = renyi_curve([Release(PureDP(0.1), 100), Release(ApproxDP(0.1, 1e-9))])
    >>> round(curve.to_approx(1e-6).epsilon, 4), besides
    (5.103, 1e-09)
    """
    parts = worst_cases(releases)
    own_orders = [_get_own_orders(part) for part, _ in parts]
    orders = next((tuple(orders) for orders in own_orders if orders), ORDERS)
    pure_parts = ((PureDP(p.epsilon) if isinstance(p, ApproxDP) else p, k) for p, k in parts)
    total = reduce(add, [k * RenyiCurve.of(part, orders) for part, k in pure_parts])
    catastrophes = [(part.delta, k) for part, k in parts if isinstance(part, ApproxDP)]
    with np.errstate(divide="ignore"):  # a delta of 1
        log_silence = sum(k * np.log1p(-delta) for delta, k in catastrophes)
    return total, float(-np.expm1(log_silence))


def _get_own_orders(part: PrivacyLoss | Guarantee) -> tuple[float, ...]:
    if isinstance(part, RenyiDP):
        return (part.alpha,)
    return part.orders if isinstance(part, RenyiCurve) else ()


__getattr__ = old_names(__name__, Repeated="Release")
