"""Write results into nbgrader's gradebook, in few queries: one transaction for each submission.

What is written is what `nbgrader autograde` would have written: the student, the submission with
its time, automatic scores, which cells wait for a human, "No response." comments, late penalties.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.classroom.extensions import beyond, granted_until
from autograder.classroom.folders import Course, CourseError
from autograder.classroom.patience import Wait, patiently, silently
from autograder.classroom.quick_nbgrader import alembic_at_hand, parse_utc
from autograder.classroom.results import Result


@dataclass(frozen=True)
class CellGrade:
    """What the gradebook says about a cell now, the hand-given points and comments included."""

    points: float | None
    comment: str = ""


class GradebookWriter:
    """One open gradebook for one problem set; used by the coordinator alone."""

    def __init__(self, course: Course, name: str, wait: Wait = silently) -> None:
        from nbgrader import api

        self._api = api
        self._course = course
        self._name = name
        self._wait = wait
        with _readable_errors(course, "opened"):
            self._book = open_gradebook(course, wait)
            self._book.db().expire_on_commit = False
            notebook = patiently(self._find_notebook, wait, self._book.db.rollback)
            self._notebook_id, self._assignment_id = notebook.id, notebook.assignment_id
            self.due = notebook.assignment.duedate  # in UTC, None if it never is
            self._granted = granted_until(course, name)
            self._tasks = {cell.id: cell.name for cell in notebook.task_cells}
            self._graded = {cell.id: cell.name for cell in notebook.grade_cells} | self._tasks
            self._answers = {cell.id: cell.name for cell in notebook.solution_cells}

    def __enter__(self) -> GradebookWriter:
        return self

    def __exit__(self, *exception) -> None:
        self._book.close()

    def _find_notebook(self):
        try:
            return self._book.find_notebook(self._name, self._name)
        except self._api.MissingEntry:
            raise CourseError(
                f"the gradebook of {self._course.root} doesn't know {self._name!r}; "
                f"run: autograder release {self._course.root} {self._name}"
            ) from None

    def write(self, result: Result, timestamp: str = "") -> None:
        """Record one result, replacing what an earlier grading left; hand-given points stay.

        Waits where another program is writing. Raises CourseError where the gradebook is gone;
        what was written before is safe.
        """
        with _readable_errors(self._course, "written"):
            write = functools.partial(self._write, result, timestamp)
            patiently(write, self._wait, self._book.db.rollback)

    def _write(self, result: Result, timestamp: str) -> None:
        session = self._book.db
        found = self._find(result.student)
        if found is None:
            self._add(result, timestamp)
            found = self._find(result.student) if timestamp and self.due else None
        else:
            self._update(*found, result, timestamp)
        if found is not None:
            self._set_penalty(*found, result)
        session.commit()
        session.expunge_all()  # a class of thousands must not pile up in memory

    def grant(self, student: str, until: datetime | None, result: Result | None) -> float | None:
        """Write down until when a student may hand in; returns the penalty that is left.

        None where there is no submission yet: what is granted is then written with it.
        """

        def write() -> float | None:
            if (found := self._find(student)) is None:
                return None
            submission, notebook = found
            self._granted.pop(student, None)
            submission.extension = None
            if until is not None:
                self._granted[student] = until
            if result is not None:
                self._set_penalty(submission, notebook, result)
            self._book.db.commit()
            return notebook.late_submission_penalty or 0.0

        with _readable_errors(self._course, "written"):
            return patiently(write, self._wait, self._book.db.rollback)

    def _set_penalty(self, submission, notebook, result: Result) -> None:
        """By the time of the submission, the due date and what was granted beyond it."""
        until = self._granted.get(submission.student_id)
        if until is not None and self.due is not None:
            submission.extension = beyond(self.due, until)
        late = submission.timestamp and submission.total_seconds_late > 0
        notebook.late_submission_penalty = self._penalty(submission, result) if late else None

    def _find(self, student: str) -> tuple[Any, Any] | None:
        """The student's submission and its notebook, if they have been graded before."""
        submission, notebook = self._api.SubmittedAssignment, self._api.SubmittedNotebook
        found = (
            self._book.db.query(submission, notebook)
            .join(notebook, notebook.assignment_id == submission.id)
            .filter(submission.student_id == student, notebook.notebook_id == self._notebook_id)
            .one_or_none()
        )
        return None if found is None else (found[0], found[1])

    def _add(self, result: Result, timestamp: str) -> None:
        """A new submission, its cells and the student, if new: a statement for each table.

        As objects, row by row, they take several times as long.
        """
        api, session = self._api, self._book.db
        student, submission, notebook = result.student, api.new_uuid(), api.new_uuid()
        is_known = session.query(api.Student.id).filter(api.Student.id == student).first()
        added = {
            api.Student: [] if is_known else [{"id": student}],
            api.SubmittedAssignment: [
                {
                    "id": submission,
                    "assignment_id": self._assignment_id,
                    "student_id": student,
                    "timestamp": parse_utc(timestamp) if timestamp else None,
                }
            ],
            api.SubmittedNotebook: [
                {
                    "id": notebook,
                    "assignment_id": submission,
                    "notebook_id": self._notebook_id,
                    "flagged": result.needs_teacher,
                }
            ],
            api.Grade: [
                {
                    "cell_id": cell,
                    "notebook_id": notebook,
                    "auto_score": score,
                    "needs_manual_grade": score is None,
                }
                for cell, score in self._scores(result).items()
            ],
            api.Comment: [
                {"cell_id": cell, "notebook_id": notebook, "auto_comment": comment}
                for cell, comment in self._comments(result).items()
            ],
        }
        for kind, rows in added.items():
            if rows:
                session.execute(kind.__table__.insert(), rows)

    def _update(self, submission, notebook, result: Result, timestamp: str) -> None:
        if timestamp:
            submission.timestamp = parse_utc(timestamp)
        notebook.flagged = bool(notebook.flagged or result.needs_teacher)
        grades, comments = self._scores(result), self._comments(result)
        for grade in self._rows(self._api.Grade, notebook.id):
            grade.auto_score = grades[grade.cell_id]
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
        for comment in self._rows(self._api.Comment, notebook.id):
            comment.auto_comment = comments.get(comment.cell_id)

    def _rows(self, kind: Any, notebook: str) -> list:
        return self._book.db.query(kind).filter(kind.notebook_id == notebook).all()

    def _scores(self, result: Result) -> dict[str, float | None]:
        """The points of each graded cell, by its id in the gradebook; None waits for a human."""
        points = {cell.name: cell.points for cell in result.cells}
        return {cell: points.get(name) for cell, name in self._graded.items()}

    def _comments(self, result: Result) -> dict[str, str | None]:
        """What is said of each cell that a student fills, by its id in the gradebook."""
        answers = {
            cell: "No response." if name in result.unanswered else None
            for cell, name in self._answers.items()
        }
        return answers | dict.fromkeys(self._tasks)

    def _penalty(self, submission, result: Result) -> float | None:
        """What the course's late-submission plugin takes away, within 0 and the score."""
        from nbgrader.preprocessors.latesubmissions import AssignLatePenalties

        assigner = AssignLatePenalties(config=self._course.config)
        assigner.init_plugin()
        penalty = assigner.plugin_inst.late_submission_penalty(
            result.student, result.points, submission.total_seconds_late
        )
        return None if penalty is None else min(max(penalty, 0.0), result.points)

    def grades(self) -> dict[str, dict[str, CellGrade]]:
        """Student -> cell -> what the gradebook says now, in two queries for the whole class."""
        with _readable_errors(self._course, "read"):
            return patiently(self._grades, self._wait, self._book.db.rollback)

    def _grades(self) -> dict[str, dict[str, CellGrade]]:
        api = self._api
        found: dict[str, dict[str, CellGrade]] = {}
        for student, grade in self._of_class(api.Grade):
            waiting = grade.auto_score is None and grade.manual_score is None
            cells = found.setdefault(student, {})
            cells[self._graded[grade.cell_id]] = CellGrade(None if waiting else grade.score)
        for student, comment in self._of_class(api.Comment):
            name = self._answers.get(comment.cell_id) or self._tasks[comment.cell_id]
            points = found.get(student, {}).get(name, CellGrade(None)).points
            found.setdefault(student, {})[name] = CellGrade(points, comment.comment or "")
        return found

    def times(self) -> dict[str, tuple[str, float, float]]:
        """Student -> when it was handed in, seconds too late, and what that costs."""
        submission, notebook = self._api.SubmittedAssignment, self._api.SubmittedNotebook

        def ask():
            return (
                self._book.db.query(submission, notebook.late_submission_penalty)
                .join(notebook, notebook.assignment_id == submission.id)
                .filter(notebook.notebook_id == self._notebook_id)
                .all()
            )

        with _readable_errors(self._course, "read"):
            return {
                one.student_id: (
                    f"{one.timestamp} UTC" if one.timestamp else "",
                    one.total_seconds_late,
                    penalty or 0.0,
                )
                for one, penalty in patiently(ask, self._wait, self._book.db.rollback)
            }

    def names(self) -> dict[str, str]:
        """Student -> first and last name, of all whom the gradebook knows."""
        student = self._api.Student
        with _readable_errors(self._course, "read"):
            people = patiently(self._book.db.query(student).all, self._wait, self._book.db.rollback)
            return {
                one.id: " ".join(filter(None, (one.first_name, one.last_name))) for one in people
            }

    def _of_class(self, rows):
        """(student, row) for all submissions of the problem set."""
        api = self._api
        notebook, submission = api.SubmittedNotebook, api.SubmittedAssignment
        return (
            self._book.db.query(submission.student_id, rows)
            .join(notebook, rows.notebook_id == notebook.id)
            .join(submission, notebook.assignment_id == submission.id)
            .filter(notebook.notebook_id == self._notebook_id)
        )


