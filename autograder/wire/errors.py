"""Errors on their way between the rooms: described in one, made anew in the other."""

from __future__ import annotations

import builtins
import contextlib

from autograder.wire.alarm import CellTimeout


class RemoteError(RuntimeError):
    """An error of the other room that is not raised here as its own class, which is `kind`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def class_name(error: BaseException) -> str:
    """The class of an error, also where it was raised in the other room."""
    return error.kind if isinstance(error, RemoteError) else type(error).__name__


def describe_error(error: BaseException) -> tuple[str, str]:
    """The nearest builtin class and the message.

    A subclass of NotImplementedError, such as IPython's about `input`, is no stub that is left.
    """
    if isinstance(error, CellTimeout):
        return CellTimeout.__name__, str(error)
    builtin_bases = [kind for kind in type(error).__mro__ if kind.__module__ == "builtins"]
    if builtin_bases[0] is NotImplementedError and type(error) is not NotImplementedError:
        del builtin_bases[0]
    plain = isinstance(error, KeyError) and len(error.args) == 1 and type(error.args[0]) is str
    try:
        message = error.args[0] if plain else str.__str__(str(error))
    except Exception:
        message = "its message cannot be shown"
    return builtin_bases[0].__name__, message[:10_000]


def rebuild_error(name: str, message: str, number: int) -> BaseException:
    """An error of the other room, to be raised here; `number` finds its traceback there.

    Names that no builtin error has, such as those of this package's errors, are not believed.
    """
    kind = getattr(builtins, name, None)
    is_known = isinstance(kind, type) and issubclass(kind, BaseException)
    error: BaseException = RemoteError(name if is_known else "Exception", message)
    if name == CellTimeout.__name__:
        error = CellTimeout(message)
    elif isinstance(kind, type) and issubclass(kind, Exception) and kind not in _NOT_RAISED:
        for base in kind.__mro__:  # UnicodeError for a UnicodeDecodeError, which wants more
            with contextlib.suppress(Exception):
                error = base(message)
                break
    error.remote_number = number  # type: ignore[attr-defined]
    return error


_NOT_RAISED = (AssertionError, StopIteration, StopAsyncIteration)
