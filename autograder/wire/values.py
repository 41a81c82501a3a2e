"""Plain values to bytes and back, in a format that cannot run code on decoding.

Plain values are None, booleans, numbers, strings, bytes, lists, tuples, dicts, sets, ranges,
slices, fractions, decimals, dates and times, counters, dictionaries with built-in defaults, named
tuples, numpy scalars and arrays, series and frames of pandas (see `dataframes`). A class never
crosses: the receiver makes a new value of the same kind. Any other object crosses as a reference,
and stays in its own process (see `standins`). A list that occurs in a value twice arrives as one
list (see `shared_parts`).
Large arrays are sent before the value (see `pieces`).
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import re
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn, Protocol

import msgpack
import numpy as np

from autograder.wire import arrays, dataframes, datetimes, shared_parts
from autograder.wire.errors import Malformed, Unanswerable
from autograder.wire.run import current_run

MAX_DEPTH = 50  # containers within containers
MAX_BYTES = 64 << 20  # of a value with every shared part written out
MAX_INTEGER_BYTES = 1 << 13  # computing with longer integers, or fractions of them, takes too long

TUPLE, SET, FROZENSET, COMPLEX, INTEGER, RANGE, SLICE, FRACTION = range(1, 9)
BASE, SCALAR, ARRAY, OBJECT_ARRAY = range(9, 13)
THEIRS, YOURS, GENERATOR = range(13, 16)  # an object of the sender, of the receiver; a copy
DECIMAL, DATE, TIME, MOMENT, DURATION, COUNTER, RECORD, SERIES, FRAME = range(16, 25)
KIND = 27  # a value of a subclass of a builtin class
DEFAULTS = 28  # a dictionary with a built-in class that makes its defaults
AHEAD = 26  # an array that is sent before the value


class Aside(Protocol):
    """The sender and receiver of arrays of more than `large` bytes."""

    large: int

    def set_aside(self, array: np.ndarray) -> object:
        """Take an array, and return a reference that replaces it in the value."""

    def put_together(self, reference: object) -> bytes | bytearray:
        """Return the bytes of the array with this reference."""


class Codec:
    """An encoder and decoder of values.

    `refer` and `resolve` turn objects that are not plain into (code, plain description) and back. A
    value with every shared part written out may have `most` bytes.
    """

    def __init__(
        self,
        refer: Callable[[object], tuple[int, object]],
        resolve: Callable[[int, object], object],
        most: int = MAX_BYTES,
        aside: Aside | None = None,
    ) -> None:
        self._refer = refer
        self._resolve = resolve
        self._max_bytes = most
        self._aside = aside
        self._packers: list[msgpack.Packer] = []  # unused ones; each level needs one
        self._level = 0
        # Of the value that is being encoded, if it has shared parts; otherwise `_no_parts`.
        self._parts = shared_parts.Parts(most)
        self._no_parts = shared_parts.Parts(0)

    def encode(self, value: object) -> bytes:
        if shared := shared_parts.find_repeated(value):
            self._parts = shared_parts.Parts(self._max_bytes)
            return shared_parts.write(value, shared, self._pack, self._parts)
        return self._pack(value)

    def _pack(self, value: object) -> bytes:
        packer = self._packers.pop() if self._packers else self._new_packer()
        try:
            return packer.pack(value)
        finally:
            self._packers.append(packer)

    def _new_packer(self) -> msgpack.Packer:
        return msgpack.Packer(
            default=self._extend, strict_types=True, unicode_errors="surrogatepass"
        )

    def decode(self, data: bytes) -> object:
        """Return the value that was encoded. Raises `Malformed` for any other bytes."""
        try:
            if data.startswith(shared_parts.SHARED):
                return shared_parts.read(
                    data, functools.partial(self._decode, MAX_DEPTH), self._max_bytes
                )
            return self._decode(MAX_DEPTH, data, self._no_parts)
        except Malformed:
            raise
        except Exception as error:  # msgpack and numpy raise many kinds
            raise Malformed(f"{type(error).__name__}: {error}") from None

    def _decode(self, depth: int, data: bytes, parts: shared_parts.Parts) -> object:
        if depth == 0:
            raise Malformed(f"more than {MAX_DEPTH} values within each other")

        def extended(code: int, inner: bytes) -> object:
            if (
                code == TUPLE
                and len(inner) <= _MAX_SHORT
                and (items := _unpack_short_tuple(inner)) is not None
            ):
                return items
            value = self._decode(depth - 1, inner, parts)
            if code == shared_parts.AGAIN:
                return parts.again(value)
            return (
                self._restore_ahead(value, parts) if code == AHEAD else self._restore(code, value)
            )

        return msgpack.unpackb(
            data,
            ext_hook=extended,
            strict_map_key=False,
            unicode_errors="surrogatepass",
            timestamp=1,
        )

    def _extend(self, value: object) -> msgpack.ExtType:
        kind: Any = type(value)
        if type(value) is tuple and len(value) < _MAX_SHORT and set(map(type, value)) == {int}:
            return _pack_short_tuple(value)
        code: int
        inner: object
        if isinstance(value, np.ndarray) and self._is_aside(value):
            code, inner = AHEAD, self._set_aside(value)
        elif kind in _DESCRIBE:
            code, inner = _DESCRIBE[kind](value)
        elif isinstance(value, np.generic) and arrays.can_cross(value):
            code, inner = SCALAR, [value.dtype.str, value.tobytes()]
        else:
            base = _describe_base(value) if _may_be_plain(kind) else None
            code, inner = base or self._refer(value)
        if self._level >= MAX_DEPTH - 2:  # the other process would not read it
            raise ValueError("values so deep within each other can't pass to or from a test")
        self._level += 1
        try:
            return msgpack.ExtType(code, self._pack(inner))
        finally:
            self._level -= 1

    def _is_aside(self, array: np.ndarray) -> bool:
        if self._aside is None or type(array) is not np.ndarray:
            return False
        return array.nbytes > self._aside.large and arrays.can_cross(array)

    def _set_aside(self, array: np.ndarray) -> list:
        assert self._aside is not None
        self._parts.aside += array.nbytes
        return arrays.describe_array(array, self._aside.set_aside(array))

    def _restore_ahead(self, inner: Any, parts: shared_parts.Parts) -> np.ndarray:
        if self._aside is None:
            raise Malformed("an array ahead of a value")
        name, shape, reference = inner
        data = self._aside.put_together(reference)
        parts.aside += len(data)
        return arrays.restore_array([name, shape, data])

    def _restore(self, code: int, inner: Any) -> object:
        if code in (THEIRS, YOURS, GENERATOR):
            return self._resolve(code, inner)
        if code not in _RESTORE:
            raise Malformed(f"no value has the code {code}")
        return _RESTORE[code](inner)


# Laws and graphs have thousands of keys such as (0, 1), again and again.
@functools.lru_cache(maxsize=4096)
def _pack_short_tuple(whole_numbers: tuple[int, ...]) -> msgpack.ExtType:
    """Pack a tuple of only whole numbers: the cache can't tell 1 from True, or 0.0 from -0.0."""
    return msgpack.ExtType(TUPLE, _PLAIN.encode(list(whole_numbers)))


