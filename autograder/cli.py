"""The command line: release, grade, feedback, report, export, checks, course, check, demo."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from autograder.classroom.folders import Course, CourseError
from autograder.session import LOOK, WEAK, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from autograder.classroom.cluster import Cluster
    from autograder.examiner.rooms import Rooms
    from autograder.examiner.unwalled import UnwalledRooms

INTERRUPTED = 130
RARELY = 300_000  # objects until the next collection: what starting loads stays, all 160,000

_EXIT_CODES = """\b
Exit codes:
  0    everything was done
  1    nothing was done, or a cluster was lost on the way; the message says why
  2    the command was mistyped
  3    graded, but some submission needs a look (a broken notebook, a missing cell)
  4    the sandbox is weaker than asked for; nothing was graded
  130  interrupted; what had been graded is kept
"""


class _Commands(click.Group):
    """Shows a teacher's mistakes as one line, never as a traceback."""

    def invoke(self, context: click.Context) -> object:
        try:
            return super().invoke(context)
        except CourseError as error:
            _fail(str(error))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            _fail(f"{where}{error.strerror or error}")
        except KeyboardInterrupt:
            _console(stderr=True).print("interrupted; what had been graded is kept")
            sys.exit(INTERRUPTED)


def _fail(message: str) -> NoReturn:
    from rich.text import Text

    _console(stderr=True).print(Text("error: ", "bold red").append(message, "default not bold"))
    sys.exit(1)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console  # not before the grader's own processes have started

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def _course(folder: str) -> Course:
    course = Course.at(folder)
    if not course.root.is_dir():
        raise CourseError(f"there is no course folder {course.root}")
    return course


@contextlib.contextmanager
def _rooms_for_own_code() -> Iterator[tuple[Rooms | UnwalledRooms, bool]]:
    """With walls, where the system can have some; and whether they are as strong as in grading."""
    from autograder.sandbox.layers import CAN_FENCE
    from autograder.wire.contract import Limits

    if not CAN_FENCE:
        from autograder.examiner.unwalled import UnwalledRooms

        yield UnwalledRooms(Limits()), False
        return
    from autograder.sandbox.probing import Probe

    with Probe() as probe:  # a room warms up while the rest is loaded
        from autograder.examiner.rooms import Rooms

        strong = probe.sandbox.strong
        with Rooms(Limits(), probe.sandbox, probe.parent) as rooms:
            yield rooms, strong


@click.group(
    cls=_Commands,
    epilog=_EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="dplab")
def main() -> None:
    """Release problem sets, grade a class, and give feedback.

    \b
    A course from release to feedback:
      autograder release ~/course ps03               release/ps03/ goes to the students
      autograder grade ~/course ps03 ~/handed-in.zip
      autograder feedback ~/course ps03              feedback/STUDENT/ps03/ps03.html
      autograder report ~/course ps03                report/ps03.html is for you

    The course folder has nbgrader's layout: its formgrader and commands work on it too.
    Try it all at once on a class that comes with the project: autograder demo
    """


@main.command()
@click.argument("course", metavar="COURSE")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def release(course: str, names: tuple[str, ...]) -> None:
    """Make the students' version of problem sets, in COURSE/release.

    A NAME is the folder of one of our problem sets, or of yours in COURSE/source. Without a NAME
    all in COURSE/source are released, or all of ours if there are none. COURSE is made if it
    isn't there. Releasing again brings the release up to date. A set whose visible tests fail
    with its own solutions is refused.

    \b
    Example:
      autograder release ~/privacy-course ps03
    """
    folder = Course.at(course)
    own = sorted(path.parent.name for path in (folder.root / "source").glob("*/*.ipynb"))
    with _rooms_for_own_code() as (rooms, _):
        from autograder.classroom import release as releasing
        from autograder.pages.feedback import prepare_pages

        for name in names or own or releasing.shipped_names():
            assignment = releasing.release(folder, name, rooms)
            prepare_pages(folder, assignment)
            exercises = len(assignment.exercises)
            about = f"{exercises} exercises, {assignment.max_points:g} points"
            _console().print(f"released {name} ({about}): {folder.released(name)}")


