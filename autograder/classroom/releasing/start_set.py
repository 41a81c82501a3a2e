"""Make a small correct problem set to start from, with a hidden test, data and answers."""

from __future__ import annotations

from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError, check_name, write_atomically
from autograder.classroom.releasing.release import prepare
from autograder.classroom.sets import shipped_sets

_STARTER = Path(__file__).resolve().parents[2] / "starter"


def start(course: Course, name: str) -> tuple[Path, ...]:
    """Write COURSE/source/NAME and COURSE/answers/NAME; return the files, the notebook first.

    Raises CourseError if either exists already, or the name is one of ours.
    """
    check_name(name)
    if name in shipped_sets.names():
        raise CourseError(f"{name!r} is the name of one of our problem sets; choose another name")
    notebook, answers = course.source(name), course.root / "answers" / name
    for folder in (notebook.parent, answers):
        if folder.exists():
            raise CourseError(f"{folder} is there already; nothing was changed. Use another name")
    prepare(course)
    targets = {
        "notebook.ipynb": notebook,
        "coins.csv": notebook.parent / "coins.csv",
        "answers.py": answers / "toss.py",
    }
    for file_name, target in targets.items():
        write_atomically(target, (_STARTER / file_name).read_bytes())
    return tuple(targets.values())
