"""What student cells show, without anything that a student may have learned from hidden tests.

A hidden test calls the student's functions. These can keep what they were called with, in a
variable, a file or another process, for a later cell to show. So what cells of the student's show
after the first hidden test comes from a second run, in which no hidden test takes part.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from autograder.wire.contract import Cell, CellRun, Incident, NotebookRun, Role

# After one of these a second run would cost as much again, and show little.
_STOPPED = {Incident.TIMEOUT, Incident.DIED, Incident.MEMORY, Incident.PROTOCOL, Incident.GRADER}


def run(rooms, cells: Sequence[Cell], released: Sequence[str], seed: bytes) -> NotebookRun:
    """Run the cells; `released` has the text of each without hidden tests.

    Points and outputs of tests are of the run with hidden tests. A second run is made only where
    a later cell of the student's shows something, and after something had to be stopped the
    grader's own words stand in its place.
    """
    done = rooms.run(cells, seed)
    late = _showing_late(cells, released, done)
    if not late:
        return done
    if any(incident.kind in _STOPPED for incident in done.incidents):
        shown = {number: _withheld(done.cells[number]) for number in late}
    else:
        plain = [
            dataclasses.replace(cell, source=text)
            for cell, text in zip(cells, released, strict=True)
        ]
        again = rooms.run(plain, seed).cells
        shown = {number: again[number].outputs for number in late}
    runs = (
        dataclasses.replace(cell, outputs=shown.get(number, cell.outputs))
        for number, cell in enumerate(done.cells)
    )
    return dataclasses.replace(done, cells=tuple(runs))


def _showing_late(cells: Sequence[Cell], released: Sequence[str], done: NotebookRun) -> list[int]:
    """The cells with outputs that are no test and come after the first hidden test."""
    sources = [cell.source for cell in cells]
    pairs = enumerate(zip(sources, released, strict=True))
    first = next((number for number, (full, seen) in pairs if full != seen), len(cells))
    return [
        number
        for number in range(first, len(cells))
        if cells[number].role is not Role.EXAMINER and done.cells[number].outputs
    ]


def _withheld(cell: CellRun) -> tuple[dict, ...]:
    """Errors by their kind alone, and a line in the place of everything else."""
    text = "[not shown: something in this notebook had to be stopped after hidden tests had run]\n"
    line = {"output_type": "stream", "name": "stdout", "text": text}
    errors = [
        {**output, "evalue": "", "traceback": [output["ename"]]}
        for output in cell.outputs
        if output["output_type"] == "error" and output["ename"] in _KINDS
    ]
    return (*[line] * (len(errors) < len(cell.outputs)), *errors)


_KINDS = {"CellTimeout", "MemoryError", "RoomClosed", "SyntaxError", "NameError", "TypeError"}
