"""The class at a glance: one self-contained page, and its numbers as tables (CSV)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from markupsafe import Markup

from autograder.classroom import collected, results
from autograder.classroom.assignment import Assignment, Exercise
from autograder.classroom.folders import Course, CourseError, write_atomically
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.grades import with_hand_grades
from autograder.classroom.results import Result
from autograder.pages import figures, items, rendering, tables
from autograder.pages.answers import PUBLISHED, alike_in_class
from autograder.pages.common import state_of, template, title_of
from autograder.pages.items import Item
from autograder.pages.similarity import Pair

SLOWEST = 5  # submissions listed by time
PAIRS = 40  # near-duplicates on the page; the table has all


@dataclass(frozen=True)
class ExerciseRow:
    """How a class did in one exercise, and in its checks."""

    title: Markup
    mean: float
    max_points: float
    scored: int  # submissions of which nothing in it waits for a human
    lost: int  # of them, those without all points
    items: tuple[Item, ...]


@dataclass(frozen=True)
class StudentRow:
    """One submission in the table of all. `remarks` counts what the teacher should look at."""

    result: Result
    link: str
    parts: tuple[tuple[str, float, float], ...]  # state, points, most: by exercise
    remarks: int


@dataclass(frozen=True)
class AlikeRow:
    """Two students, and the exercises in which their answers are alike (title, likeness)."""

    students: tuple[str, str]
    exercises: tuple[tuple[Markup, float], ...]
    evidence: float


# The page, and its tables; below a folder no other set can have one of this name.
SUFFIXES = (".html", ".csv", "/checks.csv", "/alike.csv")


def write_report(course: Course, assignment: Assignment) -> tuple[Path, ...]:
    """Write COURSE/report/NAME.html and its tables; return the paths, the page first.

    Raises CourseError where nobody is graded.
    """
    found = results.find_all(course, assignment.name)
    if not found:
        raise CourseError(f"no submission of {assignment.name!r} has been graded; grade first")
    with OpenGradebook(course, assignment.name) as gradebook:
        grades, arrivals = gradebook.grades(), gradebook.arrivals()
    graded = [with_hand_grades(result, grades.get(result.student, {})) for result in found]
    penalties = {who: one.penalty for who, one in arrivals.items() if one.penalty}
    refused = collected.find_refused(course, assignment.name)
    alike = alike_in_class(course, assignment, graded)
    texts = (
        tables.points_csv(assignment, graded, penalties),
        tables.checks_csv(items.analyse(assignment, graded)),
        tables.alike_csv(alike),
    )
    page, *others = (course.report(assignment.name, suffix) for suffix in SUFFIXES)
    write_atomically(page, render(assignment, graded, refused, alike, penalties))
    for path, text in zip(others, texts, strict=True):
        write_atomically(path, text.encode("utf-8-sig"))
    return page, *others


def render(
    assignment: Assignment,
    graded: Sequence[Result],
    refused: Sequence[str],
    alike: Mapping[str, Sequence[Pair]],
    penalties: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """The page as text; `alike` has the pairs of near-duplicates by exercise, `penalties` what late
    work loses by student.
    """
    points = [result.points for result in graded]
    exercises = assignment.exercises
    checks = items.analyse(assignment, graded)
    tried = items.attempts(graded)
    links = _Links(assignment, {result.student: result.missing for result in graded})
    return template("report.html.j2").render(
        assignment=assignment,
        title=rendering.heading(title_of(assignment)),
        count=len(graded),
        mean=statistics.fmean(points),
        median=statistics.median(points),
        forgeable=sum(cell.points for cell in assignment.scored if cell.forgeable),
        full=sum(result.points >= result.max_points for result in graded),
        by_hand=sum(bool(result.by_hand) for result in graded),
        flagged=[result for result in graded if result.needs_teacher],
        sandboxes=sorted({result.sandbox for result in graded if result.sandbox}),
        distribution=figures.score_distribution(points, assignment.max_points),
        shares=figures.exercise_shares([e.title for e in exercises], _shares(exercises, graded)),
        checks=[_exercise(exercise, checks, tried) for exercise in exercises],
        tried=len(tried),
        remarkable=[item for item in checks if item.remark],
        by_chance=items.chance(len(tried)),
        stopped=[(r, i.kind, results.told(i)) for r in graded for i in r.incidents],
        noted=[(result, note) for result in graded for note in result.notes],
        alike=_alike(exercises, alike),
        most_alike=PAIRS,
        published=PUBLISHED,
        refused=refused,
        penalties=penalties,
        exercises=[rendering.heading(exercise.title) for exercise in exercises],
        students=[_student(assignment, result, links) for result in graded],
        feedback=links.feedback,
        notebook=links.notebook,
        **_times(graded),
    )


@dataclass(frozen=True)
class _Links:
    """Links from the report to a student's files; of several notebooks, to the first there is."""

    assignment: Assignment
    missing: Mapping[str, Collection[str]]  # notebooks, by student

    def feedback(self, student: str) -> str:
        return self._beside("feedback", student, "html")

    def notebook(self, student: str) -> str:
        return self._beside("autograded", student, "ipynb")

    def _beside(self, folder: str, student: str, kind: str) -> str:
        names = self.assignment.notebooks
        there = [name for name in names if name not in self.missing.get(student, ())] or names
        place = f"{quote(student, safe='')}/{self.assignment.name}"
        return f"../{folder}/{place}/{quote(there[0])}.{kind}"


