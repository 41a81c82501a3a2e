"""Signs in an error that the test itself may be wrong.

A notebook can cause such signs, by its return values or by changes to arguments. So they are only
a reason to try the problem set's own solution, which decides: see `classroom.grading.faulty_tests`.
"""

from __future__ import annotations

import traceback
from pathlib import Path

from autograder.examiner.testcell import remote_number
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import ConnectionClosed
from autograder.wire.errors import Unanswerable, class_name

MAX_QUOTE = 500  # characters of an error's text
_NO_FAULTS = (AssertionError, ConnectionClosed, CellTimeout, Unanswerable)
_ROOT = Path(__file__).resolve().parents[1]
_EXAMINERS = tuple(str(_ROOT / name) for name in ("checks", "examiner"))


def fault_of(error: BaseException, filename: str, untouched: bool) -> str:
    """Return the error's text if it may be the test's own, or "" if it is the notebook's.

    `filename` is the test's. `untouched` is True if the test has used nothing of the notebook yet.
    """
    if isinstance(error, _NO_FAULTS) or _is_remote(error):
        return ""
    is_own = (
        untouched
        or isinstance(error, ImportError)
        or (isinstance(error, SyntaxError) and error.filename == filename)
        or bool(missing_name(error))
        or _is_of_a_check(error, filename)
    )
    if is_own:
        return f"{class_name(error)}{_line(error, filename)}: {error}"
    return ""


def missing_name(error: BaseException) -> str:
    """Return the name that neither a test nor the notebook defines, "" for another error.

    The problem set's own solution decides whether the notebook has to define it.
    """
    return (error.name or "") if isinstance(error, NameError) and not _is_remote(error) else ""


def _is_remote(error: BaseException | None) -> bool:
    return getattr(error, "remote_number", None) is not None


def _line(error: BaseException, filename: str) -> str:
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == filename]
    return f", line {lines[-1]}" if lines else ""


def _is_of_a_check(error: BaseException, filename: str) -> bool:
    """Return whether a check itself failed: on students' values it raises `AssertionError`."""
    if isinstance(error, NameError):  # another test would have defined the name
        return False
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == filename or frame.filename.startswith(str(_ROOT / "wire")):
            return False
        if frame.filename.startswith(_EXAMINERS):
            return True
    return False


def describe_locked_failure(error: BaseException) -> str:
    """Describe the error of a locked cell that ran in the notebook without error.

    The notebook's values can cause it, so its text may be the student's.
    """
    failure = f"it ran in the notebook and failed in the tests with {class_name(error)}"
    return f"{failure}; the text, which may be the student's, is {str(error)[:MAX_QUOTE]!r}"


def is_from_student(error: BaseException) -> bool:
    """Return whether student code has caused the error."""
    stopped = isinstance(error, ConnectionClosed | CellTimeout)
    return stopped or remote_number(error) is not None
