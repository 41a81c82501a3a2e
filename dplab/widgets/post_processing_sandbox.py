"""Explorer: two neighbouring distributions are sent through a channel, and no divergence rises.

The channel is a stochastic matrix of the reader's choice. On the left are the two distributions of
a noisy count, in the middle those of the output. On the right is delta(epsilon) before and after.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import ipywidgets
import numpy as np

from dplab.discrete import DiscreteLaplace
from dplab.theorems.post_processing import PostProcessing, StochasticMatrix
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most

COUNTS = tuple(range(12))
NEIGHBOURS = (5, 6)  # the true counts on x and on x'
EPSILONS = np.linspace(0, 2.2, 89)
TOPS = (0.5, 1.05)  # ends of the axes of distributions; the first that shows all is used
MERGE, CLAMP, LIE, RANDOM = "merge counts", "cut off both ends", "lie now and then", "at random"


def channel_of(kind: str, strength: float, random: np.ndarray) -> StochasticMatrix:
    """Build a channel: the identity at strength 0, a constant or random distribution at 1."""
    last = COUNTS[-1]
    if kind == MERGE:
        width = 1 + round(strength * last)
        return _build_channel(lambda count: count // width * width)
    if kind == CLAMP:
        cut = round(strength * (last + 1) / 2)
        return _build_channel(lambda count: min(max(count, min(cut, 5)), max(last - cut, 5)))
    other = random if kind == RANDOM else np.full((last + 1, last + 1), 1 / (last + 1))
    return StochasticMatrix(COUNTS, COUNTS, (1 - strength) * np.eye(last + 1) + strength * other)


def _build_channel(function: Callable[[int], int]) -> StochasticMatrix:
    images = [function(count) for count in COUNTS]
    return StochasticMatrix(COUNTS, COUNTS, np.eye(len(COUNTS))[images])


def sandbox_view(*, epsilon: float, channel: StochasticMatrix) -> PostProcessing:
    """Send two neighbours' outputs of the truncated geometric mechanism through the channel."""
    scale = Fraction(1 / epsilon)
    p, q = (
        DiscreteLaplace(Fraction(count), scale).clamp(COUNTS[0], COUNTS[-1]) for count in NEIGHBOURS
    )
    return PostProcessing(p, q, channel)


class PostProcessingSandbox(Explorer):
    """Try to make two neighbours easier to tell apart without looking at the data again."""

    def __init__(self):
        self.rng = np.random.default_rng(7)
        self.random = self._draw_matrix()
        super().__init__()

    def _draw_matrix(self) -> np.ndarray:
        """Draw rows that each favour a few outputs."""
        return self.rng.dirichlet(np.full(len(COUNTS), 0.15), len(COUNTS))

    def make_controls(self) -> Controls:
        return {
            "epsilon": slider("ε of the count", 1.0, 0.1, 2.0, 0.05),
            "strength": slider("Strength", 0.3, 0.0, 1.0, 0.05),
            "kind": ipywidgets.RadioButtons(
                options=[MERGE, CLAMP, LIE, RANDOM],
                description="Channel:",
                value=RANDOM,
                layout={"width": "420px"},
            ),
            "again": Again("Another random matrix"),
        }

    def link(self, name: str) -> None:
        if name == "again":
            self.random = self._draw_matrix()
        self.controls["again"].disabled = self.value("kind") != RANDOM

    def compute(self, epsilon: float, strength: float, kind: str, again: int) -> PostProcessing:
        return sandbox_view(epsilon=epsilon, channel=channel_of(kind, strength, self.random))

    def build(self) -> Artists:
        left_ax, middle_ax, right_ax = self.figure.subplots(1, 3)
        self.figure.subplots_adjust(left=0.05, right=0.985, bottom=0.14, top=0.91, wspace=0.2)
        edges = np.arange(len(COUNTS) + 1) - 0.5
        self.bars = []
        for axes, title in ((left_ax, "Noisy count, published"), (middle_ax, "After the channel")):
            axes.set(title=title, xlabel="value", ylim=(0, 1), xlim=edges[[0, -1]])
            axes.set_xticks(COUNTS[::5])
            axes.locator_params(axis="y", nbins=4)
            on_x = axes.stairs(
                np.zeros(len(COUNTS)), edges, fill=True, color=style.BLUE, alpha=0.45, label="on x"
            )
            near = axes.stairs(
                np.zeros(len(COUNTS)), edges, color=style.ORANGE, linewidth=2, label="on x′"
            )
            self.bars.append((on_x, near))
        left_ax.legend(loc="upper left")
        right_ax.set(title="Excess at each ε′: never above", xlabel="ε′", xlim=(0, EPSILONS[-1]))
        right_ax.set(ylim=(0, 0.8), xticks=(0, 1, 2), yticks=(0, 0.4, 0.8))
        self.curves = [
            right_ax.plot(EPSILONS, 0 * EPSILONS, color=colour, linestyle=dashes, label=label)[0]
            for label, colour, dashes in (
                ("before", style.INK, "--"),
                ("after the channel", style.GREEN, "-"),
            )
        ]
        right_ax.legend(loc="upper right")
        return [*(bar for pair in self.bars for bar in pair), *self.curves]

    def move(self, view: PostProcessing) -> None:
        bars = [bar for pair in self.bars for bar in pair]
        distributions = (view.p, view.q, *view.images)
        heights = np.exp([distribution.log_densities(COUNTS) for distribution in distributions])
        for bar, values in zip(bars, heights, strict=True):
            bar.set_data(values)
            bar.axes.set_ylim(0, next(top for top in TOPS if heights.max() < top))
        for curve, deltas in zip(self.curves, view.deltas(EPSILONS), strict=True):
            curve.set_ydata(deltas)

    def describe(self, view: PostProcessing) -> str:
        losses = view.input_loss, view.output_loss
        first, last = (at_most(loss.largest_log_ratio + 0.0) for loss in losses)
        guess = f"{first}, before the channel and after it"
        if first != last:
            guess = f"{first} before the channel, and {last} after it"
        top, new_top = (f"{loss.delta(0):.2f}" for loss in losses)
        curve = "as before" if new_top == top else f"at {new_top}, below {top}"
        return f"A 50% guess becomes {guess}. The curve of the excess now begins {curve}."
