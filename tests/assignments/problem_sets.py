"""The project's problem sets and their catalogues: who answers what, and which test finds it."""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass
from functools import cache, cached_property

from autograder.rehearsal.catalogue import Answers
from tests.assignments import harness

NAMES = sorted(path.name for path in harness.SHIPPED.iterdir() if path.is_dir())


@dataclass(frozen=True)
class ProblemSet:
    """A problem set's answers by exercise, in the order of the notebook.

    `may_suffer` names the exercises that may lose points for a mistake in another one.
    """

    name: str
    answers: dict[str, Answers]
    may_suffer: dict[str, list[str]]

    @property
    def exercises(self) -> list[str]:
        return list(self.answers)

    @cached_property
    def first(self) -> dict[str, str]:
        """One right answer to each exercise."""
        return {name: next(iter(one.right.values())) for name, one in self.answers.items()}

    @cached_property
    def own(self) -> dict[str, str]:
        """The teacher's own solutions."""
        cells = {harness.grade_id(cell): cell.source for cell in harness.source(self.name).cells}
        return {name: cells[name] for name in self.exercises}

    @property
    def functions(self) -> list[str]:
        """What students are asked to define, in all exercises together."""
        bodies = [ast.parse(source).body for source in self.own.values()]
        return [thing.name for body in bodies for thing in body if hasattr(thing, "name")]

    def exercise_of(self, test: str) -> str:
        """The exercise that a graded cell belongs to: the longest that its name begins with."""
        return max((name for name in self.exercises if test.startswith(name)), key=len)


@cache
def problem_set(name: str) -> ProblemSet:
    """The problem set `name` with the answers in its folder in `answers`."""
    folder = importlib.import_module(f"tests.assignments.answers.{name}")
    answers = {
        exercise: importlib.import_module(f"{folder.__name__}.{exercise}").ANSWERS
        for exercise in harness.solution_cells(name)
    }
    return ProblemSet(name, answers, getattr(folder, "MAY_SUFFER", {}))
