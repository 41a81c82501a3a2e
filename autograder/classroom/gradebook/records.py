"""Read and write nbgrader's gradebook of one problem set, in few queries.

Grading writes it. Pages and exports read it, as values of the module `grades`.

Each submission is written in one transaction, with the content that `nbgrader autograde` would
have written: the student, the submission with its time, automatic scores, which cells wait
for a human, "No response." comments, late penalties.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from autograder.classroom.course import times
from autograder.classroom.course.extensions import extension_length, read_ends
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.gradebook import reusable_comments
from autograder.classroom.gradebook.busy_database import (
    TellWait,
    ignore_message,
    retry_while_locked,
)
from autograder.classroom.gradebook.connection import is_missing, open_gradebook, readable_errors
from autograder.classroom.gradebook.grades import NO_RESPONSE, Arrival, CellGrade, forged
from autograder.classroom.grading.results import Result
from autograder.classroom.sets.assignment import not_released, qualified


class NotInGradebook(CourseError):
    """The gradebook doesn't know a problem set, or is missing."""


@dataclass(frozen=True)
class ClassRecord:
    """A problem set's due date, and each student with a submission of it with the late penalty."""

    due: datetime | None
    penalties: dict[str, float]


def read_record(course: Course, name: str, tell_wait: TellWait = ignore_message) -> ClassRecord:
    """Return the due date and the penalties that the gradebook has.

    Raises NotInGradebook if it doesn't know the problem set.
    """
    with OpenGradebook(course, name, tell_wait) as gradebook:
        arrivals = gradebook.arrivals()
        return ClassRecord(
            gradebook.due, {student: arrival.penalty for student, arrival in arrivals.items()}
        )


