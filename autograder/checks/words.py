"""By which names messages call students' functions."""

from __future__ import annotations

from autograder.wire.standins import StandIn

_names: dict[int, str] = {}  # by the id of a stand-in, which lives as long as its room


def remember_name(value: object, name: str) -> None:
    """Note by which name a test cell knows a function or object of the student's."""
    if isinstance(value, StandIn):
        _names.setdefault(id(value), name)


def name_of(function: object, nameless: str = "your function") -> str:
    """The name for messages; a stand-in's is the test's own, whatever `__name__` says by now."""
    name = _names.get(id(function))
    if name is None and not isinstance(function, StandIn):
        name = getattr(function, "__name__", None)
    return name if type(name) is str and name.isidentifier() else nameless
