"""Explorer: the mean of many noisy differences tells a secret bit.

On the left are the two distributions of the mean of k differences, for bit 0 and for bit 1, and one
such mean. On the right is how often the guess is right, for every k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab.attacks.averaging import pairs_to_be_right, right_with
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import count, uncertain

MEANS = np.linspace(-4, 5, 541)
PAIRS = np.geomspace(1, 10_000, 161)
CONFIDENCES = np.array([0.75, 0.9, 0.95, 0.99, 0.999])


@dataclass(frozen=True)
class AveragingView:
    """k pairs whose differences are N(bit, variance): the drawn bit, and the drawn mean."""

    pairs: int
    variance: float
    bit: int
    mean: float

    @property
    def deviation(self) -> float:
        """The standard deviation of the mean."""
        return (self.variance / self.pairs) ** 0.5

    @property
    def right(self) -> float:
        """The probability that the guess is right, before the bit and the noise are drawn."""
        return right_with(self.pairs, self.variance)

    @property
    def guess(self) -> int:
        """The guessed bit: 1 if the mean is above 1/2."""
        return int(self.mean > 1 / 2)


def averaging_view(pairs: int, noise: float, rng: np.random.Generator) -> AveragingView:
    """Draw a bit, and the mean of `pairs` differences of answers with noise N(0, noise)."""
    bit, normal = int(rng.integers(2)), rng.normal()
    return AveragingView(pairs, 2 * noise, bit, bit + normal * (2 * noise / pairs) ** 0.5)


class AveragingNoise(Explorer):
    """Ask the same pair of questions k times, and average the fresh noise away."""

    seed = 2

    def make_controls(self) -> Controls:
        return {
            "pairs": log_slider("Pairs of answers k", 10, 1, 10_000),
            "noise": slider("Noise variance", 10.0, 1.0, 100.0, 1.0),
            "again": Again("Another person, new noise"),
        }

    def compute(self, pairs: int, noise: float, again: int) -> AveragingView:
        return averaging_view(pairs, noise, self.generator(again))

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.03, right=0.965, bottom=0.15, top=0.91, wspace=0.14)
        left_ax.set(title="Where the mean falls (not to scale)", xlabel="mean of k differences")
        left_ax.set(xlim=MEANS[[0, -1]], ylim=(0, 1.32), yticks=[], xticks=range(-4, 6))
        left_ax.plot([0.5, 0.5], [0, 1.1], ":", color=style.INK, linewidth=1.2)
        self.laws = [
            left_ax.plot(MEANS, 0 * MEANS, line, color=colour, label=label)[0]
            for colour, line, label in ((style.BLUE, "-", "not ill"), (style.ORANGE, "--", "ill"))
        ]
        (self.mean_mark,) = left_ax.plot(
            [0], [0.04], "v", color=style.INK, markersize=9, label="this mean"
        )
        left_ax.legend(loc="upper center", ncols=3, columnspacing=1.2)
        right_ax.set(
            title="How often the guess is right", xlabel="pairs of answers k", xscale="log"
        )
        right_ax.set(xlim=(1, 10_000), ylim=(0.48, 1.02))
        right_ax.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
        style.plain_ticks(right_ax.xaxis, [1, 10, 100, 1000, 10_000])
        (self.curve,) = right_ax.plot(PAIRS, 0 * PAIRS, color=style.BLUE)
        (self.marks,) = right_ax.plot([], [], "o", color=style.GREY, markersize=5)
        (self.here,) = right_ax.plot([1], [0.5], "o", color=style.RED, markersize=9)
        self.note = right_ax.text(1.3, 0.97, "", color=style.RED, weight="bold")
        return [*self.laws, self.mean_mark, self.curve, self.marks, self.here, self.note]

    def move(self, view: AveragingView) -> None:
        for bit, line in enumerate(self.laws):
            line.set_ydata(np.exp(-(((MEANS - bit) / view.deviation) ** 2) / 2))
        self.mean_mark.set_xdata([np.clip(view.mean, *MEANS[[0, -1]])])
        self.curve.set_ydata(right_with(PAIRS, view.variance))
        pairs = [pairs_to_be_right(confidence, view.variance) for confidence in CONFIDENCES]
        self.marks.set_data(pairs, CONFIDENCES)
        self.here.set_data([view.pairs], [view.right])
        self.note.set_text(f"{count(view.pairs, 'pairs')}: {uncertain(view.right)}")

    def describe(self, view: AveragingView) -> str:
        outcome = "right" if view.guess == view.bit else "wrong"
        needed = pairs_to_be_right(0.99, view.variance)
        return (
            f"After {count(view.pairs, 'pairs')} the guess is right {uncertain(view.right)} of the "
            f"time; for 99% it takes {needed:,}. This time it is {outcome}."
        )
