"""Write the grades of a class for another system."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.course.configuration import FOLDERS
from autograder.classroom.course.folders import Course, CourseError, write_atomically
from autograder.classroom.grading import results
from autograder.classroom.running.status import cautions
from autograder.classroom.sets.assignment import Assignment
from autograder.exports import canvas, tables
from autograder.exports.gradescope import results_json
from autograder.exports.standings import Standing, find_standings, waiting


@dataclass(frozen=True)
class ExportFiles:
    """The files of an export, and warnings for the teacher."""

    paths: tuple[Path, ...]
    warnings: tuple[str, ...]


def export(
    course: Course,
    assignment: Assignment,
    to: str,
    output: Path | None = None,
    roster: Path | None = None,
) -> ExportFiles:
    """Write the grades for `to`: "canvas", "moodle", "brightspace", "gradescope" or "csv".

    `output` is the file, or the folder for Gradescope; by default files go to COURSE/export. Raises
    CourseError if nobody is graded, if there is a `roster` for another system than Canvas, or if
    `output` is a file or folder of the course itself.
    """
    if output is not None:
        _refuse_course_files(course, output)
    if roster is not None and to != "canvas":
        raise CourseError(f"only the format canvas uses a roster; leave --roster out for {to}")
    canvas_roster = canvas.read_roster(roster) if roster else canvas.EMPTY
    standings = find_standings(course, assignment)
    if to == "gradescope":
        paths, warnings = _gradescope(course, assignment, standings, output)
    else:
        text, warnings = _table(assignment, standings, to, canvas_roster)
        path = output or course.root / "export" / f"{assignment.name}-{to}.csv"
        if path.is_dir():
            raise CourseError(f"{path} is a folder; name a file in it")
        # A byte-order mark tells spreadsheets that the file is UTF-8; imports don't need it.
        write_atomically(path, text.encode("utf-8-sig" if to == "csv" else "utf-8"))
        paths = [path]
    note = assignment.forgeable_note
    if to in _WITHOUT_REMARKS:
        note = _write_forgeable_points(assignment, standings, paths[0])
    if note:
        warnings.append(note)
    warnings += cautions(course, assignment)
    if count := waiting(assignment, standings):
        verb = "has" if count == 1 else "have"
        warnings.append(f"{count} {verb} answers that wait for a human, which count as 0 here")
    return ExportFiles(tuple(paths), tuple(warnings))


def _refuse_course_files(course: Course, output: Path) -> None:
    root, path = course.root.resolve(), output.resolve()
    own_names = (course.release_each.name, course.private.name, course.config_file.name)
    names = (*FOLDERS, "templates", *own_names, "gradebook.db")
    if not {path, *path.parents}.isdisjoint(root / name for name in names):
        folder = course.root / "export"
        raise CourseError(
            f"{output} belongs to the course itself; name a file in {folder}, or outside the course"
        )


_WITHOUT_REMARKS = ("canvas", "brightspace")  # these files have no place for remarks


def _write_forgeable_points(assignment: Assignment, standings: list[Standing], path: Path) -> str:
    """Write a table of the points that could be forged beside the exported file; return a note.

    If there are none, delete the table of an earlier version of the problem set.
    """
    table_path = path.with_name(f"{path.stem}-could-be-forged.csv")
    note = assignment.forgeable_note
    if not note:
        table_path.unlink(missing_ok=True)
        return ""
    write_atomically(table_path, tables.forgeable_points(standings).encode("utf-8-sig"))
    return f"{note}; this table, not for importing, has each student's: {table_path}"


def _table(
    assignment: Assignment, standings: list[Standing], to: str, roster: canvas.Roster
) -> tuple[str, list[str]]:
    if to == "canvas":
        return canvas.canvas(assignment, standings, roster)
    students = [standing.student for standing in standings]
    if to == "moodle":
        return tables.moodle(assignment, standings), tables.warn_unrecognisable(students, "Moodle")
    if to == "brightspace":
        warnings = tables.warn_unrecognisable(students, "Brightspace")
        return tables.brightspace(assignment, standings), warnings
    return tables.plain(assignment, standings), []


def _gradescope(
    course: Course, assignment: Assignment, standings: list[Standing], output: Path | None
) -> tuple[list[Path], list[str]]:
    """Write STUDENT/results.json for all students whose id can be the name of a folder."""
    folder = output or course.root / "export" / f"{assignment.name}-gradescope"
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file; name a folder, which gets a file for each student")
    paths, warnings = [], []
    for standing in standings:
        student = standing.student
        if student in ("", ".", "..") or "/" in student or "\\" in student:
            warnings.append(
                f"{student!r} can't be the name of a folder, so this student was left out; enter "
                "the grade by hand"
            )
            continue
        paths.append(folder / student / "results.json")
        result = results.find(course, student, assignment.name)
        variant = assignment.for_student((result and result.variant) or student)
        write_atomically(paths[-1], results_json(variant, standing, result))
    return paths, warnings
