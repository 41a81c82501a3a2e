"""Explorer: two questions that differ by one person, and what the answers say about that person.

The upper plots show the people in each question. The lower plot shows the values that the person
may have, given both answers and how they were rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from dplab.attacks.differencing import difference
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, slider
from dplab.widgets.unique_people import GOVERNOR, people

MIN_OTHERS, MAX_OTHERS = 10, 200  # people in the smaller group
STRIPE_SHAPE = (6, 40)  # rows and columns of squares
COUNT, SUM, MEAN = "how many are ill", "the sum of incomes", "the mean income"
UNITS = {COUNT: (0, 2, 5, 10), SUM: (0, 1000, 10_000, 50_000), MEAN: (0, 10, 100, 1000)}
ROUNDING_LEVELS = ("not at all", "finely", "roughly", "coarsely")
CEILING = {COUNT: 1, SUM: 250_000, MEAN: 250_000}  # public bounds of a person's value
SHADES = style.shades("#E8E8E8", style.BLUE, style.ORANGE)


@dataclass(frozen=True, eq=False)
class PairOfAnswers:
    """Answers about `size` people and about all of them but one, rounded to multiples of `unit`.

    Both answers together imply that the person's value lies between `low` and `high`; in truth it
    is `truth`.
    """

    name: str
    question: str
    size: int
    unit: float
    answers: tuple[float, float]
    low: float
    high: float
    truth: float

    @property
    def certain(self) -> bool:
        """True if the two answers leave only one value."""
        return self.high - self.low < 1e-3


def pair_of_answers(*, question: str, rounded: str, size: int, person: int) -> PairOfAnswers:
    """Ask about `person` and `size` fixed others, then about these others alone."""
    column = people()["ill" if question == COUNT else "income"].to_numpy(dtype=float)
    everybody_else: np.ndarray = np.delete(np.arange(len(column)), person)
    others = everybody_else[7 :: len(column) // (MAX_OTHERS + 1)][:size]
    unit = UNITS[question][ROUNDING_LEVELS.index(rounded)]
    statistic = np.mean if question == MEAN else np.sum
    everybody: np.ndarray = np.append(others, person)
    exact = [float(statistic(column[group])) for group in (everybody, others)]
    first, second = (float(to_multiple(answer, unit)) for answer in exact)
    find_range = possible_bits if question == COUNT else possible_incomes
    low, high = find_range(first, second, unit, size + 1 if question == MEAN else None)
    name, truth = people().name[person], column[person]
    return PairOfAnswers(name, question, size + 1, unit, (first, second), low, high, truth)


def to_multiple(number: float | np.ndarray, unit: float) -> Any:
    """Round to the nearest multiple of `unit`, halves upwards; unit 0 changes nothing."""
    return np.floor(number / unit + 0.5) * unit if unit else number


def possible_bits(
    first: float, second: float, unit: float, size: int | None = None
) -> tuple[float, float]:
    """Return the least and the largest bit that fit both answers, whatever the others' count."""
    counts = second + np.arange(-unit, unit + 1)
    counts = counts[(counts >= 0) & (to_multiple(counts, unit) == second)]
    bits = [bit for bit in (0.0, 1.0) if (to_multiple(counts + bit, unit) == first).any()]
    return bits[0], bits[-1]


def possible_incomes(
    first: float, second: float, unit: float, size: int | None = None
) -> tuple[float, float]:
    """Return the least and the largest income that fit answers rounded by up to unit / 2."""
    kind, sizes = ("mean", (size, size - 1)) if size else ("sum", None)
    ends = [difference(kind, first - s, second + s, sizes) for s in (unit / 2, -unit / 2)]
    return max(ends[0], 0.0), min(ends[1], float(CEILING[SUM]))


