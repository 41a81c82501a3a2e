"""Grade one submission: match its cells, run them in the two processes, and score them."""

from __future__ import annotations

import hashlib
import hmac
import json
import platform
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, cast

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.versions import versions
from autograder.classroom.grading import (
    called_functions,
    environment,
    faulty_tests,
    read_notebook,
    sanitize,
)
from autograder.classroom.grading.match_cells import MatchedCell, MatchedNotebook, match
from autograder.classroom.grading.read_notebook import Note
from autograder.classroom.grading.results import (
    NO_RUN,
    CellResult,
    Result,
    content_of,
    describe_incident,
)
from autograder.classroom.sets import nbgrader_rules
from autograder.classroom.sets.assignment import Assignment
from autograder.examiner import verdicts
from autograder.examiner.reports import FirstRun
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import ConnectionClosed
from autograder.wire.contract import (
    MESSAGES,
    Cell,
    CellRun,
    Incident,
    NotebookRun,
    NotebookRunner,
    Verdict,
)
from autograder.wire.files import File

if TYPE_CHECKING:
    from autograder.examiner.sandboxed_runner import SandboxedRunner

MAX_MESSAGE_CHARACTERS = 2_000
_PYTHON = ".".join(platform.python_version_tuple()[:2])

_UNANSWERABLE = (
    "it asks an object of the student's for something that can't be known from another process. "
    "Grade it by hand, or release the set again, so that the test runs in the student's process"
)


@dataclass(frozen=True)
class NotebookSubmission:
    """One submission to grade. `data` is None if nothing readable was handed in."""

    student: str
    data: bytes | None
    key: str
    notes: tuple[Note, ...] = ()

    @property
    def content(self) -> str:
        return content_of([self.data])


@dataclass(frozen=True)
class GradedNotebook:
    """The result of one notebook, and the autograded notebook as text."""

    result: Result
    notebook: str
    is_slowed: bool = False  # True if a busy machine may have cost it points with hidden tests


def first_run(
    submission: NotebookSubmission, assignment: Assignment, runner: SandboxedRunner, secret: bytes
) -> FirstRun | None:
    """Run one submission without hidden tests; return None if nothing readable was handed in."""
    start_time = time.perf_counter()
    reading = _read(submission)
    if not reading.readable:
        return None
    cells = _code_cells(match(assignment, reading.cells))
    run = runner.first_run(
        cells, seed(secret, assignment.name, submission.content), assignment.files
    )
    return replace(run, seconds=time.perf_counter() - start_time)


def grade(
    submission: NotebookSubmission,
    assignment: Assignment,
    runner: NotebookRunner,
    secret: bytes,
    sandbox: str = "",
    first: FirstRun | None = None,
) -> GradedNotebook:
    """Grade one submission. No content can keep this from returning.

    If its `first` run is given, only the hidden run is made.
    """
    start_time = time.perf_counter()
    reading = _read(submission)
    matching = match(assignment, reading.cells)
    run_seed = seed(secret, assignment.name, submission.content)
    run = _run(matching, runner, run_seed, assignment.files, reading.readable, first)
    cells = [_notebook_cell(i, cell) for i, cell in enumerate(matching.cells)]
    code_cells = [cell for cell in matching.cells if cell.plain.cell_type == "code"]
    for origin, cell, cell_run in zip(code_cells, _select_code(cells), run.cells, strict=True):
        cell["outputs"] = verdicts.all_outputs(cell_run, origin.role.is_test)
        cell["execution_count"] = cell_run.execution_count
    tests = {
        cell.origin.name: cell_run
        for cell, cell_run in zip(code_cells, run.cells, strict=True)
        if cell.origin and cell.role.is_test
    }
    faults = _find_faults(assignment, tests, runner, secret)
    notes = submission.notes + reading.notes + (matching.notes if reading.readable else ())
    incidents: tuple[Incident, ...] = ()
    if reading.readable:
        all_incidents = (*run.incidents, *_report_lost_verdicts(tests, run.incidents))
        incidents = called_functions.name_functions(all_incidents, assignment, matching.cells)
    result = Result(
        student=submission.student,
        assignment=assignment.name,
        key=submission.key,
        content=submission.content,
        cells=tuple(
            _scores(assignment, matching, cells, incidents, tests, faults, reading.readable)
        ),
        unanswered=tuple(_unanswered(matching, cells)) if reading.readable else (),
        notes=notes,
        incidents=incidents,
        seconds=time.perf_counter() - start_time + (first.seconds if first else 0.0),
        student_seconds=sum(cell.student_seconds for cell in run.cells),
        sandbox=sandbox,
        versions=versions(),
        limits=asdict(runner.limits),
        environment=environment.describe(),
    )
    return GradedNotebook(
        result, _notebook(assignment, cells, notes, reading.readable), run.is_slowed
    )


def seed(secret: bytes, assignment: str, content: str) -> bytes:
    """Return the seed of a submission's graded checks, which needs the course's secret."""
    return hmac.new(secret, f"{assignment}\0{content}".encode(), hashlib.sha256).digest()


