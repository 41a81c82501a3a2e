"""Budgets: a filter refuses before the budget is exceeded, and an odometer only measures.

An analyst who adapts chooses the next query, and its price, after seeing the answers so far.
Epsilons that are fixed beforehand compose by any theorem. Prices that are chosen on the way need a
`Budget` or an `Odometer`. A budget is a filter: it refuses in time, so that the total stays within
the budget. An odometer never refuses, and at every moment it has a true bound on the spent amount.
Both accept every price that converts into their own kind of guarantee (`Guarantee.convert_to`).

Sources: Rogers, Roth, Ullman and Vadhan (2016) for filters and odometers; Whitehouse, Ramdas,
Rogers and Wu (2023), Theorem 1, and Feldman and Zrnic (2021): for pure DP and zCDP the sum itself
is a filter, so that freedom to adapt costs nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np

from dplab import arguments
from dplab.deprecated import OldName
from dplab.guarantees import ZCDP, ApproxDP, Guarantee, PureDP

SLACK = Fraction(1, 10**12)  # relative: ten releases at a tenth of the budget must fit


Kind = TypeVar("Kind", bound=Guarantee)


class Refused(ValueError):
    """A curator's refusal to answer a question; the message says which questions are allowed."""


class BudgetExceeded(Refused):
    """A refusal of a release that costs more than the budget has left."""


class Budget(Generic[Kind]):
    """A budget of one kind of guarantee, from which releases are paid before they are made.

    A refused release costs nothing, and a smaller one may still be paid. The total guarantee is
    `total`, for prices chosen adaptively too. A price of another kind is converted into the total's
    kind: a ZCDP budget, for instance, pays for PureDP and BoundedRange the rho that they imply.
    Raises BudgetExceeded, a ValueError, for a price above the remaining budget. Raises ValueError
    for a price that implies no guarantee of the total's kind.

    >>> budget = Budget(PureDP(1.0))
    >>> budget.pay(PureDP(0.75))
    >>> budget.remaining
    PureDP(epsilon=0.25)
    >>> budget.allows(PureDP(0.5))
    False
    """

    def __init__(self, total: Kind):
        if not isinstance(total, PureDP | ApproxDP | ZCDP):
            raise ValueError(f"total must be PureDP, ApproxDP or ZCDP, not {total!r}")
        self.total = total
        self._spent = [Fraction(0) for _ in _list_prices(total)]  # exact, so small prices add up

    @property
    def spent(self) -> Kind:
        """The sum of all that was paid."""
        return type(self.total)(*(float(spent) for spent in self._spent))

    @property
    def remaining(self) -> Kind:
        """The budget that remains for further releases."""
        pairs = zip(_list_prices(self.total), self._spent, strict=True)
        return type(self.total)(*(max(0.0, float(total - spent)) for total, spent in pairs))

    left = OldName("remaining")

    def allows(self, *prices: Guarantee) -> bool:
        """Return whether all these prices can still be paid; ValueError if one doesn't convert."""
        pairs = zip(self._add_to_spent(*prices), _list_prices(self.total), strict=True)
        return all(spent <= total * (1 + SLACK) for spent, total in pairs)

    def check(self, *prices: Guarantee) -> None:
        """Raise BudgetExceeded unless all these prices can still be paid. Nothing is paid."""
        if not self.allows(*prices):
            total_price = " + ".join(map(str, prices))
            raise BudgetExceeded(f"price must be at most {self.remaining}, not {total_price}")

    def pay(self, price: Guarantee) -> None:
        """Pay `price` from the budget, or raise BudgetExceeded and pay nothing."""
        self.check(price)
        self._spent = self._add_to_spent(price)

    def _add_to_spent(self, *prices: Guarantee) -> list[Fraction]:
        """Return the amounts that are spent after these prices are paid, too."""
        for price in prices:
            if not isinstance(price, Guarantee):
                raise ValueError(f"price must be a Guarantee, not {price!r}")
        amounts = [_list_prices(price.convert_to(type(self.total))) for price in prices]
        return [sum(parts, Fraction(0)) for parts in zip(self._spent, *amounts, strict=True)]


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
        arguments.number("smallest.rho", smallest.rho, above=0)
        self.smallest, self._spent = smallest, Fraction(0)

    @property
    def spent(self) -> ZCDP:
        """The sum of all that was added."""
        return ZCDP(float(self._spent))

    def add(self, price: Guarantee) -> None:
        """Record a release that costs `price`; ValueError for one that implies no ZCDP."""
        self._spent += Fraction(price.convert_to(ZCDP).rho)

    def read(self) -> ApproxDP:
        """Return (epsilon, delta_j), the guarantee of all releases so far together."""
        level, first = 0, Fraction(self.smallest.rho)
        while self._spent > 2**level * first * (1 + SLACK):
            level += 1
        share = self.delta * 6 / (np.pi * (level + 1)) ** 2
        return ZCDP(float(2**level * Fraction(self.smallest.rho) * (1 + SLACK))).to_approx(share)


def _list_prices(guarantee: Guarantee) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, vars(guarantee).values()))
