"""Explorer: bids, the revenue of each price, and the distribution of the chosen price.

It shows the exponential mechanism at the rate that holds for any score, epsilon / (2 cap). All
amounts are per buyer. So the picture keeps its scale while the crowd grows: the revenue of a price
stays about the same, and the noise shrinks as 1 / n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import ipywidgets
import numpy as np

from dplab.mechanisms.pricing import revenue
from dplab.mechanisms.selection import ExponentialMechanism
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most, uncertain

STEP = 10.0  # between the candidate prices
AXIS_ENDS = (250, 500, 1000)  # ends of the axis of prices; the first that shows all is used
CROWD, THREE = "a crowd, around 100 each", "10, 10, 500, and so on"
BUYERS = (3, 9, 30, 90, 300, 900, 3000, 9000)
TAIL_EXPONENT = np.log(20)  # the exponent of the tail theorem, which then holds in 95% of draws


@dataclass(frozen=True, eq=False)
class PriceView:
    """Revenue for one buyer and probability at each of `prices`, shape (k,) each."""

    prices: np.ndarray
    n: int
    epsilon: float
    revenue: np.ndarray
    law: np.ndarray

    @cached_property
    def best(self) -> int:
        """The index of the price that earns most."""
        return int(self.revenue.argmax())

    @property
    def expected(self) -> float:
        """Expected revenue for one buyer."""
        return float(self.law @ self.revenue)

    @property
    def floor(self) -> float:
        """The revenue for one buyer that the tail theorem guarantees in 95% of draws."""
        depth = 2 * self.prices[-1] / self.epsilon * (np.log(len(self.prices)) + TAIL_EXPONENT)
        return float(self.revenue[self.best] - depth / self.n)


def price_view(bids: np.ndarray, *, cap: float, epsilon: float) -> PriceView:
    """Return the exponential mechanism's probabilities of the prices 10, 20, ..., cap."""
    prices = np.arange(STEP, cap + STEP / 2, STEP)
    candidates = prices.tolist()
    mechanism = ExponentialMechanism(candidates, lambda bids: revenue(bids, prices), cap, epsilon)
    probabilities = mechanism.distribution(bids).probabilities
    return PriceView(prices, len(bids), epsilon, revenue(bids, prices) / len(bids), probabilities)


class PriceLaw(Explorer):
    """The revenue of each price, and the probability that it is chosen."""

    def __init__(self):
        self.crowd = 100 * np.random.default_rng(2007).lognormal(0, 0.5, BUYERS[-1])
        super().__init__()

    def make_controls(self) -> Controls:
        return {
            "bids": ipywidgets.RadioButtons(
                options=[CROWD, THREE], description="Bids:", layout={"width": "420px"}
            ),
            "n": ipywidgets.SelectionSlider(
                description="Buyers n",
                options=[(f"{n:,}", n) for n in BUYERS],
                value=90,
                style={"description_width": "130px"},
                layout={"width": "420px"},
            ),
            "cap": slider("Highest price", 500.0, 100.0, 1000.0, 50.0),
            "epsilon": log_slider("Privacy loss ε", 1.0, 0.01, 10),
        }

    @property
    def data(self) -> np.ndarray:
        """The bids of the first n buyers; a larger n adds buyers and keeps these."""
        n = self.value("n")
        if self.value("bids") == CROWD:
            return self.crowd[:n]
        return np.where(np.arange(n) % 3 == 2, 500.0, 10.0)

    def compute(self, cap: float, epsilon: float, **_: Any) -> PriceView:
        return price_view(self.data, cap=cap, epsilon=epsilon)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.14, top=0.91, wspace=0.18)
        left_ax.set(title="What a price earns, for one buyer", xlabel="price")
        right_ax.set(title="The law of the chosen price", xlabel="price")
        (self.curve,) = left_ax.plot([0], [0], ".", color=style.GREY, markersize=5, label="a price")
        (self.bids,) = left_ax.plot([], [], "|", color=style.INK, markersize=9, label="bids")
        star = {"color": style.GREEN, "markersize": 13, "clip_on": False}
        (self.best,) = left_ax.plot([0], [0], "*", label="best", **star)
        self.expected = left_ax.axhline(0, color=style.BLUE, label="expected")
        self.floor = left_ax.axhline(
            0, color=style.RED, linestyle="--", label="floor, 95% of draws"
        )
        left_ax.legend(loc="upper right", ncols=2)
        self.bars = right_ax.vlines([0], 0, 0, color=style.BLUE, linewidth=2.6)
        (self.mark,) = right_ax.plot([0], [0], "*", **star)
        lines = [self.curve, self.bids, self.expected, self.floor, self.best]
        return [*lines, self.bars, self.mark]

    def move(self, view: PriceView) -> None:
        top = 300 if self.value("bids") == THREE else 130
        end = 1.02 * next(end for end in AXIS_ENDS if view.prices[-1] <= end)
        self.curve.axes.set(xlim=(0, end), ylim=(0, top))
        self.bars.axes.set(xlim=(0, end), ylim=(0, _choose_ceiling(view.law.max())))
        self.curve.set_data(view.prices, view.revenue)
        bids = self.data[:300]
        self.bids.set_data(bids, np.full(len(bids), 0.035 * top))
        self.expected.set_ydata([view.expected] * 2)
        self.floor.set_ydata([max(view.floor, 0)] * 2)
        self.best.set_data([view.prices[view.best]], [view.revenue[view.best]])
        ends = zip(view.prices, view.law, strict=True)
        self.bars.set_segments([[(price, 0), (price, height)] for price, height in ends])
        self.mark.set_data([view.prices[view.best]], [view.law[view.best]])

    def describe(self, view: PriceView) -> str:
        earned = uncertain(view.expected / view.revenue[view.best])
        return (
            f"{view.n:,} buyers: the best price is chosen in "
            f"{uncertain(float(view.law[view.best]))} of draws, and {earned} of the best revenue "
            f"is earned. A 50% guess becomes {at_most(view.epsilon)}."
        )


def _choose_ceiling(peak: float) -> float:
    """Choose the top of the axis among few values, so that ticks are seldom drawn anew."""
    return next(top for top in (0.04, 0.08, 0.15, 0.3, 0.6, 1.1) if peak < 0.95 * top)
