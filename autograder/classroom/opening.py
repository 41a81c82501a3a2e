"""nbgrader's gradebook of a course: opened, made ready, and its errors told in one line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from autograder.classroom.folders import Course, CourseError
from autograder.classroom.patience import Wait, patiently, silently
from autograder.classroom.quick_nbgrader import alembic_at_hand


def open_gradebook(course: Course, wait: Wait = silently):
    """nbgrader's gradebook of the course, SQLite or by its URL; its tables are made if need be."""
    from nbgrader import api

    with alembic_at_hand(), readable_errors(course, "opened"):
        return patiently(lambda: api.Gradebook(course.database, course.course_id), wait)


def prepare_gradebook(course: Course) -> None:
    """Make the gradebook ready for nbgrader's own tools, or say why it can't be opened.

    Where a course has no name nbgrader files problem sets under "", a course that it doesn't
    make: SQLite lets that pass, PostgreSQL refuses it.
    """
    from nbgrader import api

    with open_gradebook(course) as book, readable_errors(course, "written"):
        book.db.merge(api.Course(id=course.config.CourseDirectory.get("course_id", "")))
        book.db.commit()


def check_notebooks(course: Course, name: str, notebooks: Sequence[str]) -> None:
    """Raise CourseError where submissions are graded of a set that had other notebooks.

    nbgrader refuses that, too, but after it has taken away what was released before.
    """
    from nbgrader import api

    with open_gradebook(course) as book, readable_errors(course, "read"):
        try:
            before = book.find_assignment(name)
        except api.MissingEntry:
            return
        names, graded = sorted(notebook.name for notebook in before.notebooks), before.submissions
        if graded and names != sorted(notebooks):
            raise CourseError(
                f"{len(graded)} submissions of {name!r} were graded when it had the notebooks "
                f"{', '.join(names)}; now it has {', '.join(notebooks)}, which nbgrader's "
                "gradebook can't take over: give the set a new name"
            )


@contextlib.contextmanager
def readable_errors(course: Course, done: str) -> Iterator[None]:
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
