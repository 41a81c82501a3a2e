"""A random source that notes every draw: then a check of noise need not be statistical."""

from __future__ import annotations

import copy
import inspect
import math
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

MOST_VALUES = 10_000_000  # of one source together: 80 MB of floats
EACH = 100  # values that the note of one draw weighs as much as
_METHODS = frozenset(name for name in dir(np.random.Generator) if not name.startswith("_"))
_VECTORS = {  # each draw has as many values as this argument
    "dirichlet": "alpha",
    "multinomial": "pvals",
    "multivariate_hypergeometric": "colors",
    "multivariate_normal": "mean",
}
_NO_NUMBERS = ("size", "dtype", "out", "method", "endpoint")


@dataclass(frozen=True, slots=True)
class Draw:
    """One call of a method: its arguments by numpy's names, defaults included, and what it gave."""

    method: str
    arguments: MappingProxyType[str, Any]
    values: Any


class Watched(np.random.Generator):
    """A generator that notes what is drawn from it, by all the methods of numpy's own.

        rng = checks.Watched()
        call = checks.call(laplace_mechanism, answers, 1, 0.5, rng)
        checks.expect_noise(call, answers, rng, "laplace", 2)

    It draws what `generator` would have drawn (`checks.generator()` if none is given). Between
    the rooms it stays in the examiner's, and each draw is made there. `draws` is the record.

    An array can't be filled in the other room, so `shuffle` is noted as the permutation that it
    applies, and `out` is refused. So is `bit_generator`, whose draws nobody would see, and more
    than `MOST_VALUES` values in all.
    """

    def __init__(self, generator: np.random.Generator | None = None) -> None:
        if generator is None:
            from autograder.checks import generator as fresh  # it is in the package above

            generator = fresh()
        super().__init__(generator.bit_generator)
        self._notes: list[Draw] = []
        self._weight = 0
        # Made once: the other room numbers every object that it has been told of.
        self._methods: dict[str, Any] = {}

    def __getattribute__(self, name: str) -> Any:
        if name == "bit_generator":
            raise AttributeError("its draws are watched: take them from rng itself")
        if name not in _METHODS:
            return object.__getattribute__(self, name)
        if name not in self._methods:
            self._methods[name] = _watching(self, name)
        return self._methods[name]

    @property
    def draws(self) -> tuple[Draw, ...]:
        """What was drawn so far, in order."""
        return tuple(self._notes)

    def __copy__(self) -> NoReturn:
        raise TypeError("a watched generator has no copies: draw from rng itself")

    def __deepcopy__(self, memo: dict) -> NoReturn:
        self.__copy__()

    def __reduce__(self) -> NoReturn:
        self.__copy__()


def _watching(source: Watched, name: str) -> Any:
    """The method `name` of a watched source."""
    draw = getattr(np.random.Generator, name)

    def method(*args: Any, **kwargs: Any) -> Any:
        bound = _signature(name).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.arguments.get("out") is not None:
            raise TypeError(f"rng.{name} is watched here and has no out: take what it returns")
        source._weight += _count(name, bound.arguments) + EACH
        if source._weight > MOST_VALUES:
            raise MemoryError(f"more than {MOST_VALUES:,} values are drawn here")
        arguments = {key: _kept(value) for key, value in bound.arguments.items()}
        values = draw(source, *args, **kwargs)
        note = values if name == "spawn" else _kept(values)
        source._notes.append(Draw(name, MappingProxyType(arguments), note))
        return values

    def shuffle(x: Any, axis: int = 0) -> None:
        order = source.permutation(np.shape(x)[axis])
        x[:] = np.take(x, order, axis) if isinstance(x, np.ndarray) else [x[i] for i in order]

    chosen = shuffle if name == "shuffle" else method
    chosen.__name__ = name
    return chosen


@cache
def _signature(name: str) -> inspect.Signature:
    signature = inspect.signature(getattr(np.random.Generator, name))
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _count(name: str, arguments: dict[str, Any]) -> int:
    """How many values a call would draw."""
    if name in ("permutation", "permuted", "bytes"):
        what = arguments.get("x", arguments.get("length"))
        return np.size(what) if np.ndim(what) else int(what)
    if name == "spawn":
        return EACH * arguments["n_children"]
    size = arguments.get("size")
    if size is None and name not in (*_VECTORS, "choice"):
        numbers = [value for key, value in arguments.items() if key not in _NO_NUMBERS]
        size = np.broadcast_shapes(*map(np.shape, numbers))
    rows = math.prod(np.atleast_1d(() if size is None else size).tolist())
    if name == "choice" and np.ndim(arguments["a"]) > 1:
        return rows * np.size(np.take(arguments["a"], 0, arguments["axis"]))
    return rows * np.size(arguments[_VECTORS[name]]) if name in _VECTORS else rows


def _kept(value: Any) -> Any:
    """A copy that nobody changes."""
    if not isinstance(value, np.ndarray | list):
        return copy.copy(value)
    array = np.array(value)
    array.flags.writeable = False
    return array
