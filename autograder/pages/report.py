"""Write the teacher's report on a class: one self-contained page, and its tables (CSV)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from markupsafe import Markup

from autograder.classroom.course.folders import Course, CourseError, write_atomically
from autograder.classroom.gradebook.grades import with_hand_grades
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading.results import Result, find_all
from autograder.classroom.intake import collection_record
from autograder.classroom.sets.assignment import Assignment, Exercise
from autograder.pages import figures, items, remarks, rendering, tables
from autograder.pages.answers import alike_in_class, is_outsider
from autograder.pages.common import state_of, template, title_of
from autograder.pages.items import Item
from autograder.pages.next_steps import NextStep, find_steps
from autograder.pages.similarity import Pair

SLOWEST_COUNT = 5  # submissions listed by time
MOST_NAMED = 10  # students of one remark that are shown at once
PAIRS = 40  # near-duplicates on the page; the table has all


@dataclass(frozen=True)
class ExerciseRow:
    """The results of a class in one exercise, and in its checks."""

    title: Markup
    mean: float
    max_points: float
    scored: int  # submissions in which no cell of the exercise waits for a human
    lost: int  # scored submissions without full points
    items: tuple[Item, ...]


@dataclass(frozen=True)
class StudentRow:
    """A submission in the table of all. `remarks` counts the remarks for the teacher to read."""

    result: Result
    link: str
    parts: tuple[tuple[str, float, float], ...]  # state, points and maximum points of each exercise
    remarks: int


@dataclass(frozen=True)
class AlikeRow:
    """Two students, and the exercises in which their answers are alike (title, likeness)."""

    students: tuple[str, str]
    exercises: tuple[tuple[Markup, float], ...]
    evidence: float


# The page and its tables. Some are in a folder of the set, so that sets can't share a file name.
SUFFIXES = (".html", ".csv", "/checks.csv", "/alike.csv")


def write_report(
    course: Course, assignment: Assignment, others: Sequence[Course] = ()
) -> tuple[Path, ...]:
    """Write COURSE/report/NAME.html and its tables; return the paths, the page first.

    Answers are also compared with those of the courses `others`. Raises CourseError if nobody is
    graded.
    """
    results = find_all(course, assignment.name)
    if not results:
        raise CourseError(f"no submission of {assignment.name!r} has been graded; grade first")
    with OpenGradebook(course, assignment.name) as gradebook:
        grades, arrivals = gradebook.grades(), gradebook.arrivals()
        names = remarks.find_names(course, gradebook.names())
    results = [with_hand_grades(result, grades.get(result.student, {})) for result in results]
    penalties = {
        student: arrival.penalty for student, arrival in arrivals.items() if arrival.penalty
    }
    refused = collection_record.find_refused(course, assignment.name)
    pairs_by_exercise = alike_in_class(course, assignment, results, others)
    checks = items.analyse(assignment, results)
    look_count = len(refused) + sum(result.needs_teacher for result in results)
    check_count = sum(bool(item.remark) for item in checks)
    steps = find_steps(course, assignment.name, results, look_count, check_count)
    texts = (
        tables.points_csv(assignment, results, penalties),
        tables.checks_csv(checks),
        tables.alike_csv(pairs_by_exercise),
    )
    page, *table_paths = (course.report(assignment.name, suffix) for suffix in SUFFIXES)
    html = render(assignment, results, refused, pairs_by_exercise, penalties, names, steps)
    write_atomically(page, html)
    for path, text in zip(table_paths, texts, strict=True):
        write_atomically(path, text.encode("utf-8-sig"))
    return page, *table_paths


def render(
    assignment: Assignment,
    results: Sequence[Result],
    refused: Sequence[str],
    pairs_by_exercise: Mapping[str, Sequence[Pair]],
    penalties: Mapping[str, float] = MappingProxyType({}),
    names: Mapping[str, str] = MappingProxyType({}),
    steps: Sequence[NextStep] = (),
) -> str:
    """Return the page as text.

    `pairs_by_exercise` has the near-duplicates, `penalties` the late penalties and `names` the
    names by student. `steps` are what the teacher can do next.
    """
    points = [result.points for result in results]
    exercises = assignment.exercises
    checks = items.analyse(assignment, results)
    attempted_results = items.attempts(results)
    links = _Links(assignment, {result.student: result.missing for result in results})
    return template("report.html.j2").render(
        assignment=assignment,
        title=rendering.heading(title_of(assignment)),
        count=len(results),
        mean=statistics.fmean(points),
        median=statistics.median(points),
        forgeable=sum(cell.points for cell in assignment.scored if cell.forgeable),
        full=sum(result.points >= result.max_points for result in results),
        by_hand=sum(bool(result.by_hand) for result in results),
        flagged=sum(result.needs_teacher for result in results),
        steps=steps,
        urgent=remarks.urgent(results),
        sandboxes=sorted({result.sandbox for result in results if result.sandbox}),
        distribution=figures.score_distribution(points, assignment.max_points),
        shares=figures.exercise_shares([e.title for e in exercises], _shares(exercises, results)),
        checks=[_exercise(exercise, checks, attempted_results) for exercise in exercises],
        tried=len(attempted_results),
        remarkable=[item for item in checks if item.remark],
        by_chance=items.chance(len(attempted_results)),
        stopped=remarks.stopped(results),
        noted=remarks.noted(results),
        label=lambda student: remarks.label(student, names),
        names=names,
        most_named=MOST_NAMED,
        alike=_merge(exercises, pairs_by_exercise),
        most_alike=PAIRS,
        is_outsider=is_outsider,
        refused=refused,
        penalties=penalties,
        exercises=[rendering.heading(exercise.title) for exercise in exercises],
        students=[_student(assignment, result, links) for result in results],
        feedback=links.feedback,
        notebook=links.notebook,
        **_times(results),
    )


@dataclass(frozen=True)
class _Links:
    """Links from the report to a student's files. Only the first of several notebooks is linked."""

    assignment: Assignment
    missing: Mapping[str, Collection[str]]  # notebooks, by student

    def feedback(self, student: str) -> str:
        return self._link("feedback", student, "html")

    def notebook(self, student: str) -> str:
        return self._link("autograded", student, "ipynb")

    def _link(self, folder: str, student: str, kind: str) -> str:
        names = self.assignment.notebooks
        handed_in = [n for n in names if n not in self.missing.get(student, ())] or names
        place = f"{quote(student, safe='')}/{self.assignment.name}"
        return f"../{folder}/{place}/{quote(handed_in[0])}.{kind}"


