"""Try a problem set before its release: with the teacher's own solution, and unanswered."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.grade_notebook import explain, score
from autograder.classroom.releasing import reference_time
from autograder.classroom.sets import cell_roles, lint, read_notebook_tests
from autograder.classroom.sets.assignment import text_of
from autograder.classroom.sets.reading_table import IMPORT_LINES
from autograder.examiner import verdicts
from autograder.examiner.testcell import names_defined_by, names_used
from autograder.wire.contract import Cell, CellRun, NotebookRun, NotebookRunner, Role, Verdict
from autograder.wire.files import File

_MAX_TROUBLES_SHOWN = 10  # troubles named in one message


@dataclass(frozen=True)
class Trouble:
    """A reason not to release a problem set: a cell, and what is wrong with it.

    If it is `slow`, time ran out, so the cell may also be right.
    """

    cell: str
    what: str
    slow: bool = False


class SetRefused(CourseError):
    """The trial run found reasons not to release the problem set."""


def without_hidden_tests(source: str) -> str:
    """Return the text of a test as students have it."""
    from nbformat.notebooknode import NotebookNode
    from nbgrader.preprocessors import ClearHiddenTests

    cell = NotebookNode(source=source)
    ClearHiddenTests()._remove_hidden_test_region(cell)
    return cell.source


def check_regions(source: Path, notebook: dict) -> None:
    """Raise CourseError if a region of hidden tests has no end: all text below would be lost."""
    for number, cell in enumerate(notebook["cells"], start=1):
        try:
            without_hidden_tests(text_of(cell["source"]))
        except RuntimeError as error:
            raise CourseError(f"{source}: {_name_cell(cell, number)}: {error}") from error


def _name_cell(cell: dict, number: int) -> str:
    """Return a cell's name, or its number in the notebook and its first line."""
    if name := CellMetadata.of(cell).grade_id:
        return f"the cell {name!r}"
    first_line = next(iter(text_of(cell["source"]).splitlines()), "")
    return f"cell {number}, which has no name and begins with {first_line[:60]!r}"


def tests_of(source: Path) -> set[str]:
    """Return the names of a source notebook's test cells."""
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    return {
        CellMetadata.of(c).grade_id
        for c in cells
        if c["cell_type"] == "code" and CellMetadata.of(c).test
    }


def student_names(code: Sequence[dict]) -> set[str]:
    """Return the names that the solution's own cells define."""
    return _names_in(cell for cell in cells_of(code) if cell.role is Role.STUDENT)


def defined_names(source: Path) -> list[str] | None:
    """Return the names that the problem set defines, or None if `import *` hides them."""
    return names_in(json.loads(source.read_text(encoding="utf-8")))


def names_in(notebook: Mapping) -> list[str] | None:
    """Return the names that a source notebook defines, or None if `import *` hides them."""
    cells = list(cells_of([cell for cell in notebook["cells"] if cell["cell_type"] == "code"]))
    return None if any("import *" in cell.source for cell in cells) else sorted(_names_in(cells))


def solution_of(source: Path) -> dict[str, str]:
    """Return the teacher's answer in each cell of the problem set that students answer."""
    return solution_in(json.loads(source.read_text(encoding="utf-8")))


def solution_in(notebook: Mapping) -> dict[str, str]:
    """Return the teacher's answer in each solution cell of a source notebook."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    pairs = [(CellMetadata.of(cell), text_of(cell["source"])) for cell in code]
    return {
        cell_metadata.grade_id: text
        for cell_metadata, text in pairs
        if cell_metadata.solution and cell_metadata.grade_id
    }


def _names_in(cells: Iterable[Cell]) -> set[str]:
    """Return the names that cells define, leaving out cells that aren't valid Python."""
    names: set[str] = set()
    for cell in cells:
        with contextlib.suppress(SyntaxError):
            names |= names_defined_by(cell.source, f"<{cell.name}>")
    return names


