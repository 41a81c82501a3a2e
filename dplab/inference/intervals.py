"""Confidence intervals from noisy answers: naive, by a normal approximation, and exact.

A count of n people gets noise and is published. Two things are random then: which people were
asked, and the noise. The law of the published count is known for each share p of the population, so
an interval for p can count both. For other estimates, draw from the fitted model, with the noise.

Sources: Clopper and Pearson (1934) for the exact interval without noise; Awan and Slavkovic (2020)
with noise; Ferrando, Wang and Sheldon (2022) for the parametric bootstrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments
from dplab.bisection import between
from dplab.continuous import Gaussian, Laplace, RealDistribution

EXACT, NORMAL, NAIVE = METHODS = ("exact", "normal", "naive")
GREATER, LESS, TWO_SIDED = ALTERNATIVES = ("greater", "less", "two-sided")
RELATIVE_GAP = 1e-10  # of an end of an exact interval
MAX_PEOPLE = 10**8


@dataclass(frozen=True)
class Interval:
    """All numbers from `lower` to `upper`, both included."""

    lower: float
    upper: float

    @property
    def length(self) -> float:
        """upper - lower."""
        return self.upper - self.lower

    def contains(self, value: float) -> bool:
        """Return whether `value` is one of the numbers."""
        return self.lower <= value <= self.upper


@dataclass(frozen=True)
class NoisyCount:
    """The law of T = X + N: a count X of n independent people, and noise N around 0.

        P(T <= t) = sum_x P(X = x) P(N <= t - x),   X ~ Binomial(n, p)

    `noise` is continuous and symmetric around 0: `Laplace(0, s)`, `Gaussian(0, s)` or `Tulap(0,
    epsilon)`. Raises ValueError for another noise, and unless n is from 1 to 10^8.

    >>> survey = NoisyCount(400, Laplace(0, 10))
    >>> for method in METHODS:
    ...     found = survey.interval(120, method=method)
    ...     print(method, round(found.lower, 3), round(found.upper, 3))
    exact 0.216 0.387
    normal 0.217 0.383
    naive 0.255 0.345
    """

    n: int
    noise: RealDistribution

    def __post_init__(self):
        arguments.settle(self, arguments.size, "n", least=1, most=MAX_PEOPLE)
        noise: Any = arguments.instance("noise", self.noise, RealDistribution)
        if not hasattr(noise, "variance") and not isinstance(noise, Laplace | Gaussian):
            raise ValueError(f"noise must be Laplace, Gaussian or Tulap, not {noise!r}")
        if (noise.mean if isinstance(noise, Gaussian) else noise.location) != 0:
            raise ValueError(f"noise must be around 0, not {noise!r}")

    @property
    def variance(self) -> float:
        """The variance of the noise: 2 s^2 for Laplace noise of scale s, sigma^2 for normal."""
        noise: Any = self.noise
        if isinstance(noise, Laplace):
            return 2 * noise.scale * noise.scale
        return noise.sigma * noise.sigma if isinstance(noise, Gaussian) else noise.variance

    def cdf(self, value: ArrayLike, share: float) -> np.ndarray:
        """Return P(T <= value), elementwise, if each person counts with probability `share`.

        Raises ValueError unless the share is from 0 to 1.
        """
        values = arguments.reals("value", value)
        counts, chances = self.likely_counts(share)
        return np.asarray(self.noise.cdf(values[..., None] - counts)) @ chances

    def likely_counts(self, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely counts and their probabilities; the others have 1e-30 together.

        By Bernstein's inequality P(|X - np| >= t) <= 2 e^{-t^2 / (2 v + 2 t / 3)} with v the
        variance. For t = 12 sqrt(v) + 60 the exponent is above 72. Raises ValueError unless the
        share is from 0 to 1.
        """
        from scipy.special import gammaln, xlog1py, xlogy

        share = arguments.number("share", share, least=0, most=1)
        mean, reach = self.n * share, 12 * np.sqrt(self.n * share * (1 - share)) + 60
        x = np.arange(max(0, np.floor(mean - reach)), min(self.n, np.ceil(mean + reach)) + 1)
        logs = xlogy(x, share) + xlog1py(self.n - x, -share)
        logs -= gammaln(x + 1) + gammaln(self.n - x + 1)
        chances = np.exp(logs - logs.max())
        return x, chances / chances.sum()

    def p_value(self, count: float, share: float, alternative: str = GREATER) -> float:
        """Return how probable a T as far from `share` is: P(T >= count) for "greater".

        "less" is P(T <= count), and "two-sided" twice the smaller of both. If `share` is the truth,
        each is uniform on [0, 1]. Raises ValueError for another alternative.
        """
        arguments.one_of("alternative", alternative, ALTERNATIVES)
        x, chances = self.likely_counts(share)
        away = arguments.number("count", count) - x
        less, greater = (float(self.noise.cdf(step) @ chances) for step in (away, -away))
        two_sided = min(2 * less, 2 * greater, 1.0)
        return {GREATER: greater, LESS: less, TWO_SIDED: two_sided}[alternative]

    def interval(self, count: float, *, alpha: float = 0.05, method: str = EXACT) -> Interval:
        """Return the interval for the population's share that T = `count` gives.

        "exact" are all p with P_p(T >= count) and P_p(T <= count) at least alpha / 2: it contains p
        with probability 1 - alpha, for each p between 0 and 1. With c = count / n and the normal
        quantile z, "normal" is c +- z sqrt(c (1 - c) / n + Var(N) / n^2), and "naive" leaves
        out the noise; c (1 - c) is 0 outside of [0, 1]. Ends are cut to [0, 1]. Raises ValueError
        unless 0 < alpha < 1, and for another method.
        """
        count = arguments.number("count", count)
        alpha = arguments.number("alpha", alpha, above=0, below=1)
        if arguments.one_of("method", method, METHODS) == EXACT:
            return Interval(*(self._exact_end(count, alpha, way) for way in (GREATER, LESS)))
        c = count / self.n
        half = normal_quantile(alpha) * self._standard_error(c, method)
        return Interval(*np.clip([c - half, c + half], 0.0, 1.0).tolist())

    def _exact_end(self, count: float, alpha: float, alternative: str) -> float:
        """Return the end of all p whose p-value is at least alpha / 2.

        That for "greater" rises with p, and its end is the lower one; "less" has the upper one. If
        no p is likely, return the nearest end of [0, 1].
        """
        likely, unlikely = (1.0, 0.0) if alternative == GREATER else (0.0, 1.0)

        def is_likely(p: float) -> bool:
            return self.p_value(count, p, alternative) >= alpha / 2

        if is_likely(unlikely):
            return unlikely
        if not is_likely(likely):
            return likely
        if alternative == GREATER:
            return between(lambda p: not is_likely(p), 0.0, 1.0, RELATIVE_GAP)[1]
        return between(is_likely, 0.0, 1.0, RELATIVE_GAP)[0]

    def _standard_error(self, c: float, method: str) -> float:
        people = min(max(c, 0.0), 1.0)
        noise = self.variance / self.n / self.n if method == NORMAL else 0.0
        return float(np.sqrt(people * (1 - people) / self.n + noise))

    def coverage(self, share: float, *, alpha: float = 0.05, method: str = NAIVE) -> float:
        """Return the probability with which the interval contains `share`, by the law of T.

        It is 1 - alpha for "exact". For the others the counts whose interval contains p are an
        interval, too. Raises ValueError unless 0 < share < 1, and as `interval` does.
        """
        share = arguments.number("share", share, above=0, below=1)
        alpha = arguments.number("alpha", alpha, above=0, below=1)
        if arguments.one_of("method", method, METHODS) == EXACT:
            return 1 - alpha
        low = self._least_count(share, alpha, method)
        high = self.n - self._least_count(1 - share, alpha, method)
        return float(np.diff(self.cdf([low, high], share))[0])

    def _least_count(self, p: float, alpha: float, method: str) -> float:
        """Return the least count whose interval contains p.

        In [0, 1] that c solves (c - p)^2 = z^2 (c (1 - c) / n + v), v = Var(N) / n^2 or 0, and
        below 0 it is p - z sqrt(v).
        """
        z = normal_quantile(alpha)
        v = self._standard_error(0.0, method) ** 2
        a, b, c = 1 + z * z / self.n, p + z * z / (2 * self.n), p * p - z * z * v
        if c < 0:
            return self.n * (p - z * float(np.sqrt(v)))
        return self.n * c / (b + float(np.sqrt(b * b - a * c)))


