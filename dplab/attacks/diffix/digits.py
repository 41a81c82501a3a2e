"""A condition that picks about half of the people: a digit of a power of everybody's number.

    floor(o * (x * q)^p + 1/2) = floor(o * (x * q)^p)

holds if and only if the fractional part of o (x q)^p is below 1/2. The number looks random, and so
does the set of people for whom this holds; another q, p or o gives another set. In SQL it is one
condition, so it costs two layers of noise. To name the people one by one costs one layer each.
Sources: Cohen and Nissim (2020), for numbers of clients; Dick, Joseph and Schutzman (2020), for
latitudes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.attacks.diffix.conditions import Condition
from dplab.data.diffix import in_the_set

PRIMES = tuple(n for n in range(2, 100) if all(n % k for k in range(2, n)))
OFFSETS = (5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000)
POWERS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9)


@dataclass(frozen=True)
class Digit:
    """The condition on a column, with its factor q, power p and offset o.

    >>> Digit("client_id", 2, 0.7, 100).holds([2744]).tolist()  # (2 * 2744)^0.7 = 414.5624
    [True]
    """

    column: str
    factor: int
    power: float
    offset: int

    @property
    def text(self) -> str:
        """The condition in SQL, spelled like the name that `sql.parse` gives it."""
        base = self.column if self.factor == 1 else f"{self.column} * {self.factor}"
        number = f"POWER({base}, {self.power:.10g})"
        number = number if self.offset == 1 else f"{self.offset} * {number}"
        return f"FLOOR({number} + 0.5) = FLOOR({number})"

    @property
    def condition(self) -> Condition:
        """The result of `sql.parse` on the text."""
        name = self.text
        return Condition(name, name, self.column, (name,), maths=True, arithmetic=True)

    def holds(self, values: ArrayLike) -> np.ndarray:
        """Return for each value of the column whether the condition holds: shape (n,)."""
        return in_the_set(values, self.factor, self.power, self.offset)


def cohen_nissim_digits(column: str) -> list[Digit]:
    """List the 3,500 conditions of the attack on Diffix: 25 primes, 14 powers, 10 offsets.

    Raises ValueError for other arguments.
    """
    arguments.text("column", column)
    return [Digit(column, q, p, o) for p, q, o in product(POWERS, PRIMES, OFFSETS)]


def power_digits(column: str, m: int, low: float = 5.0, high: float = 8.0) -> list[Digit]:
    """List m conditions that differ only in the power, from `low` to `high`, four decimals.

    They suit numbers near 40.7 with six decimals, of which the last four are as good as random.
    Below the power 5 these hardly change the digit; above 8 a float has no digits left.
    Raises ValueError unless there are m powers.
    """
    arguments.text("column", column)
    low = arguments.number("low", low)
    high = arguments.number("high", high, most=15)
    most = round((high - low) * 10_000)
    m = arguments.whole("m", m, least=1, most=most)
    steps = np.floor(np.arange(m) * most / m).astype(int)
    return [Digit(column, 1, round(low + step / 10_000, 4), 1) for step in steps]


def members(digits: Sequence[Digit], values: ArrayLike) -> np.ndarray:
    """Return the members of the set of each condition, as bools of shape (m, n).

    Raises ValueError for other arguments.
    """
    digits = arguments.instances("digits", digits, Digit)
    values = arguments.reals("values", values, ndim=1)
    return np.array([digit.holds(values) for digit in digits])