def with_hand_grades(result: Result, grades: dict[str, CellGrade]) -> Result:
    """The result with the points that the gradebook has now, a human's included."""
    cells = tuple(
        replace(cell, points=grades[cell.name].points)
        if cell.name in grades and grades[cell.name].points is not None
        else cell
        for cell in result.cells
    )
    return replace(result, cells=cells)


def due_date(course: Course, name: str, wait: Wait = silently) -> str:
    """When the problem set is due, "" if never: late penalties follow from it."""
    if course.database == f"sqlite:///{course.root / 'gradebook.db'}":
        return _due_in_file(course.root / "gradebook.db", name, wait)
    with GradebookWriter(course, name, wait) as gradebook:
        return str(gradebook.due or "")


def _due_in_file(path: Path, name: str, wait: Wait) -> str:
    """Without SQLAlchemy, which takes half a second to load: perhaps nothing is to be done."""
    query = "select duedate from assignment where name = ?"

    def ask():
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as book:
            return book.execute(query, [name]).fetchone()

    with contextlib.suppress(sqlite3.Error):
        found = patiently(ask, wait)
        return str(found[0] or "") if found else ""
    return ""


def open_gradebook(course: Course, wait: Wait = silently):
    """nbgrader's gradebook of the course, SQLite or by its URL; its tables are made if need be."""
    from nbgrader import api

    with alembic_at_hand(), _readable_errors(course, "opened"):
        return patiently(lambda: api.Gradebook(course.database, course.course_id), wait)


