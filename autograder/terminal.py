"""What the commands show in a terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from autograder.classroom.assignment import Assignment
from autograder.classroom.collecting import Collected
from autograder.classroom.progress import Progress
from autograder.classroom.results import CellResult, Result, told
from autograder.classroom.versions import differences
from autograder.classroom.visible import visible
from autograder.wire.contract import Limits
from autograder.wire.wording import counted

if TYPE_CHECKING:
    from autograder.classroom.explaining import Counts, Explained

ROWS = 60  # students listed one by one; of a larger class only those to look at
NAMED = 20  # students listed by name in one line
FOR_REMARKS = 52  # characters of a line that name, points and remarks need
LONGEST = 120  # characters of a remark

_COLOURS = {"full": "green", "part": "yellow", "none": "red", "waiting": "magenta"}


class ProgressBar(Progress):
    """A bar with what is done and who was graded last. It has no thread of its own: workers that
    are forked while a thread of ours holds a lock would inherit the lock held."""

    def __init__(self, console: Console, total: int) -> None:
        self._bar = Bar(
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left", style="dim"),
            TimeRemainingColumn(elapsed_when_finished=False),
            TextColumn("{task.fields[last]}", style="dim"),
            console=console,
            auto_refresh=False,
            transient=True,
        )
        self._task = self._bar.add_task("", total=total, last="")
        self._waited = False
        self._half_done: set[str] = set()
        self.kept = 0
        self.whole: list[str] = []

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(self, *exception) -> None:
        self._bar.stop()

    def finished(self, result: Result, kept: bool) -> None:
        self.kept += kept
        last = Text(f"{visible(result.student)} {result.points:g}/{result.max_points:g}").plain
        advance = 0.5 if result.student in self._half_done else 1.0
        self._bar.update(self._task, advance=advance, last=last.replace("[", "("))

    def first_run(self, student: str) -> None:
        self._half_done.add(student)
        self._bar.update(self._task, advance=0.5, last="first runs, without hidden tests")

    def in_whole(self, student: str) -> None:
        self.whole.append(student)

    def tick(self) -> None:
        self._bar.refresh()

    def waiting(self, said: str) -> None:
        """In the bar, and the first time in a line of its own, which a pipe shows as well."""
        if not self._waited:
            self._bar.console.print(Text(f"{said.partition(',')[0]}...", "yellow"))
        self._waited = True
        self._bar.update(self._task, last=said)
        self._bar.refresh()


def show_sandbox(console: Console, sandbox) -> None:
    """What holds the students' code back on this machine."""
    console.print("Sandbox:", style="bold")
    for layer in sandbox.layers:
        sign = Text("  in force  ", "green") if layer.in_force else Text("  MISSING   ", "bold red")
        console.print(sign.append(f"{layer.name + ':':<11}{layer.explanation}", "default not bold"))


def show_hosts(console: Console, what: str, hosts: Mapping[str, int]) -> None:
    """How many there are of something on each host of a cluster."""
    counts = ", ".join(f"{number} on {host}" for host, number in sorted(hosts.items()))
    if counts:
        console.print(Text(f"{what}: {counts}"))


def show_lost(console: Console, workers: Sequence[str]) -> None:
    """Which workers of a cluster ended on the way."""
    if workers:
        said = f"{counted(len(workers), 'worker')} of the cluster ended on the way"
        console.print(Text(f"{said} ({', '.join(workers)}); others did their work", "yellow"))


def show_weak(console: Console) -> None:
    """Why nothing was graded, and the two ways out."""
    console.print(
        "Nothing was graded. Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or add "
        "--allow-weak-sandbox if you trust everybody who handed in.",
        style="bold red",
    )


def show_download(console: Console, handed_in: Collected) -> None:
    """From which platform it comes, and what to know of it."""
    if handed_in.platform:
        students = counted(len(handed_in.submissions), "student")
        console.print(Text(f"A download of {handed_in.platform}: {students}."))
    for line in handed_in.told:
        console.print(Text(f"  {line}", "dim"))


