"""Explorer: the total epsilon of k releases by every bound, and where the bounds cross.

The picture opens with three bounds. A control adds the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ipywidgets
import numpy as np

from dplab.accounting import Release, epsilon_bounds
from dplab.mechanisms.laplace import LaplaceMechanism
from dplab.theorems.composition_curves import (
    CompositionCurves,
    composition_curves,
    crossing_by_price,
)
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most, count

KS = np.unique(np.round(np.logspace(0, 4, 25)).astype(int))
AXIS = (0.8, 130.0)  # of the curves, in units of epsilon sqrt(k): all k and epsilons fit
AXIS_WIDTH = 1.44  # the width of the axis of bars, in units of basic composition
LINES = {  # field of CompositionCurves: name, colour, dashes
    "basic": ("basic", style.GREY, "-"),
    "advanced": ("advanced", style.RED, "--"),
    "zcdp_simple": ("zCDP, simple", style.ORANGE, "-."),
    "zcdp": ("zCDP, tight", "#56B4E9", ":"),
    "renyi": ("Rényi", style.BLUE, (0, (7, 2))),
    "optimal": ("optimal", style.INK, "-"),
}
LAPLACE_ROW = ("Laplace noise's own", style.GREEN, "-")
FEW, ALL = "basic, advanced and optimal", "all bounds, and Laplace noise's own"
ROWS = {FEW: (0, 1, 5), ALL: tuple(range(7))}  # the places of the bars that are shown


@dataclass(frozen=True, eq=False)
class CompositionView:
    """All bounds: `curves` for every k, `here` for one; `own` is Laplace noise's exact epsilon.

    Beyond `crossing` advanced composition gives less than basic; it is inf if it never does.
    """

    curves: CompositionCurves
    here: CompositionCurves
    own: float
    crossing: float

    @property
    def bounds(self) -> np.ndarray:
        """The epsilons at one k, in the order of `LINES`, and last that of Laplace noise."""
        return np.array([*(getattr(self.here, name)[0] for name in LINES), self.own])


@lru_cache(maxsize=64)
def price_curves(epsilon: float, delta: float) -> CompositionCurves:
    """Compute the bounds at all `KS`."""
    return composition_curves(epsilon, KS, delta=delta)


def price_view(*, epsilon: float, k: int, delta: float) -> CompositionView:
    """Compute the total epsilon of k releases of epsilon-DP at a total `delta`."""
    noisy = LaplaceMechanism(sum, sensitivity=1, epsilon=epsilon)
    own_bounds = epsilon_bounds([Release(noisy, k)], delta=delta)
    return CompositionView(
        curves=price_curves(epsilon, delta),
        here=composition_curves(epsilon, [k], delta=delta),
        own=own_bounds.upper,
        crossing=crossing_by_price(epsilon, delta=delta),
    )


class SquareRootOfK(Explorer):
    """The total epsilon of k releases by seven bounds, against k and side by side.

    The curves are in units of epsilon sqrt(k): there a multiple of the square root is a level line.
    Both axes are logarithmic, so basic composition is a straight line.
    """

    size = (9.0, 4.3)

    def make_controls(self) -> Controls:
        return {
            "epsilon": log_slider("ε of each release", 0.1, 0.001, 0.8),
            "k": log_slider("Releases k", 100, 1, 2000),
            "digits": slider("n in δ = 10⁻ⁿ", 6, 2, 12, 1),
            "shown": ipywidgets.RadioButtons(
                options=list(ROWS), description="Show:", layout={"width": "420px"}
            ),
        }

    def link(self, name: str) -> None:
        if name == "shown":
            with style.context():
                self._lay_out()

    def compute(self, epsilon: float, k: int, digits: int, **_: Any) -> CompositionView:
        return price_view(epsilon=epsilon, k=k, delta=10.0**-digits)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        self.figure.subplots_adjust(left=0.075, right=0.98, bottom=0.25, top=0.91, wspace=0.52)
        left_ax.set(xscale="log", xlim=(1, 1e4), xlabel="releases k", yscale="log", ylim=AXIS)
        left_ax.set(title="Total ε, divided by √k and ε of one release")
        style.plain_ticks(left_ax.xaxis, [1, 10, 100, 1000, 10_000])
        style.plain_ticks(left_ax.yaxis, [1, 2, 5, 10, 20, 50, 100])
        self.lines = [
            left_ax.plot(KS, KS, color=colour, linestyle=dashes, label=label)[0]
            for label, colour, dashes in LINES.values()
        ]
        for line, width in zip(self.lines[-2:], (1.2, 2.8), strict=True):
            line.set_linewidth(width)
        (self.marker,) = left_ax.plot([1, 1], AXIS, color=style.INK, linewidth=0.9, label="your k")
        (self.crossing,) = left_ax.plot(
            [1],
            [1],
            "o",
            color=style.RED,
            markersize=9,
            fillstyle="none",
            label="advanced meets basic",
        )
        self.crossing.set_clip_on(False)
        names = [*LINES.values(), LAPLACE_ROW]
        right_ax.set(title="Total ε at your k", xlim=(0, AXIS_WIDTH))
        right_ax.set_xticks([0, 0.5, 1], labels=["0", "50%", "100%"])
        right_ax.set_xlabel("share of basic (→: the bar is cut)")
        right_ax.grid(axis="y", visible=False)
        right_ax.tick_params(axis="y", length=0)
        self.bars = right_ax.barh(range(7), 1.0, 0.7, color=[colour for _, colour, _ in names])
        self.figures = [right_ax.text(0, i, "", va="center", color=style.INK) for i in range(7)]
        self.right_ax, self.names = right_ax, [name for name, *_ in names]
        self._add_legends()
        self._lay_out()
        return [*self.lines, self.marker, self.crossing, *self.bars, *self.figures]

    def _add_legends(self) -> None:
        """Add a legend for each choice of lines; one of them is visible."""
        self.keys = {}
        for choice, rows in ROWS.items():
            lines = [self.lines[row] for row in rows if row < len(self.lines)]
            columns, middle = (3, 0.27) if choice == FEW else (4, 0.4)
            self.keys[choice] = self.figure.legend(
                handles=[*lines, self.marker, self.crossing],
                ncols=columns,
                loc="lower center",
                bbox_to_anchor=(middle, 0.0),
            )

    @property
    def rows(self) -> tuple[int, ...]:
        """The places of the bounds that are shown, from the top bar down."""
        return ROWS[self.value("shown")]

    def _lay_out(self) -> None:
        """Show the lines and bars of some bounds only, and name these."""
        for row, (bar, figure) in enumerate(zip(self.bars, self.figures, strict=True)):
            is_shown = row in self.rows
            for artist in (bar, figure, *self.lines[row : row + 1]):
                artist.set_visible(is_shown)
            if is_shown:
                place, height = self.rows.index(row), len(self.rows) / 10
                bar.set(y=place - height / 2, height=height)
                figure.set_y(place)
        self.right_ax.set_ylim(len(self.rows) - 0.4, -0.6)
        names = [self.names[row] for row in self.rows]
        self.right_ax.set_yticks(range(len(names)), labels=names)
        for choice, key in self.keys.items():
            key.set_visible(choice == self.value("shown"))

    def move(self, view: CompositionView) -> None:
        root = self.value("epsilon") * np.sqrt(view.curves.ks)
        for line, name in zip(self.lines, LINES, strict=True):
            line.set_data(view.curves.ks, getattr(view.curves, name) / root)
        self.marker.set_xdata([view.here.ks[0]] * 2)
        place = view.crossing if view.crossing < 1e4 else np.nan
        self.crossing.set_data([place], [np.sqrt(place)])
        shares = np.minimum(view.bounds / view.here.basic[0], 1.12)
        for bar, text, share, epsilon in zip(
            self.bars, self.figures, shares, view.bounds, strict=True
        ):
            bar.set_width(share)
            text.set_x(share + 0.02)
            text.set_text(price(epsilon) + ("" if share < 1.12 else " →"))

    def describe(self, view: CompositionView) -> str:
        k = int(view.here.ks[0])
        basic, *_, optimal, _ = view.bounds
        return (
            f"{count(k, 'releases')} {'costs' if k == 1 else 'cost'} ε = {price(basic)} by basic "
            f"composition, and {price(optimal)} by optimal composition. A 50% guess becomes "
            f"{at_most(optimal)}, apart from δ."
        )


def price(epsilon: float) -> str:
    """Write an epsilon with three digits, or more if it is large.

    >>> price(4.7746), price(2151.4)
    ('4.77', '2,151')
    """
    return f"{epsilon:,.0f}" if epsilon >= 100 else f"{epsilon:.3g}"
