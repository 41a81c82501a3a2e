"""Docstrings and parameters of functions and classes, for the other room.

Only the examiner's room gets them: a test's own functions may hold what students mustn't see.
Annotations don't cross, since they are often classes.
"""

from __future__ import annotations

import inspect
from typing import Any

MAX_DOCSTRING_CHARACTERS = 100_000
_KINDS = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)


def describe_signature(value: Any) -> list:
    """Return the docstring or None, and a list of [name, kind] or [name, kind, default] or None."""
    text = getattr(value, "__doc__", None)
    try:
        parameters = inspect.signature(value).parameters.values()
        params: list | None = [_describe_parameter(one) for one in parameters]
    except (TypeError, ValueError):  # it can't be called, or is written in C
        params = None
    return [str.__str__(text)[:MAX_DOCSTRING_CHARACTERS] if isinstance(text, str) else None, params]


def _describe_parameter(one: inspect.Parameter) -> list:
    default = [] if one.default is one.empty else [one.default]
    return [one.name, _KINDS.index(one.kind), *default]


def restore_signature(answer: object) -> tuple[str | None, inspect.Signature | None]:
    """Return docstring and signature from `described`. Raises ValueError or TypeError if wrong."""
    if type(answer) is not list or len(answer) != 2:
        raise TypeError("expected a docstring and what is taken")
    text, params = answer
    if not (text is None or type(text) is str) or not (params is None or type(params) is list):
        raise TypeError("expected a docstring and what is taken")
    if params is None:
        return text, None
    return text, inspect.Signature([_restore_parameter(one) for one in params])


def _restore_parameter(one: object) -> inspect.Parameter:
    if type(one) is not list or len(one) not in (2, 3):
        raise TypeError("expected a name, a kind and perhaps a default")
    name, kind, *default = one
    if type(name) is not str or type(kind) is not int or not 0 <= kind < len(_KINDS):
        raise TypeError("expected a name, a kind and perhaps a default")
    parameter = inspect.Parameter(name, _KINDS[kind])
    return parameter.replace(default=default[0]) if default else parameter
