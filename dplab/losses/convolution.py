"""The distribution of a sum of many grid losses by one Fourier transform, with an error bound.

The masses p of each release are tilted to p e^{theta z} / E[e^{theta Z}]. This moves the bulk of
the sum to the epsilon in question. One cyclic convolution of N points then adds up all releases:

    delta(epsilon) = M e^{-theta epsilon} sum_{z > epsilon} T(z) w(z - epsilon),
    w(x) = e^{-theta x} (1 - e^{-x}) <= 1,  T the tilted sum,  M = prod E[e^{theta Z}].

The certificate accounts for three errors:

- truncation: by Chernoff's bound T has at most e^{-LEVEL} outside the window on each side. A
  cyclic convolution folds that mass into the window, so it may add 2 e^{-LEVEL} or hide as much;
- the transform: a computed transform y of x obeys ||error||_2 <= psi ||y||_2, psi = u C log2(N)
  (Higham 2002, Theorem 24.2, where C is about 7; we take 16). So each value f of the spectrum of
  one release is off by e = psi sqrt(N) ||x||_2 at most, a product of powers by at most
  prod (|f| + e)^k - prod |f|^k plus rounding, and Parseval gives E, the Euclidean norm of the
  error of T. By Cauchy and Schwarz the sum above is off by at most E ||w||_2, and
  ||w||_2^2 <= sum_j e^{-2 theta h j} <= min(N, 1 / (e^{2 theta h} - 1));
- the masses: each is right to a relative `ROUNDING`, so k releases to (1 + ROUNDING)^k; and each
  loss to an absolute `ROUNDING`, which moves epsilon by at most k ROUNDING.

Sources: Koskela, Jalko and Honkela (2020) for accounting by Fourier transform; Esscher (1932) for
the tilt, which keeps all digits of a small delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplab.losses.grid import ROUNDING, GridLaw

LEVEL = 44.0  # nats: the window misses at most e^{-44}, some 1e-19, on each side
UNIT = 2.0**-53  # the relative error of one rounding


@dataclass(frozen=True, eq=False)
class GridSum:
    """The sum of independent grid losses of one step, `counts[i]` of them like `laws[i]`."""

    laws: tuple[GridLaw, ...]
    counts: tuple[int, ...]

    @property
    def step(self) -> float:
        return self.laws[0].step

    @property
    def origin(self) -> float:
        """The loss at index 0 of the grid of the sum, in nats."""
        return sum(k * law.origin for law, k in zip(self.laws, self.counts, strict=True))

    def log_moment(self, theta: float) -> float:
        """Return log E[e^{theta Z}; Z finite] of the sum, in nats."""
        parts = zip(self.laws, self.counts, strict=True)
        return sum(k * law.tilt(theta)[1] for law, k in parts)

    def moments(self, theta: float) -> tuple[float, float, float]:
        """Return `log_moment(theta)`, and mean and variance of the sum tilted by theta."""
        total: np.ndarray = np.zeros(3)
        for law, k in zip(self.laws, self.counts, strict=True):
            masses, log_moment = law.tilt(theta)
            mean = masses @ law.losses
            total += k * np.array([log_moment, mean, masses @ (law.losses - mean) ** 2])
        log_moment, mean, variance = total.tolist()
        return log_moment, mean, variance

    @property
    def infinite(self) -> float:
        """The probability that one of the losses is infinite."""
        parts = zip(self.laws, self.counts, strict=True)
        if any(law.infinite >= 1 for law in self.laws):
            return 1.0
        return float(-np.expm1(sum(k * np.log1p(-law.infinite) for law, k in parts)))

    def tilt(self, value: Callable[[float], float]) -> float:
        """Return the zero of `value`, which increases in theta, or the nearest end without one."""
        low, high = np.log(1e-20 / self.step), np.log(1 / self.step)
        for _ in range(24):  # theta need not be exact: every theta gives valid bounds
            middle = (low + high) / 2
            low, high = (low, middle) if value(np.exp(middle)) > 0 else (middle, high)
        return float(np.exp(low))

    def tilt_for_delta(self, delta: float) -> float:
        """Return the theta = alpha - 1 of the Renyi order that is best for `delta`.

        There the conversion of Canonne, Kamath and Steinke (2020), Proposition 12, has its minimum
        over orders.
        """

        def value(theta: float) -> float:
            log_moment, mean, _ = self.moments(theta)
            return theta * mean - log_moment + np.log1p(theta) + np.log(delta)

        return self.tilt(value)

    def tilt_for_epsilon(self, epsilon: float) -> float:
        """Return the theta whose tilted mean is `epsilon`."""
        return self.tilt(lambda theta: self.moments(theta)[1] - epsilon)


class DeltaBounds:
    """The lower and upper bounds on delta(epsilon) of a `GridSum`, tilted by theta."""

    def __init__(self, total: GridSum, theta: float):
        self.theta, self.step, self.infinite = theta, total.step, total.infinite
        self.log_moment, self.center, _ = total.moments(theta)
        self.slack = sum(total.counts) * ROUNDING
        self.digits = (8 + len(total.counts)) * UNIT  # relative error in the sum for `infinite`
        start, width = window(total, theta)
        size = power_above(width)
        masses, error = convolve(total, theta, start, size)
        self.size = size
        self.losses = total.origin + self.step * (start + np.arange(size))
        norm = np.sqrt(min(size, 1 / np.expm1(2 * theta * self.step)))
        self.error = error * norm + 2 * np.exp(-LEVEL)
        self.bottom = self.center - 300 / theta  # weights overflow below it
        self._weights = np.zeros(size)
        safe = self.losses > self.bottom
        self._weights[safe] = masses[safe] * np.exp(theta * (self.center - self.losses[safe]))
        self._flat: np.ndarray = np.append(np.cumsum(self._weights[::-1])[::-1], 0.0)
        self._decay = np.exp(-self.step * np.arange(min(size, np.ceil(LEVEL / self.step))))

    def _sum_above(self, epsilon: float) -> tuple[float, float]:
        """Return the sum over z > epsilon and the bound on its error, both times M."""
        i = np.searchsorted(self.losses, epsilon, side="right")
        scale = np.exp(self.log_moment - self.theta * self.center)
        flat, value = self._flat[i], self._flat[i]
        if i < len(self.losses):
            weights = self._weights[i : i + len(self._decay)]
            value -= np.exp(epsilon - self.losses[i]) * (weights @ self._decay[: len(weights)])
        # The rounding of 2 N additions; the terms beyond the decay are far smaller.
        rounding = 4 * len(self.losses) * UNIT * flat
        error = np.exp(self.log_moment - self.theta * epsilon) * self.error
        return scale * value, scale * rounding + error

    def upper(self, epsilon: float) -> float:
        """Return an upper bound on delta(epsilon) of the true losses; `epsilon` in nats."""
        epsilon -= self.slack
        if epsilon < self.bottom:
            return 1.0
        value, error = self._sum_above(epsilon)
        bound = np.exp(self.slack) * (value + error) + self.infinite * (1 + self.digits)
        return max(float(bound), math.ulp(0.0)) if bound <= 1 else 1.0  # 1 for NaN, too

    def lower(self, epsilon: float) -> float:
        """Return a lower bound on delta(epsilon) of the true losses; `epsilon` in nats."""
        epsilon = max(epsilon + self.slack, self.bottom)
        value, error = self._sum_above(epsilon)
        finite = np.exp(-self.slack) * max(0.0, value - error)
        return float(finite + self.infinite * (1 - self.slack))


def window(total: GridSum, theta: float) -> tuple[int, int]:
    """Return the first grid index and the number of points of a window that misses e^{-LEVEL}.

    It uses Chernoff's bound at the tau that is best for a normal distribution and, for heavier
    tails, at that tau over powers of 4.
    """
    log_moment, _, variance = total.moments(theta)
    taus = np.sqrt(2 * LEVEL) / max(variance**0.5, total.step) * 4.0 ** -np.arange(16)
    top = min((total.log_moment(theta + tau) - log_moment + LEVEL) / tau for tau in taus)
    bottom = max((log_moment - total.log_moment(theta - tau) - LEVEL) / tau for tau in taus)
    parts = list(zip(total.laws, total.counts, strict=True))
    least = sum(k * law.low for law, k in parts)
    most = sum(k * int(law.places[-1]) for law, k in parts)
    start = max(least, int(np.floor((bottom - total.origin) / total.step)))
    end = min(most, int(np.ceil((top - total.origin) / total.step)))
    return start, end - start + 1


def power_above(width: int) -> int:
    """Return a power of 2 above `width`, at least 16, for a transform."""
    return 1 << max(4, int(width).bit_length())


def convolve(total: GridSum, theta: float, start: int, size: int) -> tuple[np.ndarray, float]:
    """Return the tilted distribution of the sum on the window, and a bound on its error in 2-norm.

    Rounding in k logarithms and angles changes a power |f|^k by a share of at most
    k (|log |f|| + pi) 4 u. Where log |f| < -60 that is far below (|f| + e)^k - |f|^k.
    """
    psi = 16 * UNIT * np.log2(size)
    sizes, angles, largest = np.zeros((3, size // 2 + 1))
    for law, k in zip(total.laws, total.counts, strict=True):
        tilted = law.tilt(theta)[0]
        spectrum = _spectrum(law.places % size, tilted, size)
        absolute = np.abs(spectrum)
        with np.errstate(divide="ignore"):
            sizes += k * np.log(absolute)
        angles += k * np.angle(spectrum)
        largest += k * np.log(absolute + psi * np.sqrt(size * (tilted @ tilted)))
    rounding = sum(total.counts) * 64 * 4 * UNIT
    errors = np.exp(largest) - np.exp(sizes) * (1 - rounding)
    masses = np.fft.irfft(np.exp(sizes) * np.exp(1j * angles), size)
    error = np.sqrt(2 * (errors @ errors) / size) + psi * np.linalg.norm(masses)
    return np.maximum(np.roll(masses, -start), 0.0), float(error)


def _spectrum(places: np.ndarray, masses: np.ndarray, size: int) -> np.ndarray:
    """Return sum_x masses(x) e^{-2 pi i x f / size} for each frequency f up to size / 2."""
    return np.fft.rfft(np.bincount(places, masses, size))
