"""Print the results of `autograder checks`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom.course.folders import Course, CourseError
from autograder.examiner.working_folder import enter_working_folder, make_working_folder
from autograder.rehearsal import mutants as catalogue
from autograder.rehearsal.compare_points import bar, try_stock
from autograder.rehearsal.error_rates import (
    DOUBT,
    Check,
    Power,
    checks_of,
    failure_of,
    powers,
    secret,
)
from autograder.rehearsal.mutants import NamedMutant
from autograder.rehearsal.run_trusted import source_cells
from autograder.rehearsal.stock_nbgrader import Difference, Kernel
from autograder.rehearsal.try_answers import (
    ExerciseTrial,
    NotebookSubmission,
    TrialFindings,
    try_all,
    work,
)
from autograder.wire.contract import NotebookRunner


@dataclass(frozen=True)
class Rehearsal:
    """The reliability of a problem set's checks. `findings` is None if there were no answers."""

    name: str
    checks: Sequence[Check]
    powers: Sequence[Power] = ()
    findings: TrialFindings | None = None
    differing: Sequence[Difference] | None = None  # from stock nbgrader, if that was tried

    @property
    def fine(self) -> bool:
        """True if no trial found a fault of the checks.

        Right answers pass, tests find each mutant, each test finds something, and stock nbgrader
        gives the same points.
        """
        if self.findings is None or self.differing:
            return not self.differing
        are_all_found = all(power.found == power.secrets for power in self.powers)
        return are_all_found and not self.findings.failures and not self.findings.idle

    def as_json(self) -> dict:
        checks = [
            {
                "check": check.name,
                "points": check.points,
                "failure": check.failure,
                "stated": [{"what": part.what, "failure": part.failure} for part in check.stated],
            }
            for check in self.checks
        ]
        mutants = [
            {"mutant": power.mutant.name, "check": power.mutant.fails, "found": power.found,
             "secrets": power.secrets, "at_least": power.at_least}
            for power in self.powers
        ]  # fmt: skip
        summary = {"assignment": self.name, "failure": failure_of(self.checks), "checks": checks}
        summary |= {"mutants": mutants}
        if self.differing is not None:
            summary |= {
                "differs_from_stock": [difference.as_json() for difference in self.differing]
            }
        return summary | (_findings_as_json(self.findings) if self.findings else {})


def _findings_as_json(results: TrialFindings) -> dict:
    return {
        "right_answers_that_fail": [
            {"answer": right.name, "cell": right.cell, "check": test, "said": message}
            for right, test, message in results.failures
        ],
        "slips": len(results.proposed),
        "slips_not_found": [
            {"cell": survivor.cell, "slip": str(survivor.slip)} for survivor in results.survivors
        ],
        "checks_that_find_nothing": results.idle,
    }


def show(
    console: Console, names: Sequence[str], folder: Path | None, secrets: int
) -> list[Rehearsal]:
    """Print the tables of the project's problem sets and their total bound; return the results."""
    rehearsals = []
    for name in names:
        cells = source_cells(name)
        checks = checks_of(name, cells)
        console.print(_checks(name, checks))
        answers_folder = folder or catalogue.find_folder(name)
        if answers_folder is None:
            console.print(
                f"{name}: its wrong answers come with the project's sources and aren't installed "
                "here, so no power was measured. Name their folder with --mutants.\n"
            )
            rehearsals.append(Rehearsal(name, checks))
            continue
        measured = _measure_powers(
            console, name, cells, catalogue.find(answers_folder, name), secrets
        )
        console.print(_powers(name, checks, measured))
        console.print(_verdict(measured, secrets) + "\n")
        rehearsals.append(Rehearsal(name, checks, measured))
    console.print(_total(len(names), rehearsals), style="bold")
    return rehearsals


def show_course(
    console: Console,
    course: Course,
    names: Sequence[str],
    runner: NotebookRunner,
    secrets: int,
    max_slips: int,
    kernel: Kernel | None,
) -> list[Rehearsal]:
    """Print the tables of `show` for a course's own sets, run in two processes; return the results.

    Also print which of at most `max_slips` slips in each solution cell pass. With a `kernel`, print
    the tests that give other points under stock nbgrader.
    """
    trials = [trial for name in names for trial in ExerciseTrial.all_of(course, name)]
    rehearsals = [
        _rehearse(console, course, trial, runner, secrets, max_slips, kernel) for trial in trials
    ]
    console.print(_total(len(names), rehearsals), style="bold")
    return rehearsals


def _rehearse(
    console: Console,
    course: Course,
    trial: ExerciseTrial,
    runner: NotebookRunner,
    secrets: int,
    max_slips: int,
    kernel: Kernel | None,
) -> Rehearsal:
    name = trial.name
    own_answers = catalogue.load_own_answers(course, name)
    right, wrong = own_answers or ([], [])
    answers: list[catalogue.Right | catalogue.NamedMutant] = [*right, *wrong]
    differing = try_stock(console, course, trial, answers, runner, kernel) if kernel else None
    _check_own(trial, runner)
    checks = _read_statements(console, trial)
    if own_answers is None:
        folder = course.root / "answers" / name
        console.print(f"{name}: no answers of your own in {folder}, so only slips are tried.\n")
    findings = _try(console, trial, work(trial, right, wrong, max_slips), runner, secrets)
    console.print(_describe_failures(name, findings), end="")
    if findings.powers:
        console.print(_powers(name, checks, findings.powers))
        console.print(_verdict(findings.powers, secrets) + "\n")
    console.print(_describe_slips(name, findings))
    return Rehearsal(name, checks, findings.powers, findings, differing)


