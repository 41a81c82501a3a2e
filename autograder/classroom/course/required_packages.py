"""The packages that a course's students may use: COURSE/requirements.txt, as pip reads it."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution

from autograder.classroom.course.folders import Course

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def read(course: Course) -> list[str]:
    """Return the requirements of the course's file, without comments and options of pip."""
    path = course.root / "requirements.txt"
    if not path.exists():
        return []
    lines = (re.split(r"\s#|^#", line)[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if _NAME.match(line)]


def find_missing(course: Course) -> list[str]:
    """Return the names of required packages that are not installed here."""
    names = [match[0] for line in read(course) if (match := _NAME.match(line))]
    return [name for name in names if not _is_installed(name)]


def describe_missing(names: list[str]) -> str:
    """Return a sentence about packages that are missing here."""
    verb = "is" if len(names) == 1 else "are"
    return f"the course's requirements.txt names {', '.join(names)}, which {verb} not installed"


def install_command(course: Course) -> str:
    return f"python -m pip install -r {course.root / 'requirements.txt'}"


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
