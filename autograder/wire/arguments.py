"""Find the changes that a call makes to its arguments, and repeat them in the other process.

Values are copied on their way between the two processes. So a list that student code sorts in
place stays unchanged in the test. That is right: student code must not change the examiner's
objects. But a test may want to know the changes.
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
Became = dict[int, object]  # the new value of each changed container, by its id


class Unchangeable(TypeError):
    """A change of an argument that can't be repeated in the other process."""


def _by_identity(value: object) -> tuple[int, object]:
    return THEIRS, id(value)


def _refuse_decoding(code: int, inner: object) -> NoReturn:
    raise TypeError("this is only written")


class _Digests:
    """Digests of large arrays: a few bytes that show whether an array has changed."""

    large = 8 << 20

    def set_aside(self, array: np.ndarray) -> bytes:
        return hashlib.blake2b(np.ascontiguousarray(array).reshape(-1).view(np.uint8)).digest()

    def put_together(self, reference: object) -> bytes:
        return _refuse_decoding(0, reference)


_SNAPSHOT_CODEC = Codec(_by_identity, _refuse_decoding, aside=_Digests())


def take_snapshots(arguments: Sequence[object]) -> list[Snapshot]:
    """Return a snapshot of each argument, or None for an argument that is no container."""
    return [_take_snapshot(value) if _is_container(value) else None for value in arguments]


def _take_snapshot(value: Any) -> Snapshot:
    """Return a copy with the same parts if all containers are lists, dicts and tuples.

    Otherwise return the encoded value.
    """
    try:
        return _copy_with_parts(value, {})
    except (_HasOtherParts, RecursionError):
        return _print_of(value)


class _HasOtherParts(Exception):
    """A value has parts other than unchanging values, lists, dicts and tuples."""


def _copy_with_parts(value: Any, copies: dict[int, Any]) -> Any:
    """Copy a container and each container within it; unchanging parts stay the same objects."""
    kind = type(value)
    if kind in _UNCHANGING:
        return value
    if kind not in _WALKED or (kind is dict and not _KEYS.issuperset(map(type, value))):
        raise _HasOtherParts
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
        return _SNAPSHOT_CODEC.encode(value)
    except Exception:  # for example, it contains itself
        return b""


def find_changes(snapshots: Sequence[Snapshot], arguments: Sequence[object]) -> Changes:
    """Return the arguments that have changed since `take_snapshots` returned these snapshots."""
    return [
        [place, value]
        for place, (snapshot, value) in enumerate(zip(snapshots, arguments, strict=True))
        if snapshot is not None and _has_changed(snapshot, value)
    ]


def _has_changed(snapshot: Any, value: Any) -> bool:
    if type(snapshot) is not bytes:
        if _has_the_same_parts(snapshot, value, {}):
            return False
        snapshot = _print_of(snapshot)
    return _print_of(value) != snapshot


def _has_the_same_parts(old: Any, new: Any, pairs: dict[int, Any]) -> bool:
    """Return whether the parts are the same objects, not equal ones, in the same containers."""
    if old is new:
        return True
    if type(old) is not type(new) or type(old) not in _WALKED or len(old) != len(new):
        return False
    if id(old) in pairs or id(new) in pairs:
        return pairs.get(id(old)) is new and pairs.get(id(new)) is old
    pairs[id(old)], pairs[id(new)] = new, old
    if type(old) is dict:
        if not all(map(operator.is_, old, new)):
            return False
        old, new = old.values(), new.values()
    return all(map(operator.is_, old, new)) or all(
        _has_the_same_parts(*pair, pairs) for pair in zip(old, new, strict=True)
    )


def repeat_changes(arguments: Sequence[Any], changes: Changes) -> None:
    """Repeat on these arguments the changes of their copies. Raises `Unchangeable`."""
    new_values: Became = {}
    for place, value in changes:
        if type(place) is not int or not 0 <= place < len(arguments):
            raise Unchangeable("an argument that isn't there was changed")
        if new_values.get(id(arguments[place]), new_values) is not value:
            _take_value(arguments[place], value, new_values)


class SavedContent:
    """The content of a container and of the containers within it; `put_back` restores it."""

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


def _fill(array: np.ndarray, source: np.ndarray) -> None:
    """Give an array the shape and the entries of `source`, which has the same size."""
    if array.shape != source.shape:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # no other way works in place
            try:
                array.shape = source.shape
            except AttributeError:
                raise Unchangeable("an array got a shape that can't be repeated") from None
    array[...] = source


def copy_container(value: Any) -> Any:
    """Return a deep copy of a container, or any other value itself."""
    return copy.deepcopy(value) if _is_container(value) else value


def _copy_content(value: Any) -> Any:
    if type(value) is tuple:
        return None
    return value.copy(deep=True) if dataframes.kind_of(value) else copy.copy(value)


def save_content(arguments: Sequence[object], changes: Changes) -> list[SavedContent]:
    """Save the content of the arguments that `changes` will change."""
    places = [place for place, _ in changes if type(place) is int and 0 <= place < len(arguments)]
    return [SavedContent(arguments[p]) for p in places if _is_container(arguments[p])]


def _take_value(old: Any, new: Any, new_values: Became) -> None:
    new_values[id(old)] = new
    kind = type(old)
    if type(new) is not kind:
        raise Unchangeable(f"an argument of the type {kind.__name__} became another one")
    if kind is np.ndarray:
        if old.size != new.size or not old.flags.writeable:
            raise Unchangeable("an array was changed in a way that can't be repeated")
        _fill(old, new)
    elif kind in (list, tuple) and len(old) == len(new):
        for place, (old_part, new_part) in enumerate(zip(old, new, strict=True)):
            part = _part(old_part, new_part, new_values)
            if kind is list:
                old[place] = part
    elif kind is dict:
        parts = {key: _part(old.get(key), new_part, new_values) for key, new_part in new.items()}
        old.clear()
        old.update(parts)
    elif kind is set:
        old.clear()
        old.update(new)
    elif kind in (list, bytearray):
        old[:] = new
    elif dataframes.kind_of(old):
        dataframes.become(old, new)
    else:
        raise Unchangeable(f"an argument of the type {kind.__name__} was changed")


def _is_replaced(old: Any, new: Any) -> bool:
    """Return whether a part must be another object now, since the old one can't become it."""
    if type(old) is np.ndarray:
        return (old.size, old.dtype) != (new.size, new.dtype) or not old.flags.writeable
    return type(old) is tuple and len(old) != len(new)


def _part(old: Any, new: Any, new_values: Became) -> object:
    """Return the part for a place in a container: the old part with new content, or the new part.

    If an old part was in two places, it can become only one of the two new parts.
    """
    if not _is_container(old) or type(new) is not type(old) or _is_replaced(old, new):
        return new
    if type(old) is tuple:
        parts = tuple(_part(*pair, new_values) for pair in zip(old, new, strict=True))
        return old if all(map(operator.is_, old, parts)) else parts
    if id(old) not in new_values:
        _take_value(old, new, new_values)
    return old if new_values[id(old)] is new else new
