"""Explorer: three formulas for the Gaussian mechanism's sigma, compared with the exact delta.

On the left is the true delta of each formula, in multiples of the guaranteed one. On the right is
its noise, in multiples of the least that keeps the guarantee. Every formula holds up to some
epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dplab.mechanisms.gaussian import analytic_sigma
from dplab.theorems.gaussian_range import DWORK_ROTH, UNDER_NOISED, WITH_TWO
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import ON_THE_FRAME, at_most, rough

FORMULAS = (DWORK_ROTH, WITH_TWO, UNDER_NOISED)
LINES = ((style.BLUE, "-"), (style.GREEN, "--"), (style.RED, "-."))
EPSILONS = np.logspace(-2, np.log10(20), 45)
LEAST_RATIO, MAX_RATIO = 1e-7, 1e7  # ratios of delta at the ends of the axis


@dataclass(frozen=True, eq=False)
class FormulaView:
    """For each formula: multiples of the guaranteed delta and of the least sigma, (3, epsilons)."""

    epsilons: np.ndarray
    delta_ratios: np.ndarray
    sigma_ratios: np.ndarray


def formula_view(epsilons: np.ndarray, *, delta: float) -> FormulaView:
    """Compare the three formulas with the exact delta."""
    least = [analytic_sigma(sensitivity=1, epsilon=e, delta=delta) for e in epsilons]
    true = [[f.true_delta(epsilon=e, delta=delta) for e in epsilons] for f in FORMULAS]
    sigmas = [f.sigma(epsilon=epsilons, delta=delta) for f in FORMULAS]
    return FormulaView(epsilons, np.array(true) / delta, np.array(sigmas) / np.array(least))


@lru_cache(maxsize=16)
def _compute_curves(exponent: int) -> FormulaView:
    return formula_view(EPSILONS, delta=10.0**-exponent)


class SigmaFormulas(Explorer):
    """Three formulas for sigma, and up to which epsilon each keeps its guarantee."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        return {
            "epsilon": log_slider("Promised ε", 1.0, 0.01, 20.0),
            "exponent": slider("k in δ = 10⁻ᵏ", 5, 2, 12, 1),
        }

    def compute(self, exponent: int, **_: Any) -> FormulaView:
        return _compute_curves(exponent)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.085, right=0.985, bottom=0.2, top=0.92, wspace=0.2)
        left_ax.set(
            title="True δ, in multiples of the promised δ",
            yscale="log",
            ylim=(LEAST_RATIO, MAX_RATIO),
        )
        left_ax.set_yticks([1e-6, 1e-3, 1, 1e3, 1e6])
        right_ax.set(title="σ, in multiples of the least σ", ylim=(0.5, 2))
        left_ax.axhspan(1, MAX_RATIO, color=style.RED, alpha=0.08)
        left_ax.text(0.0115, MAX_RATIO / 9, "promise broken", color=style.RED)
        right_ax.axhspan(0, 1, color=style.RED, alpha=0.08)
        self.curves, self.dots = [], []
        for axes in (left_ax, right_ax):
            axes.set(xscale="log", xlim=(0.01, 20), xlabel="ε")
            style.plain_ticks(axes.xaxis, [0.01, 0.1, 1, 10])
            axes.minorticks_off()
            axes.axhline(1, color=style.INK, linewidth=1.2)
            axes.axvline(1, color=style.GREY, linewidth=1.2, linestyle=":")
            for formula, (colour, dashes) in zip(FORMULAS, LINES, strict=True):
                label = "σ = " + formula.name
                self.curves += axes.plot(EPSILONS, EPSILONS, dashes, color=colour, label=label)
                self.dots += axes.plot([1], [1], "o", color=colour, markeredgecolor="white", ms=8)
        handles = self.curves[:3]
        self.figure.legend(handles=handles, loc="lower center", ncols=3, bbox_to_anchor=(0.53, 0))
        return [*self.curves, *self.dots]

    def move(self, view: FormulaView) -> None:
        delta, epsilon = 10.0 ** -self.value("exponent"), self.value("epsilon")
        point = formula_view(np.array([epsilon]), delta=delta)
        for curve, heights in zip(
            self.curves, (*view.delta_ratios, *view.sigma_ratios), strict=True
        ):
            curve.set_ydata(np.maximum(heights, LEAST_RATIO / 10))
        heights = np.concatenate([point.delta_ratios, point.sigma_ratios])[:, 0]
        for dot, height in zip(self.dots, heights, strict=True):
            dot.set_data([epsilon], [np.clip(height, *dot.axes.get_ylim())])

    def describe(self, view: FormulaView) -> str:
        epsilon, delta = self.value("epsilon"), 10.0 ** -self.value("exponent")
        holding = sum(epsilon <= formula.last_epsilon(delta) for formula in FORMULAS)
        is_on_frame = any(dot.get_ydata()[0] in dot.axes.get_ylim() for dot in self.dots)
        return (
            f"{('None', 'One', 'Two', 'All three')[holding]} of the formulas "
            f"{'keeps' if holding == 1 else 'keep'} the promise: a 50% guess becomes "
            f"{at_most(epsilon)}, apart from δ = {rough(delta)}."
            f"{ON_THE_FRAME if is_on_frame else ''}"
        )
