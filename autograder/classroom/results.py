"""What grading one submission gave, as it is kept in COURSE/.autograder/results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.classroom.environment import is_faulty
from autograder.classroom.folders import Course, write_atomically
from autograder.classroom.submission import Note
from autograder.wire.contract import Incident


@dataclass(frozen=True)
class CellResult:
    """A graded cell. `points` is None until a human has graded it."""

    name: str
    exercise: str
    points: float | None
    max_points: float
    message: str = ""  # why points were lost
    picture: str = ""  # SVG that shows it
    detail: str = ""  # what a hidden test said, for the teacher alone
    fault: str = ""  # an error of the test's own, for the teacher alone
    forgeable: bool = False  # it ran in the student's room

    @property
    def full(self) -> bool:
        return self.points is not None and self.points >= self.max_points


@dataclass(frozen=True)
class Result:
    """One graded submission. `key` says of which content, problem set and settings it is."""

    student: str
    assignment: str
    key: str
    content: str  # SHA-256 of what was handed in
    cells: tuple[CellResult, ...]
    unanswered: tuple[str, ...] = ()  # solution cells left as released
    notes: tuple[Note, ...] = ()
    incidents: tuple[Incident, ...] = ()
    seconds: float = 0.0  # in all, in the worker
    student_seconds: float = 0.0  # of them, waiting for the student's own code
    sandbox: str = ""
    versions: dict[str, str] = field(default_factory=dict)  # of what graded it
    limits: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)  # see `environment.describe`
    notebooks: tuple[str, ...] = ()  # of the set, where it isn't the one that is called as the set
    release: str = ""  # the digest of the problem set that graded it

    @property
    def points(self) -> float:
        return sum(cell.points or 0.0 for cell in self.cells)

    def points_of(self, notebook: str) -> float:
        """Of one notebook of several; of all without a name."""
        return self.part(notebook).points if notebook else self.points

    def part(self, notebook: str) -> Result:
        """Of several notebooks one, its cells named as they are in it."""
        start = f"{notebook}/"
        own = [cell for cell in self.cells if cell.name.startswith(start)]
        happened = [i for i in self.incidents if i.cell.startswith(start)]
        return replace(
            self,
            cells=tuple(
                replace(c, name=c.name.removeprefix(start), exercise=c.exercise.removeprefix(start))
                for c in own
            ),
            unanswered=tuple(n.removeprefix(start) for n in self.unanswered if n.startswith(start)),
            notes=tuple(note for note in self.notes if note.notebook in ("", notebook)),
            incidents=tuple(replace(i, cell=i.cell.removeprefix(start)) for i in happened),
            notebooks=(notebook,),
        )

    @property
    def unreadable(self) -> bool:
        """Whether a notebook of it could not be read."""
        return any(note.kind == "unreadable" for note in self.notes)

    @property
    def missing(self) -> frozenset[str]:
        """The notebooks of several that were not handed in."""
        return frozenset(note.notebook for note in self.notes if note.kind == MISSING)

    @property
    def forgeable(self) -> float:
        """Of the points, those that could be forged: their tests ran in the student's room."""
        return sum(cell.points or 0.0 for cell in self.cells if cell.forgeable)

    @property
    def max_points(self) -> float:
        return sum(cell.max_points for cell in self.cells)

    @property
    def by_hand(self) -> tuple[CellResult, ...]:
        """The cells that wait for a human."""
        return tuple(cell for cell in self.cells if cell.points is None)

    @property
    def needs_teacher(self) -> bool:
        """Whether something was wrong, with the submission or a test, that a human should see."""
        failed = any(i.kind in (Incident.GRADER, Incident.HIDDEN) for i in self.incidents)
        return failed or bool(self.faults) or any(note.needs_teacher for note in self.notes)

    @property
    def students_incidents(self) -> tuple[Incident, ...]:
        """Those that may be told to the student: what became of hidden tests is not."""
        return tuple(i for i in self.incidents if i.kind != Incident.HIDDEN)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with tests themselves, for the teacher alone."""
        return tuple(
            f"The test `{cell.name}` has an error of its own: {cell.fault}."
            for cell in self.cells
            if cell.fault
        )

    @property
    def not_graded(self) -> bool:
        """Whether the grader itself failed on the submission as a whole."""
        return any(i.kind == Incident.GRADER and not _cell_of(i) for i in self.incidents)

    @property
    def has_run(self) -> bool:
        """Whether any cell of it ran. If not, the result says nothing of the submission."""
        return all(note.kind != NO_RUN for note in self.notes)

    @property
    def untouched(self) -> bool:
        """Whether every exercise was left as it was released."""
        return bool(self.cells) and {cell.exercise for cell in self.cells} <= set(self.unanswered)

    def exercise(self, name: str) -> tuple[CellResult, ...]:
        return tuple(cell for cell in self.cells if cell.exercise == name)

    def to_json(self) -> str:
        return json.dumps(vars(self), default=vars, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Raises ValueError, KeyError or TypeError where the text isn't a result."""
        kept = json.loads(text)
        parts = {"cells": CellResult, "notes": Note, "incidents": Incident}
        for name, part in parts.items():
            kept[name] = tuple(part(**fields) for fields in kept[name])
        for name in ("unanswered", "notebooks"):
            kept[name] = tuple(kept.get(name, ()))
        return cls(**kept)