@functools.lru_cache(maxsize=4096)
def _unpack_short_tuple(data: bytes) -> tuple | None:
    """Return the whole numbers and strings in these bytes; None if they hold anything else.

    With NaN, for example, one cached object would be equal to itself, unlike two NaNs.
    """
    try:
        items = msgpack.unpackb(data, timestamp=1)
    except Exception:
        return None
    is_plain = type(items) is list and all(type(item) in (bool, int, str) for item in items)
    return tuple(items) if is_plain else None


def _describe_integer(value: int) -> tuple[int, object]:
    length = int.bit_length(value) // 8 + 1
    if length > MAX_INTEGER_BYTES:
        raise ValueError(f"an integer of {length:,} bytes is too long to pass to or from a test")
    return INTEGER, int.to_bytes(value, length, "little", signed=True)


def _restore_integer(inner: bytes) -> int:
    if len(inner) > MAX_INTEGER_BYTES:
        raise Malformed(f"an integer of {len(inner):,} bytes")
    return int.from_bytes(inner, "little", signed=True)


def _describe_array(array: np.ndarray) -> tuple[int, object]:
    if arrays.can_cross(array):
        return ARRAY, arrays.describe_array(array, array.tobytes())
    return OBJECT_ARRAY, arrays.list_items(array)


@functools.lru_cache(maxsize=256)
def _may_be_plain(kind: type) -> bool:
    """Return whether the base class of a class can describe its instances."""
    if kind.__module__.startswith("numpy.ma"):
        return False  # masked entries would count
    is_base = issubclass(kind, (*_CONVERT, *_MOMENTS))
    return is_base or kind.__module__.partition(".")[0] == "pandas"


