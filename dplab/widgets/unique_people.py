"""Explorer: how many people of a town are alone with the values that are known of them.

On the left is the town, a square for each person, red if nobody else has the same values. On the
right is one person, and how many people are left after each column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import PcolorImage
from matplotlib.patches import Patch

from dplab.attacks.linkage import group_sizes
from dplab.data import make_town
from dplab.widgets import style
from dplab.widgets.explorer import Artists, Controls, Explorer, choice, slider

if TYPE_CHECKING:
    import pandas as pd

ROWS, COLUMNS = 50, 100
PEOPLE = ROWS * COLUMNS
BIRTH_LEVELS = ("no", "decade", "year", "month", "day")
HOME_LEVELS = ("no", "quarter", "block")
YES_OR_NO = ("no", "yes")
LAST_DAYS = np.cumsum([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
GOVERNOR = 3337  # the row of a person whom everybody knows
SHADES = style.shades(style.RED, "#F2CF8D", "#BFD6E6", "#E6E6E6")
NAMES = ("alone", "2 to 5 alike", "6 to 50", "more")
AXIS_START = 0.7  # the left end of the logarithmic axis


@cache
def people(seed: int = 1997) -> pd.DataFrame:
    """Return the town, ordered by block, with coarser versions of birth and home.

    Ages are those of 1 January 2000, so somebody of age a was born in 1999 - a.
    """
    town = make_town(PEOPLE, np.random.default_rng(seed))
    town = town.sort_values("block", ignore_index=True, kind="stable")  # the same on all machines
    year = 1999 - town.age
    month = 1 + np.searchsorted(LAST_DAYS, town.birthday)
    births = {"decade": year // 10, "year": year, "month": 100 * year + month}
    return town.assign(
        **births, day=1000 * year + town.birthday, quarter=1 + (town.block - 1) // 10
    )


@dataclass(frozen=True, eq=False)
class UniqueView:
    """`sizes[i]`: how many people share person i's values in `columns`, shape (PEOPLE,).

    `remaining` counts the people who agree with `person` in each column and all columns before it.
    Its first entry counts everybody.
    """

    columns: tuple[str, ...]
    sizes: np.ndarray
    person: int
    remaining: tuple[int, ...]

    @cached_property
    def words(self) -> list[str]:
        """The person's value in each of the columns."""
        return [write_value(column, self.person) for column in self.columns]

    @property
    def alone(self) -> int:
        """The number of people who share their values with nobody."""
        return int((self.sizes == 1).sum())

    @property
    def share_alone(self) -> str:
        """The share of people who are alone, in words; rounding never gives nobody or all."""
        if self.alone in (0, PEOPLE):
            return "all are alone" if self.alone else "nobody is alone"
        share = self.alone / PEOPLE
        bound = "under 1%" if share < 0.01 else "over 99%" if share > 0.99 else f"{share:.0%}"
        return f"{bound} are alone"


def unique_view(
    *, born: str, home: str, sex: str, marital: str, education: str, person: int
) -> UniqueView:
    """Return the view with these columns known: each level is "no" or how finely."""
    levels = {"sex": sex, "marital": marital, "education": education}
    columns = tuple(level for level in (born, home) if level != "no")
    columns += tuple(name for name, level in levels.items() if level == "yes")
    is_alike, remaining = np.full(PEOPLE, True), [PEOPLE]
    for column in columns:
        values = people()[column].to_numpy()
        is_alike &= values == values[person]
        remaining.append(int(is_alike.sum()))
    return UniqueView(columns, group_sizes(people(), columns), person, tuple(remaining))


