"""Check a notebook before it is handed in: run its visible tests as grading would."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.grading.draft import Draft
from autograder.classroom.grading.grade_notebook import NotebookSubmission, explain, grade
from autograder.classroom.grading.results import CellResult, Result, describe_incident
from autograder.classroom.sets.assignment import Assignment, Exercise, SourceCell
from autograder.wire.contract import NotebookRunner

_SEED = b"a check of one's own"  # fixed, so that each check of a notebook draws the same numbers


@dataclass(frozen=True)
class VisibleTest:
    """A visible test after its run. `message` says why it failed, and is empty if it passed."""

    origin: SourceCell  # the test's cell in the problem set
    points: float
    passed: bool
    message: str


@dataclass(frozen=True)
class Hint:
    """A hint from a folded part of a problem set's text, with its title."""

    title: str
    text: str


@dataclass(frozen=True)
class CheckedExercise:
    """The state of one exercise. `by_hand` has a message for each answer that a human grades."""

    title: str
    answered: bool
    tests: tuple[VisibleTest, ...]
    by_hand: tuple[str, ...]
    hints: tuple[Hint, ...]

    @property
    def passed(self) -> bool:
        return all(test.passed for test in self.tests)

    @property
    def points(self) -> float:
        return sum(test.points for test in self.tests)

    @property
    def max_points(self) -> float:
        return sum(test.origin.points for test in self.tests)


@dataclass(frozen=True)
class CheckedDraft:
    """The checked exercises, with remarks on oddities of the notebook and on stopped cells."""

    exercises: tuple[CheckedExercise, ...]
    remarks: tuple[str, ...]

    def as_json(self, notebook: str) -> dict:
        exercises = [
            {
                "exercise": exercise.title,
                "answered": exercise.answered,
                "points": exercise.points,
                "max_points": exercise.max_points,
                "tests": [
                    {"test": test.origin.name, "passed": test.passed, "points": test.points,
                     "max_points": test.origin.points, "message": test.message}
                    for test in exercise.tests
                ],
            }
            for exercise in self.exercises
        ]  # fmt: skip
        summary = {"notebook": notebook, "passed": self.passed, "remarks": self.remarks}
        return summary | {"exercises": exercises}

    @property
    def tests(self) -> tuple[VisibleTest, ...]:
        return tuple(test for exercise in self.exercises for test in exercise.tests)

    @property
    def passed(self) -> bool:
        return all(test.passed for test in self.tests)


def check(draft: Draft, runner: NotebookRunner) -> CheckedDraft:
    """Run the notebook in the two processes. No cell can keep this from returning."""
    submission = NotebookSubmission("you", draft.data, key="", notes=draft.notes)
    outcome = grade(submission, draft.assignment, runner, _SEED)
    stop_messages = _find_stop_messages(json.loads(outcome.notebook))
    scores = {cell.name: cell for cell in outcome.result.cells}
    hints = _hints(draft.assignment)
    exercises = tuple(
        _exercise(draft.assignment, exercise, scores, stop_messages, outcome.result, hints)
        for exercise in draft.assignment.exercises
    )
    # An incident of a test is shown below the test's title.
    incidents = [
        describe_incident(incident)
        for incident in outcome.result.incidents
        if incident.cell not in scores
    ]
    return CheckedDraft(exercises, (*incidents, *(note.message for note in outcome.result.notes)))


def _find_stop_messages(notebook: dict) -> dict[str, str]:
    """Return the message of each cell that ended with an error, by its name."""
    messages = {}
    for cell in notebook["cells"]:
        name, outputs = CellMetadata.of(cell).grade_id, cell.get("outputs", ())
        if name and any(output["output_type"] == "error" for output in outputs):
            messages[name] = explain(outputs)
    return messages


def _exercise(
    assignment: Assignment,
    exercise: Exercise,
    scores: dict[str, CellResult],
    stop_messages: dict[str, str],
    result: Result,
    hints: dict[str, tuple[Hint, ...]],
) -> CheckedExercise:
    cells = [assignment.followed_cells[name] for name in exercise.graded]
    is_untouched = bool(exercise.solutions) and set(exercise.solutions) <= set(result.unanswered)
    return CheckedExercise(
        title=exercise.title,
        answered=not is_untouched,
        tests=tuple(_test(cell, scores[cell.name], stop_messages) for cell in cells if cell.test),
        by_hand=tuple(_by_hand(scores[cell.name]) for cell in cells if not cell.test),
        hints=hints.get(exercise.name, ()),
    )


def _test(origin: SourceCell, score: CellResult, stop_messages: dict[str, str]) -> VisibleTest:
    has_passed = score.full and origin.name not in stop_messages
    message = "" if has_passed else score.message or stop_messages.get(origin.name, "")
    return VisibleTest(origin, score.points or 0.0, has_passed, message)


def _by_hand(score: CellResult) -> str:
    return score.message or "Answered; a human will read it."


_DETAILS = re.compile(
    r"<details>\s*<summary>\s*(hint.*?)\s*</summary>(.*?)</details>", re.DOTALL | re.IGNORECASE
)


def _hints(assignment: Assignment) -> dict[str, tuple[Hint, ...]]:
    """Return the hints from folded parts of each exercise's texts, by the exercise's name."""
    owners = {name: e.name for e in assignment.exercises for name in (*e.solutions, *e.graded)}
    hints: dict[str, tuple[Hint, ...]] = {}
    hints_so_far: list[Hint] = []
    for cell in assignment.cells:
        if cell.cell_type == "markdown" and not cell.solution:
            pairs = _DETAILS.findall(cell.source)
            hints_so_far += [Hint(" ".join(title.split()), text.strip()) for title, text in pairs]
        elif owner := owners.get(cell.name):
            hints[owner] = (*hints.get(owner, ()), *hints_so_far)
            hints_so_far = []
    return hints
