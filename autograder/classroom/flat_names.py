"""Files that lie beside each other, each called after its student: is it the student's name?

Whatever a platform, a script or a habit puts into all names is no part of anybody's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection

from autograder.classroom import platforms
from autograder.classroom.entries import Entry
from autograder.classroom.folders import CourseError
from autograder.classroom.visible import quoted

_SEPARATORS = " _-."
_NUMBER = re.compile(r"(?<![^\W_])\d{4,}(?![^\W_])")  # as a platform's of an upload
_MANY = 3  # names, from which on what they share is no coincidence
_REMEDY = (
    "Nothing was graded; give each notebook the name of its student, or put it into a folder that "
    "is called so"
)


def without_platforms(entries: list[Entry], refused: list[str]) -> list[Entry]:
    """Leave out single files that are called as a platform names them, in a batch that isn't its
    download: their names are no students'.
    """
    kept = []
    for entry in entries:
        alone = len(entry.parts) == 1 and entry.notebook
        if alone and (platform := platforms.platform_of(entry)):
            said = f"it is called as {platform} names files, and most others aren't"
            refused.append(f"{quoted(entry.name)}: {said}")
        else:
            kept.append(entry)
    return kept


def check(
    entries: list[Entry], titles: Collection[str], students: Collection[str], source: object
) -> None:
    """Raise CourseError where the names of single files have something in common, such as a title
    or a number: whose is which? `titles` are the problem set's name and its notebooks'.

    Who is among the known `students` is called so.
    """
    names = sorted({e.stem for e in entries if len(e.parts) == 1 and e.notebook})
    known = {student.casefold() for student in students}
    if not names or any(name.casefold() in known for name in names):
        return
    titles = {title.casefold() for title in titles}
    start, end = _start(names), _start([name[::-1] for name in names])[::-1]
    for shared, place in ((start, "beginning"), (end, "end")):
        title = shared.strip(_SEPARATORS)
        if title and _is_no_name(title, len(names), titles):
            raise CourseError(_question(names, source, f"{quoted(shared)} at the {place}"))
    if len(names) > 1 and all(_NUMBER.search(name) and not name.isdigit() for name in names):
        raise CourseError(_question(names, source, f"a number in them, as {quoted(names[0])}"))


def _is_no_name(title: str, count: int, titles: Collection[str]) -> bool:
    """Whether what so many names share is a title or a number, or more than a coincidence."""
    if title.casefold() in titles:
        return True
    return count >= _MANY or (count > 1 and bool(re.search(r"\d", title)))


def _start(names: list[str]) -> str:
    """Return what all names begin with, up to a separator; of a single name its first word."""
    first, last = min(names), max(names)
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    common = "".join(sign for sign, _ in pairs)
    if len(names) == 1:
        return re.split(rf"(?<=[{re.escape(_SEPARATORS)}])", common, maxsplit=1)[0]
    return common[: max(common.rfind(sign) for sign in _SEPARATORS) + 1]


def _question(names: list[str], source: object, shared: str) -> str:
    who = "the notebook has" if len(names) == 1 else f"the {len(names)} notebooks have"
    return f"in {source} {who} {shared}: is it a part of students' names? {_REMEDY}"
