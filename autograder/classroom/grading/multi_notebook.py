"""Grade each of a problem set's notebooks by itself, and join the results.

Each notebook has its own processes, with all of a notebook's limits and its own seed, as with
`nbgrader autograde`. A notebook that wasn't handed in costs only its own points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.classroom.grading import first_runs, grade_notebook
from autograder.classroom.grading.grade_notebook import NotebookSubmission
from autograder.classroom.grading.read_notebook import Note
from autograder.classroom.grading.results import MISSING, Result, content_of
from autograder.classroom.sets.assignment import Assignment, qualified
from autograder.examiner.reports import FirstRun
from autograder.wire.contract import NotebookRunner

if TYPE_CHECKING:
    from autograder.examiner.sandboxed_runner import SandboxedRunner

NOT_HANDED_IN = "This notebook was not handed in."


@dataclass(frozen=True)
class Submission:
    """A submission of a problem set: the content of each notebook, in the order of the set.

    None means that no readable notebook was handed in. A worker makes both runs of each notebook.
    It makes only the first runs if `first_only` is true, and only the hidden runs if `sealed` has
    the first runs.
    """

    student: str
    notebooks: tuple[bytes | None, ...]
    key: str
    notes: tuple[Note, ...] = ()
    first_only: bool = False
    sealed: bytes = b""
    variant: str = ""  # the student whose variant is graded, if it is another's of a group

    def own(self, assignment: Assignment) -> Assignment:
        """Return the variant of the problem set that the submission answers."""
        return assignment.for_student(self.variant or self.student)

    @property
    def content(self) -> str:
        return content_of(self.notebooks)

    def subject(self, assignment: Assignment) -> tuple[str, ...]:
        """Return all values on which the first runs depend, for their seal."""
        return self.student, assignment.name, self.content, self.key

    def part(self, place: int, name: str) -> NotebookSubmission:
        """Return one notebook of several, with the notes about it."""
        notes = tuple(note for note in self.notes if note.notebook == name)
        return NotebookSubmission(self.student, self.notebooks[place], self.key, notes)


@dataclass(frozen=True)
class GradedSubmission:
    """A worker's answer: the result, and by name each autograded notebook as text.

    `is_slowed` is True if a busy machine may have cost it points in the run just made.
    """

    result: Result
    notebooks: dict[str, str]
    is_slowed: bool = False

    @property
    def student(self) -> str:
        return self.result.student


@dataclass(frozen=True)
class FirstRuns:
    """A worker's answer for a submission that still needs its hidden runs."""

    student: str
    sealed: bytes
    is_slowed: bool = False  # True if a busy machine may have cost it points


def make_runs(
    submission: Submission,
    assignment: Assignment,
    runner: SandboxedRunner,
    secret: bytes,
    sandbox: str = "",
) -> GradedSubmission | FirstRuns:
    """Make the runs that the submission needs. No content can keep this from returning."""
    assignment = submission.own(assignment)
    subject = submission.subject(assignment)
    if not submission.first_only:
        firsts = first_runs.unseal(submission.sealed, subject, secret)
        return grade(submission, assignment, runner, secret, sandbox, firsts or ())
    pairs = _split(submission, assignment)
    runs = [grade_notebook.first_run(notebook, part, runner, secret) for notebook, part in pairs]
    is_slowed = any(run is not None and run.is_slowed for run in runs)
    if any(run is not None and run.end is not None for run in runs):
        return FirstRuns(submission.student, first_runs.seal(runs, subject, secret), is_slowed)
    return replace(
        grade(submission, assignment, runner, secret, sandbox, runs), is_slowed=is_slowed
    )


def grade(
    submission: Submission,
    assignment: Assignment,
    runner: NotebookRunner,
    secret: bytes,
    sandbox: str = "",
    firsts: Sequence[FirstRun | None] = (),
) -> GradedSubmission:
    """Grade one submission, whose first runs may exist already.

    No content can keep this from returning.
    """
    assignment = submission.own(assignment)
    pairs = _split(submission, assignment)
    graded_parts = [
        grade_notebook.grade(notebook, part, runner, secret, sandbox, first)
        for (notebook, part), first in zip(pairs, firsts or [None] * len(pairs), strict=True)
    ]
    if not assignment.notebook_parts:
        return _join_one(submission, assignment, graded_parts[0])
    return _join_parts(submission, assignment, graded_parts)


