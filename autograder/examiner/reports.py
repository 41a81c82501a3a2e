"""What an examiner has reported of a notebook, cell by cell -> the run of the whole notebook."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.examiner import verdicts
from autograder.examiner.recording import clean
from autograder.examiner.runs import FirstEnd
from autograder.wire.contract import Cell, CellRun, Incident, NotebookRun

WAITED_SECONDS = 0.5  # less says nothing: the grader's own workers and the system need cores, too
SHARE = 1 / 3

Reported = tuple[int, CellRun, list[Incident]]  # the cell's number, its run, and what it led to


@dataclass(frozen=True)
class FirstRun:
    """What the first run of a notebook reported.

    `end` is None where no hidden run follows: nothing is hidden, or it didn't come to its end.
    """

    reports: tuple[Reported, ...]
    end: FirstEnd | None
    seconds: float = 0.0  # with all that came before and behind the cells
    is_slowed: bool = False  # whether a busy machine may have cost points


def collected(reports: Iterable[Reported], cells: Sequence[Cell]) -> NotebookRun:
    """What the examiner has reported, completed where it was stuck or gone.

    Each cell is reported once, and with its hidden tests once more. Where a verdict was lost on
    the way, there are no points, and the teacher is told.
    """
    first: dict[int, CellRun] = {}
    second: dict[int, CellRun] = {}
    incidents: list[Incident] = []
    for number, run, more in reports:
        if number not in first:
            first[number] = run
            incidents += more
        else:
            second[number] = run
    runs = [_whole(cell, first.get(n), second.get(n)) for n, cell in enumerate(cells)]
    lost = [cell for cell, run in zip(cells, runs, strict=True) if run is None]
    if lost:
        incidents.append(_stuck(lost[0].name))
    elif unknown := [c for n, c in enumerate(cells) if n not in second and _hides(c, first[n])]:
        message = f"the hidden tests were stopped in the cell {unknown[0].name}, or before it"
        incidents.append(Incident(Incident.HIDDEN, unknown[0].name, message))
    whole = tuple(run or _not_run(cell) for cell, run in zip(cells, runs, strict=True))
    return NotebookRun(tuple(map(_writable, whole)), tuple(map(_writable, incidents)))


def is_slowed(reports: Iterable[Reported], cell_seconds: float) -> bool:
    """Return whether a busy machine may have cost this run points.

    Such a run waited for a core, and a cell was stopped for its time or a test failed that had used
    more than `SHARE` of a cell's time.
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


def _writable(told: Any) -> Any:
    """The same with text that can be written to a file as UTF-8: student code has had a say in
    messages and errors. What was shown is so already.
    """
    if isinstance(told, str):
        return clean(str.__str__(told))
    if isinstance(told, tuple | list):
        return type(told)(map(_writable, told))
    if isinstance(told, dict):
        return {_writable(key): _writable(value) for key, value in told.items()}
    if dataclasses.is_dataclass(told) and not isinstance(told, type):
        parts = {part.name: getattr(told, part.name) for part in dataclasses.fields(told)}
        shown = parts.pop("shown", None)
        made = {name: _writable(value) for name, value in parts.items()}
        return type(told)(**made, **({} if shown is None else {"shown": shown}))
    return told


def _whole(cell: Cell, first: CellRun | None, second: CellRun | None) -> CellRun | None:
    """A cell's two runs in one; None where the first is missing.

    Where the second is, no points are given, and no more is told than of a hidden test that failed:
    that it was stopped would say something of it.
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
    """Whether the points of a cell hang on its hidden tests."""
    return cell.hides and first.verdict is not None and not first.verdict.error


def _stuck(name: str) -> Incident:
    message = f"the tests were stopped in the cell {name}, which did not come to an end"
    return Incident(Incident.GRADER, name, message)


def _not_run(cell: Cell) -> CellRun:
    verdict = verdicts.not_run("TimeoutError", _stuck(cell.name).message)
    if cell.role.is_test:
        return CellRun(verdict=verdict)
    return CellRun(tuple(verdicts.outputs(verdict, None)))
