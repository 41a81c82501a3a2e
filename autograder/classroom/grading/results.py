"""The result of grading one submission, and the files with results in COURSE/.autograder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.classroom.course.folders import Course, write_atomically
from autograder.classroom.grading.environment import is_faulty
from autograder.classroom.grading.read_notebook import Note
from autograder.wire.contract import Incident


@dataclass(frozen=True)
class CellResult:
    """A graded cell. `points` is None until a human has graded it."""

    name: str
    exercise: str
    points: float | None
    max_points: float
    message: str = ""  # why points were lost
    picture: str = ""  # SVG that shows why
    detail: str = ""  # the message of a hidden test, for the teacher alone
    fault: str = ""  # an error of the test's own, for the teacher alone
    forgeable: bool = False  # it ran in the student's process

    @property
    def full(self) -> bool:
        return self.points is not None and self.points >= self.max_points


@dataclass(frozen=True)
class CallIncident(Incident):
    """An incident during a test, with the student's functions of which the test calls one."""

    functions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """One graded submission. `key` identifies its content, problem set and settings."""

    student: str
    assignment: str
    key: str
    content: str  # SHA-256 of the submission
    cells: tuple[CellResult, ...]
    unanswered: tuple[str, ...] = ()  # solution cells left as released
    notes: tuple[Note, ...] = ()
    incidents: tuple[Incident, ...] = ()
    seconds: float = 0.0  # in total, in the worker
    student_seconds: float = 0.0  # the part of `seconds` spent waiting for the student's code
    sandbox: str = ""
    versions: dict[str, str] = field(default_factory=dict)  # of the software that graded it
    limits: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, Any] = field(default_factory=dict)  # see `environment.describe`
    notebooks: tuple[str, ...] = ()  # the set's notebooks; empty if its only one has its name
    release: str = ""  # the digest of the problem set that graded it
    variant: str = ""  # the student whose variant was graded, if it is another's of a group

    @property
    def points(self) -> float:
        return sum(cell.points or 0.0 for cell in self.cells)

    def points_of(self, notebook: str) -> float:
        """Return the points of one notebook of several, or of all if the name is empty."""
        return self.part(notebook).points if notebook else self.points

    def part(self, notebook: str) -> Result:
        """Return the result of one notebook of several; its cells lose the notebook's prefix."""
        prefix = f"{notebook}/"
        own_cells = [cell for cell in self.cells if cell.name.startswith(prefix)]
        incidents = [i for i in self.incidents if i.cell.startswith(prefix)]
        return replace(
            self,
            cells=tuple(
                replace(
                    c, name=c.name.removeprefix(prefix), exercise=c.exercise.removeprefix(prefix)
                )
                for c in own_cells
            ),
            unanswered=tuple(
                n.removeprefix(prefix) for n in self.unanswered if n.startswith(prefix)
            ),
            notes=tuple(note for note in self.notes if note.notebook in ("", notebook)),
            incidents=tuple(replace(i, cell=i.cell.removeprefix(prefix)) for i in incidents),
            notebooks=(notebook,),
        )

    @property
    def unreadable(self) -> bool:
        """True if one of its notebooks could not be read."""
        return any(note.kind == "unreadable" for note in self.notes)

    @property
    def missing(self) -> frozenset[str]:
        """The names of notebooks of the set that were not handed in."""
        return frozenset(note.notebook for note in self.notes if note.kind == MISSING)

    @property
    def forgeable(self) -> float:
        """The points that could be forged: their tests ran in the student's process."""
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
        """True if something is wrong with the submission or a test, and a human should look."""
        has_failure = any(i.kind in (Incident.GRADER, Incident.HIDDEN) for i in self.incidents)
        return has_failure or bool(self.faults) or any(note.needs_teacher for note in self.notes)

    @property
    def students_incidents(self) -> tuple[Incident, ...]:
        """The incidents that the student may know; incidents of hidden tests are left out."""
        return tuple(i for i in self.incidents if i.kind != Incident.HIDDEN)

    @property
    def faults(self) -> tuple[str, ...]:
        """The errors of the tests themselves, for the teacher alone."""
        return tuple(
            f"The test `{cell.name}` has an error of its own: {cell.fault}."
            for cell in self.cells
            if cell.fault
        )

    @property
    def not_graded(self) -> bool:
        """True if the grader itself failed on the whole submission."""
        return any(i.kind == Incident.GRADER and not _cell_of(i) for i in self.incidents)

    @property
    def has_run(self) -> bool:
        """True if a cell of the submission ran. If not, the result says nothing about it."""
        return all(note.kind != NO_RUN for note in self.notes)

    @property
    def untouched(self) -> bool:
        """True if every exercise was left as it was released."""
        return bool(self.cells) and {cell.exercise for cell in self.cells} <= set(self.unanswered)

    def exercise(self, name: str) -> tuple[CellResult, ...]:
        return tuple(cell for cell in self.cells if cell.exercise == name)

    def to_json(self) -> str:
        return json.dumps(vars(self), default=vars, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Read a result; raise ValueError, KeyError or TypeError if the text isn't one."""
        data = json.loads(text)
        parts: dict[str, Callable[..., object]] = {
            "cells": CellResult, "notes": Note, "incidents": _read_incident
        }  # fmt: skip
        for name, part in parts.items():
            data[name] = tuple(part(**fields) for fields in data[name])
        for name in ("unanswered", "notebooks"):
            data[name] = tuple(data.get(name, ()))
        return cls(**data)


def _read_incident(functions: Sequence[str] = (), **fields: str) -> Incident:
    return CallIncident(**fields, functions=tuple(functions)) if functions else Incident(**fields)


# Kinds of notes.
MISSING = "missing notebook"
NO_RUN = "not run"


def _cell_of(incident: Incident) -> str:
    """Return the name of the incident's cell, or "" if it concerns the notebook as a whole."""
    return "" if incident.cell.endswith("/") else incident.cell


_DESCRIPTIONS = {
    Incident.TIMEOUT: "did not end and was stopped {0}",
    Incident.DIED: "ended the notebook's process: {0}",
    Incident.MEMORY: "needed more memory than it may use and was stopped",
    Incident.OUTPUT: "printed too much; the rest is left out",
    Incident.PROTOCOL: "interfered with the grading, and nothing after it ran: {0}",
    Incident.EXIT: "left with an exit command; the later cells still ran",
}


def describe_incident(incident: Incident) -> str:
    """Describe the incident in a sentence. Incidents of hidden tests are for teachers only."""
    description = _DESCRIPTIONS.get(incident.kind)
    if description is None:
        return incident.message
    return f"{_subject(incident)} {description.format(incident.message)}."


def _subject(incident: Incident) -> str:
    """Return the function that had to be stopped, or the cell if no function is known."""
    if isinstance(incident, CallIncident):
        return " or ".join(f"`{name}`" for name in incident.functions)
    if _cell_of(incident):
        return f"`{incident.cell}`"
    return f"The notebook `{incident.cell[:-1]}`" if incident.cell else "The notebook"


def save(course: Course, result: Result) -> None:
    """Write the result, which replaces an earlier one."""
    write_atomically(course.result(result.student, result.assignment), result.to_json())


def find(course: Course, student: str, name: str) -> Result | None:
    """Return the saved result, or None if there is none or it can't be read."""
    try:
        return Result.from_json(course.result(student, name).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_complete(course: Course, result: Result) -> bool:
    """Return whether the submission need not be graded again.

    It is graded again if an autograded notebook is missing, if the grader failed on it, or if the
    system allowed it less than a submission may use.
    """
    names = result.notebooks or (result.assignment,)
    autograded_names = {
        n for n in names if course.autograded(result.student, result.assignment, n).exists()
    }
    is_failure = result.not_graded or is_faulty(result.environment, result.limits)
    missing_names = set(names) - autograded_names - result.missing
    return not is_failure and bool(autograded_names) and not missing_names


def incomplete(course: Course, name: str) -> list[str]:
    """Return the students whose submissions have to be graded again."""
    return [result.student for result in find_all(course, name) if not is_complete(course, result)]


def content_of(notebooks: Sequence[bytes | None]) -> str:
    """Return the SHA-256 digest of a whole submission; None is a missing notebook."""
    digests = [hashlib.sha256(data or b"").hexdigest() for data in notebooks]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256(json.dumps(digests).encode()).hexdigest()


def ungraded(course: Course, name: str) -> list[str]:
    """Return the students with a submission that has no result."""
    students = {path.parent.parent.name for path in course.root.glob(f"submitted/*/{name}/*.ipynb")}
    return sorted(students - {result.student for result in find_all(course, name)})


def find_all(course: Course, name: str) -> list[Result]:
    """Return all saved results of a problem set, sorted by student."""
    students = sorted(path.stem for path in course.results(name).glob("*.json"))
    results = (find(course, student, name) for student in students)
    return [result for result in results if result is not None]