class OpenGradebook:
    """The open gradebook, restricted to one problem set."""

    def __init__(self, course: Course, name: str, tell_wait: TellWait = ignore_message) -> None:
        from nbgrader import api

        self._api = api
        self._course = course
        self._name = name
        self._tell_wait = tell_wait
        if is_missing(course):  # opening would make an empty one
            raise self._unknown()
        with readable_errors(course, "opened"):
            self._book = open_gradebook(course, tell_wait)
            self._book.db().expire_on_commit = False
            assignment = retry_while_locked(
                self._find_assignment, tell_wait, self._book.db.rollback
            )
            self._assignment_id = assignment.id
            self.due = assignment.duedate  # in UTC, or None if the set has none
            self._granted = read_ends(course, name)
            self._notebooks = _notebooks(assignment)
            self._tasks = _join(notebook.tasks for notebook in self._notebooks)
            self._graded = _join(notebook.graded_cells for notebook in self._notebooks)
            self._answers = _join(notebook.answers for notebook in self._notebooks)
            self._most = {
                cell: points
                for notebook in self._notebooks
                for cell, points in notebook.most.items()
            }

    def __enter__(self) -> OpenGradebook:
        return self

    def __exit__(self, *exception: object) -> None:
        self._book.close()

    def _find_assignment(self) -> Any:
        try:
            assignment = self._book.find_assignment(self._name)
            if not assignment.notebooks:
                raise self._api.MissingEntry(f"no notebook of {self._name}")
            return assignment
        except self._api.MissingEntry:
            raise self._unknown() from None

    def _unknown(self) -> NotInGradebook:
        problem = f"the gradebook doesn't know {self._name!r}: "
        return NotInGradebook(problem + not_released(self._course, self._name))

    def write(self, result: Result, timestamp: str = "", same: bool = False) -> None:
        """Write one result, which replaces an earlier one; points given by hand stay.

        Cells that a human has graded wait for a human again, unless it is the `same` work as
        before. Waits while another program is writing. Raises CourseError if the gradebook is
        gone; earlier results are safe. After any other error the next result can be written.
        """
        from sqlalchemy.exc import DataError, SQLAlchemyError

        with readable_errors(self._course, "written"):
            write = functools.partial(self._write, result, timestamp, same)
            try:
                retry_while_locked(write, self._tell_wait, self._book.db.rollback)
            except Exception as error:
                with contextlib.suppress(SQLAlchemyError):
                    self._book.db.rollback()
                    self._book.db.expunge_all()
                if isinstance(error, DataError):  # caused by a value of this result alone
                    raise ValueError(str(error).splitlines()[0]) from error
                raise

    def _write(self, result: Result, timestamp: str, same: bool) -> None:
        session = self._book.db
        submission = self._find(result.student)
        if submission is None:
            self._add(result, timestamp)
            submission = self._find(result.student) if timestamp and self.due else None
        else:
            self._update(submission, result, timestamp, same)
        if submission is not None:
            self._set_penalty(submission, result)
        session.commit()
        session.expunge_all()  # a class of thousands must not pile up in memory

    def grant(self, student: str, until: datetime | None, result: Result | None) -> float | None:
        """Write a student's extension; return the penalty that is left.

        Return None if there is no submission yet; the extension is then written together with it.
        """

        def write() -> float | None:
            if (submission := self._find(student)) is None:
                return None
            self._granted.pop(student, None)
            submission.extension = None
            if until is not None:
                self._granted[student] = until
            if result is not None:
                self._set_penalty(submission, result)
            self._book.db.commit()
            return sum(notebook.late_submission_penalty or 0.0 for notebook in submission.notebooks)

        with readable_errors(self._course, "written"):
            return retry_while_locked(write, self._tell_wait, self._book.db.rollback)

    def _set_penalty(self, submission: Any, result: Result) -> None:
        """Set the penalty by the submission's time, the due date and any extension.

        As in nbgrader, it is taken from each notebook's points, including those given by hand.
        """
        until = self._granted.get(submission.student_id)
        if until is not None and self.due is not None:
            submission.extension = extension_length(self.due, until)
        is_late = submission.timestamp and submission.total_seconds_late > 0
        points = {notebook.id: result.points_of(notebook.prefix) for notebook in self._notebooks}
        for notebook in submission.notebooks:
            by_hand = sum(map(_points_by_hand, self._rows(self._api.Grade, notebook.id)))
            notebook.late_submission_penalty = (
                self._penalty(submission, points[notebook.notebook_id] + by_hand)
                if is_late
                else None
            )

    def _find(self, student: str) -> Any | None:
        """Return the student's submission, or None if none was graded."""
        submission = self._api.SubmittedAssignment
        return (
            self._book.db.query(submission)
            .filter(
                submission.student_id == student,
                submission.assignment_id == self._assignment_id,
            )
            .one_or_none()
        )

    def _add(self, result: Result, timestamp: str) -> None:
        """Add a submission, its cells and a new student, with one statement for each table.

        Adding objects row by row takes several times as long.
        """
        api, session = self._api, self._book.db
        student, submission = result.student, api.new_uuid()
        is_known = session.query(api.Student.id).filter(api.Student.id == student).first()
        notebooks = {notebook.id: api.new_uuid() for notebook in self._notebooks}
        owners = {
            cell: notebooks[notebook.id] for notebook in self._notebooks for cell in notebook.cells
        }
        rows_by_table = {
            api.Student: [] if is_known else [{"id": student}],
            api.SubmittedAssignment: [
                {
                    "id": submission,
                    "assignment_id": self._assignment_id,
                    "student_id": student,
                    "timestamp": self._moment(timestamp),
                }
            ],
            api.SubmittedNotebook: [
                {
                    "id": row_id,
                    "assignment_id": submission,
                    "notebook_id": notebook,
                    "flagged": result.needs_teacher,
                }
                for notebook, row_id in notebooks.items()
            ],
            api.Grade: [
                {
                    "cell_id": cell,
                    "notebook_id": owners[cell],
                    "auto_score": score,
                    "needs_manual_grade": score is None,
                }
                for cell, score in self._scores(result).items()
            ],
            api.Comment: [
                {"cell_id": cell, "notebook_id": owners[cell], "auto_comment": comment}
                for cell, comment in self._comments(result).items()
            ],
        }
        for table, rows in rows_by_table.items():
            if rows:
                session.execute(table.__table__.insert(), rows)

    def _moment(self, timestamp: str) -> datetime | None:
        return times.of_exchange(timestamp, self._course.zone) if timestamp else None

    def _update(self, submission: Any, result: Result, timestamp: str, same: bool) -> None:
        if timestamp or not same:
            submission.timestamp = self._moment(timestamp)
        grades, comments = self._scores(result), self._comments(result)
        for notebook in submission.notebooks:
            notebook.flagged = bool(notebook.flagged or result.needs_teacher)
            for grade in self._rows(self._api.Grade, notebook.id):
                grade.auto_score = grades[grade.cell_id]
                is_by_hand = grade.manual_score is not None
                if not (is_by_hand and same):
                    grade.needs_manual_grade = is_by_hand or grade.auto_score is None
            for comment in self._rows(self._api.Comment, notebook.id):
                comment.auto_comment = comments.get(comment.cell_id)

    def _rows(self, kind: Any, notebook: str) -> list:
        return self._book.db.query(kind).filter(kind.notebook_id == notebook).all()

    def _scores(self, result: Result) -> dict[str, float | None]:
        """Return the points of each graded cell, by its id; None if a human has to grade it."""
        points = {cell.name: cell.points for cell in result.cells}
        return {cell: points.get(name) for cell, name in self._graded.items()}

    def _comments(self, result: Result) -> dict[str, str | None]:
        """Return the comment on each cell that a student fills, by its id in the gradebook."""
        forgeable: dict[str, list[str]] = {}  # forgeable tests of each exercise, by its first cell
        for cell in result.cells:
            if cell.forgeable:
                forgeable.setdefault(cell.exercise, []).append(cell.name)
        answers = {
            cell: NO_RESPONSE if name in result.unanswered else forged(forgeable.get(name))
            for cell, name in self._answers.items()
        }
        return answers | dict.fromkeys(self._tasks)

    def _penalty(self, submission: Any, points: float) -> float | None:
        """Return the penalty by the course's rule for late work, within 0 and the points.

        Raises CourseError if the rule fails: it may be the teacher's own.
        """
        student, seconds = submission.student_id, submission.total_seconds_late
        try:
            penalty = late_rule(self._course).late_submission_penalty(student, points, seconds)
            return None if penalty is None else min(max(_number(penalty), 0.0), points)
        except Exception as error:
            raise CourseError(
                f"the rule for late work, of {self._course.config_file}, fails for "
                f"{quoted(student)}, who has {points:g} points and is {seconds:g} seconds late: "
                f"{error!r}. What had been graded is kept; mend the rule and grade again"
            ) from error

    def grades(self) -> dict[str, dict[str, CellGrade]]:
        """Return the current grades by student and cell, in two queries for the whole class.

        Comments have texts instead of the codes that `reusable_comments` describes.
        """
        with readable_errors(self._course, "read"):
            return retry_while_locked(self._grades, self._tell_wait, self._book.db.rollback)

    def _grades(self) -> dict[str, dict[str, CellGrade]]:
        api = self._api
        cells = {*self._answers.values(), *self._tasks.values()}
        texts = reusable_comments.load(self._course, self._name, cells)
        grades: dict[str, dict[str, CellGrade]] = {}
        for student, grade in self._of_class(api.Grade):
            is_waiting = grade.auto_score is None and grade.manual_score is None
            own_grades = grades.setdefault(student, {})
            hand_points = grade.manual_score
            is_outdated = hand_points is not None and bool(grade.needs_manual_grade)
            is_above_maximum = hand_points is not None and hand_points > self._most[grade.cell_id]
            points = None if is_waiting else grade.score
            own_grades[self._graded[grade.cell_id]] = CellGrade(
                points, "", is_outdated, is_above_maximum
            )
        for student, comment in self._of_class(api.Comment):
            name = self._answers.get(comment.cell_id) or self._tasks[comment.cell_id]
            cell = grades.get(student, {}).get(name, CellGrade(None))
            text = texts.expand(name, comment.comment or "")
            grades.setdefault(student, {})[name] = replace(cell, comment=text)
        return grades

    def arrivals(self) -> dict[str, Arrival]:
        """Return the time and the late penalty of each student's submission."""
        submission = self._api.SubmittedAssignment

        def query_submissions() -> list:
            condition = submission.assignment_id == self._assignment_id
            return self._book.db.query(submission).filter(condition).all()

        with readable_errors(self._course, "read"):
            return {
                row.student_id: Arrival(
                    f"{row.timestamp} UTC" if row.timestamp else "",
                    row.total_seconds_late,
                    row.late_submission_penalty or 0.0,
                )
                for row in retry_while_locked(
                    query_submissions, self._tell_wait, self._book.db.rollback
                )
            }

    def names(self) -> dict[str, str]:
        """Return the first and last name of each student whom the gradebook knows."""
        student = self._api.Student
        with readable_errors(self._course, "read"):
            people = retry_while_locked(
                self._book.db.query(student).all, self._tell_wait, self._book.db.rollback
            )
            return {
                person.id: " ".join(filter(None, (person.first_name, person.last_name)))
                for person in people
            }

    def _of_class(self, rows: Any) -> Any:
        """Return a query for (student, row) of all submissions of the problem set."""
        api = self._api
        notebook, submission = api.SubmittedNotebook, api.SubmittedAssignment
        return (
            self._book.db.query(submission.student_id, rows)
            .join(notebook, rows.notebook_id == notebook.id)
            .join(submission, notebook.assignment_id == submission.id)
            .filter(submission.assignment_id == self._assignment_id)
        )


