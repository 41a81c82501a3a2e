"""Changes of arguments by a function: noticed in the room where it ran, repeated in the other.

Values are copied on their way between the rooms, so a list that student code sorts in place stays
unchanged in the test. That is right: student code must not change the examiner's objects. But a
test may want to know the changes.
"""

from __future__ import annotations

import copy
import hashlib
import operator
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from autograder.wire import dataframes
from autograder.wire.values import THEIRS, Codec

_CONTAINERS = (list, dict, set, bytearray, tuple, np.ndarray)
_UNCHANGING = {type(None), bool, int, float, complex, str, bytes, np.bool_, np.int64}
_UNCHANGING |= {np.float64}
_KEYS = _UNCHANGING | {tuple}
_WALKED = (list, dict, tuple)

Changes = list[list]  # the place of each changed argument, and its new value
Snapshot = bytes | list | dict | tuple | None
Became = dict[int, object]  # by the id of a container: the new value that it has got


class Unchangeable(TypeError):
    """A change of an argument that can't be repeated in the other room."""


def _by_identity(value: object) -> tuple[int, object]:
    return THEIRS, id(value)


def _refuse_decoding(code: int, inner: object) -> NoReturn:
    raise TypeError("this is only written")


class _Digests:
    """Digests of large arrays: a few bytes that show whether an array has changed."""

    large = 8 << 20

    def set_aside(self, array: np.ndarray) -> bytes:
        return hashlib.blake2b(np.ascontiguousarray(array).reshape(-1).view(np.uint8)).digest()

    def put_together(self, mark: object) -> bytes:
        return _refuse_decoding(0, mark)


_PRINTS = Codec(_by_identity, _refuse_decoding, aside=_Digests())


def take_snapshots(arguments: Sequence[object]) -> list[Snapshot]:
    """Return a snapshot of each argument, to see later whether it has changed; None if it can't."""
    return [_take_snapshot(value) if _is_container(value) else None for value in arguments]


def _take_snapshot(value: Any) -> Snapshot:
    """Return a copy with the same parts if all containers are lists, dicts and tuples.

    Otherwise return the encoded value.
    """
    try:
        return _copy_with_parts(value, {})
    except (_HoldsOthers, RecursionError):
        return _print_of(value)


class _HoldsOthers(Exception):
    """A value has parts other than unchanging values, lists, dicts and tuples."""


def _copy_with_parts(value: Any, copies: dict[int, Any]) -> Any:
    """Copy a container and each container within it; unchanging parts stay the same objects."""
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
    return type(value) in _CONTAINERS or bool(dataframes.kind_of(value))


def _print_of(value: object) -> bytes:
    try:
        return _PRINTS.encode(value)
    except Exception:  # nested without end, say
        return b""


def find_changes(snapshots: Sequence[Snapshot], arguments: Sequence[object]) -> Changes:
    """Return the arguments that have changed since `seen` returned these snapshots."""
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
    """Return whether the parts are the same objects, not equal ones, in the same containers."""
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


def repeat_changes(arguments: Sequence[Any], changes: Changes) -> None:
    """Repeat on these arguments the changes of their copies. Raises `Unchangeable`."""
    became: Became = {}
    for place, now in changes:
        if type(place) is not int or not 0 <= place < len(arguments):
            raise Unchangeable("an argument that isn't there was changed")
        if became.get(id(arguments[place]), became) is not now:
            _become(arguments[place], now, became)


class SavedContent:
    """The content of a container, and of those within it, to be put back into the same objects."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._content = _copy_content(value)
        inner = value.values() if type(value) is dict else value
        nested = type(value) in (list, tuple, dict)
        self._inner = (
            [SavedContent(part) for part in inner if _is_container(part)] if nested else []
        )

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
        elif dataframes.kind_of(value):
            dataframes.become(value, content)
        for part in self._inner:
            part.put_back()


def _fill(array: np.ndarray, now: np.ndarray) -> None:
    """Give an array the shape, and then the entries, of another one of the same size."""
    if array.shape != now.shape:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # there is no other way in place
            try:
                array.shape = now.shape
            except AttributeError:
                raise Unchangeable("an array got a shape that can't be repeated") from None
    array[...] = now


def copy_container(value: Any) -> Any:
    """Return a deep copy of a container; anything else unchanged."""
    return copy.deepcopy(value) if _is_container(value) else value


def _copy_content(value: Any) -> Any:
    if type(value) is tuple:
        return None
    return value.copy(deep=True) if dataframes.kind_of(value) else copy.copy(value)


def save_content(arguments: Sequence[object], changes: Changes) -> list[SavedContent]:
    """Save the content of the arguments that `changes` will change."""
    places = [place for place, _ in changes if type(place) is int and 0 <= place < len(arguments)]
    return [SavedContent(arguments[p]) for p in places if _is_container(arguments[p])]


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
    elif dataframes.kind_of(old):
        dataframes.become(old, now)
    else:
        raise Unchangeable(f"an argument of the type {kind.__name__} was changed")


def _part(old: Any, new: Any, became: Became) -> object:
    """Return the part for a place in a container: the old part with new content, or the new part.

    An old part that was in two places can become only one of two new parts.
    """
    if not _is_container(old) or type(new) is not type(old):
        return new
    if id(old) not in became:
        _become(old, new, became)
    return old if became[id(old)] is new else new
