"""Raise the failures of checks: a message for the student, with the teacher's hint."""

from __future__ import annotations

import linecache
import traceback
from functools import partial
from typing import NoReturn

from autograder.checks.value_texts import join_sentences

_MAX_LINES = 5
_STUB_ERRORS = (NotImplementedError, NameError, ImportError)  # a hint needs code to help


def fail(what: object, does: str, hint: str = "", cause: Exception | None = None) -> NoReturn:
    """Raise the AssertionError that the student reads: a subject `what`, and what it `does`.

    If a hidden test fails, the student reads only the hint.
    """
    fail_saying(f"{what} {does}", hint, cause)


def fail_saying(message: str, hint: str = "", cause: Exception | None = None) -> NoReturn:
    """Raise the same error with a complete message.

    A notebook shows it after the line of the test and the lines of student code that raised.
    """
    error = AssertionError(join_sentences(message, "" if isinstance(cause, _STUB_ERRORS) else hint))
    vars(error)["hint"] = hint
    vars(error)["_render_traceback_"] = partial(_render_briefly, error)  # IPython asks for it
    raise error from cause


def _render_briefly(error: AssertionError) -> list[str]:
    """Return the lines that a notebook shows for an error, without the grader's own code."""
    lines = [f"----> {n} {line}" for _, n, line in _find_lines(error)[-1:]]
    cause = error.__cause__
    if cause is not None and not isinstance(cause, NotImplementedError):
        code = [
            f"      {name}, line {n}: {line}" for name, n, line in _find_lines(cause)[-_MAX_LINES:]
        ]
        lines += ["In your code:", *code] if code else []
    return [*lines, f"\x1b[0;31m{type(error).__name__}\x1b[0m: {error}"]


def _find_lines(error: BaseException) -> list[tuple[str, int, str]]:
    """Return function, number and text of each line of the notebook that led to an error."""
    return [
        (frame.f_code.co_name, n, linecache.getline(frame.f_code.co_filename, n).strip())
        for frame, n in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == "__main__"
    ]
