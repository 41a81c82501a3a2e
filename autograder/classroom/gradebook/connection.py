"""Open nbgrader's gradebook of a course, prepare it, and turn its errors into one line."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.nbgrader_import import alembic_in_process
from autograder.classroom.gradebook.busy_database import (
    TellWait,
    ignore_message,
    retry_while_locked,
)
from autograder.classroom.sets import sources
from autograder.wire.text import count_noun


def open_gradebook(course: Course, tell_wait: TellWait = ignore_message) -> Any:
    """Open nbgrader's gradebook; make its tables if they are missing."""
    from nbgrader import api

    with alembic_in_process(), readable_errors(course, "opened"):
        return retry_while_locked(
            lambda: api.Gradebook(course.database, course.course_id), tell_wait
        )


def is_missing(course: Course) -> bool:
    """Return whether the gradebook is the file in the course's folder, and is missing."""
    path = course.root / "gradebook.db"
    return course.database == f"sqlite:///{path}" and not path.exists()


def prepare_gradebook(course: Course) -> None:
    """Make the gradebook ready for nbgrader's own tools.

    If a course has no name, nbgrader records problem sets under the course "" without a row for
    this course. SQLite accepts that, PostgreSQL refuses it.
    """
    from nbgrader import api

    with open_gradebook(course) as book, readable_errors(course, "written"):
        book.db.merge(api.Course(id=course.config.CourseDirectory.get("course_id", "")))
        book.db.commit()


def check_cells(course: Course, name: str, notebooks: Sequence[str]) -> None:
    """Raise CourseError if submissions were graded with other notebooks or cells.

    Two cells differ if their names or kinds differ. nbgrader refuses other cells, too, but only
    after it has removed the earlier release.
    """
    from nbgrader import api

    with open_gradebook(course) as book, readable_errors(course, "read"):
        try:
            assignment = book.find_assignment(name)
        except api.MissingEntry:
            return
        if not (count := len(assignment.submissions)):
            return
        kinds = {notebook.name: _kinds_in_gradebook(notebook) for notebook in assignment.notebooks}
    if sorted(kinds) != sorted(notebooks):
        raise CourseError(
            f"{name!r} had the notebooks {', '.join(sorted(kinds))} when "
            f"{count_noun(count, 'submission')} of it got points; now it has "
            f"{', '.join(notebooks)}, which nbgrader's gradebook can't take over: give the set a "
            "new name"
        )
    for notebook in notebooks:
        source = course.source(name, notebook)
        cells = map(CellMetadata.of, sources.read(course, source)["cells"])
        if changes := _changes(kinds[notebook], _kinds(cells)):
            raise CourseError(
                f"{source} has other cells than when "
                f"{count_noun(count, 'submission')} of {name!r} got points: {changes}. nbgrader's "
                "gradebook can't take that over. The text and the points of cells may change, "
                "their names, number and kinds may not: put new asserts into an existing test, "
                "and give 0 points to a test that should no longer count; or give the set a new "
                f"name. The former cells are in {course.released(name, notebook)}. "
                "Nothing was released"
            )


def _kinds(cells: Iterable[CellMetadata]) -> dict[str, set[str]]:
    """Return, by name, the kinds of each cell that nbgrader follows."""
    return {
        cell.grade_id: {kind for kind in ("grade", "solution", "task") if getattr(cell, kind)}
        for cell in cells
        if cell.is_followed
    }


def _kinds_in_gradebook(notebook: Any) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = {cell.name: set() for cell in notebook.source_cells}
    for kind in ("grade", "solution", "task"):
        for cell in getattr(notebook, f"{kind}_cells"):
            kinds.setdefault(cell.name, set()).add(kind)
    return kinds


def _changes(old: dict[str, set[str]], new: dict[str, set[str]]) -> str:
    """Return a text that says how the cells have changed, or "" if they have not."""
    common_names = old.keys() & new.keys()
    cells_by_change = {
        "new": new.keys() - common_names,
        "gone": old.keys() - common_names,
        "of another kind": {cell for cell in common_names if old[cell] != new[cell]},
    }
    return "; ".join(
        f"{', '.join(map(repr, sorted(cells)))} {'is' if len(cells) == 1 else 'are'} {change}"
        for change, cells in cells_by_change.items()
        if cells
    )


@contextlib.contextmanager
def readable_errors(course: Course, action: str) -> Iterator[None]:
    """Turn errors of the database or its driver into one line that says what can't be done."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except ModuleNotFoundError as error:
        reason = (
            f"the Python package {error.name} is not installed (for PostgreSQL: pip install -e "
            "'.[postgresql]' in dplab's folder, and a URL that begins with postgresql+psycopg://)"
        )
        raise CourseError(f"the gradebook {_url(course)} can't be {action}: {reason}") from error
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).splitlines()[0]
        if _OLDER_TABLES.search(reason):
            reason += f"; an older nbgrader made it: {upgrade(course)}"
        raise CourseError(f"the gradebook {_url(course)} can't be {action}: {reason}") from error


_OLDER_TABLES = re.compile(r"no such column|has no column|column .* does not exist")


def upgrade(course: Course) -> str:
    """Return the command that brings the tables of an older nbgrader up to date."""
    return f"cd {shlex.quote(str(course.root))} && nbgrader db upgrade, which keeps a copy"


def _url(course: Course) -> str:
    """Return the gradebook's URL without its password, for a message."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(course.database).render_as_string(hide_password=True)
    except ArgumentError:
        return f"that {course.config_file} names"
