"""Time for the teacher's own solution: more than students have, and what to say when it runs out.

Where the machine is busy, a right solution may be stopped at the limit of a student's cell: what a
process waits for a core is not its own time, but that is made up for to a bound only, and on a busy
machine everything takes longer. So the teacher's solution has several times as long. If it needs
more than students have, that is said, for students who answer like that would be stopped.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
from collections.abc import Iterable, Iterator, Sequence

import psutil

from autograder.wire.contract import Cell, CellRun, Incident, Limits, NotebookRun

PATIENCE = 6  # times the seconds that students have
MORE_PATIENCE = 60  # where the machine, and not the cell, used them up


@contextlib.contextmanager
def more_time(rooms, times: int = PATIENCE) -> Iterator[Limits]:
    """Give what runs in the rooms so many times its seconds; yield the limits as they were."""
    limits = rooms.limits
    rooms.limits = dataclasses.replace(
        limits,
        cell_seconds=times * limits.cell_seconds,
        notebook_seconds=times * limits.notebook_seconds,
        cpu_seconds=times * limits.cpu_seconds,
    )
    try:
        yield limits
    finally:
        rooms.limits = limits


def stopped_cells(cells: Sequence[Cell], run: NotebookRun) -> dict[int, str]:
    """Return the places of the cells that ran out of time, and a sentence on each.

    Behind the first of them nothing can be said of a solution.
    """
    timeouts = {each.cell for each in run.incidents if each.kind == Incident.TIMEOUT}
    sentences = {}
    for place, (cell, one) in enumerate(zip(cells, run.cells, strict=True)):
        text = _text(one)
        if cell.name in timeouts or f"the cell {cell.name} ran longer than" in text:
            sentences[place] = f"the cell {cell.name!r} of your own solution was stopped after {{}}"
        elif "the notebook had used up its" in text:
            sentences[place] = f"your own solution was stopped before the cell {cell.name!r}"
            break
    return {place: _filled(sentence, run.cells[place]) for place, sentence in sentences.items()}


def was_waiting(run: NotebookRun, stopped: Iterable[int], limits: Limits) -> bool:
    """Return whether a cell was stopped that had mostly waited: it used under half of its time."""
    half = PATIENCE * limits.cell_seconds / 2
    return any(run.cells[place].own_seconds < half for place in stopped)


def _filled(text: str, run: CellRun) -> str:
    return text.format(f"{run.own_seconds:.1f} s of its own ({run.seconds:.1f} s by the clock)")


def _text(run: CellRun) -> str:
    """Return what the examiner said of a cell, to students or to the teacher alone."""
    errors = [output["evalue"] for output in run.shown if output["output_type"] == "error"]
    if run.verdict is None:
        return "\n".join(errors)
    return "\n".join([*errors, run.verdict.detail, *(loss.message for loss in run.verdict.losses)])


def why_stopped(limits: Limits, times: int = PATIENCE) -> str:
    """Return how long students have, how busy the machine is, and what to do."""
    students = (
        f"answers have {limits.cell_seconds:g} s for a cell and {limits.notebook_seconds:g} s for "
        f"a notebook, and your own solution had {times} times as long"
    )
    load, cores = _load(), _cores()
    machine = f"the load of this machine is {load:.1f} on {cores} core{'s' if cores > 1 else ''}"
    if load > cores:
        todo = "try again when the machine is quiet, or give cells more time with --cell-seconds"
        return f"{students}. This machine is busy: {machine}; {todo}"
    todo = "see whether the cell comes to its end, or give cells more time with --cell-seconds"
    return f"{students}. This machine is not busy: {machine}; {todo}"


def notes(cells: Sequence[Cell], run: NotebookRun, limits: Limits) -> list[str]:
    """Return a warning for each cell that came to its end in more seconds than students have."""
    warnings = []
    for cell, one in zip(cells, run.cells, strict=True):
        if one.own_seconds > limits.cell_seconds:
            warnings.append(
                f"the cell {cell.name!r} of your own solution took {one.own_seconds:.1f} s, "
                f"without what it waited for a core, and answers have {limits.cell_seconds:g} s: "
                "an answer like yours would be stopped. Make it faster, or give answers "
                f"--cell-seconds {_twice(one.own_seconds)}"
            )
    total = sum(one.own_seconds for one in run.cells)
    if total > limits.notebook_seconds:
        warnings.append(
            f"your own solution took {total:.1f} s in total, without what it waited for a core, "
            f"and a notebook has {limits.notebook_seconds:g} s: answers like yours would be "
            f"stopped. Make it faster, or give answers --notebook-seconds {_twice(total)}"
        )
    return warnings


def _twice(seconds: float) -> int:
    return 10 * math.ceil(2 * seconds / 10)


def _load() -> float:
    """Return the average number of processes that ran, or wanted to, in the last minute."""
    try:
        return psutil.getloadavg()[0]
    except OSError:
        return 0.0


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
