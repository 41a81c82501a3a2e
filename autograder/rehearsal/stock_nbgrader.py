"""Compare with stock nbgrader: run the same answers in one kernel; find tests that differ."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.reference_run import questions_of, run_tests, stub_of
from autograder.classroom.releasing.reference_time import more_time
from autograder.classroom.sets.assignment import text_of
from autograder.examiner import verdicts
from autograder.rehearsal.error_rates import secret
from autograder.rehearsal.mutants import NamedMutant, Right
from autograder.rehearsal.try_answers import ExerciseTrial
from autograder.wire.contract import (
    Cell,
    CellRun,
    Limits,
    LostPoints,
    NotebookRun,
    NotebookRunner,
    Verdict,
)
from autograder.wire.files import File, lay_out

OWN, NONE = "your own solution", "no answer"


class Kernel:
    """One Jupyter kernel for all cells, as in stock nbgrader, with the method `run` of a runner.

    It has no sandbox, so it is only for a teacher's own answers.
    """

    def __init__(self, cell_seconds: float) -> None:
        self.limits = Limits(cell_seconds=cell_seconds)

    def run(self, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()) -> NotebookRun:
        """Run the cells in order. Raises `RuntimeError` if there is no kernel for Python."""
        from jupyter_client.kernelspec import NoSuchKernel
        from nbclient.exceptions import DeadKernelError
        from nbformat import v4

        notebook = v4.new_notebook(cells=[v4.new_code_cell(cell.source) for cell in cells])
        with tempfile.TemporaryDirectory(prefix="stock-", ignore_cleanup_errors=True) as home:
            lay_out(files, Path(home))
            first_missing = len(cells)
            try:
                self._client(notebook, home).execute(stdout=DEVNULL, stderr=DEVNULL)
            except DeadKernelError:  # it died in the cell after the last one that was answered
                numbers = (n for n, cell in enumerate(notebook.cells) if _is_answered(cell))
                first_missing = max(numbers, default=-1) + 1
            except NoSuchKernel as error:
                raise RuntimeError(f"stock nbgrader can't be tried: {error}") from error
        pairs = zip(cells, notebook.cells, strict=True)
        return NotebookRun(tuple(_run_of(*pair, n < first_missing) for n, pair in enumerate(pairs)))

    def _client(self, notebook: Any, home: str) -> Any:
        from nbclient import NotebookClient

        return NotebookClient(
            notebook,
            timeout=self.limits.cell_seconds,
            interrupt_on_timeout=True,
            shutdown_kernel="immediate",
            allow_errors=True,
            kernel_name="python3",
            resources={"metadata": {"path": home}},
        )


def _is_answered(node: Mapping[str, Any]) -> bool:
    return "shell.execute_reply" in node["metadata"].get("execution", {})


def _run_of(cell: Cell, node: Mapping[str, Any], has_run: bool) -> CellRun:
    outputs = tuple(dict(output) for output in node["outputs"])
    verdict = _verdict(outputs) if cell.role.is_test and has_run else None
    return CellRun(outputs, node["execution_count"], verdict=verdict)


def _verdict(outputs: Sequence[dict]) -> Verdict:
    """Read a verdict from outputs by nbgrader's rule: the first error, warning or result."""
    for output in outputs:
        if output["output_type"] == "error":
            message = output["evalue"]
            return Verdict((LostPoints(message),), output["ename"], tuple(output["traceback"]))
        if output.get("name") == "stderr":
            return verdicts.not_run("Warning", f"it wrote to stderr: {output['text']}")
        if output["output_type"] == "execute_result":
            return Verdict(result=dict(output["data"]))
    return verdicts.PASSED


@dataclass(frozen=True)
class Difference:
    """A test that gives an answer other points in two processes than under stock nbgrader."""

    answer: str
    test: str
    here: float | None
    stock: float | None
    why: tuple[str, ...]  # the lint's remarks on the test, or both messages if there are none

    def __str__(self) -> str:
        here, stock = ("–" if value is None else f"{value:g}" for value in (self.here, self.stock))
        points = f"{self.test}, {self.answer}: {here} in two processes, {stock} in stock nbgrader"
        return "\n".join([points, *(f"    {reason}" for reason in self.why)])

    as_json = asdict


def compare(
    course: Course,
    trial: ExerciseTrial,
    answers: Sequence[Right | NamedMutant],
    runner: NotebookRunner,
    kernel: Kernel,
    progress: Callable[[], None] = lambda: None,
) -> list[Difference]:
    """Return each test that differs: for the solution, for no answer, and for each of `answers`."""
    differences: list[Difference] = []
    for name, code in _notebooks(course, trial, answers):
        allow_time = more_time if name == OWN else contextlib.nullcontext
        with allow_time(runner), allow_time(kernel):
            our_results, stock_results = (_points(code, trial, r) for r in (runner, kernel))
        for test, (points, message) in our_results.items():
            stock_points, stock_message = stock_results[test]
            if points != stock_points:
                messages = (f"here: {message or 'passed'}", f"stock: {stock_message or 'passed'}")
                reasons = questions_of(code).get(test) or messages
                differences.append(Difference(name, test, points, stock_points, tuple(reasons)))
        progress()
    return differences


def _points(
    code: Sequence[dict], trial: ExerciseTrial, runner: NotebookRunner
) -> dict[str, tuple[float | None, str]]:
    """Return the points of each test, and its message if some points are lost."""
    results = run_tests(code, trial.files, runner, secret(0))
    return {result.cell.name: (result.points, result.message) for result in results}


def _notebooks(
    course: Course, trial: ExerciseTrial, answers: Sequence[Right | NamedMutant]
) -> Iterator[tuple[str, list[dict]]]:
    """Yield each answer's name and the code cells, with the teacher's solution in all others."""
    code_cells = [cell for cell in trial.cells if cell["cell_type"] == "code"]
    yield OWN, code_cells
    yield NONE, stub_of(course, {"cells": list(trial.cells), "metadata": {}})
    for answer in answers:
        sources = {answer.cell: answer.source}
        yield (
            f"{'right' if isinstance(answer, Right) else 'wrong'} answer {answer.name!r}",
            [
                cell
                | {"source": sources.get(CellMetadata.of(cell).grade_id, text_of(cell["source"]))}
                for cell in code_cells
            ],
        )
