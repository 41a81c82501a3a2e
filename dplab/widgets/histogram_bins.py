"""Explorer: a histogram by the hour with disjoint or overlapping bins, and its noise.

A bin counts the visits of `width` hours in a row; with width 1 bins are disjoint. The left picture
shows how one person moves the counts, the right one the counts and the noise that hides the person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np

from dplab.neighbors import ADD_REMOVE, REPLACE_ONE, Neighbors
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, slider
from dplab.widgets.words import ON_THE_FRAME, at_most, rough

REPLACED, REMOVED = "one visit changes its hour", "one visit is added or removed"
RELATIONS: dict[str, Neighbors] = {REPLACED: REPLACE_ONE, REMOVED: ADD_REMOVE}
VISITS = 2000
COUNT_AXES = (200.0, 400.0, 800.0, 1600.0, 3200.0)


@dataclass(frozen=True, eq=False)
class BinsView:
    """Counts of a day cut into `bins` slots, and how one person moves them.

    `move` has the change of each count between two neighbours, shape (bins,); `noisy` is a release
    with the noise that `epsilon` needs.
    """

    epsilon: float
    counts: np.ndarray
    move: np.ndarray
    unit_noise: np.ndarray

    @property
    def bins(self) -> int:
        return len(self.counts)

    @property
    def sensitivity(self) -> int:
        """The L1 sensitivity of all counts together."""
        return int(np.abs(self.move).sum())

    @property
    def scale(self) -> float:
        """The scale of the Laplace noise in each count."""
        return self.sensitivity / self.epsilon

    @property
    def scale_of_shares(self) -> float:
        """The scale that basic composition needs, with epsilon / bins for each count."""
        return self.bins / self.epsilon

    @property
    def noisy(self) -> np.ndarray:
        return self.counts + self.scale * self.unit_noise[: self.bins]

    @property
    def frame(self) -> tuple[float, float]:
        """The ends of the axis of counts."""
        top = next(end for end in COUNT_AXES if 1.4 * self.counts.max() < end)
        return -0.15 * top, top


def bins_view(
    unit_noise: np.ndarray, *, epsilon: float, bins: int, width: int, neighbors: Neighbors
) -> BinsView:
    """Count a day's visits in `bins` windows, each of `width` slots, around the clock."""
    slots = day(bins)
    leaves, enters = (
        _mark_windows(bins // 4, bins, width),
        _mark_windows(3 * bins // 4, bins, width),
    )
    move = enters - leaves if neighbors == REPLACE_ONE else -leaves
    counts = sum(np.roll(slots, -shift) for shift in range(width))
    return BinsView(epsilon, counts, move, unit_noise)


def day(bins: int) -> np.ndarray:
    """Return the visits in each of `bins` slots of a day: two rush hours and a quiet night."""
    hours = 24 * (np.arange(bins) + 0.5) / bins
    busy = np.exp(-((hours - 10) ** 2) / 8) + 0.8 * np.exp(-((hours - 17) ** 2) / 6) + 0.02
    return np.round(VISITS * busy / busy.sum()).astype(int)


def _mark_windows(slot: int, bins: int, width: int) -> np.ndarray:
    """Return 1 for each window with this slot: window j has slots j, j + 1, ..., j + width - 1."""
    return ((slot - np.arange(bins)) % bins < width).astype(int)


class HistogramBins(Explorer):
    """Disjoint and overlapping bins: how one person moves the counts, and the noise for it."""

    def __init__(self):
        self.rng = np.random.default_rng(24)
        self.unit_noise = self.rng.laplace(size=48)
        super().__init__()

    def make_controls(self) -> Controls:
        return {
            "bins": slider("Bins", 24, 12, 48, 12),
            "width": slider("Slots in a bin", 1, 1, 6, 1),
            "epsilon": slider("ε of the whole", 0.5, 0.1, 2.0, 0.1),
            "relation": ipywidgets.RadioButtons(
                options=list(RELATIONS), description="Neighbours:", layout={"width": "420px"}
            ),
            "again": Again("New noise"),
        }

    def link(self, name: str) -> None:
        if name == "again":
            self.unit_noise = self.rng.laplace(size=48)

    def compute(self, relation: str, again: int, **settings: Any) -> BinsView:
        return bins_view(self.unit_noise, neighbors=RELATIONS[relation], **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.5))
        self.figure.subplots_adjust(left=0.055, right=0.98, bottom=0.14, top=0.91, wspace=0.14)
        left_ax.set(title="How one person moves the counts", xlabel="hour", ylim=(-1.6, 1.6))
        left_ax.set_yticks([-1, 0, 1], labels=["−1", "0", "+1"])
        right_ax.set(title="The counts, and one release", xlabel="hour")
        for axes in (left_ax, right_ax):
            axes.set(xlim=(0, 24), xticks=range(0, 25, 6))
        self.moves = left_ax.stairs([0], [0, 24], fill=True, color=style.RED, baseline=0)
        self.total = left_ax.text(23.6, 1.4, "", ha="right", va="center", color=style.INK)
        self.counts = right_ax.stairs(
            [0], [0, 24], fill=True, color=style.BLUE, alpha=0.35, label="true count"
        )
        self.noise = right_ax.vlines([0], 0, 1, color=style.GREEN, linewidth=2.5)
        self.shares = right_ax.vlines([0], 0, 1, color=style.GREY, linewidth=1)
        (self.noisy,) = right_ax.plot([], [], "o", color=style.GREEN, markersize=4)
        right_ax.plot([], [], "o-", color=style.GREEN, label="released, ± deviation")
        right_ax.plot([], [], color=style.GREY, linewidth=1, label="± at ε/k for each bin")
        right_ax.legend(loc="upper center", ncols=3, handletextpad=0.4, columnspacing=0.9)
        return [self.moves, self.total, self.counts, self.shares, self.noise, self.noisy]

    def move(self, view: BinsView) -> None:
        edges = np.linspace(0, 24, view.bins + 1)
        middles = (edges[1:] + edges[:-1]) / 2
        self.moves.set_data(view.move, edges)
        self.total.set_text(f"moves add up to {view.sensitivity}")
        self.counts.set_data(view.counts, edges)
        self.counts.axes.set_ylim(view.frame)
        self.noisy.set_data(middles, np.clip(view.noisy, *view.frame))
        for bars, scale in ((self.noise, view.scale), (self.shares, view.scale_of_shares)):
            reach = 2**0.5 * scale
            tops = np.minimum(view.counts + reach, 0.86 * view.frame[1])  # below the legend
            ends = np.stack([view.counts - reach, tops], axis=1)
            bars.set_segments(np.stack([np.stack([middles, middles], axis=1), ends], axis=2))

    def describe(self, view: BinsView) -> str:
        note = ON_THE_FRAME if (np.clip(view.noisy, *view.frame) != view.noisy).any() else ""
        return (
            f"Each count gets noise of scale {rough(view.scale)}; separate counts would need scale "
            f"{rough(view.scale_of_shares)}. A 50% guess becomes {at_most(view.epsilon)}.{note}"
        )
