"""One self-contained page for each student: what to fix first, what passed, and the notebook.

Of a set with several notebooks each has a page, as in nbgrader, which also tells of the others.

Of tests the page shows the text that was released, points and message, never the hidden part, a
traceback or what was printed while they ran (a student's function could print what it was called
with). Nothing on the page can run: see `rendering`, and the page's Content-Security-Policy.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from autograder.classroom import results
from autograder.classroom.assignment import Assignment, Exercise, SourceCell, text_of
from autograder.classroom.folders import EXCHANGE_FILES, Course, CourseError, write_atomically
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.grades import (
    Arrival,
    CellGrade,
    is_made_by_us,
    told_by,
    with_hand_grades,
)
from autograder.classroom.marks import Marks
from autograder.classroom.results import CellResult, Result
from autograder.classroom.visible import visible
from autograder.pages import rendering
from autograder.pages.common import state_of, template, title_of
from autograder.pages.formulas import kept_in
from autograder.pages.words import about_test

LABEL_LIMIT = 4_096  # bytes of a file that names a submission
HIGHLIGHTED = 60_000  # characters of code on one page; the rest is only escaped
PAGE_LIMIT = 16 << 20  # characters of one page


@dataclass(frozen=True)
class Check:
    """A graded cell as its student sees it. `state` is "full", "part", "none" or "waiting"."""

    name: str
    about: str
    points: float | None
    max_points: float
    message: str
    state: str
    picture: Markup | str = ""

    @property
    def to_win(self) -> float:
        """The points that it still has to give; none where a human is asked."""
        return 0.0 if self.points is None else max(0.0, self.max_points - self.points)


@dataclass(frozen=True)
class ExerciseView:
    """An exercise as its student sees it."""

    title: Markup
    anchor: str
    checks: tuple[Check, ...]
    answered: bool
    comments: tuple[str, ...]

    @property
    def passed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.state == "full")

    @property
    def others(self) -> tuple[Check, ...]:
        """Those that something is to be said of, the most points to win first."""
        found = [check for check in self.checks if check.state != "full"]
        return tuple(sorted(found, key=lambda check: -check.to_win))

    @property
    def untouched(self) -> bool:
        """Whether there is nothing to say but that."""
        lost = all(check.state == "none" for check in self.others)
        return not self.answered and bool(self.others) and lost

    @property
    def to_win(self) -> float:
        return sum(check.to_win for check in self.checks)

    @property
    def points(self) -> float:
        return sum(check.points or 0.0 for check in self.checks)

    @property
    def max_points(self) -> float:
        return sum(check.max_points for check in self.checks)

    @property
    def state(self) -> str:
        waiting = any(check.state == "waiting" for check in self.checks)
        return state_of(None if waiting else self.points, self.max_points)


@dataclass(frozen=True)
class CellView:
    """A cell of the notebook below the summary. `kind`: "text", "code", "answer", "check"."""

    kind: str
    anchor: str
    body: Markup
    outputs: Markup | str = ""
    check: Check | None = None


def write_feedback(course: Course, assignment: Assignment, students: list[str] | None = None):
    """Write the pages of each graded student (or of those named); yield the paths.

    Raises CourseError where a named student has no result, and, when all other pages have been
    written, where one couldn't be.
    """
    graded = {result.student: result for result in results.find_all(course, assignment.name)}
    wanted = list(graded) if students is None else students
    if absent := [student for student in wanted if student not in graded]:
        raise CourseError(f"no result of {assignment.name!r} for {', '.join(absent)}; grade first")
    with OpenGradebook(course, assignment.name) as gradebook:
        grades, arrivals = gradebook.grades(), gradebook.arrivals()
    failed = []
    with kept_in(course.formulas):
        for student in wanted:
            try:
                penalty = arrivals.get(student, Arrival()).penalty
                own = grades.get(student, {})
                pages = render_all(course, assignment, graded[student], own, penalty)
                written = list(_write(course, assignment, student, pages))
            except Exception as error:
                failed.append(f"no page for {visible(student)}: {str(error) or repr(error)}")
                continue
            yield from written
    if failed:
        raise CourseError("\n".join(failed))


def _write(
    course: Course, assignment: Assignment, student: str, pages: dict[str, str]
) -> Iterator[Path]:
    for notebook in assignment.notebooks:
        path = course.feedback(student, assignment.name, notebook)
        if notebook in pages:
            write_atomically(path, pages[notebook])
            yield path
        else:
            path.unlink(missing_ok=True)  # of an earlier submission
    _label_for_exchange(
        course.submitted(student, assignment.name).parent,
        course.feedback(student, assignment.name).parent,
    )


def _label_for_exchange(submitted: Path, pages: Path) -> None:
    """Put beside a page that by which nbgrader's exchange knows whose it is."""
    for name in EXCHANGE_FILES:
        source = submitted / name
        if source.is_file() and not source.is_symlink() and source.stat().st_size <= LABEL_LIMIT:
            write_atomically(pages / name, source.read_bytes())


