"""Explorer: the tail of the privacy loss, and the bound on it from each kind of moment.

On two logarithmic axes a moment of order k is a straight line of slope -k; Renyi and zCDP bend
down. The bars show at which epsilon each bound has fallen to the allowed delta. The picture opens
with three of the seven; a control adds the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np

from dplab.theorems.loss_tails import LossTails, loss_tails
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.loss_view import GAUSSIAN, STRENGTHS, loss_of
from dplab.widgets.words import rough

THRESHOLDS = np.geomspace(0.1, 1000, 321)
LEAST_PROBABILITY = 1e-10  # the least probability on the axis
EPSILON_RANGE = (0.1, 1e7)  # the ends of the axis
MARKERS = "osD^vPX"  # markers where each line crosses delta, and at the end of its bar
NAMES = (
    "Markov",
    "Chebyshev",
    "moment k",
    "Rényi α",
    "zCDP",
    "P[Z > ε] ≤ δ",
    "the whole law",
)
FEW, ALL = "the mean, one moment and the whole law", "all bounds, also by exponential moments"
ROWS = {FEW: (0, 2, 6), ALL: tuple(range(7))}  # the places in NAMES that are shown
COLOURS = (style.GREY, style.ORANGE, style.BLUE, style.GREEN, "#CC79A7", style.INK, style.RED)


@dataclass(frozen=True, eq=False)
class LadderView:
    """The bounds on a loss, and the `delta` at which they are compared."""

    tails: LossTails
    delta: float

    @property
    def curves(self) -> list[np.ndarray]:
        """At `THRESHOLDS`: the five bounds, P[Z > t] and delta(t)."""
        bounds = [bound.tail(THRESHOLDS) for bound in self.tails.bounds]
        deltas = np.array([self.tails.loss.delta(t) for t in THRESHOLDS])
        return [*bounds, self.tails.exact(THRESHOLDS), deltas]

    @property
    def epsilons(self) -> list[float]:
        """The epsilons at which each of `curves` has fallen to delta."""
        bounds = [bound.epsilon(self.delta) for bound in self.tails.bounds]
        return [*bounds, self.tail_epsilon, self.tails.loss.epsilon(self.delta)]

    @property
    def tail_epsilon(self) -> float:
        """The least t >= 0 with P[Z > t] <= delta, by bisection; inf if there is none."""
        loss, low, high = self.tails.loss, 0.0, EPSILON_RANGE[1]
        if loss.tails(high)[0] > self.delta:
            return np.inf
        if loss.tails(low)[0] <= self.delta:
            return 0.0
        for _ in range(80):
            middle = (low + high) / 2
            is_above = loss.tails(middle)[0] > self.delta
            low, high = (middle, high) if is_above else (low, middle)
        return high


class TailLadder(Explorer):
    """Markov, Chebyshev, a moment, Renyi and zCDP against the true tail and delta(epsilon)."""

    size = (9.0, 4.2)

    def make_controls(self) -> Controls:
        return {
            "mechanism": ipywidgets.RadioButtons(
                options=list(STRENGTHS), description="Mechanism:", layout={"width": "420px"}
            ),
            "strength": slider(STRENGTHS[GAUSSIAN], 1.0, 0.2, 3.0, 0.1),
            "k": slider("Moment of order k", 4, 2, 20, 1),
            "alpha": log_slider("Rényi order α", 4.0, 1.3, 100.0),
            "digits": slider("n in δ = 10⁻ⁿ", 6, 1, 9, 1),
            "shown": ipywidgets.RadioButtons(
                options=list(ROWS), description="Show:", layout={"width": "420px"}
            ),
        }

    def link(self, name: str) -> None:
        self.controls["strength"].description = STRENGTHS[self.value("mechanism")]
        if name == "alpha":  # show the effect of alpha
            self.controls["shown"].value = ALL
        if name in ("alpha", "shown"):
            with style.context():
                self._lay_out()

    def compute(
        self, mechanism: str, strength: float, k: int, alpha: float, digits: int, **_: Any
    ) -> LadderView:
        tails = loss_tails(loss_of(mechanism, strength), k=k, alpha=alpha)
        return LadderView(tails, 10.0**-digits)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.15, 1))
        self.figure.subplots_adjust(left=0.07, right=0.9, bottom=0.13, top=0.91, wspace=0.5)
        left_ax.set(
            title="Bounds on P[Z > t], and δ(t) dashed", xlabel="t", xscale="log", yscale="log"
        )
        left_ax.set(xlim=THRESHOLDS[[0, -1]], ylim=(LEAST_PROBABILITY, 2))
        style.plain_ticks(left_ax.xaxis, [0.1, 1, 10, 100, 1000])
        left_ax.set_yticks([1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
        left_ax.minorticks_off()
        self.lines = [
            left_ax.plot(
                THRESHOLDS, THRESHOLDS, "--" if colour == style.RED else "-", color=colour
            )[0]
            for colour in COLOURS
        ]
        self.level = left_ax.axhline(1, color=style.INK, linestyle=":", linewidth=1.2)
        self.crossings, self.ends = (
            [
                axes.plot([], [], marker, color=colour, markersize=8, markeredgecolor="white")[0]
                for marker, colour in zip(MARKERS, COLOURS, strict=True)
            ]
            for axes in (left_ax, right_ax)
        )
        right_ax.set(title="The least ε that each can promise", xscale="log", xlim=EPSILON_RANGE)
        right_ax.set(xlabel="ε")
        right_ax.set_xticks([1, 100, 1e4, 1e6], labels=["1", "100", "10,000", "1,000,000"])
        right_ax.minorticks_off()
        right_ax.tick_params(axis="y", length=0)
        right_ax.grid(axis="y", visible=False)
        self.bars = [
            right_ax.plot([], [], color=colour, linewidth=9, solid_capstyle="butt")[0]
            for colour in COLOURS
        ]
        self.numbers = [
            right_ax.text(
                1.015, 0, "", va="center", transform=right_ax.get_yaxis_transform(), size=9.5
            )
            for _ in NAMES
        ]
        self.right_ax = right_ax
        self._lay_out()
        marks = [*self.crossings, *self.ends]
        return [self.level, *self.lines, *self.bars, *marks, *self.numbers]

    @property
    def rows(self) -> tuple[int, ...]:
        """The places in `NAMES` of the bounds that are shown, from the top bar down."""
        return ROWS[self.value("shown")]

    def _lay_out(self) -> None:
        """Show the lines and bars of some bounds only, and name these."""
        kinds = (self.lines, self.crossings, self.bars, self.ends, self.numbers)
        for row, artists in enumerate(zip(*kinds, strict=True)):
            for artist in artists:
                artist.set_visible(row in self.rows)
        self.right_ax.set_ylim(len(self.rows) - 0.4, -0.6)
        self.right_ax.set_yticks(range(len(self.rows)), labels=[NAMES[row] for row in self.rows])

    def move(self, view: LadderView) -> None:
        for line, curve in zip(self.lines, view.curves, strict=True):
            line.set_ydata(np.maximum(curve, LEAST_PROBABILITY / 100))
        self.level.set_ydata([view.delta, view.delta])
        for y, row in enumerate(self.rows):
            epsilon = view.epsilons[row]
            reached = np.clip(epsilon, EPSILON_RANGE[0], 2 * EPSILON_RANGE[1])
            self.bars[row].set_data([EPSILON_RANGE[0], reached], [y, y])
            self.ends[row].set_data([reached], [y])
            self.crossings[row].set_data([epsilon], [view.delta])
            self.numbers[row].set_text(_write_short(epsilon))
            self.numbers[row].set_y(y)

    def describe(self, view: LadderView) -> str:
        markov, _, moment, renyi, *_, true = (_write_short(epsilon) for epsilon in view.epsilons)
        if true == "none":
            return (
                "No ε has this δ, and no moment exists: with the probability of the leak, a 50% "
                "guess becomes 100%."
            )
        if markov == "none":
            return f"No moment exists. The whole law gives ε = {true} at this δ."
        others = f"moment k {moment}"
        if self.value("shown") == ALL:
            others += f", Rényi α {renyi}"
        return (
            f"At this δ the mean of |Z| alone gives ε = {markov}, {others}, and the whole law "
            f"gives {true}."
        )


def _write_short(epsilon: float) -> str:
    """Write an epsilon so that it fits beside a bar.

    >>> _write_short(895_593.0), _write_short(2.46e6), _write_short(9.964e8)
    ('896,000', '2.5 million', '1 billion')
    """
    if epsilon == np.inf:
        return "none"
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if float(f"{epsilon:.2g}") >= size:
            return f"{rough(epsilon / size)} {name}"
    return rough(epsilon, 3)
