"""The class at a glance: one self-contained page, and a table of points as CSV."""

from __future__ import annotations

import csv
import io
import re
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from autograder.classroom import coordinator, results
from autograder.classroom.assignment import Assignment, Exercise
from autograder.classroom.folders import Course, CourseError, write_atomically
from autograder.classroom.gradebook import GradebookWriter, with_hand_grades
from autograder.classroom.results import Result
from autograder.pages import figures, rendering
from autograder.pages.feedback import about_test, state_of, template, title_of


@dataclass(frozen=True)
class CheckRow:
    """How a class did in one graded cell."""

    about: str
    name: str
    max_points: float
    mean: float
    lost: int  # submissions that lost points here
    messages: tuple[tuple[str, int], ...]  # most frequent first


@dataclass(frozen=True)
class StudentRow:
    result: Result
    link: str
    parts: tuple[tuple[str, float, float], ...]  # state, points, most: by exercise
    remarks: int


def write_report(course: Course, assignment: Assignment):
    """Write COURSE/report/NAME.html and NAME.csv; return both paths."""
    found = results.find_all(course, assignment.name)
    if not found:
        raise CourseError(f"no submission of {assignment.name!r} has been graded; grade first")
    with GradebookWriter(course, assignment.name) as gradebook:
        grades = gradebook.grades()
    graded = [with_hand_grades(result, grades.get(result.student, {})) for result in found]
    refused = coordinator.find_refused(course, assignment.name)
    write_atomically(course.report(assignment.name), render(assignment, graded, refused))
    table = points_csv(assignment, graded)
    write_atomically(course.report(assignment.name, ".csv"), table.encode("utf-8-sig"))
    return course.report(assignment.name), course.report(assignment.name, ".csv")


def render(assignment: Assignment, graded: list[Result], refused: list[str]) -> str:
    """The page as text."""
    points = [result.points for result in graded]
    exercises = assignment.exercises
    return template("report.html.j2").render(
        assignment=assignment,
        title=rendering.heading(title_of(assignment)),
        count=len(graded),
        mean=statistics.fmean(points),
        median=statistics.median(points),
        full=sum(result.points >= result.max_points for result in graded),
        by_hand=sum(bool(result.by_hand) for result in graded),
        flagged=[result for result in graded if result.needs_teacher],
        sandboxes=sorted({result.sandbox for result in graded if result.sandbox}),
        distribution=figures.score_distribution(points, assignment.max_points),
        shares=figures.exercise_shares([e.title for e in exercises], _shares(exercises, graded)),
        seconds=figures.seconds(
            [result.seconds for result in graded], [result.student_seconds for result in graded]
        ),
        median_seconds=statistics.median(result.seconds for result in graded),
        own_seconds=statistics.median(r.seconds - r.student_seconds for r in graded),
        slowest=max(graded, key=lambda result: result.seconds),
        checks=sorted(_checks(assignment, graded), key=lambda row: -row.lost),
        stopped=[(r, i.kind, results.told(i)) for r in graded for i in r.incidents],
        noted=[(result, note) for result in graded for note in result.notes],
        refused=refused,
        exercises=[rendering.heading(exercise.title) for exercise in exercises],
        students=[_student(assignment, result) for result in graded],
        style=Markup(rendering.styles()),
    )


def _shares(exercises: tuple[Exercise, ...], graded: list[Result]) -> list[tuple[int, int, int]]:
    """(all, some, none) of each exercise; what waits for a human counts as it stands."""
    shares = []
    for exercise in exercises:
        cells = [result.exercise(exercise.name) for result in graded]
        states = Counter(
            state_of(sum(c.points or 0.0 for c in own), sum(c.max_points for c in own))
            for own in cells
        )
        shares.append((states["full"], states["part"], states["none"]))
    return shares


def _checks(assignment: Assignment, graded: list[Result]):
    """A row for each check; what could not be read says nothing about the checks."""
    read = [r for r in graded if not any(note.kind == "unreadable" for note in r.notes)]
    for origin in assignment.scored:
        cells = [cell for r in read for cell in r.cells if cell.name == origin.name]
        scored = [cell.points for cell in cells if cell.points is not None]
        lost = [c for c in cells if c.points is not None and c.points < c.max_points]
        yield CheckRow(
            about=about_test(origin),
            name=origin.name,
            max_points=origin.points,
            mean=statistics.fmean(scored) if scored else 0.0,
            lost=len(lost),
            messages=tuple(_most_frequent([cell.message for cell in lost if cell.message])),
        )


_NUMBER = re.compile(r"-?\d[\d.,]*(?:e[+-]?\d+)?")


def _most_frequent(messages: list[str], count: int = 3) -> list[tuple[str, int]]:
    """Messages that differ in numbers only are counted as one, shown by their first example."""
    alike = defaultdict(list)
    for message in messages:
        alike[_NUMBER.sub("#", message)].append(message)
    groups = sorted(alike.values(), key=len, reverse=True)[:count]
    return [(group[0], len(group)) for group in groups]


def _student(assignment: Assignment, result: Result) -> StudentRow:
    name = assignment.name
    parts = []
    for exercise in assignment.exercises:
        own = result.exercise(exercise.name)
        points, most = sum(c.points or 0.0 for c in own), sum(c.max_points for c in own)
        waiting = any(cell.points is None for cell in own)
        parts.append((state_of(None if waiting else points, most), points, most))
    link = f"../feedback/{quote(result.student, safe='')}/{name}/{name}.html"
    return StudentRow(result, link, tuple(parts), len(result.notes) + len(result.incidents))


def points_csv(assignment: Assignment, graded: list[Result]) -> str:
    """One line for each student: points, the most possible, each cell, what to look at."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    names = [cell.name for cell in assignment.scored]
    writer.writerow(["student", "points", "max_points", *names, "needs_teacher", "notes"])
    for result in graded:
        by_name = {cell.name: cell.points for cell in result.cells}
        row = [result.student, result.points, result.max_points]
        row += ["" if by_name.get(name) is None else by_name[name] for name in names]
        notes = "; ".join(note.message for note in result.notes)
        row += ["yes" if result.needs_teacher else "no", notes]
        writer.writerow([_harmless(value) for value in row])
    return file.getvalue()


def _harmless(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets an apostrophe in front."""
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky else value
