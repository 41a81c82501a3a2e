"""Problem set 3 against its catalogue: right answers pass, each mutant fails where it should."""

import importlib

import pytest

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


def lost(grades: dict[str, harness.CellGrade]) -> dict[str, str]:
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


@pytest.mark.parametrize(("exercise", "mutant"), MUTANTS)
def test_every_mutant_fails_in_the_test_named_for_it(exercise, mutant):
    """Escapes with probability below 1e-3; see `test_no_mutant_of_chance_escapes`."""
    wrong = ANSWERS[exercise].mutants[mutant]
    messages = lost(harness.grade(NAME, FIRST | {exercise: wrong.source}))
    assert wrong.fails in messages
    assert messages[wrong.fails].startswith("AssertionError: ")
    assert wrong.says in messages[wrong.fails]
    # `slope` may use `respond` and `debias`; nothing else suffers from a mistake elsewhere.
    assert {exercise_of(test) for test in messages} <= {exercise, "slope"}
