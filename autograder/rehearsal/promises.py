"""How often the checks of a problem set are wrong: right solutions that fail, mistakes that pass.

The first is bounded by what the checks themselves state, the second is measured.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.checks.stated import Stated
from autograder.classroom.folders import CourseError
from autograder.rehearsal.mutants import Mutant
from autograder.rehearsal.running import Rehearsed, rehearse
from dplab.audit.statistical import clopper_pearson

DOUBT = 0.05  # each lower bound on a power is too high with at most this probability


@dataclass(frozen=True)
class Check:
    """A test cell, and what it states on its parts that are random."""

    name: str
    points: float
    stated: tuple[Stated, ...]

    @property
    def failure(self) -> float:
        """A right solution fails with at most this probability (union bound)."""
        return sum(part.failure for part in self.stated)


@dataclass(frozen=True)
class Power:
    """How often the test that is to find a mutant found it."""

    mutant: Mutant
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
    """Every test of a problem set, by running its own solutions through it once.

    Raises CourseError where these fail.
    """
    found = rehearse(cells, secret=secret(0))
    if lost := [f"{test}: {ran.message}" for test, ran in found.items() if ran.message]:
        raise CourseError(f"{name}: its own solution fails {lost[0]}")
    return [Check(test, ran.max_points, ran.stated) for test, ran in found.items()]


def failure_of(checks: Sequence[Check]) -> float:
    """A right solution loses any point with at most this probability (union bound)."""
    return sum(check.failure for check in checks)


def powers(
    cells: Sequence[dict],
    mutants: Sequence[Mutant],
    secrets: int,
    progress: Callable[[], None] = lambda: None,
) -> list[Power]:
    """Grade each mutant, among right answers to the rest, under so many of a course's secrets."""
    measured = []
    for mutant in mutants:
        runs = (_graded(cells, mutant, number) for number in range(secrets))
        measured.append(Power(mutant, sum(bool(run.message) for run in runs), secrets))
        progress()
    return measured


def _graded(cells: Sequence[dict], mutant: Mutant, number: int) -> Rehearsed:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a wrong answer may divide by zero
        ran = rehearse(cells, {mutant.cell: mutant.source}, secret(number), {mutant.fails})
    if mutant.fails not in ran:
        raise CourseError(
            f"the mutant {mutant.name!r} names a test that isn't there: {mutant.fails}"
        )
    return ran[mutant.fails]


def secret(number: int) -> bytes:
    """One of a fixed sequence of secrets, as different from each other as drawn ones."""
    return hashlib.sha256(b"rehearsal %d" % number).digest()