def _describe_base(value: object) -> tuple[int, object] | None:
    """Describe an instance of a subclass by the content that its base class reads."""
    if table := dataframes.kind_of(value):
        code, describe = _TABLES[table]
        with contextlib.suppress(dataframes.NotPlain, TypeError, ValueError):
            return code, describe(value)
        return None
    if isinstance(value, tuple) and (fields := _fields_of(value)) is not None:
        return RECORD, [type(value).__name__, list(fields), list(tuple.__iter__(value))]
    for base, convert in _CONVERT.items():
        if isinstance(value, base):
            if base.__hash__ is None and type(value).__hash__ is not None:
                return None  # it may be a key, and the base class can't be one
            name = type(value).__name__
            is_named = type(name) is str and _NAME.fullmatch(name)
            if is_named and base is dict and hasattr(type(value), "__missing__"):
                return KIND, [name, convert(value), True]
            if is_named and base in (*SUBCLASSED, np.ndarray):
                return KIND, [name, convert(value)]
            return BASE, convert(value)
    for base in _MOMENTS:
        if isinstance(value, base) and not _is_finer(value):
            return _DESCRIBE[base](value)
    kind = type(value)
    if kind.__module__.partition(".")[0] == "pandas" and kind.__name__.endswith("Index"):
        return BASE, np.asarray(value)
    return None


def _is_finer(value: Any) -> bool:
    """Return whether a moment of pandas has nanoseconds, or is pandas' missing moment."""
    return bool(getattr(value, "nanosecond", 0) or getattr(value, "nanoseconds", 0)) or (
        type(value).__name__ == "NaTType"
    )


def _fields_of(value: tuple) -> tuple[str, ...] | None:
    """Return the names of a named tuple's parts; None for any other tuple."""
    fields = getattr(type(value), "_fields", None)
    if type(fields) is not tuple or len(fields) != tuple.__len__(value):
        return None
    if len(fields) > _MAX_FIELDS:
        return None
    names = (type(value).__name__, *fields)
    return fields if all(type(n) is str and _NAME.fullmatch(n) for n in names) else None


def _restore_record(inner: list) -> tuple:
    name, fields, items = inner
    shape = (name, tuple(fields))
    if len(fields) != len(items) or len(fields) > _MAX_FIELDS:
        raise Malformed("a named tuple with other names than parts")
    if shape not in _records:
        if len(_records) >= _MAX_RECORD_TYPES or not all(map(_NAME.fullmatch, (name, *fields))):
            raise Malformed(f"no named tuple is called {name!r}")
        _records[shape] = namedtuple(name, fields)
    return _records[shape](*items)


def _restore_kind(inner: list) -> object:
    """Return a value of a new subclass of its builtin class: it is no instance of that itself."""
    name, value, *has_defaults = inner
    base = type(value)
    if base not in (*SUBCLASSED, np.ndarray) or not _NAME.fullmatch(name):
        raise Malformed("a subclass of no builtin class")
    if (name, base) == ("OrderedDict", dict):
        return OrderedDict(value)
    if (name, base) == ("matrix", np.ndarray) and value.ndim == 2:
        return value.view(np.matrix)
    if (name, base) not in _kinds:
        if len(_kinds) >= _MAX_RECORD_TYPES:
            return value
        _kinds[name, base] = type(name, (base,), {"__getattr__": _ask_for_more})
    kind = _kinds[name, base]
    if has_defaults:
        kind = type(name, (kind,), {"__missing__": _ask_for_default})
    return value.view(kind) if base is np.ndarray else kind(value)


def _ask_for_more(self: object, name: str) -> Any:
    """Raise: only the builtin part of a value has crossed."""
    if name.startswith("_"):
        raise AttributeError(name)
    base = next(kind for kind in type(self).__mro__ if kind in (*SUBCLASSED, np.ndarray))
    _raise_unknown(self, repr(name), f"the part that is a {base.__name__}")


def _ask_for_default(self: object, key: object) -> Any:
    """Raise: only the student's process can make the default of a missing key."""
    _raise_unknown(self, "the default of a missing key", "its content")


def _raise_unknown(value: object, subject: str, known_part: str) -> NoReturn:
    error = Unanswerable(
        f"the test asks a value of the class {type(value).__name__} for {subject}, and only "
        f"{known_part} is known to another process"
    )
    current_run().unanswerable = error
    raise error


def _describe_defaults(value: defaultdict) -> tuple[int, object]:
    content = dict(dict.items(value))
    for name, factory in _FACTORIES.items():
        if value.default_factory is factory:
            return DEFAULTS, [name, content]
    return KIND, ["defaultdict", content, True]


