"""A problem set to start from, how sure checks are, and everything at once on a sample class."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.course.folders import CourseError
from autograder.commands import completing
from autograder.commands.common import console, course_at, course_to_be, rooms_for_own_code, tell
from autograder.session import LOOK

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.rehearsal.shown import Rehearsal


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME")
def new(course: str, name: str) -> None:
    """Make a small problem set to start from: COURSE/source/NAME, yours to change.

    It is right as it stands: one exercise with a hidden test, one answered in words, a data file.
    In COURSE/answers/NAME are right and wrong answers, by which 'autograder checks' tries its
    tests. COURSE is made if it isn't there.

    \b
    Example:
      autograder new ~/privacy-course coin
    """
    from autograder.classroom.releasing.start_set import start

    for path in start(course_to_be(course), name):
        console().print(path, markup=False)


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completing.ours_or_sets)
@click.option(
    "--unlike",
    metavar="COURSE",
    multiple=True,
    help="Another course, say last year's: no value is the one that it has. May be given several "
    "times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def vary(course: str, name: str, unlike: tuple[str, ...], as_json: bool) -> None:
    """Vary problem set NAME for a course: last year's answers don't pass.

    In its notebooks a mark {{ratio: 3|4|5|7}} becomes one of the values, drawn from the course's
    secret, and {{ratio}} the same one wherever it stands: text, solution, stub, tests. The same
    course always gets the same. The set with its marks moves to COURSE/templates/NAME, where you
    change it from now on; run the command again after that, and then 'autograder release'.

    One of ours, whose solutions anybody can read, gets marks for the names of its functions and of
    what they take.

    \b
    Example:
      autograder vary ~/privacy-2027 ps03
      autograder vary ~/privacy-2027 coin --unlike ~/privacy-2026
    """
    from autograder.classroom.course import lock
    from autograder.classroom.sets import set_variants, shipped_sets

    folder = course_to_be(course) if name in shipped_sets.names() else course_at(course)
    with lock.held(folder, f"vary {name}"):
        varied = set_variants.vary(folder, name, [*map(course_at, unlike)])
    if as_json:
        about = {"values": varied.values, "variants": varied.variants, "left": varied.unset_marks}
        print(json.dumps(about | {"beside": varied.marked_files}))
        return
    out = console()
    for mark, value in varied.values.items():
        out.print(f"{mark}: {value}", markup=False)
    out.print(f"1 of {varied.variants} variants: {', '.join(map(str, varied.paths))}", markup=False)
    if varied.unset_marks:
        tell([f"these have no values and stay as they are: {', '.join(varied.unset_marks)}"])
    if varied.marked_files:
        tell([f"marks stay as they are in what is no notebook: {', '.join(varied.marked_files)}"])


@click.command()
@click.argument(
    "names", metavar="[COURSE] [NAME]...", nargs=-1, shell_complete=completing.course_or_sets
)
@click.option(
    "--secrets",
    type=click.IntRange(1, 1_000_000),
    help="Under how many secrets of a course each answer is graded (200; of yours 1).",
)
@click.option(
    "--mutants",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the wrong answers to ours; in a checkout tests/assignments.",
)
@click.option(
    "--slips",
    type=click.IntRange(0, 10_000),
    default=20,
    show_default=True,
    help="How many slips to make up in each solution cell of yours.",
)
@click.option(
    "--cell-seconds",
    type=click.FloatRange(0.1, 3600),
    default=5.0,
    show_default=True,
    help="A wrong answer of yours that takes longer counts as found.",
)
@click.option(
    "--stock", is_flag=True, help="Grade your answers by stock nbgrader, too; name what differs."
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
    """Say how often the checks of problem sets are wrong: of ours, or of those in COURSE/source.

    For each check: the probability with which it fails a right solution, as the check states it,
    added up for each problem set and for the whole course. And its power: how often it finds the
    mistakes that it is there for. The bound 0.999 needs some 3000 secrets.

    For ours, power is measured on a catalogue of wrong answers that comes with the project's
    sources; they are run in this process, so name no folder that you don't trust.

    For yours, it is measured on the answers in COURSE/answers/NAME, a module for each exercise:
    right ones, which must get all points, and wrong ones, each with the test that must find it.
    Beside these, slips are made up in your own solutions: a constant, an operator or a comparison
    changed, arguments swapped, a line left out. Which ones no test finds is said, and which tests
    find nothing. All of them run in rooms, as in grading. With --stock your solutions, no answer,
    and the answers that you keep run in a Jupyter kernel besides, as you, with nothing to shut them
    in; each test that gives other points there is named, with the reason.

    \b
    Example:
      autograder checks ps03 --secrets 3000
      autograder checks ~/privacy-course coin

    \b
    Exit codes:
      0    all is as it should be, but for slips that may be none
      1    a problem set can't be tried; the message says why
      3    a right answer loses points, a wrong one isn't found, a test finds nothing, or stock
           nbgrader gives other points
    """
    out = console(stderr=as_json)
    out.quiet = as_json
    if names and _is_course(names[0]):
        done = _of_course(out, names[0], names[1:], secrets or 1, slips, cell_seconds, stock)
    elif stock:
        raise click.UsageError("--stock is for the problem sets of a course: name its folder")
    elif not (ours := names or _shipped()):
        raise CourseError("name a course: our own sets are in the project's repository alone")
    else:
        from autograder.rehearsal.shown import show

        done = show(out, ours, mutants, secrets or 200)
    if as_json:
        print(json.dumps([one.as_json() for one in done]))
    sys.exit(0 if all(one.fine for one in done) else LOOK)


def _is_course(name: str) -> bool:
    return Path(name).expanduser().is_dir() and name not in _shipped()


def _shipped() -> list[str]:
    from autograder.classroom.sets import shipped_sets

    return shipped_sets.names()


def _of_course(
    out: Console,
    where: str,
    names: tuple[str, ...],
    secrets: int,
    slips: int,
    cell_seconds: float,
    stock: bool,
) -> list[Rehearsal]:
    from autograder.wire.contract import Limits

    course = course_at(where)
    if not (names or course.sources):
        raise CourseError(f"{course.root} has no problem set in {course.root / 'source'}")
    limits = Limits(cell_seconds=cell_seconds)
    with rooms_for_own_code(limits) as (rooms, _):
        from autograder.rehearsal.shown import show_course
        from autograder.rehearsal.stock import Kernel

        kernel = Kernel(cell_seconds) if stock else None
        return show_course(out, course, names or course.sources, rooms, secrets, slips, kernel)


@click.command()
@click.option("--folder", type=click.Path(), help="Where to make the course; a new temporary one.")
@click.option("--jobs", "-j", type=click.IntRange(1, 1024), help="Workers; all cores if not given.")
def demo(folder: str | None, jobs: int | None) -> None:
    """See everything at work on a class that comes with the project.

    Make a course in a temporary folder, release a problem set, grade a class of honest, mistaken
    and hostile students in it, write their feedback and the class report, and say what to open. It
    takes about half a minute. A cell has 3 seconds there instead of 10: one student's never ends.

    \b
    Example:
      autograder demo
    """
    from autograder.demo import run

    run(console(), Path(folder) if folder else None, jobs)
