"""Grades as tables: for the imports of Moodle and Brightspace, and a plain one for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.classroom.sets.assignment import Assignment
from autograder.classroom.sets.cell_roles import COULD_BE_FORGED
from autograder.exports.standings import Standing, rounded
from autograder.pages.spreadsheets import as_csv, escape_formulas


def warn_unrecognisable(students: Iterable[str], system: str) -> list[str]:
    """Return a warning about ids that had to be changed: the import won't find these students."""
    changed_ids = [student for student in students if escape_formulas(student) != student]
    if not changed_ids:
        return []
    ids = ", ".join(map(repr, changed_ids))
    return [
        f"{ids}: a spreadsheet would take this for a formula, so the file has an apostrophe before "
        f"it, and {system} won't find the student; enter these grades by hand"
    ]


def moodle(assignment: Assignment, standings: list[Standing]) -> str:
    """Return the file for Moodle's *Import, CSV file*: the student's ids and the grade.

    The teacher chooses the identifying column while importing. "Username" has our ids, "ID number"
    the gradebook's `lms_user_id`. Moodle refuses the whole file for one unknown student.
    """
    header = ["Username", "ID number", "Last name", "First name", "Email address", assignment.name]
    header += [f"{assignment.name} {COULD_BE_FORGED}"] if assignment.forgeable_note else []
    rows = [
        [s.student, s.lms_user_id, s.last_name, s.first_name, s.email, s.score, s.forgeable]
        for s in standings
    ]
    return as_csv([header, *(row[: len(header)] for row in rows)])


def brightspace(assignment: Assignment, standings: list[Standing]) -> str:
    """Return the file for Brightspace's *Grades, Import*: user names, points, end-of-line signs.

    A grade item with the problem set's name must exist, or is made while importing.
    """
    header = ["Username", f"{assignment.name} Points Grade", "End-of-Line Indicator"]
    return as_csv([header, *([s.student, s.score, "#"] for s in standings)])


def forgeable_points(standings: list[Standing]) -> str:
    """Return a table of the points that could be forged, for systems that can't import them.

    Canvas would turn any other column into an assignment that counts, Brightspace into a grade item
    that students see.
    """
    header = ["student_id", "last_name", "first_name", "score", "could_be_forged"]
    rows = [[s.student, s.last_name, s.first_name, s.score, s.forgeable] for s in standings]
    return as_csv([header, *rows])


_NBGRADER_COLUMNS = (
    "assignment timestamp student_id last_name first_name email raw_score "
    "late_submission_penalty score max_score"
)


def plain(assignment: Assignment, standings: list[Standing]) -> str:
    """Return the columns of `nbgrader export`, then the points of each graded cell."""
    names = [cell.name for cell in assignment.scored]
    forgeable_column = ["could_be_forged"] if assignment.forgeable_note else []
    rows: list[list[object]] = [[*_NBGRADER_COLUMNS.split(), *forgeable_column, *names]]
    for s in standings:
        person = [s.student, s.last_name, s.first_name, s.email]
        points = [s.raw_score, rounded(s.penalty), s.score, assignment.max_points]
        points += [s.forgeable] if forgeable_column else []
        cells = [s.cells[name].points if name in s.cells else None for name in names]
        rows.append([assignment.name, s.timestamp, *person, *points, *cells])
    return as_csv(rows)
