"""Explorer: where to clip before averaging. A low bound loses the tail, a high one adds noise.

For values of at least 0 clipped to [0, bound], the released mean errs by at most

    bias + E|noise| = (1/n) sum_i max(0, x_i - bound) + bound / (n epsilon)

on average. Its slope in the bound is (1/epsilon - #{i : x_i > bound}) / n: the error
is least where 1/epsilon values are above the bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dplab import arguments
from dplab.data import doctor_visits
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most, rough

BOUNDS = np.arange(1, 81)


@dataclass(frozen=True, eq=False)
class Valley:
    """Bias, expected |noise| and their sum at each of `bounds`, all of one shape."""

    bounds: np.ndarray
    bias: np.ndarray
    noise: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """bias + expected |noise|."""
        return self.bias + self.noise

    @cached_property
    def best(self) -> int:
        """The index of the least error."""
        return int(self.error.argmin())


def valley(values: np.ndarray, *, epsilon: float, bounds: np.ndarray = BOUNDS) -> Valley:
    """Return the bias and the expected |noise| of the clipped mean of `values` >= 0.

    `bounds` are increasing; bias and noise have the units of `values`.
    """
    values = np.sort(arguments.reals("values", values))
    if values[0] < 0:
        raise ValueError(f"values must be at least 0, not {values[0]}")
    n, uncut = len(values), np.searchsorted(values, bounds, side="right")
    totals = np.concatenate([[0.0], np.cumsum(values)])
    bias = (totals[-1] - totals[uncut] - (n - uncut) * bounds) / n
    return Valley(np.asarray(bounds), bias, bounds / (n * epsilon))


class ClippingValley(Explorer):
    """The bias, noise and best bound of a clipped mean: doctor visits in a year."""

    size = (9.0, 4.1)

    def __init__(self):
        self.visits = np.random.default_rng(1982).permutation(doctor_visits())
        super().__init__()

    def make_controls(self) -> Controls:
        return {
            "bound": slider("Clip at B visits", 60, 1, 80, 1),
            "n": log_slider("People n", 1000, 100, 20_000),
            "epsilon": log_slider("Privacy loss ε", 0.1, 0.01, 2.0),
        }

    @property
    def data(self) -> np.ndarray:
        """The first n people of a fixed shuffle. A larger n adds people and keeps these."""
        return self.visits[: round(self.value("n"))]

    def compute(self, epsilon: float, **_: Any) -> Valley:
        return valley(self.data, epsilon=epsilon)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.2))
        self.figure.subplots_adjust(left=0.09, right=0.99, bottom=0.225, top=0.92, wspace=0.2)
        left_ax.set(title="The data: visits in a year", xlabel="visits", ylabel="share of people")
        left_ax.set(xlim=(-1, 81), yscale="log", ylim=(3e-5, 1))
        left_ax.minorticks_off()
        self.bars = left_ax.vlines(np.arange(81), 3e-5, 3e-5, color=style.GREY, linewidth=2.6)
        self.cuts = [a.axvline(1, color=style.RED, linewidth=1.4) for a in (left_ax, right_ax)]
        right_ax.set(title="Error of the released mean (visits)", xlabel="bound B", xlim=(0, 81))
        right_ax.set(yscale="log", ylim=(1e-3, 100))
        style.plain_ticks(right_ax.yaxis, [0.001, 0.01, 0.1, 1, 10, 100])
        self.lines = [
            right_ax.plot(BOUNDS, BOUNDS, line, color=colour, label=label)[0]
            for label, line, colour in (
                ("bias: the tail cut off", "--", style.ORANGE),
                ("expected noise: B/(nε)", "-.", style.BLUE),
                ("their sum", "-", style.INK),
            )
        ]
        (self.here,) = right_ax.plot([1], [1], "o", color=style.RED, label="your bound")
        (self.best,) = right_ax.plot(
            [1], [1], "*", color=style.GREEN, markersize=13, label="best bound"
        )
        self.figure.legend(
            handles=[*self.lines, self.here, self.best],
            loc="lower center",
            ncols=5,
            columnspacing=1.4,
        )
        return [self.bars, *self.cuts, *self.lines, self.here, self.best]

    def move(self, view: Valley) -> None:
        bound, data = self.value("bound"), self.data
        shares = np.bincount(data, minlength=81) / len(data)
        self.bars.set_segments([[(v, 3e-5), (v, max(s, 3e-5))] for v, s in enumerate(shares)])
        for line in self.cuts:
            line.set_xdata([bound, bound])
        for line, heights in zip(self.lines, (view.bias, view.noise, view.error), strict=True):
            line.set_ydata(np.maximum(heights, 1e-9))
        self.here.set_data([bound], [view.error[bound - 1]])
        self.best.set_data([view.bounds[view.best]], [view.error[view.best]])

    def describe(self, view: Valley) -> str:
        error, least = float(view.error[self.value("bound") - 1]), float(view.error[view.best])
        people = (self.data > view.bounds[view.best]).sum()
        return (
            f"Your bound errs by {rough(error)}, the best bound by {rough(least)}. "
            f"{_count_people(people)} above the best. "
            f"A 50% guess becomes {at_most(self.value('epsilon'))}."
        )


def _count_people(number: int) -> str:
    return {0: "Nobody is", 1: "One person is"}.get(number, f"{number:,} people are")
