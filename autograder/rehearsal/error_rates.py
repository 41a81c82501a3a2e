"""The error rates of a problem set's checks: right solutions that fail, mistakes that pass.

The probabilities that the checks state bound the first rate. The second rate is measured.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.checks.stated_failure import StatedFailure
from autograder.classroom.course.folders import CourseError
from autograder.rehearsal.mutants import NamedMutant
from autograder.rehearsal.run_trusted import Rehearsed, rehearse
from dplab.audit.statistical import clopper_pearson

DOUBT = 0.05  # each lower bound on a power is too high with at most this probability


@dataclass(frozen=True)
class Check:
    """A test cell, with the stated failure probabilities of its random parts."""

    name: str
    points: float
    stated: tuple[StatedFailure, ...]

    @property
    def failure(self) -> float:
        """The highest probability that a right solution fails (union bound)."""
        return sum(part.failure for part in self.stated)


@dataclass(frozen=True)
class Power:
    """The number of times that a mutant's test found it."""

    mutant: NamedMutant
    found: int
    secrets: int

    @property
    def measured(self) -> float:
        return self.found / self.secrets

    @property
    def at_least(self) -> float:
        """Clopper and Pearson's lower bound on the probability that the test finds it."""
        return float(clopper_pearson(self.found, self.secrets, DOUBT)[0])


def checks_of(name: str, cells: Sequence[dict]) -> list[Check]:
    """Return every test of a problem set, after one run with the set's own solutions.

    Raises CourseError if the solutions fail.
    """
    outcomes = rehearse(cells, secret=secret(0))
    if failures := [
        f"{test}: {outcome.message}" for test, outcome in outcomes.items() if outcome.message
    ]:
        raise CourseError(f"{name}: the set's own solution fails the test {failures[0]}")
    return [Check(test, outcome.max_points, outcome.stated) for test, outcome in outcomes.items()]


def failure_of(checks: Sequence[Check]) -> float:
    """Return a bound on the probability that a right solution loses a point (union bound)."""
    return sum(check.failure for check in checks)


def powers(
    cells: Sequence[dict],
    mutants: Sequence[NamedMutant],
    secrets: int,
    progress: Callable[[], None] = lambda: None,
) -> list[Power]:
    """Grade each mutant, with right answers to all other cells, under so many secrets."""
    measured_powers = []
    for mutant in mutants:
        runs = (_grade_mutant(cells, mutant, number) for number in range(secrets))
        measured_powers.append(Power(mutant, sum(bool(run.message) for run in runs), secrets))
        progress()
    return measured_powers


def _grade_mutant(cells: Sequence[dict], mutant: NamedMutant, number: int) -> Rehearsed:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a wrong answer may divide by zero
        outcomes = rehearse(cells, {mutant.cell: mutant.source}, secret(number), {mutant.fails})
    if mutant.fails not in outcomes:
        raise CourseError(
            f"the mutant {mutant.name!r} names the test {mutant.fails!r}, which isn't there"
        )
    return outcomes[mutant.fails]


def secret(number: int) -> bytes:
    """Return a secret from a fixed sequence; they differ as much as random ones."""
    return hashlib.sha256(b"rehearsal %d" % number).digest()
