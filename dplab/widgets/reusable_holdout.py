"""Explorer: an analyst who adapts asks an ordinary holdout, or a reusable one.

On the left is what the holdout says about each of 1,000 variables. On the right is how often her
best k are right: on the training set, by the holdout that chose them, and on fresh records.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from dplab.budget import Budget
from dplab.guarantees import PureDP
from dplab.interaction import Curator
from dplab.learning.adaptive_analyst import Findings, adaptive_analysis, make_records
from dplab.learning.holdout import Holdout, OrdinaryHoldout, Query, Thresholdout, agrees, share
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, choice
from dplab.widgets.words import at_most

VARIABLES = 1000
KS = (1, 2, 5, 10, 20, 50, 100)
RECORDS = (500, 1000, 2000, 4000)
FRESH_RECORDS = 4000
TELLING, AGREEMENT = 10, 0.56
OVERFITS = 40  # holdout answers that the budget pays for
THRESHOLD, SIGMA = 4.0, 0.2  # both in units of 1 / sqrt(n)
ORDINARY, REUSABLE = WHO = ("ordinary holdout", "reusable holdout")


class RecordedHoldout:
    """A holdout that records its answers, in the order of the questions."""

    def __init__(self, holdout: Holdout):
        self.holdout = holdout
        self.answers: list[float] = []

    def ask(self, query: Query) -> float:
        self.answers.append(self.holdout.ask(query))
        return self.answers[-1]


@dataclass(frozen=True, eq=False)
class HoldoutView:
    """One analysis: the answers about each variable, the variables chosen, their accuracy.

    `training` and `answers` are shares of agreement, shape (1000,); a refused answer is NaN. The
    budget paid `overfits` times. `epsilon` is its total, None without noise.
    """

    who: str
    n: int
    k: int
    training: np.ndarray
    answers: np.ndarray
    findings: Findings
    overfits: int
    epsilon: float | None

    @property
    def is_voting(self) -> np.ndarray:
        """True for each variable among the k that vote, shape (1000,)."""
        return np.isin(np.arange(VARIABLES), self.findings.vote.best(self.k).variables)

    @property
    def here(self) -> tuple[float, float, float]:
        """The accuracy of k variables: on the training set, as reported, on fresh records."""
        i, findings = KS.index(self.k), self.findings
        return float(findings.training[i]), float(findings.reported[i]), float(findings.fresh[i])


@lru_cache(maxsize=4)
def records(n: int, telling: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw the training set, the holdout and fresh records."""
    rng = np.random.default_rng([seed, n, telling])
    training, holdout, fresh = (
        make_records(size, VARIABLES, rng, telling=telling, agreement=AGREEMENT)
        for size in (n, n, FRESH_RECORDS)
    )
    return training, holdout, fresh


@lru_cache(maxsize=32)
def analysis(who: str, n: int, telling: int, seed: int) -> HoldoutView:
    """Run the analysis, with the largest k."""
    training, holdout, fresh = records(n, telling, seed)
    sigma = SIGMA / n**0.5
    budget = Budget(PureDP(2 * OVERFITS / (n * sigma)))
    curator = Curator(holdout, budget, np.random.default_rng([seed, 1]))
    reusable = Thresholdout(training, curator, n=n, threshold=THRESHOLD / n**0.5, sigma=sigma)
    recorder = RecordedHoldout(OrdinaryHoldout(holdout) if who == ORDINARY else reusable)
    findings = adaptive_analysis(training, recorder, fresh, KS)
    training_shares = np.array([share(agrees(j), training) for j in range(VARIABLES)])
    answers = np.full(VARIABLES, np.nan)
    answers[: len(recorder.answers)] = recorder.answers[:VARIABLES]
    overfits = len(curator.transcript) // 2
    epsilon = None if who == ORDINARY else budget.total.epsilon
    return HoldoutView(who, n, KS[-1], training_shares, answers, findings, overfits, epsilon)


