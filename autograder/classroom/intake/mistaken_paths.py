"""Refuse mistaken paths: swapped arguments, a folder too high or too deep, a course as a class.

Otherwise "course" or "coin" would become a student with a grade.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry

_COURSE_FOLDERS = (
    "source", "release", "release-each", "autograded", "feedback", "report", "export", ".autograder"
)  # fmt: skip


def is_course(folder: Path) -> bool:
    """Return whether a folder has problem sets and other files of a course."""
    files_of_course = ("gradebook.db", ".autograder", "nbgrader_config.py")
    has_releases = (folder / ".autograder" / "released").is_dir()
    has_source = bool(Course.at(folder).sources)
    return has_releases or (
        has_source and any((folder / name).exists() for name in files_of_course)
    )


def check_is_outside(course: Course) -> None:
    """Raise CourseError if a folder that a course consists of is given as the course."""
    if is_course(course.root):
        return
    for folder in course.root.parents:
        part = course.root.relative_to(folder).parts[0]
        if part in (*_COURSE_FOLDERS, "submitted", "templates", "answers") and is_course(folder):
            raise CourseError(
                f"{course.root} is a folder of the course {folder}, and no course itself. Nothing "
                f"was done; give {folder} as the course"
            )


def check_course(course: Course, name: str, submissions: Path | None = None) -> None:
    """Raise CourseError if COURSE is no course and another argument is one."""
    if is_course(course.root):
        return
    for other in (submissions, Path(name)):
        if other is not None and is_course(other.expanduser()):
            order = "COURSE NAME SUBMISSIONS" if submissions else "COURSE NAME"
            raise CourseError(
                f"{course.root} is not a course folder, but {other} is. Nothing was done. "
                f"Were they swapped? The order is {order}"
            )
    if submissions is not None and course.root.is_dir() and not _has_any(course.root):
        neighbours = (course.root.parent, *sorted(course.root.glob("*/")))
        hint = next((f"; {folder} is one" for folder in neighbours if is_course(folder)), "")
        raise CourseError(
            f"{course.root} is not a course folder: it has neither source/ nor release/ in it"
            f"{hint}. Nothing was done"
        )


def _has_any(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in ("source", "release", ".autograder"))


def check_submissions(course: Course, name: str, source: Path) -> None:
    """Raise CourseError if the submissions are a course's own folder."""
    source = source.expanduser().resolve()
    if source in course.root.parents:
        raise CourseError(
            f"{source} contains the course folder {course.root}, so it can't be the folder with "
            "submissions. Nothing was graded; give the folder in which each student has a folder"
        )
    for folder in (source, *source.parents):
        if not folder.is_dir() or not is_course(folder):
            continue
        subfolders = source.relative_to(folder).parts
        submitted = folder / "submitted"
        if not subfolders:
            raise CourseError(
                f"{source} is a teacher's course folder with solutions, not a folder with "
                f"submissions. Nothing was graded; perhaps you mean {submitted}"
            )
        if subfolders[0] in _COURSE_FOLDERS:
            raise CourseError(
                f"{source} belongs to the course {folder}, so it contains no submissions. Nothing "
                f"was graded; perhaps you mean {submitted}"
            )
        if subfolders[0] == "submitted" and len(subfolders) > 1:
            raise CourseError(
                f"{source} is the folder of a single student; give {submitted}, and --student "
                f"{subfolders[1]} for this student only. Nothing was graded"
            )
        return


def leave_out_courses(
    entries: list[Entry], name: str, notebooks: Collection[str], refused: list[str]
) -> list[Entry]:
    """Return the entries outside of course folders, and add a line to `refused` for each course."""
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
    """Return whether these paths in a folder make it a course, not a student's folder.

    A student's folder may have files of a course, but then it has a submission, too.
    """
    course_files = {path[0] for path in paths if len(path) == 1} & {
        "gradebook.db",
        "nbgrader_config.py",
    }
    has_source = any(
        len(path) == 3 and path[0] == "source" and path[2].lower().endswith(".ipynb")
        for path in paths
    )
    return bool(course_files) and has_source and not _has_submission(paths, name, notebooks)


def _has_submission(paths: set[tuple[str, ...]], name: str, notebooks: Collection[str]) -> bool:
    """Return whether a notebook of the set is at the top, or in a folder named as the set."""
    file_names = {f"{notebook}.ipynb" for notebook in notebooks}
    return any(path[-1] in file_names and path[:-1] in ((), (name,)) for path in paths if path)


def check_depth(entries: list[Entry], name: str, notebooks: Collection[str], source: Path) -> None:
    """Raise CourseError if the students' folders are not directly in the folder `source`."""
    paths_of: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for entry in entries:
        if entry.notebook:
            paths_of[entry.parts[0]].add(entry.parts[1:])
    if paths_of and set(paths_of) <= {name, *(f"{notebook}.ipynb" for notebook in notebooks)}:
        raise CourseError(
            f"{source} is the folder of a single student: {name!r} is the problem set, and would "
            f"become a student's name. Nothing was graded; give the folder that contains it"
        )
    if any(
        _has_submission(paths, name, notebooks) or not all(paths) for paths in paths_of.values()
    ):
        return
    for top, paths in paths_of.items():
        pairs = [(path[0], path[1:]) for path in paths if len(path) > 1]
        students = {
            student
            for student, inner_path in pairs
            if _has_submission({inner_path}, name, notebooks)
        }
        if len(students) == 1:
            (student,) = students
            raise CourseError(
                f"{source} has the folder {quoted(top)}, which has the folder {quoted(student)}: "
                "it is unclear which of the two is the student. Nothing was graded; give "
                f"{source / top} if it is {quoted(student)}, or else move the notebook up"
            )
        if students:
            raise CourseError(
                f"{quoted(top)} in {source} is not a student's folder but a folder of "
                f"{len(students)} students. Nothing was graded; give {source / top}"
            )
