"""What a function did to its arguments: noticed where it ran, and done again where they are from.

Values are copied on their way between the rooms, so a list that student code sorts in place stays
as it was in the test. That is as it should be: nothing of the examiner's is changed. But a test may
want to know.
"""

from __future__ import annotations

import copy
import hashlib
import operator
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from autograder.wire import frames
from autograder.wire.values import THEIRS, Codec

_CONTAINERS = (list, dict, set, bytearray, tuple, np.ndarray)
_UNCHANGING = {type(None), bool, int, float, complex, str, bytes, np.bool_, np.int64}
_UNCHANGING |= {np.float64}
_KEYS = _UNCHANGING | {tuple}
_WALKED = (list, dict, tuple)

Changes = list[list]  # the place of each argument that is another one now, and what it is now
Seen = bytes | list | dict | tuple | None
Became = dict[int, object]  # by the id of a container what it was made into


class Unchangeable(TypeError):
    """A change of an argument that can't be made on the other side."""


def _by_identity(value: object) -> tuple[int, object]:
    return THEIRS, id(value)


def _refuse_decoding(code: int, inner: object) -> NoReturn:
    raise TypeError("this is only written")


class _Digests:
    """Of a large array a few bytes tell whether it has changed."""

    large = 8 << 20

    def set_aside(self, array: np.ndarray) -> bytes:
        return hashlib.blake2b(np.ascontiguousarray(array).reshape(-1).view(np.uint8)).digest()

    def put_together(self, mark: object) -> bytes:
        return _refuse_decoding(0, mark)


_PRINTS = Codec(_by_identity, _refuse_decoding, aside=_Digests())


def seen(arguments: Sequence[object]) -> list[Seen]:
    """Of each argument what tells whether it has changed since; None for those that can't."""
    return [_take_snapshot(value) if _is_container(value) else None for value in arguments]


def _take_snapshot(value: Any) -> Seen:
    """A copy that holds the same parts, where lists, dicts and tuples are all that holds some; else
    what is written of it.
    """
    try:
        return _copy_with_parts(value, {})
    except (_HoldsOthers, RecursionError):
        return _print_of(value)


class _HoldsOthers(Exception):
    """Something else than what can't change is in a value, or than lists, dicts and tuples."""


def _copy_with_parts(value: Any, copies: dict[int, Any]) -> Any:
    """A copy of a container, and of each within it one; what can't change is the same object."""
    kind = type(value)
    if kind in _UNCHANGING:
        return value
    if kind not in _WALKED or (kind is dict and not _KEYS.issuperset(map(type, value))):
        raise _HoldsOthers
    if id(value) in copies:
        return copies[id(value)]
    inner = value.values() if kind is dict else value
    if _UNCHANGING.issuperset(map(type, inner)):
        duplicate = value if kind is tuple else value.copy()
    elif kind is dict:
        duplicate = {key: _copy_with_parts(part, copies) for key, part in value.items()}
    else:
        duplicate = kind([_copy_with_parts(part, copies) for part in value])
    copies[id(value)] = duplicate
    return duplicate


def _is_container(value: object) -> bool:
    return type(value) in _CONTAINERS or bool(frames.kind_of(value))


def _print_of(value: object) -> bytes:
    try:
        return _PRINTS.encode(value)
    except Exception:  # nested without end, say
        return b""


def changes_since(snapshots: Sequence[Seen], arguments: Sequence[object]) -> Changes:
    """The arguments that are other ones than when `before` was `seen`."""
    return [
        [place, value]
        for place, (then, value) in enumerate(zip(snapshots, arguments, strict=True))
        if then is not None and _is_another(then, value)
    ]


def _is_another(then: Any, now: Any) -> bool:
    if type(then) is not bytes:
        if _has_the_same_parts(then, now, {}):
            return False
        then = _print_of(then)
    return _print_of(now) != then


