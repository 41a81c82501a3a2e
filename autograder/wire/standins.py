"""Stand-ins for objects that are not plain values: functions, classes, instances, iterators.

An object stays in its own process. Only a description crosses, and a number by which its process
finds it again. The stand-in made from them forwards calls, public attributes, items, iteration and
the text of an object. It never forwards a comparison, a conversion to a number or an array, or a
truth value: an object could answer these with a lie. If the object's class says what these mean, a
test gets no answer at all: `Unanswerable`, which is no verdict. Otherwise they mean what they mean
for any object. The grader's own checks get a TypeError: they take plain values only.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.wire.errors import Unanswerable, rebuild_error
from autograder.wire.messages import To
from autograder.wire.run import current_run
from autograder.wire.signatures import restore_signature

if TYPE_CHECKING:
    from autograder.wire.channel import CallChannel


_PACKAGE = str(Path(__file__).resolve().parents[1])
_WIRE = str(Path(_PACKAGE, "wire"))
_RUNS_TESTS = str(Path(_PACKAGE, "examiner", "names.py"))
_LIBRARY_CODE = ("<frozen", "<string>", "<__array")  # and files; a test has its cell's name
_PROBES = ("__array", "__wrapped__", "__signature__", "__text_signature__", "_ipython", "_repr_",
           "__isabstractmethod__", "__annotations__", "__len__", "__func__", "__partialmethod__",
           "__type_params__", "__orig_class__", "_partialmethod", "__notes__")  # fmt: skip


def is_asked_by_test() -> bool:
    """Return whether a test asks, perhaps through a library, and not a function of the grader."""
    frame = sys._getframe(2)
    while frame is not None:
        filename = frame.f_code.co_filename
        if filename == _RUNS_TESTS:
            return True
        if filename.startswith(_PACKAGE) and not filename.startswith(_WIRE):
            return False
        frame = frame.f_back  # type: ignore[assignment]
    return True


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
            caller = sys._getframe(1).f_code.co_filename
            is_of_cell = caller.startswith("<") and not caller.startswith(_LIBRARY_CODE)
            if is_of_cell and not name.startswith(_PROBES) and self._is_question():
                self._raise_unanswerable(f"its attribute {name!r}")
            raise AttributeError(
                f"{self._description} has no attribute {name!r} to be read from here"
            )
        value = self._channel.request("getattr", self, name)
        if name == "__name__":  # every message about a call asks for it
            object.__setattr__(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        if self._is_question():
            self._raise_unanswerable(f"a change of its attribute {name!r}")
        raise AttributeError(f"{self._description} can't be changed from here")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __setitem__(self, key: object, value: object) -> None:
        self._raise_unanswerable("a change of its items")

    def __delitem__(self, key: object) -> None:
        self._raise_unanswerable("a change of its items")

    def __enter__(self) -> Any:
        self._raise_unanswerable("a `with` statement")

    def __exit__(self, *error: object) -> None:
        pass

    def __reduce_ex__(self, protocol: object) -> Any:
        self._raise_unanswerable("a copy of it")

    def _is_question(self) -> bool:
        """Return whether a test in the examiner process asks the object for something."""
        is_here = self._channel is not None and self._channel.here is To.EXAMINER
        return is_here and is_asked_by_test()

    def _raise_unanswerable(self, subject: str) -> Any:
        error = Unanswerable(
            f"the test asks {self._description} of the student's for {subject}, which can't be "
            "known from another process"
        )
        current_run().unanswerable = error
        raise error

    def _defines(self, name: str) -> bool | None:
        """Return whether the object's class defines a special method; None if it bars it."""
        answer = self._channel.request("defines", self, name)
        return answer if answer in (False, None) else True

    def _text(self, way: str, *details: str) -> str:
        if self._is_question():
            text = self._channel.request("text", self, way, *details)
            return text if type(text) is str else self._raise_unanswerable("its text")
        return f"<{self._description}>"

    def __repr__(self) -> str:
        return self._text("repr")

    def __str__(self) -> str:
        return self._text("str")

    def __format__(self, spec: str) -> str:
        return self._text("format", spec)

    def __eq__(self, other: object) -> Any:
        if self._is_question() and self._defines("__eq__"):
            self._raise_unanswerable("a comparison")
        return NotImplemented

    def __ne__(self, other: object) -> Any:
        if self._is_question() and (self._defines("__ne__") or self._defines("__eq__")):
            self._raise_unanswerable("a comparison")
        return NotImplemented

    def __hash__(self) -> int:
        if self._is_question():
            is_own = self._defines("__hash__")
            if is_own is None:
                raise TypeError(f"unhashable type: {self._description}")
            if is_own:
                self._raise_unanswerable("its hash")
        return object.__hash__(self)

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
        """Return True in the student process, for code such as `key or other`."""
        return True if self._channel.here is not To.EXAMINER else _truth(self)

    def __instancecheck__(self, instance: object) -> bool:
        return self._channel.request("isinstance", instance, self) is True


