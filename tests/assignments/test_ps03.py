"""What problem set 3 leaves to chance: its tests of draws, and its bounds on a measured slope."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import binom

from tests.assignments import harness
from tests.assignments.answers.ps03 import BY_CHANCE
from tests.assignments.problem_sets import problem_set

NAME = "ps03"
ANSWERS, FIRST = problem_set(NAME).answers, problem_set(NAME).first


def lost(grades: dict[str, harness.Rehearsed]) -> dict[str, str]:
    """The tests that gave no points, with what they said."""
    return {name: grade.message for name, grade in grades.items() if grade.message}


def secrets(count: int) -> list[bytes]:
    """Always the same: what fails under one of them fails again."""
    return [number.to_bytes(2) for number in range(count)]


@pytest.fixture
def entropy(monkeypatch):
    """What wrong answers draw from elsewhere than from rng is always the same, too."""
    make, seeds = np.random.default_rng, itertools.count()
    shared = make(next(seeds))
    monkeypatch.setattr(np.random, "rand", lambda *shape: shared.random(shape))
    monkeypatch.setattr(
        np.random, "default_rng", lambda seed=None: make(next(seeds) if seed is None else seed)
    )


def test_sixty_right_solutions_pass():
    """They draw from rng alone: under the same secrets nothing of this is left to chance."""
    for trial, secret in enumerate(secrets(60)):
        answers = {e: list(a.right.values())[trial % len(a.right)] for e, a in ANSWERS.items()}
        exercise = ("respond", "slope")[trial % 2]
        assert lost(harness.grade(NAME, answers, exercise, secret)) == {}, (trial, secret)


@pytest.mark.parametrize("exercise", ["respond", "slope"])
def test_what_a_wrong_answer_gets_is_no_matter_of_chance(entropy, exercise):
    """Under eight secrets: where a test fails one of them with probability 0.75, that is seen with
    0.9. So none escapes the test named for it, and no other is a coin toss, but for those that
    `BY_CHANCE` names.
    """
    for wrong_answer, wrong in ANSWERS[exercise].mutants.items():
        answers = FIRST | {exercise: wrong.source}
        by_chance = BY_CHANCE.get((exercise, wrong_answer), set())
        verdicts = {
            frozenset(lost(harness.grade(NAME, answers, exercise, secret)).keys() - by_chance)
            for secret in secrets(8)
        }
        assert len(verdicts) == 1, (wrong_answer, verdicts)
        assert wrong.fails in verdicts.pop(), wrong_answer


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
