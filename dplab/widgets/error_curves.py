"""Explorer: the price of trusting nobody, in the error of a released share.

Laplace noise on the mean of n bits has standard deviation sqrt(2) / (n epsilon). The estimate
from n randomized responses has e^{epsilon/2} / ((e^epsilon - 1) sqrt(n)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplab.continuous import Laplace
from dplab.mechanisms.randomized_response import RandomizedResponse
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider
from dplab.widgets.words import at_most, rough

SIZES = np.logspace(1, 6, 51)
MEASURED_AT = np.array([10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000])
SURVEYS = 400  # simulated for each measured point


@dataclass(frozen=True, eq=False)
class ErrorView:
    """Standard deviations of three errors of a share, at each of `sizes`; all of one shape.

    `local`: randomized response; `curator`: Laplace noise on the mean; `sampling`: the error,
    sqrt(share (1 - share) / n), that n people drawn from a population make even without privacy.
    """

    sizes: np.ndarray
    local: np.ndarray
    curator: np.ndarray
    sampling: np.ndarray


def error_view(sizes: np.ndarray, *, epsilon: float, share: float = 0.3) -> ErrorView:
    """Return the three errors in closed form."""
    local = RandomizedResponse(epsilon).frequency_variance(share, n=1) ** 0.5 / np.sqrt(sizes)
    curator = np.sqrt(2) / (sizes * epsilon)
    return ErrorView(sizes, local, curator, np.sqrt(share * (1 - share) / sizes))


def measure(
    sizes: np.ndarray, rng: np.random.Generator, *, epsilon: float, share: float = 0.3
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate `SURVEYS` releases; return root mean square errors (local, curator), as sizes.

    The number of YES among n randomized responses is drawn as the sum of two binomials.
    """
    mechanism, shape = RandomizedResponse(epsilon), (SURVEYS, len(sizes))
    ones = np.round(share * sizes).astype(int)
    p, q = mechanism.truth_probability, mechanism.lie_probability
    said_yes = rng.binomial(ones, p, shape) + rng.binomial(sizes - ones, q, shape)
    estimates = (said_yes / sizes - q) / (p - q)
    noise = Laplace(0.0, 1.0).sample(rng, shape) / (sizes * epsilon)
    return tuple(np.sqrt((e**2).mean(axis=0)) for e in (estimates - ones / sizes, noise))


class ErrorCurves(Explorer):
    """Errors of curator and crowd as functions of n, in theory and simulated."""

    size = (9.0, 4.2)
    seed = 2006

    def make_controls(self) -> Controls:
        return {
            "epsilon": log_slider("Privacy loss ε", 1.0, 0.05, 5.0),
            "n": log_slider("People n", 1000, 10, 1_000_000),
            "again": Again("Simulate again"),
        }

    def compute(self, epsilon: float, **_: Any) -> ErrorView:
        return error_view(SIZES, epsilon=epsilon)

    def build(self) -> Artists:
        axes = self.figure.subplots()
        self.figure.subplots_adjust(left=0.08, right=0.74, bottom=0.13, top=0.92)
        axes.set(xscale="log", yscale="log", xlim=(8, 1.3e6), ylim=(1.5e-7, 20))
        axes.set(title="Error of a released share (standard deviation)", xlabel="people n")
        style.plain_ticks(axes.xaxis, [10, 100, 1000, 10_000, 100_000, 1_000_000])
        axes.minorticks_off()
        names = ("nobody trusted:\nrandomized response", "curator trusted:\nLaplace on the mean")
        line_styles = ((style.RED, "--", "s"), (style.BLUE, "-", "o"))
        self.theory = [
            axes.plot(SIZES, SIZES, line, color=c, label=n)[0]
            for (c, line, _), n in zip(line_styles, names, strict=True)
        ]
        self.measured = [
            axes.plot(MEASURED_AT, MEASURED_AT, dot, color=c, markeredgecolor="white")[0]
            for c, _, dot in line_styles
        ]
        axes.plot(
            SIZES,
            error_view(SIZES, epsilon=1).sampling,
            ":",
            color=style.GREY,
            label="no privacy: sampling\nn of a population",
        )
        (self.gap,) = axes.plot([1, 1], [1, 1], color=style.INK, linewidth=1.4, marker="_")
        self.times = axes.text(1, 1, "", color=style.INK, va="center")
        axes.plot([], [], "o", color=style.GREY, label=f"{SURVEYS} simulations each")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), labelspacing=1.1)
        return [*self.theory, *self.measured, self.gap, self.times]

    def move(self, view: ErrorView) -> None:
        epsilon, n = self.value("epsilon"), self.value("n")
        simulated = measure(MEASURED_AT, self.generator(self.value("again")), epsilon=epsilon)
        for line, errors in zip(self.theory, (view.local, view.curator), strict=True):
            line.set_ydata(errors)
        for dots, errors in zip(self.measured, simulated, strict=True):
            dots.set_ydata(errors)
        point = error_view(np.array([n]), epsilon=epsilon)
        ends = [point.curator[0], point.local[0]]
        self.gap.set_data([n, n], ends)
        self.times.set_position((1.12 * n, np.sqrt(ends[0] * ends[1])))
        ratio = ends[1] / ends[0]
        self.times.set_text(f"×{ratio:,.1f}" if ratio < 10 else f"×{ratio:,.0f}")

    def describe(self, view: ErrorView) -> str:
        epsilon, n = self.value("epsilon"), round(self.value("n"))
        point = error_view(np.array([n]), epsilon=epsilon)
        local, curator = float(point.local[0]), float(point.curator[0])
        crowd = np.ceil(n * (local / curator) ** 2)
        return (
            f"The crowd errs {rough(local / curator)} times as much as the curator. To err as "
            f"little, it would need {rough(crowd)} people. "
            f"A 50% guess becomes {at_most(epsilon)}."
        )