class ModuleStandIn(StandIn):
    """A stand-in for a module."""

    __slots__ = ()


class ViewStandIn(StandIn):
    """A stand-in for the keys or the items of a dictionary: it compares by its present content."""

    __slots__ = ()
    __hash__ = StandIn.__hash__

    def _content(self) -> Any:
        parts = list(self)
        if self._description == "a dict_items object":
            return dict(parts).items()
        return dict.fromkeys(parts).keys()


def _operate_on_content(name: str) -> Callable[[ViewStandIn, object], Any]:
    def method(self: ViewStandIn, other: object) -> Any:
        content = other._content() if isinstance(other, ViewStandIn) else other
        return getattr(self._content(), name)(content)

    return method


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "and", "or", "sub", "xor",
              "rand", "ror", "rsub", "rxor"):  # fmt: skip
    setattr(ViewStandIn, f"__{_name}__", _operate_on_content(f"__{_name}__"))


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
for _class in (StandIn, CallableStandIn, ModuleStandIn, ViewStandIn):
    _class.__doc__ = property(lambda self: _request_description(self)[0])  # type: ignore[assignment]
    _class.__annotations__ = property(_annotations)  # type: ignore[assignment]
CallableStandIn.__signature__ = property(_signature)  # type: ignore[attr-defined]


def _refuse(self: StandIn, name: str) -> None:
    """Raise if the object's class says what an operation means, or if the grader's checks ask."""
    if not self._is_question():
        raise TypeError(
            f"expected a plain value such as a number or an array, not {self._description}"
        )
    if any(map(self._defines, _ARRAY_METHODS if name.startswith("__array") else (name,))):
        self._raise_unanswerable(f"the operation {name!r}")


def _truth(self: StandIn) -> bool:
    _refuse(self, "__bool__")
    if self._defines("__len__"):
        self._raise_unanswerable("its truth")
    return True


def _binary(name: str) -> Any:
    def method(self: StandIn, *arguments: object) -> Any:
        _refuse(self, name)
        return NotImplemented

    return method


def _unary(name: str) -> Any:
    def method(self: StandIn, *arguments: object, **keywords: object) -> Any:
        _refuse(self, name)
        raise TypeError(f"{self._description} is no number and no array")

    return method


# numpy makes an array of an object by any of these.
_ARRAY_METHODS = ("__array__", "__array_ufunc__", "__array_function__", "__float__", "__add__",
                  "__len__", "__getitem__", "__eq__", "__lt__")  # fmt: skip
_OPERATORS = "add|sub|mul|truediv|floordiv|mod|divmod|pow|matmul|and|or|xor|lshift|rshift"
_BINARY = f"lt|le|gt|ge|{_OPERATORS}|r{_OPERATORS.replace('|', '|r')}"
_UNARY = "float|int|index|complex|array|array_ufunc|array_function|neg|pos|abs|invert|round"
for _name in _BINARY.split("|"):
    setattr(StandIn, f"__{_name}__", _binary(f"__{_name}__"))
for _name in _UNARY.split("|"):
    setattr(StandIn, f"__{_name}__", _unary(f"__{_name}__"))
StandIn.__bool__ = _truth  # type: ignore[attr-defined]


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

    def __repr__(self) -> str:
        return f"<{self._description}>"


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