def bootstrap_interval(estimate: float, estimates: ArrayLike, *, alpha: float = 0.05) -> Interval:
    """Return an interval from `estimates` drawn from the model that `estimate` fits.

        [2 estimate - q(1 - alpha / 2), 2 estimate - q(alpha / 2)],   q the quantiles of the draws

    Each draw repeats all that is random, people and noise, with the estimate in place of the truth.
    If estimates are too large by some amount, the draws are as well, and the interval corrects
    that. It is right if the error has the same law near the truth, so for many people. Raises
    ValueError unless 0 < alpha < 1 and estimates are numbers, shape (draws,).

    >>> bootstrap_interval(10, [9, 10, 11, 12, 13], alpha=0.5)
    Interval(lower=8.0, upper=10.0)
    """
    estimate = arguments.number("estimate", estimate)
    draws = arguments.reals("estimates", estimates, ndim=1)
    alpha = arguments.number("alpha", alpha, above=0, below=1)
    high, low = np.quantile(draws, [1 - alpha / 2, alpha / 2])
    return Interval(float(2 * estimate - high), float(2 * estimate - low))


def normal_quantile(alpha: float) -> float:
    """Return z with P(|Z| > z) = alpha for a standard normal Z.

    Raises ValueError unless 0 < alpha < 1.

    >>> round(normal_quantile(0.05), 4)
    1.96
    """
    from scipy.special import ndtri

    alpha = arguments.number("alpha", alpha, above=0, below=1)
    return float(-ndtri(alpha / 2))