@dataclass(frozen=True)
class _Notebook:
    """A notebook of the set in the gradebook. The dicts have values by cell id."""

    id: str
    prefix: str  # of its cells' names, if the set has several notebooks
    tasks: dict[str, str]
    graded_cells: dict[str, str]
    answers: dict[str, str]
    most: dict[str, float]  # maximum points of each graded cell

    @property
    def cells(self) -> set[str]:
        return {*self.graded_cells, *self.answers}


def _join(parts: Iterable[dict[str, str]]) -> dict[str, str]:
    return {cell: name for part in parts for cell, name in part.items()}


def _notebooks(assignment: Any) -> list[_Notebook]:
    notebooks = []
    for notebook in sorted(assignment.notebooks, key=lambda notebook: notebook.name):
        prefix = notebook.name if len(assignment.notebooks) > 1 else ""
        tasks, grades, answers = (
            {cell.id: qualified(prefix, cell.name) for cell in cells}
            for cells in (notebook.task_cells, notebook.grade_cells, notebook.solution_cells)
        )
        max_points = {c.id: c.max_score for c in (*notebook.grade_cells, *notebook.task_cells)}
        notebooks.append(_Notebook(notebook.id, prefix, tasks, grades | tasks, answers, max_points))
    return notebooks


def late_rule(course: Course) -> Any:
    """Return the plugin for late work that the course's configuration names."""
    from nbgrader.preprocessors.latesubmissions import AssignLatePenalties

    assigner = AssignLatePenalties(config=course.config)
    assigner.init_plugin()
    return assigner.plugin_inst


def _number(penalty: Any) -> float:
    if math.isnan(number := float(penalty)):
        raise ValueError("a penalty that is no number")
    return number


def _points_by_hand(grade: Any) -> float:
    """Return the points that a human has added to a cell's points by test.

    As in nbgrader, extra credit is included once the cell has points.
    """
    auto_score, manual_score = grade.auto_score, grade.manual_score
    if auto_score is None and manual_score is None:
        return 0.0
    test_points = auto_score or 0.0
    points = test_points if manual_score is None else manual_score
    return points + (grade.extra_credit or 0.0) - test_points
