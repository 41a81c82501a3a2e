"""The objects that a process has handed over, and the requests about them that it answers."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from autograder.wire.arguments import Snapshot, find_changes, take_snapshots
from autograder.wire.arrays import stack
from autograder.wire.errors import Malformed, Unanswerable, describe_error
from autograder.wire.generators import describe_generator, restore_generator
from autograder.wire.messages import To
from autograder.wire.run import current_run
from autograder.wire.signatures import describe_signature
from autograder.wire.standins import (
    CallableStandIn,
    GeneratorStandIn,
    ModuleStandIn,
    StandIn,
    Step,
    ViewStandIn,
    list_arguments,
)
from autograder.wire.values import GENERATOR, SUBCLASSED, THEIRS, YOURS

if TYPE_CHECKING:
    from autograder.wire.channel import CallChannel

MAX_OBJECTS = 100_000
MAX_KEPT = 200  # values of one test that are watched for changes
_Result = TypeVar("_Result")


class ObjectTable:
    """The objects that this process has handed over, and the stand-ins that it holds."""

    def __init__(self, channel: CallChannel, secret: bytes) -> None:
        self._channel = channel
        self._secret = secret
        self._is_student_side = channel.here is To.STUDENT
        self.tells_changes = False  # whether calls of these objects report changed arguments
        # This test's answers and arguments that can change, by the number of the request, with the
        # place of an argument.
        self._kept: list[tuple[object, object, Snapshot]] = []
        self._objects: list[object] = []
        self._numbers: dict[int, int] = {}  # by the id of an object
        self._stand_ins: dict[int, object] = {}
        self._theirs: dict[int, int] = {}  # the other process' numbers, by the id of a stand-in
        self.origins: dict[int, str] = {}  # the notebook's name for an object, by number

    def refer(self, value: object) -> tuple[int, object]:
        """Return the code and the description to send instead of an object that is not plain.

        Raises `TypeError` for an object that must not pass, and `MemoryError` for more than
        `MAX_OBJECTS`.
        """
        if id(value) in self._theirs:
            return YOURS, self._theirs[id(value)]
        if type(value) is np.random.Generator:
            return GENERATOR, describe_generator(value, self._secret)
        if isinstance(value, _NEVER_SENT):
            raise TypeError(f"{_describe(value)} can't pass to or from a test")
        if id(value) not in self._numbers:
            if len(self._objects) >= MAX_OBJECTS:
                raise MemoryError(f"more than {MAX_OBJECTS:,} objects pass to or from tests")
            self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return THEIRS, [self._numbers[id(value)], _kind(value), _describe(value)]

    def count(self) -> int:
        """Return how many objects have been handed over."""
        return len(self._objects)

    def forget(self, count: int) -> None:
        """Forget all but the first `count` objects: their message was never sent."""
        for value in self._objects[count:]:
            del self._numbers[id(value)]
        del self._objects[count:]

    def resolve(self, code: int, inner: Any) -> object:
        """Return the object that `refer` described. Raises `Malformed` if there is none."""
        if code == GENERATOR:
            return restore_generator(inner)
        if code == YOURS:
            return self._object(inner)
        number, kind, description = inner
        if number not in self._stand_ins:
            self._stand_ins[number] = stand_in = _KINDS[kind](
                self._channel, _printable(description)
            )
            self._theirs[id(stand_in)] = number
            self.origins[number] = self._channel.origin
        return self._stand_ins[number]

    def _object(self, number: object) -> Any:
        """Return the object that was handed over with this number. Raises `Malformed`."""
        if type(number) is not int or not 0 <= number < len(self._objects):
            raise Malformed("an object that was never handed over")
        return self._objects[number]

    def number_of(self, stand_in: object) -> int:
        """Return the other process' number of the object behind a stand-in."""
        return self._theirs[id(stand_in)]

    def origin_of(self, target: object) -> str:
        """Return the notebook's name of a stand-in, or of the object that it came from, or ""."""
        return self.origins.get(self._theirs.get(id(target), -1), "")

    def handlers(self) -> dict:
        """Return the functions that answer requests about objects of this process."""
        return {
            "call": self._call,
            "steps": self._steps,
            "getattr": self._getattr,
            "len": lambda target: len(self._check_own(target)),
            "getitem": lambda target, key: self._check_own(target)[key],
            "contains": lambda target, item: item in self._check_own(target),
            "iter": lambda target: iter(self._check_own(target)),
            "next": self._next,
            "defines": lambda target, name: _defines(self._check_own(target), name),
            "text": self._text,
            "isinstance": self._isinstance,
        }

    def _check_own(self, target: object) -> Any:
        """Return an object that was handed over; refuse a value that the other process made."""
        if id(target) not in self._numbers:
            raise TypeError("only an object that was handed over can be used")
        return target

    def about(self, target: object) -> list:
        """Return the docstring and the parameters of an object of the student process."""
        return describe_signature(self._check_own(target))

    def _call(self, number: int, args: list, kwargs: dict, count: int | None) -> object:
        function = self._object(number)
        if count is None:
            return self._use([*args, *kwargs.values()], lambda: function(*args, **kwargs))
        repeats = range(count)
        results = self._use(
            [*args, *kwargs.values()], lambda: [function(*args, **kwargs) for _ in repeats]
        )
        return stack(results)

    def _use(self, arguments: list, use: Callable[[], _Result]) -> _Result:
        """Use an object of this process; report changed arguments if the other process wants that.

        In the student process, the use counts as a test's call.
        """
        run = current_run()
        snapshots = take_snapshots(arguments) if self.tells_changes else None
        run.student_calls += self._is_student_side
        try:
            return use()
        finally:
            run.student_calls -= self._is_student_side
            if snapshots is not None:
                self._tell_changes(snapshots, arguments)
                number = self._channel.answering
                for place, argument in enumerate(arguments):
                    self._keep([number, place], argument)

    def _tell_changes(self, snapshots: list[Snapshot], arguments: list) -> None:
        changes = find_changes(snapshots, arguments)
        try:
            if changes:
                self._channel.notify("changed", changes)
        except (TypeError, ValueError, MemoryError, RecursionError):  # a changed value can't cross
            self._channel.notify("changed", [[place, None] for place, _ in changes])

    def start_test(self, tells_changes: bool) -> None:
        """Begin a cell, and report what changes its arguments and results if a test wants that."""
        self.tells_changes = tells_changes
        self._kept.clear()

    def watch_answer(self, number: int, value: object) -> None:
        """Report the earlier values that have changed, and keep this answer if it can change."""
        if not (self.tells_changes and self._is_student_side):
            return
        changes = []
        for place, (key, kept, snapshot) in enumerate(self._kept):
            if find_changes([snapshot], [kept]):
                changes.append([key, kept])
                self._kept[place] = (key, kept, take_snapshots([kept])[0])
        self._notify_kept(changes)
        self._keep(number, value)

    def _keep(self, key: object, value: object) -> None:
        snapshot = take_snapshots([value])[0]
        if self._is_student_side and snapshot is not None and len(self._kept) < MAX_KEPT:
            self._kept.append((key, value, snapshot))

    def _notify_kept(self, changes: list[list]) -> None:
        try:
            if changes:
                self._channel.notify("kept", changes)
        except (TypeError, ValueError, MemoryError, RecursionError):  # a changed value can't cross
            self._channel.notify("kept", [[key, None] for key, _ in changes])

    def _steps(self, target: object, steps: list[Step]) -> list[list]:
        own_object = self._check_own(target)
        return self._use(
            list_arguments(steps),
            lambda: [self._step(own_object, name, args) for name, args in steps],
        )

    def _step(self, target: Any, name: str, args: tuple | None) -> list:
        try:
            part: Any = self._getattr(target, name) if name else target
            return [part if args is None else part(*args)]
        except (Exception, SystemExit) as error:
            return [*describe_error(error), self._channel.keep_error(error)]

    def _getattr(self, target: object, name: str) -> object:
        if not _may_be_read(self._check_own(target), name):
            if self._is_student_side and hasattr(target, name):
                raise Unanswerable(f"{_describe(target)} doesn't show {name!r} to a test")
            raise AttributeError(f"{_describe(target)} has no attribute {name!r}")
        return getattr(target, name)

    def _isinstance(self, value: object, kind: object) -> bool:
        own_kind = self._check_own(kind)
        is_copy = self._is_student_side and id(value) not in self._numbers
        if is_copy and isinstance(own_kind, type) and issubclass(own_kind, SUBCLASSED):
            raise Unanswerable(f"a value loses {_describe(own_kind)} on its way to a test")
        return isinstance(value, own_kind)

    def _text(self, target: object, way: str, *details: str) -> str:
        """Return the text of a student's object; a student gets only the kind of a test's."""
        own_object = self._check_own(target)
        if not self._is_student_side:
            return f"<{_describe(own_object)}>"
        ways: dict[str, Callable[..., str]] = {"str": str, "repr": repr, "format": format}
        return ways[way](own_object, *details)

    def _next(self, target: object) -> list:
        for item in self._check_own(target):
            return [item]
        return []


