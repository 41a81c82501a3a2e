"""Grades for Gradescope: a `results.json` for each student, as its autograders write it.

It has the name, points and message of each test, as the feedback pages have them, never its text. A
test with a hidden part is shown only after the teacher publishes grades. Otherwise students could
learn about it by handing in again and again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from autograder.classroom.gradebook.grades import CellGrade
from autograder.classroom.grading.results import Result, describe_incident
from autograder.classroom.sets.assignment import Assignment, SourceCell
from autograder.exports.standings import Standing, rounded
from autograder.pages.texts import describe_test

_WAITING = "Waits for a human to grade it."


def results_json(assignment: Assignment, standing: Standing, result: Result | None) -> str:
    """Return the file's text. `result` has the messages; it is None if plain nbgrader graded.

    It has no times of tests: a student's code could reveal an argument by the time it takes.
    """
    messages = {cell.name: cell.message for cell in result.cells} if result else {}
    fields = {
        "score": standing.score,  # overrides the sum of the tests: the late penalty is in it
        "output": "\n".join(_output(standing, result)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "tests": list(_tests(assignment, standing, messages)),
    }
    return json.dumps(fields, ensure_ascii=False, indent=1)


def _output(standing: Standing, result: Result | None) -> Iterator[str]:
    if standing.penalty:
        yield f"Handed in late: {rounded(standing.penalty):g} points were taken away."
    if result is not None:
        yield from (describe_incident(incident) for incident in result.students_incidents)
        yield from filter(None, (note.students_text for note in result.notes))


def _tests(assignment: Assignment, standing: Standing, messages: dict[str, str]) -> Iterator[dict]:
    for number, exercise in enumerate(assignment.exercises, start=1):
        for part, name in enumerate(exercise.graded, start=1):
            origin = assignment.followed_cells[name]
            points = standing.cells.get(name, CellGrade(None)).points
            title = f"{exercise.title}: {describe_test(origin)}"
            test = _test(origin, points, messages.get(name, ""))
            yield {"number": f"{number}.{part}", "name": title} | test


def _test(origin: SourceCell, points: float | None, message: str) -> dict:
    is_full = points is not None and points >= origin.points
    test = {
        "score": points or 0.0,
        "max_score": origin.points,
        "output": "" if is_full else message or (_WAITING if points is None else ""),
        "visibility": "visible" if origin.source == origin.released else "after_published",
    }
    return test if points is None else {"status": "passed" if is_full else "failed"} | test
