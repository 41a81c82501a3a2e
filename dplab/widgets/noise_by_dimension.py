"""Explorer: many answers at once, with Laplace noise for the L1 norm or Gaussian for the L2 norm.

One person moves m of the counts, by 1 each. The standard deviation of Laplace noise is proportional
to m, that of Gaussian noise to sqrt(m). Because of delta, Gaussian noise starts higher. It rises
half as steeply on logarithmic axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dplab.mechanisms.gaussian import analytic_sigma
from dplab.theorems.l1_against_l2 import crossover
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import ON_THE_FRAME, at_most, rough

MOVED_COUNTS = np.logspace(0, 4, 61)
SHARES = 60  # the number of shares in the right plot
TRUTH = np.linspace(0.05, 0.95, SHARES)
FRAME = (-0.54, 1.54)  # shares beyond are drawn on it


@dataclass(frozen=True, eq=False)
class DimensionView:
    """Standard deviations for one moved count: `laplace` and `gaussian` (the least).

    `first` is the least m at which Gaussian noise is smaller; it is smaller at every larger m, too.
    """

    laplace: float
    gaussian: float
    first: int


@lru_cache(maxsize=1024)
def dimension_view(epsilon: float, delta: float) -> DimensionView:
    """Return both standard deviations, in people, at m = 1."""
    return DimensionView(
        np.sqrt(2) / epsilon,
        analytic_sigma(sensitivity=1, epsilon=epsilon, delta=delta),
        crossover(epsilon=epsilon, delta=delta),
    )


class NoiseByDimension(Explorer):
    """Laplace noise beside Gaussian noise for every m, and sixty published shares."""

    size = (9.0, 4.0)
    seed = 1957

    def make_controls(self) -> Controls:
        return {
            "moved": log_slider("Counts moved m", 100, 1, 10_000),
            "n": log_slider("People n", 2000, 100, 1_000_000),
            "epsilon": log_slider("Promised ε", 0.5, 0.05, 5.0),
            "exponent": slider("k in δ = 2⁻ᵏ", 20, 5, 50, 1),
            "again": Again("Publish again"),
        }

    def compute(self, epsilon: float, exponent: int, **_: Any) -> DimensionView:
        return dimension_view(epsilon, 2.0**-exponent)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.075, right=0.99, bottom=0.19, top=0.92, wspace=0.16)
        left_ax.set(
            title="Noise in each count (standard deviation, people)", xscale="log", yscale="log"
        )
        left_ax.set(xlabel="counts m that one person moves", xlim=(0.9, 1.1e4), ylim=(0.2, 4e5))
        style.plain_ticks(left_ax.xaxis, [1, 10, 100, 1000, 10_000])
        style.plain_ticks(left_ax.yaxis, [1, 10, 100, 1000, 10_000, 100_000])
        kinds = (
            ("Laplace", style.ORANGE, "-."),
            ("Gaussian", style.BLUE, "-"),
        )
        self.lines = [
            left_ax.plot(MOVED_COUNTS, MOVED_COUNTS, line, color=c, label=n)[0]
            for n, c, line in kinds
        ]
        self.first = left_ax.axvline(1, color=style.GREY, linestyle="--", linewidth=1.2)
        self.first_note = left_ax.text(1, 0.3, "", color=style.INK)
        (self.gap,) = left_ax.plot([1, 1], [1, 1], color=style.INK, linewidth=1.4, marker="_")
        self.times = left_ax.text(1, 1, "", color=style.INK, va="center")
        self.times.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.7})
        left_ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, columnspacing=1.2)
        right_ax.set(title="Sixty of the counts, published as shares of n", xlim=(-1, SHARES))
        right_ax.set(ylim=(-0.55, 1.55), xticks=[])
        style.plain_ticks(right_ax.yaxis, [-0.5, 0, 0.5, 1, 1.5])
        self.dots = [
            right_ax.plot(
                np.arange(SHARES), TRUTH, mark, color=c, alpha=0.85, label=n, markersize=5
            )[0]
            for (n, c, _), mark in zip(kinds, "^o", strict=True)
        ]
        (truth,) = right_ax.plot(np.arange(SHARES), TRUTH, color=style.INK, label="truth")
        right_ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, columnspacing=1.2)
        return [*self.lines, self.first, self.first_note, self.gap, self.times, *self.dots, truth]

    def move(self, view: DimensionView) -> None:
        scales = (view.laplace * MOVED_COUNTS, view.gaussian * np.sqrt(MOVED_COUNTS))
        for line, heights in zip(self.lines, scales, strict=True):
            line.set_ydata(heights)
        moved, ends = self.value("moved"), self.here(view)
        self.first.set_xdata([view.first] * 2)
        self.first_note.set_x(1.15 * view.first)
        self.first_note.set_text(f"from {view.first} counts on")
        self.gap.set_data([moved, moved], ends)
        self.times.set_position((moved * (1.15 if moved < 2000 else 0.24), np.sqrt(np.prod(ends))))
        self.times.set_text(f"×{max(ends) / min(ends):,.1f}")
        rng = self.generator(self.value("again"))
        units = rng.laplace(0, np.sqrt(0.5), SHARES), rng.standard_normal(SHARES)
        for dots, unit, deviation in zip(self.dots, units, ends, strict=True):
            noisy = TRUTH + deviation / self.value("n") * unit
            dots.set_ydata(np.clip(noisy, *FRAME))

    def here(self, view: DimensionView) -> tuple[float, float]:
        """Return the standard deviations of Laplace and Gaussian noise at this m, in people."""
        moved = self.value("moved")
        return view.laplace * moved, view.gaussian * np.sqrt(moved)

    def describe(self, view: DimensionView) -> str:
        laplace, gaussian = (rough(deviation) for deviation in self.here(view))
        is_on_frame = any(y in FRAME for dots in self.dots for y in dots.get_ydata())
        return (
            f"Each count of {self.value('n'):,} people is off by {laplace} with Laplace noise, by "
            f"{gaussian} with Gaussian. A 50% guess becomes {at_most(self.value('epsilon'))}."
            f"{ON_THE_FRAME if is_on_frame else ''}"
        )
