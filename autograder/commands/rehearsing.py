"""How sure the checks are, and everything at once on a sample class."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.commands.common import console


@click.command()
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

    show(console(), names or shipped_names(), mutants, secrets)


@click.command()
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

    run(console(), Path(folder) if folder else None, jobs)
