"""Make a notebook's two runs: without hidden tests, for students to see, and with them.

The first runs of a whole class come before any hidden run: see `classroom.running.coordinator`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hmac
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from autograder.examiner import testcell, verdicts
from autograder.examiner.examiner import Examiner, Report
from autograder.examiner.student_process import Door
from autograder.examiner.working_folder import enter_working_folder
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import ConnectionClosed
from autograder.wire.contract import KEPT_FOR_HIDDEN, Cell, CellRun, Incident, Limits
from autograder.wire.files import File

_STOPS = (CellTimeout.__name__, ConnectionClosed.__name__)


def derive_student_entropy(seed: bytes) -> bytes:
    """Return the entropy of the student's own random numbers."""
    return hmac.digest(seed, b"the student's own randomness", "sha256")


@dataclass(frozen=True)
class FirstEnd:
    """The data of a notebook's first run that its hidden run needs."""

    seconds_left: float  # for the hidden run
    fatal: frozenset[int]  # the numbers of the student's cells that ended their process
    stopped: frozenset[int]  # the numbers of tests that had to be stopped
    too_late: dict[int, str]  # cells that could not run any more, and the reason


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
    """Make both runs of a notebook; the hidden run only if a cell has a hidden test.

    The student process gets the `files`; the tests run in the folder `home`, which contains them.
    `begin` is called when both processes are ready for the first cell.

    Students see only results of the first run. No hidden test takes part in it, so these results
    can't reveal one. The reports of the second run add verdicts. Both share the notebook's time,
    but a part of it is reserved for the second run. So tests that finished in the first run keep
    their points, even if later cells were stopped.
    """
    end = examine_first(door, limits, seed, cells, report, files, home, begin)
    if has_hidden_tests(cells):
        examine_hidden(door, limits, seed, cells, end, report, files, home)


def has_hidden_tests(cells: Sequence[Cell]) -> bool:
    """Return whether the notebook needs a hidden run."""
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
    """Run a notebook without hidden tests in this process, which has no other task."""
    stopped: set[int] = set()
    too_late: dict[int, str] = {}

    def note(number: int, run: CellRun, incidents: list[Incident]) -> None:
        if run.verdict is not None and run.verdict.error in _STOPS:
            stopped.add(number)
        if too_late or examiner.stopped:
            too_late[number] = examiner.stopped or too_late[number - 1]
        report(number, run, incidents)

    seconds = limits.notebook_seconds
    with _set_up(), enter_working_folder(home):
        examiner = Examiner(door, limits, seed, seconds, limits.notebook_output_bytes, files)
        examiner.check()
        begin()
        fatal_numbers = examiner.run(enumerate(map(_hide_tests, cells)), note)
        seconds_left = max(examiner.seconds_left, KEPT_FOR_HIDDEN * seconds)
        examiner.leave()
    return FirstEnd(seconds_left, frozenset(fatal_numbers), frozenset(stopped), too_late)


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
    """Run a notebook with its hidden tests in this process; drop all outputs.

    A failed test can win no points, but later tests may need its definitions. Cells that ended
    the student process are left out: they would define nothing.
    """
    pairs = ((n, _curtail(cell) if n in end.stopped else cell) for n, cell in enumerate(cells))
    left_out = end.fatal | end.too_late.keys()
    with _set_up(), enter_working_folder(home):
        examiner = Examiner(door, limits, seed, end.seconds_left, 0, files)
        examiner.check()
        begin()
        examiner.run(((n, cell) for n, cell in pairs if n not in left_out), report)
    for number, why in end.too_late.items():
        verdict = verdicts.not_run("ConnectionClosed", f"not run: {why}")
        report(number, CellRun(verdict=verdict), [])


def _hide_tests(cell: Cell) -> Cell:
    visible_source = cell.released if cell.hides else None
    return cell if visible_source is None else dataclasses.replace(cell, source=visible_source)


def _curtail(cell: Cell) -> Cell:
    """Return a stopped test with its definitions only: otherwise it would be stopped again."""
    source = testcell.curtail(cell.source, f"<{cell.name}>")
    return dataclasses.replace(cell, source=source)


@contextlib.contextmanager
def _set_up() -> Iterator[None]:
    """Set this process up as an examiner, and restore its settings: it may not be forked."""
    old_backend = os.environ.get("MPLBACKEND")
    os.environ["MPLBACKEND"] = "agg"
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].switch_backend("agg")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings would show lines of the tests
            yield
    finally:
        os.environ.pop("MPLBACKEND", None)
        if old_backend is not None:
            os.environ["MPLBACKEND"] = old_backend
