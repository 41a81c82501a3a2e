"""The commands for students: lay out the course, and check work before handing in."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.course.folders import command, meant
from autograder.commands.common import console, runner_for_own_code, tell
from autograder.session import LOOK

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.grading.check_draft import CheckedDraft


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.argument("lab_options", metavar="[LAB OPTIONS]", nargs=-1, type=click.UNPROCESSED)
@click.option("--no-open", is_flag=True, help="Make the folder, but don't start JupyterLab.")
def course(folder: Path, lab_options: tuple[str, ...], no_open: bool) -> None:
    """For students: put the course into FOLDER, and open it in JupyterLab.

    FOLDER contains the lessons, an index that shows how far you are, and the problem sets without
    solutions. Run the command again whenever you want to go on. After you have installed a newer
    dplab, it updates the files that you haven't changed, and keeps what you have written.

    Other options, after FOLDER, are passed to JupyterLab.

    \b
    Example:
      autograder course ~/privacy
      autograder course ~/privacy --port 9999 --no-browser
    """
    _check_options(folder, lab_options)
    from autograder.desk.student_folder import ALLOW_ROOT, is_root, lay_out, open_lab

    layout, out = lay_out(folder), console()
    counts = f"{len(layout.new)} files are new, {len(layout.updated)} were updated"
    out.print(f"The course is in {layout.folder} ({counts}).", markup=False)
    if layout.kept:
        out.print(
            f"You have changed these files, which have a newer version: {', '.join(layout.kept)}. "
            "They stay as they are. To get the newer version of a file, rename yours and run this "
            "command again.",
            markup=False,
        )
    if no_open:
        out.print(f"To open it: {command('course', folder, *lab_options)}", markup=False)
        return
    status = open_lab(layout, lab_options)
    if status and is_root() and ALLOW_ROOT not in lab_options:
        lab_command = command("course", folder, *lab_options, ALLOW_ROOT)
        tell([f"JupyterLab starts as root only if you allow it; run: {lab_command}"])
    sys.exit(status)


def _check_options(folder: Path, lab_options: tuple[str, ...]) -> None:
    """Raise UsageError if FOLDER isn't first, or if an option seems to be a mistyped own one."""
    if str(folder).startswith("-"):
        raise click.UsageError(
            f"name FOLDER before {folder}, as in: {command('course', 'FOLDER', folder)}"
        )
    for option in lab_options:
        if hint := meant(option, ["--no-open", "--help"]):
            raise click.UsageError(f"there is no option {option}{hint}")


@click.command()
@click.argument("notebook", metavar="NOTEBOOK", type=click.Path(path_type=Path))
@click.option("--hints", is_flag=True, help="Show the hints for exercises whose tests fail.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON, for a program.")
def check(notebook: Path, hints: bool, as_json: bool) -> None:
    """For students: run the visible tests before you hand in.

    NOTEBOOK is a file, or a folder with the notebooks of a problem set. The whole notebook runs
    from top to bottom, as it will in grading: your cells in one process, the tests in another. The
    command changes no file and needs no course folder. Hidden tests run only in grading.

    \b
    Example:
      autograder check ps03.ipynb

    \b
    Exit codes:
      0    all visible tests passed
      1    the file can't be checked; the message says why
      3    at least one test failed
    """
    from autograder.classroom.grading import draft

    if notebook.is_dir():
        drafts, without_tests = draft.load_folder(notebook)
    else:
        drafts, without_tests = {notebook: draft.load(notebook)}, ()
    out = console(stderr=as_json)
    with runner_for_own_code() as (runner, strong):
        from autograder.classroom.grading import check_draft

        if not strong:
            out.print("(Your code runs with a weaker sandbox on this machine than in grading.)")
        results = {path: check_draft.check(work, runner) for path, work in drafts.items()}
    if as_json:
        print(json.dumps([result.as_json(path.name) for path, result in results.items()]))
    else:
        _show(out, results, hints)
    tell(f"{path.name} has no tests in it, so it was not checked" for path in without_tests)
    sys.exit(0 if all(result.passed for result in results.values()) else LOOK)


def _show(out: Console, results: Mapping[Path, CheckedDraft], hints: bool) -> None:
    from autograder.pages import check_output

    for path, result in results.items():
        if len(results) > 1:
            out.print(f"\n{path.name}", style="bold", markup=False)
        for line in check_output.lines(result, show_hints=hints):
            out.print(line)
