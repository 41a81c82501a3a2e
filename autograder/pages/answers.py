"""The answers of a class, exercise by exercise, as they stand in the autograded notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.classroom.assignment import Assignment, text_of
from autograder.classroom.folders import Course
from autograder.classroom.marks import Marks
from autograder.classroom.results import Result
from autograder.pages.similarity import Pair, near_duplicates

PUBLISHED = "the problem set's own solution, in source/"  # no student: no folder has such a name


def alike_in_class(
    course: Course, assignment: Assignment, graded: Sequence[Result]
) -> dict[str, list[Pair]]:
    """The near-duplicates in each exercise that is answered in code, those of the problem set's
    own solution too, which goes by the name `PUBLISHED`. Cells that are still as they were
    released aren't compared.
    """
    sources = {r.student: dict(_sources(course, r)) for r in graded}
    sources[PUBLISHED] = dict(_solutions(course.source(assignment.name)))
    released = [cell.released for cell in assignment.cells if cell.cell_type == "code"]
    alike = {}
    for exercise in assignment.exercises:
        cells = [assignment.followed[name] for name in exercise.solutions]
        names = [cell.name for cell in cells if cell.cell_type == "code"]
        answers = {
            student: "\n\n".join(own[name] for name in names if name in own)
            for student, own in sources.items()
        }
        alike[exercise.name] = near_duplicates(answers, released)
    return alike


def _sources(course: Course, result: Result) -> Iterator[tuple[str, str]]:
    """A student's answers by grade_id, without those still as released; none where the notebook
    can't be read."""
    found = _solutions(course.autograded(result.student, result.assignment))
    return ((name, text) for name, text in found if name not in result.unanswered)


def _solutions(path: Path) -> Iterator[tuple[str, str]]:
    """What stands in a notebook's solution cells; nothing where it can't be read."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return
    for cell in cells:
        marks = Marks.of(cell)
        if marks.solution:
            yield marks.grade_id, text_of(cell["source"])
