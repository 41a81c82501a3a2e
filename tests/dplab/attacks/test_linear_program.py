import itertools
import time

import numpy as np
import pytest
from scipy.optimize import linprog

from dplab.attacks import linear_program
from dplab.attacks.linear_program import (
    Infeasible,
    StoppedEarly,
    feasible_point,
    least_absolute,
    minimum_slack,
)
from dplab.queries import random_queries
from tests.refusals import assert_refused


@pytest.fixture
def asked():
    """Thirty secret bits, 150 random queries and their true answers; one draw, always the same."""
    rng = np.random.default_rng(30)
    queries, secret = random_queries(150, 30, rng), rng.integers(2, size=30)
    return queries, secret, queries @ secret


@pytest.mark.parametrize(
    "attack", [minimum_slack, least_absolute, lambda q, a: feasible_point(q, a, 0)]
)
def test_true_answers_give_every_bit(asked, attack):
    queries, secret, answers = asked
    assert attack(queries, answers).estimates == pytest.approx(secret, abs=1e-5)


def test_a_feasible_point_is_feasible(asked):
    queries, _, answers = asked
    noisy = answers + np.random.default_rng(1).uniform(-1, 1, size=150)
    found = feasible_point(queries, noisy, error=1)
    assert abs(queries @ found.estimates - noisy).max() <= 1 + 1e-6
    assert ((found.estimates >= 0) & (found.estimates <= 1)).all()


def test_minimum_slack_is_no_larger_than_the_error_of_the_secret(asked):
    queries, _, answers = asked
    noisy = answers + np.random.default_rng(2).uniform(-2, 2, size=150)
    slack = abs(queries @ minimum_slack(queries, noisy).estimates - noisy).max()
    assert slack <= abs(answers - noisy).max() + 1e-6
    with pytest.raises(Infeasible):
        feasible_point(queries, noisy, error=0.99 * slack)


def slack_by_one_program(queries, answers):
    """The least largest error, by linprog with every constraint at once."""
    m, n = queries.shape
    rows = np.block([[queries, -np.ones((m, 1))], [-queries, -np.ones((m, 1))]])
    limits = [(0, 1)] * n + [(0, None)]
    bounds = np.concatenate([answers, -answers])
    return linprog(np.append(np.zeros(n), 1), rows, bounds, bounds=limits, method="highs-ds").fun


@pytest.mark.parametrize("scale", [1e-3, 1, 1e3])
@pytest.mark.parametrize(
    ("m", "n", "spread"), [(1, 1, 0), (3, 8, 1), (40, 8, 0.5), (150, 30, 3), (400, 40, 30)]
)
def test_minimum_slack_by_some_constraints_is_that_by_all(m, n, spread, scale):
    rng = np.random.default_rng([m, n])
    for queries in (random_queries(m, n, rng), rng.normal(size=(m, n)), np.zeros((m, n))):
        answers = scale * (queries @ rng.integers(2, size=n) + rng.uniform(-spread, spread, size=m))
        found = minimum_slack(scale * queries, answers).estimates
        assert ((found >= 0) & (found <= 1)).all()
        slack = abs(scale * queries @ found - answers).max()
        best = slack_by_one_program(scale * queries, answers)
        assert slack == pytest.approx(best, abs=1e-5 * abs(answers).max(initial=1))


def test_a_poor_guess_costs_time_and_not_the_solution(monkeypatch):
    rng = np.random.default_rng(6)
    queries = random_queries(400, 40, rng)
    answers = queries @ rng.integers(2, size=40) + rng.uniform(-3, 3, size=400)
    poor = itertools.repeat((np.zeros(40), 0.0))
    monkeypatch.setattr(linear_program, "iterates", lambda queries, answers: poor)
    slack = abs(queries @ minimum_slack(queries, answers).estimates - answers).max()
    assert slack == pytest.approx(slack_by_one_program(queries, answers), abs=1e-4)


def test_least_absolute_is_least(asked):
    queries, secret, answers = asked
    noisy = answers + np.random.default_rng(3).laplace(scale=3, size=150)
    found = least_absolute(queries, noisy).estimates
    total = abs(queries @ found - noisy).sum()
    assert total <= abs(queries @ secret - noisy).sum() + 1e-5
    for near in np.clip(found + np.random.default_rng(4).normal(0, 0.05, size=(50, 30)), 0, 1):
        assert total <= abs(queries @ near - noisy).sum() + 1e-5


def test_a_sixth_of_wild_answers_changes_nothing(asked):
    queries, secret, answers = asked
    wild = answers.copy()
    wild[:25] = 30 - wild[:25]
    assert (least_absolute(queries, wild).bits == secret).all()
    assert least_absolute(queries, wild).estimates == pytest.approx(secret, abs=1e-4)


def test_contradictions_are_infeasible_and_not_guessed():
    with pytest.raises(Infeasible, match="no dataset fits the answers"):
        feasible_point([[1, 0], [1, 0]], [0, 1], error=0.4)
    with pytest.raises(Infeasible):
        feasible_point([[1, 1]], [3], error=0.5)  # more than there are people
    assert feasible_point([[1, 0], [1, 0]], [0, 1], error=0.5).estimates[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("attack", "seconds"),
    [(lambda *a, **k: feasible_point(*a, 1, **k), 1e-6), (minimum_slack, 1e-6),
     (least_absolute, 1e-3)],
)  # fmt: skip
def test_a_solver_that_stops_early_says_so(asked, attack, seconds):
    queries, _, answers = asked
    with pytest.raises(StoppedEarly, match=f"after {seconds:g} seconds"):
        attack(queries, answers + 0.3, seconds=seconds)


def test_the_first_steps_count_as_time(monkeypatch):
    """However few of them fit into it."""
    taken = []

    def slow(queries, answers):
        while True:
            taken.append(time.sleep(0.05))
            yield np.full(2, 0.5), 1.0

    monkeypatch.setattr(linear_program, "iterates", slow)
    with pytest.raises(StoppedEarly, match=r"after 0\.01 seconds: least squares is not done"):
        minimum_slack([[1, 0], [1, 1]], [1, 2], seconds=0.01)
    assert len(taken) == 1


def test_time_that_is_spent_before_a_program_counts(asked, monkeypatch):
    """Also if each single part would fit into it."""
    queries, _, answers = asked
    clock = itertools.count(0, 40)
    monkeypatch.setattr(linear_program.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(linear_program, "FIRST_POINT_STEPS", 0)
    with pytest.raises(StoppedEarly, match="after 60 seconds: some constraints"):
        minimum_slack(queries, answers + 0.3)


def test_bad_arguments_are_named():
    calls = [
        (lambda: minimum_slack([[1, 0]], [1, 2]), "must be .m, n. and .m,."),
        (lambda: least_absolute([1, 0], [1]), "must be .m, n. and .m,."),
        (lambda: feasible_point([[1, 0]], [1], -1), "error must be"),
        (lambda: feasible_point([[1, 0]], [1], 1, seconds=0), "seconds must be"),
        (lambda: minimum_slack([[1, 0]], [1], seconds=-1), "seconds must be"),
        (lambda: minimum_slack([[1, 0]], [1], seconds=0), "seconds must be"),
        (lambda: minimum_slack([[1, np.inf]], [1]), "queries must hold finite numbers"),
    ]
    assert_refused(calls)


def test_the_solver_prints_nothing(capfd):
    minimum_slack([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1.8, 1.1, 0.9])
    assert capfd.readouterr() == ("", "")
