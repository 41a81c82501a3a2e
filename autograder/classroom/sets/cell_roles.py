"""Decide in which process a cell runs, by nbgrader's metadata and the cell's first line.

If a test can't work from another process, the teacher may let it run in the student process. Its
first line is then `### FORGEABLE TEST`, which students see too. It can have no hidden part.
"""

from __future__ import annotations

import re

from autograder.classroom.course.cell_metadata import CellMetadata
from autograder.wire.contract import Role

FORGEABLE = "### FORGEABLE TEST"
COULD_BE_FORGED = "could be forged"  # the words that mark the points of such a test
_FIRST_LINE = re.compile(r"\s*#+[ \t]*FORGEABLE[ \t]+TEST\b[^\n]*(\n|$)")


def role_of(cell_metadata: CellMetadata, source: str, released: str) -> Role:
    """Return the role of a code cell with this source; `released` is the students' version."""
    if not cell_metadata.is_teachers:
        return Role.STUDENT
    if not cell_metadata.test:
        return Role.BOTH
    return Role.FORGEABLE if says_forgeable(source) and source == released else Role.EXAMINER


def says_forgeable(source: str) -> bool:
    """Return whether a test's first line says that it may run in the student's process."""
    return _FIRST_LINE.match(source) is not None


def remove_first_line(source: str) -> str:
    """Return a test's source without the line that makes it forgeable."""
    return _FIRST_LINE.sub("", source, count=1) if says_forgeable(source) else source