def show_class(console: Console, handed_in: Collected) -> None:
    """What could not be given to any student, and who of the list of the class is missing."""
    if handed_in.refused or handed_in.left_out:
        counts = {
            "collected": len(handed_in.submissions),
            "not collected": len(handed_in.refused),
            "left out": len(handed_in.left_out),
        }
        said = ", ".join(f"{count} {what}" for what, count in counts.items())
        console.print(f"Of what was handed in: {said}.")
    for line in handed_in.left_out:
        console.print(Text(f"left out: {line}", "dim"))
    for line in handed_in.refused:
        console.print(Text(f"not collected: {line}", "red"))
    if handed_in.unlisted:
        console.print(Text(f"not on the list of the class: {_named(handed_in.unlisted)}", "red"))
    if handed_in.missing:
        console.print(Text(f"not handed in: {_named(handed_in.missing)}"))


def _named(students: Sequence[str]) -> str:
    """Their names, of many the first."""
    more = f" and {len(students) - NAMED} more" if len(students) > NAMED else ""
    return ", ".join(map(visible, students[:NAMED])) + more


def show_whole(console: Console, students: Sequence[str]) -> None:
    """Who was graded in all exercises, though a few were asked for."""
    if students:
        why = "nothing that was kept is of what was handed in"
        console.print(Text(f"All exercises were graded, since {why}: {_named(students)}", "yellow"))


def show_results(
    console: Console,
    assignment: Assignment,
    results: list[Result],
    penalties: Mapping[str, float],
) -> None:
    """A table of the class: points, what of them is lost for being late, exercises, seconds, and
    what was odd.

    Of a large class those who need a look, and how many are left out.
    """
    shown = [r for r in results if r.needs_teacher] if len(results) > ROWS else results
    if left_out := len(results) - len(shown):
        console.print()
        console.print(
            f"{left_out} of {len(results)} need no look and are not shown; all are in: "
            f"autograder status COURSE {assignment.name} --all"
        )
    if shown:
        console.print()
        console.print(_table_of_results(console, assignment, shown, penalties))
        if assignment.forgeable_note:
            console.print(Text(f"note: {assignment.forgeable_note}", "yellow"))
    if late := sum(result.student in penalties for result in results):
        lose = "loses" if late == 1 else "lose"
        console.print(f"{late} {lose} points for being late, which are not subtracted here.")


def _table_of_results(
    console: Console,
    assignment: Assignment,
    shown: Sequence[Result],
    penalties: Mapping[str, float],
) -> Table:
    exercises = assignment.exercises
    if console.width < FOR_REMARKS + 4 * len(exercises):  # remarks are worth more than columns
        exercises = ()
    title = f"{assignment.name}: points of {assignment.max_points:g}"
    title += ", and by exercise" if exercises else ""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    table.add_column("student", overflow="fold")
    is_any_late = any(result.student in penalties for result in shown)
    numbers = [str(number) for number, _ in enumerate(exercises, start=1)]
    for column in ("points", *(["late"] if is_any_late else []), *numbers):
        table.add_column(column, justify="right")
    table.add_column("sec", justify="right", style="dim")
    table.add_column("remarks", ratio=1 if console.is_terminal else None)
    tests = {cell.name for cell in assignment.scored if cell.test}
    for result in shown:
        parts = [_exercise(result, exercise.name) for exercise in exercises]
        late = [_penalty(penalties.get(result.student, 0.0))] if is_any_late else []
        total = Text(f"{result.points:g}", "bold")
        seconds = f"{result.seconds:.2f}"
        remarks = _remarks(result, tests)
        table.add_row(Text(visible(result.student)), total, *late, *parts, seconds, remarks)
    return table


def _penalty(points: float) -> Text:
    return Text(f"-{points:g}" if points else "", "red")


def _exercise(result: Result, name: str) -> Text:
    cells = result.exercise(name)
    points = sum(cell.points or 0.0 for cell in cells)
    if any(cell.points is None for cell in cells):
        return Text("…", _COLOURS["waiting"])
    if points >= sum(cell.max_points for cell in cells):
        return Text(f"{points:g}", _COLOURS["full"])
    return Text(f"{points:g}", _COLOURS["part" if points else "none"])


