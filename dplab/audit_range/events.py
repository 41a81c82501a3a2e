"""Events on outputs, written as plain data: they can be sent, checked and shown.

    ("between", low, high)         a number from low to high, both included
    ("among", [output, ...])       one of these outputs
    ("multiple", step)             a number that is a whole multiple of `step`, exactly
    ("length", event)              the event holds for the number of parts
    ("part", i, event)             the event holds for part i, counted from 0
    ("difference", i, j, event)    the event holds for part i minus part j
    ("not", event)    ("all", [event, ...])    ("any", [event, ...])

An event about a part, or about a number, does not hold for outputs that have none. An event is
data instead of a function: a function could count its calls, and so tell the datasets apart.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np

MAX_DEPTH = 6
MAX_EVENTS = 20  # within one event: each is looked at for each draw
MAX_MULTIPLES = 3  # of the kind "multiple", which takes the longest
MAX_VALUES = 40_000  # in one event: enough for all outputs of any release that has a law
MAX_NUMBER = 2.0**1000
FORMS = {  # the arguments of each kind: a number, a place, outputs, an event or events
    "between": ("number", "number"),
    "among": ("outputs",),
    "multiple": ("number",),
    "length": ("event",),
    "part": ("place", "event"),
    "difference": ("place", "place", "event"),
    "not": ("event",),
    "all": ("events",),
    "any": ("events",),
}

Event = tuple[Any, ...]


class BadEvent(ValueError):
    """Raised for data that is no event."""


def read_event(data: Any) -> Event:
    """Return the event that this data describes, with tuples and sets. Raises BadEvent."""
    return _EventReader().read(data, 0)


class _EventReader:
    """Reads an event and counts its values, so that looking at it takes little time."""

    def __init__(self) -> None:
        self.count = self.events = self.multiples = 0

    def read(self, data: Any, depth: int) -> Event:
        if depth > MAX_DEPTH:
            raise BadEvent(f"The event has more than {MAX_DEPTH} events within each other.")
        self.events += 1
        if self.events > MAX_EVENTS:
            raise BadEvent(f"An event may have at most {MAX_EVENTS} events within it.")
        if not isinstance(data, tuple | list) or not data or not isinstance(data[0], str):
            raise BadEvent('An event must be a tuple such as ("between", 0, 5).')
        kind, *parts = data
        if kind not in FORMS:
            raise BadEvent(f"An event must be one of {', '.join(FORMS)}, not {str(kind)[:40]!r}.")
        if len(parts) != len(FORMS[kind]):
            raise BadEvent(f"The event {kind!r} must have {len(FORMS[kind])} parts after its name.")
        self.multiples += kind == "multiple"
        if self.multiples > MAX_MULTIPLES:
            raise BadEvent(f"An event may have 'multiple' at most {MAX_MULTIPLES} times within it.")
        pairs = zip(FORMS[kind], parts, strict=True)
        return (kind, *(self._part(form, part, depth) for form, part in pairs))

    def _part(self, form: str, part: Any, depth: int) -> Any:
        self._count(1)
        if form == "event":
            return self.read(part, depth + 1)
        if form == "events":
            return tuple(self.read(event, depth + 1) for event in self._list(part))
        if form == "outputs":
            return frozenset(self._output(output, 0) for output in self._list(part))
        if form == "place":
            if isinstance(part, bool) or not isinstance(part, Integral):
                raise BadEvent("The place of a part must be a whole number.")
            return int(part)
        if isinstance(part, bool) or not isinstance(part, Real) or part != part:  # NaN
            raise BadEvent("The bounds and the step of an event must be numbers.")
        number: Any = part
        if not (-MAX_NUMBER <= number <= MAX_NUMBER or number in (-math.inf, math.inf)):
            raise BadEvent("The bounds and the step of an event must be at most 2^1000.")
        return number if isinstance(number, int | float) else float(number)

    def _list(self, values: Any) -> list:
        if not isinstance(values, tuple | list | set | frozenset):
            raise BadEvent("The outputs or events within an event must be in a list.")
        self._count(len(values))
        return list(values)

    def _count(self, more: int) -> None:
        self.count += more
        if self.count > MAX_VALUES:
            raise BadEvent(f"An event may have at most {MAX_VALUES:,} values.")

    def _output(self, output: Any, depth: int) -> Hashable:
        if isinstance(output, tuple | list) and depth < MAX_DEPTH:
            self._count(len(output))
            return tuple(self._output(part, depth + 1) for part in output)
        if output is None or isinstance(output, bool | int | float | str):
            return output
        if isinstance(output, np.generic) and not isinstance(plain := output.item(), np.generic):
            return self._output(plain, depth)
        raise BadEvent("The outputs in an event must be numbers, texts, None, or tuples of them.")


def holds(event: Event, output: Any) -> bool:
    """Return whether an event, read before, holds for an output."""
    kind, *parts = event
    if kind == "among":
        return output in parts[0]
    if kind == "not":
        return not holds(parts[0], output)
    if kind in ("all", "any"):
        return (all if kind == "all" else any)(holds(part, output) for part in parts[0])
    if kind in ("between", "multiple"):
        return _is_number(output) and _compare(kind, parts, output)
    value = _view(kind, parts[:-1], output)
    return value is not None and holds(parts[-1], value[0])


def _compare(kind: str, parts: list, number: Any) -> bool:
    if kind == "between":
        return parts[0] <= number <= parts[1]
    step = abs(parts[0])
    if not (0 < step < math.inf) or not math.isfinite(number):
        return False
    (top, bottom), (step_top, step_bottom) = map(_ratio, (number, step))
    return top * step_bottom % (bottom * step_top) == 0


def _ratio(number: Any) -> tuple[int, int]:
    """Return a number exactly, as two whole numbers. The remainder of fractions is far slower."""
    return (number if isinstance(number, int | float) else Fraction(number)).as_integer_ratio()


def _view(kind: str, places: list[int], output: Any) -> tuple | None:
    """Return the length, part or difference in a tuple of one, or None if there is none."""
    if not isinstance(output, tuple):
        return None
    if kind == "length":
        return (len(output),)
    if not all(0 <= place < len(output) for place in places):
        return None
    values = [output[place] for place in places]
    if kind == "part":
        return (values[0],)
    return (values[0] - values[1],) if all(map(_is_number, values)) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