def _may_be_read(target: object, name: str) -> bool:
    """Return whether the other process may read this attribute.

    It may read public names, except those that lead to frames, globals or bases.
    """
    if name == "__name__":
        return True
    if name.startswith("_") or isinstance(target, _CLOSED_TYPES):
        return False
    if isinstance(target, types.FunctionType):
        return name in vars(target)
    if isinstance(target, type):
        return any(name in vars(base) for base in target.__mro__)
    return True


def _defines(target: object, name: str) -> bool | None:
    """Return whether a class other than `object` defines a special method; None if it bars it."""
    if isinstance(target, _ALIKE) or type(name) is not str:
        return False
    for base in type(target).__mro__[:-1]:
        if name in vars(base):
            return None if vars(base)[name] is None else True
    return False


def _kind(value: object) -> str:
    if isinstance(value, np.random.Generator):
        return "generator"
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, _VIEWS):
        return "view"
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


def _printable(description: str) -> str:
    if type(description) is not str:
        raise Malformed("a description that is not a string")
    return "".join(letter for letter in description[:80] if letter.isprintable())


_KINDS = {
    "object": StandIn,
    "callable": CallableStandIn,
    "module": ModuleStandIn,
    "view": ViewStandIn,
    "generator": GeneratorStandIn,
}
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))
_NEVER_SENT = (types.FrameType, types.CodeType, types.TracebackType)
_CLOSED_TYPES = (
    types.MethodType,
    types.BuiltinFunctionType,
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
    types.ModuleType,
    functools.partial,  # an oracle's secret can be in its function and arguments
    np.vectorize,
)
# Two of them are equal only if they are one object, as far as a test can see.
_ALIKE = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.GeneratorType,
    types.ModuleType,
    functools.partial,
)