class DifferencingPair(Explorer):
    """Two answers about many people, and the secret of one person that they reveal."""

    size = (9.0, 4.0)

    def make_controls(self) -> Controls:
        return {
            "question": ipywidgets.RadioButtons(
                options=[COUNT, SUM, MEAN], description="Ask for", layout={"width": "420px"}
            ),
            "rounded": choice("Answers rounded", "roughly", [(s, s) for s in ROUNDING_LEVELS]),
            "size": slider("Other people", 60, MIN_OTHERS, MAX_OTHERS, 1),
            "person": slider("Person", GOVERNOR + 1, 1, len(people()), 1),
        }

    def compute(self, person: int, **settings: Any) -> PairOfAnswers:
        return pair_of_answers(person=person - 1, **settings)

    def build(self) -> Artists:
        grid = self.figure.add_gridspec(2, 2, height_ratios=(1, 0.6))
        self.figure.subplots_adjust(
            left=0.03, right=0.97, bottom=0.11, top=0.91, wspace=0.08, hspace=0.5
        )
        stripes = [self.figure.add_subplot(grid[0, i]) for i in range(2)]
        gaps = []
        for axes, title in zip(stripes, ("With the person", "Without the person"), strict=True):
            axes.set(title=title, xticks=[], yticks=[])
            axes.grid(False)
            axes.spines[:].set_visible(False)
            rows, columns = STRIPE_SHAPE
            line_style: dict[str, Any] = {"color": "white", "linewidth": 1}
            gaps += [
                axes.vlines(np.arange(columns + 1) - 0.5, -0.5, rows - 0.5, **line_style),
                axes.hlines(np.arange(rows + 1) - 0.5, -0.5, columns - 0.5, **line_style),
            ]
        self.groups = [axes.imshow(np.zeros((*STRIPE_SHAPE, 3)), aspect="auto") for axes in stripes]
        self.notes = [
            axes.text(STRIPE_SHAPE[1] - 0.5, -0.8, "", ha="right", color=style.INK, weight="bold")
            for axes in stripes
        ]
        self._build_secret_axes(self.figure.add_subplot(grid[1, :]))
        lines = (self.range_before, self.range_after, self.truth)
        return [*self.groups, *gaps, *self.notes, *lines, self.verdict]

    def _build_secret_axes(self, axes: Axes) -> None:
        axes.set(title="What the person may have, given both answers", yticks=[], ylim=(-1, 1.5))
        axes.grid(axis="y", visible=False)
        self.secret_axes = axes
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.xaxis.set_major_formatter(lambda x, _: self._write_tick(x))
        (self.range_before,) = axes.plot([0, 1], [0, 0], color="#DDDDDD", linewidth=16)
        (self.range_after,) = axes.plot([0, 1], [0, 0], color=style.ORANGE, linewidth=16)
        for line in (self.range_before, self.range_after):
            line.set_solid_capstyle("butt")
        (self.truth,) = axes.plot([0], [0], "o", color=style.INK, markersize=8)
        self.verdict = axes.text(0, 0.85, "", weight="bold")

    def _write_tick(self, x: float) -> str:
        """Write the label of the axis at x: a bit in words, an income as a number."""
        if self.secret_axes.get_xlim()[1] >= 2:
            return f"{x:,.0f}"
        return "not ill" if x == 0 else "ill" if x == 1 else ""

    def move(self, view: PairOfAnswers) -> None:
        squares: np.ndarray = np.zeros(STRIPE_SHAPE[0] * STRIPE_SHAPE[1], dtype=int)
        squares[: view.size - 1] = 1
        for last, group, note, answer in zip(
            (2, 0), self.groups, self.notes, view.answers, strict=True
        ):
            squares[view.size - 1] = last
            group.set_data(SHADES[squares].reshape(*STRIPE_SHAPE, 4))
            note.set_text(f"answer: {write_answer(answer)}")
        end = CEILING[view.question]
        self.secret_axes.set_xlim(-0.03 * end, 1.03 * end)
        self.range_before.set_xdata([0, end])
        padding = max(0.0, 0.006 * end - (view.high - view.low)) / 2
        self.range_after.set_xdata([view.low - padding, view.high + padding])
        self.truth.set_xdata([view.truth])
        verdict = "known for certain" if view.certain else "not certain yet"
        self.verdict.set_text(f"{view.name}: {verdict}")
        self.verdict.set_color(style.RED if view.certain else style.GREEN)

    def describe(self, view: PairOfAnswers) -> str:
        first, second = (write_answer(answer) for answer in view.answers)
        if view.question == COUNT:
            conclusion = f"So {view.name} is {'' if view.truth else 'not '}ill."
            if not view.certain:
                conclusion = f"{view.name} may be ill or not."
        elif view.certain:
            conclusion = f"So the income of {view.name} is {view.truth:,.0f}."
        else:
            conclusion = (
                f"The income of {view.name} is between {view.low:,.0f} and {view.high:,.0f}."
            )
        return (
            f"The answer about all {view.size} people is {first}, and without {view.name} it is "
            f"{second}. {conclusion}"
        )


def write_answer(answer: float) -> str:
    """Write an answer as a person would: a mean that isn't rounded has cents."""
    return f"{answer:,.0f}" if answer == round(answer) else f"{answer:,.2f}"
