"""Errors on their way between the processes: described in one, rebuilt in the other."""

from __future__ import annotations

import builtins
import contextlib

from autograder.wire.alarm import CellTimeout


class Malformed(ValueError):
    """Bytes that no honest encoder writes."""


class Unanswerable(BaseException):
    """A question of a test that can't be asked, or answered, across the two processes.

    It decides nothing about the student. No `except` and no `raises` of a test catches it: it is no
    `Exception`, and the channel remembers it. `kind` is the class of error that is shown. If it is
    about a `limit`, the student's value is too large, and the test gives no points.
    """

    def __init__(self, message: str, kind: str = "Unanswerable", limit: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.limit = limit


class RemoteError(Exception):
    """An error of the other process that this process can't raise as its own class, `kind`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def class_name(error: BaseException) -> str:
    """Return the name of an error's class, also for an error of the other process."""
    has_kind = isinstance(error, RemoteError | Unanswerable)
    return error.kind if has_kind else type(error).__name__  # type: ignore[attr-defined]


def describe_error(error: BaseException) -> tuple[str, str]:
    """Return the nearest builtin class of an error, and its message.

    A subclass of NotImplementedError, such as IPython's for `input`, doesn't mean a stub.
    """
    if isinstance(error, CellTimeout):
        return CellTimeout.__name__, str(error)
    if isinstance(error, Unanswerable):
        shown_kind = f" {error.kind}" if error.limit else ""
        return f"{Unanswerable.__name__}{shown_kind}", str(error)
    builtin_bases = [kind for kind in type(error).__mro__ if kind.__module__ == "builtins"]
    if builtin_bases[0] is NotImplementedError and type(error) is not NotImplementedError:
        del builtin_bases[0]
    is_plain = isinstance(error, KeyError) and len(error.args) == 1 and type(error.args[0]) is str
    try:
        message = error.args[0] if is_plain else str.__str__(str(error))
    except Exception:
        message = "its message cannot be shown"
    return builtin_bases[0].__name__, message[:10_000]


def rebuild_error(name: str, message: str, number: int) -> BaseException:
    """Rebuild an error of the other process to raise it here; `number` identifies its traceback.

    A name without a builtin error becomes "Exception", even a name of this package's errors, except
    CellTimeout and Unanswerable.
    """
    kind = getattr(builtins, name, None)
    is_known = isinstance(kind, type) and issubclass(kind, BaseException)
    error: BaseException = RemoteError(name if is_known else "Exception", message)
    if name == CellTimeout.__name__:
        error = CellTimeout(message)
    elif name.partition(" ")[0] == Unanswerable.__name__:
        shown_kind = name.partition(" ")[2]
        error = Unanswerable(message, shown_kind or Unanswerable.__name__, limit=bool(shown_kind))
    elif isinstance(kind, type) and issubclass(kind, Exception) and kind not in _NOT_RAISED:
        for base in kind.__mro__:  # UnicodeError for a UnicodeDecodeError: it needs more arguments
            with contextlib.suppress(Exception):
                error = base(message)
                break
    error.remote_number = number  # type: ignore[attr-defined]
    return error


_NOT_RAISED = (StopIteration, StopAsyncIteration)
