"""Explorer: a thousand presses of a button that is (0, delta)-DP.

Two mechanisms have the same guarantee: with probability delta, one names each person, and the other
publishes all data. On the left are the results of a thousand presses, on the right the chance that
a press exposes somebody, for every delta.
"""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from dplab.theorems.catastrophes import chance_of_naming
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import rough, uncertain

BY_CHANCE, ALL_OR_NONE = "name each person, or not", "publish everybody, or nobody"
ROWS, COLUMNS = 25, 40
PRESSES = ROWS * COLUMNS
EXPONENTS = np.linspace(0, 50, 201)
MIN_CHANCE = 1e-16  # the bottom of the axis of chances
SHADES = style.shades("#ECECEC", style.ORANGE, style.RED, "#5B1A00")


@dataclass(frozen=True, eq=False)
class PressView:
    """The results of the presses: press i exposed `exposed[i]` people, shape (PRESSES,)."""

    n: int
    delta: float
    all_or_none: bool
    exposed: np.ndarray

    def chance(self, delta: float | np.ndarray) -> float | np.ndarray:
        """Return P[a press exposes somebody], elementwise."""
        return delta if self.all_or_none else chance_of_naming(self.n, delta)

    @property
    def shades(self) -> np.ndarray:
        """0 if nobody was exposed, 1 for one person, 2 for two to nine, 3 for more."""
        return np.digitize(self.exposed, [1, 2, 10])


def press(n: int, delta: float, all_or_none: bool, rng: np.random.Generator) -> PressView:
    """Press a thousand times: Binomial(n, delta) people each, or all n with probability delta."""
    if all_or_none:
        exposed = n * rng.binomial(1, delta, PRESSES)
    else:
        exposed = rng.binomial(n, delta, PRESSES)
    return PressView(n, delta, all_or_none, exposed)


class ShameButton(Explorer):
    """Name-and-shame, and a variant that publishes everything, pressed a thousand times."""

    seed = 2021

    def make_controls(self) -> Controls:
        return {
            "design": ipywidgets.RadioButtons(
                options=[BY_CHANCE, ALL_OR_NONE],
                description="A press may",
                layout={"width": "420px"},
            ),
            "again": Again("Press 1,000 times again"),
            "n": log_slider("People n", 1000, 1, 1_000_000),
            "exponent": slider("k in δ = 2⁻ᵏ", 10, 1, 50, 1),
        }

    def compute(self, design: str, n: int, exponent: int, again: int) -> PressView:
        return press(n, 2.0**-exponent, design == ALL_OR_NONE, self.generator(again))

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.25, 1))
        self.figure.subplots_adjust(left=0.02, right=0.985, bottom=0.15, top=0.91, wspace=0.22)
        left_ax.set(title="A thousand presses, one square each", xticks=[], yticks=[])
        left_ax.grid(False)
        left_ax.spines[:].set_visible(False)
        squares = np.zeros((ROWS, COLUMNS, 3))
        self.squares = left_ax.imshow(squares, extent=(0, COLUMNS, 0, ROWS), aspect="auto")
        gaps = [
            left_ax.vlines(np.arange(COLUMNS + 1), 0, ROWS, color="white", linewidth=0.8),
            left_ax.hlines(np.arange(ROWS + 1), 0, COLUMNS, color="white", linewidth=0.8),
        ]
        names = ("nobody exposed", "one person", "2 to 9", "10 or more")
        patches = [
            Patch(color=shade, label=name) for shade, name in zip(SHADES / 255, names, strict=True)
        ]
        left_ax.legend(
            handles=patches,
            loc="upper center",
            bbox_to_anchor=(0.5, -0.01),
            ncols=4,
            handlelength=1.2,
            columnspacing=1.3,
            handletextpad=0.5,
        )
        self._build_chances(right_ax)
        return [self.squares, *gaps, self.curve, self.limit, self.limit_note, *self.marks]

    def _build_chances(self, axes: Axes) -> None:
        deltas = 2.0**-EXPONENTS
        axes.set(
            title="Chance that a press exposes somebody", xlabel="δ", xscale="log", yscale="log"
        )
        axes.set(xlim=(2.0**-51, 1.5), ylim=(MIN_CHANCE, 30))
        axes.set_xticks([2.0**-k for k in range(0, 51, 10)])
        axes.set_xticklabels(["1", *(f"$2^{{-{k}}}$" for k in range(10, 51, 10))])
        axes.set_yticks([1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1])
        axes.minorticks_off()
        (self.curve,) = axes.plot(deltas, deltas, color=style.BLUE, label="in theory")
        self.limit = axes.axvline(1, ymin=0.32, color=style.INK, linestyle=":", linewidth=1.4)
        self.limit_note = axes.text(1, 5, "1/n", color=style.INK)
        (here,) = axes.plot([1], [1], "o", color=style.BLUE, markersize=8, label="your δ")
        (measured,) = axes.plot([1], [1], "_", color=style.RED, markersize=16, markeredgewidth=2.5)
        measured.set_label("share of the thousand")
        self.marks = [here, measured]
        axes.legend(loc="lower right")

    def move(self, view: PressView) -> None:
        self.squares.set_data(SHADES[view.shades].reshape(ROWS, COLUMNS, 4))
        self.curve.set_ydata(view.chance(2.0**-EXPONENTS))
        self.limit.set_xdata([1 / view.n] * 2)
        self.limit_note.set_position((1.6 / view.n if view.n > 30 else 0.15 / view.n, 5))
        share = (view.exposed > 0).mean()
        for mark, height in zip(self.marks, (view.chance(view.delta), share), strict=True):
            mark.set_data([view.delta], [max(height, MIN_CHANCE / 10)])

    def describe(self, view: PressView) -> str:
        exposing, people = int((view.exposed > 0).sum()), int(view.exposed.sum())
        victims = "1 person" if people == 1 else f"{people:,} people"
        return (
            f"{exposing} of 1,000 presses exposed somebody, {victims} in total. Each single person "
            f"is exposed {say_frequency(view.delta)}."
        )


def say_frequency(chance: float) -> str:
    """Say how often a press does something.

    >>> say_frequency(0.5), say_frequency(2.0**-10), say_frequency(2.0**-50)
    ('by 50% of presses', 'by one press in 1,000', 'with probability 8.9·10⁻¹⁶')
    """
    if chance >= 0.1:
        return f"by {uncertain(chance)} of presses"
    if chance < 1e-6:
        return f"with probability {rough(chance)}"
    return f"by one press in {float(f'{1 / chance:.2g}'):,.0f}"
