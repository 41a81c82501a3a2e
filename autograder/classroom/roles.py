"""In which room each cell of a problem set runs, by nbgrader's marks and the first line of a test.

A test that two rooms can't serve may run in the student's room, where the teacher lets it: its
first line is then `### FORGEABLE TEST`. Students read it too. It can have no hidden part.
"""

from __future__ import annotations

import re

from autograder.classroom.marks import Marks
from autograder.wire.contract import Role

FORGEABLE = "### FORGEABLE TEST"
COULD_BE_FORGED = "could be forged"  # how points of such a test are told from others
_FIRST_LINE = re.compile(r"\s*#+[ \t]*FORGEABLE[ \t]+TEST\b[^\n]*(\n|$)")


def role_of(marks: Marks, source: str, released: str) -> Role:
    """Of a code cell with this text, of which students have `released`."""
    if not marks.owned:
        return Role.STUDENT
    if not marks.test:
        return Role.BOTH
    return Role.FORGEABLE if says_forgeable(source) and source == released else Role.EXAMINER


def says_forgeable(source: str) -> bool:
    """Whether a test's first line says that it may run in the student's room."""
    return _FIRST_LINE.match(source) is not None


def without_mark(source: str) -> str:
    """A test's text without that line."""
    return _FIRST_LINE.sub("", source, count=1) if says_forgeable(source) else source
