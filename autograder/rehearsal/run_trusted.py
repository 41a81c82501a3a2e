"""Run a problem set with trusted answers by plain `exec`: fast, in this process, without a sandbox.

A graded cell that raises an error gets no points. Any other graded cell gets all its points.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from autograder import checks
from autograder.checks.stated_failure import StatedFailure
from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import CourseError, check_name
from autograder.classroom.sets import shipped_sets
from autograder.classroom.sets.assignment import text_of
from autograder.examiner.testcell import compile_cell, compile_definitions
from autograder.wire.run import Run, use_run


@dataclass(frozen=True)
class Rehearsed:
    """The outcome of a graded cell. `message` is empty if it passed."""

    points: float
    max_points: float
    message: str
    stated: tuple[StatedFailure, ...]
    seconds: float


def source_cells(name: str) -> list[dict]:
    """Return the cells of one of the project's own problem sets, with solutions and hidden tests.

    Raises CourseError if there is no such set.
    """
    check_name(name)
    for folder in shipped_sets.FOLDERS:
        path = folder / name / f"{name}.ipynb"
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))["cells"]
    ours = ", ".join(shipped_sets.names_with_tests()) or "none"
    raise CourseError(f"there is no problem set {name!r} with tests among ours ({ours})")


def rehearse(
    cells: Iterable[Mapping],
    answers: Mapping[str, str] | None = None,
    secret: bytes | None = None,
    tests: Collection[str] | None = None,
) -> dict[str, Rehearsed]:
    """Run the code cells in order; return the outcome of each graded one, by grade_id.

    `answers` replace the solution cells that they name. The checks' generators are made from
    `secret`, as in the examiner, or from the system's entropy if it is None. With `tests`, only
    these tests run, after the cells before them. Other tests only define their functions. Raises
    RuntimeError if a cell that is not graded fails.
    """
    names: dict = {"__name__": "__main__"}
    outcomes = {}
    with use_run(Run()):
        for cell in cells:
            if cell["cell_type"] != "code":
                continue
            cell_metadata = CellMetadata.of(cell)
            name, is_graded = cell_metadata.grade_id, cell_metadata.grade
            checks.set_seed(secret and hmac.digest(secret, name.encode(), "sha256"))
            source = (answers or {}).get(name, text_of(cell["source"]))
            if is_graded and tests is not None and name not in tests:
                exec(compile_definitions(source, "<cell>"), names)  # another test may use them
                continue
            outcome = _run(source, names, cell_metadata.points if is_graded else 0)
            if is_graded:
                outcomes[name] = outcome
                if tests is not None and len(outcomes) == len(tests):
                    break  # later cells can't change the outcome of these tests
            elif outcome.message and not cell_metadata.solution:
                raise RuntimeError(f"a cell that is not graded failed: {outcome.message}\n{source}")
    return outcomes


def _run(source: str, names: dict, points: float) -> Rehearsed:
    with checks.recording() as statements:
        start_time = time.perf_counter()
        message = _execute(source, names)
        seconds = time.perf_counter() - start_time
    return Rehearsed(0 if message else points, points, message, tuple(statements), seconds)


def _execute(source: str, names: dict) -> str:
    """Run a cell; return its error as text, or an empty text."""
    try:
        statements, last = compile_cell(source, "<cell>")
        exec(statements, names)
        value = None if last is None else eval(last, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if value is not None:
        raise RuntimeError(
            f"a cell ends in {value!r}, which nbgrader may take for points:\n{source}"
        )
    return ""