def prepare_pages(course: Course, assignment: Assignment) -> None:
    """Draw the formulas of the problem set, once for all the pages that will show them."""
    with kept_in(course.formulas):
        for cell in assignment.cells:
            if cell.cell_type == "markdown":
                rendering.teachers_markdown(cell.released)
        for title in (title_of(assignment), *(e.title for e in assignment.exercises)):
            rendering.heading(title)


@dataclass(frozen=True)
class Sibling:
    """A notebook of a set with several, as each page lists them. `link` is empty for a page that
    isn't there, or is this one.
    """

    name: str
    points: float
    max_points: float
    handed_in: bool
    link: str


def render_all(
    course: Course,
    assignment: Assignment,
    result: Result,
    grades: dict[str, CellGrade],
    penalty: float = 0.0,
) -> dict[str, str]:
    """By notebook its page as text: of those that were handed in, or of the first.

    `penalty` are the points of the whole set that it was handed in too late for. Each page notes
    what it was `told_by` the gradebook, by which its age is known.
    """
    names, told = assignment.notebooks, told_by(grades, penalty)
    if not assignment.several:
        return {names[0]: render(course, assignment, result, grades, penalty, told)}
    unreadable = any(note.kind == "unreadable" and not note.notebook for note in result.notes)
    shown = names[:1] if unreadable else [name for name in names if name not in result.missing]
    pages = {}
    for name, part in zip(names, assignment.parts, strict=True):
        if name in (shown or names[:1]):
            start = f"{name}/"
            own = {c.removeprefix(start): g for c, g in grades.items() if c.startswith(start)}
            siblings = _siblings(with_hand_grades(result, grades), names, name, shown)
            pages[name] = render(course, part, result.part(name), own, penalty, told, siblings)
    return pages


def _siblings(
    result: Result, names: Sequence[str], this: str, shown: Collection[str]
) -> tuple[Sibling, ...]:
    parts = {name: result.part(name) for name in names}
    return tuple(
        Sibling(
            name,
            part.points,
            part.max_points,
            name not in result.missing,
            f"{quote(name)}.html" if name in shown and name != this else "",
        )
        for name, part in parts.items()
    )


