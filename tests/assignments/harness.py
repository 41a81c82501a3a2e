"""Runs a problem set with given answers by plain `exec`: fast, in this process, no rooms.

It is the least that the rooms and stock nbgrader must agree with: a graded cell that raises gets
nothing, any other all its points.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from autograder import checks
from autograder.checks.expectations import Stated
from autograder.rooms.testcell import compile_cell

SHIPPED = Path(__file__).resolve().parents[2] / "assignments"


@dataclass(frozen=True)
class CellGrade:
    """What a graded cell came to. `message` is empty when it passed."""

    points: float
    max_points: float
    message: str
    stated: tuple[Stated, ...]
    seconds: float


def source_path(name: str) -> Path:
    return SHIPPED / name / f"{name}.ipynb"


@cache
def source(name: str) -> nbformat.NotebookNode:
    """The teacher's notebook, with solutions and hidden tests."""
    return nbformat.read(source_path(name), as_version=4)


def notebook(name: str, answers: Mapping[str, str]) -> nbformat.NotebookNode:
    """The notebook, hidden tests included, with these answers and nbgrader's stub elsewhere."""
    copy = nbformat.from_dict(source(name))
    cleared, _ = ClearSolutions().preprocess(copy, {})
    for cell in cleared.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    return cleared


def released(name: str, answers: Mapping[str, str]) -> nbformat.NotebookNode:
    """The notebook as students have it, without hidden tests."""
    return ClearHiddenTests().preprocess(notebook(name, answers), {})[0]


def grade(name: str, answers: Mapping[str, str], tests: str = "") -> dict[str, CellGrade]:
    """Run every code cell in order; return the graded ones by grade_id.

    `tests` limits them to those whose grade_id begins so.
    """
    return run(notebook(name, answers), tests)


def run(copy: nbformat.NotebookNode, tests: str = "") -> dict[str, CellGrade]:
    """`grade` for a notebook that is filled in already."""
    names: dict = {"__name__": "__main__"}
    grades = {}
    for cell in copy.cells:
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code" or (
            marks.get("grade") and not grade_id(cell).startswith(tests)
        ):
            continue
        with checks.recording() as stated:
            started = time.perf_counter()
            message = _run(cell.source, names)
            seconds = time.perf_counter() - started
        if marks.get("grade"):
            points = 0 if message else marks["points"]
            grades[marks["grade_id"]] = CellGrade(
                points, marks["points"], message, tuple(stated), seconds
            )
        elif message and not marks.get("solution"):
            raise RuntimeError(f"a cell that is not graded failed: {message}\n{cell.source}")
    return grades


def grade_id(cell: nbformat.NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def solution_cells(name: str) -> list[str]:
    """The grade_ids of the cells that students fill, in order."""
    cells = source(name).cells
    return [grade_id(c) for c in cells if c.metadata.get("nbgrader", {}).get("solution")]


def _run(text: str, names: dict) -> str:
    """Run a cell; return what it raised, in words, or nothing."""
    statements, last = compile_cell(text, "<cell>")
    try:
        exec(statements, names)
        value = None if last is None else eval(last, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if value is not None:
        raise RuntimeError(f"a cell ends in {value!r}, which nbgrader may take for points:\n{text}")
    return ""
