"""The names of students' functions in messages."""

from __future__ import annotations

from autograder.wire.standins import StandIn

_names: dict[int, str] = {}  # by the id of a stand-in, which lives as long as its room


def remember_name(value: object, name: str) -> None:
    """Remember the name that a test cell uses for a function or object of the student's."""
    if isinstance(value, StandIn):
        _names.setdefault(id(value), name)


def name_of(function: object, nameless: str = "your function") -> str:
    """Return the name for messages; for a stand-in it is the test's own, not its `__name__`."""
    name = _names.get(id(function))
    if name is None and not isinstance(function, StandIn):
        name = getattr(function, "__name__", None)
    return name if type(name) is str and name.isidentifier() else nameless
