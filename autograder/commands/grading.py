"""Release problem sets, grade submissions, and repeat a verdict."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.classroom.course.folders import Course, CourseError, check_name
from autograder.commands import completion
from autograder.commands.common import (
    EXIT_CODES,
    console,
    course_at,
    course_to_be,
    runner_for_own_code,
    tell,
)
from autograder.commands.hand_back import write_pages
from autograder.session import LOOK, WEAK, Session

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.running.cluster import Cluster
    from autograder.classroom.sets.assignment import Assignment
    from autograder.wire.contract import Limits

EXAMPLES = """\b
Example:
  autograder grade ~/privacy-course ps03 ~/Downloads/submissions.zip

\b
Example of a cluster:
  dask scheduler                                 on one host, here called alpha
  dask worker tcp://alpha:8786 --nthreads 8      on each host that has 8 cores to spare
  autograder grade ~/privacy-course ps03 --cluster tcp://alpha:8786

"""
ADOPT = "Add the entries that keep hidden tests from students to the course's nbgrader_config.py."


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=completion.sets)
@click.option("--adopt", is_flag=True, help=ADOPT)
@click.option(
    "--accept",
    "accepted",
    metavar="TEST",
    multiple=True,
    help="Release although this test fails your solution, or gives points for no answer.",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    help="List of the class, a CSV file, for sets with a variant for each student.",
)
@click.option(
    "--stock", is_flag=True, help="Also grade with stock nbgrader; name tests that differ."
)
@click.option(
    "--cell-seconds",
    type=click.FloatRange(0.1, 3600),
    help="Seconds that a cell of a student may take (10).",
)
@click.option(
    "--notebook-seconds",
    type=click.FloatRange(0.1, 86400),
    help="Seconds that a student's whole notebook may take (120).",
)
def release(
    course: str,
    names: tuple[str, ...],
    adopt: bool,
    accepted: tuple[str, ...],
    roster: Path | None,
    stock: bool,
    **seconds: float | None,
) -> None:
    """Make the students' version of problem sets, in COURSE/release.

    A NAME is one of our problem sets, or a folder of yours in COURSE/source. Without a NAME the
    command releases all sets in COURSE/source, or all of ours if there are none. It makes COURSE if
    there is none. Release a set again after you have changed it.

    The command first grades the set's own solutions, and the notebook as students get it. It
    refuses a set whose solutions don't get all points, or that gives points for no answer. A
    test that can't work in two processes runs in the student's process, where its points could be
    forged; the command says why, and how to write it otherwise. It refuses such a test if it has
    hidden text. Files beside the notebook, such as data and modules, are released with it.

    Your solutions may take six times as long as students' answers, so that a busy machine does not
    stop them. The command names each cell that takes longer than a student's may: a student's
    answer like it would be stopped. Give 'autograder grade' the same --cell-seconds.

    If the command refuses a set, or if you --accept a test, it also grades your solutions and the
    notebook as students get it with stock nbgrader. It names each test that gives other points
    there, with the reason. With --stock it does so for any set, and also for the answers in
    COURSE/answers. Each answer then runs in a Jupyter kernel, under your account and without a
    sandbox.

    If 'autograder vary --each' varied the set, each student of the class list also gets a notebook,
    in COURSE/release-each/STUDENT. The list that --roster gives is kept, as by 'autograder grade'.

    \b
    Example:
      autograder release ~/privacy-course ps03
    """
    from autograder.classroom.course import configuration, lock
    from autograder.classroom.intake import mistaken_paths, people
    from autograder.classroom.sets import shipped_sets

    folder = course_to_be(course)
    if not names and not folder.root.exists():
        _refuse_forgotten_course(folder.root)
    for name in names:
        mistaken_paths.check_course(folder, name)
    if folder.config_file.exists() or folder.config_file.with_suffix(".json").exists():
        configuration.check(folder, adopt)
    else:
        configuration.check_folders(folder)
    for name in names:  # before any file is written
        shipped_sets.check_there(folder, check_name(name))
    class_list = people.read(roster) if roster else ()
    with lock.held(folder, "release"), runner_for_own_code(_limits(seconds)) as (runner, _):
        from autograder.classroom.releasing.release import prepare
        from autograder.pages.feedback import prepare_pages

        if class_list:
            prepare(folder)
            people.save_list(folder, class_list)
        for name in names or folder.sources or shipped_sets.names_with_tests():
            assignment = _release_one(folder, name, runner, accepted, stock)
            prepare_pages(folder, assignment)
            _tell_of_release(folder, assignment)


def _limits(seconds: Mapping[str, Any]) -> Limits:
    """Return the limits of students' code; options of the command replace the usual ones."""
    from autograder.wire.contract import Limits

    return Limits(**{key: value for key, value in seconds.items() if value is not None})