def _remarks(result: Result, tests: Collection[str]) -> Text:
    """What there is to say, the most important first, or else which tests failed."""
    notes = sorted(result.notes, key=lambda note: (not note.needs_teacher, note.kind == "group"))
    said = [*result.faults, *(told(incident) for incident in result.incidents)]
    said += [note.told for note in notes]
    said = said or [_lost(result, tests)]
    text = said[0].replace("`", "").partition("\n")[0]
    more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return Text(text + more, "red" if result.needs_teacher else "dim")


def _lost(result: Result, tests: Collection[str]) -> str:
    if result.untouched:
        return "Nothing was filled in."
    graded = [cell for cell in result.cells if cell.name in tests and cell.points is not None]
    lost = [cell for cell in graded if not cell.full]
    if not lost:
        return ""
    if not any(cell.points for cell in graded):
        return f"No test passed. {lost[0].name}: {lost[0].message}"
    more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
    return f"Failed: {lost[0].name}{more}."


def show_summary(console: Console, results: list[Result], kept: int, seconds: float) -> None:
    """One line about the class, one about what is left to do."""
    graded = len(results) - kept
    again = f", {kept} unchanged and kept" if kept else ""
    each = f" ({1000 * seconds / graded:.0f} ms each)" if graded else ""
    console.print(f"{graded} graded in {seconds:.1f} s{each}{again}.")
    by_hand = sum(bool(result.by_hand) for result in results)
    if by_hand:
        have = "has" if by_hand == 1 else "have"
        said = f"{by_hand} {have} answers that wait for a human: open nbgrader's formgrader."
        console.print(said)


def show_explained(console: Console, found: Explained) -> None:
    """Where a verdict came from, and whether it came again."""
    kept, again = found.kept, found.again
    name = visible(kept.student)
    console.print(
        f"{name}, {kept.assignment}: {kept.points:g} of {kept.max_points:g} points by tests. "
        + (f"Graded again: {again.points:g}." if found.differing else "Graded again: the same."),
        style="bold",
        markup=False,
    )
    limits = Limits(**kept.limits)
    about = {
        "gradebook": _counts(found.counts),
        "submission": f"{found.submission}, SHA-256 {kept.content[:16]}",
        "seed": f"SHA-256 {found.seed[:16]}; from the course's secret, the set and the submission",
        "limits": f"{limits.cell_seconds:g} s a cell, {limits.notebook_seconds:g} s a notebook",
        "sandbox": kept.sandbox or "not recorded",
        "versions": ", ".join(f"{what} {which}" for what, which in kept.versions.items()),
    }
    if other := differences(kept.versions, again.versions):
        about["then, now"] = other
    if found.released_again:
        about["problem set"] = "released again since this was graded, perhaps with other tests"
    for what, text in about.items():
        console.print(Text(f"{what:<12}", "dim").append(text, "default not dim"))
    for pair in found.pairs:
        console.print(_explained(*pair))
    for incident in again.incidents:
        console.print(Text(told(incident), "yellow"))


def _counts(counts: Counts | None) -> str:
    if counts is None:
        return "has nothing of this submission"
    text = f"{counts.points:g} points"
    if counts.penalty:
        text += f", after {counts.penalty:g} that being late has cost"
    return text + (f"; by hand: {', '.join(counts.by_hand)}" if counts.by_hand else "")


def _explained(kept: CellResult, again: CellResult) -> Text:
    """A cell's points, what its student reads of it, and what a hidden test said."""
    colour = _COLOURS["waiting" if kept.points is None else "full" if kept.full else "none"]
    points = "by hand" if kept.points is None else f"{kept.points:g} of {kept.max_points:g}"
    text = Text(f"\n{kept.name}: ").append(points, colour)
    if again.points != kept.points:
        text.append(f", now {again.points if again.points is not None else 'by hand'}", "bold red")
    if kept.message:
        text.append(f"\n  told: {kept.message}")
    if kept.detail and kept.detail != kept.message:
        text.append(f"\n  hidden: {kept.detail}", "dim")
    return text