def prepare_gradebook(course: Course) -> None:
    """Make the gradebook ready for nbgrader's own tools, or say why it can't be opened.

    Where a course has no name nbgrader files problem sets under "", a course that it doesn't
    make: SQLite lets that pass, PostgreSQL refuses it.
    """
    from nbgrader import api

    with open_gradebook(course) as book, _readable_errors(course, "written"):
        book.db.merge(api.Course(id=course.config.CourseDirectory.get("course_id", "")))
        book.db.commit()


@contextlib.contextmanager
def _readable_errors(course: Course, done: str) -> Iterator[None]:
    """Turn what the database or its driver raises into one line that says what can't be done."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except ModuleNotFoundError as error:
        reason = (
            f"the Python package {error.name} is not installed (for PostgreSQL: pip install -e "
            "'.[postgresql]' in dplab's folder, and a URL that begins with postgresql+psycopg://)"
        )
        raise CourseError(f"the gradebook {_shown(course)} can't be {done}: {reason}") from error
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).splitlines()[0]
        raise CourseError(f"the gradebook {_shown(course)} can't be {done}: {reason}") from error


def _shown(course: Course) -> str:
    """The gradebook's URL without its password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(course.database).render_as_string(hide_password=True)
    except ArgumentError:
        return f"that {course.config_file} names"
