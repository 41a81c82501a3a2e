"""Give the teacher's own solution more time than students have; explain if that is too little.

On a busy machine a right solution may reach the time limit of a student's cell. A limit leaves out
the time that a process waits for a processor core, but only up to a bound, and everything takes
longer on a busy machine. So the teacher's solution may take several times as long. If it takes
longer than students' answers may, the teacher gets a warning: such an answer would be stopped.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
from collections.abc import Iterable, Iterator, Sequence

import psutil

from autograder.wire.contract import Cell, CellRun, Incident, Limits, NotebookRun, NotebookRunner

PATIENCE = 6  # the teacher's solution may take so many times as long
MORE_PATIENCE = 60  # for a second run, if a cell was stopped while it waited for the machine


@contextlib.contextmanager
def more_time(runner: NotebookRunner, times: int = PATIENCE) -> Iterator[Limits]:
    """Multiply the runner's time limits while the `with` block runs; yield the old limits."""
    limits = runner.limits
    runner.limits = dataclasses.replace(
        limits,
        cell_seconds=times * limits.cell_seconds,
        notebook_seconds=times * limits.notebook_seconds,
        cpu_seconds=times * limits.cpu_seconds,
    )
    try:
        yield limits
    finally:
        runner.limits = limits


def stopped_cells(cells: Sequence[Cell], run: NotebookRun) -> dict[int, str]:
    """Return the places of the cells that ran out of time, each with a sentence about the cell.

    The run says nothing about the solution after the first of these cells.
    """
    timeouts = {incident.cell for incident in run.incidents if incident.kind == Incident.TIMEOUT}
    sentences = {}
    for place, (cell, cell_run) in enumerate(zip(cells, run.cells, strict=True)):
        text = _messages(cell_run)
        if cell.name in timeouts or f"the cell {cell.name} ran longer than" in text:
            sentences[place] = f"the cell {cell.name!r} of your own solution was stopped after {{}}"
        elif "the notebook had used up its" in text:
            sentences[place] = f"your own solution was stopped before the cell {cell.name!r}"
            break
    return {place: _add_times(sentence, run.cells[place]) for place, sentence in sentences.items()}


def was_waiting(run: NotebookRun, stopped: Iterable[int], limits: Limits) -> bool:
    """Return whether one of the stopped cells used less than half of its time.

    Such a cell has mostly waited for a processor core.
    """
    half = PATIENCE * limits.cell_seconds / 2
    return any(run.cells[place].own_seconds < half for place in stopped)


def _add_times(text: str, run: CellRun) -> str:
    return text.format(f"{run.own_seconds:.1f} s of its own ({run.seconds:.1f} s by the clock)")


def _messages(run: CellRun) -> str:
    """Return the examiner's messages about a cell, also messages for the teacher alone."""
    errors = [output["evalue"] for output in run.shown if output["output_type"] == "error"]
    if run.verdict is None:
        return "\n".join(errors)
    return "\n".join([*errors, run.verdict.detail, *(loss.message for loss in run.verdict.losses)])


def why_stopped(limits: Limits, times: int = PATIENCE) -> str:
    """Return a text that says how long students have, how busy this machine is, and what to do."""
    limits_text = (
        f"answers have {limits.cell_seconds:g} s for a cell and {limits.notebook_seconds:g} s for "
        f"a notebook, and your own solution had {times} times as long"
    )
    load, cores = _load(), _cores()
    load_text = f"the load of this machine is {load:.1f} on {cores} core{'s' if cores > 1 else ''}"
    if load > cores:
        advice = "try again when the machine is quiet, or give cells more time with --cell-seconds"
        return f"{limits_text}. This machine is busy: {load_text}; {advice}"
    advice = "check that the cell ends by itself, or give cells more time with --cell-seconds"
    return f"{limits_text}. This machine is not busy: {load_text}; {advice}"


def notes(cells: Sequence[Cell], run: NotebookRun, limits: Limits) -> list[str]:
    """Return a warning for each cell that took longer than students have, and for all together."""
    warnings = []
    for cell, cell_run in zip(cells, run.cells, strict=True):
        if cell_run.own_seconds > limits.cell_seconds:
            warnings.append(
                f"the cell {cell.name!r} of your own solution took {cell_run.own_seconds:.1f} s, "
                "without the time it waited for a processor core, and answers have "
                f"{limits.cell_seconds:g} s: an answer like yours would be stopped. Make yours "
                "faster, or give answers more time with "
                f"--cell-seconds {_enough_seconds(cell_run.own_seconds)}"
            )
    total = sum(cell_run.own_seconds for cell_run in run.cells)
    if total > limits.notebook_seconds:
        warnings.append(
            f"your own solution took {total:.1f} s in total, without the time it waited for a "
            f"processor core, and a notebook has {limits.notebook_seconds:g} s: answers like yours "
            "would be stopped. Make yours faster, or give answers more time with "
            f"--notebook-seconds {_enough_seconds(total)}"
        )
    return warnings


def _enough_seconds(seconds: float) -> int:
    """Return twice as many seconds, rounded up to a multiple of 10."""
    return 10 * math.ceil(2 * seconds / 10)


def _load() -> float:
    """Return the average number of processes that ran or waited for a core in the last minute."""
    try:
        return psutil.getloadavg()[0]
    except OSError:
        return 0.0


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
