"""Calls that must be refused: one test tries all of them and lists those that are not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path


def assert_refused(
    cases: Iterable[tuple[Callable[[], object], str]], refusal: type[Exception] = ValueError
) -> None:
    """Fail if a call is not refused, and list every one that is not."""
    __tracebackhide__ = True
    found = unrefused(cases, refusal)
    assert not found, "\n".join(found)


def unrefused(
    cases: Iterable[tuple[Callable[[], object], str]], refusal: type[Exception] = ValueError
) -> list[str]:
    """Return the calls that do not raise `refusal` with a message in which their pattern is.

    Each is named by its line or its arguments, its pattern and what it did instead.
    """
    found = []
    for call, pattern in cases:
        outcome = _outcome_instead(call, pattern, refusal)
        if outcome:
            found.append(f"{_place(call)}: expected {pattern!r}, but {outcome}")
    return found


def _outcome_instead(
    call: Callable[[], object], pattern: str, refusal: type[Exception]
) -> str | None:
    try:
        value = call()
    except refusal as error:
        return None if re.search(pattern, str(error)) else f"it says {str(error)!r}"
    except Exception as error:
        return f"it raised {error!r}"
    return f"it returned {value!r}"


def _place(call: Callable[[], object]) -> str:
    """Return the line of a function without a name, or how a function of a name is called."""
    function = call.func if isinstance(call, partial) else call
    name = getattr(function, "__qualname__", repr(function))
    if "<lambda>" in name:
        code = function.__code__
        return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
    arguments = [*map(repr, getattr(call, "args", ()))]
    arguments += [f"{key}={value!r}" for key, value in getattr(call, "keywords", {}).items()]
    return f"{name}({', '.join(arguments)})"