def _refuse_forgotten_course(root: Path) -> None:
    """Raise CourseError if a new course would have the name of one of our problem sets."""
    from autograder.classroom.sets import shipped_sets

    if root.name in shipped_sets.names():
        raise CourseError(
            f"there is no course folder {root}, and {root.name} is the name of a problem set; "
            f"name the course first: autograder release COURSE {root.name}"
        )


def _release_one(
    course: Course, name: str, runner: Any, accepted: tuple[str, ...], stock: bool
) -> Assignment:
    """Release a problem set, and compare it with stock nbgrader if the two can differ.

    They can differ if the set was refused, or if the teacher accepted one of its tests.
    """
    from autograder.classroom.releasing import reference_run, release

    try:
        assignment = release.release(course, name, runner, accepted, tell)
    except reference_run.SetRefused:
        _tell_of_stock(course, name, runner, stock)
        raise
    if stock or accepted:
        _tell_of_stock(course, name, runner, stock)
    return assignment


def _tell_of_stock(course: Course, name: str, runner: Any, every_answer: bool) -> None:
    from autograder.rehearsal.compare_points import tell_of_stock

    tell_of_stock(console(), course, name, runner, runner.limits.cell_seconds, every_answer)


def _tell_of_release(course: Course, assignment: Assignment) -> None:
    from autograder.wire.text import count_noun

    exercises = count_noun(len(assignment.exercises), "exercise")
    notebooks_text = f"{len(assignment.parts)} notebooks, " if assignment.notebook_parts else ""
    summary = f"{notebooks_text}{exercises}, {assignment.max_points:g} points"
    if assignment.files:
        summary += f", with {', '.join(file.name for file in assignment.files[:5])}"
        summary += ", ..." if len(assignment.files) > 5 else ""
    first_notebook = course.released(assignment.name, assignment.notebooks[0])
    path = first_notebook.parent if assignment.notebook_parts else first_notebook
    console().print(f"released {assignment.name} ({summary}): {path}", markup=False)
    if assignment.variants is not None:
        count = count_noun(assignment.variants.count, "variant")
        text = f"a notebook for each student, of {count}: {course.release_each}"
        console().print(text, markup=False)
    if assignment.forgeable_note:
        console().print(f"note: {assignment.forgeable_note}")


@click.command(epilog=EXAMPLES + EXIT_CODES)
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.argument("submissions", metavar="[SUBMISSIONS]", required=False, type=click.Path())
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Workers; all cores if not given.")
@click.option(
    "--cluster", "scheduler", metavar="ADDRESS", help="Dask scheduler whose workers grade."
)
@click.option("--again", is_flag=True, help="Also grade submissions that have not changed.")
@click.option(
    "--student",
    "students",
    metavar="STUDENT",
    multiple=True,
    shell_complete=completion.students,
    help="Grade only this student, again if need be. May be given several times.",
)
@click.option(
    "--exercise",
    "exercises",
    metavar="EXERCISE",
    multiple=True,
    help="Grade only this exercise, given by its number or one of its cells; other points stay.",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    help="List of the class, a CSV file of any platform. Students get their names from it.",
)
@click.option(
    "--groups",
    type=click.Path(path_type=Path),
    help="Groups that hand in together, a CSV file with the columns student_id and group.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be graded, and write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the points as JSON, for a program.")
