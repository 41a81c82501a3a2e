"""Linear programs: bits between 0 and 1 that fit the answers, rounded.

    feasible       |q_j . b - a_j| <= error                 for a curator who states an error
    minimum slack  min s,  |q_j . b - a_j| <= s             for one who doesn't
    least absolute min sum_j |q_j . b - a_j|                for one who answers wildly now and then

all over 0 <= b_i <= 1. The third gets every bit right as long as few answers are wild: with many
Gaussian queries, any share of them below erfc(sqrt(log 2)) = 0.239, however wild they are.
Sources: Dinur and Nissim (2003); Dwork, McSherry and Talwar (2007). Solved by HiGHS.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import OptimizeResult, linprog
from scipy.sparse import bmat, csc_array, eye_array

from dplab import arguments
from dplab.attacks.least_squares import Reconstruction

INFEASIBLE = 2  # of linprog's statuses


class Infeasible(ValueError):
    """No dataset fits the answers: they contradict each other, or the error that was stated."""


class StoppedEarly(RuntimeError):
    """The solver reached its limit before it was done; there is no result."""


def feasible_point(queries, answers, error: float, *, seconds: float = 60.0) -> Reconstruction:
    """Some b in [0, 1]^n whose answers are all within `error` of those given.

    `queries` has shape (m, n), `answers` (m,). Raises Infeasible where there is none, StoppedEarly
    after `seconds`, ValueError for shapes that do not fit.

    >>> feasible_point([[1, 1, 0], [0, 1, 1]], [2, 1], error=0).bits
    array([1, 1, 0])
    """
    queries, answers = _checked(queries, answers)
    error = arguments.number("error", error, least=0)
    n = queries.shape[1]
    rows = bmat([[queries], [-queries]], format="csc")
    bounds = np.concatenate([answers, -answers]) + error
    found = _solve(np.zeros(n), rows, bounds, [(0, 1)] * n, "highs", seconds)
    return Reconstruction(found.x)


def minimum_slack(queries, answers, *, seconds: float = 60.0) -> Reconstruction:
    """The b in [0, 1]^n whose largest error is least. Arguments and errors as in `feasible_point`.

    >>> minimum_slack([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1.8, 1.1, 0.9]).bits
    array([1, 1, 0])
    """
    queries, answers = _checked(queries, answers)
    m, n = queries.shape
    slack = csc_array(-np.ones((m, 1)))
    rows = bmat([[queries, slack], [-queries, slack]], format="csc")
    cost = np.append(np.zeros(n), 1.0)
    limits = [(0, 1)] * n + [(0, None)]
    found = _solve(cost, rows, np.concatenate([answers, -answers]), limits, "highs-ipm", seconds)
    return Reconstruction(found.x[:n])


def least_absolute(queries, answers, *, seconds: float = 60.0) -> Reconstruction:
    """The b in [0, 1]^n whose sum of absolute errors is least: wild answers hardly move it.

    Arguments and errors as in `feasible_point`.
    """
    queries, answers = _checked(queries, answers)
    m, n = queries.shape
    errors = -eye_array(m, format="csc")
    rows = bmat([[queries, errors], [-queries, errors]], format="csc")
    cost = np.append(np.zeros(n), np.ones(m))
    limits = [(0, 1)] * n + [(0, None)] * m
    found = _solve(cost, rows, np.concatenate([answers, -answers]), limits, "highs-ipm", seconds)
    return Reconstruction(found.x[:n])


def _checked(queries, answers) -> tuple[csc_array, np.ndarray]:
    queries, answers = arguments.reals("queries", queries), arguments.reals("answers", answers)
    if queries.ndim != 2 or answers.shape != queries.shape[:1]:
        shapes = f"{queries.shape} and {answers.shape}"
        raise ValueError(f"queries and answers must be (m, n) and (m,), not {shapes}")
    return csc_array(queries), answers


def _solve(cost, rows, bounds, limits, method: str, seconds: float) -> OptimizeResult:
    options = {"time_limit": arguments.number("seconds", seconds, above=0), "presolve": False}
    found = linprog(cost, rows, bounds, bounds=limits, method=method, options=options)
    if found.status == INFEASIBLE:
        raise Infeasible("no dataset fits the answers within the error that was stated")
    if not found.success:
        raise StoppedEarly(f"after {seconds:g} seconds: {found.message}")
    return found
