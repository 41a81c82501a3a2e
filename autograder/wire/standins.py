"""Stand-ins for objects that are not plain values: functions, classes, instances, iterators.

An object stays in its own process. Only a description crosses, and a number by which its process
finds it again. The stand-in made from them forwards calls, public attributes, items and iteration.
It never forwards a comparison, a conversion to a number or an array, or a truth value: an object
could answer these with a lie.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.wire.errors import rebuild_error
from autograder.wire.messages import To
from autograder.wire.signatures import restore_signature

if TYPE_CHECKING:
    from autograder.wire.channel import CallChannel


class StandIn:
    """A stand-in for an object of the other process."""

    __slots__ = ("__name__", "_channel", "_description")
    _description: str
    _channel: CallChannel

    def __init__(self, channel: CallChannel, description: str) -> None:
        object.__setattr__(self, "_channel", channel)
        object.__setattr__(self, "_description", description)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "__name__":
            raise AttributeError(
                f"{self._description} has no attribute {name!r} to be read from here"
            )
        value = self._channel.request("getattr", self, name)
        if name == "__name__":  # every message about a call asks for it
            object.__setattr__(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self._description} can't be changed from here")

    def __repr__(self) -> str:
        return f"<{self._description}>"

    def __len__(self) -> Any:
        return self._channel.request("len", self)

    def __getitem__(self, key: object) -> object:
        return self._channel.request("getitem", self, key)

    def __contains__(self, item: object) -> bool:
        return self._channel.request("contains", self, item) is True

    def __iter__(self) -> Any:
        return self._channel.request("iter", self)

    def __next__(self) -> Any:
        items: Any = self._channel.request("next", self)
        if not items:
            raise StopIteration
        return items[0]


class CallableStandIn(StandIn):
    """A stand-in for a function, a method, a class or another object that can be called."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._channel.call(self, args, kwargs)

    def __bool__(self) -> bool:
        """Return True in the student process, for code such as `key or other`; refuse otherwise."""
        if self._channel.here is To.EXAMINER:
            _refuse(self)
        return True

    def __instancecheck__(self, instance: object) -> bool:
        return self._channel.request("isinstance", instance, self) is True


class ModuleStandIn(StandIn):
    """A stand-in for a module."""

    __slots__ = ()


def _request_description(self: StandIn) -> tuple[str | None, inspect.Signature | None]:
    """Ask for an object's docstring and signature; the student process gets neither."""
    if self._channel.here is not To.EXAMINER:
        return None, None
    return restore_signature(self._channel.request("about", self))


def _signature(self: StandIn) -> inspect.Signature | None:
    if (signature := _request_description(self)[1]) is None:
        raise AttributeError("__signature__")  # as for objects without a signature
    return signature


def _annotations(self: StandIn) -> None:
    raise AttributeError("__annotations__")


# Without these, a test would read the docstrings and annotations of the stand-in classes.
for _class in (StandIn, CallableStandIn, ModuleStandIn):
    _class.__doc__ = property(lambda self: _request_description(self)[0])  # type: ignore[assignment]
    _class.__annotations__ = property(_annotations)  # type: ignore[assignment]
CallableStandIn.__signature__ = property(_signature)  # type: ignore[attr-defined]


def _refuse(self: StandIn, *arguments: object, **keywords: object) -> None:
    raise TypeError(f"expected a plain value such as a number or an array, not {self._description}")


_OPERATORS = "add|sub|mul|truediv|floordiv|mod|divmod|pow|matmul|and|or|xor|lshift|rshift"
_REFUSED = "bool|float|int|index|complex|array|array_ufunc|array_function"
_REFUSED += "|lt|le|gt|ge|neg|pos|abs|invert|round"
for _name in f"{_REFUSED}|{_OPERATORS}|r{_OPERATORS.replace('|', '|r')}".split("|"):
    setattr(StandIn, f"__{_name}__", _refuse)


class GeneratorStandIn(np.random.Generator):
    """A stand-in for a generator that the other process watches or scripts: it makes each draw.

    Each method is requested once, and then called.
    """

    def __init__(self, channel: CallChannel, description: str) -> None:
        super().__init__(np.random.PCG64(0))
        self._channel = channel
        self._description = description
        self._methods: dict[str, CallableStandIn] = {}

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_"):
            return object.__getattribute__(self, name)
        if name not in self._methods:
            value = self._channel.request("getattr", self, name)
            if not isinstance(value, CallableStandIn):
                return value
            self._methods[name] = value
        return self._methods[name]

    __repr__ = StandIn.__repr__


def call_many(function: StandIn, count: int, args: tuple, kwargs: dict) -> Any:
    """Return the results of `count` calls with the same arguments, in one message."""
    return function._channel.call(function, args, kwargs, count)


Step = tuple[str, tuple | None]  # (method, its arguments), (attribute, None), or ("", arguments)


def use_in_turn(target: StandIn, steps: Sequence[Step]) -> list[tuple[Any, Exception | None]]:
    """Return each step's value, or its error, in one message; an error doesn't stop the next step.

    In the message each is a list: of the value only, or of three items that describe an error.
    """
    answers: Any = target._channel.use(list_arguments(steps), "steps", target, list(steps))
    is_whole = type(answers) is list and len(answers) == len(steps)
    if not is_whole or not all(type(a) is list and len(a) in (1, 3) for a in answers):
        raise TypeError(f"expected {len(steps)} answers, one for each step")
    return [_read_answer(*answer) for answer in answers]


def list_arguments(steps: Sequence[Step]) -> list:
    """Return all arguments of the calls among some steps, in order."""
    return [argument for _, args in steps if args for argument in args]


def _read_answer(*answer: Any) -> tuple[Any, Exception | None]:
    if len(answer) == 1:
        return answer[0], None
    error = rebuild_error(*answer)
    if not isinstance(error, Exception):
        raise error
    return None, error
