"""What nbgrader itself writes and shows: notebooks made harmless, feedback without hidden tests."""

from __future__ import annotations

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from autograder.classroom.grading import explain
from autograder.classroom.marks import Marks


class HiddenTestsLeftOut(ClearHiddenTests):
    """Cuts hidden tests out of a graded notebook, with all that their cells show but the message.

    Of what a test cell shows the message alone is kept, as on the pages of `autograder feedback`:
    a student's function could print what the hidden test called it with.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, index: int
    ) -> tuple[NotebookNode, dict]:
        cell, resources = super().preprocess_cell(cell, resources, index)
        if cell.cell_type == "code" and Marks.of(cell).test:
            cell.outputs = [_message(output) for output in cell.outputs if _is_error(output)]
        return cell, resources


def _is_error(output: NotebookNode) -> bool:
    return output.output_type == "error"


def _message(output: NotebookNode) -> NotebookNode:
    text = explain([output])
    return NotebookNode(output | {"evalue": text, "traceback": [text]})
