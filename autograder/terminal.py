"""The output of the commands in a terminal."""

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

from autograder.classroom.course.printable import visible
from autograder.classroom.course.versions import differences
from autograder.classroom.grading.results import CellResult, Result, describe_incident
from autograder.classroom.intake.collect_class import CollectedClass
from autograder.classroom.running.progress import Progress
from autograder.classroom.sets.assignment import Assignment
from autograder.wire.contract import Limits
from autograder.wire.text import count_noun

if TYPE_CHECKING:
    from autograder.classroom.running.explain_verdict import Counts, RepeatedVerdict
    from autograder.sandbox.layers import Sandbox

ROWS = 60  # students listed one by one; in a larger class, only those who need a look
MAX_NAMES = 20  # students listed by name in one line
REMARKS_WIDTH = 52  # characters of a line that name, points and remarks need
MAX_REMARK_CHARACTERS = 120  # characters of a remark

_COLOURS = {"full": "green", "part": "yellow", "none": "red", "waiting": "magenta"}


class ProgressBar(Progress):
    """A bar with the number of finished submissions and the last student.

    It has no thread of its own. A worker forked while a thread holds a lock would inherit the lock.
    """

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
        self.completely_graded: list[str] = []

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def finished(self, result: Result, kept: bool) -> None:
        self.kept += kept
        last = Text(f"{visible(result.student)} {result.points:g}/{result.max_points:g}").plain
        advance = 0.5 if result.student in self._half_done else 1.0
        self._bar.update(self._task, advance=advance, last=last.replace("[", "("))

    def first_run(self, student: str) -> None:
        self._half_done.add(student)
        self._bar.update(self._task, advance=0.5, last="first runs, without hidden tests")

    def graded_completely(self, student: str) -> None:
        self.completely_graded.append(student)

    def tick(self) -> None:
        self._bar.refresh()

    def waiting(self, message: str) -> None:
        """Show the message in the bar, and once in a line of its own, which a pipe shows too."""
        if not self._waited:
            self._bar.console.print(Text(f"{message.partition(',')[0]}...", "yellow"))
        self._waited = True
        self._bar.update(self._task, last=message)
        self._bar.refresh()


def show_sandbox(console: Console, sandbox: Sandbox) -> None:
    """Print the layers of the sandbox on this machine."""
    console.print("Sandbox:", style="bold")
    for layer in sandbox.layers:
        sign = Text("  in force  ", "green") if layer.in_force else Text("  MISSING   ", "bold red")
        console.print(sign.append(f"{layer.name + ':':<11}{layer.explanation}", "default not bold"))


def show_hosts(console: Console, label: str, hosts: Mapping[str, int]) -> None:
    """Print the number of workers or submissions on each host of a cluster."""
    counts = ", ".join(f"{number} on {host}" for host, number in sorted(hosts.items()))
    if counts:
        console.print(Text(f"{label}: {counts}"))


def show_lost(console: Console, workers: Sequence[str]) -> None:
    """Print the workers of a cluster that ended during grading."""
    if workers:
        message = f"{count_noun(len(workers), 'worker')} of the cluster ended during grading"
        explanation = "other workers graded their submissions"
        console.print(Text(f"{message} ({', '.join(workers)}); {explanation}", "yellow"))


def show_weak(console: Console) -> None:
    """Print why nothing was graded, and the two ways out."""
    console.print(
        "Nothing was graded. Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or add "
        "--allow-weak-sandbox if you trust everybody who handed in.",
        style="bold red",
    )


def show_download(console: Console, handed_in: CollectedClass) -> None:
    """Print the platform of a download, and remarks on it."""
    if handed_in.platform:
        students = count_noun(len(handed_in.submissions), "student")
        console.print(Text(f"A download of {handed_in.platform}: {students}."))
    for line in handed_in.remarks:
        console.print(Text(f"  {line}", "dim"))