def _has_the_same_parts(then: Any, now: Any, met: dict[int, Any]) -> bool:
    """The very objects, not equal ones, in containers as before: one stays one, two stay two."""
    if then is now:
        return True
    if type(then) is not type(now) or type(then) not in _WALKED or len(then) != len(now):
        return False
    if id(then) in met or id(now) in met:
        return met.get(id(then)) is now and met.get(id(now)) is then
    met[id(then)], met[id(now)] = now, then
    if type(then) is dict:
        if not all(map(operator.is_, then, now)):
            return False
        then, now = then.values(), now.values()
    return all(map(operator.is_, then, now)) or all(
        _has_the_same_parts(*pair, met) for pair in zip(then, now, strict=True)
    )


def change(arguments: Sequence[Any], changes: Changes) -> None:
    """Do to these arguments what was done to their copies. Raises `Unchangeable`."""
    became: Became = {}
    for place, now in changes:
        if type(place) is not int or not 0 <= place < len(arguments):
            raise Unchangeable("an argument that isn't there was changed")
        if became.get(id(arguments[place]), became) is not now:
            _become(arguments[place], now, became)


class Saved:
    """What is in a container, and in those within it, to be put back into the same objects."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._content = _copy_content(value)
        inner = value.values() if type(value) is dict else value
        nested = type(value) in (list, tuple, dict)
        self._inner = [Saved(part) for part in inner if _is_container(part)] if nested else []

    def put_back(self) -> None:
        value, content = self._value, self._content
        if type(value) is np.ndarray:
            if value.flags.writeable:
                _fill(value, content)
        elif type(value) in (list, bytearray):
            value[:] = content
        elif type(value) in (dict, set):
            value.clear()
            value.update(content)
        elif frames.kind_of(value):
            frames.become(value, content)
        for part in self._inner:
            part.put_back()


def _fill(array: np.ndarray, now: np.ndarray) -> None:
    """Give an array the shape, and then the entries, of one of as many."""
    if array.shape != now.shape:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # there is no other way in place
            try:
                array.shape = now.shape
            except AttributeError:
                raise Unchangeable("an array got a shape that can't be repeated") from None
    array[...] = now


def copied(value: Any) -> Any:
    """A container with all that is in it anew; anything else as it is."""
    return copy.deepcopy(value) if _is_container(value) else value


def _copy_content(value: Any) -> Any:
    if type(value) is tuple:
        return None
    return value.copy(deep=True) if frames.kind_of(value) else copy.copy(value)


def saved(arguments: Sequence[object], changes: Changes) -> list[Saved]:
    """The arguments that are about to be changed."""
    places = [place for place, _ in changes if type(place) is int and 0 <= place < len(arguments)]
    return [Saved(arguments[p]) for p in places if _is_container(arguments[p])]


def _become(old: Any, now: Any, became: Became) -> None:
    became[id(old)] = now
    kind = type(old)
    if type(now) is not kind:
        raise Unchangeable(f"an argument of the type {kind.__name__} became another one")
    if kind is np.ndarray:
        if old.size != now.size or not old.flags.writeable:
            raise Unchangeable("an array was changed in a way that can't be repeated")
        _fill(old, now)
    elif kind in (list, tuple) and len(old) == len(now):
        for place, (inner, new) in enumerate(zip(old, now, strict=True)):
            part = _part(inner, new, became)
            if kind is list:
                old[place] = part
    elif kind is dict:
        parts = {key: _part(old.get(key), new, became) for key, new in now.items()}
        old.clear()
        old.update(parts)
    elif kind is set:
        old.clear()
        old.update(now)
    elif kind is list:
        old[:] = now
    elif frames.kind_of(old):
        frames.become(old, now)
    else:
        raise Unchangeable(f"an argument of the type {kind.__name__} was changed")


def _part(old: Any, new: Any, became: Became) -> object:
    """What a container has in a place: the old part, made into the new one, or the new one itself.

    An old part in two places, where two others are now, can be only one of them.
    """
    if not _is_container(old) or type(new) is not type(old):
        return new
    if id(old) not in became:
        _become(old, new, became)
    return old if became[id(old)] is new else new
