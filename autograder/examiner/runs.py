"""A notebook's two runs: one without hidden tests, of which all comes that is shown, one with."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import hmac
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence

from autograder.examiner import testcell, verdicts
from autograder.examiner.examiner import Examiner, Report
from autograder.examiner.home import at_home
from autograder.examiner.otherroom import Door
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import RoomClosed
from autograder.wire.contract import KEPT_FOR_HIDDEN, Cell, CellRun, Incident, Limits
from autograder.wire.files import File

RARELY = 50_000  # objects between two collections: a test seldom leaves that many
_STOPS = (CellTimeout.__name__, RoomClosed.__name__)


def students_entropy(seed: bytes) -> bytes:
    """What the student's own randomness is made of."""
    return hmac.digest(seed, b"the student's own randomness", "sha256")


def examine(
    door: Door,
    limits: Limits,
    seed: bytes,
    cells: Sequence[Cell],
    report: Report,
    files: Sequence[File] = (),
    home: str = "",
    begin: Callable[[], None] = lambda: None,
) -> None:
    """Run a notebook in this process, which is here for nothing else.

    The student's room gets the `files`; the tests run in the folder `home`, where they lie. `begin`
    is called when both rooms are ready for the first cell.

    All that the student is shown comes of a first run, in which no hidden test takes part, so that
    it can tell nothing of one. The second run is made where some cell hides something; its reports
    add verdicts. Both share the notebook's time; a part of it is the second's in any case, so that
    what came to its end in the first keeps its points whatever was stopped after it.
    """
    with _settled(), at_home(home):
        _examine(door, limits, seed, cells, report, files, begin)


def _examine(door, limits, seed, cells, report, files, begin) -> None:
    stopped: set[int] = set()
    too_late: dict[int, str] = {}  # and why

    def note(number: int, run: CellRun, incidents: list[Incident]) -> None:
        if run.verdict is not None and run.verdict.error in _STOPS:
            stopped.add(number)
        if too_late or first.stopped:
            too_late[number] = first.stopped or too_late[number - 1]
        report(number, run, incidents)

    seconds = limits.notebook_seconds
    first = Examiner(door, limits, seed, seconds, limits.notebook_output_bytes, files)
    first.check()
    begin()
    fatal = first.run(enumerate(map(_unhidden, cells)), note)
    left = max(first.seconds_left, KEPT_FOR_HIDDEN * seconds)
    first.leave()
    if not any(cell.hides for cell in cells):
        return
    second = Examiner(door, limits, seed, left, 0, files)
    second.check()
    # A test that failed has no points to win, but later ones may need what it defines. What ended
    # its room would leave nothing behind.
    again = ((n, _curtailed(cell) if n in stopped else cell) for n, cell in enumerate(cells))
    second.run(((n, c) for n, c in again if n not in fatal and n not in too_late), report)
    for number, why in too_late.items():
        lost = verdicts.not_run("RoomClosed", f"not run: {why}")
        report(number, CellRun(verdict=lost), [])


def _unhidden(cell: Cell) -> Cell:
    seen = cell.released if cell.hides else None
    return cell if seen is None else dataclasses.replace(cell, source=seen)


def _curtailed(cell: Cell) -> Cell:
    """A test that had to be stopped, with its definitions alone: it would have to be once more."""
    source = testcell.curtailed(cell.source, f"<{cell.name}>")
    return dataclasses.replace(cell, source=source)


@contextlib.contextmanager
def _settled() -> Iterator[None]:
    """Within, this process is an examiner's. Where it wasn't forked for that, it goes on after."""
    before, often = os.environ.get("MPLBACKEND"), gc.get_threshold()
    os.environ["MPLBACKEND"] = "agg"
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].switch_backend("agg")
    gc.set_threshold(RARELY)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they would show lines of the tests
            yield
    finally:
        gc.set_threshold(*often)
        os.environ.pop("MPLBACKEND", None)
        if before is not None:
            os.environ["MPLBACKEND"] = before
