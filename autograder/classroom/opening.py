"""nbgrader's gradebook of a course: opened, made ready, and its errors told in one line."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograder.classroom import sources
from autograder.classroom.folders import Course, CourseError
from autograder.classroom.marks import Marks
from autograder.classroom.patience import Wait, patiently, silently
from autograder.classroom.quick_nbgrader import alembic_at_hand
from autograder.wire.wording import counted


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


def check_cells(course: Course, name: str, notebooks: Sequence[str]) -> None:
    """Raise CourseError where submissions are graded of a set that had other notebooks, or cells
    of other names or kinds in them.

    nbgrader refuses that, too, but after it has taken away what was released before.
    """
    from nbgrader import api

    with open_gradebook(course) as book, readable_errors(course, "read"):
        try:
            before = book.find_assignment(name)
        except api.MissingEntry:
            return
        if not (graded := len(before.submissions)):
            return
        known = {notebook.name: _kinds_in_gradebook(notebook) for notebook in before.notebooks}
    if sorted(known) != sorted(notebooks):
        raise CourseError(
            f"{name!r} had the notebooks {', '.join(sorted(known))} when "
            f"{counted(graded, 'submission')} of it got points; now it has "
            f"{', '.join(notebooks)}, which nbgrader's gradebook can't take over: give the set a "
            "new name"
        )
    for notebook in notebooks:
        source = course.source(name, notebook)
        cells = map(Marks.of, sources.read(course, source)["cells"])
        if changes := _changes(known[notebook], _kinds(cells)):
            raise CourseError(
                f"{source} has other cells than when "
                f"{counted(graded, 'submission')} of {name!r} got points: {changes}. nbgrader's "
                "gradebook can't take that over. The text and the points of cells may change, "
                "their names, number and kinds may not: put new asserts into a test that is there, "
                "and keep a test that is to count no more, with 0 points; or give the set a new "
                f"name. The cells as they were are in {course.released(name, notebook)}. "
                "Nothing was released"
            )


def _kinds(cells: Iterable[Marks]) -> dict[str, set[str]]:
    """By name what the gradebook has a cell for, where nbgrader follows it at all."""
    return {
        cell.grade_id: {kind for kind in ("grade", "solution", "task") if getattr(cell, kind)}
        for cell in cells
        if cell.followed
    }


def _kinds_in_gradebook(notebook: Any) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {cell.name: set() for cell in notebook.source_cells}
    for kind in ("grade", "solution", "task"):
        for cell in getattr(notebook, f"{kind}_cells"):
            found.setdefault(cell.name, set()).add(kind)
    return found


def _changes(before: dict[str, set[str]], now: dict[str, set[str]]) -> str:
    """What became of the cells, "" where nothing did."""
    both = before.keys() & now.keys()
    found = {
        "new": now.keys() - both,
        "gone": before.keys() - both,
        "of another kind": {cell for cell in both if before[cell] != now[cell]},
    }
    return "; ".join(
        f"{', '.join(map(repr, sorted(cells)))} {'is' if len(cells) == 1 else 'are'} {what}"
        for what, cells in found.items()
        if cells
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
        if _OLDER_TABLES.search(reason):
            reason += f"; an older nbgrader made it: {upgrade(course)}"
        raise CourseError(f"the gradebook {_shown(course)} can't be {done}: {reason}") from error


_OLDER_TABLES = re.compile(r"no such column|has no column|column .* does not exist")


def upgrade(course: Course) -> str:
    """What brings the tables of an older nbgrader's up to date."""
    return f"cd {shlex.quote(str(course.root))} && nbgrader db upgrade, which keeps a copy"


def _shown(course: Course) -> str:
    """The gradebook's URL without its password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(course.database).render_as_string(hide_password=True)
    except ArgumentError:
        return f"that {course.config_file} names"
