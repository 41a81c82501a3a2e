"""Explorer: a private histogram as a density, and its error for each number of bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.ticker import NullLocator

from dplab.piecewise_constant import PiecewiseConstant
from dplab.synthesis import histogram_density
from dplab.theorems.histogram_risk import HistogramRisk, histogram_risk
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider, slider
from dplab.widgets.words import at_most, count, rough

MAX_BINS = 128
NUMBERS = range(1, MAX_BINS + 1)
HILL, CROWDS = "a hill", "two crowds"
MAX_DENSITY = 6.0  # the top of the axis for high bins; lower tops are used first
TOPS = (2.4, MAX_DENSITY)
ERRORS = (1.0, 100.0, 1e4)  # tops of the axis of errors


def hill(x: np.ndarray) -> np.ndarray:
    """Return the distribution function of Beta(2, 3) at x."""
    return x**2 * (6 - 8 * x + 3 * x**2)


def crowds(x: np.ndarray) -> np.ndarray:
    """Return the same for two crowds: 2/3 of people in [0.13, 0.41], 1/3 in [0.68, 0.87]."""
    return (2 * np.clip((x - 0.13) / 0.28, 0, 1) + np.clip((x - 0.68) / 0.19, 0, 1)) / 3


SHAPES = {HILL: hill, CROWDS: crowds}


@dataclass(frozen=True, eq=False)
class DensityView:
    """The counts of n people, a private density made of them, and the risk for all bin numbers."""

    shape: str
    n: int
    epsilon: float
    counts: np.ndarray
    density: PiecewiseConstant
    risk: HistogramRisk

    @property
    def filled(self) -> int:
        """The number of empty bins in which the published density is above 0."""
        return int(((self.counts == 0) & (self.density.probabilities > 0)).sum())

    @property
    def here(self) -> float:
        """The mean integrated squared error at this number of bins."""
        bins = [len(self.counts)]
        risk = histogram_risk(SHAPES[self.shape], bins, n=self.n, epsilon=self.epsilon)
        return float(risk.total[0])


@lru_cache(maxsize=128)
def risks(shape: str, n: int, epsilon: float) -> HistogramRisk:
    return histogram_risk(SHAPES[shape], NUMBERS, n=n, epsilon=epsilon)


def density_view(
    places: np.ndarray, unit_noise: np.ndarray, *, shape: str, bins: int, n: int, epsilon: float
) -> DensityView:
    """Count the first n people in equal bins and publish; `places` are their quantiles."""
    edges = np.linspace(0, 1, bins + 1)
    counts = np.diff(np.searchsorted(np.sort(places[:n]), SHAPES[shape](edges), side="right"))
    noisy = np.round(counts + 2 / epsilon * unit_noise[:bins])
    return DensityView(
        shape, n, epsilon, counts, histogram_density(noisy, edges), risks(shape, n, epsilon)
    )


class DensityBins(Explorer):
    """A private density against the true one, and the three terms of its error."""

    def __init__(self):
        self.rng = np.random.default_rng(15)
        self.draw()
        super().__init__()

    def draw(self) -> None:
        self.places, self.unit_noise = self.rng.random(100_000), self.rng.laplace(size=MAX_BINS)

    def make_controls(self) -> Controls:
        return {
            "shape": choice("The truth", HILL, [(name, name) for name in SHAPES]),
            "n": log_slider("People n", 1000, 100, 100_000),
            "bins": slider("Bins m", 10, 1, MAX_BINS, 1),
            "epsilon": log_slider("ε", 1.0, 0.1, 10),
            "again": Again("New people and noise"),
        }

    def link(self, name: str) -> None:
        if name == "again":
            self.draw()

    def compute(self, n: int, again: int, **settings: Any) -> DensityView:
        return density_view(self.places, self.unit_noise, n=int(n), **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        self.figure.subplots_adjust(left=0.045, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left_ax.set(title="The density", xlabel="x", xlim=(0, 1))
        right_ax.set(title="Mean squared error", xlabel="bins m", xscale="log", yscale="log")
        right_ax.set(xlim=(1, MAX_BINS))
        right_ax.yaxis.set_minor_locator(NullLocator())  # its top moves; ticks cost time
        style.plain_ticks(right_ax.xaxis, [1, 2, 5, 10, 20, 50, 100])
        (self.truth,) = left_ax.plot([0], [0], color=style.INK, label="truth")
        self.steps = left_ax.stairs(
            [0], [0, 1], fill=True, color=style.BLUE, alpha=0.4, label="published"
        )
        left_ax.legend(loc="upper right")
        names = {
            "bias": (style.ORANGE, "--", "wide bins"),
            "sampling": (style.GREEN, "-.", "few people"),
            "noise": (style.RED, ":", "noise"),
        }
        self.terms = {
            name: right_ax.plot([1], [1], color=colour, linestyle=line, label=label)[0]
            for name, (colour, line, label) in names.items()
        }
        (self.total,) = right_ax.plot([1], [1], color=style.INK, label="sum")
        (self.here,) = right_ax.plot([1], [1], "o", color=style.INK)
        right_ax.legend(loc="upper center", ncols=2, fontsize="small")
        return [self.steps, self.truth, *self.terms.values(), self.total, self.here]

    def move(self, view: DensityView) -> None:
        x = np.linspace(0, 1, 481)
        self.truth.set_data((x[1:] + x[:-1]) / 2, np.diff(SHAPES[view.shape](x)) * 480)
        heights = np.exp(view.density.log_heights)
        self.steps.set_data(heights, view.density.edges)
        most = max(heights.max(), self.truth.get_ydata().max())
        self.truth.axes.set_ylim(0, next((top for top in TOPS if most < 0.9 * top), MAX_DENSITY))
        largest = view.risk.total.max()
        self.total.axes.set_ylim(1e-4, next(top for top in ERRORS if 3 * largest < top))
        for name, line in self.terms.items():
            line.set_data(NUMBERS, np.maximum(getattr(view.risk, name), 1e-9))
        self.total.set_data(NUMBERS, view.risk.total)
        self.here.set_data([len(view.counts)], [view.here])

    def describe(self, view: DensityView) -> str:
        empty = int((view.counts == 0).sum())
        filled = f" Of {count(empty, 'empty bins')} noise fills {view.filled or 'none'}."
        return (
            f"With {count(len(view.counts), 'bins')} the mean squared error is {rough(view.here)}; "
            f"{view.risk.best} would be best.{filled if empty else ''} A 50% guess becomes "
            f"{at_most(view.epsilon)}."
        )
