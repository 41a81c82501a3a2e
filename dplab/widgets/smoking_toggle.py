"""Show what a study says about Mr. S: with his record, without it, or if he doesn't smoke.

A study of n people publishes how many smoke and how many are ill, exactly or as an epsilon-DP
histogram. The belief about Mr. S then depends on whether he smokes, and hardly on whether he took
part. 30% of the people smoke. 20% of the smokers are ill, and 2% of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from dplab import arguments
from dplab.attacks.inference import risk
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, log_slider, slider
from dplab.widgets.words import at_most, percent

SMOKERS, RISKS = 0.3, (0.02, 0.2)  # share of smokers; share of ill people among others and smokers
IN, OUT, CLEAN = "smokes, is in the study", "smokes, is not in it", "does not smoke"
PEOPLE = (IN, OUT, CLEAN)
DRAWS = 20_000
BINS = np.linspace(0, 1, 201)
ENDS = (0.4, 0.7, 1)  # of both axes, whichever holds the bands and nearly all releases


@dataclass(frozen=True, eq=False)
class SmokingView:
    """Beliefs about the risk of each of `PEOPLE`: arrays of shape (3,) unless stated otherwise.

    `exact` is the risk from the exact counts, and `shifts` is how much his record moves it if he is
    ill. Nine in ten risks from private counts lie between `low` and `high`. `with_him` and
    `without`, shape (200,), are the shares of smokers' published risks in each bin.
    """

    prior: float
    exact: np.ndarray
    shifts: np.ndarray
    low: np.ndarray
    high: np.ndarray
    with_him: np.ndarray
    without: np.ndarray


def counts_of(n: int, *, with_him: bool) -> np.ndarray:
    """Return the study's counts by smoking and illness, shape (2, 2). Mr. S smokes and is ill."""
    shares = np.array([1 - SMOKERS, SMOKERS])[:, None] * [[1 - r, r] for r in RISKS]
    counts = np.round(arguments.whole("n", n, least=1) * shares)
    counts[1, 1] += with_him
    return counts


@cache
def _draw_exponentials() -> np.ndarray:
    return np.random.default_rng(2021).exponential(size=(2, DRAWS, 2))


def published_risks(counts: np.ndarray, smokes: int, epsilon: float) -> np.ndarray:
    """Draw `DRAWS` risks from counts with discrete Laplace noise of scale 2 / epsilon on each.

    All arguments use the same random numbers. Discrete Laplace noise is the difference of two
    geometric numbers, each the floor of an exponential one.
    """
    upward, downward = np.floor(_draw_exponentials() * 2 / epsilon)
    well, ill = np.maximum(counts[smokes] + upward - downward, 0.5).T
    return ill / (well + ill)


def smoking_view(*, n: int, epsilon: float) -> SmokingView:
    """Compute the beliefs, and the distributions of the release with and without his record."""
    with_record, without_record = counts_of(n, with_him=True), counts_of(n, with_him=False)
    cases = [(with_record, 1), (without_record, 1), (without_record, 0)]
    exact = np.array([risk(*case) for case in cases])
    without_smoking = risk(without_record + np.array([[0, 1], [0, 0]]), 0)
    shifts = np.array([exact[0], exact[0], without_smoking]) - exact[[1, 1, 2]]
    private = np.array([published_risks(*case, epsilon) for case in cases])
    low, high = np.quantile(private, [0.05, 0.95], axis=1)
    prior = float(SMOKERS * RISKS[1] + (1 - SMOKERS) * RISKS[0])
    distributions = [np.histogram(row, BINS)[0] / DRAWS for row in private[:2]]
    return SmokingView(prior, exact, shifts, low, high, *distributions)


class SmokingToggle(Explorer):
    """Beliefs about a person before and after a study, and the effect of the person's record."""

    def make_controls(self) -> Controls:
        return {
            "who": ipywidgets.RadioButtons(
                options=PEOPLE,
                description="Mr. S",
                layout={"width": "420px"},
                style={"description_width": "130px"},
            ),
            "n": log_slider("People in the study", 320, 100, 100_000),
            "epsilon": slider("Promised ε", 1.0, 0.1, 4.0, 0.1),
        }

    def compute(self, n: int, epsilon: float, **_: Any) -> SmokingView:
        return smoking_view(n=int(n), epsilon=epsilon)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.19, right=0.98, bottom=0.14, top=0.91, wspace=0.12)
        left_ax.set(title="Belief that Mr. S falls ill", xlabel="probability")
        left_ax.set_yticks([2, 1, 0], labels=PEOPLE)
        left_ax.set_ylim(-0.6, 2.9)
        left_ax.axvline(0.074, color=style.INK, linestyle="--", linewidth=1.2)
        left_ax.text(0.08, 2.6, "before the study", color=style.INK)
        self.spans = [
            left_ax.plot([0, 0], [row, row], linewidth=9, alpha=0.35, solid_capstyle="butt")[0]
            for row in (2, 1, 0)
        ]
        self.dots = [left_ax.plot([0], [row], "o", markersize=8)[0] for row in (2, 1, 0)]
        right_ax.set(title="Published risk of smokers, private", xlabel="risk")
        right_ax.set_yticks([])
        right_ax.set_ylabel("how often")
        self.both_axes = (left_ax, right_ax)
        for axes in self.both_axes:
            axes.xaxis.set_major_locator(MaxNLocator(4))
        zero = np.zeros(len(BINS) - 1)
        self.distributions = [
            right_ax.stairs(zero, BINS, color=colour, label=label, linewidth=1.6, linestyle=line)
            for colour, line, label in (
                (style.BLUE, "-", "with his record"),
                (style.RED, (0, (3, 1)), "without it"),
            )
        ]
        right_ax.set_ylim(0, 1.1)
        right_ax.legend(loc="upper right")
        return [*self.spans, *self.dots, *self.distributions]

    def move(self, view: SmokingView) -> None:
        for i, (span, dot) in enumerate(zip(self.spans, self.dots, strict=True)):
            is_chosen = self.value("who") == PEOPLE[i]
            colour = style.BLUE if is_chosen else style.GREY
            span.set_data([view.low[i], view.high[i]], [2 - i, 2 - i])
            dot.set_data([view.exact[i]], [2 - i])
            span.set_color(colour)
            dot.set_color(colour)
        for axes in self.both_axes:
            axes.set_xlim(0, _end_of_axis(view))
        top = max(view.with_him.max(), view.without.max())
        for stairs, shares in zip(self.distributions, (view.with_him, view.without), strict=True):
            stairs.set_data(shares / top)

    def describe(self, view: SmokingView) -> str:
        i = PEOPLE.index(self.value("who"))
        points = f"{100 * view.shifts[i]:.1g}"
        return (
            f"The belief that Mr. S falls ill goes from {percent(view.prior)} to "
            f"{percent(float(view.exact[i]))}; his record {'moves' if i == 0 else 'would move'} it "
            f"by {points} {'point' if points == '1' else 'points'}. A 50% guess about the record "
            f"becomes {at_most(self.value('epsilon'))}."
        )


def _end_of_axis(view: SmokingView) -> float:
    """Return the least of `ENDS` beyond all bands and all but a thousandth of the releases."""
    releases = np.minimum(np.cumsum(view.with_him), np.cumsum(view.without))
    largest = max(view.high.max(), BINS[1 + np.searchsorted(releases, 0.999)])
    return next(end for end in ENDS if end >= largest or end == ENDS[-1])
