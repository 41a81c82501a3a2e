"""Explorer: the scores of members and outsiders, from the published means of d attributes.

`dplab.attacks.membership` defines the score. The release is the exact means, the means of a random
half of the people, or means with normal noise that keeps (1, 10^-6)-DP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np
from scipy.special import ndtr, ndtri

from dplab.attacks.membership import Population, Rates, expected_score, rates
from dplab.guarantees import ApproxDP
from dplab.mechanisms.gaussian import analytic_sigma
from dplab.theorems.no_powerful_test import largest_power
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, log_slider
from dplab.widgets.words import percent, uncertain

EXACT, HALF, PRIVATE = "the exact means", "the means of a random half", "private means, ε = 1"
PROMISE = ApproxDP(1.0, 1e-6)
SCORED_PEOPLE = 300  # people of each kind: at most from one study, at least in total
ALPHA = 0.01  # the share of outsiders who are accused
FALSE_RATES = np.logspace(-3, 0, 61)
BINS = np.linspace(-4, 16, 81)
ENDS = (6, 10, 16)  # of the axis of scores, whichever shows the members


@dataclass(frozen=True, eq=False)
class ScoresView:
    """Scores of both kinds of people, and the results of the test with threshold for `ALPHA`.

    `power` is the theory at `FALSE_RATES`, `expected` the theory at ALPHA. `ceiling` is the power
    that a guarantee allows at `FALSE_RATES`, 1 without a guarantee.
    """

    members: np.ndarray
    outsiders: np.ndarray
    power: np.ndarray
    expected: float
    ceiling: np.ndarray

    @property
    def measured(self) -> Rates:
        """The rates of the test on these people."""
        return rates(self.members, self.outsiders, -float(ndtri(ALPHA)))

    @property
    def guess(self) -> float:
        """The probability, by theory, that a 50% guess about an accused person is right."""
        return self.expected / (self.expected + ALPHA)


def noise_for(d: int, n: int) -> float:
    """Return the sigma that keeps `PROMISE`: a person moves the d means by d^{1/2} / n."""
    return analytic_sigma(epsilon=PROMISE.epsilon, delta=PROMISE.delta, sensitivity=d**0.5 / n)


def power_at(false_rates: np.ndarray, *, d: int, n: int, released: str) -> np.ndarray:
    """Return the share of members accused, by the normal approximation."""
    z = ndtri(np.minimum(false_rates, 1 - 1e-12))
    if released == HALF:
        return (ndtr(expected_score(2 * d, n) + z) + false_rates) / 2
    return ndtr(expected_score(d, n, sigma=noise_for(d, n) if released == PRIVATE else 0.0) + z)


def scores_view(*, d: int, n: int, released: str, rng: np.random.Generator) -> ScoresView:
    """Make studies until there are `SCORED_PEOPLE` members, publish, and score."""
    population, members, outsiders = Population.fair(d), [], []
    for _ in range(-(-SCORED_PEOPLE // n)):
        study = population.sample(n, rng)
        means = study[:: 2 if released == HALF else 1].mean(axis=0)
        means = means + (rng.normal(0, noise_for(d, n), d) if released == PRIVATE else 1e-12)
        members.append(population.scores(study[:SCORED_PEOPLE], means))
        outsiders.append(population.scores(population.sample(min(n, SCORED_PEOPLE), rng), means))
    power = power_at(np.append(FALSE_RATES, ALPHA), d=d, n=n, released=released)
    private = released == PRIVATE
    ceiling = largest_power(FALSE_RATES, PROMISE) if private else np.ones(len(FALSE_RATES))
    scores = np.concatenate(members), np.concatenate(outsiders)
    return ScoresView(*scores, power[:-1], float(power[-1]), ceiling)


class MembershipScores(Explorer):
    """Histograms of scores, and the share of members found at each rate of false accusations."""

    size = (9.0, 4.2)

    def make_controls(self) -> Controls:
        return {
            "d": log_slider("Attributes d", 400, 10, 2000),
            "n": log_slider("People n", 100, 10, 500),
            "released": ipywidgets.RadioButtons(
                options=[EXACT, HALF, PRIVATE],
                description="Published",
                layout={"width": "420px"},
                style={"description_width": "130px"},
            ),
            "again": Again("Another study"),
        }

    def compute(self, d: int, n: int, released: str, again: int) -> ScoresView:
        rng = np.random.default_rng(again)
        return scores_view(d=int(d), n=int(n), released=released, rng=rng)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=[3, 2])
        self.figure.subplots_adjust(left=0.065, right=0.98, bottom=0.26, top=0.92, wspace=0.2)
        left_ax.set(title="Scores", xlabel="score", ylabel="density", ylim=(0, 0.7))
        self.scores_axes = left_ax
        right_ax.set(title="Who is accused", xlabel="share of outsiders", ylabel="share of members")
        right_ax.set(xscale="log", xlim=FALSE_RATES[[0, -1]], ylim=(0, 1.02))
        style.plain_ticks(right_ax.xaxis, [0.001, 0.01, 0.1, 1])
        self.steps = [
            left_ax.stairs(
                np.zeros(len(BINS) - 1), BINS, fill=fill, linewidth=2, color=colour, label=name
            )
            for colour, fill, name in (
                ("#CCCCCC", True, "outsiders"),
                (style.BLUE, False, "members"),
            )
        ]
        left_ax.axvline(-ndtri(ALPHA), color=style.INK, linestyle="--", linewidth=1.2)
        left_ax.text(-ndtri(ALPHA) + 0.15, 0.64, "accused →", color=style.INK)
        legend_place: dict[str, Any] = {
            "loc": "upper center",
            "bbox_to_anchor": (0.5, -0.17),
            "ncols": 2,
        }
        left_ax.legend(**legend_place)
        right_ax.plot(
            FALSE_RATES, FALSE_RATES, ":", color=style.INK, linewidth=1.2, label="blind guess"
        )
        (self.power,) = right_ax.plot(FALSE_RATES, FALSE_RATES, color=style.BLUE, label="theory")
        (self.ceiling,) = right_ax.plot(FALSE_RATES, FALSE_RATES, "--", color=style.RED)
        self.ceiling_name = right_ax.text(
            0.04, 0.9, "dashed: ceiling of ε = 1", transform=right_ax.transAxes, color=style.RED
        )
        (self.point,) = right_ax.plot([ALPHA], [0], "o", color=style.ORANGE, label="measured")
        right_ax.legend(**legend_place)
        return [*self.steps, self.power, self.ceiling, self.ceiling_name, self.point]

    def move(self, view: ScoresView) -> None:
        for steps, scores in zip(self.steps, (view.outsiders, view.members), strict=True):
            clipped_scores = np.clip(scores, BINS[0], BINS[-1])
            steps.set_data(np.histogram(clipped_scores, BINS, density=True)[0])
        largest = min(view.members.max(), BINS[-1])
        end = next(end for end in ENDS if end >= largest)
        self.scores_axes.set(xlim=(BINS[0], end), xticks=range(-4, end + 1, 2 if end < 16 else 4))
        self.power.set_ydata(view.power)
        self.ceiling.set_ydata(view.ceiling)
        for artist in (self.ceiling, self.ceiling_name):
            artist.set_visible(self.value("released") == PRIVATE)
        measured = view.measured
        self.point.set_data(
            [max(measured.false_positive, FALSE_RATES[0])], [measured.true_positive]
        )

    def describe(self, view: ScoresView) -> str:
        allowed = float(largest_power(ALPHA, PROMISE))
        limit = f"; the promise allows at most {percent(allowed)}"
        return (
            f"The test accuses {percent(view.measured.false_positive)} of these outsiders and "
            f"{percent(view.measured.true_positive)} of these members. In theory it is 1% and "
            f"{uncertain(view.expected)}{limit if self.value('released') == PRIVATE else ''}."
        )
