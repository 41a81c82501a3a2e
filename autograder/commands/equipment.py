"""What teachers' commands need beyond a student's installation: packages, and the repository."""

from __future__ import annotations

import functools
from importlib.util import find_spec
from pathlib import Path

import click

from autograder.classroom.folders import CourseError

TEACH = (  # modules of the extra `teach`
    "bleach", "jinja2", "markupsafe", "mistune", "nbclient", "nbconvert", "nbgrader", "parso",
    "pygments", "yaml",
)  # fmt: skip
_HERE = Path(__file__).resolve().parents[1]
IN_THE_REPOSITORY = {"demo": "sample_class", "new": "starter"}  # by command, a folder beside ours


def for_teachers(command: click.Command) -> click.Command:
    """The command, which now says first of all what is not there; its help it shows anyway."""
    done = command.callback
    assert done is not None

    @functools.wraps(done)
    def equipped(*args: object, **kwargs: object) -> object:
        check(command.name or "")
        return done(*args, **kwargs)

    command.callback = equipped
    return command


def check(command: str) -> None:
    """Raise CourseError where a teacher's command can't be given here."""
    if absent := [name for name in TEACH if find_spec(name) is None]:
        raise CourseError(
            f"'autograder {command}' is for teachers, and {absent[0]} is not installed: in the "
            "project's repository, pip install -e '.[teach]'"
        )
    if not (_HERE / IN_THE_REPOSITORY.get(command, "")).is_dir():
        raise CourseError(
            f"'autograder {command}' needs the project's repository, with the problem sets' sources"
        )
