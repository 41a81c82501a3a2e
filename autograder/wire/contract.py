"""The input and output of the two processes: plain frozen values without behaviour."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder.wire.files import File

MESSAGES = "application/vnd.dplab.messages+json"  # next to the points in a test cell's output


class Role(enum.Enum):
    """The author of a cell's code, which decides the process where the cell runs."""

    STUDENT = "student"  # the student's own code: only in the student process
    BOTH = "both"  # locked but not graded (imports, data): the same source in both processes
    EXAMINER = "examiner"  # an autograded test: only in the examiner process
    FORGEABLE = "forgeable"  # a test that the teacher allows to run only in the student process

    @property
    def is_test(self) -> bool:
        return self in (Role.EXAMINER, Role.FORGEABLE)

    @property
    def is_away(self) -> bool:
        """True if the cell runs only in the student process."""
        return self in (Role.STUDENT, Role.FORGEABLE)


@dataclass(frozen=True)
class Cell:
    """A code cell to run. `name` is its grade_id, or "cell 7" for a cell without one."""

    role: Role
    source: str
    name: str
    released: str | None = None  # a test's text in the students' version, if it is different
    most: float = 0.0  # points that a forgeable test can give

    @property
    def hides(self) -> bool:
        """True for a test with parts that students don't have."""
        differs = self.released is not None and self.released != self.source
        return differs and self.role is Role.EXAMINER


KEPT_FOR_HIDDEN = 1 / 4  # of a notebook's seconds, reserved for the run with hidden tests


@dataclass(frozen=True)
class Limits:
    """The limits of one submission: seconds by the clock, seconds of processor time, bytes."""

    cell_seconds: float = 10.0
    notebook_seconds: float = 120.0
    grace_seconds: float = 4.0  # from an interruption to the process' end; at most cell_seconds
    cpu_seconds: int = 100
    memory_bytes: int = 2 << 30
    processes: int = 64
    file_bytes: int = 64 << 20
    open_files: int = 256
    output_bytes: int = 1 << 20  # text, pictures and errors of one cell together
    notebook_output_bytes: int = 8 << 20  # of all cells together
    message_bytes: int = 64 << 20  # one value that crosses between the two processes
    replays: int = 3  # new student processes, for a notebook that ended its process


@dataclass(frozen=True)
class Incident:
    """Something that the two processes had to stop. `kind` is one of the constants below."""

    kind: str
    cell: str  # the name of the cell that was running, "" when none was
    message: str

    TIMEOUT = "timeout"  # a cell was interrupted, or its process ended, at the deadline
    DIED = "died"  # the student process ended by itself: os._exit, a crash, a signal
    MEMORY = "memory"  # a cell wanted more memory than the limit
    OUTPUT = "output-limit"  # output beyond the limit was dropped
    PROTOCOL = "protocol"  # a message from the student process was malformed, forged or too long
    EXIT = "exit"  # sys.exit, exit or quit ended a cell
    GRADER = "grader"  # the grader itself failed; never the student's doing
    HIDDEN = "hidden"  # the results of hidden tests were lost: only for the teacher


@dataclass(frozen=True)
class LostPoints:
    """The reason why a test, or a part of it, gave no points. `hint` is the teacher's own text."""

    message: str
    hint: str = ""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a test. Only the examiner writes it, and points follow from nothing else.

    If it is `forgeable`, the examiner took the result, within bounds, from the student process.

    `losses` is empty for a test that passed. `error` is the class of the error that ended it, "" if
    it ran to its end. `result` is then the value of its last line, by type, from which nbgrader
    takes partial credit. `detail`, for the teacher, has the messages of hidden parts. `fault` is an
    error that may be the test's own. The notebook may have forged it, so it counts only if the test
    ends in the same way for the problem set's own solution. The message is then from that run.
    `missing` is a name that neither a test nor the notebook defines. A test is `unanswerable` if it
    asked something that can't be known from another process. It decides nothing: a human grades.
    """

    losses: tuple[LostPoints, ...] = ()
    error: str = ""
    traceback: tuple[str, ...] = ()
    result: dict | None = None
    detail: str = ""
    fault: str = ""
    missing: str = ""
    forgeable: bool = False
    unanswerable: bool = False


@dataclass(frozen=True)
class CellRun:
    """The outputs of one cell in nbformat 4 form, its cost in time, and the verdict of a test."""

    shown: tuple[dict, ...] = ()
    execution_count: int | None = None
    student_seconds: float = 0.0  # spent waiting for the student process
    seconds: float = 0.0  # in total
    own_seconds: float = 0.0  # without waiting for a core; the longer of two runs
    picture: str = ""  # SVG, drawn by a test to show why it failed
    verdict: Verdict | None = None  # None for other cells than tests, and for a lost verdict


@dataclass(frozen=True)
class NotebookRun:
    """One `CellRun` for each `Cell`, in the same order, and the incidents of the run."""

    cells: tuple[CellRun, ...]
    incidents: tuple[Incident, ...] = ()
    is_slowed: bool = False  # a busy machine may have cost it points of hidden tests


class NotebookRunner(Protocol):
    """Runs notebooks: in both processes, or in a replacement for them that grades nobody."""

    limits: Limits

    def run(self, cells: Sequence[Cell], seed: bytes, files: Sequence[File] = ()) -> NotebookRun:
        """Run the cells in order, each where its role says."""
