"""Right and wrong answers under one secret of a course after another.

Tests try a few secrets; `course_secrets.py` and `mutant_secrets.py` of tests/benchmarks try many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unittest import mock

from autograder import checks
from autograder.classroom.marks import Marks
from autograder.rehearsal import promises
from autograder.rehearsal.running import rehearse
from tests.assignments import harness
from tests.assignments.problem_sets import problem_set

AT_A_TIME = 5


def said(name: str, exercise: str, mutant: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Secret after secret, five of them, and what the test that is named for the mutant says.

    All else is the teacher's own. Where no generator is asked for, the secret makes no difference:
    then the first stands for all, unless the mutant has a generator of its own.
    """
    wrong = problem_set(name).answers[exercise].mutants[mutant]
    cells, answers = harness.source(name).cells, {exercise: wrong.source}
    generator, asked = checks.generator, []

    def noted(label: str = ""):
        asked.append(label)
        return generator(label)

    for number in range(start, start + AT_A_TIME):
        with mock.patch.object(checks, "generator", noted):
            ran = rehearse(cells, answers, promises.secret(number), {wrong.fails})
        yield number, ran[wrong.fails].message
        if not asked and "np.random" not in wrong.source:
            break


def of_chance(cells: Iterable[dict], tests: Iterable[promises.Check]) -> set[str]:
    """The graded cells that draw something: they ask for a generator, or state a probability."""
    graded = [cell for cell in cells if Marks.of(cell).grade]
    asking = [cell for cell in graded if "generator" in "".join(cell["source"])]
    stating = {test.name for test in tests if test.stated}
    return stating | {Marks.of(cell).grade_id for cell in asking}


def failures(cells: Iterable[dict], tests: set[str], numbers: Iterable[int]) -> list[str]:
    """Which of the tests failed under which secret."""
    return [
        f"secret {number}, {test}: {ran.message}"
        for number in numbers
        for test, ran in rehearse(cells, secret=promises.secret(number), tests=tests).items()
        if ran.message
    ]
