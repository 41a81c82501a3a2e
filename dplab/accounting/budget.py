"""Budgets: a ledger that refuses, a filter for an analyst who adapts, and an odometer.

An analyst who adapts chooses the next query, and its price, after seeing the answers so far.
Epsilons that are fixed beforehand compose by any theorem; prices that are chosen on the way need a
`Budget` (a filter: it says no in time, so the whole is within the budget) or an `Odometer` (it
never says no, and at every moment has a true bound on what was spent).

Sources: Rogers, Roth, Ullman and Vadhan (2016) for filters and odometers; Whitehouse, Ramdas,
Rogers and Wu (2023), Theorem 1, and Feldman and Zrnic (2021): for pure DP and zCDP the sum itself
is a filter, so that freedom to adapt costs nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np

from dplab import arguments
from dplab.accounting.renyi import rho_for
from dplab.guarantees import ZCDP, ApproxDP, BoundedRange, Guarantee, PureDP

SLACK = Fraction(1, 10**12)  # relative: ten times a tenth of the budget is the budget


Kind = TypeVar("Kind", bound=Guarantee)


class BudgetExceeded(ValueError):
    """A release was refused: it would have cost more than the budget has left."""


class Budget(Generic[Kind]):
    """A budget of one kind of promise, from which releases are paid before they are made.

    A refused release costs nothing, and a smaller one may still be paid. The total promise is
    `total`, for prices chosen adaptively too. Raises BudgetExceeded, which is a ValueError, for a
    price above what is left; ValueError for one of another kind.

    >>> budget = Budget(PureDP(1.0))
    >>> budget.pay(PureDP(0.75))
    >>> budget.left
    PureDP(epsilon=0.25)
    >>> budget.allows(PureDP(0.5))
    False
    """

    def __init__(self, total: Kind):
        if not isinstance(total, PureDP | ApproxDP | ZCDP):
            raise ValueError(f"total must be PureDP, ApproxDP or ZCDP, not {total!r}")
        self.total = total
        self._spent = [Fraction(0) for _ in _prices(total)]  # exact: small prices add up, too

    @property
    def spent(self) -> Kind:
        """The sum of all that was paid."""
        return type(self.total)(*(float(spent) for spent in self._spent))

    @property
    def left(self) -> Kind:
        """What a last release may cost."""
        pairs = zip(_prices(self.total), self._spent, strict=True)
        return type(self.total)(*(max(0.0, float(total - spent)) for total, spent in pairs))

    def allows(self, price: Guarantee) -> bool:
        """Whether `price` can still be paid; ValueError for a price of another kind."""
        pairs = zip(self._with(price), _prices(self.total), strict=True)
        return all(spent <= total * (1 + SLACK) for spent, total in pairs)

    def pay(self, price: Guarantee) -> None:
        """Take `price` off the budget, or raise BudgetExceeded and take nothing."""
        if not self.allows(price):
            raise BudgetExceeded(f"price must be at most {self.left}, not {price}")
        self._spent = self._with(price)

    def _with(self, price: Guarantee) -> list[Fraction]:
        """What is spent once `price` is paid, too."""
        if type(price) is not type(self.total):
            kind = type(self.total).__name__
            raise ValueError(f"price must be {kind} as the total is, not {price}: convert first")
        return [spent + more for spent, more in zip(self._spent, _prices(price), strict=True)]


class Filter:
    """A budget of (epsilon, delta) that pays for releases of many kinds by zCDP.

    Prices PureDP, BoundedRange and ZCDP are turned into rho, and paid from the largest rho whose
    tight conversion stays within `target`. The whole is `target`-DP whatever the analyst does.

    >>> privacy = Filter(ApproxDP(1.0, 1e-6))
    >>> sum(privacy.offer(PureDP(0.05)) for _ in range(100))
    19
    """

    def __init__(self, target: ApproxDP):
        self.target = target
        self._budget = Budget(rho_for(target))

    @property
    def left(self) -> ZCDP:
        """What a last release may cost."""
        return self._budget.left

    def offer(self, price: PureDP | BoundedRange | ZCDP) -> bool:
        """Pay `price` and return True, or return False and take nothing."""
        rho = _as_zcdp(price)
        if not self._budget.allows(rho):
            return False
        self._budget.pay(rho)
        return True


class Odometer:
    """A running bound on what was spent, true at all times at once, with probability as stated.

    Levels rho_j = 2^j `smallest`, j = 0, 1, ..., are filters, each with a share
    delta_j = delta 6 / (pi^2 (j + 1)^2) of delta; shares add up to delta, so by a union bound all
    levels hold together, and the reading is that of the first level not yet full.

    `delta` is the total, above 0 and below 1; `smallest` the first level, a ZCDP above 0.
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

    def add(self, price: PureDP | BoundedRange | ZCDP) -> None:
        """Record a release that costs `price`."""
        self._spent += Fraction(_as_zcdp(price).rho)

    def read(self) -> ApproxDP:
        """(epsilon, delta_j): what all releases so far promise together."""
        ratio = self.spent.rho / self.smallest.rho
        level = max(0, int(np.ceil(np.log2(ratio) - 1e-12))) if ratio > 0 else 0
        share = self.delta * 6 / (np.pi * (level + 1)) ** 2
        return ZCDP(2.0**level * self.smallest.rho * float(1 + SLACK)).to_approx(share)


def _as_zcdp(price: PureDP | BoundedRange | ZCDP) -> ZCDP:
    if isinstance(price, ZCDP):
        return price
    if isinstance(price, PureDP | BoundedRange):
        return price.to_zcdp()
    raise ValueError(f"price must be PureDP, BoundedRange or ZCDP, not {price!r}")


def _prices(promise: Guarantee) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, vars(promise).values()))
