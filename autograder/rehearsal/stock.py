"""Stock nbgrader beside the rooms: the same answers in one kernel, and the tests that differ."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from autograder.classroom.assignment import text_of
from autograder.classroom.folders import Course
from autograder.classroom.marks import Marks
from autograder.classroom.reference import outcomes, questions_of, stub_of
from autograder.classroom.reference_time import more_time
from autograder.examiner import verdicts
from autograder.rehearsal.mutants import Mutant, Right
from autograder.rehearsal.promises import secret
from autograder.rehearsal.trying import Trial
from autograder.wire.contract import Cell, CellRun, Limits, Loss, NotebookRun, Verdict
from autograder.wire.files import File, lay_out

OWN, NONE = "your own solution", "no answer"


class Kernel:
    """All cells in one Jupyter kernel, as stock nbgrader runs them; has `run` as `Rooms` has it.

    It protects from nothing: it is for a teacher's own answers.
    """

    def __init__(self, cell_seconds: float) -> None:
        self.limits = Limits(cell_seconds=cell_seconds)

    def run(self, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()) -> NotebookRun:
        """Run the cells in order. Raises `RuntimeError` where there is no kernel for Python."""
        from jupyter_client.kernelspec import NoSuchKernel
        from nbclient.exceptions import DeadKernelError
        from nbformat import v4

        notebook = v4.new_notebook(cells=[v4.new_code_cell(cell.source) for cell in cells])
        with tempfile.TemporaryDirectory(prefix="stock-", ignore_cleanup_errors=True) as home:
            lay_out(files, Path(home))
            ended = len(cells)
            try:
                self._client(notebook, home).execute(stdout=DEVNULL, stderr=DEVNULL)
            except DeadKernelError:  # in the cell behind the last that was answered
                answered = (n for n, cell in enumerate(notebook.cells) if _is_answered(cell))
                ended = max(answered, default=-1) + 1
            except NoSuchKernel as error:
                raise RuntimeError(f"stock nbgrader can't be tried: {error}") from error
        made = zip(cells, notebook.cells, strict=True)
        return NotebookRun(tuple(_run_of(*pair, n < ended) for n, pair in enumerate(made)))

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


def _is_answered(made: Mapping[str, Any]) -> bool:
    return "shell.execute_reply" in made["metadata"].get("execution", {})


def _run_of(cell: Cell, made: Mapping[str, Any], has_run: bool) -> CellRun:
    outputs = tuple(dict(output) for output in made["outputs"])
    verdict = _verdict(outputs) if cell.role.is_test and has_run else None
    return CellRun(outputs, made["execution_count"], verdict=verdict)


def _verdict(outputs: Sequence[dict]) -> Verdict:
    """What nbgrader's rule reads out of them: the first error, warning or result."""
    for output in outputs:
        if output["output_type"] == "error":
            said = output["evalue"]
            return Verdict((Loss(said),), output["ename"], tuple(output["traceback"]))
        if output.get("name") == "stderr":
            return verdicts.not_run("Warning", f"it wrote to stderr: {output['text']}")
        if output["output_type"] == "execute_result":
            return Verdict(result=dict(output["data"]))
    return verdicts.PASSED


@dataclass(frozen=True)
class Difference:
    """A test that gives other points in two rooms than under stock nbgrader, to one answer."""

    answer: str
    test: str
    here: float | None
    stock: float | None
    why: tuple[str, ...]  # what the lint says of the test; else what both said

    def __str__(self) -> str:
        here, stock = ("–" if n is None else f"{n:g}" for n in (self.here, self.stock))
        points = f"{self.test}, {self.answer}: {here} in two rooms, {stock} under stock nbgrader"
        return "\n".join([points, *(f"    {reason}" for reason in self.why)])

    as_json = asdict


def compare(
    course: Course,
    trial: Trial,
    answers: Sequence[Right | Mutant],
    rooms,
    kernel: Kernel,
    progress: Callable[[], None] = lambda: None,
) -> list[Difference]:
    """Every test that differs, by the set's own solution, none, and each of these answers."""
    found: list[Difference] = []
    for name, code in _notebooks(course, trial, answers):
        more = more_time if name == OWN else contextlib.nullcontext
        with more(rooms), more(kernel):
            here, stock = (_points(code, trial, where) for where in (rooms, kernel))
        for test, (points, said) in here.items():
            others, said_there = stock[test]
            if points != others:
                told = (f"here: {said or 'passed'}", f"stock: {said_there or 'passed'}")
                why = questions_of(code).get(test) or told
                found.append(Difference(name, test, points, others, tuple(why)))
        progress()
    return found


def _points(code: Sequence[dict], trial: Trial, where) -> dict[str, tuple[float | None, str]]:
    """Of each test its points, and why it has no more."""
    found = outcomes(code, trial.files, where, secret(0))
    return {one.cell.name: (one.points, one.said) for one in found}


def _notebooks(
    course: Course, trial: Trial, answers: Sequence[Right | Mutant]
) -> Iterator[tuple[str, list[dict]]]:
    """What is compared, by name: the code cells with one answer among the teacher's own."""
    code = [cell for cell in trial.cells if cell["cell_type"] == "code"]
    yield OWN, code
    yield NONE, stub_of(course, {"cells": list(trial.cells), "metadata": {}})
    for one in answers:
        given = {one.cell: one.source}
        yield (
            f"{'right' if isinstance(one, Right) else 'wrong'} answer {one.name!r}",
            [c | {"source": given.get(Marks.of(c).grade_id, text_of(c["source"]))} for c in code],
        )
