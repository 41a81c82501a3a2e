"""Explorer: a class answers an embarrassing question, each student behind a coin.

On the left are the truth and the answers. On the right are two distributions over all tosses of the
coins: of the share of YES, and of the estimate made from it. Moving a slider keeps the coins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Polygon

from dplab.estimates import Estimate
from dplab.mechanisms.randomized_response import CoinSurvey
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, slider
from dplab.widgets.words import at_most

LARGEST_CLASS = 120
PER_ROW = 20  # students
TOSS_AGAIN, SAY_YES = "toss again and say what it shows", "say YES"
SHAPES = [
    shape.get_path().transformed(shape.get_transform())
    for shape in (MarkerStyle("o"), MarkerStyle("s"))  # innocent, cheated
]
CEILINGS = (5, 12, 30, 1.1 * LARGEST_CLASS)  # tops of the axis; the first that shows both is used


@dataclass(frozen=True, eq=False)
class Coins:
    """Random numbers of a class, uniform on [0, 1]: order of guilt, first toss, second toss."""

    guilt: np.ndarray
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def toss(cls, rng: np.random.Generator) -> Coins:
        return cls(*rng.random((3, LARGEST_CLASS)))


@dataclass(frozen=True, eq=False)
class ClassView:
    """One survey of a class, and the distribution of all surveys over tosses of the coins.

    `truths` and `answers` are 0/1 of shape (n,). `count_law[c]` is the probability of c answers
    YES; the share of YES is c/n, and `estimates[c]` the estimate made from it.
    """

    survey: CoinSurvey
    truths: np.ndarray
    answers: np.ndarray
    estimate: Estimate
    count_law: np.ndarray
    estimates: np.ndarray

    @property
    def share(self) -> float:
        """The true share."""
        return float(self.truths.mean())

    @property
    def raw(self) -> float:
        """The share of YES among the answers."""
        return float(self.answers.mean())

    def bias_and_deviation(self, values: np.ndarray) -> tuple[float, float]:
        """Return the bias and standard deviation, over the coins, of an estimate of the share."""
        mean = float(self.count_law @ values)
        return mean - self.share, float(self.count_law @ (values - mean) ** 2) ** 0.5

    @property
    def raw_values(self) -> np.ndarray:
        """The share of YES for each count."""
        return np.linspace(0, 1, len(self.count_law))

    def heights(self, values: np.ndarray) -> np.ndarray:
        """Return the density over `values`, so that its area is 1."""
        return self.count_law / (values[1] - values[0])


def class_view(coins: Coins, *, n: int, share: float, theta: float, yes: float) -> ClassView:
    """Survey n students, about a `share` of them guilty. The same coins give the same class.

    After heads, of probability theta, a student tells the truth. After tails the answer is YES with
    probability `yes`.
    """
    survey = CoinSurvey(theta, yes)
    guilty = np.argsort(coins.guilt[:n])[: round(share * n)]
    truths: np.ndarray = np.zeros(n, dtype=int)
    truths[guilty] = 1
    forced = (coins.second[:n] < yes).astype(int)
    answers = np.where(coins.first[:n] < theta, truths, forced)
    p_yes = [float(distribution.probabilities[1]) for distribution in survey.answer_laws]
    distribution = np.convolve(
        binomial_law(len(guilty), p_yes[1]), binomial_law(n - len(guilty), p_yes[0])
    )
    estimates = (np.linspace(0, 1, n + 1) - (1 - theta) * yes) / theta
    return ClassView(survey, truths, answers, survey.share(answers), distribution, estimates)


def binomial_law(n: int, p: float) -> np.ndarray:
    """Return P[k successes in n tries] for k = 0, ..., n, shape (n + 1,)."""
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(n + 1)
    log_choose = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.exp(log_choose + xlogy(k, p) + xlog1py(n - k, -p))


class ClassSurvey(Explorer):
    """Randomized response in a class: see answers flip, and bias and spread of the estimate.

    It opens with the rule that has no epsilon. Moving the slider of epsilon chooses the other rule.
    """

    size = (9.0, 4.0)

    def __init__(self):
        self.rng = np.random.default_rng(1965)
        self.coins = Coins.toss(self.rng)
        self.theta = 0.5  # exact; the two linked sliders show it rounded
        super().__init__()

    def make_controls(self) -> Controls:
        return {
            "design": ipywidgets.RadioButtons(
                options=[SAY_YES, TOSS_AGAIN], description="On tails:", layout={"width": "420px"}
            ),
            "again": Again("New class, new coins"),
            "n": slider("Students n", 100, 20, LARGEST_CLASS, 20),
            "share": slider("Share who cheated", 0.3, 0.0, 1.0, 0.05),
            "theta": slider("Heads θ", 0.5, 0.05, 0.95, 0.01),
            "epsilon": slider("Privacy loss ε", 1.1, 0.1, 3.66, 0.01),
        }

    def link(self, name: str) -> None:
        if name == "again":
            self.coins = Coins.toss(self.rng)
        elif name == "epsilon":
            self.controls["design"].value = TOSS_AGAIN
            self.theta = theta_of(self.value("epsilon"))
            self.controls["theta"].value = round(self.theta, 2)
        elif name == "theta":
            self.theta = self.value("theta")
            self.controls["epsilon"].value = round(epsilon_of(self.theta), 2)

    def compute(self, design: str, n: int, share: float, **_: Any) -> ClassView:
        yes = 1.0 if design == SAY_YES else 0.5
        return class_view(self.coins, n=n, share=share, theta=self.theta, yes=yes)

    def build(self) -> Artists:
        grid = self.figure.add_gridspec(
            2, 2, width_ratios=(1, 1.25), left=0.02, right=0.98, bottom=0.24, top=0.92, hspace=0.28
        )
        self.dots = [
            self._add_classroom(self.figure.add_subplot(grid[row, 0]), title)
            for row, title in enumerate(
                (
                    "The truth, seen by nobody (squares cheated)",
                    "The answers (square: YES; ringed: not true)",
                )
            )
        ]
        axes = self.figure.add_subplot(grid[:, 1], xlim=(-0.3, 1.3))
        axes.set(title="What all possible tosses would have shown", xlabel="share of the class")
        axes.set(ylabel="probability, as an area")
        axes.locator_params(axis="y", nbins=5)
        self.hills = axes
        self.curves = [
            Polygon([[0, 0]], facecolor=colour, alpha=0.55, label=label, hatch=h, edgecolor="white")
            for label, colour, h in (
                ("share of YES", style.GREY, "///"),
                ("estimate made from it", style.GREEN, None),
            )
        ]
        for curve in self.curves:
            axes.add_patch(curve)
        self.truth = axes.axvline(0, color=style.INK, label="truth")
        (self.today,) = axes.plot(
            *([0], [0.03], "v"),
            color=style.RED,
            markersize=10,
            label="estimate of this class",
            transform=axes.get_xaxis_transform(),
        )
        self.figure.legend(loc="lower right", ncols=4, columnspacing=1.6)
        return [*self.dots, *self.curves, self.truth, self.today]

    def _add_classroom(self, axes: Axes, title: str) -> PathCollection:
        axes.set(
            title=title, xlim=(-0.7, PER_ROW - 0.3), ylim=(LARGEST_CLASS / PER_ROW - 0.2, -0.8)
        )
        axes.axis("off")
        return axes.scatter([], [], s=64)

    def move(self, view: ClassView) -> None:
        seats = np.arange(len(view.truths))
        places = np.column_stack([seats % PER_ROW, seats // PER_ROW])
        colours = np.array([style.BLUE, style.ORANGE])
        rings = np.where(view.answers != view.truths, "black", "none")
        for dots, values, edges in zip(
            self.dots, (view.truths, view.answers), ("none", rings), strict=True
        ):
            dots.set_offsets(places)
            dots.set(facecolors=colours[values], edgecolors=edges, linewidths=1.6)
            dots.set_paths([SHAPES[value] for value in values])
        peak = view.heights(view.raw_values).max()  # the hill of the estimates is wider, so lower
        self.hills.set_ylim(0, next(top for top in CEILINGS if peak < 0.98 * top))
        for curve, values in zip(self.curves, (view.raw_values, view.estimates), strict=True):
            ground = [[values[-1], 0], [values[0], 0]]
            curve.set_xy(np.vstack([np.column_stack([values, view.heights(values)]), ground]))
        self.truth.set_xdata([view.share, view.share])
        self.today.set_xdata([np.clip(view.estimate.value, -0.3, 1.3)])

    def describe(self, view: ClassView) -> str:
        _, deviation = view.bias_and_deviation(view.estimates)
        estimate = round(view.estimate.value, 2) + 0.0  # 0.0 turns a -0 into 0
        return (
            f"The estimate is {estimate:.0%}, the truth {view.share:.0%}. Over all tosses the "
            f"estimate strays by {_write_points(deviation)}. {privacy_in_words(view.survey)}"
        )


def privacy_in_words(survey: CoinSurvey) -> str:
    """Say what one answer gives away about the student who gave it."""
    epsilon = survey.privacy_loss(0, 1).largest_log_ratio
    if epsilon == np.inf:
        return "A NO proves innocence."
    return f"A 50% guess becomes {at_most(epsilon)}."


def _write_points(share: float) -> str:
    number = f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.2g}"
    return "1 point" if number == "1" else f"{number} points"


def epsilon_of(theta: float) -> float:
    """Return the epsilon of a true answer with probability theta, and otherwise a fair coin."""
    return float(np.log((1 + theta) / (1 - theta)))


def theta_of(epsilon: float) -> float:
    """Return the theta with this epsilon, the inverse of `epsilon_of`: tanh(epsilon / 2)."""
    return float(np.tanh(epsilon / 2))
