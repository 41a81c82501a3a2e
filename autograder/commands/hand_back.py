"""The commands after grading: feedback, the class report, and grades for other systems."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.course.folders import Course, CourseError
from autograder.commands import completion
from autograder.commands.common import console, course_at, tell
from autograder.session import DONE, LOOK

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.argument("students", metavar="[STUDENT]...", nargs=-1, shell_complete=completion.students)
def feedback(course: str, name: str, students: tuple[str, ...]) -> None:
    """Write a page for each student, in COURSE/feedback.

    Each page is one file that opens in any browser. It shows the points, which tests failed and
    why, and the notebook with its outputs. It contains no hidden test, and nothing that a student
    wrote can run there. It includes points and comments that were given by hand.

    \b
    Example:
      autograder feedback ~/privacy-course ps03
      autograder feedback ~/privacy-course ps03 alice bob

    \b
    Exit codes:
      0    all pages were written
      1    no page was written; the message says why
      3    some page could not be written; all others were
    """
    sys.exit(write_pages(course_at(course), name, students))


def write_pages(
    course: Course, name: str, students: tuple[str, ...] = (), out: Console | None = None
) -> int:
    """Write the feedback of all graded students, or of `students`, and return the exit code.

    Print the path of a page, and the students whose page failed.

    Raises CourseError if nobody is graded, or no page can be written.
    """
    from autograder.classroom.course import lock
    from autograder.classroom.running.status import cautions
    from autograder.classroom.sets.assignment import load
    from autograder.pages.feedback import write_feedback
    from autograder.wire.text import count_noun

    assignment = load(course, name)
    pages: list[Path] = []
    failure: CourseError | None = None
    with lock.held(course, f"feedback {name}"):
        try:
            pages.extend(write_feedback(course, assignment, list(students) or None))
        except CourseError as error:
            failure = error
    if not pages:
        raise failure or CourseError(f"no submission of {name!r} has been graded in {course.root}")
    tell([*cautions(course, assignment), *str(failure or "").splitlines()])
    page_count = count_noun(len(pages), "page")
    (out or console()).print(f"{page_count} of feedback, for example {pages[0]}", markup=False)
    return LOOK if failure else DONE


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.option(
    "--also",
    metavar="COURSE",
    multiple=True,
    help="Another course, for example last year's, whose answers are compared, too. May be given "
    "several times.",
)
def report(course: str, name: str, also: tuple[str, ...]) -> None:
    """Write the class report, in COURSE/report: a page and its tables (CSV).

    The report shows the scores by exercise, which checks failed most and why, and which checks tell
    strong from weak students. It shows the time of each submission, what the sandbox stopped, and
    which submissions need a look. It also lists answers that are near-duplicates, which is a reason
    to look and not an accusation. With --also it compares answers with another course's submissions
    of the same set, which must be graded there.

    \b
    Example:
      autograder report ~/privacy-course ps03
      autograder report ~/privacy-course ps03 --also ~/privacy-2026
    """
    from autograder.classroom.course import lock
    from autograder.classroom.running.status import cautions
    from autograder.classroom.sets.assignment import load
    from autograder.pages.report import write_report

    folder = course_at(course)
    assignment = load(folder, name)
    with lock.held(folder, f"report {name}"):
        paths = write_report(folder, assignment, [*map(course_at, also)])
    tell(cautions(folder, assignment))
    console().print("\n".join(map(str, paths)), markup=False)


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.option(
    "--format",
    "to",
    type=click.Choice(["canvas", "moodle", "brightspace", "gradescope", "csv"]),
    required=True,
    help="The system that the grades are for; csv is a plain table.",
)
@click.option("--output", type=click.Path(), help="The file to write, for gradescope a folder.")
@click.option("--roster", type=click.Path(), help="The gradebook that Canvas exports, a CSV file.")
def export(course: str, name: str, to: str, output: str | None, roster: str | None) -> None:
    """Write grades for Canvas, Moodle, Brightspace or Gradescope, in COURSE/export.

    The points are those in the gradebook: they include points given by hand, and late penalties are
    subtracted. Students who handed nothing in are left out.

    \b
      canvas      for Grades, Import. With --roster the file has the IDs, sections and
                  titles of Canvas' own export, so that Canvas has nothing to ask
      moodle      for Grades, Import, CSV file; choose there the column that identifies students
      brightspace for Grades, Import; it identifies students by their user names
      gradescope  STUDENT/results.json, as its autograders write it; no text of any test
      csv         all data of each submission, with the points of each cell

    Points that could be forged have a separate column, or are shown with each test. Canvas and
    Brightspace have no place for them: for these two systems a second table has them, which is not
    for importing.

    \b
    Example:
      autograder export ~/privacy-course ps03 --format canvas --roster ~/Downloads/Grades.csv
    """
    from autograder.classroom.course import lock
    from autograder.classroom.sets.assignment import load
    from autograder.exports import write_exports

    folder = course_at(course)
    assignment = load(folder, name)
    paths = (Path(path).expanduser() if path else None for path in (output, roster))
    with lock.held(folder, f"export {name}"):
        written = write_exports.export(folder, assignment, to, *paths)
    tell(written.warnings)
    first_path, count = written.paths[0], len(written.paths)
    summary = str(first_path) if count == 1 else f"{count} files, for example {first_path}"
    console().print(summary, markup=False)
