"""The best private test of a share, and the noise that makes it.

n people say yes or no, and a test rejects "the share is p0 or less" where X people say yes with
probability phi(X). It is epsilon-DP, with one person replaced, if and only if for each x

    phi(x + 1) <= e^epsilon phi(x),   phi(x) <= e^epsilon phi(x + 1),   and the same for 1 - phi.

Theorem (Awan and Slavkovic 2018). Of all epsilon-DP tests of level alpha, the one that rejects if
X + N >= m, with Tulap noise N, has the largest power at every p > p0.

Proof. A test of the data is as good as one of X: average it over all orders of the people. Tulap's
distribution function rises as fast as the promise allows, F(t + 1) = min(e^epsilon F(t), 1 -
e^{-epsilon} (1 - F(t))). Let phi*(x) = F(x - m) with mean alpha at p0. If phi <= phi* at x, then
phi <= phi* at x + 1: the same bound holds for it, and rises with phi(x). So phi* - phi is negative
up to some x and not afterwards. The ratio of probabilities under p and p0 rises with x; let r be
its value there. Then E_p(phi* - phi) >= r E_p0(phi* - phi) >= 0.

Sources: Awan and Slavkovic (2018) for the test; Awan and Slavkovic (2020) for p-values and
intervals. With a delta their law is cut at both ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.continuous import RealDistribution
from dplab.inference.intervals import MAX_PEOPLE, NoisyCount


@dataclass(frozen=True)
class Tulap(RealDistribution):
    """The law of location + K + U: discrete Laplace noise K of scale 1 / epsilon, U uniform.

        P(K = k) = (1 - b) / (1 + b) b^|k|,   b = e^{-epsilon},   U in (-1/2, 1/2)

    Its variance is 2 b / (1 - b)^2 + 1 / 12. Adding U costs nothing: a noisy whole number was
    published before (`smooth_count`). Raises ValueError unless the location is finite and epsilon
    is above 0. Source: Awan and Slavkovic (2018), without the cut that a delta allows.

    >>> law = Tulap(0, epsilon=1)
    >>> round(float(law.cdf(1.2)), 6), round(law.variance, 6)
    (0.850061, 1.924681)
    """

    location: float
    epsilon: float

    def __post_init__(self):
        arguments.settle(self, arguments.number, "location")
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.number("1 / epsilon^2", 1 / np.square(np.expm1(-self.epsilon)))

    @property
    def variance(self) -> float:
        """2 b / (1 - b)^2 + 1 / 12 = 1 / (2 sinh(epsilon / 2)^2) + 1 / 12."""
        return float(2 * np.exp(-self.epsilon) / np.expm1(-self.epsilon) ** 2 + 1 / 12)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        share = -np.expm1(-self.epsilon)
        steps = rng.geometric(share, size) - rng.geometric(share, size)
        return self.location + steps + rng.uniform(-0.5, 0.5, size)

    def log_density(self, outcome: Any) -> Any:
        steps = np.floor(np.abs(np.asarray(outcome, dtype=float) - self.location) + 0.5)
        return np.log(np.tanh(self.epsilon / 2)) - self.epsilon * steps

    def cdf(self, value: ArrayLike) -> Any:
        distance = np.asarray(value, dtype=float) - self.location
        t = -np.abs(distance)
        k = np.floor(t + 0.5)  # 0 or less: the whole number nearest to `t`
        b = np.exp(-self.epsilon)
        tail = np.exp(self.epsilon * k) / (1 + b) * (b + (1 - b) * (t + 0.5 - k))
        return np.where(distance < 0, tail, 1 - tail)


def smooth_count(count: ArrayLike, rng: np.random.Generator) -> Any:
    """Return count + U, U uniform on (-1/2, 1/2): with Tulap noise, if `count` has geometric noise.

    The count of `GeometricMechanism(sum, sensitivity=1, epsilon=epsilon)` plus U has the law
    Tulap(sum, epsilon), at no further cost. Raises ValueError unless counts are whole numbers.
    """
    counts = arguments.wholes("count", count, least=-(2**53), ndim=None)
    smooth = counts + arguments.generator("rng", rng).uniform(-0.5, 0.5, counts.shape)
    return smooth if counts.ndim else float(smooth)


@dataclass(frozen=True)
class ProportionTest:
    """The most powerful epsilon-DP test of "the share is `share` or less", of level `alpha`.

        reject if X + N >= threshold,   N ~ Tulap(0, epsilon),   P_share(X + N >= threshold) = alpha

    X of n people say yes; neighbours differ in one person. The noisy count may be published: the
    test is post-processing of it. Raises ValueError unless n is from 1 to 10^8, epsilon > 0, and
    share and alpha are between 0 and 1.

    >>> test = ProportionTest(100, epsilon=1, share=0.5)
    >>> round(test.threshold, 3), round(test.power(0.5), 6), round(test.power(0.65), 3)
    (58.509, 0.05, 0.904)
    """

    n: int
    epsilon: float
    share: float = 0.5
    alpha: float = 0.05

    def __post_init__(self):
        arguments.settle(self, arguments.size, "n", least=1, most=MAX_PEOPLE)
        arguments.settle(self, arguments.number, "epsilon", above=0)
        arguments.settle(self, arguments.number, "share", "alpha", above=0, below=1)
        arguments.instance("noise", self.count, NoisyCount)

    @cached_property
    def count(self) -> NoisyCount:
        """The law of the noisy count."""
        return NoisyCount(self.n, Tulap(0.0, self.epsilon))

    @cached_property
    def threshold(self) -> float:
        """The least noisy count that rejects.

        It is between -b and n + b for every b with P(N > b) <= alpha <= P(N > -b), such as b = 1 -
        log(min(alpha, 1 - alpha)) / epsilon.
        """
        from scipy.optimize import brentq

        b = 1 - np.log(min(self.alpha, 1 - self.alpha)) / self.epsilon

        def excess(m: float) -> float:
            return self.power_at(m, self.share) - self.alpha

        return float(brentq(excess, -b, self.n + b, xtol=1e-9))

    def power_at(self, threshold: float, share: float) -> float:
        """Return the probability of a noisy count of `threshold` or more, for another share."""
        return self.count.p_value(threshold, share)

    def power(self, share: float) -> float:
        """Return the probability of rejecting if the share is `share`."""
        return self.power_at(self.threshold, share)

    def rejection(self, counts: ArrayLike) -> np.ndarray:
        """Return phi(x), the probability of rejecting where x people say yes, elementwise."""
        return np.asarray(
            Tulap(self.threshold, self.epsilon).cdf(arguments.reals("counts", counts))
        )
