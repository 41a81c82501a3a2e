"""Explorer: a dataset chosen by the exponential mechanism, and its best number of points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dplab.synthesis import ExponentialOverDatasets
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider
from dplab.widgets.words import at_most

GRID = tuple(np.round((np.arange(16) + 0.5) / 16, 5).tolist())
SIZES = (2, 4, 8, 16, 32, 64, 128)
PEOPLE = (64, 125, 250, 512, 1000, 2000)
WEIGHTS = 12 * np.array(GRID) * (1 - np.array(GRID)) ** 2 / 16


@lru_cache(maxsize=8)
def people(n: int) -> np.ndarray:
    """Return n records on the grid, as close to Beta(2, 3) as n whole people can be."""
    ends = np.round(n * np.cumsum(WEIGHTS) / WEIGHTS.sum()).astype(int)
    return np.repeat(GRID, np.diff(ends, prepend=0))


@lru_cache(maxsize=64)
def distances(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the possible distances of k published points, and their log probabilities at ε = 1."""
    law = ExponentialOverDatasets(GRID, n, k, epsilon=1).distance_law(people(n))
    return np.array(law.outcomes), law.log_probabilities


def mean_distance(n: int, k: int, epsilon: float) -> float:
    """Return the mean Kolmogorov-Smirnov distance of the data and k published points. Exact.

    Another ε changes weights only: e^(-(ε - 1) n distance / 2). Counting lists takes longest.
    """
    levels, logs = distances(n, k)
    weights = logs - (epsilon - 1) * n / 2 * levels
    return float(np.exp(weights - np.logaddexp.reduce(weights)) @ levels)


@dataclass(frozen=True, eq=False)
class SizeView:
    """One published dataset of k points, and the mean distance for each of SIZES."""

    n: int
    k: int
    epsilon: float
    published: np.ndarray
    means: np.ndarray

    @property
    def best(self) -> int:
        """The size with the least mean distance."""
        return SIZES[int(np.argmin(self.means))]


class DatasetSize(Explorer):
    """The distribution functions of the data and of a release, and the error for each size."""

    seed = 15

    def make_controls(self) -> Controls:
        return {
            "n": choice("People n", 512, [(f"{n:,}", n) for n in PEOPLE]),
            "k": choice("Points k", 16, [(str(k), k) for k in SIZES]),
            "epsilon": log_slider("ε", 1.0, 0.1, 10),
            "again": Again("Publish again"),
        }

    def compute(self, n: int, k: int, epsilon: float, again: int) -> SizeView:
        release = ExponentialOverDatasets(GRID, n, k, epsilon)
        published = release(people(n), np.random.default_rng([self.seed + again, n, k]))
        means = np.array([mean_distance(n, size, epsilon) for size in SIZES])
        return SizeView(n, k, epsilon, published, means)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        self.figure.subplots_adjust(left=0.05, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left_ax.set(title="Share of people up to x", xlabel="x", xlim=(0, 1), ylim=(0, 1.02))
        right_ax.set(title="Mean distance; dotted: $n^{2/3}$", xlabel="points k", xscale="log")
        right_ax.set(xlim=(1.8, 200))
        style.plain_ticks(right_ax.xaxis, list(SIZES))
        self.data = left_ax.stairs([0], [0, 1], baseline=None, color=style.INK, label="the data")
        self.release = left_ax.stairs(
            [0], [0, 1], baseline=None, color=style.BLUE, label="published"
        )
        self.release.set(linewidth=2.2, linestyle="--")
        left_ax.legend(loc="lower right")
        (self.means,) = right_ax.plot([1], [1], "o-", color=style.BLUE)
        (self.here,) = right_ax.plot([1], [1], "o", color=style.RED, markersize=9)
        self.rule = right_ax.axvline(1, color=style.GREY, linestyle=":")
        return [self.data, self.release, self.rule, self.means, self.here]

    def move(self, view: SizeView) -> None:
        edges: np.ndarray = np.append(GRID, 1.0)
        for stairs, values in ((self.data, people(view.n)), (self.release, view.published)):
            shares = np.searchsorted(np.sort(values), GRID, side="right") / len(values)
            stairs.set_data(shares, edges)
        self.means.set_data(SIZES, view.means)
        self.means.axes.set_ylim(0, 0.3 if view.means.max() < 0.29 else 0.5)
        self.here.set_data([view.k], [view.means[SIZES.index(view.k)]])
        self.rule.set_xdata([view.n ** (2 / 3)] * 2)

    def describe(self, view: SizeView) -> str:
        mean = view.means[SIZES.index(view.k)]
        return (
            f"Lists of {view.k} points are {mean:.2g} from the data on average; {view.best} points "
            f"would be best. A 50% guess becomes {at_most(view.epsilon)}."
        )
