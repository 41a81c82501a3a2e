"""Budgets: a filter refuses before the budget is exceeded, and an odometer only measures.

An analyst who adapts chooses the next query, and its price, after seeing the answers so far.
Epsilons that are fixed beforehand compose by any theorem. Prices that are chosen on the way need a
`Budget` or an `Odometer`. A budget is a filter: it refuses in time, so that the total stays within
the budget. An odometer never refuses, and at every moment it has a true bound on the spent amount.
Both take mechanisms and guarantees, at the price that these imply in their own kind of guarantee
(`Mechanism.price_in`, `Guarantee.convert_to`).

**Mixed kinds.** A budget of (epsilon, delta)-DP adds up epsilons and deltas, until a price has only
a rho. From then on it works in concentrated DP. Let (e, d) be the rest at that time, and rho the
largest with which rho-zCDP implies (e, d/2)-DP. All prices from then on may cost rho together, and
deltas of d/2. An (epsilon, delta)-DP price costs epsilon tanh(epsilon / 2) and delta: with
probability delta it tells everything, otherwise it is randomized response of epsilon, at worst. All
these answers together are (d/2)-approximate rho-zCDP, and so (e, d)-DP. The answers before decide
what (e, d) is, and both parts together keep the total, because the sums of epsilons and deltas are
a filter.

Sources: Rogers, Roth, Ullman and Vadhan (2016) for filters and odometers; Whitehouse, Ramdas,
Rogers and Wu (2023), Theorem 1, and Feldman and Zrnic (2021): for pure DP and approximate zCDP the
sum itself is a filter, so that freedom to adapt costs nothing. Bun and Steinke (2016), Section 8,
for approximate zCDP; Kairouz, Oh and Viswanath (2015) for (epsilon, delta)-DP.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic

import numpy as np

from dplab import arguments
from dplab.bisection import edge
from dplab.deprecated import OldName
from dplab.guarantees import ZCDP, ApproxDP, Guarantee, Kind, PureDP, rho_for
from dplab.mechanism import Mechanism

SLACK = Fraction(1, 10**12)  # relative: ten releases at a tenth of the budget must fit

Price = Guarantee | Mechanism


class Refused(ValueError):
    """A curator's refusal to answer a question; the message says which questions are allowed."""


class BudgetExceeded(Refused):
    """A refusal of a release that costs more than the budget has left."""


@dataclass(frozen=True)
class _Sums:
    """Limits and spent amounts, as exact numbers, so that small prices add up.

    The numbers are those of the total's kind, or a rho and a delta.
    """

    limits: tuple[Fraction, ...]
    spent: tuple[Fraction, ...]

    @classmethod
    def of(cls, *limits: float) -> _Sums:
        return cls(tuple(map(Fraction, limits)), (Fraction(0),) * len(limits))

    @property
    def remaining(self) -> list[float]:
        return [max(0.0, float(a - b)) for a, b in zip(self.limits, self.spent, strict=True)]

    @property
    def are_within_limits(self) -> bool:
        pairs = zip(self.spent, self.limits, strict=True)
        return all(spent <= limit * (1 + SLACK) for spent, limit in pairs)

    def add(self, *amounts: float) -> _Sums:
        pairs = zip(self.spent, amounts, strict=True)
        return replace(self, spent=tuple(spent + Fraction(amount) for spent, amount in pairs))