def not_graded(
    submission: NotebookSubmission, assignment: Assignment, reason: str, has_run: bool = True
) -> GradedNotebook:
    """Return a result without points, for a submission on which the grader failed twice."""
    cells = tuple(
        CellResult(
            cell.name,
            assignment.exercise_of[cell.name].name,
            None,
            cell.points,
            reason,
            forgeable=cell.forgeable,
        )
        for cell in assignment.scored
    )
    incident = Incident(Incident.GRADER, "", reason)
    kind = "not graded" if has_run else NO_RUN
    notes = (*submission.notes, Note(kind, reason, needs_teacher=True))
    matching = match(assignment, ())
    notebook_cells = [_notebook_cell(i, cell) for i, cell in enumerate(matching.cells)]
    result = Result(
        submission.student,
        assignment.name,
        submission.key,
        submission.content,
        cells,
        (),
        notes,
        (incident,),
    )
    return GradedNotebook(result, _notebook(assignment, notebook_cells, notes, readable=False))


def _read(submission: NotebookSubmission) -> read_notebook.NotebookCells:
    if submission.data is None:
        return read_notebook.NotebookCells((), (), readable=False)
    return read_notebook.read(submission.data)


def _run(
    matching: MatchedNotebook,
    runner: NotebookRunner,
    seed: bytes,
    files: Sequence[File],
    readable: bool,
    first: FirstRun | None,
) -> NotebookRun:
    cells = _code_cells(matching)
    if not readable:
        return NotebookRun(tuple(CellRun() for _ in cells))
    if first is None:
        return runner.run(cells, seed, files)
    sandboxed = cast("SandboxedRunner", runner)  # it made the first run
    return sandboxed.hidden_run(first, cells, seed, files)


def _code_cells(matching: MatchedNotebook) -> list[Cell]:
    return [
        Cell(
            cell.role,
            cell.plain.source,
            _cell_name(cell, number),
            _released_source(cell),
            _max_points(cell),
        )
        for number, cell in enumerate(matching.cells, start=1)
        if cell.plain.cell_type == "code"
    ]


def _report_lost_verdicts(
    tests: dict[str, CellRun], incidents: Sequence[Incident]
) -> list[Incident]:
    """Return an incident for each test that has no verdict, unless the grader failed anyway."""
    if any(incident.kind == Incident.GRADER for incident in incidents):
        return []
    lost_tests = [name for name, run in tests.items() if run.verdict is None]
    return [Incident(Incident.GRADER, name, verdicts.LOST) for name in lost_tests]


def _released_source(cell: MatchedCell) -> str | None:
    return cell.origin.released if cell.origin else None


def _max_points(cell: MatchedCell) -> float:
    return cell.origin.points if cell.origin else 0.0


def _cell_name(cell: MatchedCell, number: int) -> str:
    return cell.origin.name if cell.origin else f"cell {number}"


def _select_code(cells: Sequence[dict]) -> list[dict]:
    return [cell for cell in cells if cell["cell_type"] == "code"]


def _notebook_cell(number: int, cell: MatchedCell) -> dict:
    plain = cell.plain
    new_cell: dict[str, object] = {
        "cell_type": plain.cell_type,
        "id": f"{number}-{plain.cell_id}"[:64].rstrip("-"),
        "metadata": cell.origin.metadata if cell.origin else {},
        "source": plain.source,
    }
    if plain.cell_type == "code":
        new_cell |= {"outputs": [], "execution_count": None}
    elif plain.attachments:
        new_cell["attachments"] = plain.attachments
    return new_cell


def _scores(
    assignment: Assignment,
    matching: MatchedNotebook,
    cells: list[dict],
    incidents: Sequence[Incident],
    tests: dict[str, CellRun],
    faults: dict[str, str],
    readable: bool,
) -> Iterator[CellResult]:
    """Yield a `CellResult` for each scored cell, in the order of the problem set."""
    silent_kinds = Incident.OUTPUT, Incident.HIDDEN  # kinds that are no reason for lost points
    reasons = {i.cell: describe_incident(i) for i in incidents if i.kind not in silent_kinds}
    by_name = {
        cell.origin.name: own_cell
        for cell, own_cell in zip(matching.cells, cells, strict=True)
        if cell.origin
    }
    for origin in assignment.scored:
        run, exercise = tests.get(origin.name), assignment.exercise_of[origin.name]
        picture = detail = fault = ""
        if not readable:
            points, message = 0.0, "The notebook that was handed in could not be read."
        elif origin.name not in by_name or not origin.graded:
            points, message = None, ""
        elif run is None:
            points, message = by_nbgrader(by_name[origin.name])
        else:
            points, message = score(by_name[origin.name], run.verdict, reasons.get(origin.name, ""))
            if message.startswith("NameError"):
                message = _explain_missing_name(by_name, exercise.solutions) or message
            picture = run.picture if message else ""
            detail = run.verdict.detail if run.verdict else ""
            fault = _shorten(faults.get(origin.name, ""))
            if fault:  # a faulty test costs no points: a human grades it
                points, message = None, ""
        texts = picture, _shorten(detail), fault
        yield CellResult(
            origin.name, exercise.name, points, origin.points, message, *texts,
            forgeable=origin.forgeable,
        )  # fmt: skip


