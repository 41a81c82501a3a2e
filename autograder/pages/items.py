"""Item analysis: how often each check is failed, and whether it tells strong from weak students."""

from __future__ import annotations

import math
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.classroom.grading.results import Result
from autograder.classroom.sets.assignment import Assignment, SourceCell
from autograder.pages.texts import describe_test

MAX_MESSAGES = 3  # messages listed for one check


@dataclass(frozen=True)
class Item:
    """The results of a class in one graded cell.

    `discrimination` is the item-rest correlation: Pearson's, between the points for this cell and
    the points for all other cells, over the students. It is None if either is the same for
    everybody.
    """

    name: str
    about: str
    exercise: str
    max_points: float
    scored: int  # submissions with points for it; all others wait for a human
    lost: int  # scored submissions that lost points here
    mean: float
    discrimination: float | None
    messages: tuple[tuple[str, int], ...]  # the reasons for lost points, the most frequent first
    withheld: tuple[
        tuple[str, int], ...
    ] = ()  # messages of the hidden part, which no student reads

    @property
    def failure_rate(self) -> float:
        return self.lost / self.scored if self.scored else 0.0

    @property
    def remark(self) -> str:
        """A remark for the teacher on the check itself, or an empty text."""
        if self.scored > 1 and self.lost in (0, self.scored):
            return "everybody fails" if self.lost else "nobody fails"
        return "negative" if (self.discrimination or 0.0) < 0 else ""


def analyse(assignment: Assignment, results: Sequence[Result]) -> list[Item]:
    """Return an item for each check, in the order of the problem set."""
    attempted_results = attempts(results)
    return [
        _item(origin, assignment.exercise_of[origin.name].name, attempted_results)
        for origin in assignment.scored
    ]


def attempts(results: Sequence[Result]) -> list[Result]:
    """Leave out unreadable and untouched results, which say nothing about the checks."""
    return [result for result in results if not result.untouched and not result.unreadable]


def chance(students: int) -> float:
    """Return the standard error of the correlation for a check that is unrelated to the others."""
    return 1 / math.sqrt(max(students - 1, 1))


def _item(origin: SourceCell, exercise: str, results: Sequence[Result]) -> Item:
    pairs = [(cell, r.points) for r in results for cell in r.cells if cell.name == origin.name]
    scored_pairs = [(cell.points, total) for cell, total in pairs if cell.points is not None]
    points = [cell_points for cell_points, _ in scored_pairs]
    lost_cells = [cell for cell, _ in pairs if cell.points is not None and not cell.full]
    return Item(
        name=origin.name,
        about=describe_test(origin),
        exercise=exercise,
        max_points=origin.points,
        scored=len(scored_pairs),
        lost=len(lost_cells),
        mean=statistics.fmean(points) if points else 0.0,
        discrimination=correlation(
            points, [total - cell_points for cell_points, total in scored_pairs]
        ),
        messages=tuple(_most_frequent(cell.message for cell in lost_cells)),
        withheld=tuple(_most_frequent(c.detail for c in lost_cells if c.detail != c.message)),
    )


def correlation(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Pearson's correlation, or None if one of the two doesn't vary."""
    if len(x) < 2 or np.ptp(x) < 1e-9 or np.ptp(y) < 1e-9:
        return None
    return float(np.corrcoef(x, y)[0, 1])


_NUMBER = re.compile(r"-?\d[\d.,]*(?:e[+-]?\d+)?")


def _most_frequent(messages: Iterable[str]) -> list[tuple[str, int]]:
    """Count messages that differ only in numbers as one; return the first example of each."""
    examples = defaultdict(list)
    for message in filter(None, messages):
        examples[_NUMBER.sub("#", message)].append(message)
    groups = sorted(examples.values(), key=len, reverse=True)[:MAX_MESSAGES]
    return [(group[0], len(group)) for group in groups]
