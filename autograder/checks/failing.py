"""How a check fails: with a message for the student, and the teacher's own words in it."""

from __future__ import annotations

from typing import NoReturn

from autograder.checks.saying import sentences

_UNFINISHED = (NotImplementedError, NameError, ImportError)  # no hint helps before there is code


def fail(what: object, does: str, hint: str = "", cause: Exception | None = None) -> NoReturn:
    """Raise the AssertionError that the student reads: what was looked at, and what it does.

    Where a hidden test fails, the student reads the hint alone.
    """
    fail_saying(f"{what} {does}", hint, cause)


def fail_saying(message: str, hint: str = "", cause: Exception | None = None) -> NoReturn:
    """The same with a message that is whole already."""
    error = AssertionError(sentences(message, "" if isinstance(cause, _UNFINISHED) else hint))
    vars(error)["hint"] = hint
    raise error from cause
