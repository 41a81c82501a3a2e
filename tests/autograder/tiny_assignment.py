"""A problem set of two exercises and a written question, small enough to know by heart."""

from __future__ import annotations

import copy
import json

import nbformat

from autograder.classroom.gradebook.records import read_record

SOLUTIONS = {
    "double": "def double(x):\n    return 2 * x",
    "mean": "def mean(values):\n    return np.sum(values) / len(values)",
    "why": "Because noise averages out.",
}

TEXTS = [
    ("markdown", "title", "# Tiny\n\nTwo exercises with $x^2$.", {}),
    ("code", "imports", "import numpy as np", {"locked": True}),
    ("markdown", "heading-1", "## 1. Double it", {}),
    (
        "code",
        "double",
        "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "double_small",
        "assert double(3) == 6, f'double(3) should be 6, it is {double(3)}'",
        {"grade": True, "locked": True, "points": 1},
    ),
    (
        "code",
        "double_negative",
        "assert double(0) == 0, 'double(0) should be 0'\n"
        "### BEGIN HIDDEN TESTS\nSECRET_NUMBER = -7351\n"
        "assert double(SECRET_NUMBER) == -14702, 'a negative number is doubled too'\n"
        "### END HIDDEN TESTS",
        {"grade": True, "locked": True, "points": 2},
    ),
    ("markdown", "heading-2", "## 2. The mean", {}),
    (
        "code",
        "mean",
        "def mean(values):\n    ### BEGIN SOLUTION\n"
        "    return np.sum(values) / len(values)\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "mean_of_three",
        "assert abs(mean([1, 2, 6]) - 3) < 1e-12, 'the mean of 1, 2, 6 is 3'",
        {"grade": True, "locked": True, "points": 3},
    ),
    ("markdown", "why", "Your answer.", {"solution": True, "grade": True, "points": 4}),
]


def source_notebook(texts=TEXTS) -> nbformat.NotebookNode:
    """The teacher's version."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    for kind, name, text, roles in texts:
        make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        cell = make(text, id=name)
        if roles:
            marks = {"grade": False, "solution": False, "locked": False, "task": False}
            marks |= {"schema_version": 3, "grade_id": name, "cell_type": kind} | roles
            cell.metadata["nbgrader"] = marks
        notebook.cells.append(cell)
    return notebook


def write_source(root, name="tiny", texts=TEXTS):
    """Put the problem set into COURSE/source."""
    path = root / "source" / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(nbformat.writes(source_notebook(texts)), encoding="utf-8")
    return path


def answered(released: dict, answers: dict[str, str] = SOLUTIONS) -> dict:
    """The released notebook (as JSON) with these texts in its solution cells."""
    notebook = copy.deepcopy(released)
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answers[name]
    return notebook


def as_bytes(notebook: dict) -> bytes:
    return json.dumps(notebook).encode("utf-8")


def late_penalties(course, name: str) -> dict[str, float]:
    """Return the late penalty of each student who has one."""
    penalties = read_record(course, name).penalties
    return {student: penalty for student, penalty in penalties.items() if penalty}
