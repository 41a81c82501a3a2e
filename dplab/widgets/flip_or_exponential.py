"""Explorer: permute-and-flip beside the exponential mechanism, on equally spaced scores.

On the left are the two distributions. On the right is the score that each gives up as epsilon
grows, as a share of the score that a blind choice gives up. It also shows the ratio of the two,
which falls from 1 to 1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplab.theorems.permute_and_flip import FlipAgainstExponential, compare
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most, percent

EPSILONS = np.logspace(-1, 1, 41)
MAX_CANDIDATES = 20


@dataclass(frozen=True, eq=False)
class FlipView:
    """The two distributions at one epsilon, and expected gaps at all `EPSILONS`, shape (2, 41)."""

    two: FlipAgainstExponential
    gaps: np.ndarray

    @property
    def blind(self) -> float:
        """The expected gap of a choice that ignores the scores."""
        return float(self.two.gaps.mean())


@lru_cache(maxsize=64)
def gap_curves(candidates: int, spacing: float) -> np.ndarray:
    """Return the expected gaps of both mechanisms at each of `EPSILONS`; the sensitivity is 1."""
    comparisons = [compare(-spacing * np.arange(candidates), rate=e / 2) for e in EPSILONS]
    return np.array([[pair.flip_gap, pair.exponential_gap] for pair in comparisons]).T


def flip_view(*, epsilon: float, candidates: int, spacing: float) -> FlipView:
    """Compare the two on the scores 0, -spacing, -2 spacing, ..."""
    two = compare(-spacing * np.arange(candidates), rate=epsilon / 2)
    return FlipView(two, gap_curves(candidates, spacing))


class FlipOrExponential(Explorer):
    """Two ways to choose with the same guarantee, and how much better one of them is."""

    def make_controls(self) -> Controls:
        return {
            "epsilon": log_slider("Privacy loss ε", 1.0, 0.1, 10),
            "candidates": slider("Candidates", 8, 2, MAX_CANDIDATES, 1),
            "spacing": slider("Step of score", 1.0, 0.2, 4.0, 0.2),
        }

    compute = staticmethod(flip_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.065, right=0.985, bottom=0.14, top=0.91, wspace=0.16)
        left_ax.set(title="Who is chosen", xlabel="candidate, the best first", ylabel="probability")
        names = ("permute-and-flip", "exponential mechanism")
        colours = (style.ORANGE, style.BLUE)
        self.bars = [
            left_ax.vlines(np.zeros(MAX_CANDIDATES), 0, 0, color=colour, linewidth=5, label=name)
            for name, colour in zip(names, colours, strict=True)
        ]
        left_ax.legend(loc="upper right")
        right_ax.set(title="Score given up, relative to a blind choice", xlabel="ε")
        right_ax.set(xscale="log", xlim=EPSILONS[[0, -1]], ylim=(0, 1.05))
        style.plain_ticks(right_ax.xaxis, [0.1, 0.3, 1, 3, 10])
        self.lines = [
            right_ax.plot(EPSILONS, EPSILONS, color=colour, linestyle=line, label=name)[0]
            for name, colour, line in zip(names, colours, ("-", "--"), strict=True)
        ]
        (self.ratio,) = right_ax.plot(
            EPSILONS, EPSILONS, color=style.INK, linestyle=":", label="ratio of the two"
        )
        (self.here,) = right_ax.plot([1, 1], [0, 0], "o", color=style.RED)
        right_ax.legend(loc="lower left")
        return [*self.bars, *self.lines, self.ratio, self.here]

    def move(self, view: FlipView) -> None:
        distributions = (view.two.flip, view.two.exponential)
        most = next(most for most in (5, 10, MAX_CANDIDATES) if len(view.two.flip) <= most)
        peak = max(law.max() for law in distributions)
        top = next(top for top in (0.2, 0.35, 0.6, 1.05) if peak < 0.96 * top)
        self.bars[0].axes.set(xlim=(0.3, most + 0.7), ylim=(0, top))
        for bar, distribution, shift in zip(self.bars, distributions, (-0.17, 0.17), strict=True):
            places = np.arange(1, len(distribution) + 1) + shift
            bar.set_segments([[(a, 0), (a, p)] for a, p in zip(places, distribution, strict=True)])
        for line, gaps in zip(self.lines, view.gaps, strict=True):
            line.set_ydata(gaps / view.blind)
        self.ratio.set_ydata(view.gaps[0] / view.gaps[1])
        now = np.array([view.two.flip_gap, view.two.exponential_gap]) / view.blind
        self.here.set_data([self.value("epsilon")] * 2, now)

    def describe(self, view: FlipView) -> str:
        ratio = percent(view.two.flip_gap / view.two.exponential_gap)
        return (
            f"On average permute-and-flip gives up {ratio} of the score that the exponential "
            f"mechanism does. With both, a 50% guess becomes {at_most(self.value('epsilon'))}."
        )
