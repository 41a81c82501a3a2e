"""The commands for students: lay out the course, and check work before handing in."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.classroom.course.folders import command
from autograder.commands.common import console, rooms_for_own_code, tell
from autograder.session import LOOK

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.grading.check_draft import CheckedDraft


@click.command()
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

    laid, out = lay_out(folder), console()
    counts = f"{len(laid.new)} files are new, {len(laid.updated)} brought up to date"
    out.print(f"The course is in {laid.folder} ({counts}).", markup=False)
    if laid.kept:
        out.print(
            f"Yours and not touched, though there is a newer one: {', '.join(laid.kept)}. "
            "Rename what you want to keep and run this again to get it.",
            markup=False,
        )
    if no_open:
        out.print(f"To open it: {command('course', folder)}", markup=False)
    else:
        sys.exit(open_lab(laid))


@click.command()
@click.argument("notebook", metavar="NOTEBOOK", type=click.Path(path_type=Path))
@click.option("--hints", is_flag=True, help="Show the hints of exercises whose tests fail.")
@click.option("--json", "as_json", is_flag=True, help="Print it for a program.")
def check(notebook: Path, hints: bool, as_json: bool) -> None:
    """For students: run the tests that you can see, before you hand in.

    NOTEBOOK is a file, or a folder with the notebooks of a problem set. All of it runs from top to
    bottom as it will when it is graded: your cells in one process, the tests in another. The file
    stays as it is, and no course folder is needed. Hidden tests run only when your work is graded.

    \b
    Example:
      autograder check ps03.ipynb

    \b
    Exit codes:
      0    all visible tests passed
      1    the file can't be checked; the message says why
      3    some test failed
    """
    from autograder.classroom.grading import draft

    if notebook.is_dir():
        drafts, without_tests = draft.load_folder(notebook)
    else:
        drafts, without_tests = {notebook: draft.load(notebook)}, ()
    out = console(stderr=as_json)
    with rooms_for_own_code() as (rooms, strong):
        from autograder.classroom.grading import check_draft

        if not strong:
            out.print("(This machine shuts code in less tightly than grading does.)")
        results = {path: check_draft.check(one, rooms) for path, one in drafts.items()}
    if as_json:
        print(json.dumps([one.as_json(path.name) for path, one in results.items()]))
    else:
        _show(out, results, hints)
    tell(f"{path.name} has no tests in it and was not checked" for path in without_tests)
    sys.exit(0 if all(one.passed for one in results.values()) else LOOK)


def _show(out: Console, results: Mapping[Path, CheckedDraft], hints: bool) -> None:
    from autograder.pages import checked

    for path, one in results.items():
        if len(results) > 1:
            out.print(f"\n{path.name}", style="bold", markup=False)
        for line in checked.lines(one, show_hints=hints):
            out.print(line)