def _shares(exercises: Sequence[Exercise], results: Sequence[Result]) -> list[tuple[int, ...]]:
    """Return the counts (all, some, none, waiting) of each exercise."""
    shares = []
    for exercise in exercises:
        states = Counter(_state(result, exercise) for result in results)
        shares.append(tuple(states[name] for name in ("full", "part", "none", "waiting")))
    return shares


def _state(result: Result, exercise: Exercise) -> str:
    points, max_points = _points(result, exercise)
    return state_of(None if _is_waiting(result, exercise) else points, max_points)


def _is_waiting(result: Result, exercise: Exercise) -> bool:
    return any(cell.points is None for cell in result.exercise(exercise.name))


def _points(result: Result, exercise: Exercise) -> tuple[float, float]:
    """Return the points in an exercise, and its maximum."""
    cells = result.exercise(exercise.name)
    return sum(cell.points or 0.0 for cell in cells), sum(cell.max_points for cell in cells)


def _exercise(exercise: Exercise, checks: Sequence[Item], results: Sequence[Result]) -> ExerciseRow:
    points = [_points(result, exercise) for result in results if not _is_waiting(result, exercise)]
    exercise_items = tuple(item for item in checks if item.exercise == exercise.name)
    return ExerciseRow(
        title=rendering.heading(exercise.title),
        mean=statistics.fmean(earned for earned, _ in points) if points else 0.0,
        max_points=sum(item.max_points for item in exercise_items),
        scored=len(points),
        lost=sum(earned < maximum for earned, maximum in points),
        items=exercise_items,
    )


def _times(results: Sequence[Result]) -> dict[str, object]:
    """Return the times of the students' own code and of the grader's overhead."""
    total_seconds = [result.seconds for result in results]
    student_seconds = [result.student_seconds for result in results]
    grader_seconds = [result.seconds - result.student_seconds for result in results]
    return {
        "seconds": figures.seconds(total_seconds, student_seconds),
        "whole_seconds": (sum(total_seconds), statistics.median(total_seconds)),
        "their_seconds": (sum(student_seconds), statistics.median(student_seconds)),
        "our_seconds": (sum(grader_seconds), statistics.median(grader_seconds)),
        "slowest": sorted(results, key=lambda result: -result.seconds)[:SLOWEST_COUNT],
    }


def _merge(exercises: Sequence[Exercise], pairs: Mapping[str, Sequence[Pair]]) -> list[AlikeRow]:
    """Return one row for each pair of students, over all exercises, sorted by evidence."""
    row_parts: dict[tuple[str, str], list[tuple[Markup, Pair]]] = {}
    for exercise in exercises:
        for pair in pairs.get(exercise.name, ()):
            parts = row_parts.setdefault((pair.first, pair.second), [])
            parts.append((rendering.heading(exercise.title), pair))
    rows = [
        AlikeRow(
            students,
            tuple((title, pair.likeness) for title, pair in parts),
            sum(pair.evidence for _, pair in parts),
        )
        for students, parts in row_parts.items()
    ]
    return sorted(rows, key=lambda row: (-row.evidence, row.students))


def _student(assignment: Assignment, result: Result, links: _Links) -> StudentRow:
    parts = []
    for exercise in assignment.exercises:
        parts.append((_state(result, exercise), *_points(result, exercise)))
    link = links.feedback(result.student)
    return StudentRow(result, link, tuple(parts), len(result.notes) + len(result.incidents))
