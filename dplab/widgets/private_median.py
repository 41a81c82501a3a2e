"""Explorer: a private quantile of real incomes: the data, and the distribution of the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np

from dplab.data import household_incomes
from dplab.mechanisms.quantiles import PrivateQuantile
from dplab.piecewise_constant import PiecewiseConstant
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most

RANGE = (0.0, 3000.0)  # the range of incomes on the axes
INCOMES, RICH_AND_POOR, ALIKE = "Engel's households", "half earn 500, half 2,000", "all earn 884"


@dataclass(frozen=True, eq=False)
class QuantileView:
    """Sorted data, shape (n,), and the distribution of a release of its q-quantile."""

    values: np.ndarray
    q: float
    epsilon: float
    law: PiecewiseConstant

    @property
    def truth(self) -> float:
        """The q-quantile of the data."""
        return float(np.quantile(self.values, self.q))

    @property
    def middle(self) -> tuple[float, float]:
        """An interval that holds 90% of the releases, 5% on either side."""
        cumulative: np.ndarray = np.append(0.0, np.cumsum(self.law.probabilities))
        low, high = np.interp([0.05, 0.95], cumulative, self.law.edges)
        return float(low), float(high)


def quantile_view(values: np.ndarray, *, q: float, epsilon: float, upper: float) -> QuantileView:
    """Release the q-quantile of incomes on [0, upper], and return its distribution."""
    distribution = PrivateQuantile(0, upper, epsilon, q).distribution(values)
    return QuantileView(np.sort(values), q, epsilon, distribution)


class PrivateMedian(Explorer):
    """Shares of households up to each income, and the density of the released quantile."""

    def __init__(self):
        self.incomes = np.random.default_rng(1857).permutation(household_incomes())
        super().__init__()

    def make_controls(self) -> Controls:
        return {
            "data": ipywidgets.RadioButtons(
                options=[INCOMES, RICH_AND_POOR, ALIKE],
                description="Data:",
                layout={"width": "420px"},
            ),
            "n": slider("Households n", 235, 5, 235, 10),
            "q": slider("Quantile q", 0.5, 0.05, 0.95, 0.05),
            "epsilon": log_slider("Privacy loss ε", 0.2, 0.01, 10),
            "upper": log_slider("Range from 0 to", 10_000.0, 5000, 1_000_000),
        }

    @property
    def data(self) -> np.ndarray:
        """The first n households."""
        n, kind = self.value("n"), self.value("data")
        if kind == INCOMES:
            return self.incomes[:n]
        if kind == ALIKE:
            return np.full(n, 884.0)
        return np.where(np.arange(n) % 2 == 0, 500.0, 2000.0) + np.arange(n) / 10

    def compute(self, data: str, n: int, **settings: Any) -> QuantileView:
        return quantile_view(self.data, **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.06, right=0.975, bottom=0.14, top=0.91, wspace=0.2)
        left_ax.set(title="Share of households up to an income", ylim=(0, 1.02))
        right_ax.set(title="Density of the released number", yscale="log", ylim=(1e-7, 1))
        for axes in (left_ax, right_ax):
            axes.set(xlabel="francs a year", xlim=RANGE)
        (self.shares,) = left_ax.plot([0], [0], color=style.GREY, drawstyle="steps-post")
        self.quantile_line = left_ax.axhline(0, color=style.GREEN, linewidth=1.2, linestyle="--")
        self.truths = [a.axvline(0, color=style.GREEN, linewidth=1.2) for a in (left_ax, right_ax)]
        self.spans = [
            a.axvspan(0, 0, color=style.BLUE, alpha=0.15, lw=0) for a in (left_ax, right_ax)
        ]
        (self.density,) = right_ax.plot([0], [1], color=style.BLUE, linewidth=1.4)
        self.note = left_ax.text(0.97, 0.06, "", transform=left_ax.transAxes, ha="right")
        return [*self.spans, self.shares, self.quantile_line, *self.truths, self.density, self.note]

    def move(self, view: QuantileView) -> None:
        n = len(view.values)
        self.shares.set_data(np.append(view.values, 1e9), np.append(np.arange(1, n + 1) / n, 1))
        self.quantile_line.set_ydata([view.q] * 2)
        for line in self.truths:
            line.set_xdata([view.truth] * 2)
        low, high = view.middle
        for span in self.spans:
            span.set(x=low, width=high - low)
        heights = np.exp(np.maximum(view.law.log_heights, -100))
        self.density.set_data(np.repeat(view.law.edges, 2)[1:-1], np.repeat(heights, 2))
        self.note.set_text(f"shaded: 90% of releases,\non a range up to {view.law.edges[-1]:,.0f}")

    def describe(self, view: QuantileView) -> str:
        low, high = view.middle
        return (
            f"Nine of ten releases lie between {low:,.0f} and {high:,.0f} francs. A 50% guess "
            f"becomes {at_most(view.epsilon)}."
        )
