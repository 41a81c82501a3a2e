"""Requirements of commands beyond the library: packages of an extra, or the repository."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from autograder.classroom.course.folders import CourseError

RUNNING = ("IPython", "matplotlib", "msgpack", "psutil", "traitlets")  # of the extra `course`
STUDENT = {"check": RUNNING, "course": ("ipykernel", "jupyterlab")}  # modules, by command
TEACH = (  # modules of the extra `teach` that `course` lacks
    "bleach", "jinja2", "markupsafe", "mistune", "nbclient", "nbconvert", "nbgrader", "parso",
    "pygments", "yaml",
)  # fmt: skip
_HERE = Path(__file__).resolve().parents[1]
# By command: a folder in this package that only the repository has.
IN_THE_REPOSITORY = {
    "demo": "sample_class",
    "new": "starter",
    "range": "rehearsal/audit_range",
}


def for_teachers(command: click.Command) -> click.Command:
    """Make the command first check that a teacher's packages are installed; return it."""
    return _check_first(command, check)


def for_students(command: click.Command) -> click.Command:
    """Make the command first check that a student's packages are installed; return it."""
    return _check_first(command, lambda name: check_packages(name, STUDENT[name]))


def _check_first(command: click.Command, run_check: Callable[[str], None]) -> click.Command:
    """Make the command check its requirements before it runs; its help needs no check."""
    run_command = command.callback
    assert run_command is not None

    @functools.wraps(run_command)
    def checked_command(*args: object, **kwargs: object) -> object:
        run_check(command.name or "")
        return run_command(*args, **kwargs)

    command.callback = checked_command
    return command


def check_packages(command: str, modules: Sequence[str]) -> None:
    """Raise CourseError if one of these modules of the extra `course` is missing."""
    if missing := [name for name in modules if find_spec(name) is None]:
        raise CourseError(
            f"'autograder {command}' needs the package {missing[0]}, which is not installed; "
            "run: pip install 'dplab[course]'"
        )


def check(command: str) -> None:
    """Raise CourseError if a teacher's command can't run here."""
    check_packages(command, RUNNING)
    if missing := [name for name in TEACH if find_spec(name) is None]:
        raise CourseError(
            f"'autograder {command}' is for teachers and needs the package {missing[0]}, which is "
            "not installed; in the project's repository, run: pip install -e '.[teach]'"
        )
    if not (_HERE / IN_THE_REPOSITORY.get(command, "")).is_dir():
        raise CourseError(
            f"'autograder {command}' needs the sources of the problem sets, which only the "
            "project's repository has; there, run: pip install -e '.[teach]'"
        )
