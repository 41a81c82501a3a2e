"""One self-contained page for each student: the most important errors, the rest, the notebook.

If a set has several notebooks, each has a page, as in nbgrader, with links to the others.

The page shows a test's released text, points and message. It never shows the hidden part, a
traceback or printed text: a student's function could print its arguments from a hidden test.
Nothing on the page can run: see `rendering`, and the page's Content-Security-Policy.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import (
    EXCHANGE_FILES,
    Course,
    CourseError,
    write_atomically,
)
from autograder.classroom.course.printable import visible
from autograder.classroom.gradebook.grades import (
    Arrival,
    CellGrade,
    gradebook_digest,
    is_made_by_us,
    with_hand_grades,
)
from autograder.classroom.gradebook.records import OpenGradebook
from autograder.classroom.grading import results
from autograder.classroom.grading.results import CellResult, Result
from autograder.classroom.sets.assignment import Assignment, Exercise, SourceCell, text_of
from autograder.pages import rendering
from autograder.pages.common import state_of, template, title_of
from autograder.pages.formulas import kept_in
from autograder.pages.texts import describe_test

LABEL_BYTES = 4_096  # a file that names a submission is not larger
MAX_HIGHLIGHTED = 60_000  # characters of code on one page; the rest is only escaped
MAX_PAGE_CHARACTERS = 16 << 20  # characters of one page


@dataclass(frozen=True)
class CheckView:
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
        """The points that the student can still win; 0 if a human has to grade."""
        return 0.0 if self.points is None else max(0.0, self.max_points - self.points)


@dataclass(frozen=True)
class ExerciseView:
    """An exercise as its student sees it."""

    title: Markup
    anchor: str
    checks: tuple[CheckView, ...]
    answered: bool
    comments: tuple[str, ...]

    @property
    def passed(self) -> tuple[CheckView, ...]:
        return tuple(check for check in self.checks if check.state == "full")

    @property
    def others(self) -> tuple[CheckView, ...]:
        """The checks without full points; those with the most points to win come first."""
        checks = [check for check in self.checks if check.state != "full"]
        return tuple(sorted(checks, key=lambda check: -check.to_win))

    @property
    def untouched(self) -> bool:
        """True if the student has changed nothing here, and has no points for it."""
        has_no_points = all(check.state == "none" for check in self.others)
        return not self.answered and bool(self.others) and has_no_points

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
        is_waiting = any(check.state == "waiting" for check in self.checks)
        return state_of(None if is_waiting else self.points, self.max_points)


@dataclass(frozen=True)
class CellView:
    """A cell of the notebook below the summary: "text", "code", "answer" or "check"."""

    kind: str
    anchor: str
    body: Markup
    outputs: Markup | str = ""
    check: CheckView | None = None


def write_feedback(
    course: Course, assignment: Assignment, students: list[str] | None = None
) -> Iterator[Path]:
    """Write the pages of each graded student, or of `students` only; yield the paths.

    Raises CourseError if one of `students` has no result. If a page can't be written, it writes all
    others first, and then raises CourseError.
    """
    by_student = {result.student: result for result in results.find_all(course, assignment.name)}
    names = list(by_student) if students is None else students
    if missing := [student for student in names if student not in by_student]:
        raise CourseError(f"no result of {assignment.name!r} for {', '.join(missing)}; grade first")
    with OpenGradebook(course, assignment.name) as gradebook:
        grades, arrivals = gradebook.grades(), gradebook.arrivals()
    failures = []
    with kept_in(course.formulas):
        for student in names:
            try:
                penalty = arrivals.get(student, Arrival()).penalty
                student_grades = grades.get(student, {})
                result = by_student[student]
                variant = assignment.for_student(result.variant or student)
                pages = render_all(course, variant, result, student_grades, penalty)
                paths = list(_write(course, assignment, student, pages))
            except Exception as error:
                failures.append(f"no page for {visible(student)}: {str(error) or repr(error)}")
                continue
            yield from paths
    if failures:
        raise CourseError("\n".join(failures))


def _write(
    course: Course, assignment: Assignment, student: str, pages: dict[str, str]
) -> Iterator[Path]:
    for notebook in assignment.notebooks:
        path = course.feedback(student, assignment.name, notebook)
        if notebook in pages:
            write_atomically(path, pages[notebook])
            yield path
        else:
            path.unlink(missing_ok=True)  # an earlier submission had it
    _copy_exchange_files(
        course.submitted(student, assignment.name).parent,
        course.feedback(student, assignment.name).parent,
    )


def _copy_exchange_files(submitted: Path, pages: Path) -> None:
    """Copy the files by which nbgrader's exchange knows the student to the page's folder."""
    for name in EXCHANGE_FILES:
        source = submitted / name
        if source.is_file() and not source.is_symlink() and source.stat().st_size <= LABEL_BYTES:
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
    """A notebook in the list on each page, if the set has several.

    `link` is empty if there is no other page to link to.
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
    """Return the page of each notebook that was handed in, or of the first, as text.

    `penalty` is the number of points that the set as a whole lost for being late. Each page has the
    digest `gradebook_digest` of the gradebook's grades, which shows if the page is out of date.
    """
    names, digest = assignment.notebooks, gradebook_digest(grades, penalty)
    if not assignment.notebook_parts:
        return {names[0]: render(course, assignment, result, grades, penalty, digest)}
    unreadable = any(note.kind == "unreadable" and not note.notebook for note in result.notes)
    readable = names[:1] if unreadable else [name for name in names if name not in result.missing]
    pages = {}
    for name, part in zip(names, assignment.parts, strict=True):
        if name in (readable or names[:1]):
            prefix = f"{name}/"
            part_grades = {
                c.removeprefix(prefix): g for c, g in grades.items() if c.startswith(prefix)
            }
            siblings = _siblings(with_hand_grades(result, grades), names, name, readable)
            pages[name] = render(
                course, part, result.part(name), part_grades, penalty, digest, siblings
            )
    return pages


