"""Trials of answers to any problem set in two processes, so that no answer can stop the trial."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError, check_name
from autograder.classroom.releasing.reference_run import TriedSolution, run_tests, try_solution
from autograder.classroom.releasing.reference_time import more_time
from autograder.classroom.sets import materials, sources
from autograder.classroom.sets.assignment import Exercise, from_notebooks, text_of
from autograder.examiner.testcell import only_definitions
from autograder.rehearsal.error_rates import Power, secret
from autograder.rehearsal.make_mutants import Slip, slips
from autograder.rehearsal.mutants import NamedMutant, Right
from autograder.wire.contract import NotebookRunner
from autograder.wire.files import File


@dataclass(frozen=True)
class ExerciseTrial:
    """A problem set with its own solutions, hidden tests and files, as the teacher has it.

    If a set has several notebooks, it is one of them, with the name NAME/NOTEBOOK.
    """

    name: str
    cells: tuple[dict, ...]
    files: tuple[File, ...] = ()

    @classmethod
    def all_of(cls, course: Course, name: str) -> tuple[ExerciseTrial, ...]:
        """Return a trial for each notebook of the set. Raises CourseError if there is none."""
        check_name(name)
        if not (notebooks := course.notebooks(name)):
            folder = course.source(name).parent
            raise CourseError(
                f"there is no problem set {name!r} in {course.root}: {folder} has no notebook"
            )
        files = materials.find_files(course, name)
        return tuple(
            cls(
                f"{name}/{notebook}" if len(notebooks) > 1 else name,
                tuple(sources.read(course, course.source(name, notebook))["cells"]),
                files,
            )
            for notebook in notebooks
        )

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        notebook = {"cells": list(self.cells)}
        return from_notebooks(self.name, notebook, notebook).exercises

    @cached_property
    def solutions(self) -> dict[str, str]:
        """The teacher's own text of each solution cell that is code."""
        return {
            CellMetadata.of(cell).grade_id: text_of(cell["source"])
            for cell in self.cells
            if cell["cell_type"] == "code" and CellMetadata.of(cell).solution
        }

    @cached_property
    def tests(self) -> dict[str, float]:
        """The maximum points of each test that gives points."""
        all_metadata = [CellMetadata.of(cell) for cell in self.cells if cell["cell_type"] == "code"]
        return {
            cell_metadata.grade_id: cell_metadata.points
            for cell_metadata in all_metadata
            if cell_metadata.test and cell_metadata.points
        }

    def examining(self, cell: str) -> tuple[str, ...]:
        """Return the tests of the exercise that a solution cell belongs to."""
        groups = [exercise.graded for exercise in self.exercises if cell in exercise.solutions]
        return tuple(name for group in groups for name in group if name in self.tests)

    def lost(
        self,
        runner: NotebookRunner,
        answers: Mapping[str, str],
        seed: bytes,
        tests: Container[str] | None = None,
    ) -> dict[str, str]:
        """Return the tests that give less than all their points, and why; only those in `tests`.

        `answers` replace the solution cells that they name. If `tests` is None, all tests count.
        """
        filled_cells = [self._fill(cell, answers, tests) for cell in self.cells]
        results = run_tests(
            [cell for cell in filled_cells if cell["cell_type"] == "code"], self.files, runner, seed
        )
        return {
            result.cell.name: result.message or "it gives less than all points"
            for result in results
            if result.loses_points and (tests is None or result.cell.name in tests)
        }

    def try_own(self, runner: NotebookRunner, seed: bytes) -> TriedSolution:
        """Grade the set's own solutions, which get more time than answers; return the result."""
        code = [cell for cell in self.cells if cell["cell_type"] == "code"]
        return try_solution(code, self.files, runner, seed)

    def _fill(self, cell: dict, answers: Mapping[str, str], tests: Container[str] | None) -> dict:
        cell_metadata = CellMetadata.of(cell)
        source = answers.get(cell_metadata.grade_id, text_of(cell["source"]))
        if cell_metadata.test and tests is not None and cell_metadata.grade_id not in tests:
            source = only_definitions(source, f"<{cell_metadata.grade_id}>")
        return cell | {"source": source}


