"""Start and vary a problem set, measure its checks, and show a demo with a sample class."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.course.folders import CourseError, command
from autograder.commands import completion
from autograder.commands.common import console, course_at, course_to_be, runner_for_own_code, tell
from autograder.session import LOOK

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.rehearsal.report import Rehearsal


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
def new(course: str, name: str) -> None:
    """Make a small problem set to start from, in COURSE/source/NAME, and change it as you like.

    It works as it is. It has an exercise with a hidden test, an exercise answered in words, and a
    data file. COURSE/answers/NAME has right and wrong answers, with which 'autograder checks' tries
    the tests. The command makes COURSE if there is none.

    \b
    Example:
      autograder new ~/privacy-course coin
    """
    from autograder.classroom.releasing.start_set import start

    for path in start(course_to_be(course), name):
        console().print(path, markup=False)


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.ours_or_sets)
@click.option(
    "--unlike",
    metavar="COURSE",
    multiple=True,
    help="Another course, for example last year's, whose values are avoided. May be given several "
    "times.",
)
@click.option(
    "--each/--common",
    default=None,
    help="Draw values for each student, or the same for all. Without: as at the last time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def vary(course: str, name: str, unlike: tuple[str, ...], each: bool | None, as_json: bool) -> None:
    """Vary problem set NAME for a course: last year's answers don't pass.

    In the set's notebooks a placeholder {{ratio: 3|4|5|7}} becomes one of its values, which is
    drawn from the course's secret. {{ratio}} becomes the same value everywhere: in text, solution,
    stub and tests. One course always gets the same values. The set with its placeholders moves to
    COURSE/templates/NAME. Change it there from now on, and then run this command and 'autograder
    release' again.

    With --each the values are drawn from the secret and the student's id. 'autograder release' then
    writes a notebook for each student of the class list, and 'autograder grade' uses the tests of
    the student's own variant. COURSE/source/NAME has the values of the course itself.

    Anybody can read the solutions of our own sets. So they get placeholders for the names of their
    functions and arguments.

    \b
    Example:
      autograder vary ~/privacy-2027 ps03
      autograder vary ~/privacy-2027 coin --unlike ~/privacy-2026
      autograder vary ~/privacy-2027 coin --each
    """
    from autograder.classroom.course import lock
    from autograder.classroom.sets import set_variants, shipped_sets

    folder = course_to_be(course) if name in shipped_sets.names() else course_at(course)
    with lock.held(folder, f"vary {name}"):
        varied = set_variants.vary(folder, name, [*map(course_at, unlike)], each)
    if as_json:
        summary = {
            "values": varied.values,
            "variants": varied.variants,
            "left": varied.unset_placeholders,
            "each": varied.is_each,
        }
        print(json.dumps(summary | {"beside": varied.files_with_placeholders}))
        return
    out = console()
    for placeholder, value in varied.values.items():
        out.print(f"{placeholder}: {value}", markup=False)
    out.print(f"1 of {varied.variants} variants: {', '.join(map(str, varied.paths))}", markup=False)
    if varied.is_each:
        release = command("release", folder.root, name)
        tell([f"each student gets one of these variants; to write them, run: {release}"])
    if varied.unset_placeholders:
        names = ", ".join(varied.unset_placeholders)
        tell([f"these placeholders have no values and stay as they are: {names}"])
    if varied.files_with_placeholders:
        names = ", ".join(varied.files_with_placeholders)
        tell([f"placeholders stay as they are in files that are no notebooks: {names}"])


@click.command()
@click.argument(
    "names", metavar="[COURSE] [NAME]...", nargs=-1, shell_complete=completion.course_or_sets
)
@click.option(
    "--secrets",
    type=click.IntRange(1, 1_000_000),
    help="Number of secrets under which each answer is graded (200; for your own sets 1).",
)
@click.option(
    "--mutants",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the wrong answers to our sets; tests/assignments in the repository.",
)
@click.option(
    "--slips",
    type=click.IntRange(0, 10_000),
    default=20,
    show_default=True,
    help="Number of slips to make up in each of your solution cells.",
)
@click.option(
    "--cell-seconds",
    type=click.FloatRange(0.1, 3600),
    default=5.0,
    show_default=True,
    help="A wrong answer of yours that takes more seconds counts as found.",
)
@click.option(
    "--stock", is_flag=True, help="Also grade with stock nbgrader; name tests that differ."
)
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def checks(
    names: tuple[str, ...],
    secrets: int | None,
    mutants: Path | None,
    slips: int,
    cell_seconds: float,
    stock: bool,
    as_json: bool,
) -> None:
    """Measure how often the checks of problem sets are wrong: of our sets, or of COURSE/source.

    Each check states the probability with which it fails a right solution. The command prints these
    and adds them up, for each problem set and for the whole course. It also measures the power of
    each check: how often it finds the mistakes that it must find. A bound of 0.999 needs about 3000
    secrets.

    For our sets it measures the power on a catalogue of wrong answers, which comes with the
    project's sources. They run in this process, so don't name a folder that you don't trust.

    For your sets it measures the power on the answers in COURSE/answers/NAME, a module for each
    exercise. Right answers must get all points. Each wrong answer names the test that must find it.
    The command also makes slips in your own solutions: it changes a constant, an operator or a
    comparison, swaps arguments, or leaves a line out. It prints the slips that no test finds, and
    the tests that find nothing. All answers run in two processes, as in grading.

    With --stock your solutions, an empty answer, and the answers that you keep also run in a
    Jupyter kernel, under your account and without a sandbox. The command names each test that gives
    other points there, with the reason.

    \b
    Example:
      autograder checks ps03 --secrets 3000
      autograder checks ~/privacy-course coin

    \b
    Exit codes:
      0    all is well; there may be slips that no test finds, since some are no mistakes
      1    a problem set can't be tried; the message says why
      3    a right answer loses points, a wrong answer isn't found, a test finds nothing, or stock
           nbgrader gives other points
    """
    out = console(stderr=as_json)
    out.quiet = as_json
    if names and _is_course(names[0]):
        rehearsals = _check_course_sets(
            out, names[0], names[1:], secrets or 1, slips, cell_seconds, stock
        )
    elif stock:
        raise click.UsageError("--stock is for the problem sets of a course: name its folder")
    elif not (our_sets := names or _our_sets_with_tests()):
        raise CourseError(
            "name the folder of a course; our own problem sets are only in the project's repository"
        )
    else:
        from autograder.rehearsal.report import show

        rehearsals = show(out, our_sets, mutants, secrets or 200)
    if as_json:
        print(json.dumps([rehearsal.as_json() for rehearsal in rehearsals]))
    sys.exit(0 if all(rehearsal.fine for rehearsal in rehearsals) else LOOK)


def _is_course(name: str) -> bool:
    return Path(name).expanduser().is_dir() and name not in _our_set_names()


def _our_set_names() -> list[str]:
    from autograder.classroom.sets import shipped_sets

    return shipped_sets.names()


def _our_sets_with_tests() -> list[str]:
    from autograder.classroom.sets import shipped_sets

    return shipped_sets.names_with_tests()


def _check_course_sets(
    out: Console,
    course_folder: str,
    names: tuple[str, ...],
    secrets: int,
    slips: int,
    cell_seconds: float,
    stock: bool,
) -> list[Rehearsal]:
    from autograder.wire.contract import Limits

    course = course_at(course_folder)
    if not (names or course.sources):
        raise CourseError(f"{course.root} has no problem set in {course.root / 'source'}")
    limits = Limits(cell_seconds=cell_seconds)
    with runner_for_own_code(limits) as (runner, _):
        from autograder.rehearsal.report import show_course
        from autograder.rehearsal.stock_nbgrader import Kernel

        kernel = Kernel(cell_seconds) if stock else None
        return show_course(out, course, names or course.sources, runner, secrets, slips, kernel)


@click.command()
@click.option("--folder", type=click.Path(), help="Folder for the course; else a temporary one.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Workers; all cores if not given.")
def demo(folder: str | None, jobs: int | None) -> None:
    """Show everything at work on a sample class.

    The command makes a course in a temporary folder and releases a problem set. It grades a class
    of honest, mistaken and hostile students, writes their feedback and the class report, and says
    what to open. It takes about half a minute. Each cell has 3 seconds instead of 10, because one
    student's cell never ends.

    \b
    Example:
      autograder demo
    """
    from autograder.demo import run

    run(console(), Path(folder) if folder else None, jobs)
