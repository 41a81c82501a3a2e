"""Explorer: how often a 95% interval from a noisy count contains the truth.

On the left are the intervals of forty surveys, and the population's share. On the right is the
probability that an interval contains it, for each epsilon, by three ways to make one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import ipywidgets
import numpy as np
from scipy.special import ndtri

from dplab.inference.intervals import EXACT, NAIVE, NORMAL, NoisyCount
from dplab.inference.proportion_test import Tulap
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice, log_slider
from dplab.widgets.words import at_most, percent, rough

WAYS = {"naive: people only": NAIVE, "normal: people and noise": NORMAL, "exact": EXACT}
PEOPLE = (50, 100, 200, 500, 1000, 2000, 5000, 10_000)
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
EPSILONS = np.geomspace(0.02, 2, 13)
SURVEYS = 40
ALPHA = 0.05
HALF_WIDTHS = (0.03, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0)  # of the left picture, in shares
GRID = 60  # shares between which the ends of exact intervals are interpolated


@dataclass(frozen=True, eq=False)
class CoverageView:
    """Forty surveys and the coverage of a way; `naive` and `normal` are at `EPSILONS`.

    `lower` and `upper` have shape (40,); `length` is the interval's of a count as expected.
    """

    method: str
    n: int
    share: float
    epsilon: float
    lower: np.ndarray
    upper: np.ndarray
    length: float
    naive: np.ndarray
    normal: np.ndarray

    @property
    def is_hit(self) -> np.ndarray:
        """True for each survey whose interval contains the share."""
        return (self.lower <= self.share) & (self.share <= self.upper)

    @property
    def coverage(self) -> float:
        """The probability that an interval contains the share."""
        law = NoisyCount(self.n, Tulap(0.0, self.epsilon))
        return law.coverage(self.share, alpha=ALPHA, method=self.method)


@lru_cache(maxsize=64)
def coverage_curve(n: int, share: float, method: str) -> np.ndarray:
    """Return the coverage at each of `EPSILONS`."""
    laws = [NoisyCount(n, Tulap(0.0, float(epsilon))) for epsilon in EPSILONS]
    return np.array([law.coverage(share, alpha=ALPHA, method=method) for law in laws])


def exact_ends(law: NoisyCount, counts: np.ndarray) -> np.ndarray:
    """Return both ends of the exact intervals of all counts, shape (2, k), interpolated.

    P_p(T <= count) falls with p: it is computed at some shares p, for all counts at once.
    """
    reach = 4.5 * np.sqrt(law.n / 4 + law.variance)
    ends = np.clip([counts.min() - reach, counts.max() + reach], 0, law.n) / law.n
    shares = np.linspace(ends[0], ends[1], GRID)
    likely = [law.likely_counts(share) for share in shares.tolist()]
    first = likely[0][0][0]
    people = np.arange(first, likely[-1][0][-1] + 1)
    functions = law.noise.cdf(counts[:, None] - people)
    probabilities = np.array(
        [
            functions[:, int(x[0] - first) : int(x[-1] - first) + 1] @ chances
            for x, chances in likely
        ]
    )
    z = ndtri(np.clip(probabilities, 1e-12, 1 - 1e-12))  # nearly linear in p
    levels = (1.0, -1.0) * np.array(ndtri(1 - ALPHA / 2))
    return np.array([[np.interp(-level, -row, shares) for row in z.T] for level in levels])


class IntervalCoverage(Explorer):
    """Forty surveys, each with an interval that may count the noise or not."""

    size = (9.0, 4.0)
    seed = 25

    def make_controls(self) -> Controls:
        way = ipywidgets.RadioButtons(description="Interval", options=list(WAYS))
        way.layout.width = "auto"
        return {
            "epsilon": log_slider("ε", 0.1, 0.02, 2.0),
            "n": choice("People n", 500, [(f"{n:,}", n) for n in PEOPLE]),
            "share": choice("Their share", 0.3, [(f"{share:.0%}", share) for share in SHARES]),
            "way": way,
            "again": Again("New surveys"),
        }

    def compute(self, epsilon: float, n: int, share: float, way: str, again: int) -> CoverageView:
        law, method, rng = NoisyCount(n, Tulap(0.0, epsilon)), WAYS[way], self.generator(again)
        counts = rng.binomial(n, share, SURVEYS) + law.noise.sample(rng, SURVEYS)
        every: np.ndarray = np.append(counts, n * share)
        if method == EXACT:
            lower, upper = exact_ends(law, every)
        else:
            intervals = [law.interval(count, method=method) for count in every.tolist()]
            lower, upper = np.array([[one.lower, one.upper] for one in intervals]).T
        curves = (coverage_curve(n, share, way) for way in (NAIVE, NORMAL))
        length = float(upper[-1] - lower[-1])
        return CoverageView(method, n, share, epsilon, lower[:-1], upper[:-1], length, *curves)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.26, top=0.91, wspace=0.22)
        left_ax.set(title=f"{SURVEYS} surveys", xlabel="share", ylim=(-1, SURVEYS))
        left_ax.set_yticks([])
        (self.hits,) = left_ax.plot([], [], color=style.BLUE, label="contains the truth")
        (self.misses,) = left_ax.plot([], [], color=style.RED, linewidth=3, label="misses it")
        self.truth = left_ax.axvline(0.3, color=style.INK, linewidth=1)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17), "columnspacing": 1}
        left_ax.legend(ncols=2, **place)
        right_ax.set(title="Contains the truth", xlabel="ε", xscale="log", ylim=(0, 1.02))
        right_ax.set(xlim=(EPSILONS[0], EPSILONS[-1]), ylabel="probability")
        style.plain_ticks(right_ax.xaxis, [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2])
        right_ax.axhline(1 - ALPHA, color=style.INK, linewidth=1, label="exact")
        (self.naive,) = right_ax.plot([], [], "--", color=style.RED, label="naive")
        (self.normal,) = right_ax.plot([], [], color=style.BLUE, label="normal")
        (self.here,) = right_ax.plot([], [], "o", color=style.ORANGE, markersize=8)
        right_ax.legend(ncols=3, **place)
        self.left_ax = left_ax
        return [self.hits, self.misses, self.truth, self.naive, self.normal, self.here]

    def move(self, view: CoverageView) -> None:
        for line, is_drawn in ((self.hits, view.is_hit), (self.misses, ~view.is_hit)):
            rows = np.flatnonzero(is_drawn)
            ends = np.stack([view.lower[rows], view.upper[rows], np.full(len(rows), np.nan)])
            line.set_data(ends.T.ravel(), np.repeat(rows, 3))
        self.truth.set_xdata([view.share] * 2)
        farthest = max(abs(view.lower - view.share).max(), abs(view.upper - view.share).max())
        half = next(half for half in HALF_WIDTHS if half >= farthest)
        ends = max(view.share - 1.04 * half, -0.02), min(view.share + 1.04 * half, 1.02)
        self.left_ax.set_xlim(*ends)
        self.naive.set_data(EPSILONS, view.naive)
        self.normal.set_data(EPSILONS, view.normal)
        self.here.set_data([view.epsilon], [view.coverage])

    def describe(self, view: CoverageView) -> str:
        points, misses = 100 * view.length, int((~view.is_hit).sum())
        return (
            f"The {view.method} interval, some {rough(points)} points long, contains the truth in "
            f"{percent(view.coverage)} of surveys; here it misses {misses or 'none'}. "
            f"A 50% guess becomes {at_most(view.epsilon)}."
        )
