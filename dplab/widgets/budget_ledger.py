"""Explorer: one count, asked again and again, until the budget refuses.

Left, the ledger: what has been spent after each question, and the total. Right, the answers, and
what their average gives away: the more is spent, the closer it comes to the truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets
import numpy as np

from dplab.budget import Budget
from dplab.guarantees import PureDP
from dplab.widgets import style
from dplab.widgets.explorer import Again, Explorer, slider
from dplab.widgets.words import at_most, count, guess, rough

MOST = 40  # questions
FIXED, SHARED = "the price below", "an equal share of the total"
SPENT_AXES = (0.6, 1.25, 2.5, 5.0, 10.0)  # ends of the left axis: the first that shows enough
ERROR_AXES = (4, 8, 12, 20, 30, 50, 80, 120, 200, 300, 800, 1200, 2000, 5000, 10_000)


@dataclass(frozen=True, eq=False)
class LedgerView:
    """What happens to `asked` questions at `price` each, out of `total`.

    `errors[i]` is the noise of the answer to question i, drawn for refused ones too; `answered`
    says how many of them were paid.
    """

    total: float
    price: float
    answered: int
    errors: np.ndarray

    @property
    def asked(self) -> int:
        return len(self.errors)

    @property
    def questions(self) -> np.ndarray:
        """1, 2, ..., asked."""
        return np.arange(1, self.asked + 1)

    @property
    def spent(self) -> float:
        return self.answered * self.price

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise in one answer: sqrt(2) / price."""
        return 2**0.5 / self.price

    @property
    def averages(self) -> np.ndarray:
        """The error of the average of the first i + 1 answers, shape (answered,)."""
        return np.cumsum(self.errors[: self.answered]) / self.questions[: self.answered]


def ledger_view(
    unit_noise: np.ndarray, *, total: float, asked: int, pricing: str, price: float
) -> LedgerView:
    """Pay for questions out of a `Budget`. Pure: `unit_noise` is Laplace noise of scale 1."""
    price = price if pricing == FIXED else total / asked
    budget, answered = Budget(PureDP(total)), 0
    while answered < asked and budget.allows(PureDP(price)):
        budget.pay(PureDP(price))
        answered += 1
    return LedgerView(total, price, answered, unit_noise[:asked] / price)


class BudgetLedger(Explorer):
    """A ledger of epsilons that refuses, and what the answers give away together."""

    def __init__(self):
        self.rng = np.random.default_rng(9)
        self.unit_noise = self.rng.laplace(size=MOST)
        super().__init__()

    def make_controls(self):
        return {
            "total": slider("Total ε", 1.0, 0.2, 4.0, 0.1),
            "asked": slider("Questions asked", 12, 1, MOST, 1),
            "pricing": ipywidgets.RadioButtons(
                options=[FIXED, SHARED], description="Each costs", layout={"width": "420px"}
            ),
            "price": slider("Price of one, ε", 0.15, 0.05, 1.0, 0.05),
            "again": Again("New noise"),
        }

    def link(self, name):
        if name == "again":
            self.unit_noise = self.rng.laplace(size=MOST)
        self.controls["price"].disabled = self.value("pricing") == SHARED

    def view(self):
        names = ("total", "asked", "pricing", "price")
        return ledger_view(self.unit_noise, **{name: self.value(name) for name in names})

    def build(self):
        left, right = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left.set(title="The ledger: ε spent so far", xlabel="question", xlim=(0, MOST + 1))
        right.set(title="Answers, less the truth", xlabel="question", xlim=(0, MOST + 1))
        for axes in (left, right):
            axes.set_xticks(range(0, MOST + 1, 10))
            axes.locator_params(axis="y", nbins=5)
        (self.unpaid,) = left.plot(
            [], [], "o", color=style.GREY, markersize=3.5, label="had all been answered"
        )
        (self.paid,) = left.plot([], [], "s", color=style.GREEN, markersize=5, label="paid")
        (self.refused,) = left.plot([], [], "x", color=style.RED, markersize=5, label="refused")
        self.limit = left.axhline(1, color=style.INK, linestyle="--", linewidth=1.2)
        self.note = left.text(MOST, 1, "", ha="right", va="bottom", color=style.INK)
        left.legend(loc="upper left", ncols=3, handletextpad=0.2, columnspacing=0.9)
        right.axhline(0, color=style.INK, linewidth=0.8)
        (self.answers,) = right.plot([], [], "o", color=style.BLUE, markersize=4, label="answer")
        (self.average,) = right.plot([], [], color=style.RED, label="average so far")
        self.band = [
            right.plot([], [], color=style.RED, linewidth=1, linestyle=":", label=label)[0]
            for label in ("± its deviation", None)
        ]
        right.legend(loc="upper right", ncols=3, handletextpad=0.4, columnspacing=0.9)
        moving = [self.unpaid, self.paid, self.refused, self.limit, self.note, self.answers]
        return [*moving, self.average, *self.band]

    def move(self, view):
        questions, paid = view.questions, view.questions[: view.answered]
        top = next(end for end in SPENT_AXES if view.total < 0.8 * end)
        self.paid.axes.set_ylim(0, top)
        without = questions[view.answered :] * view.price
        self.unpaid.set_data(
            questions[view.answered :], np.where(without < 0.88 * top, without, np.nan)
        )
        self.paid.set_data(paid, paid * view.price)
        self.refused.set_data(
            questions[view.answered :], np.full(view.asked - view.answered, view.spent)
        )
        self.limit.set_ydata([view.total] * 2)
        self.note.set_y(view.total + 0.02 * top)
        self.note.set_text(f"total ε = {view.total:.1f}: 50% → {guess(view.total)}")
        errors = view.errors[: view.answered]
        reach = max(2.5 * view.deviation, np.abs(errors).max(initial=0))
        end = next(end for end in ERROR_AXES if reach < end)
        self.answers.axes.set_ylim(-end, 1.3 * end)
        self.answers.set_data(paid, errors)
        self.average.set_data(paid, view.averages)
        for line, sign in zip(self.band, (1, -1), strict=True):
            line.set_data(paid, sign * view.deviation / np.sqrt(paid))

    def describe(self, view):
        verdict, without = "all are answered", ""
        if view.answered < view.asked:
            verdict = f"{view.answered or 'none'} answered, {view.asked - view.answered} refused"
            without = f", and had all been answered, {at_most(view.asked * view.price)}"
        average = "and none is given"
        if view.answered:
            deviation = view.deviation / view.answered**0.5
            average = f"the average of those given by {rough(deviation)}"
        return (
            f"{count(view.asked, 'questions')} at ε = {view.price:.2g} each, out of "
            f"{view.total:.1f}: {verdict}. One answer is typically off by {rough(view.deviation)}, "
            f"{average}. {view.spent:.2f} is spent: a 50% guess becomes "
            f"{at_most(view.spent)}{without}."
        )
