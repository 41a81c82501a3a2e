"""A random source that records every draw, for exact checks of noise."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

MAX_VALUES = 10_000_000  # of one source in total: 80 MB of floats
VALUES_PER_NOTE = 100  # the record of one draw takes as much memory as these values
_METHODS = frozenset(name for name in dir(np.random.Generator) if not name.startswith("_"))
_VECTORS = {  # each draw has as many values as this argument
    "dirichlet": "alpha",
    "multinomial": "pvals",
    "multivariate_hypergeometric": "colors",
    "multivariate_normal": "mean",
}


@dataclass(frozen=True, slots=True)
class Draw:
    """One call of a method: its arguments by numpy's names, with defaults, and its values."""

    method: str
    arguments: MappingProxyType[str, Any]
    values: Any


class Watched(np.random.Generator):
    """A generator that records all draws from it, by any method of numpy's generators.

        rng = checks.Watched()
        call = checks.call(laplace_mechanism, answers, 1, 0.5, rng)
        checks.expect_noise(call, answers, rng, "laplace", 2, otherwise=by_statistics)

    It makes the same draws as `generator` (by default `checks.generator()`). It stays in the
    examiner process, and each draw is made there. `draws` is the record.

    It refuses requests that can't work between two processes: `shuffle` and `out`, which fill an
    array in place, and `bit_generator`, whose draws it can't see. `refused` names the last
    refused request; then give the function an ordinary generator. More than `MAX_VALUES`
    values in total are an error.
    """

    def __init__(self, generator: np.random.Generator | None = None) -> None:
        if generator is None:
            from autograder.checks import generator as fresh  # that package imports this module

            generator = fresh()
        super().__init__(generator.bit_generator)
        self._source = np.random.Generator(generator.bit_generator)
        self._notes: list[Draw] = []
        self._weight = 0
        self._refused = ""
        # Made only once, because every object that crosses gets a new number.
        self._methods: dict[str, Any] = {}

    def __getattribute__(self, name: str) -> Any:
        if name == "bit_generator":
            self._refused = name
            raise AttributeError("this rng has no bit_generator: draw from rng itself")
        if name not in _METHODS:
            return object.__getattribute__(self, name)
        if name not in self._methods:
            self._methods[name] = _wrap_method(self, name)
        return self._methods[name]

    @property
    def draws(self) -> tuple[Draw, ...]:
        """All draws so far, in order."""
        return tuple(self._notes)

    @property
    def refused(self) -> str:
        """The name of the last refused request, or ""."""
        return self._refused

    def __copy__(self) -> NoReturn:
        raise TypeError("a watched generator has no copies: draw from rng itself")

    def __deepcopy__(self, memo: dict) -> NoReturn:
        self.__copy__()

    def __reduce__(self) -> NoReturn:
        self.__copy__()


def _wrap_method(source: Watched, name: str) -> Any:
    """Return the method `name` of a watched source, which records its draws."""
    draw = getattr(source._source, name)  # numpy's own methods call each other without a record
    by_name = _parameters(name)
    place = [*by_name, "dtype"].index("dtype")

    def method(*args: Any, **kwargs: Any) -> Any:
        if "dtype" in kwargs:
            kwargs["dtype"] = resolve_type(kwargs["dtype"])
        args = (*args[:place], *map(resolve_type, args[place : place + 1]), *args[place + 1 :])
        arguments = {**by_name, **dict(zip(by_name, args, strict=False)), **kwargs}
        if name == "shuffle" or arguments.get("out") is not None:
            source._refused = name
            raise TypeError(f"rng.{name} fills no array in place here: take what rng returns")
        count = _count(name, arguments)
        source._weight += VALUES_PER_NOTE + (count if count > 0 else 0)
        if source._weight > MAX_VALUES:
            raise MemoryError(f"more than {MAX_VALUES:,} values are drawn here")
        arguments = {key: _copy_read_only(value) for key, value in arguments.items()}
        values = draw(*args, **kwargs)
        note = tuple(values) if name == "spawn" else _copy_read_only(values)
        source._notes.append(Draw(name, MappingProxyType(arguments), note))
        return values

    method.__name__ = name
    return method


def resolve_type(dtype: Any) -> Any:
    """Return the type of numbers that a draw was asked for.

    A class from the student process, such as `int` or `np.float32`, is known only by its name.
    """
    if isinstance(dtype, str | type | np.dtype | None):
        return dtype
    name = getattr(dtype, "__name__", None) or getattr(dtype, "name", None)
    return {"int": int, "bool": bool}.get(str(name), str(name))


@cache
def _parameters(name: str) -> dict[str, Any]:
    """Return a method's parameters with their defaults, in order."""
    parameters = list(inspect.signature(getattr(np.random.Generator, name)).parameters.values())
    return {parameter.name: parameter.default for parameter in parameters[1:]}


def _count(name: str, arguments: dict[str, Any]) -> int:
    """Return the number of values that a call would draw, or make in between.

    For a call that numpy will refuse, the number may be wrong, even below 0, or an error is raised.
    """
    if name in ("permutation", "permuted", "bytes"):
        items = arguments.get("x", arguments.get("length"))
        return int(items) if isinstance(items, int | np.integer) else np.size(items)
    if name == "spawn":
        return VALUES_PER_NOTE * arguments["n_children"]
    size = arguments.get("size")
    if name == "multinomial" and size is None:
        size = np.broadcast_shapes(np.shape(arguments["n"]), np.shape(arguments["pvals"])[:-1])
    if size is None and name not in (*_VECTORS, "choice"):
        arrays = [v for v in arguments.values() if isinstance(v, np.ndarray | list | tuple)]
        size = np.broadcast_shapes(*map(np.shape, arrays)) if arrays else None
    rows = 1 if size is None else math.prod(np.atleast_1d(size).tolist())
    if name == "choice":
        return _count_choices(rows, arguments["a"], arguments["axis"], arguments["replace"])
    width = np.atleast_1d(arguments[_VECTORS[name]]).shape[-1] if name in _VECTORS else 1
    balls = int(np.sum(arguments["colors"])) if arguments.get("method") == "count" else 0
    return rows * width + balls  # numpy makes a list of all balls


def _count_choices(rows: int, a: Any, axis: int, replace: bool) -> int:
    if isinstance(a, int | np.integer) and not replace:  # numpy lists up to 50 per draw
        return max(rows, min(int(a), 50 * rows))
    return rows * np.size(np.take(a, 0, axis)) if np.ndim(a) > 1 else rows


def _copy_read_only(value: Any) -> Any:
    """Return a copy that nobody can change."""
    if not isinstance(value, np.ndarray | list):
        return value
    array = np.array(value)
    array.flags.writeable = False
    return array
