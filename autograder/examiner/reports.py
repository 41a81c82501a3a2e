"""Join an examiner's reports, one for each cell, to the run of the whole notebook."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.examiner import verdicts
from autograder.examiner.recording import clean
from autograder.examiner.two_runs import FirstEnd
from autograder.wire.contract import Cell, CellRun, Incident, NotebookRun

WAITED_SECONDS = 0.5  # shorter waits are normal: workers and the system need cores too
SHARE = 1 / 3  # of a cell's time

Reported = tuple[int, CellRun, list[Incident]]  # the cell's number, its run, and its incidents


@dataclass(frozen=True)
class FirstRun:
    """The reports of the first run of a notebook.

    `end` is None if no hidden run follows: nothing is hidden, or the run didn't finish.
    """

    reports: tuple[Reported, ...]
    end: FirstEnd | None
    seconds: float = 0.0  # including the time before and after the cells
    is_slowed: bool = False  # whether a busy machine may have cost points


def join_reports(reports: Iterable[Reported], cells: Sequence[Cell]) -> NotebookRun:
    """Return the run of a notebook; complete the reports if the examiner was stuck or ended.

    Each cell is reported once, and again with its hidden tests. For a lost verdict there are no
    points, and an incident tells the teacher.
    """
    first_runs: dict[int, CellRun] = {}
    second_runs: dict[int, CellRun] = {}
    incidents: list[Incident] = []
    for number, run, run_incidents in reports:
        if number not in first_runs:
            first_runs[number] = run
            incidents += run_incidents
        else:
            second_runs[number] = run
    runs = [_join_runs(cell, first_runs.get(n), second_runs.get(n)) for n, cell in enumerate(cells)]
    lost_cells = [cell for cell, run in zip(cells, runs, strict=True) if run is None]
    if lost_cells:
        incidents.append(_report_stuck(lost_cells[0].name))
    elif unknown := [
        c for n, c in enumerate(cells) if n not in second_runs and _hides(c, first_runs[n])
    ]:
        message = f"the hidden tests were stopped in the cell {unknown[0].name}, or before it"
        incidents.append(Incident(Incident.HIDDEN, unknown[0].name, message))
    runs_in_full = tuple(run or _not_run(cell) for cell, run in zip(cells, runs, strict=True))
    return NotebookRun(
        tuple(map(_make_writable, runs_in_full)), tuple(map(_make_writable, incidents))
    )


def is_slowed(reports: Iterable[Reported], cell_seconds: float) -> bool:
    """Return whether a busy machine may have cost this run points.

    Such a run waited for a core. In addition, a cell was stopped for its time, or a failed test had
    used more than `SHARE` of a cell's time.
    """
    waited, in_doubt = 0.0, False
    for _, run, incidents in reports:
        waited += run.seconds - run.own_seconds
        is_stopped = any(incident.kind == Incident.TIMEOUT for incident in incidents)
        is_close = run.own_seconds > SHARE * cell_seconds and _has_loss(run)
        in_doubt |= is_stopped or is_close
    return in_doubt and waited > WAITED_SECONDS


def _has_loss(run: CellRun) -> bool:
    return run.verdict is not None and bool(run.verdict.losses)


def _make_writable(value: Any) -> Any:
    """Return the same with text that UTF-8 can encode: student code can influence messages.

    Shown outputs have such text already.
    """
    if isinstance(value, str):
        return clean(str.__str__(value))
    if isinstance(value, tuple | list):
        return type(value)(map(_make_writable, value))
    if isinstance(value, dict):
        return {_make_writable(key): _make_writable(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: getattr(value, part.name) for part in dataclasses.fields(value)}
        outputs = parts.pop("shown", None)
        writable_parts = {name: _make_writable(part) for name, part in parts.items()}
        return type(value)(**writable_parts, **({} if outputs is None else {"shown": outputs}))
    return value


def _join_runs(cell: Cell, first: CellRun | None, second: CellRun | None) -> CellRun | None:
    """Join a cell's two runs; return None if the first is missing.

    If the second is missing, there are no points, and the same message as for a failed hidden test:
    another message would reveal something about the test.
    """
    if first is None or first.verdict is None or not _hides(cell, first):
        return first
    if second is None:
        return dataclasses.replace(first, verdict=verdicts.hidden_lost())
    return dataclasses.replace(
        first,
        verdict=verdicts.with_hidden(first.verdict, second.verdict),
        seconds=first.seconds + second.seconds,
        own_seconds=max(first.own_seconds, second.own_seconds),
        student_seconds=first.student_seconds + second.student_seconds,
    )


def _hides(cell: Cell, first: CellRun) -> bool:
    """Return whether the points of a cell depend on its hidden tests."""
    return cell.hides and first.verdict is not None and not first.verdict.error


def _report_stuck(name: str) -> Incident:
    message = f"the tests were stopped in the cell {name}, which did not come to an end"
    return Incident(Incident.GRADER, name, message)


def _not_run(cell: Cell) -> CellRun:
    verdict = verdicts.not_run("TimeoutError", _report_stuck(cell.name).message)
    if cell.role.is_test:
        return CellRun(verdict=verdict)
    return CellRun(tuple(verdicts.outputs(verdict, None)))
