"""How a check fails: with a message for the student, and the teacher's own words in it."""

from __future__ import annotations

import linecache
import traceback
from functools import partial
from typing import NoReturn

from autograder.checks.saying import sentences

_MAX_LINES = 5
_STUB_ERRORS = (NotImplementedError, NameError, ImportError)  # no hint helps before there is code


def fail(what: object, does: str, hint: str = "", cause: Exception | None = None) -> NoReturn:
    """Raise the AssertionError that the student reads: what was looked at, and what it does.

    Where a hidden test fails, the student reads the hint alone.
    """
    fail_saying(f"{what} {does}", hint, cause)


def fail_saying(message: str, hint: str = "", cause: Exception | None = None) -> NoReturn:
    """The same with a message that is whole already.

    In a notebook it stands behind the test's line, and those of her own code that raised an error.
    """
    error = AssertionError(sentences(message, "" if isinstance(cause, _STUB_ERRORS) else hint))
    vars(error)["hint"] = hint
    vars(error)["_render_traceback_"] = partial(_render_briefly, error)  # IPython asks for it
    raise error from cause


def _render_briefly(error: AssertionError) -> list[str]:
    """What a notebook shows: no line of ours."""
    lines = [f"----> {n} {line}" for _, n, line in _lines(error)[-1:]]
    cause = error.__cause__
    if cause is not None and not isinstance(cause, NotImplementedError):
        code = [f"      {name}, line {n}: {line}" for name, n, line in _lines(cause)[-_MAX_LINES:]]
        lines += ["In your code:", *code] if code else []
    return [*lines, f"\x1b[0;31m{type(error).__name__}\x1b[0m: {error}"]


def _lines(error: BaseException) -> list[tuple[str, int, str]]:
    """The notebook's own lines that led to an error, in which functions, with their numbers."""
    return [
        (frame.f_code.co_name, n, linecache.getline(frame.f_code.co_filename, n).strip())
        for frame, n in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == "__main__"
    ]
