"""Distributions that are uniform on each of finitely many intervals: a density made of steps.

The exponential mechanism over the reals has such a distribution where the score changes at data
points only. Sampling needs no grid: draw an interval, then a point in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, plots
from dplab.continuous import RealDistribution
from dplab.distributions import Distribution
from dplab.divergences import privacy_loss
from dplab.losses import AtomicLoss, PrivacyLoss

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class PiecewiseConstant(RealDistribution):
    """Density e^{log_heights[i]}, up to a factor, on edges[i] <= y < edges[i + 1]; 0 outside.

    `edges` are non-decreasing reals, shape (k + 1,); `log_heights`, shape (k,), are natural
    logarithms of any size, -inf for an empty interval. Intervals of length 0 are left out, and
    heights are scaled: afterwards `log_heights` are log densities. Raises ValueError unless some
    interval has a finite log height and a length above 0.

    >>> law = PiecewiseConstant([0, 1, 1, 3], np.log([4, 7, 1]))
    >>> law.edges.tolist(), law.probabilities.round(4).tolist()
    ([0.0, 1.0, 3.0], [0.6667, 0.3333])
    """

    edges: np.ndarray
    log_heights: np.ndarray

    def __post_init__(self):
        edges = arguments.reals("edges", self.edges, ndim=1)
        logs = arguments.to_floats(self.log_heights)
        if logs is None:
            raise ValueError("log_heights must hold real numbers or -inf")
        if logs.shape != (len(edges) - 1,):
            allowed = f"one entry for each interval, shape ({edges.size - 1},)"
            raise ValueError(f"log_heights must have {allowed}, not {logs.shape}")
        lengths = np.diff(edges)
        if (lengths < 0).any() or np.isnan(logs).any():
            raise ValueError(f"edges must not decrease, nor log_heights be NaN: {edges}, {logs}")
        has_length = lengths > 0
        edges, logs = np.append(edges[:-1][has_length], edges[-1]), logs[has_length]
        log_total = np.logaddexp.reduce(logs + np.log(lengths[has_length]))
        if not np.isfinite(log_total):
            raise ValueError("log_heights must be finite on an interval of length above 0")
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "log_heights", logs - log_total)

    @cached_property
    def probabilities(self) -> np.ndarray:
        """P(edges[i] <= outcome < edges[i + 1]), shape (k,)."""
        weights = np.diff(self.edges) * np.exp(self.log_heights)
        return weights / weights.sum()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] | None = None) -> Any:
        arguments.generator("rng", rng)
        i = rng.choice(len(self.probabilities), size, p=self.probabilities)
        return self.edges[i] + np.diff(self.edges)[i] * rng.random(size)

    def log_density(self, outcome: Any) -> Any:
        y = np.asarray(outcome, dtype=float)
        last = np.where(y == self.edges[-1], self.log_heights[-1], -np.inf)
        return np.maximum(self._log_height_from(y), last)[()]

    def _log_height_from(self, y: np.ndarray) -> np.ndarray:
        """Return the log density just above y."""
        i = np.searchsorted(self.edges, y, side="right")
        return np.concatenate([[-np.inf], self.log_heights, [-np.inf]])[i]

    def cdf(self, value: ArrayLike) -> Any:
        return np.interp(value, self.edges, np.append(0.0, np.cumsum(self.probabilities)))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density as steps into `ax`; return the axes."""
        ax = plots.label_axes(ax, xlabel="value", ylabel="density (per unit of the value)")
        ax.stairs(np.exp(self.log_heights), self.edges, fill=True)
        return ax


@privacy_loss.register
def _(p: PiecewiseConstant, q: Distribution) -> PrivacyLoss:
    """Return the exact loss: both densities are constant between the edges of both."""
    if not isinstance(q, PiecewiseConstant):
        raise ValueError("q must be PiecewiseConstant like p")
    edges = np.union1d(p.edges, q.edges)
    logs = (density._log_height_from(edges[:-1]) + np.log(np.diff(edges)) for density in (p, q))
    return AtomicLoss.of(*logs)
