"""Explorer: two mechanisms that keep their guarantee also with floats, on two neighbours.

The geometric mechanism adds exact noise on a grid g of your choice. The snapping mechanism rounds
float noise to a grid at least as wide as its scale. With both, x and x' have the same possible
outputs, and the log ratio at each output is at most the guaranteed epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import ipywidgets
import numpy as np
from matplotlib.collections import LineCollection

from dplab.distributions import Finite, enumerate_law
from dplab.mechanism import ExactMechanism
from dplab.mechanisms.discrete import GeometricMechanism
from dplab.mechanisms.snapping import SnappingMechanism
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, slider
from dplab.widgets.words import at_most

GEOMETRIC, SNAPPING = "geometric, on the grid g", "snapping: float noise, rounded"
GEOMETRIC_BOUND, SNAPPING_BOUND = 64, 32  # largest |output|
AXIS_END = 8  # outputs are shown from -AXIS_END to AXIS_END + 1
RATIO_AXES = (1.6, 2.6)  # ends of the axis of the log ratio; the first that shows all is used
GRIDS = ("1/16", "1/8", "1/4", "1/2", "1")


@dataclass(frozen=True, eq=False)
class GridView:
    """The distributions of the output on x, whose answer is 0, and on x', whose answer is 1.

    `outputs` are those shown, of shape (k,); `logs` their log probabilities, of shape (2, k).
    """

    laws: tuple[Finite, Finite]
    epsilon: float
    grid: float
    outputs: np.ndarray
    logs: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """P(output) on x and on x', shape (2, k)."""
        return np.exp(self.logs)

    @property
    def log_ratio(self) -> np.ndarray:
        """The privacy loss at each output shown."""
        return self.logs[0] - self.logs[1]

    @property
    def deviation(self) -> float:
        """The standard deviation of the output on x."""
        outcomes, weights = np.array(self.laws[0].outcomes), self.laws[0].probabilities
        return float(np.sqrt(weights @ (outcomes - weights @ outcomes) ** 2))


def grid_view(mechanism: str, *, epsilon: float, grid: str) -> GridView:
    """Return the distributions of one mechanism on answers 0 and 1, sensitivity 1.

    The geometric distribution is clamped to [-64, 64]; snapping clamps to [-32, 32].
    """
    bounded: ExactMechanism
    if mechanism == SNAPPING:
        snapping = SnappingMechanism(float, sensitivity=1, epsilon=epsilon, bound=SNAPPING_BOUND)
        bounded, step = snapping, snapping.grid
    else:
        geometric = GeometricMechanism(int, Fraction(1), Fraction(epsilon), Fraction(grid))
        bounded, step = geometric.clamp(-GEOMETRIC_BOUND, GEOMETRIC_BOUND), float(geometric.grid)
    distributions = enumerate_law(bounded.distribution(0)), enumerate_law(bounded.distribution(1))
    outputs = np.array(distributions[0].outcomes, dtype=float)
    on_axis = abs(outputs - 0.5) <= AXIS_END + 0.5
    logs = np.array([distribution.log_probabilities[on_axis] for distribution in distributions])
    return GridView(distributions, epsilon, step, outputs[on_axis], logs)


class GridNoise(Explorer):
    """Two distributions on one grid, and their log ratio at every output."""

    size = (9.0, 3.7)

    def make_controls(self) -> Controls:
        return {
            "mechanism": ipywidgets.RadioButtons(
                options=[SNAPPING, GEOMETRIC],
                value=GEOMETRIC,
                description="Noise:",
                layout={"width": "420px"},
            ),
            "epsilon": slider("Promised ε", 1.0, 0.2, 2.0, 0.1),
            "grid": choice("Grid g", "1", [(grid, grid) for grid in GRIDS]),
        }

    def link(self, name: str) -> None:
        self.controls["grid"].disabled = self.value("mechanism") == SNAPPING

    def compute(self, mechanism: str, epsilon: float, grid: str) -> GridView:
        return grid_view(mechanism, epsilon=epsilon, grid=grid)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.08, right=0.98, bottom=0.14, top=0.91, wspace=0.19)
        left_ax.set(title="Probability of each output", xlabel="output y", ylabel="probability")
        right_ax.set(title="Log of their ratio: the privacy loss", xlabel="output y", ylabel="nats")
        for axes in (left_ax, right_ax):
            axes.set(xlim=(-AXIS_END - 0.5, AXIS_END + 1.5))
            axes.set_xticks(range(-8, 10, 4))
        left_ax.locator_params(axis="y", nbins=4)
        names = (("on x: answer 0", style.BLUE), ("on x′: answer 1", style.ORANGE))
        self.bars = [
            left_ax.add_collection(LineCollection([], colors=colour, label=label))
            for label, colour in names
        ]
        left_ax.legend(loc="upper right", handlelength=1, borderaxespad=0)
        (self.ratio,) = right_ax.plot([], [], "o", color=style.GREEN, markersize=4)
        self.promise = [
            right_ax.axhline(0, color=style.INK, linestyle="--", linewidth=1.2) for _ in range(2)
        ]
        self.note = right_ax.text(AXIS_END + 1.4, 0, "", ha="right", va="bottom", color=style.INK)
        return [*self.bars, self.ratio, *self.promise, self.note]

    def move(self, view: GridView) -> None:
        thick = float(np.clip(6.5 * view.grid, 0.5, 6))
        for bars, heights, side in zip(self.bars, view.probabilities, (-1, 1), strict=True):
            places = view.outputs + side * view.grid / 4 * min(1, 1 / view.grid)
            bars.set_segments([[(x, 0), (x, h)] for x, h in zip(places, heights, strict=True)])
            bars.set_linewidth(thick)
        top = view.probabilities.max()
        ceilings = (0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2)
        self.bars[0].axes.set_ylim(0, next(c for c in ceilings if top < 0.97 * c))
        self.ratio.set_data(view.outputs, view.log_ratio)
        end = next(end for end in RATIO_AXES if 1.2 * view.epsilon < end)
        self.ratio.axes.set_ylim(-end, end)
        for line, sign in zip(self.promise, (1, -1), strict=True):
            line.set_ydata([sign * view.epsilon] * 2)
        self.note.set_y(view.epsilon + 0.05)
        self.note.set_text(f"promised ε = {view.epsilon:.2g}")

    def describe(self, view: GridView) -> str:
        return (
            f"Outputs are multiples of {Fraction(view.grid)}, with standard deviation "
            f"{view.deviation:.3g}; Laplace noise has {np.sqrt(2) / view.epsilon:.3g}. "
            f"A 50% guess becomes {at_most(view.epsilon)}."
        )
