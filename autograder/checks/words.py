"""Words of the student's choosing, which messages repeat until a hidden test has run.

From then on the student's code has seen hidden inputs and could say them: in an exception, a
string that it returns, the name of a class or a function. So messages then name types alone. What
an assertion of the test itself says, the result's numbers included, is never withheld.
"""

from __future__ import annotations

from autograder.wire.standins import StandIn

_withheld = False
_known: dict[int, str] = {}  # by the id of a stand-in, which lives as long as its room


def withhold() -> None:
    """From now on `repeated` says nothing; the examiner calls this where a hidden test begins."""
    global _withheld
    _withheld = True


def withheld() -> bool:
    return _withheld


def repeated(text: str, otherwise: str = "") -> str:
    """`text`, which may hold words of the student's, while these are repeated."""
    return otherwise if _withheld else text


def remember_name(value: object, name: str) -> None:
    """Note by which name a test cell knows a function or object of the student's."""
    if isinstance(value, StandIn):
        _known.setdefault(id(value), name)


def name_of(function: object) -> str:
    """The name for messages; a stand-in's is the test's own, whatever `__name__` says by now."""
    name = _known.get(id(function))
    if name is None and not isinstance(function, StandIn):
        name = getattr(function, "__name__", None)
    return name if type(name) is str and name.isidentifier() else "your function"
