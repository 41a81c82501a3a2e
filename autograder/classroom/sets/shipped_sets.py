"""The project's own problem sets: list them, and copy one into a course."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError, command

_ROOT = Path(__file__).resolve().parents[3]
# Only in the repository: a wheel has no solutions. Students get no question before it is released.
FOLDERS = (_ROOT / "assignments", _ROOT / "course" / "teachers")


def names() -> list[str]:
    """Return the names of the problem sets, sorted."""
    return sorted({path.parent.name for folder in FOLDERS for path in folder.glob("*/*.ipynb")})


def names_with_tests() -> list[str]:
    """Return the names of the sets that tests grade: not of the written questions."""
    paths = (path for folder in FOLDERS for path in folder.glob("*/*.ipynb"))
    return sorted({path.stem for path in paths if path.stem == path.parent.name})


def copy_to(course: Course, name: str) -> None:
    """Put a problem set into COURSE/source unless the teacher has one of that name.

    Raises CourseError if neither exists, or if the teacher's set is still to be varied: our set
    would have the published solutions.
    """
    check_there(course, name)
    if course.notebooks(name):
        return
    if (template := course.template(name)).exists():
        vary_command = command("vary", course.root, name)
        raise CourseError(f"{template} has no source that was varied from it: run: {vary_command}")
    target = course.source(name).parent
    if target.exists():
        if any(target.iterdir()):
            raise CourseError(f"{target} has no notebook in it, and is in the way of our {name}")
        target.rmdir()
    new = target.with_name(f".new-{name}")
    shutil.rmtree(new, ignore_errors=True)  # left by an interrupted copy
    origin = next(folder / name for folder in FOLDERS if (folder / name).is_dir())
    shutil.copytree(origin, new, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    new.rename(target)


def check_there(course: Course, name: str) -> None:
    """Raise CourseError if neither the course's source nor the project has such a set."""
    if course.notebooks(name) or name in names():
        return
    target = course.source(name)
    choices = ", ".join(names())
    ours = f"name one of ours ({choices})" if choices else "take ours from the project's repository"
    raise CourseError(f"there is no problem set {name!r}: put yours at {target}, or {ours}")


def other_names(name: str) -> dict[str, tuple[str, ...]]:
    """Return the other names that a problem set's functions and their parameters may get."""
    for folder in FOLDERS:
        if (path := folder / "names.toml").is_file():
            names_in_set = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
            return {old: tuple(new_names) for old, new_names in names_in_set.items()}
    return {}
