"""Stand-ins for what is not a plain value: functions, classes, instances, iterators.

An object stays in its own room. What crosses is a number, by which each room knows the objects
that it has handed over, and a description. The stand-in made from them forwards calls, public
attributes, items and iteration. It never forwards a comparison, a conversion to a number or an
array, or a truth value: these are where an object could lie.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.wire.alarm import CellTimeout
from autograder.wire.arguments import Changes, changes_since, seen
from autograder.wire.generators import describe_generator, restore_generator
from autograder.wire.malformed import Malformed
from autograder.wire.messages import To
from autograder.wire.signatures import described, restored
from autograder.wire.values import GENERATOR, THEIRS, YOURS, stack

if TYPE_CHECKING:
    from autograder.wire.channel import Channel

MAX_OBJECTS = 100_000


class RemoteError(RuntimeError):
    """An error of the other room that is not raised here as its own class, which is `kind`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def class_name(error: BaseException) -> str:
    """The class of an error, also where it was raised in the other room."""
    return error.kind if isinstance(error, RemoteError) else type(error).__name__


class StandIn:
    """Stands for an object of the other room."""

    __slots__ = ("__name__", "_about", "_channel")
    _about: str
    _channel: Channel

    def __init__(self, channel: Channel, about: str) -> None:
        object.__setattr__(self, "_channel", channel)
        object.__setattr__(self, "_about", about)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "__name__":
            raise AttributeError(f"{self._about} has no attribute {name!r} to be read from here")
        value = self._channel.request("getattr", self, name)
        if name == "__name__":  # asked for by every message about a call
            object.__setattr__(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self._about} can't be changed from here")

    def __repr__(self) -> str:
        return f"<{self._about}>"

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
    """Stands for a function, a method, a class or another object that can be called."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        with self._channel.calling([*args, *kwargs.values()]):
            return self._channel.request("call", self, args, kwargs, None)

    def __instancecheck__(self, instance: object) -> bool:
        return self._channel.request("isinstance", instance, self) is True


class ModuleStandIn(StandIn):
    """Stands for a module."""

    __slots__ = ()


def _described(self: StandIn) -> tuple[str | None, inspect.Signature | None]:
    """What the object says of itself; to the student's room, nothing."""
    if self._channel.here is not To.EXAMINER:
        return None, None
    return restored(self._channel.request("about", self))


def _signature(self: StandIn) -> inspect.Signature | None:
    if (found := _described(self)[1]) is None:
        raise AttributeError("__signature__")  # as what can't be called, or says nothing, has none
    return found


def _annotations(self: StandIn) -> None:
    raise AttributeError("__annotations__")


# Every class has these of its own: without, a test would read what is said of stand-ins.
for _class in (StandIn, CallableStandIn, ModuleStandIn):
    _class.__doc__ = property(lambda self: _described(self)[0])  # type: ignore[assignment]
    _class.__annotations__ = property(_annotations)  # type: ignore[assignment]
CallableStandIn.__signature__ = property(_signature)  # type: ignore[attr-defined]


def _refuse(self: StandIn, *arguments: object, **keywords: object) -> None:
    raise TypeError(f"expected a plain value such as a number or an array, not {self._about}")


_OPERATORS = "add|sub|mul|truediv|floordiv|mod|divmod|pow|matmul|and|or|xor|lshift|rshift"
_REFUSED = "bool|float|int|index|complex|array|array_ufunc|array_function"
_REFUSED += "|lt|le|gt|ge|neg|pos|abs|invert|round"
for _name in f"{_REFUSED}|{_OPERATORS}|r{_OPERATORS.replace('|', '|r')}".split("|"):
    setattr(StandIn, f"__{_name}__", _refuse)


class GeneratorStandIn(np.random.Generator):
    """Stands for a generator that the other room watches or scripts: each draw is one there.

    A method is asked for once, and then called.
    """

    def __init__(self, channel: Channel, about: str) -> None:
        super().__init__(np.random.PCG64(0))
        self._channel = channel
        self._about = about
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
    """`count` calls with the same arguments, in one message."""
    with function._channel.calling([*args, *kwargs.values()]):
        return function._channel.request("call", function, args, kwargs, count)


Step = tuple[str, tuple | None]  # (method, its arguments), (attribute, None), or ("", arguments)