def describe_refusal(source: object, troubles: Sequence[Trouble]) -> str:
    lines = [trouble.what for trouble in troubles[:_MAX_TROUBLES_SHOWN]]
    omitted_count = len(troubles) - _MAX_TROUBLES_SHOWN
    lines += [f"and {omitted_count} more"] if omitted_count > 0 else []
    wrong_tests = dict.fromkeys(trouble.cell for trouble in troubles if not trouble.slow)
    option = " ".join(f"--accept {name}" for name in wrong_tests)
    way_out = [f"To release it anyway, add {option}"] if option else []
    return "\n  ".join([f"{source} is not released:", *lines, *way_out])


def find_unreadable(code: Sequence[dict]) -> Iterator[Trouble]:
    """Yield tests and locked cells that aren't valid Python."""
    for cell in cells_of(code):
        try:
            if cell.role is not Role.STUDENT:
                names_defined_by(cell.source, f"<{cell.name}>")
        except SyntaxError as error:
            text = (error.text or "").strip()
            message = f"line {error.lineno}, {error.msg}: {text}"
            yield Trouble(cell.name, f"the cell {cell.name!r} is not valid Python: {message}")


def _remove_forgeable_line(cell: dict) -> dict:
    return cell | {"source": cell_roles.remove_first_line(text_of(cell["source"]))}


@dataclass(frozen=True)
class TriedSolution:
    """The troubles of the teacher's own solution, and notes on oddities that are no errors."""

    troubles: list[Trouble]
    notes: list[str]


def try_solution(
    code: Sequence[dict], files: Sequence[File], runner: NotebookRunner, seed: bytes = b"release"
) -> TriedSolution:
    """Run a notebook with the teacher's own solution, with more time than students have."""
    cells = list(cells_of(code))
    with reference_time.more_time(runner) as limits:
        run = runner.run(cells, seed, files)
    stopped, patience = reference_time.stopped_cells(cells, run), reference_time.PATIENCE
    if stopped and reference_time.was_waiting(run, stopped, limits):
        patience = reference_time.MORE_PATIENCE
        with reference_time.more_time(runner, patience):
            run = runner.run(cells, seed, files)
        stopped = reference_time.stopped_cells(cells, run)
    troubles = list(_find_lost_points(read_outcomes(code, cells, run)))
    if not stopped:
        return TriedSolution(troubles, reference_time.notes(cells, run, limits))
    judged_cells = {cell.name for cell in cells[: min(stopped)]}
    reason = reference_time.why_stopped(limits, patience)
    slow_troubles = [
        Trouble(cells[place].name, f"{text}; {reason}", slow=True)
        for place, text in stopped.items()
    ]
    return TriedSolution(
        [*(trouble for trouble in troubles if trouble.cell in judged_cells), *slow_troubles], []
    )


def _troubles_of_solution(
    code: Sequence[dict], files: Sequence[File], runner: NotebookRunner
) -> list[Trouble]:
    return try_solution(code, files, runner).troubles


def _find_lost_points(outcomes: Iterable[TestOutcome]) -> Iterator[Trouble]:
    """Yield the tests that don't give all their points to the teacher's own solution."""
    for outcome in outcomes:
        name, verdict = outcome.cell.name, outcome.run.verdict
        if outcome.loses_points or verdicts.has_failed(verdict):
            detail = verdict.detail if verdict else ""
            is_visible = (
                outcome.cell.hides and not detail and verdicts.HIDDEN not in outcome.message
            )
            part = "the visible part of " if is_visible else ""
            sentence = f"{part}the test {name!r} gives your own solution {outcome.points or 0:g}"
            hint = " Does it need something from a hidden region?" if part else ""
            if verdict is not None and verdict.missing in IMPORT_LINES:
                hint += f". Add the line `{IMPORT_LINES[verdict.missing]}` to the test"
            if os.strerror(errno.ENOENT) in outcome.message:
                hint += f". {lint.FILES.capitalize()}"
            yield Trouble(
                name, f"{sentence} of {outcome.max_points:g} points: {outcome.message}{hint}"
            )


