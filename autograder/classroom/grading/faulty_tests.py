"""Find faulty tests, which fail for the problem set's own solution, too.

A student can make any test look wrong, so no submission decides on that, and no text of a
submission is shown as the test's error. The solution is run when the first submission needs it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection

from autograder.classroom.sets.assignment import Assignment
from autograder.wire.contract import Cell, NotebookRunner, Role

_faults: dict[tuple[str, str, str, str], dict[str, str]] = {}  # by problem set, in this process


def find(
    assignment: Assignment, suspected: Collection[str], runner: NotebookRunner, secret: bytes
) -> dict[str, str]:
    """Return the error of each suspected test that fails in a run with the solution."""
    if not suspected or assignment.solution is None:
        return {}
    key = assignment.name, assignment.notebook, assignment.digest, _digest(assignment.solution)
    if key not in _faults:
        _faults[key] = _run_solution(assignment, runner, secret)
    return {name: fault for name, fault in _faults[key].items() if name in suspected}


def lacks(assignment: Assignment, name: str) -> bool:
    """Return whether the problem set uses a name that not even its solution defines.

    A test that reaches such a name is wrong for any answer.
    """
    is_used = any(name in cell.source for cell in assignment.cells if cell.role is not Role.STUDENT)
    return is_used and not assignment.may_define(name)


def _digest(solution: dict[str, str]) -> str:
    return hashlib.sha256(repr(sorted(solution.items())).encode(errors="replace")).hexdigest()


def _run_solution(assignment: Assignment, runner: NotebookRunner, secret: bytes) -> dict[str, str]:
    """Return the error of each test that fails on the solution by its own fault."""
    solution = assignment.solution or {}
    cells = [
        Cell(cell.role, solution.get(cell.name, cell.source), name, cell.released, cell.points)
        for number, cell in enumerate(assignment.cells, start=1)
        if cell.cell_type == "code"
        for name in [cell.name or f"cell {number}"]
    ]
    seed = hmac.digest(secret, f"the solution of {assignment.name}".encode(), "sha256")
    run = runner.run(cells, seed, assignment.files)
    verdicts = [
        (cell.name, cell_run.verdict) for cell, cell_run in zip(cells, run.cells, strict=True)
    ]
    return {name: verdict.fault for name, verdict in verdicts if verdict and verdict.fault}
