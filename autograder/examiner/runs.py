"""A notebook's two runs: one without hidden tests, of which all comes that is shown, one with.

The first runs of a whole class come before any hidden run: see `classroom.coordinator`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import hmac
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class FirstEnd:
    """What a hidden run must know of the first run of its notebook."""

    seconds_left: float  # for the hidden run
    fatal: frozenset[int]  # the numbers of the student's cells that ended their room
    stopped: frozenset[int]  # of the tests that had to be stopped
    too_late: dict[int, str]  # the cells that came when nothing could be run any more, and why


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
    """Make both runs of a notebook, the hidden one where some cell hides something.

    The student's room gets the `files`; the tests run in the folder `home`, where they lie. `begin`
    is called when both rooms are ready for the first cell.

    All that the student is shown comes of the first run, in which no hidden test takes part, so
    that it can tell nothing of one. The reports of the second run add verdicts. Both share the
    notebook's time; a part of it is the second's in any case, so that what came to its end in the
    first keeps its points whatever was stopped after it.
    """
    end = examine_first(door, limits, seed, cells, report, files, home, begin)
    if hides(cells):
        examine_hidden(door, limits, seed, cells, end, report, files, home)


def hides(cells: Sequence[Cell]) -> bool:
    """Whether the notebook needs a hidden run."""
    return any(cell.hides for cell in cells)


def examine_first(
    door: Door,
    limits: Limits,
    seed: bytes,
    cells: Sequence[Cell],
    report: Report,
    files: Sequence[File] = (),
    home: str = "",
    begin: Callable[[], None] = lambda: None,
) -> FirstEnd:
    """Run a notebook without hidden tests in this process, which is here for nothing else."""
    stopped: set[int] = set()
    too_late: dict[int, str] = {}

    def note(number: int, run: CellRun, incidents: list[Incident]) -> None:
        if run.verdict is not None and run.verdict.error in _STOPS:
            stopped.add(number)
        if too_late or first.stopped:
            too_late[number] = first.stopped or too_late[number - 1]
        report(number, run, incidents)

    seconds = limits.notebook_seconds
    with _settled(), at_home(home):
        first = Examiner(door, limits, seed, seconds, limits.notebook_output_bytes, files)
        first.check()
        begin()
        fatal = first.run(enumerate(map(_unhidden, cells)), note)
        left = max(first.seconds_left, KEPT_FOR_HIDDEN * seconds)
        first.leave()
    return FirstEnd(left, frozenset(fatal), frozenset(stopped), too_late)


def examine_hidden(
    door: Door,
    limits: Limits,
    seed: bytes,
    cells: Sequence[Cell],
    end: FirstEnd,
    report: Report,
    files: Sequence[File] = (),
    home: str = "",
    begin: Callable[[], None] = lambda: None,
) -> None:
    """Run a notebook with its hidden tests in this process; nothing that it shows is kept.

    A test that failed has no points to win, but later ones may need what it defines. What ended
    its room would leave nothing behind.
    """
    again = ((n, _curtailed(cell) if n in end.stopped else cell) for n, cell in enumerate(cells))
    left_out = end.fatal | end.too_late.keys()
    with _settled(), at_home(home):
        second = Examiner(door, limits, seed, end.seconds_left, 0, files)
        second.check()
        begin()
        second.run(((n, cell) for n, cell in again if n not in left_out), report)
    for number, why in end.too_late.items():
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
