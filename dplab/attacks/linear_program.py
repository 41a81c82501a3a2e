"""Linear programs: bits between 0 and 1 that fit the answers, rounded.

    feasible       |q_j . b - a_j| <= error                 for a curator who states an error
    minimum slack  min s,  |q_j . b - a_j| <= s             for one who doesn't
    least absolute min sum_j |q_j . b - a_j|                for one who answers wildly now and then

all over 0 <= b_i <= 1. The third gets every bit right as long as few answers are wild: with many
random queries, any share of them below erfc(sqrt(log 2)) = 0.239 (`dplab.attacks.wild_answers`).
Sources: Dinur and Nissim (2003); Dwork, McSherry and Talwar (2007). Solved by HiGHS.
"""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult, linprog
from scipy.sparse import bmat, csc_array, csr_array, eye_array

from dplab import arguments, optional
from dplab.attacks.box_least_squares import iterates
from dplab.attacks.least_squares import Reconstruction
from dplab.queries.linear import written

INFEASIBLE = 2  # of the statuses of linprog and milp
TOLERANCE = 1e-6  # of a constraint, times the largest answer
GUESSING_STEPS = 20  # after which the order of the errors hardly changes


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
    queries, answers = written(queries, answers)
    error = arguments.number("error", error, least=0)
    n = queries.shape[1]
    rows = csc_array(np.vstack([queries, -queries]))
    bounds = np.concatenate([answers, -answers]) + error
    found = _solve(np.zeros(n), rows, bounds, [(0, 1)] * n, "highs", seconds)
    return Reconstruction(found.x)


def minimum_slack(queries, answers, *, seconds: float = 60.0) -> Reconstruction:
    """The b in [0, 1]^n whose largest error is least. Arguments and errors as in `feasible_point`.

    Of the 2m constraints only about n/2 hold with equality in the end. HiGHS is given the 2.5n that
    least squares within the box comes nearest to breaking, mostly all that matter, and then those
    that its own solution breaks, until it breaks none: the solution is then that with all.

    >>> minimum_slack([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1.8, 1.1, 0.9]).bits
    array([1, 1, 0])
    """
    queries, answers = written(queries, answers)
    seconds = arguments.number("seconds", seconds, above=0)
    m, n = queries.shape
    program, given = _SlackProgram(queries, answers, seconds), np.zeros(2 * m, dtype=bool)
    found, slack = _near(queries, answers, seconds), 0.0
    while True:
        errors = queries @ found - answers
        excess = np.where(given, -np.inf, np.concatenate([errors, -errors]) - slack)
        broken = np.flatnonzero(excess > TOLERANCE * np.abs(answers).max(initial=1))
        if len(broken) == 0:
            return Reconstruction(found)
        worst = broken[np.argsort(-excess[broken])][: 5 * n // 2]
        given[worst] = True
        found, slack = program.solve_with(worst)


def _near(queries: np.ndarray, answers: np.ndarray, seconds: float) -> np.ndarray:
    """The point in the box after some steps of least squares."""
    end, points = time.monotonic() + seconds, iterates(queries, answers)
    for _ in range(GUESSING_STEPS + 1):
        found, _gap = next(points)
        if time.monotonic() > end:
            raise StoppedEarly(f"after {seconds:g} seconds: least squares is not done")
    return found


class _SlackProgram:
    """min s over 0 <= b_i <= 1 and those of the constraints that have been added.

    Constraint j < m is q_j . b - a_j <= s, constraint m + j is a_j - q_j . b <= s.
    """

    def __init__(self, queries: np.ndarray, answers: np.ndarray, seconds: float) -> None:
        self._queries, self._answers, self._seconds = queries, answers, seconds
        n = queries.shape[1]
        self._solver = optional.load("highspy", "The program of least slack")
        self._highs = _silent(self._solver)
        self._highs.setOptionValue("presolve", "off")
        self._highs.setOptionValue("solver", "ipx")
        self._highs.setOptionValue("time_limit", seconds)
        self._highs.addVars(n + 1, np.zeros(n + 1), np.append(np.ones(n), np.inf))
        self._highs.changeColCost(n, 1.0)

    def solve_with(self, added: np.ndarray) -> tuple[np.ndarray, float]:
        """The least b and s once the constraints of these numbers are added."""
        m, n = self._queries.shape
        signs, chosen = np.where(added < m, 1.0, -1.0), added % m
        slacks = np.full((len(added), 1), -1.0)
        rows = csr_array(np.hstack([signs[:, None] * self._queries[chosen], slacks]))
        below, above = np.full(len(added), -np.inf), signs * self._answers[chosen]
        entries = (rows.nnz, rows.indptr[:-1], rows.indices, rows.data)
        self._highs.addRows(len(added), below, above, *entries)
        self._highs.run()
        status = self._highs.getModelStatus()
        if status != self._solver.HighsModelStatus.kOptimal:
            message = self._highs.modelStatusToString(status)
            raise StoppedEarly(f"after {self._seconds:g} seconds: {message}")
        # With more constraints the next solution is few edges away from this one.
        self._highs.setOptionValue("solver", "simplex")
        solution = np.array(self._highs.getSolution().col_value)
        return solution[:n], solution[n]


def _silent(highspy: ModuleType) -> Any:
    """Return a solver that prints nothing: highspy 1.16 prints its version as it is made."""
    loud: Any = highspy.Highs

    class Silent(loud):
        def enableCallbacks(self):  # what highspy's __init__ calls before anything else can
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent()


def least_absolute(queries, answers, *, seconds: float = 60.0) -> Reconstruction:
    """The b in [0, 1]^n whose sum of absolute errors is least: wild answers hardly move it.

    Arguments and errors as in `feasible_point`.
    """
    queries, answers = written(queries, answers)
    m, n = queries.shape
    columns, errors = csc_array(queries), -eye_array(m, format="csc")
    rows = bmat([[columns, errors], [-columns, errors]], format="csc")
    cost: np.ndarray = np.append(np.zeros(n), np.ones(m))
    limits = [(0, 1)] * n + [(0, None)] * m
    found = _solve(cost, rows, np.concatenate([answers, -answers]), limits, "highs-ipm", seconds)
    return Reconstruction(found.x[:n])


def _solve(cost, rows, bounds, limits, method: str, seconds: float) -> OptimizeResult:
    options = {"time_limit": arguments.number("seconds", seconds, above=0), "presolve": False}
    found = linprog(cost, rows, bounds, bounds=limits, method=method, options=options)
    if found.status == INFEASIBLE:
        raise Infeasible("no dataset fits the answers within the error that was stated")
    if not found.success:
        raise StoppedEarly(f"after {seconds:g} seconds: {found.message}")
    return found
