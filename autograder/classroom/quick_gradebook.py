"""Read from the gradebook what `grade` needs even if there is nothing to grade.

SQLAlchemy takes half a second to load, so a gradebook that is a file is read without it.
"""

from __future__ import annotations

import contextlib
import sqlite3

from autograder.classroom.folders import Course
from autograder.classroom.gradebook import OpenGradebook
from autograder.classroom.patience import Wait, patiently, silently


def due_date(course: Course, name: str, wait: Wait) -> str:
    """Return when the problem set is due, "" if never; late penalties depend on it."""
    if _is_in_its_file(course):
        rows = _rows(course, "select duedate from assignment where name = ?", name, wait)
        return str(rows[0][0] or "") if rows else ""
    with OpenGradebook(course, name, wait) as gradebook:
        return str(gradebook.due or "")


def students_in(course: Course, name: str, wait: Wait = silently) -> set[str]:
    """Return the students with a submission in the gradebook; the others are graded again."""
    if _is_in_its_file(course):
        query = (
            "select s.student_id from submitted_assignment s "
            "join assignment a on a.id = s.assignment_id where a.name = ?"
        )
        return {student for (student,) in _rows(course, query, name, wait)}
    with OpenGradebook(course, name, wait) as gradebook:
        return set(gradebook.arrivals())


def penalties(course: Course, name: str) -> dict[str, float]:
    """Return the late penalty of each student who has one."""
    if _is_in_its_file(course):
        query = (
            "select s.student_id, sum(n.late_submission_penalty) from submitted_notebook n "
            "join submitted_assignment s on s.id = n.assignment_id "
            "join assignment a on a.id = s.assignment_id where a.name = ? group by s.student_id"
        )
        totals = dict(_rows(course, query, name, silently))
    else:
        with OpenGradebook(course, name) as gradebook:
            totals = {who: arrival.penalty for who, arrival in gradebook.arrivals().items()}
    return {who: penalty for who, penalty in totals.items() if penalty}


def _is_in_its_file(course: Course) -> bool:
    return course.database == f"sqlite:///{course.root / 'gradebook.db'}"


def _rows(course: Course, query: str, name: str, wait: Wait) -> list[tuple]:
    path = course.root / "gradebook.db"

    def ask():
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as book:
            return book.execute(query, [name]).fetchall()

    with contextlib.suppress(sqlite3.Error):
        return patiently(ask, wait)
    return []