@main.command(epilog=_EXIT_CODES)
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
@click.argument("submissions", metavar="[SUBMISSIONS]", required=False, type=click.Path())
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Workers; all cores if not given.")
@click.option(
    "--cluster", "scheduler", metavar="ADDRESS", help="Dask scheduler whose workers are to grade."
)
@click.option("--again", is_flag=True, help="Grade also what is unchanged since last time.")
@click.option("--feedback", is_flag=True, help="Write the pages of feedback as well.")
@click.option(
    "--allow-weak-sandbox",
    is_flag=True,
    help="Grade although students' code can't be held back as it should where it runs.",
)
@click.option(
    "--cell-seconds", type=click.FloatRange(0.1, 3600), help="Longest time of one cell (10)."
)
@click.option(
    "--notebook-seconds",
    type=click.FloatRange(0.1, 86400),
    help="Longest time of a whole notebook (120).",
)
def grade(
    course, name, submissions, jobs, scheduler, again, feedback, allow_weak_sandbox, **seconds
) -> None:
    """Grade what a class handed in for problem set NAME.

    SUBMISSIONS is a folder or a zip with one of these for each student: STUDENT/NAME/NAME.ipynb,
    STUDENT/NAME.ipynb, STUDENT.ipynb, or a folder STUDENT with a single notebook. Without
    it, what is in COURSE/submitted is graded.

    Points go to nbgrader's gradebook, graded notebooks to COURSE/autograded. A result is kept as
    long as submission, problem set and settings stay the same: run the command again
    after an interruption, or with late submissions added.

    With --cluster the workers of a Dask cluster grade, each of their threads one submission at a
    time, in the same sandbox and with the same points as here; only this command writes to the
    course. Each host needs what is installed here: the same versions of Python, of dplab with its
    extra `cluster`, and bubblewrap. Whoever reaches a Dask scheduler can run programs on its
    workers and read hidden tests there: use a network that you trust, or TLS as Dask's
    documentation sets it up, with an address that begins with tls://.

    \b
    Example:
      autograder grade ~/privacy-course ps03 ~/Downloads/submissions.zip

    \b
    Example of a cluster:
      dask scheduler                                 on one host, here called alpha
      dask worker tcp://alpha:8786 --nthreads 8      on each host that has 8 cores to spare
      autograder grade ~/privacy-course ps03 --cluster tcp://alpha:8786
    """
    from autograder.sandbox.probing import Probe
    from autograder.wire.contract import Limits

    folder = _course(course)
    limits = Limits(**{key: value for key, value in seconds.items() if value is not None})
    source = Path(submissions) if submissions else folder.root / "submitted"
    if scheduler and jobs:
        raise click.UsageError("--jobs counts workers here; those of a cluster are its own matter")
    session = Session(folder, name, source, limits, jobs, again, allow_weak_sandbox)
    with _cluster(scheduler) if scheduler else Probe() as probe:
        code = session.grade(_console(), probe)
    if feedback and code != WEAK:
        _write_feedback(folder, name)
    sys.exit(code)


def _cluster(scheduler: str) -> Cluster:
    from autograder.classroom.cluster import Cluster

    return Cluster(scheduler)


@main.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
@click.argument("students", metavar="[STUDENT]...", nargs=-1)
def feedback(course: str, name: str, students: tuple[str, ...]) -> None:
    """Write a page for each student, in COURSE/feedback.

    Each page is one file that opens in any browser: points, what failed and why, and the
    notebook with its outputs. It has no hidden test in it, and nothing that a student wrote can
    run there. What was graded by hand since is included.

    \b
    Example:
      autograder feedback ~/privacy-course ps03
      autograder feedback ~/privacy-course ps03 alice bob
    """
    _write_feedback(_course(course), name, students)


