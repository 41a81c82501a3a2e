"""The snapping mechanism: Laplace noise from floats, rounded until the low bits say nothing.

    output = clamp(snap(clamp(query(data)) + S lambda log(U)))

with a fair sign S, U uniform in (0, 1) to full float precision, snap rounding to multiples of
Lambda, the smallest power of two that is at least lambda, and clamp moving into [-bound, bound].
Every float operation is rounded as IEEE 754 says, the logarithm too; therefore the law of the
output is known exactly, rounding errors included.

Source: Mironov, "On significance of the least significant bits for differential privacy" (2012),
section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from dplab import arguments
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP, PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors
from dplab.sampling import bits
from dplab.sampling.floats import first_float, rounded_log, uniform

MOST_OUTCOMES = 50_000  # on each side of 0, in a law that is written down
ROUNDING = Fraction(1, 2**49)  # what float operations may add to epsilon, times bound / lambda
FARTHEST = 700  # lambdas from the center to an output: there U has all its digits, up to 708


@dataclass(frozen=True)
class SnappingMechanism(ExactMechanism):
    """clamp(snap(clamp(query(data)) + S lambda log U)): epsilon-DP, for the floats that run.

    `query` returns a number; on neighbours its values, as floats, differ by at most `sensitivity`.
    For sensitivity 1 the mechanism is (1/lambda + 2^-49 bound/lambda)-DP if lambda < bound < 2^46
    lambda (Mironov 2012, Theorem 1); lambda is the smallest float for which that, with the
    sensitivity in the place of the first 1, is at most epsilon. Outputs are multiples of the grid
    Lambda, and +-bound. Raises ValueError unless sensitivity and epsilon are above 0 and bound is
    in that range.

    The theorem takes exponents of floats to have no end. They end at 2^-1022, so that no noise
    exceeds 744 lambda: an output further away is possible on one dataset and not on its neighbour.
    Where bound exceeds 350 lambda the promise is therefore (epsilon, delta)-DP: with such a U drawn
    on, which changes a law by 2^-1022 at most, it would be epsilon-DP, so delta is at most
    (1 + e^epsilon) 2^-1022.

    >>> count = SnappingMechanism(sum, sensitivity=1, epsilon=1, bound=64)
    >>> count.scale, count.grid
    (1.0000000000001137, 2.0)
    """

    query: Callable[[Any], float]
    sensitivity: float
    epsilon: float
    bound: float
    neighbors: Neighbors = REPLACE_ONE

    def __post_init__(self):
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", "bound", above=0)
        if not self.scale < self.bound < 2.0**46 * self.scale:
            allowed = f"above {self.scale} and below {2.0**46 * self.scale}"
            raise ValueError(f"bound must be {allowed}, not {self.bound!r}")

    @property
    def guarantee(self) -> PureDP | ApproxDP:
        """epsilon-DP; or, for a far bound, with the delta above."""
        if 2 * self.bound <= FARTHEST * self.scale:
            return PureDP(self.epsilon)
        log_delta = math.log1p(math.exp(-self.epsilon)) + self.epsilon - 1022 * math.log(2)
        return ApproxDP(self.epsilon, math.exp(min(0.0, log_delta)))

    @property
    def scale(self) -> float:
        """lambda: the smallest float of at least (sensitivity + 2^-49 bound) / epsilon."""
        needed = Fraction(self.sensitivity) + ROUNDING * Fraction(self.bound)
        return _float_above(needed / Fraction(self.epsilon))

    @property
    def grid(self) -> float:
        """Lambda: the smallest power of two that is at least lambda."""
        mantissa, exponent = math.frexp(self.scale)
        return math.ldexp(1.0, exponent - (mantissa == 0.5))

    def distribution(self, data: Any) -> Finite:
        """The law of the output; its probabilities are those of `exact_law`, as floats."""
        law = self.exact_law(data)
        return Finite.of({outcome: float(probability) for outcome, probability in law.items()})

    def exact_law(self, data: Any) -> dict[float, Fraction]:
        """The probability of every output, as exact rational numbers that sum to 1."""
        return dict(_law(self._center(data), self.scale, self.grid, self.bound))

    def __call__(self, data: Any, rng: bits.Source) -> float:
        sign, u = 1 - 2 * bits.integer(rng, 1), uniform(rng)
        return snapped(self._center(data), sign, u, self.scale, self.grid, self.bound)

    def _center(self, data: Any) -> float:
        answer = arguments.number("query(data)", self.query(data))
        return clamp(answer, self.bound)


def snapped(center: float, sign: int, u: float, scale: float, grid: float, bound: float) -> float:
    """The mechanism's float operations, in order, for one sign and one uniform number."""
    return clamp(snap(center + sign * (scale * rounded_log(u)), grid), bound)


def clamp(value: float, bound: float) -> float:
    """The nearest number in [-bound, bound]."""
    return min(max(value, -bound), bound)


def snap(value: float, grid: float) -> float:
    """The multiple of `grid`, a power of two, that is nearest; halfway the one above. Exact.

    >>> [snap(value, 1.0) for value in (0.49999999999999994, 0.5, -0.5, 4503599627370497.0)]
    [0.0, 1.0, 0.0, 4503599627370497.0]
    """
    steps = value / grid  # a power of two divides exactly
    below = math.floor(steps)
    return float(below + (steps - below >= 0.5)) * grid


@lru_cache(maxsize=256)
def _law(center: float, scale: float, grid: float, bound: float) -> tuple:
    """Pairs (outcome, P(output = outcome)), by differences of P(output >= outcome)."""
    last = math.ceil(bound / grid)
    if last > MOST_OUTCOMES:
        raise ValueError(f"bound must be smaller: the law has over {2 * MOST_OUTCOMES} outcomes")
    outcomes = sorted({clamp(j * grid, bound) for j in range(-last, last + 1)})

    def output(sign: int, u: float) -> float:
        return snapped(center, sign, u, scale, grid, bound)

    def at_least(outcome: float) -> Fraction:
        guess = math.exp(-abs(outcome - grid / 2 - center) / scale)
        if outcome > output(1, 1.0):  # reached by S = -1 and small u only
            return Fraction(first_float(lambda u: output(-1, u) < outcome, guess)) / 2
        return 1 - Fraction(first_float(lambda u: output(1, u) >= outcome, guess)) / 2

    tails = [Fraction(1), *map(at_least, outcomes[1:]), Fraction(0)]
    return tuple((y, a - b) for y, (a, b) in zip(outcomes, pairwise(tails), strict=True))


def _float_above(value: Fraction) -> float:
    """The smallest float of at least `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
