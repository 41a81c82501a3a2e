"""Explorer: the wedge of tests that a guarantee allows, and the best tests of three mechanisms.

A test with false positive rate alpha has power at most min(e^epsilon alpha + delta,
1 - e^{-epsilon} (1 - alpha - delta)); by symmetry no test lies below the mirrored line.
"""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets
import numpy as np

from dplab.continuous import Gaussian, Laplace
from dplab.distributions import Distribution, Finite
from dplab.divergences import true_positive_rate
from dplab.guarantees import ApproxDP
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.theorems.no_powerful_test import largest_power
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most, percent

RATES = np.linspace(0, 1, 401)
SURVEY, LAPLACE, GAUSSIAN = "randomized response", "Laplace noise", "Gaussian noise"


@dataclass(frozen=True, eq=False)
class WedgeView:
    """Power and bound at each of `RATES`, and at one chosen rate."""

    promise: ApproxDP
    rate: float
    bound: np.ndarray
    power: np.ndarray
    bound_here: float
    power_here: float

    @property
    def right_share(self) -> float:
        """The share of accused people who are in the data, if half of all people are."""
        return self.power_here / (self.power_here + self.rate)


def neighbours(mechanism: str, promise: ApproxDP) -> tuple[Distribution, Distribution]:
    """Return the worst pair of distributions: a bit of a survey, or a count that differs by one."""
    epsilon, delta = promise.epsilon, promise.delta
    if mechanism == SURVEY:  # with probability delta it reveals the truth
        honest = (1 - delta) / (1 + np.exp(-epsilon))
        lie = 1 - delta - honest
        inside = Finite.of({"1": honest, "0": lie, "1!": delta})
        return inside, Finite.of({"1": lie, "0": honest, "0!": delta})
    if mechanism == LAPLACE:
        return Laplace(1, scale=1 / epsilon), Laplace(0, scale=1 / epsilon)
    # With delta = 0 no normal distribution keeps the guarantee: a huge sigma replaces
    # infinite noise.
    sigma = analytic_sigma(epsilon=epsilon, delta=delta, sensitivity=1) if delta else 1e6
    return Gaussian(1, sigma), Gaussian(0, sigma)


def wedge_view(*, epsilon: float, delta: float, rate: float, mechanism: str) -> WedgeView:
    """Compute the wedge of (epsilon, delta) and the best tests of the mechanism."""
    guarantee = ApproxDP(epsilon, delta)
    rates: np.ndarray = np.append(RATES, rate)
    bound = largest_power(rates, guarantee)
    power = true_positive_rate(*neighbours(mechanism, guarantee), false_positive_rate=rates)
    here = float(bound[-1]), float(power[-1])
    return WedgeView(guarantee, rate, bound[:-1], power[:-1], *here)


class RocWedge(Explorer):
    """All tests that a guarantee allows, the best tests of a mechanism, and one test's result."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        return {
            "epsilon": slider("Promised ε", 1.0, 0.1, 4.0, 0.1),
            "delta": slider("Promised δ", 0.0, 0.0, 0.2, 0.01),
            "rate": slider("False positive rate", 0.05, 0.01, 0.95, 0.01),
            "mechanism": ipywidgets.RadioButtons(
                options=[SURVEY, LAPLACE, GAUSSIAN],
                description="The best tests of",
                layout={"width": "420px"},
                style={"description_width": "130px"},
            ),
        }

    compute = staticmethod(wedge_view)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.1))
        self.figure.subplots_adjust(left=0.075, right=0.98, bottom=0.23, top=0.91, wspace=0.2)
        left_ax.set(title="Power of the best tests", xlabel="false positive rate α", ylabel="power")
        left_ax.set(xlim=(0, 1), ylim=(0, 1.005))
        self.wedge = left_ax.fill_between(RATES, RATES, RATES, color=style.GREEN, alpha=0.18)
        self.wedge.set_label("what the promise allows")
        left_ax.plot([0, 1], [0, 1], color=style.GREY, linestyle=":", label="a coin")
        (self.curve,) = left_ax.plot(RATES, RATES, color=style.BLUE, label="the best tests")
        (self.stem,) = left_ax.plot([0, 0], [0, 1], color=style.INK, linewidth=1.2)
        (self.here,) = left_ax.plot([0], [0], "o", color=style.INK)
        self.figure.legend(loc="lower left", ncols=3, columnspacing=1.4)
        right_ax.set(title="One test of 500 people in the data, 500 not", xlim=(0, 500))
        right_ax.set(ylim=(-0.75, 1.75), xlabel="people", yticks=[])
        right_ax.grid(axis="y", visible=False)
        right_ax.barh([1, 0], [500, 500], height=0.5, color="#ECECEC")
        self.bars = [
            right_ax.barh([height], [1], height=0.5, color=colour)[0]
            for height, colour in ((1, style.BLUE), (0, style.RED))
        ]
        self.notes = [right_ax.text(4, height + 0.32, "", color=style.INK) for height in (1, 0)]
        (self.limit,) = right_ax.plot([1, 1], [0.72, 1.28], color=style.INK, linestyle="--")
        self.verdict = right_ax.text(4, -0.62, "", color=style.INK)
        moving = [self.wedge, self.curve, self.stem, self.here, *self.bars, *self.notes]
        return [*moving, self.limit, self.verdict]

    def move(self, view: WedgeView) -> None:
        upper = np.column_stack([RATES, view.bound])
        # Reversing a test mirrors its point, so the lower edge mirrors the upper one.
        self.wedge.set_verts([np.concatenate([upper, 1 - upper])])
        self.curve.set_ydata(view.power)
        self.stem.set_data([view.rate] * 2, [view.rate, view.bound_here])
        self.here.set_data([view.rate], [view.power_here])
        for bar, share in zip(self.bars, (view.power_here, view.rate), strict=True):
            bar.set_width(500 * share)
        self.notes[0].set_text(f"in the data: {500 * view.power_here:.0f} found")
        self.notes[1].set_text(f"not in the data: {500 * view.rate:.0f} accused")
        self.limit.set_xdata([500 * view.bound_here] * 2)
        self.verdict.set_text(f"of those accused, {view.right_share:.0%} are in the data")

    def describe(self, view: WedgeView) -> str:
        epsilon, delta = view.promise.epsilon, view.promise.delta
        clause = "Leaving δ aside, a" if delta else "A"
        return (
            f"The best test finds {percent(view.power_here)} of those in the data, "
            f"accusing {view.rate:.0%} of others. "
            f"{clause} 50% guess becomes {at_most(epsilon)}."
        )
