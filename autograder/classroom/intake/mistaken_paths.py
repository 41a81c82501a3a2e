"""Refuse mistaken arguments: swapped, a folder too high or too deep, a course as a class.

Otherwise "course" or "coin" would become a student with a grade.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry

_OWN = ("source", "release", "autograded", "feedback", "report", "export", ".autograder")


def is_course(folder: Path) -> bool:
    """Return whether a folder looks like a course: it has problem sets and a course's own files."""
    files_of_course = ("gradebook.db", ".autograder", "nbgrader_config.py")
    released = (folder / ".autograder" / "released").is_dir()
    has_source = bool(Course.at(folder).sources)
    return released or (has_source and any((folder / name).exists() for name in files_of_course))


def check_course(course: Course, name: str, submissions: Path | None = None) -> None:
    """Raise CourseError if COURSE is no course and another argument is one."""
    if is_course(course.root):
        return
    for other in (submissions, Path(name)):
        if other is not None and is_course(other.expanduser()):
            raise CourseError(
                f"{course.root} is no course folder, and {other} is one: were they swapped? "
                f"The order is COURSE NAME{' SUBMISSIONS' if submissions else ''}. Nothing was done"
            )
    if submissions is not None and course.root.is_dir() and not _has_any(course.root):
        near = (course.root.parent, *sorted(course.root.glob("*/")))
        hint = next((f"; {folder} is one" for folder in near if is_course(folder)), "")
        raise CourseError(
            f"{course.root} is no course folder: it has neither source/ nor release/ in it{hint}. "
            "Nothing was done"
        )


def _has_any(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in ("source", "release", ".autograder"))


def check_submissions(course: Course, name: str, source: Path) -> None:
    """Raise CourseError if the submissions are a course's own folder."""
    source = source.expanduser().resolve()
    if source in course.root.parents:
        raise CourseError(
            f"{source} has the course folder {course.root} itself in it: it is no folder of a "
            "class's submissions. Nothing was graded; give the folder in which each student has one"
        )
    for folder in (source, *source.parents):
        if not folder.is_dir() or not is_course(folder):
            continue
        inner = source.relative_to(folder).parts
        submitted = folder / "submitted"
        if not inner:
            raise CourseError(
                f"{source} is a teacher's course folder, with solutions in it, not what a class "
                f"handed in. Nothing was graded; perhaps you mean {submitted}"
            )
        if inner[0] in _OWN:
            raise CourseError(
                f"{source} belongs to the course {folder}; nobody handed that in. Nothing was "
                f"graded; perhaps you mean {submitted}"
            )
        if inner[0] == "submitted" and len(inner) > 1:
            raise CourseError(
                f"{source} is the folder of a single student; give {submitted}, and --student "
                f"{inner[1]} if you mean only that one. Nothing was graded"
            )
        return


def without_courses(
    entries: list[Entry], name: str, notebooks: Collection[str], refused: list[str]
) -> list[Entry]:
    """Leave out folders that are courses: a teacher's work is nobody's submission."""
    paths_of: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for entry in entries:
        if len(entry.parts) > 1:
            paths_of[entry.parts[0]].add(entry.parts[1:])
    courses = {top for top, paths in paths_of.items() if _holds_course(paths, name, notebooks)}
    refused += [
        f"{quoted(top)}: it is a teacher's course folder, not a student's"
        for top in sorted(courses)
    ]
    return [entry for entry in entries if entry.parts[0] not in courses]


def _holds_course(paths: set[tuple[str, ...]], name: str, notebooks: Collection[str]) -> bool:
    """Return whether it is a course; a student's folder may have such files beside a submission."""
    own = {path[0] for path in paths if len(path) == 1} & {"gradebook.db", "nbgrader_config.py"}
    source = any(
        len(p) == 3 and p[0] == "source" and p[2].lower().endswith(".ipynb") for p in paths
    )
    return bool(own) and source and not _handed_in_directly(paths, name, notebooks)


def _handed_in_directly(paths: set[tuple[str, ...]], name: str, notebooks: Collection[str]) -> bool:
    right = {f"{notebook}.ipynb" for notebook in notebooks}
    return any(path[-1] in right and path[:-1] in ((), (name,)) for path in paths if path)


def check_height(entries: list[Entry], name: str, notebooks: Collection[str], source: Path) -> None:
    """Raise CourseError if the folder is above the class's folder, or below it."""
    paths_of: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for entry in entries:
        if entry.notebook:
            paths_of[entry.parts[0]].add(entry.parts[1:])
    if paths_of and set(paths_of) <= {name, *(f"{notebook}.ipynb" for notebook in notebooks)}:
        raise CourseError(
            f"{source} is the folder of a single student: {name!r} is the problem set, and would "
            f"become a student's name. Nothing was graded; give the folder above it"
        )
    if any(
        _handed_in_directly(paths, name, notebooks) or not all(paths) for paths in paths_of.values()
    ):
        return
    for top, paths in paths_of.items():
        inner = [(path[0], path[1:]) for path in paths if len(path) > 1]
        students = {
            student for student, rest in inner if _handed_in_directly({rest}, name, notebooks)
        }
        if len(students) == 1:
            (student,) = students
            raise CourseError(
                f"is {quoted(top)} in {source} a student, or {quoted(student)}, whose folder is in "
                f"it? Nothing was graded; give {source / top}, or put the notebook into that folder"
            )
        if students:
            raise CourseError(
                f"{quoted(top)} in {source} is no student but a folder of {len(students)}. Nothing "
                f"was graded; give {source / top}"
            )
