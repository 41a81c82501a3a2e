"""Explorer: the factors W = R A of running counts, as pictures, and the error of each count.

On the left is A, with a row for each measurement and a column for each step. In the middle is R,
with a row for each count and a column for each measurement. On the right is the error of each count
under normal noise, in units of the noise that one count alone would need.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from dplab.queries import (
    Factorization,
    banded_factorization,
    causal_factors,
    optimal_factors,
    square_root_factorization,
    tree_factorization,
)
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, slider
from dplab.widgets.words import rough

SIZES = (4, 8, 16, 32)
GAP = 0.003  # of the best factors' error above the bound
STEPS, TREE, BANDS, ROOT, BEST = FACTORS = (
    "each step",
    "tree",
    "4 bands",
    "square root",
    "best",
)
COLOURS = {
    STEPS: style.RED,
    TREE: style.ORANGE,
    BANDS: style.INK,
    ROOT: style.GREEN,
    BEST: style.BLUE,
}
SUBJECTS = {
    STEPS: "With noise on each step",
    TREE: "With the tree",
    BANDS: "With four bands",
    ROOT: "With the square root",
    BEST: "With the best factors",
}


@dataclass(frozen=True, eq=False)
class FactorView:
    """Factors of n running counts, by name, the errors of all, and the row t that is shown."""

    name: str
    n: int
    t: int
    factorization: Factorization
    errors: dict[str, np.ndarray]
    bound: float

    @property
    def here(self) -> float:
        """The error of count t."""
        return float(self.errors[self.name][self.t - 1])

    @property
    def worst(self) -> float:
        return float(self.errors[self.name].max())


@lru_cache
def best_factors(n: int) -> tuple[Factorization, float]:
    """Return the best factors of n running counts, lower triangular, and the bound."""
    best = optimal_factors(np.tri(n), gap=GAP)
    return causal_factors(best.factorization), best.bound


@lru_cache
def factors_of(name: str, n: int) -> Factorization:
    """Return the factors by name."""
    if name == BEST:
        return best_factors(n)[0]
    if name == TREE:
        return tree_factorization(n)
    bands = {STEPS: 1, BANDS: 4, ROOT: n}[name]
    return banded_factorization(n, bands) if bands < n else square_root_factorization(n)


@lru_cache
def errors_of(n: int) -> dict[str, np.ndarray]:
    """Return the error of each count, shape (n,), for all factors by name."""
    return {name: factors_of(name, n).errors(norm=2) for name in FACTORS}


def paint(matrix: np.ndarray, colour: str) -> np.ndarray:
    """Return the pixels of a matrix, bytes of shape (m, n, 3): the darker, the larger; 0 is white.

    Negative entries are painted in orange. Colours follow the square root of the size.
    """
    size = np.sqrt(np.abs(matrix) / np.abs(matrix).max())[..., None]
    colours = np.where(matrix[..., None] < 0, to_rgb(style.ORANGE), to_rgb(colour))
    return np.rint(255 * (1 - size * (1 - colours))).astype(np.uint8)


class NoiseMemory(Explorer):
    """Running counts by several factors: the pictures of A and R, and the error of each count."""

    size = (9.0, 3.6)

    def make_controls(self) -> Controls:
        return {
            "name": choice("Factors", ROOT, [(name, name) for name in FACTORS]),
            "n": choice("Steps n", 16, [(str(n), n) for n in SIZES]),
            "t": slider("Count t", 11, 1, 16, 1),
        }

    def link(self, name: str) -> None:
        if name == "n":
            self.controls["t"].max = self.value("n")

    def compute(self, name: str, n: int, t: int) -> FactorView:
        bound = best_factors(n)[1]
        return FactorView(name, n, t, factors_of(name, n), errors_of(n), bound)

    def build(self) -> Artists:
        for n in SIZES:  # once for all moves
            errors_of(n)
        self.axes = self.figure.subplots(1, 3, width_ratios=(1, 1, 1.35))
        self.figure.subplots_adjust(left=0.035, right=0.985, bottom=0.15, top=0.9, wspace=0.22)
        a_axes, r_axes, error_axes = self.axes
        a_axes.set(title="A: what is measured", xlabel="steps", ylabel="measurements")
        r_axes.set(title="R: how counts are made", xlabel="measurements", ylabel="counts")
        error_axes.set(title="Error of each count", xlabel="count t")
        error_axes.set_ylabel("in noises of one count alone")
        self.images = [self._show_matrix(axes) for axes in (a_axes, r_axes)]
        error_axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        self.frame = r_axes.add_patch(Rectangle((0, 0), 1, 1, fill=False, color=style.INK))
        self.others = [
            error_axes.plot([], [], color=style.GREY, linewidth=0.8, alpha=0.6)[0] for _ in FACTORS
        ]
        (self.line,) = error_axes.plot([], [], linewidth=2.2)
        (self.dot,) = error_axes.plot([], [], "o", color=style.INK)
        self.bound = error_axes.axhline(1, color=style.INK, linestyle="--", linewidth=1)
        self.bound.set_label("least possible worst count")
        error_axes.legend(handles=[self.bound], loc="upper left")
        return [*self.images, self.frame, *self.others, self.line, self.dot, self.bound]

    def _show_matrix(self, axes: Axes) -> AxesImage:
        """Return an image that fills its axes: these stay as they are, whatever is shown."""
        blank: np.ndarray = np.full((2, 2, 3), 255, np.uint8)
        axes.set(xticks=[], yticks=[])
        axes.grid(visible=False)
        return axes.imshow(blank, aspect="auto", interpolation="nearest", extent=(0, 1, 1, 0))

    def move(self, view: FactorView) -> None:
        factors, colour, n = view.factorization, COLOURS[view.name], view.n
        for image, matrix in zip(self.images, (factors.strategy, factors.recovery), strict=True):
            image.set_data(paint(matrix, colour))
        self.frame.set_bounds(0, (view.t - 1) / n, 1, 1 / n)
        steps = np.arange(1, n + 1)
        for line, name in zip(self.others, FACTORS, strict=True):
            line.set_data(steps, view.errors[name])
        self.line.set_data(steps, view.errors[view.name])
        self.line.set_color(colour)
        self.dot.set_data([view.t], [view.here])
        self.bound.set_ydata([view.bound] * 2)
        highest = max(errors.max() for errors in view.errors.values())
        self.axes[2].set(xlim=(0.5, n + 0.5), ylim=(0.5, 1.15 * highest))

    def describe(self, view: FactorView) -> str:
        return (
            f"{SUBJECTS[view.name]}, count {view.t} is off by {rough(view.here)}, the worst by "
            f"{rough(view.worst)}; the least possible is {rough(view.bound)}."
        )
