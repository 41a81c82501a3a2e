"""The teacher's own solution against a problem set's text as students will have it."""

from __future__ import annotations

import json

from autograder.classroom.assignment import text_of
from autograder.classroom.folders import Course, CourseError
from autograder.classroom.marks import Marks
from autograder.examiner import verdicts
from autograder.wire.contract import Cell, Role


def without_hidden_tests(source: str) -> str:
    """The text of a test as students have it."""
    from nbformat.notebooknode import NotebookNode
    from nbgrader.preprocessors import ClearHiddenTests

    cell = NotebookNode(source=source)
    ClearHiddenTests()._remove_hidden_test_region(cell)
    return cell.source


def try_released_text(course: Course, name: str, rooms) -> None:
    """Raise `CourseError` where a visible test fails with the teacher's own solution.

    Students are shown what a run without hidden tests says: a visible test that needs a hidden
    region, for a name that is defined there, would fail them all.
    """
    source = course.source(name)
    notebook = json.loads(source.read_text(encoding="utf-8"))
    cells = [
        _cell(cell, number)
        for number, cell in enumerate(notebook["cells"], start=1)
        if cell["cell_type"] == "code"
    ]
    for cell, run in zip(cells, rooms.run(cells, b"release").cells, strict=True):
        if cell.role is Role.EXAMINER and verdicts.failed(run.verdict):
            said = "; ".join(loss.message for loss in run.verdict.losses) if run.verdict else ""
            raise CourseError(
                f"{source}: the visible part of the test {cell.name!r} fails with your own "
                f"solution ({said}). Does it need something that stands in a hidden region?"
            )


def _cell(cell: dict, number: int) -> Cell:
    marks, text = Marks.of(cell), text_of(cell["source"])
    name = marks.grade_id or f"cell {number}"
    if not marks.owned:
        return Cell(Role.STUDENT, text, name)
    return Cell(Role.EXAMINER if marks.test else Role.BOTH, without_hidden_tests(text), name)