def render(
    course: Course,
    assignment: Assignment,
    result: Result,
    grades: dict[str, CellGrade],
    penalty: float = 0.0,
    told: str = "",
    siblings: tuple[Sibling, ...] = (),
) -> str:
    """The page of one notebook as text."""
    result = with_hand_grades(result, grades)
    checks = {cell.name: _check(assignment, cell) for cell in result.cells}
    exercises = [_exercise(e, checks, result, grades) for e in assignment.exercises]
    answers = {cell.name for cell in assignment.cells if cell.solution}
    shown = tuple(_cells(course, assignment, result, checks))
    to_fix = sorted((e for e in exercises if e.to_win), key=lambda e: -e.to_win)
    return template("feedback.html.j2").render(
        assignment=assignment.name,
        notebook=assignment.notebook or assignment.name,
        siblings=siblings,
        unreadable=result.unreadable,
        to_fix=to_fix,
        rest=[exercise for exercise in exercises if not exercise.to_win],
        title=rendering.heading(title_of(assignment)),
        result=result,
        exercises=exercises,
        points=max(0.0, sum(e.points for e in exercises) - (0.0 if siblings else penalty)),
        penalty=penalty,
        told=told,
        max_points=sum(e.max_points for e in exercises),
        waiting=any(check.state == "waiting" for check in checks.values()),
        incidents=_incidents(result, answers),
        cells=shown,
        styles=Markup(rendering.styles()),
    )


def _check(assignment: Assignment, cell: CellResult) -> Check:
    state = state_of(cell.points, cell.max_points)
    origin = assignment.followed.get(cell.name)
    message = "" if state == "full" else cell.message
    if state == "waiting" and not message:
        message = "Waits for a human to grade it."
    about = about_test(origin) if origin else cell.name
    picture = rendering.drawing(cell.picture) if message and cell.picture else ""
    return Check(cell.name, about, cell.points, cell.max_points, message, state, picture)


def _exercise(exercise: Exercise, checks, result: Result, grades) -> ExerciseView:
    said = (grades[name].comment for name in exercise.solutions if name in grades)
    return ExerciseView(
        title=rendering.heading(exercise.title),
        anchor=exercise.name,
        checks=tuple(checks[name] for name in exercise.graded if name in checks),
        answered=not set(exercise.solutions) & set(result.unanswered),
        comments=tuple(
            rendering.teachers_markdown(text.replace("\n", "  \n"))  # a line of hers stays one
            for text in said
            if text and not is_made_by_us(text)
        ),
    )


def _incidents(result: Result, answers: set[str]) -> list[tuple[str, str]]:
    """(anchor or "", message) of what had to be stopped."""
    return [
        (incident.cell if incident.cell in answers else "", results.told(incident))
        for incident in result.students_incidents
    ]


def _cells(course: Course, assignment: Assignment, result: Result, checks: dict[str, Check]):
    path = course.autograded(result.student, assignment.name, assignment.notebook)
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} can't be read ({error}); grade {result.student} again") from None
    theirs = {cell.released for cell in assignment.cells if cell.cell_type == "markdown"}
    code, shown = 0, 0
    for cell in notebook["cells"]:
        name = Marks.of(cell).grade_id
        code += len(cell["source"])
        view = _cell(cell, assignment.followed.get(name), theirs, checks, code <= HIGHLIGHTED)
        shown += len(view.body) + len(view.outputs)
        if shown > PAGE_LIMIT:
            said = "The notebook is too long for this page: the rest of it is not shown."
            yield CellView("text", "", rendering.prose(said))
            return
        yield view


def _cell(
    cell: dict, origin: SourceCell | None, theirs: set[str], checks, highlighted: bool
) -> CellView:
    text = text_of(cell["source"])
    name = origin.name if origin else ""
    if origin is not None and origin.test:
        return CellView("check", name, rendering.python(origin.released), check=checks.get(name))
    kind = "answer" if origin is not None and origin.solution else "text"
    if cell["cell_type"] == "markdown":
        owned = text in theirs and kind == "text"
        pictures = cell.get("attachments")
        shown = rendering.teachers_markdown(text) if owned else None
        shown = shown if owned else rendering.students_markdown(text, pictures)
        return CellView(kind, name, shown, check=checks.get(name))
    if cell["cell_type"] != "code":
        return CellView(kind, name, rendering.terminal(text))
    kind = kind if kind == "answer" else "code"
    found = rendering.outputs(cell["outputs"])
    return CellView(kind, name, rendering.python(text, highlighted), found, checks.get(name))
