"""Right and wrong answers under one secret of a course after another.

Tests try a few secrets; `course_secrets.py` and `mutant_secrets.py` of tests/benchmarks try many.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from unittest import mock

from autograder import checks
from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.rehearsal import error_rates
from autograder.rehearsal.run_trusted import rehearse
from tests.assignments import harness
from tests.assignments.problem_sets import problem_set
from tests.tiers import is_exhaustive

AT_A_TIME = 5


def secrets_of_tier() -> range:
    """Return the numbers of the secrets under which a test tries each answer."""
    return range(AT_A_TIME if is_exhaustive() else 1)


def said(
    name: str, exercise: str, wrong_answer: str, numbers: Iterable[int]
) -> Iterator[tuple[int, str]]:
    """Yield secret after secret what the test that is named for the wrong answer says.

    All else is the teacher's own. Where no generator is asked for, the secret makes no difference:
    then the first stands for all, unless the wrong answer has a generator of its own.
    """
    wrong = problem_set(name).answers[exercise].mutants[wrong_answer]
    for number, ran, has_drawn in _rehearsals(
        name, {exercise: wrong.source}, {wrong.fails}, numbers
    ):
        yield number, ran[wrong.fails].message
        if not has_drawn and "np.random" not in wrong.source:
            break


def escapes(name: str, exercise: str) -> list[str]:
    """Return in words which wrong answers get through, or fail in other words than they should.

    The words count under the first secret, the failure under each.
    """
    found = []
    for wrong_answer, wrong in problem_set(name).answers[exercise].mutants.items():
        where = f"{exercise}, wrong answer {wrong_answer!r}, test {wrong.fails}"
        try:
            for number, message in said(name, exercise, wrong_answer, secrets_of_tier()):
                expected = wrong.says if number == 0 else ""
                if not message.startswith("AssertionError: ") or expected not in message:
                    words = f"the message should contain {expected!r}, it is {message!r}"
                    found.append(f"{where}, secret {number}: {words}")
        except Exception as error:  # the others are tried all the same
            found.append(f"{where}: {error!r}")
    return found


def losses(name: str, exercise: str) -> list[str]:
    """Return in words which styles of right answers lose points.

    The everyday tier tries two styles, drawn anew in each run. The exhaustive tier tries all, and
    in it the tests of exercises that may use the answer count, too.
    """
    ours, found = problem_set(name), []
    concerned = {exercise, *(ours.may_suffer.get(exercise, ()) if is_exhaustive() else ())}
    tests = {test for test in harness.tests(name) if ours.exercise_of(test) in concerned}
    styles = list(ours.answers[exercise].right.items())
    for style, source in styles if is_exhaustive() else random.sample(styles, 2):
        where = f"{exercise}, right answer {style!r}"
        try:
            rehearsals = _rehearsals(name, {exercise: source}, tests, secrets_of_tier())
            for number, ran, has_drawn in rehearsals:
                messages = {test: one.message for test, one in ran.items() if one.message}
                found += [f"{where}, secret {number}, {t}: {m}" for t, m in messages.items()]
                if not has_drawn:
                    break
        except Exception as error:  # the others are tried all the same
            found.append(f"{where}: {error!r}")
    return found


def _rehearsals(
    name: str, answers: dict[str, str], tests: set[str], numbers: Iterable[int]
) -> Iterator[tuple[int, dict, bool]]:
    """Yield each secret's number, the tests under it, and whether any of them has drawn so far."""
    cells, generator, asked = harness.source(name).cells, checks.generator, []

    def noted(label: str = ""):
        asked.append(label)
        return generator(label)

    for number in numbers:
        with mock.patch.object(checks, "generator", noted):
            ran = rehearse(cells, answers, error_rates.secret(number), tests)
        yield number, ran, bool(asked)


def of_chance(cells: Iterable[dict], tests: Iterable[error_rates.Check]) -> set[str]:
    """The graded cells that draw something: they ask for a generator, or state a probability."""
    graded = [cell for cell in cells if CellMetadata.of(cell).grade]
    asking = [cell for cell in graded if "generator" in "".join(cell["source"])]
    stating = {test.name for test in tests if test.stated}
    return stating | {CellMetadata.of(cell).grade_id for cell in asking}


def failures(cells: Iterable[dict], tests: set[str], numbers: Iterable[int]) -> list[str]:
    """Which of the tests failed under which secret."""
    return [
        f"secret {number}, {test}: {ran.message}"
        for number in numbers
        for test, ran in rehearse(cells, secret=error_rates.secret(number), tests=tests).items()
        if ran.message
    ]