@click.option("--adopt", is_flag=True, help=ADOPT)
@click.option("--feedback", is_flag=True, help="Write the pages of feedback as well.")
@click.option(
    "--allow-weak-sandbox",
    is_flag=True,
    help="Grade although the sandbox for students' code is incomplete.",
)
@click.option(
    "--cell-seconds", type=click.FloatRange(0.1, 3600), help="Seconds for a cell to run (10)."
)
@click.option(
    "--notebook-seconds",
    type=click.FloatRange(0.1, 86400),
    help="Seconds for a whole notebook (120).",
)
def grade(
    course: str,
    name: str,
    submissions: str | None,
    jobs: int | None,
    scheduler: str | None,
    again: bool,
    feedback: bool,
    allow_weak_sandbox: bool,
    students: tuple[str, ...],
    exercises: tuple[str, ...],
    roster: Path | None,
    groups: Path | None,
    dry_run: bool,
    as_json: bool,
    adopt: bool,
    **seconds: float | None,
) -> None:
    """Grade the submissions of a class for problem set NAME.

    SUBMISSIONS is a zip as Moodle, Canvas, Gradescope or Brightspace gives it. It can also be a
    folder or a zip that has one of these for each student: STUDENT/NAME/NAME.ipynb,
    STUDENT/NAME.ipynb, STUDENT.ipynb, or a folder STUDENT with a single notebook. Without
    SUBMISSIONS the command grades the submissions in COURSE/submitted.

    With --roster students get their names from the list of the class, which is kept for later
    sets. The command names students on the list who handed nothing in. If a name fits two
    students, it grades nothing.

    With --groups each member of a group gets the group's submission. It lies in a folder that has
    the name of the group or of one member. The groups are kept for this problem set.

    Points go to nbgrader's gradebook, graded notebooks to COURSE/autograded. A result is kept as
    long as submission, problem set and settings stay the same. So run the command again after an
    interruption, or when you have added late submissions.

    With --cluster the workers of a Dask cluster grade, in the same sandbox and with the same points
    as here. Each of their threads grades one submission at a time. Only this command writes to the
    course. Each host needs the same versions of Python and of dplab with its extra `cluster`, and
    bubblewrap. Anybody who reaches a Dask scheduler can run programs on its workers and read hidden
    tests there. So use a network that you trust, or TLS as Dask's documentation describes it, with
    an address that begins with tls://.
    """
    limits = _limits(seconds)
    if "" in (submissions, scheduler):  # for example from a variable that a script has not set
        raise click.UsageError("SUBMISSIONS and the address of a cluster must not be empty texts")
    if scheduler and jobs:
        raise click.UsageError(
            "--jobs and --cluster exclude each other; --jobs is a number of workers on this machine"
        )
    folder = _course_to_grade(course, name, submissions)
    source = Path(submissions) if submissions else folder.root / "submitted"
    session = Session(
        folder, name, source, limits, jobs=jobs, again=again, weak_allowed=allow_weak_sandbox,
        students=students, exercises=exercises, roster=roster, groups=groups, adopt=adopt,
        as_json=as_json,
    )  # fmt: skip
    out = console(stderr=as_json)
    if dry_run:
        sys.exit(session.survey(out))
    sys.exit(_grade(session, scheduler, feedback, out))


def _grade(session: Session, scheduler: str | None, feedback: bool, out: Console) -> int:
    """Grade on the cluster or here, then write feedback or print its cautions.

    Return the exit code.
    """
    from autograder.classroom.running.machine_faults import check_limits
    from autograder.sandbox.layers import CAN_FENCE
    from autograder.sandbox.probing import Probe

    if CAN_FENCE and not scheduler:
        check_limits(session.limits)
    with _cluster(scheduler) if scheduler else Probe() as probe:
        code = session.grade(out, probe)
    if code == WEAK:
        return code
    if feedback:
        return _with_feedback(session, out) or code
    from autograder.classroom.running.status import cautions

    tell(cautions(session.course, session.assignment))
    return code


def _with_feedback(session: Session, out: Console) -> int:
    """Write feedback on the graded work, and return the exit code.

    The work stays graded if the pages fail.
    """
    try:
        return write_pages(session.course, session.name, session.students, out)
    except (CourseError, OSError) as error:
        tell([f"the class was graded, but no feedback was written: {error}"])
        return LOOK


def _course_to_grade(course: str, name: str, submissions: str | None) -> Course:
    from autograder.classroom.intake import mistaken_paths

    if not Course.at(course).root.is_dir():
        mistaken_paths.check_course(
            Course.at(course), name, Path(submissions) if submissions else None
        )
    return course_at(course)


def _cluster(scheduler: str) -> Cluster:
    from autograder.classroom.running.cluster import Cluster

    return Cluster(scheduler)


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.argument("student", metavar="STUDENT", shell_complete=completion.students)
@click.option(
    "--allow-weak-sandbox", is_flag=True, help="Grade although the sandbox is incomplete."
)
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def explain(course: str, name: str, student: str, allow_weak_sandbox: bool, as_json: bool) -> None:
    """Repeat a verdict, for an appeal: grade one submission once more, and write nothing.

    The output names the submission, the versions and the seed. It has the points of each test then
    and now, and the student's messages. It also has the messages of hidden tests, which are for you
    alone.

    \b
    Example:
      autograder explain ~/privacy-course ps03 alice

    \b
    Exit codes:
      0    the same points again
      1    the verdict can't be repeated; the message says why
      3    the points differ
      4    the sandbox is weaker than asked for
    """
    from autograder.classroom.running import explain_verdict
    from autograder.examiner.sandboxed_runner import SandboxedRunner
    from autograder.sandbox.probing import Probe

    folder = course_at(course)
    limits = explain_verdict.limits_of(folder, name, student)
    with Probe() as probe:
        from autograder import terminal

        if not probe.sandbox.strong and not allow_weak_sandbox:
            terminal.show_weak(console(stderr=as_json))
            sys.exit(WEAK)
        with SandboxedRunner(limits, probe.sandbox, probe.parent) as runner:
            explanation = explain_verdict.explain(folder, name, student, runner)
    if as_json:
        from autograder.listing import explained_as_json

        print(json.dumps(explained_as_json(explanation)))
    else:
        terminal.show_explained(console(), explanation)
    sys.exit(LOOK if explanation.differing else 0)
