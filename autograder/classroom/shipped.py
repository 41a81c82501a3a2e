"""The project's own problem sets: which there are, and how a course gets one."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

from autograder.classroom.folders import Course, CourseError, command

# In the repository alone: a wheel has no solutions.
FOLDERS = (Path(__file__).resolve().parents[2] / "assignments",)


def names() -> list[str]:
    """The problem sets, by name."""
    return sorted({path.parent.name for folder in FOLDERS for path in folder.glob("*/*.ipynb")})


def copy_to(course: Course, name: str) -> None:
    """Put a problem set into COURSE/source unless the teacher has one of that name.

    Raises CourseError where there is neither, and where the teacher's is still to be varied: ours
    in its place would have the published solutions.
    """
    check_there(course, name)
    if course.notebooks(name):
        return
    if (template := course.template(name)).exists():
        again = command("vary", course.root, name)
        raise CourseError(f"{template} has no source that was varied from it: run: {again}")
    own = course.source(name).parent
    if own.exists():
        if any(own.iterdir()):
            raise CourseError(f"{own} has no notebook in it, and is in the way of our {name}")
        own.rmdir()
    new = own.with_name(f".new-{name}")
    shutil.rmtree(new, ignore_errors=True)  # which an interrupted copy left
    ours = next(folder / name for folder in FOLDERS if (folder / name).is_dir())
    shutil.copytree(ours, new, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    new.rename(own)


def check_there(course: Course, name: str) -> None:
    """Raise CourseError where neither the course has such a problem set in its source nor we."""
    if course.notebooks(name) or name in names():
        return
    target = course.source(name)
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