def _siblings(
    result: Result, names: Sequence[str], this: str, readable: Collection[str]
) -> tuple[Sibling, ...]:
    parts = {name: result.part(name) for name in names}
    return tuple(
        Sibling(
            name,
            part.points,
            part.max_points,
            name not in result.missing,
            f"{quote(name)}.html" if name in readable and name != this else "",
        )
        for name, part in parts.items()
    )


def render(
    course: Course,
    assignment: Assignment,
    result: Result,
    grades: dict[str, CellGrade],
    penalty: float = 0.0,
    digest: str = "",
    siblings: tuple[Sibling, ...] = (),
) -> str:
    """Return the page of one notebook as text."""
    result = with_hand_grades(result, grades)
    checks = {cell.name: _check(assignment, cell) for cell in result.cells}
    exercises = [_exercise(e, checks, result, grades) for e in assignment.exercises]
    answers = {cell.name for cell in assignment.cells if cell.solution}
    cell_views = tuple(_cells(course, assignment, result, checks))
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
        notes=[note.message for note in result.notes if note.message],
        exercises=exercises,
        points=max(0.0, sum(e.points for e in exercises) - (0.0 if siblings else penalty)),
        penalty=penalty,
        told=digest,
        max_points=sum(e.max_points for e in exercises),
        waiting=any(check.state == "waiting" for check in checks.values()),
        incidents=_incidents(result, answers),
        cells=cell_views,
        styles=Markup(rendering.styles()),
    )


def _check(assignment: Assignment, cell: CellResult) -> CheckView:
    state = state_of(cell.points, cell.max_points)
    origin = assignment.followed_cells.get(cell.name)
    message = "" if state == "full" else cell.message
    if state == "waiting" and not message:
        message = "Waits for a human to grade it."
    description = describe_test(origin) if origin else cell.name
    picture = rendering.drawing(cell.picture) if message and cell.picture else ""
    return CheckView(cell.name, description, cell.points, cell.max_points, message, state, picture)


def _exercise(
    exercise: Exercise, checks: dict[str, CheckView], result: Result, grades: dict[str, CellGrade]
) -> ExerciseView:
    comments = (grades[name].comment for name in exercise.solutions if name in grades)
    return ExerciseView(
        title=rendering.heading(exercise.title),
        anchor=exercise.name,
        checks=tuple(checks[name] for name in exercise.graded if name in checks),
        answered=not set(exercise.solutions) & set(result.unanswered),
        comments=tuple(
            rendering.teachers_markdown(text.replace("\n", "  \n"))  # keep the line ends
            for text in comments
            if text and not is_made_by_us(text)
        ),
    )


def _incidents(result: Result, answers: set[str]) -> list[tuple[str, str]]:
    """Return (anchor or "", message) of each incident in the student's code."""
    return [
        (incident.cell if incident.cell in answers else "", results.describe_incident(incident))
        for incident in result.students_incidents
    ]


def _cells(
    course: Course, assignment: Assignment, result: Result, checks: dict[str, CheckView]
) -> Iterator[CellView]:
    path = course.autograded(result.student, assignment.name, assignment.notebook)
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} can't be read ({error}); grade {result.student} again") from None
    teachers_texts = {cell.released for cell in assignment.cells if cell.cell_type == "markdown"}
    code_characters, page_characters = 0, 0
    for cell in notebook["cells"]:
        name = CellMetadata.of(cell).grade_id
        code_characters += len(cell["source"])
        view = _cell(
            cell,
            assignment.followed_cells.get(name),
            teachers_texts,
            checks,
            code_characters <= MAX_HIGHLIGHTED,
        )
        page_characters += len(view.body) + len(view.outputs)
        if page_characters > MAX_PAGE_CHARACTERS:
            message = "The notebook is too long for this page: the rest of it is not shown."
            yield CellView("text", "", rendering.prose(message))
            return
        yield view


def _cell(
    cell: dict,
    origin: SourceCell | None,
    teachers_texts: set[str],
    checks: dict[str, CheckView],
    highlighted: bool,
) -> CellView:
    text = text_of(cell["source"])
    name = origin.name if origin else ""
    if origin is not None and origin.test:
        return CellView("check", name, rendering.python(origin.released), check=checks.get(name))
    kind = "answer" if origin is not None and origin.solution else "text"
    if cell["cell_type"] == "markdown":
        is_teachers = text in teachers_texts and kind == "text"
        pictures = cell.get("attachments")
        body = rendering.teachers_markdown(text) if is_teachers else None
        body = body if is_teachers else rendering.students_markdown(text, pictures)
        return CellView(kind, name, body, check=checks.get(name))
    if cell["cell_type"] != "code":
        return CellView(kind, name, rendering.terminal(text))
    kind = kind if kind == "answer" else "code"
    outputs = rendering.outputs(cell["outputs"])
    return CellView(kind, name, rendering.python(text, highlighted), outputs, checks.get(name))
