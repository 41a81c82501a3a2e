"""Draws from a watched generator that cross before they are asked for.

A loop that draws one number at a time would take a message for each. So after two equal calls of a
method in a row, the examiner sends with the answer what the next equal calls will return. It makes
these draws, and so records them, only when it hears how many were used. It believes no value.

The student may read such values early, and so learn how the generator goes on. Therefore:
- While code of the examiner runs, the generator is in a state that nobody foresees. If that code
  draws nothing, the student's next draw finds the generator as the last one left it.
- A student who knows values, and makes a draw of another kind or lets other code draw, may have
  chosen so by them. `was_foreseen` says that, and there is no foresight any more. Draws then prove
  nothing.
- After a few other changes of the call there is no foresight any more, either.
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
_HARMLESS = (int, float, np.number, np.ndarray, list, tuple, type(None))  # not a type of numbers


def key_of(target: object, args: tuple | list, kwargs: dict) -> tuple | None:
    """Return a key that only equal calls share; None if arguments are not plain."""
    values = (*args, *kwargs.values())
    kinds = tuple(map(type, values))
    if not _PLAIN.issuperset(kinds):
        return None
    zeros = [repr(value) for value in values if value == 0]  # 0.0 and -0.0 are equal
    return (target, len(args), *kwargs, *values, *kinds, *zeros)


class Foresight:
    """The examiner's side, for one generator."""

    def __init__(self, source: np.random.BitGenerator, room: Callable[[], int]) -> None:
        self.draws: dict[object, Callable] = {}  # by a method that records: the draw itself
        self._is_chosen = False  # values were known when the student chose to leave them
        self._source = source
        self._room = room  # returns how many more draws there may be
        self._key: tuple | None = None
        self._draw: Callable[[], Any] = lambda: None
        self._method: Callable | None = None  # that foreseen values are of
        self._length = self._changes = 0
        self._known = 0  # values that the student knows, and that are not drawn
        self._is_left = False  # whether there were such values when something else happened
        self._hidden: tuple[dict, str] | None = None  # the state to go back to, and from which

    @property
    def was_foreseen(self) -> bool:
        """Whether values were known that will never be drawn, perhaps by the student's choice."""
        is_elsewhere = self._hidden is not None and repr(self._source.state) != self._hidden[1]
        return self._is_chosen or is_elsewhere

    def draw(self, method: Callable, args: list, kwargs: dict) -> tuple[Any, list]:
        """Make a draw; return it, with the values of the next equal draws if they are to cross."""
        self._show()
        self._note_choice(method, args, kwargs)
        key = key_of(method, args, kwargs)
        is_equal = key is not None and key == self._key
        self._changes += not is_equal and self._known > 0
        self._key, self._known = None, 0
        value = method(*args, **kwargs)
        self._length = min(2 * self._length, MAX_VALUES, self._room()) if is_equal else 2
        self._key, self._draw = key, lambda: method(*args, **kwargs)
        is_over = self._is_chosen or self._changes > MAX_CHANGES
        if not is_equal or is_over or type(value) not in _NUMBERS:
            return value, []
        self._method, self._known = method, self._length
        return value, self._look_ahead(self.draws[method], args, kwargs)

    def _note_choice(self, method: Callable, args: list, kwargs: dict) -> None:
        """Note it if the student knows values and makes a draw of another kind.

        A draw of the same method from other numbers takes the same values, and is no other kind.
        """
        self._is_left |= self._known > 0
        is_of_numbers = all(isinstance(value, _HARMLESS) for value in (*args, *kwargs.values()))
        is_same_kind = method is self._method and is_of_numbers
        self._is_chosen |= self._is_left and not is_same_kind

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

    def hide(self, secret: bytes) -> None:
        """Change the generator, until the student draws, if the student may know its next values.

        Code of the examiner comes next, and what it draws must be a secret.
        """
        self._is_left |= self._known > 0
        self._key, self._known = None, 0
        if self._is_left and self._hidden is None:
            state = change_state(self._source, secret)
            self._hidden = state, repr(self._source.state)

    def _show(self) -> None:
        """Undo `hide`, unless the examiner has drawn since: then the student knows no values."""
        if self._hidden is None:
            return
        (state, hidden), self._hidden = self._hidden, None
        if repr(self._source.state) == hidden:
            self._source.state = state
        else:
            self._is_left, self._is_chosen = False, True


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
