"""Lists of students, sets and findings: in a terminal, and as JSON for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom.course.printable import visible
from autograder.classroom.grading.results import Result, describe_incident
from autograder.classroom.running.status import NOTHING, StudentStatus, Summary
from autograder.classroom.sets.assignment import Assignment
from autograder.terminal import ROWS, show_class, show_download

if TYPE_CHECKING:
    from autograder.classroom.intake.collect_class import CollectedClass
    from autograder.classroom.running.coordinator import Plan
    from autograder.classroom.running.course_doctor import Finding
    from autograder.classroom.running.explain_verdict import RepeatedVerdict

_ACTIONS = {"new": "grade", "again": "grade again", "keep": "unchanged"}


def show_survey(console: Console, name: str, handed_in: CollectedClass, plans: list[Plan]) -> None:
    """Print a table of submissions and what would be done with each; write nothing."""
    show_download(console, handed_in)
    has_names = any(plan.submission.name for plan in plans)
    columns = ["student", *(["name"] if has_names else []), "handed in", "would be", "remarks"]
    table = _table(f"{name}: what would be graded", *columns)
    plans_to_show, omitted_count = _select_to_show(
        plans, lambda plan: any(n.needs_teacher for n in plan.submission.notes)
    )
    for plan in plans_to_show:
        notes = sorted(plan.submission.notes, key=lambda note: not note.needs_teacher)
        remark = notes[0].text if notes else ""
        style = "red" if notes and notes[0].needs_teacher else "dim"
        time = plan.submission.timestamp or ("" if plan.submission.paths else "nothing readable")
        identifiers = [plan.submission.student, *([plan.submission.name] if has_names else [])]
        name_texts = [Text(visible(identifier)) for identifier in identifiers]
        table.add_row(*name_texts, time, _ACTIONS[plan.action], Text(remark, style))
    _print(console, table, omitted_count)
    counts = {action: sum(plan.action == action for plan in plans) for action in _ACTIONS}
    console.print(
        f"{counts['new'] + counts['again']} would be graded, {counts['keep']} kept. "
        "Nothing was written."
    )
    show_class(console, handed_in)


def survey_as_json(name: str, handed_in: CollectedClass, plans: list[Plan]) -> dict:
    """Return the contents of `show_survey` for programs."""
    students = [
        {
            "student": plan.submission.student,
            "name": plan.submission.name,
            "action": plan.action,
            "time": plan.submission.timestamp,
            "readable": bool(plan.submission.paths),
            "notes": [asdict(note) for note in plan.submission.notes],
        }
        for plan in plans
    ]
    return {"assignment": name, "students": students} | download_as_json(handed_in)


def download_as_json(handed_in: CollectedClass) -> dict:
    """Return the remarks on the whole hand-in, not on single students."""
    return {
        "platform": handed_in.platform,
        "told": handed_in.remarks,
        "collected": len(handed_in.submissions),
        "not_collected": handed_in.refused,
        "left_out": handed_in.left_out,
        "not_on_the_list": handed_in.unlisted,
        "missing": handed_in.missing,
    }


def results_as_json(
    assignment: Assignment, results: list[Result], penalties: Mapping[str, float]
) -> dict:
    """Return points by student and exercise, without late penalties.

    None stands for points that a human has still to give.
    """
    students = []
    for result in results:
        exercises = {}
        for exercise in assignment.exercises:
            points = [cell.points for cell in result.exercise(exercise.name)]
            exercises[exercise.name] = None if None in points else sum(filter(None, points))
        students.append(
            {
                "student": result.student,
                "points": result.points,
                "late_penalty": penalties.get(result.student, 0.0),
                "could_be_forged": result.forgeable,
                "exercises": exercises,
                "waits_for_a_human": bool(result.by_hand),
                "needs_look": result.needs_teacher,
                "remarks": [describe_incident(i) for i in result.incidents]
                + [n.text for n in result.notes],
            }
        )
    summary = {"assignment": assignment.name, "max_points": assignment.max_points}
    return summary | {"students": students}


def explained_as_json(verdict: RepeatedVerdict) -> dict:
    """Return an old verdict and the repeated one.

    The hidden messages are in it, so only the teacher may see it.
    """
    cells = [
        {"cell": old.name, "points": old.points, "now": new.points, "max_points": old.max_points,
         "told": old.message, "hidden": old.detail}
        for old, new in verdict.pairs
    ]  # fmt: skip
    identifiers = {"student": verdict.kept.student, "assignment": verdict.kept.assignment}
    gradebook = asdict(verdict.counts) if verdict.counts else None
    changes = {"gradebook": gradebook, "released_again": verdict.released_again}
    repetition = {
        "same": not verdict.differing,
        "versions": verdict.kept.versions,
        "seed": verdict.seed,
    }
    return identifiers | changes | repetition | {"cells": cells}


def show_summaries(console: Console, summaries: Sequence[Summary]) -> None:
    """Print one line for each problem set."""
    columns = ("set", "students", "handed in", "late", *_WAITING_LABELS.values(), "need a look")
    table = _table("", *columns)
    for summary in summaries:
        waiting_counts = [str(summary.waits_for[kind] or "") for kind in _WAITING_LABELS]
        numbers = [str(summary.students), str(summary.handed_in), str(summary.late or "")]
        table.add_row(summary.name, *numbers, *waiting_counts, str(summary.needs_look or ""))
    console.print(table)


_WAITING_LABELS = {
    "hand-in": "not yet",
    "grading": "for grading",
    "a human": "for a human",
    "feedback": "for feedback",
}


def show_status(console: Console, name: str, entries: list[StudentStatus], everybody: bool) -> None:
    """Print a line for each student.

    In a large class print only those who wait for something or need a look.
    """
    table = _table(name, "student", "name", "handed in", "points", "waits for", "remarks")
    students_to_show, omitted_count = (
        (entries, 0)
        if everybody
        else _select_to_show(entries, lambda s: s.needs_look or s.waits_for != NOTHING)
    )
    for status in students_to_show:
        points = "" if status.points is None else f"{status.points:g}"
        table.add_row(
            Text(visible(status.student)),
            Text(visible(status.name) if status.name != status.student else ""),
            status.time or ("yes" if status.handed_in else "no"),
            points,
            Text(status.waits_for, "dim" if status.waits_for == NOTHING else "magenta"),
            Text(_remarks(status), "red" if status.needs_look else "dim"),
        )
    _print(console, table, omitted_count)
    summary = Summary.of(name, entries)
    waiting_texts = [f"{count} for {kind}" for kind, count in summary.waits_for.items() if count]
    waiting_sentence = f" Waiting: {', '.join(waiting_texts)}." if waiting_texts else ""
    console.print(f"{summary.handed_in} of {summary.students} handed in.{waiting_sentence}")


def _remarks(status: StudentStatus) -> str:
    parts = [
        "needs a look" if status.needs_look else "",
        "late" if status.late else "",
        f"late penalty {status.penalty:g}" if status.penalty else "",
        f"may hand in until {status.extension}" if status.extension else "",
    ]
    return ", ".join(filter(None, parts))


_SIGNS = {
    "well": ("  well    ", "green"),
    "look": ("  LOOK    ", "bold yellow"),
    "not run": ("  NOT RUN ", "bold yellow"),
    "wrong": ("  WRONG   ", "bold red"),
}


def show_findings(console: Console, findings: Sequence[Finding]) -> None:
    """Print each finding of a course's checkup on a line, and what to do about it."""
    width = max(len(finding.about) for finding in findings) + 2
    for finding in findings:
        line = Text(*_SIGNS[finding.state]).append(f"{finding.about:<{width}}", "default not bold")
        console.print(line.append(finding.text, "default not bold"))
        if finding.remedy:
            console.print(Text(f"{'':<{10 + width}}{finding.remedy}", "dim"))


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD)
    table.padding, table.pad_edge = (0, 1, 0, 0), False
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _select_to_show(items: list, needs_look: Callable[[Any], bool]) -> tuple[list, int]:
    """Return the items to show, and the number of others."""
    if len(items) <= ROWS:
        return items, 0
    items_to_show = [item for item in items if needs_look(item)]
    return items_to_show, len(items) - len(items_to_show)


def _print(console: Console, table: Table, omitted_count: int) -> None:
    if table.row_count:
        console.print()
        console.print(table)
    if omitted_count:
        console.print(f"{omitted_count} others need nothing and are not shown.")
