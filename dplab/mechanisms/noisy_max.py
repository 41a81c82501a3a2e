"""Report noisy max: add noise to every score, and publish only the winner.

With Gumbel noise the distribution is that of the exponential mechanism, with exponential noise that
of permute-and-flip, each in closed form; with Laplace noise it is an integral.

Sources: Dwork and Roth (2014), Section 3.3; Ding, Kifer, Sayed, Steinke, Wang, Xiao and Zhang
(2021).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab import arguments
from dplab.guarantees import BoundedRange
from dplab.mechanisms.selection import (
    Selection,
    log_softmax,
    permute_and_flip_log_law,
)
from dplab.quadrature import gauss_legendre

MAX_SCALES = 1000  # noise scales from best to worst score, for the distribution with Laplace noise
MAX_CANDIDATES = 100  # the limit for the distribution with Laplace noise


@dataclass(frozen=True)
class ReportNoisyMax(Selection):
    """The mechanism argmax_i score_i + noise_i with noise of scale 1 / rate: epsilon-DP.

        output = argmax_i (score_i + noise_i / rate)
        rate = epsilon / (2 sensitivity), for monotone scores epsilon / sensitivity

    `noise` is "laplace", "exponential" or "gumbel". The scale is 2 sensitivity / epsilon, and
    sensitivity / epsilon for monotone scores. With the smaller scale, scores that move in opposite
    directions would spend nearly 2 epsilon. Gumbel noise has bounded range epsilon, the others
    2 epsilon.
    The distribution is computed for at most 1,000 candidates, with Laplace noise for at most 100
    whose scores lie within 1,000 noise scales, otherwise it raises ValueError. Draws have no limit.

    >>> count = lambda data: [data.count("a"), data.count("b")]
    >>> ReportNoisyMax("ab", count, 1, 1).distribution("aab").probabilities.round(4).tolist()
    [0.6209, 0.3791]
    """

    noise: str = "laplace"

    def __post_init__(self):
        super().__post_init__()
        arguments.one_of("noise", self.noise, tuple(_LAWS))

    @property
    def bounded_range(self) -> BoundedRange:
        """epsilon with Gumbel noise, otherwise the 2 epsilon that epsilon-DP implies."""
        return BoundedRange(self.epsilon) if self.noise == "gumbel" else super().bounded_range

    def log_law(self, advantages: np.ndarray) -> np.ndarray:
        return _LAWS[self.noise](advantages)

    def choose(self, advantages: np.ndarray, rng: np.random.Generator) -> int:
        return int(np.argmax(advantages + getattr(rng, self.noise)(size=len(advantages))))


def laplace_log_law(advantages: np.ndarray) -> np.ndarray:
    """Return log P(i wins) = log integral f(x - a_i) prod_{j != i} F(x - a_j) dx, Laplace f, F.

    Above all a_j (x > 0), with y = e^{-x}, the integrand is a polynomial in y. Below all of them it
    is a multiple of e^{k x}. Between them it is a sum of such terms, cut into pieces of length 1.
    Each part is summed exactly or up to rounding, in log space and in positive terms.
    """
    possible = advantages > -np.inf
    a = advantages[possible]
    _check_limits(a)
    logs = np.full(len(advantages), -np.inf)
    log_nodes = [_integrate_above(a), _integrate_between(a), _integrate_below(a)]
    logs[possible] = np.logaddexp.reduce(np.concatenate(log_nodes), axis=0)
    return logs


def _check_limits(a: np.ndarray) -> None:
    if len(a) > MAX_CANDIDATES:
        raise ValueError(f"candidates must be at most {MAX_CANDIDATES} for this law, not {len(a)}")
    if -a.min() > MAX_SCALES:
        raise ValueError(f"scores must lie within {MAX_SCALES} noise scales")


def _integrate_above(a: np.ndarray) -> np.ndarray:
    """Return log summands of (e^{a_i} / 2) integral_0^1 prod_{j != i} (1 - e^{a_j} y / 2) dy."""
    y, weights = gauss_legendre((len(a) + 1) // 2)
    factors = np.log1p(-np.outer(y, np.exp(a)) / 2)
    other_factors = factors.sum(axis=1, keepdims=True) - factors
    return np.log(weights)[:, None] + a - np.log(2) + other_factors


def _integrate_between(a: np.ndarray) -> np.ndarray:
    """Return logs of the summands of the integral from the worst advantage to the best, 0."""
    corners = np.union1d(a, -np.arange(np.ceil(-a.min())))
    nodes, weights = gauss_legendre(16 + len(a))
    lengths = np.diff(corners)
    x = (corners[:-1, None] + lengths[:, None] * nodes).ravel()
    log_weights = (np.log(lengths)[:, None] + np.log(weights)).ravel()
    distance = x[:, None] - a
    half_tail = -np.abs(distance) - np.log(2)  # log f; also log F where x < a_j
    factors = np.where(distance < 0, half_tail, np.log1p(-np.exp(half_tail)))
    return log_weights[:, None] + half_tail + factors.sum(axis=1, keepdims=True) - factors


def _integrate_below(a: np.ndarray) -> np.ndarray:
    """Return log integral e^{k x - sum_j a_j} / 2^k dx up to the worst advantage.

    For k candidates the integral is e^{k min - sum} / (k 2^k), the same for all of them.
    """
    k = len(a)
    return np.full((1, k), k * a.min() - a.sum() - np.log(k) - k * np.log(2))


_LAWS = {
    "laplace": laplace_log_law,
    "exponential": permute_and_flip_log_law,
    "gumbel": log_softmax,
}
