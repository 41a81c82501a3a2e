"""Comments to reuse: a line `#unit` of a comment in formgrader stands for a text from a file.

COURSE/comments/NAME.toml has the texts, first those for all cells, then those for one cell:

    unit = "Give the unit of your result."

    [why]
    averages = "Noise averages out only if its draws are independent."
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from autograder.classroom.course.folders import Course, CourseError, meant

CODE = re.compile(r"^[ \t]*#(\w[\w-]*)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class ReusableComments:
    """The texts by code: for all cells, and those that one cell has instead or besides."""

    for_all: Mapping[str, str] = field(default_factory=dict)
    by_cell: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def expand(self, cell: str, comment: str) -> str:
        """Return the comment on a cell with texts instead of codes; unknown codes stay."""
        texts = {**self.for_all, **self.by_cell.get(cell, {})}
        return CODE.sub(lambda match: texts.get(match[1], match[0]), comment)


def has_code(comment: str) -> bool:
    """Return whether a comment still has a code, for which there is no text."""
    return CODE.search(comment) is not None


def load(course: Course, name: str, cells: Collection[str]) -> ReusableComments:
    """Return the comments to reuse for a problem set, whose `cells` can have comments.

    Raises CourseError if the file is damaged, or names another cell.
    """
    path = course.comments(name)
    try:
        texts = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ReusableComments()
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} can't be read: {error}") from error
    by_cell = {key: value for key, value in texts.items() if isinstance(value, dict)}
    for_all = {key: value for key, value in texts.items() if key not in by_cell}
    for cell in by_cell:
        if cell not in cells:
            raise CourseError(
                f"{path}: {name} has no cell {cell!r} that can have a comment{meant(cell, cells)}"
            )
    for code, text in [*for_all.items(), *(c for own in by_cell.values() for c in own.items())]:
        if not isinstance(text, str) or not CODE.fullmatch(f"#{code}"):
            raise CourseError(f"{path}: {code!r} must be a word, and stand for a text in quotes")
    return ReusableComments(for_all, by_cell)