def _check_own(trial: ExerciseTrial, runner: NotebookRunner) -> None:
    """Raise CourseError if a set's own solutions lose points, or take longer than an answer may.

    Otherwise every wrong answer to one exercise would count as found.
    """
    solution = trial.try_own(runner, secret(0))
    for message in (*(trouble.what for trouble in solution.troubles), *solution.notes):
        raise CourseError(f"{trial.name}: {message}")


def _read_statements(console: Console, trial: ExerciseTrial) -> list[Check]:
    """Run the tests here with the set's own solutions; return the probabilities that they state."""
    with make_working_folder(trial.files) as home, enter_working_folder(home):
        try:
            checks = checks_of(trial.name, trial.cells)
        except (RuntimeError, CourseError) as error:
            reason = str(error).splitlines()[0]
            problem = "the probabilities of its checks can't be added up"
            console.print(f"{trial.name}: {problem}: {reason}", markup=False)
            return [Check(name, points, ()) for name, points in trial.tests.items()]
    console.print(_checks(trial.name, checks))
    return checks


def _try(
    console: Console,
    trial: ExerciseTrial,
    todo: list[NotebookSubmission],
    runner: NotebookRunner,
    secrets: int,
) -> TrialFindings:
    with bar(console, f"grading answers to {trial.name}") as display:
        task = display.add_task("", total=len(todo))
        return try_all(trial, todo, runner, secrets, lambda: display.advance(task))


def _describe_failures(name: str, findings: TrialFindings) -> Text:
    lines = [
        f"{name}: the right answer {right.name!r} to {right.cell} fails {test}: {message}\n"
        for right, test, message in findings.failures
    ]
    return Text("".join(lines), "red")


def _describe_slips(name: str, findings: TrialFindings) -> Text:
    """Return a text about the slips that passed, and the tests that found nothing at all."""
    count, passed = len(findings.proposed), findings.survivors
    text = Text(
        f"{name}: the tests found {count - len(passed)} of {count} slips made up in its solutions."
    )
    text.append("\n" if not passed else " They did not find these, which may not be mistakes:\n")
    for slip in passed:
        text.append(f"  {slip.cell}, {slip.slip}\n", "yellow")
    for test in findings.idle:
        sentence = (
            f"  {test} took points from no wrong answer. Add one for it, or remove the test.\n"
        )
        text.append(sentence, "red")
    return text


def _total(count: int, rehearsals: Sequence[Rehearsal]) -> str:
    total = sum(failure_of(rehearsal.checks) for rehearsal in rehearsals)
    return (
        f"The whole course, {_problem_sets(count)}: a student whose solutions are all right "
        f"loses a point by chance with probability at most {_probability(total)}."
    )


def _problem_sets(count: int) -> str:
    return "1 problem set" if count == 1 else f"{count} problem sets"


def _table(title: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, show_footer=True)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    return table


def _checks(name: str, checks: Sequence[Check]) -> Table:
    table = _table(f"{name}: how probably does a check fail a right solution?")
    table.add_column("check", "all (union bound)", no_wrap=True)
    table.add_column("points", f"{sum(check.points for check in checks):g}", justify="right")
    table.add_column("at most", _probability(failure_of(checks)), justify="right", no_wrap=True)
    table.add_column("what is random in it", style="dim")
    for check in checks:
        failure = _probability(check.failure) if check.stated else Text("exact", "dim")
        statements = [f"{part.what} ({_probability(part.failure)})" for part in check.stated]
        table.add_row(check.name, f"{check.points:g}", failure, Text("\n".join(statements)))
    return table


def _measure_powers(
    console: Console, name: str, cells: Sequence[dict], wrong: Sequence[NamedMutant], secrets: int
) -> list[Power]:
    with bar(console, f"grading the mutants of {name}") as display:
        task = display.add_task("", total=len(wrong))
        return powers(cells, wrong, secrets, lambda: display.advance(task))


def _powers(name: str, checks: Sequence[Check], measured: Sequence[Power]) -> Table:
    table = _table(f"{name}: how probably does a check find a mistake that it is there for?")
    table.show_footer = False
    table.add_column("check", no_wrap=True)
    table.add_column("mutant", overflow="fold")
    table.add_column("found", justify="right", no_wrap=True)
    table.add_column("at least", justify="right", no_wrap=True)
    for check in checks:
        check_powers = [power for power in measured if power.mutant.fails == check.name]
        for label, power in zip(
            [check.name, *[""] * len(check_powers)], check_powers, strict=False
        ):
            is_always_found = power.found == power.secrets
            count = Text(f"{power.found} of {power.secrets}", "" if is_always_found else "red")
            table.add_row(label, Text(power.mutant.name), count, f"{power.at_least:.4f}")
    return table


def _verdict(measured: Sequence[Power], secrets: int) -> str:
    always = sum(power.found == power.secrets for power in measured)
    lowest = min(power.at_least for power in measured)
    times = "1 secret" if secrets == 1 else f"{secrets} secrets"
    return (
        f"{always} of {len(measured)} mutants were always found ({times}). Each power is at least "
        f"{lowest:.4f}, with {1 - DOUBT:.0%} confidence for each bound."
    )


def _probability(value: float) -> str:
    """Return a probability with two digits, rounded up, since the printed number is a bound."""
    if value == 0:
        return "0"
    digits, _, exponent = f"{value:.12e}".partition("e")
    return f"{math.ceil(float(digits) * 10) / 10:g}e{int(exponent)}"
