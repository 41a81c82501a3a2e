"""What goes into the two rooms and what comes out: plain frozen values, no behaviour."""

from __future__ import annotations

import enum
from dataclasses import dataclass

MESSAGES = "application/vnd.dplab.messages+json"  # beside the points, in a test cell's output


class Role(enum.Enum):
    """Whose code a cell is, and so in which room it runs."""

    STUDENT = "student"  # the student's own code: the student's room alone
    BOTH = "both"  # locked but not graded (imports, data): the same source in both rooms
    EXAMINER = "examiner"  # an autograded test: the examiner's room alone
    FORGEABLE = "forgeable"  # a test that the teacher lets run in the student's room alone

    @property
    def is_test(self) -> bool:
        return self in (Role.EXAMINER, Role.FORGEABLE)

    @property
    def is_away(self) -> bool:
        """Whether it runs in the student's room and nowhere else."""
        return self in (Role.STUDENT, Role.FORGEABLE)


@dataclass(frozen=True)
class Cell:
    """A code cell to run. `name` is its grade_id, or "cell 7" for a cell without one."""

    role: Role
    source: str
    name: str
    released: str | None = None  # a test's text as students have it, where that is another one
    most: float = 0.0  # points that a forgeable test can give

    @property
    def hides(self) -> bool:
        """Whether it is a test with parts that students don't have."""
        differs = self.released is not None and self.released != self.source
        return differs and self.role is Role.EXAMINER


KEPT_FOR_HIDDEN = 1 / 4  # of a notebook's seconds: the run with hidden tests has them in any case


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds by the clock, seconds of processor time, bytes."""

    cell_seconds: float = 10.0
    notebook_seconds: float = 120.0
    grace_seconds: float = 4.0  # between interrupting a cell and closing its room, or cell_seconds
    cpu_seconds: int = 100
    memory_bytes: int = 2 << 30
    processes: int = 64
    file_bytes: int = 64 << 20
    open_files: int = 256
    output_bytes: int = 1 << 20  # text, pictures and errors of one cell together
    notebook_output_bytes: int = 8 << 20  # of all cells together
    message_bytes: int = 64 << 20  # one value that crosses between the rooms
    replays: int = 3  # new rooms for a notebook that ended its own


@dataclass(frozen=True)
class Incident:
    """Something the rooms had to stop. `kind` is one of the constants below."""

    kind: str
    cell: str  # the name of the cell that was running, "" when none was
    message: str

    TIMEOUT = "timeout"  # a cell was interrupted, or its room closed, at the deadline
    DIED = "died"  # the student's room ended by itself: os._exit, a crash, a signal
    MEMORY = "memory"  # a cell wanted more memory than the limit
    OUTPUT = "output-limit"  # output beyond the limit was dropped
    PROTOCOL = "protocol"  # a message from the student's room was malformed, forged or too long
    EXIT = "exit"  # sys.exit, exit or quit ended a cell
    GRADER = "grader"  # the grader itself failed; never the student's doing
    HIDDEN = "hidden"  # what hidden tests came to was lost: for the teacher alone


@dataclass(frozen=True)
class Loss:
    """Why a test, or a part of one, gave no points. `hint` is the teacher's own, fixed text."""

    message: str
    hint: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a test came to, written by the examiner alone: points follow from it and nothing else.

    Where it is `forgeable`, the examiner wrote down, within bounds, what the student's room said.

    `losses` is empty for a test that passed. `error` is the class of what ended it, "" where it
    came to its end; `result` is then what its last line evaluated to, by type, from which nbgrader
    takes partial credit. `detail` is for the teacher: what hidden parts said. `fault` is an error
    that may be the test's own: the notebook may have forged it, so it counts only where the test
    ends so for the problem set's own solution, too, and then it is told of that run. `missing` is a
    name that neither a test nor the notebook defines.
    """

    losses: tuple[Loss, ...] = ()
    error: str = ""
    traceback: tuple[str, ...] = ()
    result: dict | None = None
    detail: str = ""
    fault: str = ""
    missing: str = ""
    forgeable: bool = False


@dataclass(frozen=True)
class CellRun:
    """What one cell showed, in nbformat 4 form, what it cost, and of a test its verdict."""

    shown: tuple[dict, ...] = ()
    execution_count: int | None = None
    student_seconds: float = 0.0  # spent waiting for the student's room
    seconds: float = 0.0  # in all
    own_seconds: float = 0.0  # of them, not waiting for a core; of two runs the longer
    picture: str = ""  # SVG, drawn by a test to show why it failed
    verdict: Verdict | None = None  # None for a cell that is no test, and where it was lost


@dataclass(frozen=True)
class NotebookRun:
    """One `CellRun` for each `Cell`, in the same order, and what had to be stopped on the way."""

    cells: tuple[CellRun, ...]
    incidents: tuple[Incident, ...] = ()
    is_slowed: bool = False  # whether a busy machine may have cost it points with hidden tests
