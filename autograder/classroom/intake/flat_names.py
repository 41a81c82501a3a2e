"""Check that files without folders have the names of their students.

Text that a platform, a script or a habit puts into all names is not part of a student's name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection

from autograder.classroom.course.folders import CourseError
from autograder.classroom.course.printable import quoted
from autograder.classroom.course.safe_files import Entry
from autograder.classroom.intake import platforms

_SEPARATORS = " _-."
_NUMBER = re.compile(r"(?<![^\W_])\d{4,}(?![^\W_])")  # for example the number of an upload
_MIN_NAMES = 3  # text that so many names share is no coincidence
_REMEDY = (
    "Nothing was graded; give each notebook the name of its student, or put it into a folder of "
    "that name"
)


def without_platforms(entries: list[Entry], refused: list[str]) -> list[Entry]:
    """Leave out single files that a platform has named, in a batch that isn't its download.

    Their names are not students'.
    """
    others = []
    for entry in entries:
        is_single_notebook = len(entry.parts) == 1 and entry.notebook
        if is_single_notebook and (platform := platforms.platform_of(entry)):
            reason = f"it is called as {platform} names files, and most others aren't"
            refused.append(f"{quoted(entry.name)}: {reason}")
        else:
            others.append(entry)
    return others


def check(
    entries: list[Entry], titles: Collection[str], students: Collection[str], source: object
) -> None:
    """Raise CourseError if names of single files share something, such as a title or a number.

    Then it is unclear which student a file belongs to. `titles` are the names of the problem set
    and its notebooks. Names are fine if a known student, one of `students`, has one of them.
    """
    names = sorted({entry.stem for entry in entries if len(entry.parts) == 1 and entry.notebook})
    student_names = {student.casefold() for student in students}
    if not names or any(name.casefold() in student_names for name in names):
        return
    titles = {title.casefold() for title in titles}
    start, end = _start(names), _start([name[::-1] for name in names])[::-1]
    for common, place in ((start, "beginning"), (end, "end")):
        title = common.strip(_SEPARATORS)
        if title and _is_no_name(title, len(names), titles):
            raise CourseError(_question(names, source, f"{quoted(common)} at the {place}"))
    if len(names) > 1 and all(_NUMBER.search(name) and not name.isdigit() for name in names):
        raise CourseError(_question(names, source, f"a number in them, as {quoted(names[0])}"))


def _is_no_name(title: str, count: int, titles: Collection[str]) -> bool:
    """Return whether the text that so many names share can't be part of students' names."""
    if title.casefold() in titles:
        return True
    return count >= _MIN_NAMES or (count > 1 and bool(re.search(r"\d", title)))


def _start(names: list[str]) -> str:
    """Return the common start of all names, up to a separator; of one name, its first word."""
    first, last = min(names), max(names)
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    common = "".join(sign for sign, _ in pairs)
    if len(names) == 1:
        return re.split(rf"(?<=[{re.escape(_SEPARATORS)}])", common, maxsplit=1)[0]
    return common[: max(common.rfind(sign) for sign in _SEPARATORS) + 1]


def _question(names: list[str], source: object, common: str) -> str:
    subject = "the notebook has" if len(names) == 1 else f"the {len(names)} notebooks have"
    return f"in {source} {subject} {common}: is it a part of students' names? {_REMEDY}"
