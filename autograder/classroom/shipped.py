"""The project's own problem sets: which there are, and how a course gets one."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

from autograder.classroom.folders import Course, CourseError

# In the repository alone: a wheel has no solutions.
FOLDERS = (Path(__file__).resolve().parents[2] / "assignments",)


def names() -> list[str]:
    """The problem sets, by name."""
    return sorted({path.parent.name for folder in FOLDERS for path in folder.glob("*/*.ipynb")})


def copy_to(course: Course, name: str) -> None:
    """Put a problem set into COURSE/source unless the teacher has one of that name.

    Raises CourseError where there is neither.
    """
    target = course.source(name)
    if course.notebooks(name):
        return
    for folder in FOLDERS:
        if (folder / name / target.name).is_file():
            ignored = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(folder / name, target.parent, ignore=ignored)
            return
    known = ", ".join(names())
    ours = f"name one of ours ({known})" if known else "take ours from the project's repository"
    raise CourseError(f"there is no problem set {name!r}: put yours at {target}, or {ours}")


def other_names(name: str) -> dict[str, tuple[str, ...]]:
    """What the functions of a problem set, and what they take, may be called in its place."""
    for folder in FOLDERS:
        if (path := folder / "names.toml").is_file():
            found = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
            return {old: tuple(others) for old, others in found.items()}
    return {}
