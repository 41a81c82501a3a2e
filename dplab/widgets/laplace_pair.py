"""Explorer: the Laplace mechanism on two neighbouring datasets, and the ratio of its two densities.

The mechanism is calibrated to a claimed sensitivity; the data decide the distance of the answers on
the neighbours. The ratio stays within e^epsilon if and only if distance <= sensitivity.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dplab.continuous import Laplace
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most

OUTPUTS = np.linspace(-8, 10, 721)
RATIO_AXES = (1.6, 3.2, 17.0)  # ends of the axis of the log ratio; the first that shows all is used


@dataclass(frozen=True, eq=False)
class PairView:
    """Two distributions on `OUTPUTS`: log densities of M(x) and M(x'), shape (721,) each."""

    p: Laplace
    q: Laplace
    epsilon: float
    log_p: np.ndarray
    log_q: np.ndarray

    @property
    def log_ratio(self) -> np.ndarray:
        """The privacy loss at each output."""
        return self.log_p - self.log_q

    @property
    def largest(self) -> float:
        """The largest |log ratio|: distance / scale."""
        return abs(self.q.location - self.p.location) / self.p.scale

    @property
    def private(self) -> bool:
        """True if the guarantee of epsilon holds for this pair."""
        return self.largest <= self.epsilon + 1e-12


def pair_view(*, epsilon: float, sensitivity: float, distance: float) -> PairView:
    """Return Laplace distributions of scale sensitivity / epsilon around 0 and `distance`."""
    scale = sensitivity / epsilon
    p, q = Laplace(0.0, scale), Laplace(distance, scale)
    return PairView(p, q, epsilon, p.log_density(OUTPUTS), q.log_density(OUTPUTS))


class LaplacePair(Explorer):
    """Two Laplace densities and their log ratio, against the guaranteed epsilon."""

    def make_controls(self) -> Controls:
        return {
            "epsilon": slider("Promised ε", 1.0, 0.1, 2.0, 0.05),
            "sensitivity": slider("Sensitivity", 1.0, 0.5, 4.0, 0.1),
            "distance": slider("Distance |f(x)−f(x′)|", 1.0, 0.0, 4.0, 0.1),
        }

    compute = staticmethod(pair_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.075, right=0.98, bottom=0.14, top=0.91, wspace=0.2)
        left_ax.set(title="Density of the output", xlabel="output y", xlim=OUTPUTS[[0, -1]])
        left_ax.set(ylabel="density")
        right_ax.set(title="Log of their ratio at y: the privacy loss", xlabel="output y")
        right_ax.set(xlim=OUTPUTS[[0, -1]], ylabel="nats")
        for axes in (left_ax, right_ax):
            axes.set_xticks(range(-8, 11, 4))
        left_ax.locator_params(axis="y", nbins=4)
        self.densities = [
            left_ax.plot(OUTPUTS, 0 * OUTPUTS, line, color=colour, label=label)[0]
            for colour, line, label in ((style.BLUE, "-", "on x"), (style.ORANGE, "--", "on x′"))
        ]
        left_ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0)
        (self.ratio,) = right_ax.plot(OUTPUTS, 0 * OUTPUTS)
        self.promise = [
            right_ax.axhline(0, color=style.INK, linestyle="--", linewidth=1.2) for _ in range(2)
        ]
        self.note = right_ax.text(OUTPUTS[-1], 0, "", ha="right", va="bottom", color=style.INK)
        return [*self.densities, self.ratio, *self.promise, self.note]

    def move(self, view: PairView) -> None:
        for line, logs in zip(self.densities, (view.log_p, view.log_q), strict=True):
            line.set_ydata(np.exp(logs))
        self.densities[0].axes.set_ylim(0, _choose_ceiling(1 / (2 * view.p.scale)))
        end = next(end for end in RATIO_AXES if max(view.largest, 1.2 * view.epsilon) < end)
        self.ratio.axes.set_ylim(-end, end)
        self.ratio.set_ydata(view.log_ratio)
        self.ratio.set_color(style.GREEN if view.private else style.RED)
        for line, sign in zip(self.promise, (1, -1), strict=True):
            line.set_ydata([sign * view.epsilon] * 2)
        self.note.set_y(view.epsilon + 0.05)
        self.note.set_text(f"promised ε = {view.epsilon:.3g}")

    def describe(self, view: PairView) -> str:
        verdict = "the promise holds" if view.private else "the promise is broken"
        return (
            f"The log ratio reaches {view.largest:.3g}, and ε = {view.epsilon:.3g} was promised: "
            f"{verdict}. A 50% guess becomes {at_most(view.largest)}."
        )


def _choose_ceiling(peak: float) -> float:
    """Choose the top of the axis among few values, so that ticks are seldom drawn anew."""
    return next(top for top in (0.07, 0.15, 0.3, 0.6, 1.2, 2.4) if peak < 0.95 * top)