def _restore_defaults(inner: list) -> defaultdict:
    name, content = inner
    if name not in _FACTORIES or type(content) is not dict:
        raise Malformed("a dictionary with unknown defaults")
    return defaultdict(_FACTORIES[name], content)


def _describe_decimal(value: Decimal) -> tuple[int, object]:
    text = Decimal.__str__(value)
    if not _DECIMAL.fullmatch(text):
        raise ValueError("a decimal of so many digits is too long to pass to or from a test")
    return DECIMAL, text


def _restore_decimal(text: str) -> Decimal:
    if not _DECIMAL.fullmatch(text):
        raise Malformed("no decimal number")
    return Decimal(text)


def _refuse_value(*values: object) -> Any:
    raise TypeError(f"{values} is not plain")


_PLAIN = Codec(_refuse_value, _refuse_value)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_MAX_FIELDS, _MAX_RECORD_TYPES = 64, 1_000
SUBCLASSED = (int, float, complex, str, bytes, tuple, list, set, frozenset, dict)
# The classes that may make the defaults of a dictionary; None means no defaults.
_FACTORIES: dict[str, type | None] = {k.__name__: k for k in (*SUBCLASSED, bool)} | {"None": None}
_kinds: dict[tuple[str, type], type] = {}  # new subclasses, by name and builtin class
_records: dict[tuple[str, tuple[str, ...]], type] = {}  # of named tuples, by name and fields
_DECIMAL = re.compile(r"-?(\d{1,4000}(\.\d{1,4000})?(E[+-]?\d{1,4})?|Infinity|NaN)")
_MAX_SHORT = 64  # the most numbers, or bytes, of a short tuple

_DESCRIBE: dict[type, Callable[[Any], tuple[int, object]]] = {
    tuple: lambda value: (TUPLE, list(value)),
    set: lambda value: (SET, list(value)),
    frozenset: lambda value: (FROZENSET, list(value)),
    complex: lambda value: (COMPLEX, [value.real, value.imag]),
    int: _describe_integer,  # over 64 bits; msgpack writes smaller ones itself
    range: lambda value: (RANGE, [value.start, value.stop, value.step]),
    slice: lambda value: (SLICE, [value.start, value.stop, value.step]),
    Fraction: lambda value: (FRACTION, [value.numerator, value.denominator]),
    np.ndarray: _describe_array,
    Decimal: _describe_decimal,
    datetime.date: lambda value: (DATE, [value.year, value.month, value.day]),
    datetime.time: lambda value: (TIME, datetimes.describe_time(value)),
    datetime.datetime: lambda value: (MOMENT, datetimes.describe_datetime(value)),
    datetime.timedelta: lambda value: (DURATION, [value.days, value.seconds, value.microseconds]),
    Counter: lambda value: (COUNTER, dict(dict.items(value))),
    defaultdict: _describe_defaults,
}

_MOMENTS = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, Fraction)

_TABLES: dict[str, tuple[int, Callable[[Any], list]]] = {
    "Series": (SERIES, dataframes.describe_series),
    "DataFrame": (FRAME, dataframes.describe_frame),
}

_CONVERT: dict[type, Callable[[Any], object]] = {
    int: int.__index__,
    float: float.__float__,
    complex: complex.__complex__,
    str: str.__str__,
    bytes: lambda value: bytes(memoryview(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    list: lambda value: list(list.__iter__(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    np.ndarray: lambda value: np.array(value, subok=False),
}

_RESTORE: dict[int, Callable[[Any], object]] = {
    TUPLE: tuple,
    SET: set,
    FROZENSET: frozenset,
    COMPLEX: lambda inner: complex(*inner),
    INTEGER: _restore_integer,
    RANGE: lambda inner: range(*inner),
    SLICE: lambda inner: slice(*inner),
    FRACTION: lambda inner: Fraction(*inner),
    BASE: lambda inner: inner,
    KIND: _restore_kind,
    SCALAR: lambda inner: arrays.restore_array([inner[0], [], inner[1]])[()],
    ARRAY: arrays.restore_array,
    OBJECT_ARRAY: arrays.restore_items,
    DECIMAL: _restore_decimal,
    DATE: datetimes.restore_date,
    TIME: datetimes.restore_time,
    MOMENT: datetimes.restore_datetime,
    DURATION: datetimes.restore_duration,
    COUNTER: lambda inner: Counter(inner) if type(inner) is dict else _refuse_value(inner),
    DEFAULTS: _restore_defaults,
    RECORD: _restore_record,
    SERIES: dataframes.restore_series,
    FRAME: dataframes.restore_frame,
}
