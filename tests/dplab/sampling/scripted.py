"""A source of bits that says what a test tells it to say, and laws in decimal arithmetic."""

from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np


@dataclass
class Script:
    """Words from a list; an error when they run out."""

    script: list[int]
    used: int = field(default=0, init=False)

    def words(self, size):
        taken = self.script[self.used : self.used + size]
        assert len(taken) == size, "the script has run out"
        self.used += size
        return np.array(taken, dtype=np.uint64)


def exp_minus(x: Fraction, digits: int = 80) -> Decimal:
    """e^{-x}, by the decimal module: a second method, not the one under test."""
    with localcontext() as context:
        context.prec = digits
        return (-Decimal(x.numerator) / Decimal(x.denominator)).exp()


def cumulative(weights: list[Decimal], total: Decimal) -> list[Decimal]:
    """P(index <= j) for all j."""
    with localcontext() as context:
        context.prec = 80
        sums, so_far = [], Decimal(0)
        for weight in weights:
            so_far += weight
            sums.append(so_far / total)
        return sums