def _write_feedback(course: Course, name: str, students: tuple[str, ...] = ()) -> None:
    from autograder.classroom.assignment import load
    from autograder.pages.feedback import write_feedback

    pages = list(write_feedback(course, load(course, name), list(students) or None))
    if not pages:
        raise CourseError(f"no submission of {name!r} has been graded in {course.root}")
    _console().print(f"{len(pages)} pages of feedback, for example {pages[0]}")


@main.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
def report(course: str, name: str) -> None:
    """Write the class report, in COURSE/report: a page and its tables (CSV).

    Scores by exercise; what failed most and why, and whether a check tells strong from weak
    students; the time of each submission, what the sandbox stopped, which submissions need a
    look; answers that are near-duplicates (to look at, not an accusation).

    \b
    Example:
      autograder report ~/privacy-course ps03
    """
    from autograder.classroom.assignment import load
    from autograder.pages.report import write_report

    folder = _course(course)
    paths = write_report(folder, load(folder, name))
    _console().print("\n".join(map(str, paths)))


@main.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
@click.argument("student", metavar="STUDENT")
@click.option(
    "--allow-weak-sandbox", is_flag=True, help="Also where the student's code isn't shut in well."
)
def explain(course: str, name: str, student: str, allow_weak_sandbox: bool) -> None:
    """Repeat a verdict, for an appeal: grade one submission once more, and write nothing.

    Says what was graded, by which versions and under which seed, what each test gave then and
    gives now, what the student was told and, for you alone, what hidden tests said.

    \b
    Example:
      autograder explain ~/privacy-course ps03 alice

    \b
    Exit codes:
      0    the same points again
      1    it can't be repeated; the message says why
      3    other points
      4    the sandbox is weaker than asked for
    """
    from autograder.classroom import explaining
    from autograder.examiner.rooms import Rooms
    from autograder.sandbox.probing import Probe

    folder = _course(course)
    limits = explaining.limits_of(folder, name, student)
    with Probe() as probe:
        from autograder import console as shown

        if not probe.sandbox.strong and not allow_weak_sandbox:
            shown.show_weak(_console())
            sys.exit(WEAK)
        with Rooms(limits, probe.sandbox, probe.parent) as rooms:
            found = explaining.explain(folder, name, student, rooms)
    shown.show_explained(_console(), found)
    sys.exit(LOOK if found.differing else 0)


@main.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--secrets",
    type=click.IntRange(1, 1_000_000),
    default=200,
    show_default=True,
    help="Under how many secrets of a course each wrong answer is graded.",
)
@click.option(
    "--mutants",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the wrong answers; in a checkout tests/assignments.",
)
def checks(names: tuple[str, ...], secrets: int, mutants: Path | None) -> None:
    """Say how often the checks of our problem sets are wrong.

    For each check: the probability with which it fails a right solution, as the check states it,
    added up for each problem set and for the whole course. And its power: how often it finds the
    mistakes that it is there for. Power is measured on a catalogue of wrong answers that comes
    with the project's sources; they are run in this process, so name no folder that you don't
    trust. The bound 0.999 needs some 3000 secrets.

    \b
    Example:
      autograder checks ps03 --secrets 3000
    """
    from autograder.classroom.release import shipped_names
    from autograder.rehearsal.shown import show

    show(_console(), names or shipped_names(), mutants, secrets)


