"""Look after a course: check it, share it, list students, extend a due date, or remove one."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.course.folders import Course, CourseError
from autograder.commands import completion
from autograder.commands.common import console, course_at, tell
from autograder.session import DONE, LOOK

if TYPE_CHECKING:
    from autograder.classroom.running.students import GrantedTime
    from autograder.sandbox.layers import Sandbox

WRONG = 1


@click.command()
@click.argument("course", metavar="COURSE", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def doctor(course: str, as_json: bool) -> None:
    """Check a whole course, and say what is wrong and what to do about it.

    The command checks the configuration as nbgrader would load it, the gradebook and its tables,
    the kernel, and the sandbox of this machine. It checks whether a right answer gets its points
    under the limits of grading. It looks at the machine's null device, temporary files, kernel,
    time zone and clock, and at versions, the secret, the disk and the exchange. It looks for
    remains of an interrupted command, for work that has changed since it was graded, and for names
    that may not be students. It checks the data about the class, and the values that were drawn
    for sets. It changes nothing.

    \b
    Example:
      autograder doctor ~/privacy-course

    \b
    Exit codes:
      0    all is well
      1    something is wrong, and could cost points, work or secrets
      3    something needs a look, or a check could not run
    """
    from autograder.classroom.running import course_doctor
    from autograder.pages import formulas

    folder = course_at(course)
    sandbox, fault = _try_processes()
    is_drawn = not formulas.is_damaged(folder.formulas)
    findings = course_doctor.look_over(folder, sandbox, is_drawn, fault)
    states = {finding.state for finding in findings} - {course_doctor.WELL}
    if as_json:
        print(json.dumps([finding.as_json() for finding in findings]))
    else:
        from autograder.listing import show_findings

        show_findings(console(), findings)
    sys.exit(WRONG if course_doctor.WRONG in states else LOOK if states else DONE)


def _try_processes() -> tuple[Sandbox | None, str]:
    """Return the sandbox of this machine, and a fault of the processes that grade.

    The sandbox is None if no student process starts. The fault is "" if there is none.
    """
    from autograder.classroom.running.machine_faults import check_limits
    from autograder.examiner.self_test import find_fault
    from autograder.sandbox.layers import CAN_FENCE
    from autograder.sandbox.probing import Probe
    from autograder.wire.contract import Limits

    try:
        if CAN_FENCE:
            check_limits(Limits())
        with Probe(cold=True) as probe:
            return probe.sandbox, find_fault(Limits(), probe.sandbox)
    except OSError as error:
        if not CAN_FENCE:  # no other finding matters on such a system
            raise
        return None, str(error)


@click.command()
@click.argument("course", metavar="COURSE", type=click.Path())
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--graders", metavar="GROUP", help="The group that can read all submissions.")
@click.option("--students", metavar="GROUP", help="The group that can fetch and hand in.")
def exchange(course: str, folder: Path, graders: str | None, students: str | None) -> None:
    """Make the folders of nbgrader's exchange in FOLDER, for a JupyterHub with several users.

    Nobody but the owner can write to FOLDER itself. A student can hand in, but can neither list nor
    read submissions of others. Without --graders the main group of the user who owns COURSE can
    read submissions. Without --students all users of the machine can fetch and hand in. Usually
    root gives the command. For each further course give it again, with the same FOLDER.

    The command also writes FOLDER/nbgrader_config.py. Copy this file to /etc/jupyter on the machine
    where the students' servers run. `doctor` checks all of it later.

    \b
    Example:
      sudo autograder exchange /home/privacy/course /srv/exchange --students privacy-students
    """
    from autograder.classroom.course import exchange

    root = folder.expanduser().resolve()
    owners = exchange.make(course_at(course), root, graders, students)
    for line in exchange.describe(owners):
        console().print(line, markup=False)
    settings = shlex.quote(str(root / exchange.SETTINGS_FILE))
    tell(() if graders else exchange.warn_of_readers(owners))
    tell([f"copy the settings for all users: sudo cp {settings} /etc/jupyter"])


@click.command()
@click.argument("course", metavar="COURSE", type=click.Path())
@click.argument("name", metavar="[NAME]", required=False, shell_complete=completion.sets)
@click.option("--all", "everybody", is_flag=True, help="List everybody, also in a large class.")
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def status(course: str, name: str | None, everybody: bool, as_json: bool) -> None:
    """List the students: who handed in problem set NAME, and what each one waits for.

    Without NAME the command prints the numbers for each problem set. In a class of more than 60
    students it lists only those who wait for something or need a look. The class is the list that
    `grade --roster` read, and the students in nbgrader's gradebook.

    \b
    Example:
      autograder status ~/privacy-course
      autograder status ~/privacy-course ps03
    """
    from autograder import listing
    from autograder.classroom.running.status import Summary, cautions, of_class
    from autograder.classroom.sets.assignment import released

    folder = course_at(course)
    if name is None:
        summaries = [Summary.of(s, of_class(folder, s)) for s in folder.sets]
        if as_json:
            print(json.dumps([vars(summary) for summary in summaries]))
        else:
            listing.show_summaries(console(), summaries)
        return
    if name not in folder.sets:
        released_sets = ", ".join(folder.sets) or "nothing"
        raise CourseError(
            f"the problem set {name!r} was not released in {folder.root}; "
            f"released there: {released_sets}"
        )
    entries = of_class(folder, name)
    if as_json:
        print(json.dumps([entry.as_json() for entry in entries]))
    else:
        listing.show_status(console(), name, entries, everybody)
        tell(cautions(folder, released(folder, name)))


@click.command()
@click.argument("course", metavar="COURSE", type=click.Path())
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.argument("student", metavar="STUDENT", shell_complete=completion.students)
@click.option("--until", metavar="TIME", help="The new time, for example '2026-11-05 12:00 UTC'.")
@click.option("--withdraw", is_flag=True, help="Take the extension back.")
def extend(course: str, name: str, student: str, until: str | None, withdraw: bool) -> None:
    """Give one student more time for problem set NAME, beyond its due date.

    If the student has already lost points for being late, the penalty is computed again at once.
    nbgrader's gradebook also gets the extension, as soon as the student has handed in.

    \b
    Example:
      autograder extend ~/privacy-course ps03 alice --until "2026-11-05 12:00 UTC"
    """
    from autograder.classroom.course import extensions, lock
    from autograder.classroom.running import students

    if bool(until) == withdraw:
        raise click.UsageError("give either --until with a time, or --withdraw")
    folder = course_at(course)
    end = extensions.read_time(until, folder) if until else None
    with lock.held(folder, f"extend {name} {student}"):
        granted = students.grant(folder, name, student, end)
    penalty_text = "" if granted.penalty is None else f"; late penalty now {granted.penalty:g}"
    console().print(f"{_describe_grant(granted, name, student)}{penalty_text}", markup=False)


def _describe_grant(granted: GrantedTime, name: str, student: str) -> str:
    if granted.until:
        return f"{student} may hand in {name} until {granted.until} UTC"
    due_text = f"{name} is due at {granted.due} UTC" if granted.due else f"{name} has no due date"
    if granted.previous is None:
        return f"{student} had no extension to take back; {due_text}"
    gave_time = granted.due is not None and granted.previous > granted.due
    without_effect = "" if gave_time else ", which gave no more time,"
    extension = f"the extension of {student} until {granted.previous} UTC{without_effect}"
    return f"{extension} was taken back; {due_text}"


@click.command()
@click.argument("course", metavar="COURSE", type=click.Path())
@click.argument("student", metavar="STUDENT", shell_complete=completion.students)
@click.option("--yes", is_flag=True, help="Don't ask.")
def remove(course: str, student: str, yes: bool) -> None:
    """Remove a student from a course: submissions, grades, feedback and all other data.

    The command also removes a name that was taken for a student by mistake, such as a folder. It
    writes the reports again. It removes all exports, because each contains the whole class; write
    them again yourself. Released problem sets stay, and so do copies outside of the course.

    \b
    Example:
      autograder remove ~/privacy-course alice
    """
    from autograder.classroom.course import lock
    from autograder.classroom.running import students

    folder = course_at(course)
    removal = students.find(folder, student)
    out = console()
    sets = ", ".join(removal.graded_sets) or "nothing"
    out.print(f"{student} has grades in: {sets}. This will be removed:", markup=False)
    for path in (*removal.paths, *removal.exports):
        out.print(f"  {path}", markup=False)
    out.print(f"  and the entries of {student} in the gradebook of {folder.root}", markup=False)
    if not yes:
        click.confirm("Remove all of this? It can't be undone", abort=True)
    with lock.held(folder, f"remove {student}"):
        reported = _remove_reports(folder)  # first, in case the removal is interrupted
        students.remove(folder, removal)
        _write_reports(folder, reported)
    out.print(f"{student} was removed.", markup=False)


def _remove_reports(course: Course) -> list[str]:
    """Remove the reports of all sets, and return the sets that had one."""
    from autograder.pages.report import SUFFIXES

    names = sorted(path.stem for path in course.report("x").parent.glob("*.html"))
    for name in names:
        for suffix in SUFFIXES:
            course.report(name, suffix).unlink(missing_ok=True)
    return names


def _write_reports(course: Course, names: list[str]) -> None:
    """Write these sets' reports again, without the removed student, for sets with results."""
    from autograder.classroom.grading import results
    from autograder.classroom.sets.assignment import load
    from autograder.pages.report import write_report

    for name in names:
        if not results.find_all(course, name):
            continue
        try:
            write_report(course, load(course, name))
        except CourseError as error:
            tell([f"the report of {name} was removed and could not be written again: {error}"])
