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
from dplab.guarantees import BoundedRange, PureDP
from dplab.mechanisms.selection import (
    Selection,
    log_softmax,
    permute_and_flip_log_law,
)
from dplab.quadrature import gauss_legendre

MAX_SCALES = 1000  # noise scales from best to worst score, for the distribution with Laplace noise
MAX_CANDIDATES = 100  # the limit for the distribution with Laplace noise
REACH_SCALES = 40  # distance beyond the best and the worst score at which the integral ends


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
    def worst_case(self) -> BoundedRange | PureDP:
        """The range epsilon with Gumbel noise, which makes the exponential mechanism.

        With other noise it is epsilon-DP.
        """
        return BoundedRange(self.epsilon) if self.noise == "gumbel" else super().worst_case

    def log_law(self, advantages: np.ndarray) -> np.ndarray:
        return _LAWS[self.noise](advantages)

    def choose(self, advantages: np.ndarray, rng: np.random.Generator) -> int:
        return int(np.argmax(advantages + getattr(rng, self.noise)(size=len(advantages))))


def laplace_log_law(advantages: np.ndarray) -> np.ndarray:
    """Return log P(i wins) = log integral f(x - a_i) prod_{j != i} F(x - a_j) dx, Laplace f, F.

    f and F have kinks at the advantages only. Between them Gauss and Legendre's rule on pieces of
    length 1 is right up to rounding. It sums positive terms, in log space. Beyond `REACH_SCALES`
    from all advantages the rest is a share of e^-40.
    """
    possible = advantages > -np.inf
    a = advantages[possible]
    _check_limits(a)
    reach = REACH_SCALES + np.ceil(-a.min())
    corners = np.union1d(a, np.arange(-reach, REACH_SCALES + 1))
    nodes, weights = gauss_legendre(16 + len(a))
    lengths = np.diff(corners)[:, None]
    x, steps = (corners[:-1, None] + lengths * nodes).reshape(-1, 1), (lengths * weights).ravel()
    half_tail = -np.abs(x - a) - np.log(2)  # log f; also log F where x < a_j
    factors = np.where(x < a, half_tail, np.log1p(-np.exp(half_tail)))
    logs = np.full(len(advantages), -np.inf)
    terms = np.log(steps)[:, None] + half_tail + factors.sum(axis=1, keepdims=True) - factors
    logs[possible] = np.logaddexp.reduce(terms, axis=0)
    return logs


def _check_limits(a: np.ndarray) -> None:
    if len(a) > MAX_CANDIDATES:
        raise ValueError(f"candidates must be at most {MAX_CANDIDATES} for this law, not {len(a)}")
    if -a.min() > MAX_SCALES:
        raise ValueError(f"scores must lie within {MAX_SCALES} noise scales")


_LAWS = {
    "laplace": laplace_log_law,
    "exponential": permute_and_flip_log_law,
    "gumbel": log_softmax,
}
