"""The class report as tables (CSV) that spreadsheets open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from autograder.classroom.grading.results import Result
from autograder.classroom.sets.assignment import Assignment
from autograder.pages.items import Item
from autograder.pages.similarity import Pair
from autograder.pages.spreadsheets import as_csv


def points_csv(
    assignment: Assignment,
    results: Sequence[Result],
    penalties: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """Return a line for each student: points, maximum, each cell, seconds, remarks and penalty.

    The late penalty is not yet subtracted from the points.
    """
    names = [cell.name for cell in assignment.scored]
    rows: list[list] = [["student", "points", "max_points", *names]]
    rows[0] += ["seconds", "student_seconds", "needs_teacher", "could_be_forged"]
    rows[0] += ["late_penalty", "notes"]
    for result in results:
        by_name = {cell.name: cell.points for cell in result.cells}
        row = [result.student, round(result.points, 4), result.max_points]
        row += ["" if by_name.get(name) is None else by_name[name] for name in names]
        row += [round(result.seconds, 3), round(result.student_seconds, 3)]
        notes = "; ".join(note.text for note in result.notes)
        row += ["yes" if result.needs_teacher else "no", result.forgeable]
        row.append(round(penalties.get(result.student, 0.0), 4))
        rows.append([*row, notes])
    return as_csv(rows)


def checks_csv(items: Iterable[Item]) -> str:
    """Return a line for each check, with its failure rate and item-rest correlation."""
    rows: list[list] = [
        ["check", "exercise", "max_points", "scored", "lost_points", "failure_rate", "mean"]
    ]
    rows[0] += ["discrimination", "remark"]
    for item in items:
        discrimination = "" if item.discrimination is None else round(item.discrimination, 4)
        row = [item.name, item.exercise, item.max_points, item.scored, item.lost]
        rows.append(
            [*row, round(item.failure_rate, 4), round(item.mean, 4), discrimination, item.remark]
        )
    return as_csv(rows)


def alike_csv(pairs_by_exercise: Mapping[str, Sequence[Pair]]) -> str:
    """Return a line for each pair of near-duplicates, by exercise."""
    rows: list[list] = [["exercise", "first", "second", "likeness", "evidence"]]
    for exercise, pairs in pairs_by_exercise.items():
        for pair in pairs:
            numbers = round(pair.likeness, 3), round(pair.evidence, 1)
            rows.append([exercise, pair.first, pair.second, *numbers])
    return as_csv(rows)
