"""The abstract class of privacy losses: the questions that each of them answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dplab import arguments, plots
from dplab.bisection import edge

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = 61  # of the picture of a loss
OMITTED = 1e-3  # a probability, on each side, that the picture of a loss may omit
WIDTHS = np.geomspace(1e-9, 1e9, 1801)  # in nats; half of the picture has one of them


class PrivacyLoss(ABC):
    """The distribution of the privacy loss of p against q. Losses are natural logarithms."""

    @property
    @abstractmethod
    def smallest(self) -> float:
        """inf Z, in nats; -inf where there is no bound."""

    @property
    @abstractmethod
    def largest(self) -> float:
        """sup Z, in nats."""

    @abstractmethod
    def tails(self, threshold: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return (P_p[Z > threshold], P_q[Z > threshold]), elementwise."""

    @abstractmethod
    def true_positive_rate(self, false_positive_rate: ArrayLike) -> np.ndarray:
        """Return the power of the best test of q (null) against p at each false positive rate.

        Raises ValueError for a rate that is not from 0 to 1.
        """

    @abstractmethod
    def renyi(self, alpha: float) -> float:
        """Return the Renyi divergence of order alpha of p from q; ValueError unless alpha > 1."""

    @abstractmethod
    def reverse(self) -> PrivacyLoss:
        """Return the loss of q against p: the distribution of -Z under q."""

    @property
    def is_symmetric(self) -> bool:
        """Return whether `reverse()` has the same distribution, up to rounding."""
        return self.reverse() == self

    @property
    def rho(self) -> float:
        """A rho so that `renyi(alpha)` is at most rho alpha, in both directions; inf if unknown.

        A loss with a bound epsilon has epsilon tanh(epsilon / 2): `PureDP.to_zcdp`.
        """
        epsilon = self.largest_log_ratio
        return float(epsilon * np.tanh(epsilon / 2))

    @property
    def infinite(self) -> float:
        """P_p[Z = inf]: the probability of an outcome that only p can produce."""
        return 0.0

    def masses(self, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return P_p and P_q of each cell edges[i] < Z <= edges[i + 1], relative error below 1e-11.

        Differences of tails would lose all digits of a small cell. Raises ValueError for a loss
        that has no better formula.
        """
        raise ValueError(f"no accurate masses of small cells are known for {self!r}")

    @property
    def largest_log_ratio(self) -> float:
        """sup |log p(y) - log q(y)|: the smallest epsilon of pure DP for this pair."""
        return max(self.largest, -self.smallest)

    @abstractmethod
    def delta(self, epsilon: float) -> float:
        """Return the smallest delta with p(S) <= e^epsilon q(S) + delta for all events S.

        A tiny delta keeps its digits, which it would lose as a difference of two tails. Raises
        ValueError unless epsilon, of either sign, is finite.
        """

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon >= 0 with delta(epsilon) <= delta; inf if there is none.

        Raises ValueError unless 0 <= delta < 1.
        """
        delta = arguments.number("delta", delta, least=0, below=1)
        if delta == 0:  # the float delta(epsilon) is 0 long before the largest loss
            return max(0.0, self.largest)
        if self.delta(0.0) <= delta:
            return 0.0
        return np.inf if self.infinite > delta else self._solve_delta(delta)

    def _solve_delta(self, delta: float) -> float:
        """Return `epsilon(delta)` for a delta above 0, at least `infinite`, and below delta(0)."""
        return edge(lambda e: self.delta(e) > delta)[1]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a histogram of the loss under p, outlined under q, into `ax`; return the axes.

        It omits less than 1e-3 of each, on each side. The title says how likely an infinite loss
        is.
        """
        edges = self._bar_edges()
        under_p, under_q = (-np.diff(tail) for tail in self.tails(edges))
        ax = plots.label_axes(ax, xlabel="privacy loss (nats)", ylabel="probability of each bar")
        ax.stairs(under_p, edges, fill=True, alpha=0.6, label="under p")
        ax.stairs(under_q, edges, linewidth=1.5, label="under q")
        if self.infinite:
            ax.set_title(f"and infinite with probability {self.infinite:.3g}")
        ax.legend()
        return ax

    def _bar_edges(self) -> np.ndarray:
        """Return the edges of bars for both distributions, with a margin around the least range."""
        right, left = (np.array(self.tails(widths)) for widths in (WIDTHS, -WIDTHS))
        missing = (right - right[:, -1:], left[:, -1:] - left)  # finite losses beyond a width
        high, low = (WIDTHS[np.argmax((m <= OMITTED).all(axis=0))] for m in missing)
        return np.linspace(-1.02 * low, 1.02 * high, BARS + 1)


def remainder(x: ArrayLike) -> np.ndarray:
    """Return e^x - 1 - x >= 0, elementwise, to full relative accuracy."""
    x, series = np.asarray(x, dtype=float), 1.0
    with np.errstate(over="ignore", invalid="ignore"):  # the unused form may overflow
        for n in range(17, 2, -1):
            series = 1 + series * x / n
        return np.where(np.abs(x) > 0.5, np.expm1(x) - x, series * x**2 / 2)


def checked_rates(false_positive_rate: ArrayLike) -> np.ndarray:
    """Return the rates as an array of floats; raise ValueError unless all are from 0 to 1."""
    rates = arguments.reals("false_positive_rate", false_positive_rate)
    if not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError(f"false_positive_rate must lie in [0, 1], not {false_positive_rate!r}")
    return rates
