"""nbgrader's own feedback without hidden tests: a preprocessor for `nbgrader generate_feedback`."""

from __future__ import annotations

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from autograder.classroom.grading import explain


class HiddenTestsLeftOut(ClearHiddenTests):
    """Cuts hidden tests out of a graded notebook, with all that their cells show but the message.

    Of what a test cell shows the message alone is kept, as on the pages of `autograder feedback`:
    a student's function could print what the hidden test called it with.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, index: int
    ) -> tuple[NotebookNode, dict]:
        cell, resources = super().preprocess_cell(cell, resources, index)
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and marks.get("grade") and not marks.get("solution"):
            cell.outputs = [_message(output) for output in cell.outputs if _is_error(output)]
        return cell, resources


def _is_error(output: NotebookNode) -> bool:
    return output.output_type == "error"


def _message(output: NotebookNode) -> NotebookNode:
    text = explain([output])
    return NotebookNode(output | {"evalue": text, "traceback": [text]})


def without_hidden_tests(source: str) -> str:
    """The text of a test as students have it."""
    cell = NotebookNode(source=source)
    ClearHiddenTests()._remove_hidden_test_region(cell)
    return cell.source
