"""Write grades for Canvas: the CSV file that its gradebook's *Import* takes.

Canvas looks for a student by ID, then by SIS User ID, then by SIS Login ID, then by name. It looks
for a column by the number in parentheses after its title, the assignment's id in Canvas, and then
by title. IDs and that number are Canvas's own. They come from the roster: its exported gradebook.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course import csv_files
from autograder.classroom.course.folders import CourseError
from autograder.classroom.sets.assignment import Assignment
from autograder.exports.standings import Standing
from autograder.exports.tables import warn_unrecognisable
from autograder.pages.spreadsheets import as_csv

_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POINTS_POSSIBLE = "    Points Possible"  # with the spaces that Canvas itself writes


@dataclass(frozen=True)
class Roster:
    """A gradebook as Canvas exports it. The first `columns` identify a student."""

    header: tuple[str, ...]
    columns: tuple[str, ...]
    people: tuple[tuple[str, ...], ...] = ()  # the values in these columns
    possible: tuple[str, ...] = ()  # the row of points possible

    def assignment_column(self, name: str) -> int | None:
        """Return the index of the assignment's column, or None if there is none or several."""
        title = re.compile(rf"{re.escape(name)}( \(\d+\))?")
        places = [i for i, text in enumerate(self.header) if title.fullmatch(text.strip())]
        return places[0] if len(places) == 1 else None


EMPTY = Roster(_COLUMNS, _COLUMNS)


def read_roster(path: Path) -> Roster:
    """Read a gradebook exported from Canvas; raise CourseError if it isn't one."""
    table = csv_files.read(path, "roster", {column.casefold() for column in _COLUMNS})
    header, rows = table.header, [row for _, row in table.rows]
    if missing := [name for name in ("ID", "Section") if name not in header]:
        columns = " and ".join(map(repr, missing))
        raise CourseError(
            f"{path} is not a gradebook exported from Canvas: it has no column {columns}"
        )
    width = header.index("Section") + 1
    people = [row[:width] for row in rows if len(row) >= width]
    possible = next((row for row in rows if "Points Possible" in row[0]), ())
    people_with_id = tuple(row for row in people if row[header.index("ID")].strip())
    return Roster(header, header[:width], people_with_id, possible)


def canvas(
    assignment: Assignment, standings: list[Standing], roster: Roster = EMPTY
) -> tuple[str, list[str]]:
    """Return the file's text, and warnings for the teacher.

    Students without a submission are left out: an empty cell would delete a grade that Canvas has.
    """
    column = roster.assignment_column(assignment.name)
    title = assignment.name if column is None else roster.header[column].strip()
    roster_rows, warnings = _match_students(standings, roster)
    possible = [_POINTS_POSSIBLE, *[""] * (len(roster.columns) - 1), assignment.max_points]
    rows = [[*(roster_rows.get(s.student) or _new_row(s, roster)), s.score] for s in standings]
    if roster is not EMPTY:
        warnings += _differences(assignment, roster, column)
    unmatched = [s.student for s in standings if s.student not in roster_rows]
    warnings += warn_unrecognisable(unmatched, "Canvas")
    return as_csv([[*roster.columns, title], possible, *rows]), warnings


def _new_row(standing: Standing, roster: Roster) -> list[str]:
    """Return a row without Canvas' own ID: Canvas finds the student by login or name, or asks."""
    values = {
        "Student": standing.name,
        "LastName": standing.last_name or standing.student,
        "FirstName": standing.first_name,
        "SIS Login ID": standing.student,
        "ID": standing.lms_user_id if roster is EMPTY else "",
    }
    return [values.get(column, "") for column in roster.columns]


def _match_students(
    standings: list[Standing], roster: Roster
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the roster's row of each student, and warnings about missing or shared rows."""
    if roster is EMPTY:
        return {}, []
    lookup = _RosterLookup(roster)
    rows = {s.student: row for s in standings if (row := lookup.find(s)) is not None}
    row_counts = Counter(rows.values())
    sharing = [student for student, row in rows.items() if row_counts[row] > 1]
    unmatched = [s.student for s in standings if s.student not in rows]
    warnings = []
    if unmatched:
        names = ", ".join(unmatched)
        warnings.append(
            "Canvas may ask who these students are, "
            f"since no single row of the roster fits: {names}"
        )
    if sharing:
        names = ", ".join(sharing)
        warnings.append(
            f"Canvas may ask who these students are, since they share a row of the roster: {names}"
        )
    return {student: row for student, row in rows.items() if student not in sharing}, warnings


class _RosterLookup:
    """A roster's rows by the values that identify people in Canvas, ignoring letter case."""

    def __init__(self, roster: Roster) -> None:
        self._rows: dict[tuple[str, str], set[tuple[str, ...]]] = {}
        for column in ("ID", "SIS User ID", "SIS Login ID"):
            if column in roster.columns:
                index = roster.columns.index(column)
                for row in roster.people:
                    if value := row[index].strip().casefold():
                        self._rows.setdefault((column, value), set()).add(row)

    def find(self, standing: Standing) -> tuple[str, ...] | None:
        """Return the row that the first unambiguous value identifies, or None."""
        identifiers = (
            ("ID", standing.lms_user_id),
            ("SIS Login ID", standing.student),
            ("SIS User ID", standing.student),
            ("ID", standing.student),
            ("SIS Login ID", standing.email),
        )
        for column, value in identifiers:
            rows = self._rows.get((column, value.strip().casefold()), set())
            if len(rows) == 1:
                return next(iter(rows))
        return None


def _differences(assignment: Assignment, roster: Roster, column: int | None) -> list[str]:
    """Return warnings about differences between the assignment in Canvas and ours."""
    name, max_points = assignment.name, assignment.max_points
    if column is None:
        return [
            f"the roster has no column {name!r}, or several; Canvas will ask, or make a new one"
        ]
    possible = roster.possible[column].strip() if column < len(roster.possible) else ""
    if re.fullmatch(r"\d+([.,]\d+)?", possible) and float(possible.replace(",", ".")) != max_points:
        return [
            f"{name} has {possible} points in Canvas and {max_points:g} here; points aren't scaled"
        ]
    return []
