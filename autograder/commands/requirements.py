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
IN_THE_REPOSITORY = {"demo": "sample_class", "new": "starter"}  # by command, folders here


def for_teachers(command: click.Command) -> click.Command:
    """Return the command; it now checks first that a teacher's packages are there."""
    return _checked_first(command, check)


def for_students(command: click.Command) -> click.Command:
    """Return the command; it now checks first that a student's packages are there."""
    return _checked_first(command, lambda name: check_packages(name, STUDENT[name]))


def _checked_first(command: click.Command, checking: Callable[[str], None]) -> click.Command:
    """Return the command with the check before it; its help needs no check."""
    done = command.callback
    assert done is not None

    @functools.wraps(done)
    def equipped(*args: object, **kwargs: object) -> object:
        checking(command.name or "")
        return done(*args, **kwargs)

    command.callback = equipped
    return command


def check_packages(command: str, modules: Sequence[str]) -> None:
    """Raise CourseError if one of these modules of the extra `course` is missing."""
    if absent := [name for name in modules if find_spec(name) is None]:
        raise CourseError(
            f"'autograder {command}' needs the package {absent[0]}, which is not installed; "
            "run: pip install 'dplab[course]'"
        )


def check(command: str) -> None:
    """Raise CourseError if a teacher's command can't run here."""
    check_packages(command, RUNNING)
    if absent := [name for name in TEACH if find_spec(name) is None]:
        raise CourseError(
            f"'autograder {command}' is for teachers and needs the package {absent[0]}, which is "
            "not installed; in the project's repository, run: pip install -e '.[teach]'"
        )
    if not (_HERE / IN_THE_REPOSITORY.get(command, "")).is_dir():
        raise CourseError(
            f"'autograder {command}' needs the sources of the problem sets, which only the "
            "project's repository has; there, run: pip install -e '.[teach]'"
        )