# Kinds of notes.
MISSING = "missing notebook"
NO_RUN = "not run"


def _cell_of(incident: Incident) -> str:
    """The cell where it happened, "" where it was the whole notebook."""
    return "" if incident.cell.endswith("/") else incident.cell


_STOPPED = {
    Incident.TIMEOUT: "did not end and was stopped {0}",
    Incident.DIED: "ended the notebook's process: {0}",
    Incident.MEMORY: "wanted more memory than it may have and was stopped",
    Incident.OUTPUT: "printed more than is kept; the rest is left out",
    Incident.PROTOCOL: "interfered with the grading, and nothing after it ran: {0}",
    Incident.EXIT: "left with an exit command; the cells after it ran all the same",
}


def told(incident: Incident) -> str:
    """What happened, in a sentence for the student and, of hidden tests, for the teacher alone."""
    what = _STOPPED.get(incident.kind)
    if what is None:
        return incident.message
    notebook = f"The notebook `{incident.cell[:-1]}`" if incident.cell else "The notebook"
    where = f"`{incident.cell}`" if _cell_of(incident) else notebook
    return f"{where} {what.format(incident.message)}."


def save(course: Course, result: Result) -> None:
    """Keep the result in place of the one before."""
    write_atomically(course.result(result.student, result.assignment), result.to_json())


def find(course: Course, student: str, name: str) -> Result | None:
    """The kept result, or None where there is none or it can't be read."""
    try:
        return Result.from_json(course.result(student, name).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_complete(course: Course, kept: Result) -> bool:
    """Whether there is nothing to do again. What the grader failed on, or made where the system
    allowed less than a submission may use, it tries another time.
    """
    names = kept.notebooks or (kept.assignment,)
    there = {n for n in names if course.autograded(kept.student, kept.assignment, n).exists()}
    failed = kept.not_graded or is_faulty(kept.environment, kept.limits)
    return not failed and bool(there) and not set(names) - there - kept.missing


def incomplete(course: Course, name: str) -> list[str]:
    """Students of whose results something is missing, which grading makes again."""
    return [one.student for one in find_all(course, name) if not is_complete(course, one)]


def content_of(notebooks: Sequence[bytes | None]) -> str:
    """What tells submissions apart: a digest of all of it."""
    digests = [hashlib.sha256(data or b"").hexdigest() for data in notebooks]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256(json.dumps(digests).encode()).hexdigest()


def ungraded(course: Course, name: str) -> list[str]:
    """Students of whom something lies there that has no result."""
    there = {path.parent.parent.name for path in course.root.glob(f"submitted/*/{name}/*.ipynb")}
    return sorted(there - {result.student for result in find_all(course, name)})


def find_all(course: Course, name: str) -> list[Result]:
    """All kept results of a problem set, by student."""
    students = sorted(path.stem for path in course.results(name).glob("*.json"))
    found = (find(course, student, name) for student in students)
    return [result for result in found if result is not None]
