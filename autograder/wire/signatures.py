"""Docstrings and parameters of functions and classes, for the other process.

Only the examiner process gets them: functions of a test may have docstrings that students mustn't
see.
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
        params: list | None = [_describe_parameter(parameter) for parameter in parameters]
    except (TypeError, ValueError):  # it can't be called, or is written in C
        params = None
    return [str.__str__(text)[:MAX_DOCSTRING_CHARACTERS] if isinstance(text, str) else None, params]


def _describe_parameter(parameter: inspect.Parameter) -> list:
    default = [] if parameter.default is parameter.empty else [parameter.default]
    return [parameter.name, _KINDS.index(parameter.kind), *default]


def restore_signature(answer: object) -> tuple[str | None, inspect.Signature | None]:
    """Return the described docstring and signature. Raises ValueError or TypeError if wrong."""
    if type(answer) is not list or len(answer) != 2:
        raise TypeError("expected a docstring and what is taken")
    text, params = answer
    if not (text is None or type(text) is str) or not (params is None or type(params) is list):
        raise TypeError("expected a docstring and what is taken")
    if params is None:
        return text, None
    return text, inspect.Signature([_restore_parameter(description) for description in params])


def _restore_parameter(description: object) -> inspect.Parameter:
    if type(description) is not list or len(description) not in (2, 3):
        raise TypeError("expected a name, a kind and perhaps a default")
    name, kind, *default = description
    if type(name) is not str or type(kind) is not int or not 0 <= kind < len(_KINDS):
        raise TypeError("expected a name, a kind and perhaps a default")
    parameter = inspect.Parameter(name, _KINDS[kind])
    return parameter.replace(default=default[0]) if default else parameter
