"""The error rates of a problem set's checks: right solutions that fail, mistakes that pass.

The first is bounded by what the checks themselves state, the second is measured.
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

    Raises CourseError if these fail.
    """
    tests = rehearse(cells, secret=secret(0))
    if lost := [f"{test}: {ran.message}" for test, ran in tests.items() if ran.message]:
        raise CourseError(f"{name}: the set's own solution fails the test {lost[0]}")
    return [Check(test, ran.max_points, ran.stated) for test, ran in tests.items()]


def failure_of(checks: Sequence[Check]) -> float:
    """Return a bound on the probability that a right solution loses a point (union bound)."""
    return sum(check.failure for check in checks)


def powers(
    cells: Sequence[dict],
    mutants: Sequence[NamedMutant],
    secrets: int,
    progress: Callable[[], None] = lambda: None,
) -> list[Power]:
    """Grade each mutant, among right answers to the rest, under so many of a course's secrets."""
    measured = []
    for mutant in mutants:
        runs = (_grade_mutant(cells, mutant, number) for number in range(secrets))
        measured.append(Power(mutant, sum(bool(run.message) for run in runs), secrets))
        progress()
    return measured


def _grade_mutant(cells: Sequence[dict], mutant: NamedMutant, number: int) -> Rehearsed:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a wrong answer may divide by zero
        ran = rehearse(cells, {mutant.cell: mutant.source}, secret(number), {mutant.fails})
    if mutant.fails not in ran:
        raise CourseError(
            f"the mutant {mutant.name!r} names the test {mutant.fails!r}, which isn't there"
        )
    return ran[mutant.fails]


def secret(number: int) -> bytes:
    """Return a secret from a fixed sequence; they differ as much as random ones."""
    return hashlib.sha256(b"rehearsal %d" % number).digest()
