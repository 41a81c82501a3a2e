"""Explorer: the tail of the privacy loss, and what each kind of moment can say about it.

On two logarithmic axes a moment of order k is a straight line of slope -k; Renyi and zCDP bend
down. The bars show at which epsilon each has fallen to the delta that is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets
import numpy as np

from dplab.theorems.loss_tails import LossTails, loss_tails
from dplab.widgets import style
from dplab.widgets.explorer import Explorer, log_slider, slider
from dplab.widgets.loss_view import (
    GAUSSIAN,
    STRENGTHS,
    loss_of,
    strength_in_words,
)
from dplab.widgets.words import at_most, rough

THRESHOLDS = np.geomspace(0.1, 1000, 321)
FLOOR = 1e-10  # of the axis of probabilities
REACH = (0.1, 1e7)  # of the axis of epsilons
MARKERS = "osD^vPX"  # at each line where it crosses delta, and at the end of its bar
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
        """Where each of `curves` has fallen to delta."""
        bounds = [bound.epsilon(self.delta) for bound in self.tails.bounds]
        return [*bounds, self.tail_epsilon, self.tails.loss.epsilon(self.delta)]

    @property
    def tail_epsilon(self) -> float:
        """The least t >= 0 with P[Z > t] <= delta, by bisection; inf if there is none."""
        loss, low, high = self.tails.loss, 0.0, REACH[1]
        if loss.tails(high)[0] > self.delta:
            return np.inf
        if loss.tails(low)[0] <= self.delta:
            return 0.0
        for _ in range(80):
            middle = (low + high) / 2
            above = loss.tails(middle)[0] > self.delta
            low, high = (middle, high) if above else (low, middle)
        return high


class TailLadder(Explorer):
    """Markov, Chebyshev, a moment, Renyi and zCDP against the true tail and delta(epsilon)."""

    size = (9.0, 4.2)

    def make_controls(self):
        return {
            "mechanism": ipywidgets.RadioButtons(
                options=list(STRENGTHS), description="Mechanism:", layout={"width": "420px"}
            ),
            "strength": slider(STRENGTHS[GAUSSIAN], 1.0, 0.2, 3.0, 0.1),
            "k": slider("Moment of order k", 4, 2, 20, 1),
            "alpha": log_slider("Rényi order α", 4.0, 1.3, 100.0),
            "digits": slider("δ = 10 to the −", 6, 1, 9, 1),
        }

    def link(self, name):
        self.controls["strength"].description = STRENGTHS[self.value("mechanism")]

    def view(self):
        loss = loss_of(self.value("mechanism"), self.value("strength"))
        tails = loss_tails(loss, k=self.value("k"), alpha=self.value("alpha"))
        return LadderView(tails, 10.0 ** -self.value("digits"))

    def build(self):
        left, right = self.figure.subplots(1, 2, width_ratios=(1.15, 1))
        self.figure.subplots_adjust(left=0.07, right=0.9, bottom=0.13, top=0.91, wspace=0.5)
        left.set(title="P[Z > t], and bounds on it", xlabel="t", xscale="log", yscale="log")
        left.set(xlim=THRESHOLDS[[0, -1]], ylim=(FLOOR, 2))
        style.plain_ticks(left.xaxis, [0.1, 1, 10, 100, 1000])
        left.set_yticks([1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
        left.minorticks_off()
        self.lines = [
            left.plot(THRESHOLDS, THRESHOLDS, "--" if colour == style.RED else "-", color=colour)[0]
            for colour in COLOURS
        ]
        self.level = left.axhline(1, color=style.INK, linestyle=":", linewidth=1.2)
        self.crossings, self.ends = (
            [
                axes.plot([], [], marker, color=colour, markersize=8, markeredgecolor="white")[0]
                for marker, colour in zip(MARKERS, COLOURS, strict=True)
            ]
            for axes in (left, right)
        )
        right.set(title="The ε that each allows to promise", xscale="log", xlim=REACH)
        right.set(ylim=(-0.6, 6.6), xlabel="ε")
        right.set_xticks([1, 100, 1e4, 1e6], labels=["1", "100", "10,000", "1,000,000"])
        right.minorticks_off()
        names = ["Markov", "Chebyshev", "moment k", "Rényi α", "zCDP", "P[Z > ε] ≤ δ", "δ(ε) ≤ δ"]
        right.set_yticks(range(6, -1, -1), labels=names)
        right.tick_params(axis="y", length=0)
        right.grid(axis="y", visible=False)
        self.bars = [
            right.plot([], [], color=colour, linewidth=9, solid_capstyle="butt")[0]
            for colour in COLOURS
        ]
        self.numbers = [
            right.text(1.015, y, "", va="center", transform=right.get_yaxis_transform(), size=9.5)
            for y in range(6, -1, -1)
        ]
        marks = [*self.crossings, *self.ends]
        return [self.level, *self.lines, *self.bars, *marks, *self.numbers]

    def move(self, view):
        for line, curve in zip(self.lines, view.curves, strict=True):
            line.set_ydata(np.maximum(curve, FLOOR / 100))
        self.level.set_ydata([view.delta, view.delta])
        rows = zip(self.bars, self.ends, self.crossings, self.numbers, strict=True)
        for y, epsilon, (bar, end, crossing, text) in zip(
            range(6, -1, -1), view.epsilons, rows, strict=True
        ):
            reached = np.clip(epsilon, REACH[0], 2 * REACH[1])
            bar.set_data([REACH[0], reached], [y, y])
            end.set_data([reached], [y])
            crossing.set_data([epsilon], [view.delta])
            text.set_text(_short(epsilon))

    def describe(self, view):
        told = strength_in_words(self.value("mechanism"), self.value("strength"))
        markov, chebyshev, moment, renyi, zcdp, _, true = view.epsilons
        allowed = f"a δ of one in {10 ** self.value('digits'):,}"
        if true == np.inf:
            return (
                f"{told}. No ε has {allowed}, and no moment exists: with the "
                "probability of the leak, a 50% guess becomes 100%."
            )
        return (
            f"{told}. With {allowed}, whoever knows only the mean of |Z| must promise ε = "
            f"{rough(markov)}; the variance brings it to {rough(chebyshev)}, the moment of order "
            f"{self.value('k')} to {rough(moment)}, Rényi at α = {self.value('alpha'):g} to "
            f"{rough(renyi)}, zCDP to {rough(zcdp)}. Whoever knows the whole law promises "
            f"{rough(true)}: a 50% guess becomes {at_most(true)}, but for δ."
        )


def _short(epsilon: float) -> str:
    """As it fits beside a bar.

    >>> _short(895_593.0), _short(2.46e6), _short(9.964e8)
    ('896,000', '2.5 million', '1 billion')
    """
    if epsilon == np.inf:
        return "none"
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if float(f"{epsilon:.2g}") >= size:
            return f"{rough(epsilon / size)} {name}"
    return rough(epsilon, 3)
