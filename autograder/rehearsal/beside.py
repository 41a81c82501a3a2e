"""What is printed of stock nbgrader's points beside those of the rooms."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from autograder.classroom.folders import Course
from autograder.rehearsal import mutants as catalogue
from autograder.rehearsal.mutants import Mutant, Right
from autograder.rehearsal.stock import Difference, Kernel, compare
from autograder.rehearsal.trying import Trial


def tell_of_stock(
    console: Console, course: Course, name: str, rooms, seconds: float, every: bool
) -> None:
    """Print where stock nbgrader gives other points to a problem set's own solution, and to none.

    With `every`, also to each answer that is kept beside the set, and that nothing differs.
    """
    for trial in Trial.all_of(course, name):
        kept = (every and catalogue.of_course(course, trial.name)) or ([], [])
        given = [answer for answers in kept for answer in answers]
        try:
            beside_stock(console, course, trial, given, rooms, Kernel(seconds), silently=not every)
        except RuntimeError as error:  # no kernel
            console.print(f"note: {error}", markup=False)


def beside_stock(
    console: Console,
    course: Course,
    trial: Trial,
    given: Sequence[Right | Mutant],
    rooms,
    kernel: Kernel,
    silently: bool = False,
) -> list[Difference]:
    """Print the tests that differ; where none does that, unless `silently`."""
    count = len(given) + 2  # the set's own solution, and none
    what = f"running answers to {trial.name} in a kernel"
    with bar(console, what, hidden=not console.is_terminal) as shown:
        task = shown.add_task("", total=count)
        found = compare(course, trial, given, rooms, kernel, lambda: shown.advance(task))
    if not found:
        if not silently:
            same = f"{trial.name}: stock nbgrader gives {count} answers the same points.\n"
            console.print(same, markup=False)
        return found
    console.print(Text(f"{trial.name}: stock nbgrader gives other points:", "red"))
    for one in found:
        console.print(Text(f"  {one}", "yellow"))
    console.print()
    return found


def bar(console: Console, what: str, hidden: bool = False) -> Progress:
    """A bar of progress that leaves no trace."""
    columns = TextColumn(what), BarColumn(), MofNCompleteColumn()
    return Progress(*columns, console=console, transient=True, disable=hidden)