def in_turn(target: StandIn, steps: Sequence[Step]) -> list[tuple[Any, Exception | None]]:
    """What each step gives, or the error that it raises, in one message; the next one goes on.

    Across the line each is a list: of the value alone, or of three that describe an error.
    """
    with target._channel.calling(_arguments(steps)):
        answers: Any = target._channel.request("steps", target, list(steps))
    is_whole = type(answers) is list and len(answers) == len(steps)
    if not is_whole or not all(type(one) is list and len(one) in (1, 3) for one in answers):
        raise TypeError(f"expected {len(steps)} answers, one for each step")
    return [_answered(*answer) for answer in answers]


def _arguments(steps: Sequence[Step]) -> list:
    return [argument for _, args in steps if args for argument in args]


def _answered(*answer: Any) -> tuple[Any, Exception | None]:
    if len(answer) == 1:
        return answer[0], None
    error = rebuild_error(*answer)
    if not isinstance(error, Exception):
        raise error
    return None, error


class Ledger:
    """What this room has handed over, and the stand-ins that it holds."""

    def __init__(
        self,
        channel: Channel,
        secret: bytes,
        around_calls: Callable[[], AbstractContextManager] = contextlib.nullcontext,
    ) -> None:
        self._channel = channel
        self._secret = secret
        self._around_calls = around_calls
        self.tells_changes = False  # of arguments, by calls of this room's objects
        self._objects: list[object] = []
        self._numbers: dict[int, int] = {}  # of an object's own id
        self._stand_ins: dict[int, object] = {}
        self._theirs: dict[int, int] = {}  # a stand-in's id: the other room's number

    def refer(self, value: object) -> tuple[int, object]:
        """What to send in place of an object that is not plain."""
        if id(value) in self._theirs:
            return YOURS, self._theirs[id(value)]
        if type(value) is np.random.Generator:
            return GENERATOR, describe_generator(value, self._secret)
        if isinstance(value, _NEVER):
            raise TypeError(f"{_describe(value)} can't pass to or from a test")
        if id(value) not in self._numbers:
            if len(self._objects) >= MAX_OBJECTS:
                raise MemoryError(f"more than {MAX_OBJECTS:,} objects pass to or from tests")
            self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return THEIRS, [self._numbers[id(value)], _kind(value), _describe(value)]

    def count(self) -> int:
        """How many objects have been handed over."""
        return len(self._objects)

    def forget(self, count: int) -> None:
        """All but the first `count` objects: they were in a message that was never sent."""
        for value in self._objects[count:]:
            del self._numbers[id(value)]
        del self._objects[count:]

    def resolve(self, code: int, inner: Any) -> object:
        if code == GENERATOR:
            return restore_generator(inner)
        if code == YOURS:
            if type(inner) is not int or not 0 <= inner < len(self._objects):
                raise Malformed("an object that was never handed over")
            return self._objects[inner]
        number, kind, about = inner
        if number not in self._stand_ins:
            self._stand_ins[number] = stand_in = _KINDS[kind](self._channel, _printable(about))
            self._theirs[id(stand_in)] = number
        return self._stand_ins[number]

    def handlers(self) -> dict:
        """The requests about objects of this room."""
        return {
            "call": self._call,
            "steps": self._steps,
            "getattr": self._getattr,
            "len": lambda target: len(self._own(target)),
            "getitem": lambda target, key: self._own(target)[key],
            "contains": lambda target, item: item in self._own(target),
            "iter": lambda target: iter(self._own(target)),
            "next": self._next,
            "isinstance": lambda value, kind: isinstance(value, self._own(kind)),
        }

    def _own(self, target: object) -> Any:
        """Nothing but an object that was handed over, never a value of the other's making."""
        if id(target) not in self._numbers:
            raise TypeError("only an object that was handed over can be used")
        return target

    def about(self, target: object) -> list:
        """What an object of the student's room says of itself."""
        return described(self._own(target))

    def _call(self, target: object, args: tuple, kwargs: dict, count: int | None) -> object:
        function = self._own(target)
        with self._around_calls(), self._watched([*args, *kwargs.values()]):
            if count is None:
                return function(*args, **kwargs)
            return stack([function(*args, **kwargs) for _ in range(count)])

    @contextlib.contextmanager
    def _watched(self, arguments: list) -> Iterator[None]:
        """Tell the other room which arguments a call has changed, where it wants to know."""
        if not self.tells_changes:
            yield
            return
        before = seen(arguments)
        try:
            yield
        finally:
            if changes := changes_since(before, arguments):
                self._tell(changes)

    def _tell(self, changes: Changes) -> None:
        try:
            self._channel.notify("changed", changes)
        except (TypeError, ValueError, MemoryError, RecursionError):  # what can't cross
            self._channel.notify("changed", [[place, None] for place, _ in changes])

    def _steps(self, target: object, steps: list[Step]) -> list[list]:
        with self._around_calls(), self._watched(_arguments(steps)):
            return [self._step(self._own(target), name, args) for name, args in steps]

    def _step(self, target: Any, name: str, args: tuple | None) -> list:
        try:
            part: Any = self._getattr(target, name) if name else target
            return [part if args is None else part(*args)]
        except (Exception, SystemExit) as error:
            return [*describe_error(error), self._channel.keep_error(error)]

    def _getattr(self, target: object, name: str) -> object:
        if not _is_open(self._own(target), name):
            raise AttributeError(f"{_describe(target)} has no attribute {name!r}")
        return getattr(target, name)

    def _next(self, target: object) -> list:
        for item in self._own(target):
            return [item]
        return []


