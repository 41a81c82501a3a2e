"""The command that makes an autograder for Gradescope."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from autograder.commands import completion
from autograder.commands.common import console, course_at, tell

PRIVATE = (
    "the zip has the hidden tests and the course's secret; upload it to Gradescope, and show it to "
    "no student"
)


@click.command()
@click.argument("course", metavar="COURSE")
@click.argument("name", metavar="NAME", shell_complete=completion.sets)
@click.option("--output", type=click.Path(path_type=Path), help="The zip to write.")
@click.option(
    "--allow-weak-sandbox",
    is_flag=True,
    help="Let it grade although the sandbox for students' code is incomplete there.",
)
@click.option(
    "--cell-seconds", type=click.FloatRange(0.1, 3600), help="Seconds for a cell to run (10)."
)
@click.option(
    "--notebook-seconds",
    type=click.FloatRange(0.1, 86400),
    help="Seconds for a whole notebook (120).",
)
def gradescope(
    course: str, name: str, output: Path | None, allow_weak_sandbox: bool, **seconds: Any
) -> None:
    """Make an autograder for Gradescope, in COURSE/export.

    Upload the zip there under Configure Autograder, for a base image with Ubuntu 22.04 or newer.
    Each submission is then graded as here, in the same two processes and with the same points.
    Students see the points and messages of visible tests at once. They see those of hidden tests
    when you publish the grades. Make a new zip after each release of the set.

    Gradescope's containers may allow no namespaces. Then the sandbox lacks some of its walls, and
    nothing is graded unless you give --allow-weak-sandbox. A container has one submission only. In
    it students' code runs as another user, who can't read the tests.

    \b
    Example:
      autograder gradescope ~/privacy-course ps03
    """
    from autograder.classroom.sets.assignment import load
    from autograder.gradescope.package import write_zip
    from autograder.wire.contract import Limits

    folder = course_at(course)
    assignment = load(folder, name)
    limits = Limits(**{key: value for key, value in seconds.items() if value is not None})
    path = (output or folder.root / "export" / f"{name}-autograder.zip").expanduser()
    write_zip(folder, assignment, limits, allow_weak_sandbox, path)
    tell([PRIVATE])
    console().print(str(path), markup=False)