@main.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
@click.option(
    "--format",
    "to",
    type=click.Choice(["canvas", "moodle", "gradescope", "csv"]),
    required=True,
    help="Which system the grades are for; csv is a plain table.",
)
@click.option("--output", type=click.Path(), help="The file, for gradescope the folder, to write.")
@click.option("--roster", type=click.Path(), help="The gradebook that Canvas exports, a CSV file.")
def export(course: str, name: str, to: str, output: str | None, roster: str | None) -> None:
    """Write grades for Canvas, Moodle or Gradescope, in COURSE/export.

    Points are those of the gradebook now: what was given by hand is in them, and late penalties
    are subtracted. Who handed nothing in is left out.

    \b
      canvas      for Grades, Import. With --roster IDs, sections and the title of the
                  column are taken from Canvas' own export, so that it asks nothing
      moodle      for Grades, Import, CSV file: choose there which column says who is who
      gradescope  STUDENT/results.json, as its autograders write it; no text of any test
      csv         all that is known of each submission, with the points of each cell

    \b
    Example:
      autograder export ~/privacy-course ps03 --format canvas --roster ~/Downloads/Grades.csv
    """
    from autograder.classroom.assignment import load
    from autograder.exports import writing

    folder = _course(course)
    paths = (Path(path).expanduser() if path else None for path in (output, roster))
    written = writing.export(folder, load(folder, name), to, *paths)
    for warning in written.warnings:
        _console(stderr=True).print(f"note: {warning}", style="yellow", markup=False)
    first, count = written.paths[0], len(written.paths)
    _console().print(str(first) if count == 1 else f"{count} files, for example {first}")


@main.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--no-open", is_flag=True, help="Lay the folder out, and start nothing.")
def course(folder: Path, no_open: bool) -> None:
    """For students: lay out the course in FOLDER, and open it in JupyterLab.

    The lessons with an index that shows how far you are, and the problem sets without solutions.
    Run it again to go on, or when dplab is a new version: what you haven't touched is brought up
    to date, and what you have written stays.

    \b
    Example:
      autograder course ~/privacy
    """
    from autograder.desk.laying_out import lay_out, open_lab

    laid, console = lay_out(folder), _console()
    counts = f"{len(laid.new)} files are new, {len(laid.updated)} brought up to date"
    console.print(f"The course is in {laid.folder} ({counts}).", markup=False)
    if laid.kept:
        console.print(
            f"Yours and not touched, though there is a newer one: {', '.join(laid.kept)}. "
            "Rename what you want to keep and run this again to get it.",
            markup=False,
        )
    if no_open:
        console.print(f"To open it: autograder course {folder}", markup=False)
    else:
        sys.exit(open_lab(laid))


@main.command()
@click.argument("notebook", metavar="NOTEBOOK", type=click.Path())
@click.option("--hints", is_flag=True, help="Show the hints of exercises whose tests fail.")
def check(notebook: str, hints: bool) -> None:
    """For students: run the tests that you can see, before you hand in.

    The whole NOTEBOOK runs from top to bottom as it will when it is graded: your cells in one
    process, the tests in another. The file stays as it is, and no course folder is needed. Hidden
    tests run only when your work is graded.

    \b
    Example:
      autograder check ps03.ipynb

    \b
    Exit codes:
      0    all visible tests passed
      1    the file can't be checked; the message says why
      3    some test failed
    """
    from autograder.classroom.draft import load

    draft, console = load(Path(notebook)), _console()
    with _rooms_for_own_code() as (rooms, strong):
        from autograder.classroom import checking
        from autograder.pages import checked

        if not strong:
            console.print("(This machine shuts code in less tightly than grading does.)")
        found = checking.check(draft, rooms)
    for line in checked.lines(found, show_hints=hints):
        console.print(line)
    sys.exit(0 if found.passed else LOOK)


@main.command()
@click.option("--folder", type=click.Path(), help="Where to make the course; a new temporary one.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Workers; all cores if not given.")
def demo(folder: str | None, jobs: int | None) -> None:
    """See everything at work on a class that comes with the project.

    Makes a course in a temporary folder, releases the problem sets, grades a class of honest,
    mistaken and hostile students in one of them, writes their feedback and the class report, and
    says what to open. It takes about half a minute.

    \b
    Example:
      autograder demo
    """
    from autograder.demo import run

    run(_console(), Path(folder) if folder else None, jobs)


def run() -> NoReturn:
    """The console script: `main`, leaving it to the system to take the process's memory apart."""
    gc.set_threshold(RARELY)
    for stream in (sys.stdout, sys.stderr):  # not all that is printed is in every encoding
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
