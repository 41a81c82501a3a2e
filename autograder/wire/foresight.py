"""Draws from a watched generator that cross before they are asked for.

A loop that draws one number at a time would take a message for each. So after two equal calls of a
method in a row, the examiner sends with the answer what the next equal calls will return. It makes
these draws, and so records them, only when it hears how many were used. It believes no value.

The student may read such values early. What that reveals is bounded: they are of a call that was
just made twice; after a few calls of another kind instead there is no foresight any more; and after
the test's call, a generator whose next values are known goes on from a state that nobody foresees.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.wire.generators import change_state

MAX_VALUES = 64  # that are sent ahead at once
MAX_CHANGES = 3  # of the call, while values of the one before are known
_PLAIN = {type(None), bool, int, float, str}
_NUMBERS = {bool, int, float, np.int64}


def key_of(target: object, args: tuple | list, kwargs: dict) -> tuple | None:
    """Return a key that only equal calls share; None if arguments are not plain."""
    values = (*args, *kwargs.values())
    kinds = tuple(map(type, values))
    return (target, len(args), *kwargs, *values, *kinds) if _PLAIN.issuperset(kinds) else None


class Foresight:
    """The examiner's side, for one generator."""

    def __init__(self, source: np.random.BitGenerator, room: Callable[[], int]) -> None:
        self.draws: dict[object, Callable] = {}  # by a method that records: the draw itself
        self._source = source
        self._room = room  # returns how many more draws there may be
        self._key: tuple | None = None
        self._draw: Callable[[], Any] = lambda: None
        self._length = self._changes = 0
        self._known = 0  # values that the student knows, and that are not drawn

    def draw(self, method: Callable, args: list, kwargs: dict) -> tuple[Any, list]:
        """Make a draw; return it, with the values of the next equal draws if they are to cross."""
        key, value = key_of(method, args, kwargs), method(*args, **kwargs)
        is_equal = key is not None and key == self._key
        self._changes += not is_equal and self._known > 0
        self._length = min(2 * self._length, MAX_VALUES, self._room()) if is_equal else 2
        self._key, self._draw, self._known = key, lambda: method(*args, **kwargs), 0
        if not is_equal or self._changes > MAX_CHANGES or type(value) not in _NUMBERS:
            return value, []
        self._known = self._length
        return value, self._look_ahead(self.draws[method], args, kwargs)

    def _look_ahead(self, draw: Callable, args: list, kwargs: dict) -> list:
        state = self._source.state
        try:
            return [draw(*args, **kwargs) for _ in range(self._known)]
        finally:
            self._source.state = state

    def use(self, count: object) -> None:
        """Make so many of the draws that the student knows. Raises `ValueError` for more."""
        if type(count) is not int or not 0 < count <= self._known:
            raise ValueError("no number of draws that were known")
        self._known -= count
        for _ in range(count):
            self._draw()

    def end(self, secret: bytes) -> None:
        """Change the generator if the student knows its next values: the test's call is over."""
        if self._known:
            change_state(self._source, secret)
        self._key, self._known = None, 0


def foresight_of(method: Any) -> Foresight | None:
    """Return the foresight of the generator that a method belongs to, if that is a watched one."""
    found = vars(method).get("_foresight") if type(method) is types.FunctionType else None
    return found if found is not None and method in found.draws else None


class Foreseen:
    """The student's side: values of the next calls that are equal to one."""

    def __init__(self, key: tuple | None, values: list) -> None:
        self._key, self._values = key, values
        self.used = 0

    def answers(self, key: tuple | None) -> bool:
        """Return whether the next value is that of a call with this key."""
        return self.used < len(self._values) and key is not None and key == self._key

    def take(self) -> Any:
        self.used += 1
        return self._values[self.used - 1]
