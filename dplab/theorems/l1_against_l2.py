"""Theorem: ||v||_2 <= ||v||_1 <= sqrt(d) ||v||_2 for v in R^d, with its effect on noise.

Laplace noise is scaled to the L1 norm of a move, Gaussian noise to its L2 norm. Let one person
move `moved` of d answers by 1 each: L1 sensitivity moved, L2 sensitivity sqrt(moved). For the
guarantee (epsilon, delta) each answer gets noise of standard deviation

    Laplace   sqrt(2) moved / epsilon                  (delta = 0),
    Gaussian  sqrt(moved) analytic_sigma(1) ~ sqrt(2 moved log(1.25 / delta)) / epsilon.

If everybody can move all answers, the noise grows like d against sqrt(d). If one person is in one
bin of a histogram, it is 2 against sqrt(2) for every d, and Laplace noise wins.

Proof of the norms. (sum |v_i|)^2 contains all v_i^2; and sum |v_i| 1 <= ||v||_2 sqrt(d), by Cauchy
and Schwarz. One entry reaches the first bound, equal entries the second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.mechanisms.gaussian import analytic_sigma


@dataclass(frozen=True)
class Norms:
    """The numbers ||v||_2 <= ||v||_1 <= sqrt(d) ||v||_2, in this order up to rounding."""

    l2: float
    l1: float
    most: float


def norms(v: ArrayLike) -> Norms:
    """Return the two norms of a vector, and the bound on the L1 norm by the L2 norm.

    Raises ValueError for a vector that is empty or not finite.

    >>> norms([3, -4])
    Norms(l2=5.0, l1=7.0, most=7.0710678118654755)
    """
    v = arguments.reals("v", v).ravel()
    l2 = math.hypot(*v)  # the squares may overflow
    return Norms(l2, float(np.abs(v).sum()), float(np.sqrt(len(v)) * l2))


@dataclass(frozen=True)
class Noise:
    """Standard deviations of the noise on each answer, in the answers' units."""

    laplace: float
    gaussian: float

    @property
    def winner(self) -> str:
        return "Laplace" if self.laplace <= self.gaussian else "Gaussian"


def noise(moved: int, *, epsilon: float, delta: float) -> Noise:
    """Return the noise if one person moves `moved` of the answers, by at most 1 each.

    Raises ValueError unless moved >= 1, epsilon > 0 and 0 < delta < 1.
    """
    moved = arguments.whole("moved", moved, least=1)
    epsilon = arguments.number("epsilon", epsilon, above=0)
    sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    return Noise(float(np.sqrt(2) * moved / epsilon), float(np.sqrt(moved) * sigma))


def crossover(*, epsilon: float, delta: float) -> int:
    """Return the least number m of moved answers at which Gaussian noise is smaller.

    sqrt(2) m / epsilon > sqrt(m) sigma if and only if m > (sigma epsilon)^2 / 2.
    """
    sigma = analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta)
    return int(np.floor((sigma * epsilon) ** 2 / 2)) + 1