class ReusableHoldout(Explorer):
    """A thousand ideas, and whether one holdout can check them."""

    size = (9.0, 4.0)
    seed = 20

    def make_controls(self) -> Controls:
        curator = ipywidgets.RadioButtons(
            description="Who answers", options=list(WHO), value=ORDINARY
        )
        curator.layout.width = "auto"
        telling = [("none", 0), (str(TELLING), TELLING)]
        return {
            "k": choice("Variables that vote", 50, [(str(k), k) for k in KS]),
            "n": choice("Records n", 1000, [(f"{n:,}", n) for n in RECORDS]),
            "telling": choice("Telling variables", 0, telling),
            "who": curator,
            "again": Again("New records"),
        }

    def compute(self, k: int, n: int, telling: int, who: str, again: int) -> HoldoutView:
        return replace(analysis(who, n, telling, self.seed + again), k=k)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1, 1.35))
        self.figure.subplots_adjust(left=0.08, right=0.98, bottom=0.26, top=0.91, wspace=0.25)
        left_ax.set(title="Agreement with the label", xlabel="on the training set")
        left_ax.set_ylabel("what the holdout says")
        for axis in (left_ax.xaxis, left_ax.yaxis):
            axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        left_ax.axhline(0.5, color=style.GREY, linewidth=0.8)
        left_ax.axvline(0.5, color=style.GREY, linewidth=0.8)
        (self.dots,) = left_ax.plot([], [], ".", color=style.GREY, markersize=3)
        (self.chosen,) = left_ax.plot([], [], "x", color=style.ORANGE, markersize=4)
        self.dots.set_label("a variable")
        self.chosen.set_label("one that votes")
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17), "columnspacing": 1}
        left_ax.legend(ncols=2, handletextpad=0.2, **place)
        right_ax.set(title="The vote of the best k is right on", xlabel="variables that vote, k")
        right_ax.set_ylabel("share of records")
        right_ax.set(xscale="log", xlim=(0.9, 112))
        style.plain_ticks(right_ax.xaxis, list(KS))
        right_ax.axhline(0.5, color=style.GREY, linewidth=0.8)
        colours = {
            "the training set": style.GREY,
            "the holdout, as reported": style.RED,
            "fresh records": style.BLUE,
        }
        self.lines = [
            right_ax.plot([1], [0.5], f"{marker}-", color=colour, label=label)[0]
            for marker, (label, colour) in zip("os^", colours.items(), strict=True)
        ]
        self.rule = right_ax.axvline(1, color=style.INK, linewidth=1)
        right_ax.legend(ncols=2, **place)
        self.left_ax, self.right_ax = left_ax, right_ax
        return [self.dots, self.chosen, self.rule, *self.lines]

    def move(self, view: HoldoutView) -> None:
        self.dots.set_data(view.training, view.answers)
        self.chosen.set_data(view.training[view.is_voting], view.answers[view.is_voting])
        farthest = float(np.nanmax(np.abs([view.training - 0.5, view.answers - 0.5])))
        half = np.ceil(100 * farthest) / 100 + 0.005
        self.left_ax.set(xlim=(0.5 - half, 0.5 + half), ylim=(0.5 - half, 0.5 + half))
        rows = (view.findings.training, view.findings.reported, view.findings.fresh)
        ends = 20 * np.nanmin(rows) - 0.2, 20 * np.nanmax(rows) + 0.2
        self.right_ax.set_ylim(np.floor(ends[0]) / 20, np.ceil(ends[1]) / 20)
        for line, row in zip(self.lines, rows, strict=True):
            line.set_data(KS, row)
        self.rule.set_xdata([view.k] * 2)

    def describe(self, view: HoldoutView) -> str:
        training, reported, fresh = view.here
        voters = len(view.findings.vote.best(view.k).variables)
        vote = "The best variable" if voters == 1 else f"A vote of the best {voters} variables"
        report = "refuses" if np.isnan(reported) else f"says {reported:.0%}"
        price = ""
        if view.epsilon is not None:
            price = (
                f" All answers that it may pay for cost ε = {view.epsilon:.2g}: a 50% guess "
                f"becomes {at_most(view.epsilon)}."
            )
        return (
            f"{vote} is right on {training:.0%} of the training set; the {view.who} {report}; "
            f"on fresh records it is {fresh:.0%}.{price}"
        )