class UniquePeople(Explorer):
    """Choose what is known about people, and see who is alone."""

    size = (9.0, 4.1)

    def make_controls(self) -> Controls:
        return {
            "born": choice("Date of birth", "decade", [(level, level) for level in BIRTH_LEVELS]),
            "home": choice("Home", "quarter", [(level, level) for level in HOME_LEVELS]),
            "sex": choice("Sex", "yes", [(level, level) for level in YES_OR_NO]),
            "marital": choice("Marital status", "yes", [(level, level) for level in YES_OR_NO]),
            "education": choice(
                "Years of schooling", "yes", [(level, level) for level in YES_OR_NO]
            ),
            "person": slider("Look for person", GOVERNOR + 1, 1, PEOPLE, 1),
        }

    def compute(self, person: int, **levels: Any) -> UniqueView:
        return unique_view(person=person - 1, **levels)

    def build(self) -> Artists:
        left_ax, right_ax = self.figure.subplots(1, 2, width_ratios=(1.35, 1))
        self.figure.subplots_adjust(left=0.02, right=0.97, bottom=0.12, top=0.92, wspace=0.45)
        left_ax.set(title=f"{PEOPLE:,} people, one square each", xticks=[], yticks=[])
        left_ax.grid(False)
        left_ax.spines[:].set_visible(False)
        left_ax.set(xlim=(0, COLUMNS), ylim=(ROWS, 0))
        self.squares = PcolorImage(left_ax, A=np.zeros((ROWS, COLUMNS, 4)))  # faster than imshow's
        left_ax.add_artist(self.squares)
        (self.ring,) = left_ax.plot([0], [0], "o", color=style.INK, markersize=11, fillstyle="none")
        self.ring.set_markeredgewidth(2)
        patches = [Patch(color=c, label=name) for c, name in zip(SHADES / 255, NAMES, strict=True)]
        left_ax.legend(
            handles=patches,
            loc="upper center",
            bbox_to_anchor=(0.5, 0.01),
            ncols=4,
            handlelength=1.2,
            columnspacing=1.3,
            handletextpad=0.5,
        )
        self.share = left_ax.text(
            COLUMNS, -1.2, "", ha="right", va="bottom", color=style.RED, weight="bold"
        )
        self._build_person(right_ax)
        return [
            self.squares,
            self.ring,
            self.share,
            *self.bars[1:],
            *self.labels[1:],
            *self.counts[1:],
        ]

    def _build_person(self, axes: Axes) -> None:
        axes.set(title="People left after each column", xscale="log", xlim=(AXIS_START, 3 * PEOPLE))
        axes.set(ylim=(5.6, -0.6), yticks=[], xlabel="people")
        axes.grid(axis="y", visible=False)
        style.plain_ticks(axes.xaxis, [1, 10, 100, 1000])
        self.bars = [
            axes.barh([height], [1], height=0.62, left=AXIS_START, color=style.BLUE)[0]
            for height in range(6)
        ]
        self.labels = [
            axes.text(AXIS_START * 0.85, y, "", ha="right", va="center") for y in range(6)
        ]
        self.counts = [axes.text(1, y, "", va="center", color=style.INK) for y in range(6)]
        self._show_remaining(0, "everybody", PEOPLE)  # once and for all

    def _show_remaining(self, height: int, label: str, count: float) -> None:
        self.bars[height].set_width(count - AXIS_START)
        self.bars[height].set_color(style.RED if count == 1 else style.BLUE)
        self.labels[height].set_text(label)
        self.counts[height].set_text(f"{count:,}" if label else "")
        self.counts[height].set_x(count * 1.2)

    def move(self, view: UniqueView) -> None:
        shades = np.digitize(view.sizes, [2, 6, 51])
        self.squares.set_data(None, None, SHADES[shades].reshape(ROWS, COLUMNS, 4))
        row, column = divmod(view.person, COLUMNS)
        self.ring.set_data([column + 0.5], [row + 0.5])
        self.share.set_text(view.share_alone)
        for height, words, count in zip_longest(range(1, 6), view.words, view.remaining[1:]):
            self._show_remaining(height, words or "", count or AXIS_START)

    def describe(self, view: UniqueView) -> str:
        others, name = view.remaining[-1] - 1, people().name[view.person]
        company = {0: "nobody else", 1: "one other person"}.get(others, f"{others:,} other people")
        return (
            f"{view.alone:,} of {PEOPLE:,} people {'is' if view.alone == 1 else 'are'} alone with "
            f"the columns known. {name} shares all known values with {company}."
        )


def write_value(column: str, person: int) -> str:
    """Write the person's value in a column, in words."""
    row = people().loc[person]
    month = MONTHS.split()[row.month % 100 - 1]
    day = row.birthday - np.append(0, LAST_DAYS)[row.month % 100 - 1]
    return {
        "decade": f"born in the {row.year // 10 * 10}s",
        "year": f"born in {row.year}",
        "month": f"born {month} {row.year}",
        "day": f"born {day} {month} {row.year}",
        "quarter": f"quarter {row.quarter}",
        "block": f"block {row.block}",
        "sex": {"F": "woman", "M": "man"}[row.sex],
        "marital": row.marital,
        "education": f"{row.education} school years",
    }[column]