def try_stub(
    code: Sequence[dict], files: Sequence[File], runner: NotebookRunner
) -> Iterator[Trouble]:
    for outcome in run_tests(code, files, runner):
        if outcome.points:
            name, points = outcome.cell.name, f"{outcome.points:g} of {outcome.max_points:g} points"
            text = f"the test {name!r} gives {points} to the unanswered notebook that students get"
            yield Trouble(name, text)


def questions_of(
    code: Sequence[dict], students: Collection[str] = (), files: Sequence[File] = ()
) -> dict[str, list[str]]:
    """Return the reasons why each test is not understood: see `read_notebook_tests`.

    `students` are names that the solution defines, beside those in its own cells.
    """
    cells = list(cells_of(code))
    return read_notebook_tests.as_texts(read_notebook_tests.read_tests(cells, students, files))


def find_misused_tests(
    code: Sequence[dict], files: Sequence[File], runner: NotebookRunner
) -> Iterator[Trouble]:
    """Yield tests that are marked as forgeable but must not or need not be.

    Also yield other tests that use a name from a forgeable test: they could be forged, too.
    """
    cells = [cell for cell in cells_of(code) if cell_roles.says_forgeable(cell.source)]
    for cell in cells:
        if cell.hides:
            reason = (
                "has a hidden region, which no student process gets; it ran as an examiner's test"
            )
            yield Trouble(cell.name, f"the forgeable test {cell.name!r} {reason}")
    forgeable_tests = {cell.name: cell for cell in cells if cell.role is Role.FORGEABLE}
    if not forgeable_tests:
        return
    plain_code = [
        _remove_forgeable_line(cell) if CellMetadata.of(cell).grade_id in forgeable_tests else cell
        for cell in code
    ]
    troubles = [*_troubles_of_solution(plain_code, files, runner)]
    questions = questions_of(plain_code, student_names(code), files)
    needed_tests = {trouble.cell for trouble in troubles}
    needed_tests |= {name for name, reasons in questions.items() if reasons}
    for name in forgeable_tests.keys() - needed_tests:
        reason = (
            "it works in two processes, where nobody can forge its points; remove its first line"
        )
        yield Trouble(name, f"the test {name!r} need not be forgeable: {reason}")
    yield from _find_borrowed_names(list(cells_of(code)), student_names(code))


def _find_borrowed_names(cells: Sequence[Cell], students: Collection[str]) -> Iterator[Trouble]:
    """Yield the tests that use a name that a forgeable test defines."""
    lenders: dict[str, str] = {}  # the forgeable test that defines each name
    own_names = {*students}
    for cell in (cell for cell in cells if cell.role is not Role.STUDENT):
        new_names = names_defined_by(cell.source, f"<{cell.name}>")
        if cell.role is Role.FORGEABLE:
            lenders |= dict.fromkeys(new_names - own_names, cell.name)
        elif cell.role is Role.EXAMINER:
            for name in sorted(
                (names_used(cell.source, f"<{cell.name}>") - new_names) & lenders.keys()
            ):
                problem = (
                    f"{name!r} of the forgeable test {lenders[name]!r}: define it in a locked cell"
                )
                yield Trouble(cell.name, f"the test {cell.name!r} can't use {problem}")
        if cell.role is not Role.FORGEABLE:
            own_names |= new_names
            lenders = {name: lender for name, lender in lenders.items() if name not in new_names}


@dataclass(frozen=True)
class TestOutcome:
    """The outcome of a test: its points (None if unknown), and why points were lost."""

    cell: Cell
    run: CellRun
    points: float | None
    max_points: float
    message: str

    @property
    def loses_points(self) -> bool:
        """True if the test gives less than all its points."""
        return self.points != self.max_points


