"""Say in JupyterLab how many visible tests of an exercise passed, in one line below the last one.

A test cell that passes prints nothing. So this extension of IPython counts the tests of a problem
set as their cells run. It reads from the notebook's file which cells are tests.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.sets.assignment import Assignment, Exercise, from_notebooks


def load_ipython_extension(shell: Any) -> None:
    """Count tests from now on, if JupyterLab has told this kernel which notebook it runs."""
    if path := os.environ.get("JPY_SESSION_NAME"):
        shell.events.register("post_run_cell", TestCounter(Path(path)).note_run)


class TestCounter:
    """The results of a notebook's visible tests, each since its exercise's answer last ran."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._exercises: dict[str, _CountedExercise] | None = None  # by the id of a cell

    def note_run(self, result: Any) -> None:
        """Take note of a cell that has run, and show or renew its exercise's line."""
        cell_id = getattr(result.info, "cell_id", None)
        if cell_id is None or result.info.silent:
            return
        if self._exercises is None:
            self._exercises = _read_exercises(self._path)
        if exercise := self._exercises.get(cell_id):
            exercise.note_run(cell_id, bool(result.success))
            if cell_id in exercise.tests:
                exercise.show(cell_id, self._count_all())

    def _count_all(self) -> tuple[int, int]:
        """Return how many tests of the notebook have passed, and how many there are."""
        exercises = {id(exercise): exercise for exercise in (self._exercises or {}).values()}
        counts = [(sum(e.results.values()), len(e.tests)) for e in exercises.values()]
        return sum(passed for passed, _ in counts), sum(count for _, count in counts)


class _CountedExercise:
    """The ids of an exercise's tests, their results, and its line, if it is shown."""

    def __init__(self, tests: tuple[str, ...], is_last: bool) -> None:
        self.tests, self.is_last = tests, is_last
        self.results: dict[str, bool] = {}
        self._line: Any = None

    def note_run(self, cell_id: str, has_passed: bool) -> None:
        if cell_id in self.tests:
            self.results[cell_id] = has_passed
        else:
            self.results.clear()  # the answer has run, and may be another one

    def show(self, cell_id: str, whole: tuple[int, int]) -> None:
        """Show the line below the last test if it passed; renew the line for another test."""
        from IPython.display import display

        content = {"text/plain": self._write(whole)}
        if cell_id != self.tests[-1]:
            if self._line is not None:
                self._line.update(content, raw=True)
        elif self.results[cell_id]:
            self._line = display(content, raw=True, display_id=True)

    def _write(self, whole: tuple[int, int]) -> str:
        passed, count = sum(self.results.values()), len(self.tests)
        text = f"Visible tests: {passed} of {count}"
        if not_run := count - len(self.results):
            text += f", {not_run} not run with this answer"
        text += "; more run when graded."
        return text + (f" In the whole notebook: {whole[0]} of {whole[1]}." if self.is_last else "")


def _read_exercises(path: Path) -> dict[str, _CountedExercise]:
    """Return the exercise of each answer and each test, by cell id; {} if there are no tests."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        has_tests = any(CellMetadata.of(cell).test for cell in notebook["cells"])
        assignment = from_notebooks(path.stem, notebook, notebook) if has_tests else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return _count_exercises(assignment) if assignment else {}


def _count_exercises(assignment: Assignment) -> dict[str, _CountedExercise]:
    exercises = [e for e in assignment.exercises if _find_tests(assignment, e)]
    counted: dict[str, _CountedExercise] = {}
    for exercise in exercises:
        tests = _find_tests(assignment, exercise)
        answers = [assignment.followed_cells[name].cell_id for name in exercise.solutions]
        entry = _CountedExercise(tests, is_last=exercise is exercises[-1])
        counted |= dict.fromkeys((*answers, *tests), entry)
    return counted


def _find_tests(assignment: Assignment, exercise: Exercise) -> tuple[str, ...]:
    cells = (assignment.followed_cells[name] for name in exercise.graded)
    return tuple(cell.cell_id for cell in cells if cell.test)