class Budget(Generic[Kind]):
    """A budget of one kind of guarantee, from which releases are paid before they are made.

    A refused release costs nothing, and a smaller one may still be paid. The total guarantee is
    `total`, for prices chosen adaptively too. A price is a mechanism or a guarantee, and is
    converted into the total's kind: a ZCDP budget, for instance, pays the rho that an exponential
    mechanism has by its bounded range. An ApproxDP budget takes prices that have only a rho, too,
    by the rule above. Raises BudgetExceeded, a ValueError, for a price above the remaining budget.
    Raises ValueError for a price that implies no guarantee of the total's kind.

    >>> budget = Budget(PureDP(1.0))
    >>> budget.pay(PureDP(0.75))
    >>> budget
    Budget(total=PureDP(epsilon=1.0), remaining=PureDP(epsilon=0.25))
    >>> budget.allows(PureDP(0.5))
    False
    >>> mixed = Budget(ApproxDP(1.0, 1e-6))
    >>> mixed.pay(2 * PureDP(0.1))
    >>> mixed.pay(ZCDP(0.001))
    >>> round(mixed.spent.epsilon, 3), mixed.spent.delta
    (0.39, 5e-07)
    """

    def __init__(self, total: Kind):
        if not isinstance(total, PureDP | ApproxDP | ZCDP):
            raise ValueError(
                "total must be PureDP, ApproxDP or ZCDP, such as ApproxDP(1.0, 1e-6), "
                f"not {total!r}"
            )
        self.total = total
        self._sums = _Sums.of(*vars(total).values())
        self._rhos: _Sums | None = None  # rho and delta, from the first price that has only a rho

    def __repr__(self) -> str:
        return f"Budget(total={self.total!r}, remaining={self.remaining!r})"

    @property
    def spent(self) -> Kind:
        """The sum of all prices that were paid.

        A spent rho counts as its epsilon at half of the delta that was left (d/2 in the module).
        """
        amounts = list(map(float, self._sums.spent))
        if self._rhos is not None:
            rho, delta = map(float, self._rhos.spent)
            half = float(self._rhos.limits[1])
            amounts[0] += ZCDP(rho).to_approx(half).epsilon if half else 0.0
            amounts[1] += half + delta
        return type(self.total)(*amounts)

    @property
    def remaining(self) -> Kind:
        """The largest price of the total's kind that can still be paid."""
        amounts = self._sums.remaining
        if self._rhos is not None:
            rho, delta = self._rhos.remaining
            amounts = [edge(lambda epsilon: PureDP(epsilon).to_zcdp().rho <= rho)[0], delta]
        return type(self.total)(*amounts)

    left = OldName("remaining")

    def allows(self, *prices: Price) -> bool:
        """Return whether all these prices can still be paid; ValueError if one doesn't convert."""
        return _is_within_limits(self._add(*prices))

    def check(self, *prices: Price) -> None:
        """Raise BudgetExceeded unless all these prices can still be paid. Nothing is paid."""
        self._check_prices(*prices)

    def pay(self, price: Price) -> None:
        """Pay `price` from the budget, or raise BudgetExceeded and pay nothing."""
        self._sums, self._rhos = self._check_prices(price)

    def _check_prices(self, *prices: Price) -> tuple[_Sums, _Sums | None]:
        """Return what is spent after these prices are paid, too, or raise BudgetExceeded."""
        sums = self._add(*prices)
        if _is_within_limits(sums):
            return sums
        limit = str(self.remaining)
        if sums[1]:
            limit += f" or {ZCDP((self._rhos or _split(self._sums)).remaining[0])}"
        names = " + ".join(str(self._convert(price, self._rhos)) for price in prices)
        raise BudgetExceeded(f"price must be at most {limit}, not {names}")

    def _add(self, *prices: Price) -> tuple[_Sums, _Sums | None]:
        """Return what is spent after these prices are paid, too."""
        sums, rhos = self._sums, self._rhos
        for price in prices:
            cost = self._convert(price, rhos)
            if rhos is None and isinstance(cost, type(self.total)):
                sums = sums.add(*vars(cost).values())
            elif isinstance(cost, ZCDP):
                rhos = (rhos or _split(sums)).add(cost.rho, 0.0)
            else:
                rhos = (rhos or _split(sums)).add(PureDP(cost.epsilon).to_zcdp().rho, cost.delta)
        return sums, rhos

    def _convert(self, price: Price, rhos: _Sums | None) -> Any:
        """Return the price as a guarantee of the first kind that the budget takes now."""
        if not isinstance(self.total, ApproxDP):
            return _price_in(type(self.total), price)
        first, second = (ZCDP, ApproxDP) if rhos else (ApproxDP, ZCDP)
        with suppress(ValueError):
            return _price_in(first, price)
        return _price_in(second, price)


def _is_within_limits(sums: tuple[_Sums, _Sums | None]) -> bool:
    return all(part.are_within_limits for part in sums if part)


def _price_in(kind: type[Kind], price: Price) -> Kind:
    if isinstance(price, Mechanism):
        return price.price_in(kind)
    if isinstance(price, Guarantee):
        return price.convert_to(kind)
    raise ValueError(f"price must be a Guarantee or a Mechanism, not {price!r}")


def _split(sums: _Sums) -> _Sums:
    """Return the sums of rho and delta that are within what remains of epsilon and delta."""
    epsilon, delta = sums.remaining
    half = delta / 2  # 0 for the least float
    return _Sums.of(rho_for(ApproxDP(epsilon, half)).rho if half else 0.0, half)


class Odometer:
    """A running bound on the total price, true at all times at once except with probability delta.

    Levels rho_j = 2^j `smallest`, j = 0, 1, ..., are filters, each with a share
    delta_j = delta 6 / (pi^2 (j + 1)^2) of delta. The shares add up to delta, so by a union bound
    all levels hold together. The reading is that of the first level that is not yet full.

    `delta` is the total, above 0 and below 1; `smallest` the first level, a ZCDP above 0. Raises
    ValueError otherwise.
    Source: Rogers, Roth, Ullman and Vadhan (2016), Section 6; Feldman and Zrnic (2021), Section 5.

    >>> odometer = Odometer(delta=1e-6, smallest=ZCDP(0.01))
    >>> odometer.add(ZCDP(0.005))
    >>> round(odometer.read().epsilon, 3)
    0.637
    """

    def __init__(self, *, delta: float, smallest: ZCDP):
        self.delta = arguments.number("delta", delta, above=0, below=1)
        smallest = arguments.guarantee("smallest", smallest, ZCDP)
        arguments.number("smallest.rho", smallest.rho, above=0)
        self.smallest, self._spent = smallest, Fraction(0)

    @property
    def spent(self) -> ZCDP:
        """The sum of all that was added."""
        return ZCDP(float(self._spent))

    def add(self, price: Price) -> None:
        """Record a release that costs `price`; ValueError for one that implies no ZCDP."""
        self._spent += Fraction(_price_in(ZCDP, price).rho)

    def read(self) -> ApproxDP:
        """Return (epsilon, delta_j), the guarantee of all releases so far together."""
        level, first = 0, Fraction(self.smallest.rho)
        while self._spent > 2**level * first * (1 + SLACK):
            level += 1
        share = self.delta * 6 / (np.pi * (level + 1)) ** 2
        return ZCDP(float(2**level * Fraction(self.smallest.rho) * (1 + SLACK))).to_approx(share)
