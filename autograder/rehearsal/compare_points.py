"""Compare stock nbgrader's points with those of the two processes, and print differences."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from autograder.classroom.course.folders import Course
from autograder.rehearsal import mutants as catalogue
from autograder.rehearsal.mutants import NamedMutant, Right
from autograder.rehearsal.stock_nbgrader import Difference, Kernel, compare
from autograder.rehearsal.try_answers import ExerciseTrial
from autograder.wire.contract import NotebookRunner


def tell_of_stock(
    console: Console, course: Course, name: str, runner: NotebookRunner, seconds: float, every: bool
) -> None:
    """Print tests that give the solution or the unanswered notebook other points in stock nbgrader.

    With `every`, also compare all answers of the course, and print a line if nothing differs.
    """
    for trial in ExerciseTrial.all_of(course, name):
        right, wrong = (every and catalogue.load_own_answers(course, trial.name)) or ([], [])
        answers: list[Right | NamedMutant] = [*right, *wrong]
        try:
            try_stock(console, course, trial, answers, runner, Kernel(seconds), silently=not every)
        except RuntimeError as error:  # no kernel
            console.print(f"note: {error}", markup=False)


def try_stock(
    console: Console,
    course: Course,
    trial: ExerciseTrial,
    answers: Sequence[Right | NamedMutant],
    runner: NotebookRunner,
    kernel: Kernel,
    silently: bool = False,
) -> list[Difference]:
    """Print and return the tests that differ; if none does, print that unless `silently`."""
    count = len(answers) + 2  # the set's own solution, and no answer
    label = f"running answers to {trial.name} in a kernel"
    with bar(console, label, hidden=not console.is_terminal) as display:
        task = display.add_task("", total=count)
        differences = compare(course, trial, answers, runner, kernel, lambda: display.advance(task))
    if not differences:
        if not silently:
            message = f"{trial.name}: stock nbgrader gives {count} answers the same points.\n"
            console.print(message, markup=False)
        return differences
    console.print(Text(f"{trial.name}: stock nbgrader gives other points:", "red"))
    for difference in differences:
        console.print(Text(f"  {difference}", "yellow"))
    console.print()
    return differences


def bar(console: Console, label: str, hidden: bool = False) -> Progress:
    """Return a progress bar that disappears at the end."""
    columns = TextColumn(label), BarColumn(), MofNCompleteColumn()
    return Progress(*columns, console=console, transient=True, disable=hidden)
