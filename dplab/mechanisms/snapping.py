"""The snapping mechanism: Laplace noise from floats, rounded so that the low bits leak nothing.

    output = clamp(snap(clamp(query(data)) + S lambda log(U)))

with a fair sign S, U uniform in (0, 1) to full float precision, snap rounding to multiples of
Lambda, the smallest power of two that is at least lambda, and clamp moving into [-bound, bound].
Every float operation, including the logarithm, is rounded as IEEE 754 says. So the distribution of
the output is known exactly, with its rounding errors.

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

from dplab import arguments, records
from dplab.distributions import Finite
from dplab.guarantees import ApproxDP, PureDP
from dplab.mechanism import ExactMechanism
from dplab.neighbors import REPLACE_ONE, Neighbors, require_relation
from dplab.sampling import bits
from dplab.sampling.floats import first_float, rounded_log, uniform

MAX_OUTCOMES = 50_000  # outcomes on each side of 0 in a distribution
ROUNDING = Fraction(1, 2**49)  # float operations add at most this times bound / lambda to epsilon
MAX_LAMBDAS = 700  # distance of an output from the center; U has all its digits up to 708


@dataclass(frozen=True)
class SnappingMechanism(ExactMechanism):
    """The mechanism clamp(snap(clamp(query(data)) + S lambda log U)): epsilon-DP, in floats.

    `query` returns a number; on neighbours its values, as floats, differ by at most `sensitivity`.
    For sensitivity 1 the mechanism is (1/lambda + 2^-49 bound/lambda)-DP if lambda < bound < 2^46
    lambda (Mironov 2012, Theorem 1); lambda is the smallest float for which that, with the
    sensitivity instead of the first 1, is at most epsilon. Outputs are multiples of the grid
    Lambda, and +-bound. Raises ValueError unless sensitivity and epsilon are above 0 and bound is
    in that range.

    The theorem assumes that floats have no smallest exponent. But they end at 2^-1022, so that no
    noise exceeds 744 lambda: an output further away is possible on one dataset and not on its
    neighbour. Therefore the guarantee is (epsilon, delta)-DP if bound exceeds 350 lambda. If a U
    that small got more bits, a distribution would change by at most 2^-1022 and the mechanism would
    be epsilon-DP. So delta is at most (1 + e^epsilon) 2^-1022.

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
        arguments.settle(self, arguments.function, "query")
        require_relation("neighbors", self.neighbors)
        arguments.settle(self, arguments.number, "sensitivity", "epsilon", "bound", above=0)
        arguments.number("sensitivity / epsilon", self.sensitivity / self.epsilon, above=0)
        if not self.scale < self.bound < 2.0**46 * self.scale:
            allowed = f"above {self.scale} and below {2.0**46 * self.scale}"
            raise ValueError(f"bound must be {allowed}, not {self.bound!r}")

    @property
    def guarantee(self) -> PureDP | ApproxDP:
        """epsilon-DP, or (epsilon, delta)-DP with the delta above for a far bound."""
        if 2 * self.bound <= MAX_LAMBDAS * self.scale:
            return PureDP(self.epsilon)
        log_delta = math.log1p(math.exp(-self.epsilon)) + self.epsilon - 1022 * math.log(2)
        return ApproxDP(self.epsilon, math.exp(min(0.0, log_delta)))

    @property
    def scale(self) -> float:
        """lambda, the smallest float of at least (sensitivity + 2^-49 bound) / epsilon."""
        needed = Fraction(self.sensitivity) + ROUNDING * Fraction(self.bound)
        return _find_float_above(needed / Fraction(self.epsilon))

    @property
    def grid(self) -> float:
        """Lambda, the smallest power of two that is at least lambda."""
        mantissa, exponent = math.frexp(self.scale)
        return math.ldexp(1.0, exponent - (mantissa == 0.5))

    def distribution(self, data: Any) -> Finite:
        """Return the distribution of the output: the probabilities of `exact_law` as floats."""
        probabilities = self.exact_law(data)
        return Finite.of({outcome: float(p) for outcome, p in probabilities.items()})

    def exact_law(self, data: Any) -> dict[float, Fraction]:
        """Return the probability of every output, as exact rational numbers that sum to 1."""
        return dict(
            _compute_probabilities(self._compute_center(data), self.scale, self.grid, self.bound)
        )

    def __call__(self, data: Any, rng: bits.Source) -> float:
        sign, u = 1 - 2 * bits.integer(rng, 1), uniform(rng)
        return snap_answer(self._compute_center(data), sign, u, self.scale, self.grid, self.bound)

    def _compute_center(self, data: Any) -> float:
        answer = records.number("query(data)", self.query(data))
        return clamp(answer, self.bound)


def snap_answer(
    center: float, sign: int, u: float, scale: float, grid: float, bound: float
) -> float:
    """Return the output for one sign and one uniform number, by the float operations above."""
    return clamp(snap(center + sign * (scale * rounded_log(u)), grid), bound)


def clamp(value: float, bound: float) -> float:
    """Return the nearest number in [-bound, bound]."""
    return min(max(value, -bound), bound)


def snap(value: float, grid: float) -> float:
    """Return the exact nearest multiple of `grid`, a power of two; halfway the one above.

    >>> [snap(value, 1.0) for value in (0.49999999999999994, 0.5, -0.5, 4503599627370497.0)]
    [0.0, 1.0, 0.0, 4503599627370497.0]
    """
    steps = value / grid  # a power of two divides exactly
    floor = math.floor(steps)
    return float(floor + (steps - floor >= 0.5)) * grid


@lru_cache(maxsize=256)
def _compute_probabilities(center: float, scale: float, grid: float, bound: float) -> tuple:
    """Return pairs (outcome, P(output = outcome)), by differences of P(output >= outcome)."""
    last = math.ceil(bound / grid)
    if last > MAX_OUTCOMES:
        raise ValueError(f"bound must be smaller: the law has over {2 * MAX_OUTCOMES} outcomes")
    outcomes = sorted({clamp(j * grid, bound) for j in range(-last, last + 1)})

    def output(sign: int, u: float) -> float:
        return snap_answer(center, sign, u, scale, grid, bound)

    def at_least(outcome: float) -> Fraction:
        guess = math.exp(-abs(outcome - grid / 2 - center) / scale)
        if outcome > output(1, 1.0):  # only S = -1 and small u reach it
            return Fraction(first_float(lambda u: output(-1, u) < outcome, guess)) / 2
        return 1 - Fraction(first_float(lambda u: output(1, u) >= outcome, guess)) / 2

    tails = [Fraction(1), *map(at_least, outcomes[1:]), Fraction(0)]
    return tuple((y, a - b) for y, (a, b) in zip(outcomes, pairwise(tails), strict=True))


def _find_float_above(value: Fraction) -> float:
    """Return the smallest float of at least `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
