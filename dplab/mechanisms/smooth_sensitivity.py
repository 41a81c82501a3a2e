"""Noise scaled to the smooth sensitivity of the data, not to the worst case.

With S a beta-smooth bound of f, that is S(x) >= LS(x) and S(x) <= e^beta S(y) for neighbours (see
`dplab.local_sensitivity`), these mechanisms release

    f(x) + S(x) / a * Z,

where Z is fixed noise and a says how wide. On neighbours x and y the two laws differ in their
location by at most a scales, and in their scale by at most the factor e^beta. So noise is good if
its density changes little when it is shifted by a, and when it is stretched by e^beta. Its tails
must be heavy: Laplace noise has a delta, and normal noise would have a larger one.

Outputs are floats, and the low bits of floats leak: these mechanisms are for learning and analysis.

Sources: Nissim, Raskhodnikova and Smith (2007), Section 2, for the idea, for Cauchy and for Laplace
noise with larger constants; Bun and Steinke (2019) for Student's t and the log-normal variant.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplab import arguments
from dplab.continuous import MAX_SIGMA, Laplace, LaplaceLogNormal, RealDistribution, StudentT
from dplab.guarantees import ZCDP, ApproxDP, Guarantee, PureDP
from dplab.local_sensitivity import LocalQuery
from dplab.mechanism import ExactMechanism
from dplab.neighbors import Neighbors

LEAST_SENSITIVITY = 1e-290
MAX_EPSILON, MAX_DEGREES = 100.0, 1e6


def cauchy_epsilon(x: float, scale_x: float, y: float, scale_y: float) -> float:
    """Return the largest |log ratio| of the densities of two Cauchy laws, exactly.

        cosh(epsilon) = 1 + ((x - y)^2 + (scale_x - scale_y)^2) / (2 scale_x scale_y)

    `x` and `y` are the locations. It is the distance of two points of the hyperbolic half-plane.
    Proof. Put x at 0. A number R >= p / q for all outcomes t makes the quadratic function R scale_y
    (t^2 + scale_x^2) - scale_x ((t - y)^2 + scale_y^2) of t at least 0. At the least such R its
    discriminant is 0. That is R + 1 / R = (y^2 + scale_x^2 + scale_y^2) / (scale_x scale_y), and
    the left side is 2 cosh(log R). It is symmetric in both laws.

    Raises ValueError unless scales are above 0.

    >>> round(cauchy_epsilon(0, 1, 0, np.e), 9), round(cauchy_epsilon(0, 1, 2 * np.sinh(0.5), 1), 9)
    (1.0, 1.0)
    """
    x, y = arguments.number("x", x), arguments.number("y", y)
    scale_x = arguments.number("scale_x", scale_x, above=0)
    scale_y = arguments.number("scale_y", scale_y, above=0)
    # 2 sinh^2(epsilon / 2) = cosh(epsilon) - 1, without a square that could overflow
    half = np.hypot(x - y, scale_x - scale_y) / (2 * np.sqrt(scale_x) * np.sqrt(scale_y))
    return float(2 * np.arcsinh(half))


@dataclass(frozen=True)
class SmoothMechanism(ExactMechanism):
    """A mechanism that releases query(data) + S(data) / width * noise.

    S is the smooth sensitivity at beta, or at `usual_beta` if beta is None. Raises ValueError
    unless query is a `LocalQuery`, epsilon and beta are above 0, and beta leaves a width above 0.
    """

    query: LocalQuery
    epsilon: float
    beta: Any = None

    def __post_init__(self):
        arguments.instance("query", self.query, LocalQuery)
        arguments.settle(self, arguments.number, "epsilon", above=0, most=MAX_EPSILON)
        if self.beta is None:
            object.__setattr__(self, "beta", self.usual_beta)
        arguments.settle(self, arguments.number, "beta", above=0)
        arguments.number("the width that beta leaves", self.width, least=arguments.SMALLEST)

    @property
    def usual_beta(self) -> float:
        """The beta that is taken if none is given."""
        return self.epsilon / 2

    @property
    @abstractmethod
    def width(self) -> float:
        """The number a: the smooth sensitivity in units of the scale of the noise."""

    @abstractmethod
    def noise(self, location: float, scale: float) -> RealDistribution:
        """Return the distribution of location + scale * noise."""

    @property
    def guarantee(self) -> Guarantee:
        return PureDP(self.epsilon)

    @property
    def neighbors(self) -> Neighbors:
        return self.query.neighbors

    def scale(self, data: Any) -> float:
        """Return the scale of the noise on `data`. It depends on the data, and is as secret.

        S is taken to be at least 1e-290, so that it never underflows: the larger of two smooth
        bounds is a smooth bound.
        """
        return max(self.query.smooth(data, self.beta), LEAST_SENSITIVITY) / self.width

    def distribution(self, data: Any) -> RealDistribution:
        """Return the distribution of the released number."""
        return self.noise(self.query(data), self.scale(data))


@dataclass(frozen=True)
class CauchyMechanism(SmoothMechanism):
    """The mechanism query(data) + S(data) / a * Cauchy noise: epsilon-DP.

        a = min(2 sinh(epsilon / 2), sqrt(2 e^beta (cosh(epsilon) - cosh(beta))))

    S is the smooth sensitivity at beta, which is epsilon / 2 if it isn't given. No larger a is
    epsilon-DP, if locations and scales may differ as much as a smooth bound allows.

    Proof. Let s <= s' = e^l s be the scales on neighbours, so 0 <= l <= beta. The locations differ
    by at most a s, since the answers differ by at most the smaller of both local sensitivities. By
    `cauchy_epsilon` the largest loss e has cosh(e) <= cosh(l) + a^2 e^{-l} / 2. That is convex in
    l, so largest at l = 0 or l = beta: 1 + a^2 / 2 or cosh(beta) + a^2 e^{-beta} / 2. Solve both
    for a.

    Raises ValueError unless epsilon > 0, 0 < beta < epsilon, and the query is a `LocalQuery`.

    >>> from dplab.local_sensitivity import Median
    >>> mechanism = CauchyMechanism(Median(0, 10), epsilon=1)
    >>> round(mechanism.width, 4), mechanism.distribution([4, 4, 4, 4, 5]).location
    (1.0422, 4.0)
    """

    @property
    def width(self) -> float:
        # cosh(u) - cosh(v) = 2 sinh((u + v) / 2) sinh((u - v) / 2), without cancellation
        total, rest = (self.epsilon + self.beta) / 2, max(self.epsilon - self.beta, 0) / 2
        by_both = 2 * np.exp(self.beta / 2) * np.sqrt(np.sinh(total) * np.sinh(rest))
        return float(min(2 * np.sinh(self.epsilon / 2), by_both))

    def noise(self, location: float, scale: float) -> StudentT:
        return StudentT(location, scale)


@dataclass(frozen=True)
class StudentMechanism(SmoothMechanism):
    """The mechanism query(data) + S(data) / a * noise by Student's t: epsilon-DP.

        epsilon = degrees * beta + (degrees + 1) asinh(a / (2 sqrt(degrees)))

    With more degrees of freedom the tails are lighter: the noise has a mean for degrees > 1 and a
    variance for degrees > 2. beta is epsilon / (2 degrees) if it isn't given.

    Proof. Stretched by e^l, the log density changes by l - (d + 1) / 2 log((1 + e^{2l} u) / (1 +
    u)) with u = z^2 / d: between -d l and l. Shifted by a, it changes by (d + 1) / 2 times the log
    ratio of 1 + z^2 / d, which is 2 asinh(a / (2 sqrt(d))) at most, as for Cauchy's law.

    Raises ValueError unless degrees is at least 1 and beta < epsilon / degrees.

    >>> from dplab.local_sensitivity import Median
    >>> round(StudentMechanism(Median(0, 10), epsilon=1, degrees=3).width, 4)
    0.4341
    """

    degrees: float = 3.0

    def __post_init__(self):
        arguments.settle(self, arguments.number, "degrees", least=1, most=MAX_DEGREES)
        super().__post_init__()

    @property
    def usual_beta(self) -> float:
        return self.epsilon / (2 * self.degrees)

    @property
    def width(self) -> float:
        d, rest = self.degrees, self.epsilon - self.degrees * self.beta
        return float(2 * np.sqrt(d) * np.sinh(max(rest, 0) / (d + 1)))

    def noise(self, location: float, scale: float) -> StudentT:
        return StudentT(location, scale, self.degrees)


@dataclass(frozen=True)
class SmoothLaplaceMechanism(SmoothMechanism):
    """The mechanism query(data) + S(data) / a * Laplace noise: (epsilon, delta)-DP.

        a = epsilon - max(beta, (e^beta - 1) log((1 - e^{-beta}) / delta) - beta)

    beta is epsilon / (2 log(2 / delta)) if it isn't given.

    Proof. A shift by a costs a. Stretching costs epsilon_2 = epsilon - a, with a delta where the
    wider law has more mass, at |z| > t = (epsilon_2 + l) / (e^l - 1) of its scales, for the factor
    e^l. The hockey stick is there e^{-t} - e^{epsilon_2} e^{-e^l t} = e^{-t} (1 - e^{-l}). It grows
    with l, so it is at most that of beta, which is delta. The narrower law exceeds the wider one by
    at most e^beta, so epsilon_2 >= beta is enough there.

    Raises ValueError unless epsilon > 0, 0 < delta < 1, and beta leaves a > 0.

    >>> from dplab.local_sensitivity import Median
    >>> round(SmoothLaplaceMechanism(Median(0, 10), epsilon=1, delta=1e-6).width, 4)
    0.6687
    """

    delta: float = field(kw_only=True)

    def __post_init__(self):
        arguments.settle(self, arguments.number, "delta", above=0, below=1)
        super().__post_init__()

    @property
    def usual_beta(self) -> float:
        return float(self.epsilon / (2 * np.log(2 / self.delta)))

    @property
    def guarantee(self) -> ApproxDP:
        return ApproxDP(self.epsilon, self.delta)

    @property
    def width(self) -> float:
        log_share = np.log(-np.expm1(-self.beta)) - np.log(self.delta)
        stretch = np.expm1(self.beta) * log_share - self.beta
        return float(max(self.epsilon - max(self.beta, stretch), 0))

    def noise(self, location: float, scale: float) -> Laplace:
        return Laplace(location, scale)


@dataclass(frozen=True)
class LogNormalMechanism(SmoothMechanism):
    """The mechanism query(data) + S(data) / a * X e^{sigma Y}: (epsilon^2 / 2)-zCDP.

        epsilon = beta / sigma + a e^{3 sigma^2 / 2}

    X is Laplace noise and Y normal. So its rho is that which epsilon-DP implies, but it is not
    epsilon-DP. beta is epsilon sigma / 2 if it isn't given.

    Proof. Stretched by e^l, the noise is X e^{sigma (Y + l / sigma)}: post-processing of a normal
    variable that is shifted by l / sigma, so (l / sigma)^2 / 2. With r = e^{-sigma Y}, the log
    density changes at z > 0 at the rate -E[r^2 e^{-z r}] / E[r e^{-z r}], which is largest in size
    at z = 0: E[r^2] / E[r] = e^{3 sigma^2 / 2}. So a shift by a is e-DP, and e^2 / 2-zCDP, with e =
    a e^{3 sigma^2 / 2}. The square roots of the two costs add up, as they do in a chain of two.

    Raises ValueError unless epsilon > 0, 0 < sigma <= 3, and beta leaves a > 0.

    >>> from dplab.local_sensitivity import Median
    >>> round(LogNormalMechanism(Median(0, 10), epsilon=1).width, 4)
    0.3436
    """

    sigma: float = 0.5

    def __post_init__(self):
        arguments.settle(self, arguments.number, "sigma", above=0, most=MAX_SIGMA)
        super().__post_init__()

    @property
    def usual_beta(self) -> float:
        return self.epsilon * self.sigma / 2

    @property
    def guarantee(self) -> ZCDP:
        return ZCDP(self.epsilon**2 / 2)

    @property
    def width(self) -> float:
        rest = self.epsilon - self.beta / self.sigma
        return float(max(rest, 0) * np.exp(-1.5 * self.sigma**2))

    def noise(self, location: float, scale: float) -> LaplaceLogNormal:
        return LaplaceLogNormal(location, scale, self.sigma)
