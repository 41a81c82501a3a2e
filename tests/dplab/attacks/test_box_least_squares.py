import numpy as np
import pytest
from scipy.optimize import lsq_linear

from dplab.attacks.box_least_squares import NotConverged, box_least_squares
from dplab.attacks.least_squares import least_squares
from dplab.queries import random_queries


@pytest.mark.parametrize(("n", "m", "noise"), [(20, 80, 1.0), (60, 240, 4.0), (80, 160, 3.0)])
def test_is_what_another_solver_finds(n, m, noise):
    rng = np.random.default_rng(n)
    queries, secret = random_queries(m, n, rng), rng.integers(2, size=n)
    answers = queries @ secret + rng.normal(0, noise, size=m)
    expected = lsq_linear(queries, answers, (0, 1)).x
    assert box_least_squares(queries, answers).estimates == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("prefixes", [True, False])
def test_four_digits_are_right(seed, prefixes):
    rng = np.random.default_rng(seed)
    queries = np.tri(40) if prefixes else random_queries(80, 40, rng)
    answers = queries @ rng.integers(2, size=40) + rng.normal(0, 1.5, size=len(queries))
    expected = lsq_linear(queries, answers, (0, 1), method="bvls", tol=1e-14).x
    assert box_least_squares(queries, answers).estimates == pytest.approx(expected, abs=1e-4)


def test_the_box_is_worth_answers():
    """Fixed secrets, to see it: with twice as many answers as people it errs less often."""
    rng = np.random.default_rng(6)
    wrong = np.zeros(2)
    for _ in range(30):
        queries, secret = random_queries(80, 40, rng), rng.integers(2, size=40)
        answers = queries @ secret + rng.normal(0, 2, size=80)
        wrong += [
            1 - f(queries, answers).accuracy(secret) for f in (box_least_squares, least_squares)
        ]
    assert wrong[0] < 0.8 * wrong[1]


def test_running_out_of_steps_is_said(monkeypatch):
    monkeypatch.setattr("dplab.attacks.box_least_squares.STEPS", 2)
    rng = np.random.default_rng(9)
    with pytest.raises(NotConverged, match="after 2 steps"):
        box_least_squares(random_queries(40, 20, rng), rng.uniform(0, 20, size=40))


@pytest.mark.parametrize("answers", [[1.0, 2.0], [[1.0]]])
def test_shapes_must_fit(answers):
    with pytest.raises(ValueError, match=r"must be (\(m, n\) and )?\(m,\)"):
        box_least_squares([[1, 0]], answers)