def run_tests(
    code: Sequence[dict], files: Sequence[File], runner: NotebookRunner, seed: bytes = b"release"
) -> Iterator[TestOutcome]:
    """Run the code cells of a notebook; yield the outcome of each test.

    If an earlier cell stopped with an error, the message names it as well.
    """
    cells = list(cells_of(code))
    yield from read_outcomes(code, cells, runner.run(cells, seed, files))


def read_outcomes(
    code: Sequence[dict], cells: Sequence[Cell], run_of_all: NotebookRun
) -> Iterator[TestOutcome]:
    """Yield the outcome of each test of a notebook that was run."""
    stopped = ""
    for notebook_cell, cell, run in zip(code, cells, run_of_all.cells, strict=True):
        if not cell.role.is_test:
            stopped = stopped or _error_of(cell, run)
            continue
        points, message = score(notebook_cell, run.verdict)
        if verdicts.has_failed(run.verdict) and not message:  # a test that is worth no points
            message = explain(verdicts.outputs(run.verdict, None))
        detail = run.verdict.detail if run.verdict else ""
        message = find_failing_line(cell, run.verdict) or message
        text = "; ".join(filter(None, [detail or message, stopped]))
        yield TestOutcome(cell, run, points, CellMetadata.of(notebook_cell).points, text)


_LINES = re.compile(r"line (\d+) of the test|-+> *(\d+)|Cell In\[\d+\], line (\d+)")


def find_failing_line(cell: Cell, verdict: Verdict | None) -> str:
    """Return the text of the `assert` that failed without a message, or ""."""
    if verdict is None or verdict.error != "AssertionError" or not verdict.losses:
        return ""
    lines = cell.source.splitlines()
    trace = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(verdict.traceback))
    numbers = [int(next(filter(None, groups))) for groups in _LINES.findall(trace)]
    if verdict.losses[0].message or not numbers or not 0 < numbers[0] <= len(lines):
        return ""
    return f"line {numbers[0]}, {lines[numbers[0] - 1].strip()}"


def _error_of(cell: Cell, run: CellRun) -> str:
    for output in run.shown:
        if output["output_type"] == "error":
            return f"before it the cell {cell.name!r} stopped: {output['ename']}"
    return ""


def stub_of(course: Course, notebook: dict, prefix: str = "") -> list[dict]:
    """Return the code cells as students get them, but with hidden tests.

    Raises CourseError, which begins with `prefix`, if nbgrader can't take the solutions out.
    """
    from nbformat import from_dict
    from nbgrader.preprocessors import ClearSolutions

    class NamesTheCell(ClearSolutions):
        def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple:
            try:
                return super().preprocess_cell(cell, resources, cell_index)
            except RuntimeError as error:
                label = _name_cell(cell, cell_index + 1)
                raise CourseError(
                    f"{prefix}nbgrader can't take the solution out of {label}: {error}"
                ) from error

    cells = [cell | {"source": text_of(cell["source"])} for cell in notebook["cells"]]
    copy = from_dict(notebook | {"cells": cells})
    try:
        stub, _ = NamesTheCell(config=course.config).preprocess(copy, {})
    except ValueError as error:  # a language that nbgrader has no stub for
        raise CourseError(f"{prefix}nbgrader can't take the solutions out: {error}") from error
    return [cell for cell in stub.cells if cell.cell_type == "code"]


def cells_of(code: Sequence[dict]) -> Iterator[Cell]:
    """Yield the cells of a notebook as the grader runs them."""
    for number, cell in enumerate(code, start=1):
        cell_metadata, text = CellMetadata.of(cell), text_of(cell["source"])
        name = cell_metadata.grade_id or f"cell {number}"
        if not cell_metadata.is_teachers:
            yield Cell(Role.STUDENT, text, name)
        else:
            released = without_hidden_tests(text)
            role = cell_roles.role_of(cell_metadata, text, released)
            yield Cell(role, text, name, released, cell_metadata.points)