def _find_faults(
    assignment: Assignment, tests: dict[str, CellRun], runner: NotebookRunner, secret: bytes
) -> dict[str, str]:
    """Return the error of each faulty test. The texts contain nothing that a student wrote."""
    suspects = {n: run.verdict for n, run in tests.items() if run.verdict and run.verdict.fault}
    faults = faulty_tests.find(assignment, suspects.keys(), runner, secret)
    for name, verdict in suspects.items():
        if verdict.missing and faulty_tests.lacks(assignment, verdict.missing):
            faults.setdefault(name, f"NameError: name {verdict.missing!r} is not defined")
    unanswerable = [n for n, run in tests.items() if run.verdict and run.verdict.unanswerable]
    return faults | dict.fromkeys(unanswerable, _UNANSWERABLE)


def _explain_missing_name(by_name: dict[str, dict], answers: Sequence[str]) -> str:
    """Return the error that stopped the answer's cell, or "" if none did."""
    for name in answers:
        for output in by_name.get(name, {}).get("outputs", ()):
            if output["output_type"] == "error":
                return _shorten(f"The answer's cell stopped: {_error(output)}")
    return ""


def score(cell: dict, verdict: Verdict | None, incident: str = "") -> tuple[float | None, str]:
    """Return a test's points, and why points were lost, from its verdict, not its outputs."""
    outputs = verdicts.outputs(verdict, None)
    points, message = by_nbgrader(cell | {"outputs": outputs})
    return points, message and (incident or message)


def by_nbgrader(cell: dict) -> tuple[float | None, str]:
    """Return points by nbgrader's own rule, and why points were lost."""
    try:
        points, max_points = nbgrader_rules.points(cell)
    except (ValueError, KeyError) as error:
        return None, f"The points that this test gave can't be read: {error}"
    if points is None or points >= max_points:
        return points, ""
    if CellMetadata.of(cell).solution:
        return points, "Not answered yet."
    return points, explain(cell.get("outputs", ()))


_ERROR_PLACE = re.compile(r"\(<[^<>]*>, (line \d+)\)")  # IPython's name of the cell, and a line
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def explain(outputs: Sequence[dict]) -> str:
    """Return the message of a failed test, without its traceback, which shows hidden tests."""
    for output in outputs:
        if output["output_type"] == "error":
            return _shorten(_error(output))
        if output["output_type"] == "execute_result" and (lines := output["data"].get(MESSAGES)):
            return _shorten("\n".join(lines))
    warnings = [o["text"] for o in outputs if o.get("name") == "stderr"]
    if warnings:
        return _shorten("The test printed a warning: " + "".join(warnings))
    return "Partly right."


def _error(output: dict) -> str:
    name, value = output.get("ename", ""), _ANSI.sub("", output.get("evalue", "")).strip()
    if name == "NotImplementedError" and not value:
        return "Not answered yet: the cell still raises NotImplementedError."
    if name == "AssertionError":
        return value or "A check failed; it gives no further explanation."
    if name in (CellTimeout.__name__, ConnectionClosed.__name__):  # our own text, not a student's
        return value[:1].upper() + value[1:]
    if name == "SyntaxError":
        value = _ERROR_PLACE.sub(r"(\1)", value) + f" (the grader runs Python {_PYTHON})"
    return f"{name}: {value}" if value else name


def _shorten(text: str) -> str:
    """Return a shorter message without control characters, which student code may have written."""
    text = _ANSI.sub("", sanitize.as_printed(text))
    return text if len(text) <= MAX_MESSAGE_CHARACTERS else text[:MAX_MESSAGE_CHARACTERS] + " …"


def _unanswered(matching: MatchedNotebook, cells: list[dict]) -> Iterator[str]:
    """Yield the solution cells that are still as released, by nbgrader's checksum."""
    for cell, own_cell in zip(matching.cells, cells, strict=True):
        if (
            cell.origin
            and cell.origin.solution
            and cell.origin.name not in matching.answered_elsewhere
        ):
            checksum = cell.origin.cell_metadata.checksum
            if checksum and checksum == nbgrader_rules.checksum(own_cell):
                yield cell.origin.name


def _notebook(
    assignment: Assignment, cells: list[dict], notes: Sequence[Note], readable: bool
) -> str:
    """Return the text of the autograded notebook, in the form that nbgrader writes."""
    if not readable:
        reasons = "\n".join(f"- {note.message}" for note in notes)
        text = f"**This submission could not be graded.**\n\n{reasons}"
        banner = {"cell_type": "markdown", "id": "not-graded", "metadata": {}, "source": text}
        cells = [banner, *cells]
    language = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"}
    metadata = {**assignment.metadata, "language_info": language}
    teacher_texts = {text for cell in assignment.cells for text in (cell.source, cell.released)}
    sanitized_cells = sanitize.cells(cells, teacher_texts)
    notebook = {"cells": sanitized_cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False)  # indenting is slow
