"""The names of students' functions in messages."""

from __future__ import annotations

from autograder.wire.run import current_run
from autograder.wire.standins import StandIn


def remember_name(value: object, name: str) -> None:
    """Remember the name that a test cell uses for a function or object of the student's."""
    if isinstance(value, StandIn):
        current_run().names.setdefault(id(value), name)  # stand-ins live as long as this process


def name_of(function: object, nameless: str = "your function") -> str:
    """Return the name for messages: for a stand-in, the name in the test, not `__name__`."""
    name = current_run().names.get(id(function))
    if name is None and not isinstance(function, StandIn):
        name = getattr(function, "__name__", None)
    return name if type(name) is str and name.isidentifier() else nameless
