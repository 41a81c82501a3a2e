"""Linear programs: bits between 0 and 1 that fit the answers, rounded.

    feasible       |q_j . b - a_j| <= error                 if the curator states an error
    minimum slack  min s,  |q_j . b - a_j| <= s             if the curator states none
    least absolute min sum_j |q_j . b - a_j|                if a few answers are wild

all over 0 <= b_i <= 1. The third gets every bit right as long as few answers are wild: for many
random queries, a share below erfc(sqrt(log 2)) = 0.239 (`dplab.attacks.wild_answers`).
Sources: Dinur and Nissim (2003); Dwork, McSherry and Talwar (2007). Solved by HiGHS.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import OptimizeResult, linprog
from scipy.sparse import bmat, csc_array, eye_array

from dplab import arguments
from dplab.attacks.box_least_squares import iterates
from dplab.attacks.least_squares import Reconstruction
from dplab.queries.linear import check_one_answer_set

INFEASIBLE = 2  # a status of linprog and milp
TOLERANCE = 1e-6  # violation of a constraint, relative to the largest answer
FIRST_POINT_STEPS = 20  # steps of least squares; then the order of the errors hardly changes


class Infeasible(ValueError):
    """An error: the answers contradict each other or the stated error, so no dataset fits."""


class StoppedEarly(RuntimeError):
    """An error: the solver reached its limit before it was done, without a result."""


def feasible_point(
    queries: ArrayLike, answers: ArrayLike, error: float, *, seconds: float = 60.0
) -> Reconstruction:
    """Find some b in [0, 1]^n whose answers are all within `error` of `answers`.

    `queries` has shape (m, n), `answers` (m,). Raises Infeasible if there is no such b,
    StoppedEarly after `seconds`, and ValueError for shapes that do not fit.

    >>> feasible_point([[1, 1, 0], [0, 1, 1]], [2, 1], error=0).bits
    array([1, 1, 0])
    """
    queries, answers = check_one_answer_set(queries, answers)
    error = arguments.number("error", error, least=0)
    n = queries.shape[1]
    rows = csc_array(np.vstack([queries, -queries]))
    bounds = np.concatenate([answers, -answers]) + error
    result = _solve(np.zeros(n), rows, bounds, [(0, 1)] * n, "highs", seconds)
    return Reconstruction(result.x)


def minimum_slack(
    queries: ArrayLike, answers: ArrayLike, *, seconds: float = 60.0
) -> Reconstruction:
    """Find the b in [0, 1]^n whose largest error is least; arguments as of `feasible_point`.

    Of the 2m constraints only about n/2 hold with equality in the end. HiGHS first gets the 2.5n
    constraints that least squares within the box comes nearest to breaking, mostly all that matter.
    Then it gets those that its own solution breaks. When that breaks none, it solves all of them.
    Raises what `feasible_point` raises.

    >>> minimum_slack([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1.8, 1.1, 0.9]).bits
    array([1, 1, 0])
    """
    queries, answers = check_one_answer_set(queries, answers)
    seconds = arguments.number("seconds", seconds, above=0)
    n, start = queries.shape[1], time.monotonic()
    rows, bounds = np.vstack([queries, -queries]), np.concatenate([answers, -answers])
    cost: np.ndarray = np.append(np.zeros(n), 1.0)
    limits, is_added = [(0, 1)] * n + [(0, None)], np.full(len(rows), False)
    point, slack = _approximate(queries, answers, seconds), 0.0
    while True:
        excess = np.where(is_added, -np.inf, rows @ point - bounds - slack)
        broken = np.flatnonzero(excess > TOLERANCE * np.abs(answers).max(initial=1))
        if len(broken) == 0:
            return Reconstruction(point)
        is_added[broken[np.argsort(-excess[broken])][: 5 * n // 2]] = True
        program = np.hstack([rows[is_added], np.full((is_added.sum(), 1), -1.0)])
        parts, spent = (cost, program, bounds[is_added], limits), time.monotonic() - start
        solution = _solve(*parts, "highs-ipm", seconds, spent=spent).x
        point, slack = solution[:n], solution[n]


def _approximate(queries: np.ndarray, answers: np.ndarray, seconds: float) -> np.ndarray:
    """Return the point in the box after `FIRST_POINT_STEPS` of least squares."""
    end, points = time.monotonic() + seconds, iterates(queries, answers)
    for _ in range(FIRST_POINT_STEPS + 1):
        point, _gap = next(points)
        if time.monotonic() > end:
            raise StoppedEarly(f"after {seconds:g} seconds: least squares is not done")
    return point


def least_absolute(
    queries: ArrayLike, answers: ArrayLike, *, seconds: float = 60.0
) -> Reconstruction:
    """Find the b in [0, 1]^n with the least sum of absolute errors, robust to wild answers.

    Arguments and errors as in `feasible_point`.
    """
    queries, answers = check_one_answer_set(queries, answers)
    m, n = queries.shape
    columns, errors = csc_array(queries), -eye_array(m, format="csc")
    rows = bmat([[columns, errors], [-columns, errors]], format="csc")
    cost: np.ndarray = np.append(np.zeros(n), np.ones(m))
    limits = [(0, 1)] * n + [(0, None)] * m
    result = _solve(cost, rows, np.concatenate([answers, -answers]), limits, "highs-ipm", seconds)
    return Reconstruction(result.x[:n])


def _solve(
    cost: np.ndarray,
    rows: csc_array | np.ndarray,
    bounds: np.ndarray,
    limits: Sequence[tuple[int, int | None]],
    method: str,
    seconds: float,
    *,
    spent: float = 0.0,
) -> OptimizeResult:
    time_limit = arguments.number("seconds", seconds, above=0) - spent
    if time_limit <= 0:
        raise StoppedEarly(f"after {seconds:g} seconds: some constraints are still broken")
    options = {"time_limit": time_limit, "presolve": False}
    result = linprog(cost, rows, bounds, bounds=limits, method=method, options=options)
    if result.status == INFEASIBLE:
        raise Infeasible("no dataset fits the answers within the stated error")
    if not result.success:
        raise StoppedEarly(f"after {seconds:g} seconds: {result.message}")
    return result
