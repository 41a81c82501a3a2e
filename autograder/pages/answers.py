"""The answers of a class, exercise by exercise, as they stand in the autograded notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.classroom import groups
from autograder.classroom.assignment import Assignment, qualified, text_of
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
    released aren't compared, and of a group that handed in together the first stands for all.
    """
    together = groups.find(course, assignment.name)
    compared = set(groups.one_of_each([r.student for r in graded], together))
    sources = {r.student: dict(_sources(course, r)) for r in graded if r.student in compared}
    sources[PUBLISHED] = dict(_published(course, assignment))
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
    names = result.notebooks or (result.assignment,)
    for name in names:
        path = course.autograded(result.student, result.assignment, name)
        for cell, text in _solutions(path, name if len(names) > 1 else ""):
            if cell not in result.unanswered:
                yield cell, text


def _published(course: Course, assignment: Assignment) -> Iterator[tuple[str, str]]:
    for name in assignment.notebooks:
        path = course.source(assignment.name, name)
        yield from _solutions(path, name if assignment.several else "")


def _solutions(path: Path, notebook: str) -> Iterator[tuple[str, str]]:
    """What stands in a notebook's solution cells; nothing where it can't be read. Of a set with
    several a cell's name begins with its `notebook`."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return
    for cell in cells:
        marks = Marks.of(cell)
        if marks.solution:
            yield qualified(notebook, marks.grade_id), text_of(cell["source"])