def _split(
    submission: Submission, assignment: Assignment
) -> list[tuple[NotebookSubmission, Assignment]]:
    """Return each notebook of the submission, and the part of the set that it answers."""
    if not assignment.notebook_parts:
        notebook = NotebookSubmission(
            submission.student, submission.notebooks[0], submission.key, submission.notes
        )
        return [(notebook, assignment)]
    return [
        (submission.part(place, part.notebook), part) for place, part in enumerate(assignment.parts)
    ]


def not_graded(
    submission: Submission, assignment: Assignment, reason: str, has_run: bool = True
) -> GradedSubmission:
    """Return a result without points, for a submission on which the grader failed twice.

    If no cell of it ran, the gradebook gets nothing.
    """
    assignment = submission.own(assignment)
    notebook = NotebookSubmission(submission.student, None, submission.key, submission.notes)
    if not assignment.notebook_parts:
        failure = grade_notebook.not_graded(notebook, assignment, reason, has_run)
        result = replace(failure.result, content=submission.content)
        return _join_one(submission, assignment, replace(failure, result=result))
    without_notes = replace(notebook, notes=())
    graded_parts = [
        grade_notebook.not_graded(without_notes, part, reason, has_run) for part in assignment.parts
    ]
    return _join_parts(submission, assignment, graded_parts)


def _join_one(
    submission: Submission, assignment: Assignment, graded_part: grade_notebook.GradedNotebook
) -> GradedSubmission:
    (name,) = assignment.notebooks
    notebooks = () if name == assignment.name else (name,)
    result = replace(
        graded_part.result,
        notebooks=notebooks,
        release=assignment.release,
        variant=submission.variant,
    )
    return GradedSubmission(result, {name: graded_part.notebook}, graded_part.is_slowed)


def _join_parts(
    submission: Submission,
    assignment: Assignment,
    graded_parts: Sequence[grade_notebook.GradedNotebook],
) -> GradedSubmission:
    names = assignment.notebooks
    parts = [
        _qualify(name, graded_part.result)
        for name, graded_part in zip(names, graded_parts, strict=True)
    ]
    general_notes = tuple(note for note in submission.notes if not note.notebook)
    result = replace(
        parts[0],
        content=submission.content,
        cells=tuple(cell for part in parts for cell in part.cells),
        unanswered=tuple(name for part in parts for name in part.unanswered),
        notes=general_notes + tuple(note for part in parts for note in part.notes),
        incidents=tuple(incident for part in parts for incident in part.incidents),
        seconds=sum(part.seconds for part in parts),
        student_seconds=sum(part.student_seconds for part in parts),
        notebooks=names,
        release=assignment.release,
        variant=submission.variant,
    )
    absent_names = result.missing if len(result.missing) < len(names) else frozenset()
    notebooks = {
        name: graded_part.notebook
        for name, graded_part in zip(names, graded_parts, strict=True)
        if name not in absent_names
    }
    return GradedSubmission(
        result, notebooks, any(graded_part.is_slowed for graded_part in graded_parts)
    )


def _qualify(notebook: str, result: Result) -> Result:
    """Return the result with the notebook's name before cell names and in each note."""
    is_absent = any(note.kind == MISSING for note in result.notes)
    cells = tuple(
        replace(
            cell,
            name=qualified(notebook, cell.name),
            exercise=qualified(notebook, cell.exercise),
            message=NOT_HANDED_IN if is_absent else cell.message,
        )
        for cell in result.cells
    )
    return replace(
        result,
        cells=cells,
        unanswered=tuple(qualified(notebook, name) for name in result.unanswered),
        notes=tuple(replace(note, notebook=notebook) for note in result.notes),
        incidents=tuple(replace(i, cell=f"{notebook}/{i.cell}") for i in result.incidents),
    )
