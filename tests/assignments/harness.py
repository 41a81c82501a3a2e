"""Runs a problem set with given answers by plain `exec`: fast, in this process, no rooms.

It is the least that the rooms and stock nbgrader must agree with: a graded cell that raises gets
nothing, any other all its points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import nbformat
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from autograder.rehearsal.run_trusted import Rehearsed, rehearse

SHIPPED = Path(__file__).resolve().parents[2] / "assignments"


def source_path(name: str) -> Path:
    return SHIPPED / name / f"{name}.ipynb"


@cache
def source(name: str) -> nbformat.NotebookNode:
    """The teacher's notebook, with solutions and hidden tests."""
    return nbformat.read(source_path(name), as_version=4)


@cache
def untouched(name: str) -> nbformat.NotebookNode:
    """The notebook, hidden tests included, with nbgrader's stubs for solutions."""
    return ClearSolutions().preprocess(nbformat.from_dict(source(name)), {})[0]


def notebook(name: str, answers: Mapping[str, str]) -> nbformat.NotebookNode:
    """The notebook, hidden tests included, with these answers and nbgrader's stub elsewhere."""
    copy = nbformat.from_dict(untouched(name))
    for cell in copy.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    return copy


def released(name: str, answers: Mapping[str, str]) -> nbformat.NotebookNode:
    """The notebook as students have it, without hidden tests."""
    return ClearHiddenTests().preprocess(notebook(name, answers), {})[0]


def grade(
    name: str, answers: Mapping[str, str], tests: str = "", secret: bytes | None = None
) -> dict[str, Rehearsed]:
    """Run every code cell in order; return the graded ones by grade_id.

    `tests` limits them to those whose grade_id begins so. The same `secret` gives the same draws.
    """
    cells = untouched(name).cells
    chosen = {name for name in map(grade_id, cells) if name.startswith(tests)}
    return rehearse(cells, answers, secret, chosen)


def grade_id(cell: nbformat.NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


@cache
def tests(name: str) -> tuple[str, ...]:
    """The grade_ids of the graded cells, in order."""
    graded = [c for c in source(name).cells if c.metadata.get("nbgrader", {}).get("grade")]
    return tuple(map(grade_id, graded))


def solution_cells(name: str) -> list[str]:
    """The grade_ids of the cells that students fill, in order."""
    cells = source(name).cells
    return [grade_id(c) for c in cells if c.metadata.get("nbgrader", {}).get("solution")]