def show_class(console: Console, handed_in: CollectedClass) -> None:
    """Print files that belong to no student, and students on the class list who are missing."""
    if handed_in.refused or handed_in.left_out:
        counts = {
            "collected": len(handed_in.submissions),
            "not collected": len(handed_in.refused),
            "left out": len(handed_in.left_out),
        }
        summary = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        console.print(f"Of what was handed in: {summary}.")
    for line in handed_in.left_out:
        console.print(Text(f"left out: {line}", "dim"))
    for line in handed_in.refused:
        console.print(Text(f"not collected: {line}", "red"))
    if handed_in.unlisted:
        console.print(Text(f"not on the list of the class: {_join(handed_in.unlisted)}", "red"))
    if handed_in.missing:
        console.print(Text(f"not handed in: {_join(handed_in.missing)}"))


def _join(students: Sequence[str]) -> str:
    """Return the names, or only the first ones if there are many."""
    more = f" and {len(students) - MAX_NAMES} more" if len(students) > MAX_NAMES else ""
    return ", ".join(map(visible, students[:MAX_NAMES])) + more


def show_graded_completely(console: Console, students: Sequence[str]) -> None:
    """Print the students graded in all exercises, although only a few were requested."""
    if students:
        reason = "of these students, who handed in new work"
        console.print(Text(f"All exercises were graded {reason}: {_join(students)}", "yellow"))


def show_results(
    console: Console,
    assignment: Assignment,
    results: list[Result],
    penalties: Mapping[str, float],
) -> None:
    """Print a table of the class: points, late penalties, exercises, seconds and remarks.

    For a large class, print only the students who need a look, and the number of others.
    """
    results_to_show = [r for r in results if r.needs_teacher] if len(results) > ROWS else results
    if omitted_count := len(results) - len(results_to_show):
        console.print()
        console.print(
            f"{omitted_count} of {len(results)} need no look and are not shown; to list all, run: "
            f"autograder status COURSE {assignment.name} --all"
        )
    if results_to_show:
        console.print()
        console.print(_table_of_results(console, assignment, results_to_show, penalties))
        if assignment.forgeable_note:
            console.print(Text(f"note: {assignment.forgeable_note}", "yellow"))
    if late := sum(result.student in penalties for result in results):
        submissions = "submission loses" if late == 1 else "submissions lose"
        console.print(f"{late} {submissions} points for being late, not subtracted in the table.")


def _table_of_results(
    console: Console,
    assignment: Assignment,
    results: Sequence[Result],
    penalties: Mapping[str, float],
) -> Table:
    exercises = assignment.exercises
    if console.width < REMARKS_WIDTH + 4 * len(exercises):  # too narrow: only the remarks stay
        exercises = ()
    title = f"{assignment.name}: points of {assignment.max_points:g}"
    title += ", and by exercise" if exercises else ""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    table.add_column("student", overflow="fold")
    is_any_late = any(result.student in penalties for result in results)
    numbers = [str(number) for number, _ in enumerate(exercises, start=1)]
    for column in ("points", *(["late"] if is_any_late else []), *numbers):
        table.add_column(column, justify="right")
    table.add_column("sec", justify="right", style="dim")
    table.add_column("remarks", ratio=1 if console.is_terminal else None)
    tests = {cell.name for cell in assignment.scored if cell.test}
    for result in results:
        exercise_cells = [_exercise(result, exercise.name) for exercise in exercises]
        late_cells = [_penalty(penalties.get(result.student, 0.0))] if is_any_late else []
        total = Text(f"{result.points:g}", "bold")
        seconds = f"{result.seconds:.2f}"
        remarks = _remarks(result, tests)
        table.add_row(
            Text(visible(result.student)), total, *late_cells, *exercise_cells, seconds, remarks
        )
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
    """Return the most important remark, or the tests that failed if there is none."""
    notes = sorted(result.notes, key=lambda note: (not note.needs_teacher, note.kind == "group"))
    remarks = [*result.faults, *(describe_incident(incident) for incident in result.incidents)]
    remarks += [note.text for note in notes]
    remarks = remarks or [_describe_lost_tests(result, tests)]
    text = remarks[0].replace("`", "").partition("\n")[0]
    more = f" (and {len(remarks) - 1} more)" if len(remarks) > 1 else ""
    text = text if len(text) <= MAX_REMARK_CHARACTERS else text[: MAX_REMARK_CHARACTERS - 1] + "…"
    return Text(text + more, "red" if result.needs_teacher else "dim")