@dataclass(frozen=True)
class MadeUpSlip:
    """A slip made up in a solution cell, and the tests that found it."""

    cell: str
    slip: Slip
    found_by: tuple[str, ...]


@dataclass
class TrialFindings:
    """The results of trying many answers."""

    failures: list[tuple[Right, str, str]] = field(default_factory=list)  # answer, test, message
    powers: list[Power] = field(default_factory=list)
    proposed: list[MadeUpSlip] = field(default_factory=list)
    finds: dict[str, int] = field(default_factory=dict)  # by test: answers that lost points

    @property
    def survivors(self) -> list[MadeUpSlip]:
        return [slip for slip in self.proposed if not slip.found_by]

    @property
    def idle(self) -> list[str]:
        """The tests that took points from no answer."""
        return [name for name, count in self.finds.items() if not count]


NotebookSubmission = Right | NamedMutant | tuple[str, Slip]  # a slip comes with its cell


def work(
    trial: ExerciseTrial, right: Sequence[Right], mutants: Sequence[NamedMutant], max_slips: int
) -> list[NotebookSubmission]:
    """Return the answers to try.

    Raises CourseError for answers that name a cell or a test that the problem set doesn't have.
    """
    answers: list[Right | NamedMutant] = [*right, *mutants]
    for answer in answers:
        if answer.cell not in trial.solutions:
            raise CourseError(
                f"the answer {answer.name!r} is for the solution cell {answer.cell!r}, which "
                f"{trial.name} doesn't have"
            )
    for mutant in mutants:
        if mutant.fails not in trial.tests:
            raise CourseError(
                f"the mutant {mutant.name!r} names the test {mutant.fails!r}, which isn't there"
            )
    made_up = [
        (cell, slip)
        for cell, source in trial.solutions.items()
        if trial.examining(cell)
        for slip in slips(source, max_slips)
    ]
    return [*answers, *made_up]


def try_all(
    trial: ExerciseTrial,
    todo: Sequence[NotebookSubmission],
    runner: NotebookRunner,
    secrets: int,
    progress: Callable[[], None] = lambda: None,
) -> TrialFindings:
    """Grade each answer, with the teacher's own solutions for the rest; return the findings."""
    findings = TrialFindings(finds=dict.fromkeys(trial.tests, 0))
    for answer in todo:
        if isinstance(answer, Right):
            _try_right(trial, answer, runner, secrets, findings)
        elif isinstance(answer, NamedMutant):
            _try_mutant(trial, answer, runner, secrets, findings)
        else:
            _try_slip(trial, *answer, runner, findings)
        progress()
    return findings


def _try_right(
    trial: ExerciseTrial,
    right: Right,
    runner: NotebookRunner,
    secrets: int,
    findings: TrialFindings,
) -> None:
    for number in range(secrets):
        with more_time(runner):
            failed_tests = trial.lost(runner, {right.cell: right.source}, secret(number))
        if failed_tests:
            findings.failures.append((right, *next(iter(failed_tests.items()))))
            return


def _try_mutant(
    trial: ExerciseTrial,
    mutant: NamedMutant,
    runner: NotebookRunner,
    secrets: int,
    findings: TrialFindings,
) -> None:
    tests = {*trial.examining(mutant.cell), mutant.fails}
    found_count = 0
    for number in range(secrets):
        failed_tests = trial.lost(runner, {mutant.cell: mutant.source}, secret(number), tests)
        found_count += mutant.fails in failed_tests
        _count(findings, failed_tests)
    findings.powers.append(Power(mutant, found_count, secrets))


def _try_slip(
    trial: ExerciseTrial, cell: str, slip: Slip, runner: NotebookRunner, findings: TrialFindings
) -> None:
    failed_tests = trial.lost(runner, {cell: slip.source}, secret(0), trial.examining(cell))
    _count(findings, failed_tests)
    findings.proposed.append(MadeUpSlip(cell, slip, tuple(failed_tests)))


def _count(findings: TrialFindings, failed_tests: Mapping[str, str]) -> None:
    for name in failed_tests:
        findings.finds[name] = findings.finds.get(name, 0) + 1