def _shares(exercises: Sequence[Exercise], graded: Sequence[Result]) -> list[tuple[int, ...]]:
    """(all, some, none, waiting) of each exercise."""
    shares = []
    for exercise in exercises:
        states = Counter(_state(result, exercise) for result in graded)
        shares.append(tuple(states[name] for name in ("full", "part", "none", "waiting")))
    return shares


def _state(result: Result, exercise: Exercise) -> str:
    points, most = _points(result, exercise)
    return state_of(None if _waits(result, exercise) else points, most)


def _waits(result: Result, exercise: Exercise) -> bool:
    return any(cell.points is None for cell in result.exercise(exercise.name))


def _points(result: Result, exercise: Exercise) -> tuple[float, float]:
    """Points in an exercise, and the most that it has."""
    cells = result.exercise(exercise.name)
    return sum(cell.points or 0.0 for cell in cells), sum(cell.max_points for cell in cells)


def _exercise(exercise: Exercise, checks: Sequence[Item], tried: Sequence[Result]) -> ExerciseRow:
    points = [_points(result, exercise) for result in tried if not _waits(result, exercise)]
    own = tuple(item for item in checks if item.exercise == exercise.name)
    return ExerciseRow(
        title=rendering.heading(exercise.title),
        mean=statistics.fmean(got for got, _ in points) if points else 0.0,
        max_points=sum(item.max_points for item in own),
        scored=len(points),
        lost=sum(got < most for got, most in points),
        items=own,
    )


def _times(graded: Sequence[Result]) -> dict[str, object]:
    """The students' own code and the grader's overhead, apart."""
    whole = [result.seconds for result in graded]
    theirs = [result.student_seconds for result in graded]
    ours = [result.seconds - result.student_seconds for result in graded]
    return {
        "seconds": figures.seconds(whole, theirs),
        "whole_seconds": (sum(whole), statistics.median(whole)),
        "their_seconds": (sum(theirs), statistics.median(theirs)),
        "our_seconds": (sum(ours), statistics.median(ours)),
        "slowest": sorted(graded, key=lambda result: -result.seconds)[:SLOWEST],
    }


def _alike(exercises: Sequence[Exercise], alike: Mapping[str, Sequence[Pair]]) -> list[AlikeRow]:
    """One row for two students, whatever the number of exercises; the most evidence first."""
    together: dict[tuple[str, str], list[tuple[Markup, Pair]]] = {}
    for exercise in exercises:
        for pair in alike.get(exercise.name, ()):
            found = together.setdefault((pair.first, pair.second), [])
            found.append((rendering.heading(exercise.title), pair))
    rows = [
        AlikeRow(
            students,
            tuple((title, pair.likeness) for title, pair in found),
            sum(pair.evidence for _, pair in found),
        )
        for students, found in together.items()
    ]
    return sorted(rows, key=lambda row: (-row.evidence, row.students))


def _student(assignment: Assignment, result: Result, links: _Links) -> StudentRow:
    parts = []
    for exercise in assignment.exercises:
        parts.append((_state(result, exercise), *_points(result, exercise)))
    link = links.feedback(result.student)
    return StudentRow(result, link, tuple(parts), len(result.notes) + len(result.incidents))
