"""Explorer: one count, asked again and again, until the budget refuses.

On the left is the ledger: the epsilon spent after each question, and the total. On the right are
the answers and their average: the more is spent, the closer the average is to the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np

from dplab.budget import Budget
from dplab.guarantees import PureDP
from dplab.widgets import style
from dplab.widgets.explorer import Again, Artists, Controls, Explorer, slider
from dplab.widgets.words import guess, rough

MAX_QUESTIONS = 40
FIXED, SHARED = "the price below", "an equal share of the total"
SPENT_AXES = (0.6, 1.25, 2.5, 5.0, 10.0)  # ends of the left axis: the first that shows enough
ERROR_AXES = (4, 8, 12, 20, 30, 50, 80, 120, 200, 300, 800, 1200, 2000, 5000, 10_000)


@dataclass(frozen=True, eq=False)
class LedgerView:
    """Questions at `price` each, paid out of `total`.

    `errors[i]` is the noise in the answer to question i, drawn for refused questions too. The first
    `answer_count` questions are paid and answered.
    """

    total: float
    price: float
    answer_count: int
    errors: np.ndarray

    @property
    def question_count(self) -> int:
        return len(self.errors)

    @property
    def questions(self) -> np.ndarray:
        """1, 2, ..., question_count."""
        return np.arange(1, self.question_count + 1)

    @property
    def spent(self) -> float:
        return self.answer_count * self.price

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise in one answer: sqrt(2) / price."""
        return 2**0.5 / self.price

    @property
    def averages(self) -> np.ndarray:
        """The error of the average of the first i + 1 answers, shape (answer_count,)."""
        return np.cumsum(self.errors[: self.answer_count]) / self.questions[: self.answer_count]


def ledger_view(
    unit_noise: np.ndarray, *, total: float, question_count: int, pricing: str, price: float
) -> LedgerView:
    """Pay for questions out of a `Budget`. Pure: `unit_noise` is Laplace noise of scale 1."""
    price = price if pricing == FIXED else total / question_count
    budget, answer_count = Budget(PureDP(total)), 0
    while answer_count < question_count and budget.allows(PureDP(price)):
        budget.pay(PureDP(price))
        answer_count += 1
    return LedgerView(total, price, answer_count, unit_noise[:question_count] / price)


class BudgetLedger(Explorer):
    """A ledger of epsilons that refuses, and the average of the answers."""

    def __init__(self):
        self.rng = np.random.default_rng(9)
        self.unit_noise = self.rng.laplace(size=MAX_QUESTIONS)
        super().__init__()

    def make_controls(self) -> Controls:
        return {
            "total": slider("Total ε", 1.0, 0.2, 4.0, 0.1),
            "question_count": slider("Questions asked", MAX_QUESTIONS, 1, MAX_QUESTIONS, 1),
            "pricing": ipywidgets.RadioButtons(
                options=[FIXED, SHARED], description="Each costs", layout={"width": "420px"}
            ),
            "price": slider("Price of one, ε", 0.06, 0.01, 1.0, 0.01),
            "again": Again("New noise"),
        }

    def link(self, name: str) -> None:
        if name == "again":
            self.unit_noise = self.rng.laplace(size=MAX_QUESTIONS)
        self.controls["price"].disabled = self.value("pricing") == SHARED

    def compute(self, again: int, **settings: Any) -> LedgerView:
        return ledger_view(self.unit_noise, **settings)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2)
        self.figure.subplots_adjust(left=0.06, right=0.98, bottom=0.14, top=0.91, wspace=0.16)
        left_ax.set(
            title="The ledger: ε spent so far", xlabel="question", xlim=(0, MAX_QUESTIONS + 1)
        )
        right_ax.set(title="Errors of the answers", xlabel="question", xlim=(0, MAX_QUESTIONS + 1))
        for axes in (left_ax, right_ax):
            axes.set_xticks(range(0, MAX_QUESTIONS + 1, 10))
            axes.locator_params(axis="y", nbins=5)
        (self.unpaid,) = left_ax.plot(
            [], [], "o", color=style.GREY, markersize=3.5, label="if all were answered"
        )
        (self.paid,) = left_ax.plot([], [], "s", color=style.GREEN, markersize=5, label="paid")
        (self.refused,) = left_ax.plot([], [], "x", color=style.RED, markersize=5, label="refused")
        self.limit = left_ax.axhline(1, color=style.INK, linestyle="--", linewidth=1.2)
        self.note = left_ax.text(MAX_QUESTIONS, 1, "", ha="right", va="bottom", color=style.INK)
        left_ax.legend(loc="upper left", ncols=3, handletextpad=0.2, columnspacing=0.9)
        right_ax.axhline(0, color=style.INK, linewidth=0.8)
        (self.answers,) = right_ax.plot([], [], "o", color=style.BLUE, markersize=4, label="answer")
        (self.average,) = right_ax.plot([], [], color=style.RED, label="average so far")
        self.band = [
            right_ax.plot([], [], color=style.RED, linewidth=1, linestyle=":", label=label)[0]
            for label in ("± its deviation", None)
        ]
        right_ax.legend(loc="upper right", ncols=3, handletextpad=0.4, columnspacing=0.9)
        moving = [self.unpaid, self.paid, self.refused, self.limit, self.note, self.answers]
        return [*moving, self.average, *self.band]

    def move(self, view: LedgerView) -> None:
        questions, paid = view.questions, view.questions[: view.answer_count]
        top = next(end for end in SPENT_AXES if view.total < 0.8 * end)
        self.paid.axes.set_ylim(0, top)
        without = questions[view.answer_count :] * view.price
        self.unpaid.set_data(
            questions[view.answer_count :], np.where(without < 0.88 * top, without, np.nan)
        )
        self.paid.set_data(paid, paid * view.price)
        self.refused.set_data(
            questions[view.answer_count :],
            np.full(view.question_count - view.answer_count, view.spent),
        )
        self.limit.set_ydata([view.total] * 2)
        self.note.set_y(view.total + 0.02 * top)
        self.note.set_text(f"total: 50% → {guess(view.total)}")
        errors = view.errors[: view.answer_count]
        reach = max(1.5 * view.deviation, np.abs(errors).max(initial=0))
        end = next(end for end in ERROR_AXES if reach < end)
        self.answers.axes.set_ylim(-end, 1.3 * end)
        self.answers.set_data(paid, errors)
        self.average.set_data(paid, view.averages)
        for line, sign in zip(self.band, (1, -1), strict=True):
            line.set_data(paid, sign * view.deviation / np.sqrt(paid))

    def describe(self, view: LedgerView) -> str:
        if not view.answer_count:
            return f"No question is answered: one costs more than the total of {view.total:.1f}."
        caption = f"{_who(view)} answered. An answer is typically off by {rough(view.deviation)}"
        if view.answer_count == 1:
            return f"{caption}."
        average = view.deviation / view.answer_count**0.5
        return f"{caption}, the average of all by {rough(average)}."


def _who(view: LedgerView) -> str:
    questions, answers = view.question_count, view.answer_count
    if answers == questions:
        return "The question is" if questions == 1 else f"All {questions} questions are"
    return f"{answers} of {questions} questions {'is' if answers == 1 else 'are'}"