def _describe_lost_tests(result: Result, tests: Collection[str]) -> str:
    if result.untouched:
        return "Nothing was filled in."
    scored_tests = [cell for cell in result.cells if cell.name in tests and cell.points is not None]
    failed_tests = [cell for cell in scored_tests if not cell.full]
    if not failed_tests:
        return ""
    if not any(cell.points for cell in scored_tests):
        return f"No test passed. {failed_tests[0].name}: {failed_tests[0].message}"
    more = f" and {len(failed_tests) - 1} more" if len(failed_tests) > 1 else ""
    return f"Failed: {failed_tests[0].name}{more}."


def show_summary(console: Console, results: list[Result], kept_count: int, seconds: float) -> None:
    """Print one line about the class, and one about the answers that wait for a human."""
    graded_count = len(results) - kept_count
    kept_text = f", {kept_count} unchanged and kept" if kept_count else ""
    mean_time = f" ({1000 * seconds / graded_count:.0f} ms each)" if graded_count else ""
    console.print(f"{graded_count} graded in {seconds:.1f} s{mean_time}{kept_text}.")
    by_hand = sum(bool(result.by_hand) for result in results)
    if by_hand:
        verb = "has" if by_hand == 1 else "have"
        sentence = f"{by_hand} {verb} answers that wait for a human: open nbgrader's formgrader."
        console.print(sentence)


def show_explained(console: Console, record: RepeatedVerdict) -> None:
    """Print the sources of a verdict, and compare it with the repeated one."""
    old, new = record.kept, record.again
    name = visible(old.student)
    console.print(
        f"{name}, {old.assignment}: {old.points:g} of {old.max_points:g} points by tests. "
        + (f"Graded again: {new.points:g}." if record.differing else "Graded again: the same."),
        style="bold",
        markup=False,
    )
    limits = Limits(**old.limits)
    facts = {
        "gradebook": _counts(record.counts),
        "submission": f"{record.submission}, SHA-256 {old.content[:16]}",
        "seed": f"SHA-256 {record.seed[:16]}; from the course's secret, the set and the submission",
        "limits": f"{limits.cell_seconds:g} s a cell, {limits.notebook_seconds:g} s a notebook",
        "sandbox": old.sandbox or "not recorded",
        "versions": ", ".join(f"{package} {version}" for package, version in old.versions.items()),
    }
    if version_differences := differences(old.versions, new.versions):
        facts["then, now"] = version_differences
    if record.released_again:
        facts["problem set"] = "was released again after this grading; its tests may differ"
    for label, text in facts.items():
        console.print(Text(f"{label:<12}", "dim").append(text, "default not dim"))
    for pair in record.pairs:
        console.print(_describe_cell(*pair))
    for incident in new.incidents:
        console.print(Text(describe_incident(incident), "yellow"))


def _counts(counts: Counts | None) -> str:
    if counts is None:
        return "has no points for this submission"
    text = f"{counts.points:g} points"
    if counts.penalty:
        text += f", after a late penalty of {counts.penalty:g}"
    return text + (f"; by hand: {', '.join(counts.by_hand)}" if counts.by_hand else "")


def _describe_cell(old: CellResult, new: CellResult) -> Text:
    """Return a cell's points, its message to the student and the message of a hidden test."""
    colour = _COLOURS["waiting" if old.points is None else "full" if old.full else "none"]
    points = "by hand" if old.points is None else f"{old.points:g} of {old.max_points:g}"
    text = Text(f"\n{old.name}: ").append(points, colour)
    if new.points != old.points:
        text.append(f", now {new.points if new.points is not None else 'by hand'}", "bold red")
    if old.message:
        text.append(f"\n  told: {old.message}")
    if old.detail and old.detail != old.message:
        text.append(f"\n  hidden: {old.detail}", "dim")
    return text