def describe_error(error: BaseException) -> tuple[str, str]:
    """The nearest builtin class and the message.

    A subclass of NotImplementedError, such as IPython's about `input`, is no stub that is left.
    """
    if isinstance(error, CellTimeout):
        return CellTimeout.__name__, str(error)
    above = [kind for kind in type(error).__mro__ if kind.__module__ == "builtins"]
    if above[0] is NotImplementedError and type(error) is not NotImplementedError:
        del above[0]
    plain = isinstance(error, KeyError) and len(error.args) == 1 and type(error.args[0]) is str
    try:
        message = error.args[0] if plain else str.__str__(str(error))
    except Exception:
        message = "its message cannot be shown"
    return above[0].__name__, message[:10_000]


def rebuild_error(name: str, message: str, number: int) -> BaseException:
    """An error of the other room, to be raised here; `number` finds its traceback there."""
    kind = getattr(builtins, str(name), None)
    error: BaseException = RemoteError(str(name)[:100], str(message))
    if name == CellTimeout.__name__:
        error = CellTimeout(message)
    elif isinstance(kind, type) and issubclass(kind, Exception) and kind not in _NOT_RAISED:
        with contextlib.suppress(Exception):  # classes that want more than a message
            error = kind(message)
    error.remote_number = number  # type: ignore[attr-defined]
    return error


def _is_open(target: object, name: str) -> bool:
    """Whether the other room may read this attribute: public names, and never a way to frames,
    globals or bases.
    """
    if name == "__name__":
        return True
    if name.startswith("_") or isinstance(target, _CLOSED):
        return False
    if isinstance(target, types.FunctionType):
        return name in vars(target)
    if isinstance(target, type):
        return any(name in vars(base) for base in target.__mro__)
    return True


def _kind(value: object) -> str:
    if isinstance(value, np.random.Generator):
        return "generator"
    if isinstance(value, types.ModuleType):
        return "module"
    return "callable" if callable(value) else "object"


def _describe(value: object) -> str:
    kind = type(value)
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | types.MethodType):
        return f"the function {value.__name__}"
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    return f"{'an' if kind.__name__[:1] in 'AEIOUaeiou' else 'a'} {kind.__name__} object"


def _printable(about: str) -> str:
    if type(about) is not str:
        raise Malformed("a description that is not a string")
    return "".join(letter for letter in about[:80] if letter.isprintable())


_KINDS = {
    "object": StandIn,
    "callable": CallableStandIn,
    "module": ModuleStandIn,
    "generator": GeneratorStandIn,
}
_NEVER = (types.FrameType, types.CodeType, types.TracebackType)
_CLOSED = (
    types.MethodType,
    types.BuiltinFunctionType,
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
    types.ModuleType,
    functools.partial,  # what it was made of is the secret of an oracle
    np.vectorize,
)
_NOT_RAISED = (AssertionError, StopIteration, StopAsyncIteration)
