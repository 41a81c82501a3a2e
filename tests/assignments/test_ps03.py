"""Problem set 3 against its catalogue: right answers pass, each mutant fails where it should."""

import importlib
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import binom

from tests.assignments import harness

NAME = "ps03"
EXERCISES = [
    "respond",
    "output_law",
    "debias",
    "warner_estimate",
    "epsilon_of_warner",
    "slope",
]
ANSWERS = {
    exercise: importlib.import_module(f"tests.assignments.{NAME}.{exercise}").ANSWERS
    for exercise in EXERCISES
}
FIRST = {exercise: next(iter(answers.right.values())) for exercise, answers in ANSWERS.items()}
STYLES = [(exercise, style) for exercise in EXERCISES for style in ANSWERS[exercise].right]
MUTANTS = [(exercise, mutant) for exercise in EXERCISES for mutant in ANSWERS[exercise].mutants]


def exercise_of(test: str) -> str:
    """The exercise that a graded cell belongs to: the longest that its name begins with."""
    return max((name for name in EXERCISES if test.startswith(name)), key=len)


def lost(grades: dict[str, harness.Rehearsed]) -> dict[str, str]:
    """The tests that gave no points, with what they said."""
    return {name: grade.message for name, grade in grades.items() if grade.message}


def test_the_catalogue_covers_every_exercise():
    assert harness.solution_cells(NAME) == EXERCISES
    for answers in ANSWERS.values():
        assert len(answers.right) >= 3
        assert len(answers.mutants) >= 8


def test_every_test_finds_a_mutant():
    graded = set(harness.grade(NAME, {}))
    assert {m.fails for a in ANSWERS.values() for m in a.mutants.values()} == graded


def test_fifty_points_for_the_teachers_own_solutions():
    own = {
        harness.grade_id(cell): cell.source
        for cell in harness.source(NAME).cells
        if harness.grade_id(cell) in EXERCISES
    }
    grades = harness.grade(NAME, own)
    assert lost(grades) == {}
    assert sum(grade.points for grade in grades.values()) == 50


def test_the_visible_tests_stand_by_themselves():
    assert lost(harness.run(harness.released(NAME, FIRST))) == {}


def test_nothing_for_an_untouched_release():
    grades = harness.grade(NAME, {})
    assert sum(grade.points for grade in grades.values()) == 0
    assert all("is not written yet" in grade.message for grade in grades.values())


def test_nothing_for_functions_that_do_nothing():
    idle = "\n".join(f"def {name}(*arguments): pass" for name in [*EXERCISES, "survey_errors"])
    grades = harness.grade(NAME, dict.fromkeys(EXERCISES, idle))
    assert sum(grade.points for grade in grades.values()) == 0
    assert all("is None" in grade.message for grade in grades.values())


@pytest.mark.parametrize(("exercise", "style"), STYLES)
def test_every_style_gets_full_points(exercise, style):
    grades = harness.grade(NAME, FIRST | {exercise: ANSWERS[exercise].right[style]})
    assert lost(grades) == {}


@pytest.mark.filterwarnings("ignore:invalid value encountered in dot:RuntimeWarning")
@pytest.mark.parametrize(("exercise", "mutant"), MUTANTS)
def test_every_mutant_fails_in_the_test_named_for_it(exercise, mutant):
    """Escapes with probability below 1e-3; see the test of chance below."""
    wrong = ANSWERS[exercise].mutants[mutant]
    messages = lost(harness.grade(NAME, FIRST | {exercise: wrong.source}))
    assert wrong.fails in messages
    assert messages[wrong.fails].startswith("AssertionError: ")
    assert wrong.says in messages[wrong.fails]
    # `slope` may use `respond` and `debias`; nothing else suffers from a mistake elsewhere.
    assert {exercise_of(test) for test in messages} <= {exercise, "slope"}


def chance_tests() -> dict[str, list[float]]:
    """The tests that chance has a part in, with the failures that they state."""
    grades = harness.grade(NAME, FIRST)
    return {name: [s.failure for s in g.stated] for name, g in grades.items() if g.stated}


def test_chance_takes_a_point_from_a_right_solution_once_in_hundreds_of_millions():
    failures = [failure for stated in chance_tests().values() for failure in stated]
    assert max(failures) <= 1e-9
    assert sum(failures) < 3e-9


@pytest.mark.slow
def test_two_hundred_right_solutions_pass():
    """False failures: 200 times less than 3e-9."""
    for trial in range(200):
        answers = {e: list(a.right.values())[trial % len(a.right)] for e, a in ANSWERS.items()}
        exercise = ("respond", "slope")[trial % 2]
        assert lost(harness.grade(NAME, answers, tests=exercise)) == {}


@pytest.mark.slow
def test_what_a_mutant_gets_is_no_matter_of_chance():
    """Twenty times each: where a test fails a mutant with probability 0.9, that is seen with 0.88.

    So none escapes the test named for it, and no other test is a coin toss.
    """
    for exercise in ("respond", "slope"):
        for mutant, wrong in ANSWERS[exercise].mutants.items():
            answers = FIRST | {exercise: wrong.source}
            verdicts = {
                frozenset(lost(harness.grade(NAME, answers, tests=exercise))) for _ in range(20)
            }
            assert len(verdicts) == 1, mutant
            assert wrong.fails in verdicts.pop(), mutant


def log_tail(n: int, ratio: float, repetitions: int = 300) -> float:
    """Chernoff's bound: log P[mean square of the errors beyond `ratio` times its expectation].

    For right solutions of `survey_errors` on n people, half of them with truth 1, at epsilon 1.
    Above the expectation if ratio > 1, below it if ratio < 1.
    """
    lie = 1 / (1 + math.e)
    half = np.arange(n // 2 + 1)
    law = np.convolve(binom.pmf(half, n // 2, lie), binom.pmf(half, n // 2, 1 - lie))
    squares = ((np.arange(n + 1) / n - lie) / (1 - 2 * lie) - 0.5) ** 2
    excess = np.sign(ratio - 1) * (squares / (law @ squares) - ratio)
    best = minimize_scalar(
        lambda tilt: logsumexp(tilt * excess, b=law), bounds=(0, 2), method="bounded"
    )
    return repetitions * best.fun


def test_the_bounds_on_the_measured_slope_leave_room_for_chance():
    """The line through three sizes, equally far apart, has the slope of its two ends.

    So it is off by more than 0.12 only if the ratio of the mean squares at the ends is off by
    100 ** 0.24, and then one of them is beyond x or the other beyond x / 100 ** 0.24, for any x.
    """
    room = 100 ** (2 * 0.12)
    beyond = sum(
        min(
            math.exp(log_tail(high, x)) + math.exp(log_tail(low, x / room))
            for x in np.linspace(1.3, 2, 15)
        )
        for high, low in ((400, 4), (4, 400))
    )
    assert 1e-12 < beyond < 1e-9
