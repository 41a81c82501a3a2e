"""Calls of students' functions, described in words, and their results as values of our own.

A test never trusts what student code returns. It looks at numbers that were copied from the
result after a check of their types. In grading, anything else arrives as a stand-in, and is refused
here in the same words as under Jupyter.
"""

from __future__ import annotations

import contextlib
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from autograder.checks import function_names
from autograder.checks.failures import fail
from autograder.checks.numbers import equal_up_to, is_number, to_numbers
from autograder.checks.numbers import outcome as outcome_of
from autograder.checks.stated_failure import state
from autograder.checks.value_texts import (
    copy_if_short,
    describe_difference,
    describe_kind,
    describe_result,
    describe_shape,
    show,
    show_precisely,
    tell_apart,
    tell_texts_apart,
)
from autograder.wire.arguments import copy_container, repeat_changes
from autograder.wire.arrays import stack
from autograder.wire.errors import class_name
from autograder.wire.run import count_student_call
from autograder.wire.standins import StandIn, Step, call_many, use_in_turn
from dplab.distributions import Finite

TOLERANCE = 1e-8  # relative and absolute; far above rounding, far below any mistake


@dataclass(frozen=True)
class Call:
    """A call of a student's function and its result or error.

    `what` describes the call: a text, or an object that makes the text when a message needs it.
    The methods that read the result raise AssertionError, in words for the student, if it is wrong.
    """

    what: object
    value: Any = None
    error: Exception | None = None

    def __str__(self) -> str:
        """Return the call as text for messages: "debias([1, 0], 1.099)"."""
        return str(self.what)

    def result(self, hint: str = "") -> Any:
        """Return the result unchanged; fail if the call raised."""
        if self.error is not None:
            fail(self, _describe_error(self.error, self), hint, self.error)
        return self.value

    def numbers(
        self, shape: tuple[int, ...] | None = None, among: tuple = (), hint: str = ""
    ) -> np.ndarray:
        """Return the result as a float array; fail unless shape and entries are as required."""
        should = "a number" if shape == () else "numbers"
        array = to_numbers(self, self.result(hint), hint, should)
        if shape is not None and array.shape != shape:
            should, actual = describe_shape(shape), describe_shape(array.shape)
            fail(self, f"should be {should}, it is {actual}", hint)
        if among and not np.isin(array, among).all():
            wrong = show_precisely(float(array[~np.isin(array, among)].flat[0]), *among)
            allowed_entries = " or ".join(map(show, among))
            ending = f"in every entry, one is {wrong}" if array.ndim else f", it is {wrong}"
            fail(self, f"should be {allowed_entries} {ending}".replace(" ,", ","), hint)
        return array

    def fits(self, shape: tuple[int, ...], among: tuple = (), hint: str = "") -> None:
        """Fail unless the result has this shape, and only entries of `among` if there are some."""
        self.numbers(shape, among, hint)

    def number(self, hint: str = "") -> float:
        """Return the result as one float."""
        return float(self.numbers(shape=(), hint=hint))

    def gives(
        self, expected: Any, hint: str = "", tolerance: float = TOLERANCE, failure: float = 0.0
    ) -> None:
        """Fail unless the result has the shape of `expected` and is equal up to rounding.

        If `expected` is a text or None, the result must be the same. If the solution draws,
        `failure` is the probability that a right solution gives something else.
        """
        if failure:
            state(f"{self} gives {show(expected)}", failure)
        if expected is None or isinstance(expected, str):
            self._expect_same(expected, hint)
            return
        expected_array = np.asarray(expected, dtype=float)
        if isinstance(expected, bool):
            self._expect_boolean(hint)
        actual = self.numbers(shape=expected_array.shape, hint=hint)
        equal = equal_up_to(actual, expected_array, tolerance)
        if equal.all():
            return
        if isinstance(expected, bool) or isinstance(self.value, bool):
            text = describe_kind(self.value) if isinstance(self.value, bool | int) else show(actual)
            should = expected if isinstance(expected, bool) else expected_array
            fail(self, f"should be {show(should)}, it is {text}", hint)
        fail(self, describe_difference(actual, expected_array, equal), hint)

    def _expect_boolean(self, hint: str) -> None:
        should = "True or False"
        if to_numbers(self, self.result(hint), hint, should).ndim:
            fail(self, f"should be {should}, it is {describe_kind(self.value)}", hint)

    def _expect_same(self, expected: str | None, hint: str) -> None:
        result = self.result(hint)
        if isinstance(result, str) and isinstance(expected, str):
            if str.__eq__(result, expected) is not True:
                should, text = tell_texts_apart(expected, str.__str__(result))
                fail(self, f"should be {should}, it is {text}", hint)
        elif result is not expected:
            fail(self, f"should be {show(expected)}, it is {describe_result(result)}", hint)

    def law(self, hint: str = "") -> dict[tuple[int, ...], float]:
        """Return the result as a dict from tuples of whole numbers to probabilities."""
        law = {outcome_of(self, key, hint): value for key, value in self._items(hint)}
        if not_numbers := [value for value in law.values() if not is_number(value)]:
            kind = describe_kind(not_numbers[0])
            fail(self, f"should have numbers as probabilities, one is {kind}", hint)
        values = to_numbers(self, list(law.values()), hint)
        if (out_of_range := values[~((values >= 0) & (values <= 1))]).size:
            text = show_precisely(float(out_of_range[0]), 0.0, 1.0)
            fail(self, f"should have probabilities from 0 to 1, one is {text}", hint)
        if not abs(values.sum() - 1) <= TOLERANCE:
            total = show_precisely(float(values.sum()), 1.0)
            fail(self, f"has probabilities that sum to {total}, not to 1", hint)
        return dict(zip(law, values.tolist(), strict=True))

    def _items(self, hint: str) -> list[tuple[Any, Any]]:
        value = self.result(hint)
        if not isinstance(value, dict):
            fail(self, f"should be a dict, it is {describe_result(value)}", hint)
        return list(dict.items(value))

    def gives_law(self, expected: Finite, hint: str = "") -> None:
        """Fail unless the result is a dict from every outcome of `expected` to its probability."""
        actual = self.law(hint)
        for outcome, probability in zip(expected.outcomes, expected.probabilities, strict=True):
            if outcome not in actual:
                fail(self, f"has no probability for the answers {outcome}", hint)
            if not abs(actual[outcome] - probability) <= TOLERANCE:
                wanted_text, actual_text = tell_apart(probability, actual[outcome])
                should = f"should have the probability {wanted_text} for {outcome}"
                fail(self, f"{should}, it has {actual_text}", hint)
        impossible = [outcome for outcome in actual if outcome not in expected.outcomes]
        if impossible:
            fail(self, f"has a probability for {impossible[0]}, which can't happen", hint)

    def raises(self, kind: type[Exception], hint: str = "") -> None:
        """Fail unless the call raised an exception of this kind."""
        if self.error is None:
            text = describe_kind(self.value)
            if text.removeprefix("a ").removesuffix(" object") in (kind.__name__, "type"):
                text += ": write raise, not return"
            fail(self, f"should raise {kind.__name__}, it is {text}", hint)
        if not isinstance(self.error, kind):
            another = "another " if class_name(self.error) == kind.__name__ else ""
            problem = _describe_error(self.error, self).replace("raised ", f"raised {another}", 1)
            fail(self, f"should raise {kind.__name__}, it {problem}", hint)


def call(function: Callable, *arguments: Any) -> Call:
    """Call a student's function and keep its exception for the expectation that follows.

    Warnings are suppressed: nbgrader takes anything written to stderr for a failed test.
    """
    return attempt(describe_lazily(function, arguments), function, lambda: function(*arguments))


def arguments_after(function: Callable, *arguments: Any) -> tuple:
    """Return copies of the arguments as a call of a student's function leaves them.

    Use it for a function that has to change a list in place, for example. `arguments` stay
    unchanged. Raises what the function raises.
    """
    copies = tuple(map(copy_container, arguments))
    if isinstance(function, StandIn):
        function(*copies)
        repeat_changes(copies, function._channel.last_changes)
    else:
        with _suppress_warnings():
            function(*copies)
    return copies


def attempt(what: object, function: object, act: Callable[[], Any]) -> Call:
    """Call `act`, which uses the function, and return a `Call` that messages name `what`."""
    try:
        if isinstance(function, StandIn):  # warnings stay in the student process
            return Call(what, act())
        with _suppress_warnings():
            return Call(what, act())
    except Exception as error:
        return Call(what, error=error)


@contextlib.contextmanager
def _suppress_warnings() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"), count_student_call():
        warnings.simplefilter("ignore")
        yield


def _attempt_each(uses: Iterable[tuple[object, Callable[[], Any]]]) -> list[Call]:
    """Do the same as `attempt` for many uses in this process, with one setup for all."""
    calls = []
    with _suppress_warnings():
        for text, act in uses:
            try:
                calls.append(Call(text, act()))
            except Exception as error:
                calls.append(Call(text, error=error))
    return calls


def call_each(function: Callable, arguments: Iterable[tuple]) -> list[Call]:
    """Return `call(function, *args)` for each `args` of `arguments`, in order.

    All calls of a student's function together take one message between the two processes.
    """
    argument_tuples = [tuple(args) for args in arguments]
    calls = [describe_lazily(function, args) for args in argument_tuples]
    if isinstance(function, StandIn):
        return _use_in_turn(function, [("", args) for args in argument_tuples], calls)
    acts = [partial(function, *args) for args in argument_tuples]
    return _attempt_each(zip(calls, acts, strict=True))


def steps(target: Any, uses: Iterable[tuple | str]) -> list[Call]:
    """Use a student's object step by step and return a `Call` for each step.

    The step `("pay", 0.5)` calls a method with an argument, `"left"` reads an attribute. A step
    that raises doesn't stop the next one. All steps together take one message between processes.
    """
    pairs: list[Step] = [
        (step, None) if isinstance(step, str) else (step[0], tuple(step[1:])) for step in uses
    ]
    texts = [name if args is None else describe_lazily(name, args) for name, args in pairs]
    if isinstance(target, StandIn):
        return _use_in_turn(target, pairs, texts)
    acts = [partial(_step, target, *step) for step in pairs]
    return _attempt_each(zip(texts, acts, strict=True))


def _step(target: Any, name: str, args: tuple | None) -> Any:
    part = getattr(target, name)
    return part if args is None else part(*args)


def _use_in_turn(target: StandIn, pairs: list[Step], texts: Sequence) -> list[Call]:
    """Request the steps in one message; if the whole answer is an error, each step gets it."""
    outcome = attempt("", target, lambda: use_in_turn(target, pairs))
    answers = [(None, outcome.error)] * len(pairs) if outcome.error else outcome.value
    return [Call(text, *answer) for text, answer in zip(texts, answers, strict=True)]


def draws(function: Callable, *args: object, count: int, **kwargs: object) -> list | np.ndarray:
    """Return the results of `count` calls `function(*args, **kwargs)`.

    They are an array of `count` rows if all results are numbers, or arrays of one shape, and a list
    otherwise. All calls use the same generator, if one is among the arguments. All calls of a
    student's function together take one message between the two processes.

    Raises `ValueError` unless `count` is a positive integer, and what the function raises.
    """
    if not isinstance(count, int) or count < 1:
        raise ValueError(f"count must be a positive integer, got {count!r}")
    if isinstance(function, StandIn):
        return call_many(function, count, args, kwargs)
    with count_student_call():
        return stack([function(*args, **kwargs) for _ in range(count)])


def repeat(function: Callable, *args: object, count: int) -> Call:
    """Return `draws` as a `Call`, for a test cell: its result has `count` rows."""
    times = "once" if count == 1 else f"{count} times"
    text = describe_lazily(function, args, f", called {times},")
    return attempt(text, function, lambda: draws(function, *args, count=count))


@dataclass(frozen=True)
class _CallText:
    """The text of a call, made only when a message needs it: most calls need none."""

    function: Callable | str
    arguments: tuple
    more: str = ""

    def __str__(self) -> str:
        return describe_call(self.function, self.arguments) + self.more


def describe_lazily(function: Callable | str, arguments: tuple, more: str = "") -> _CallText:
    """Return the text of a call before it is made, from copies of its arguments."""
    if not isinstance(function, StandIn):  # the student process changes only its own copies
        arguments = tuple(map(copy_if_short, arguments))
    return _CallText(function, arguments, more)


def describe_call(function: Callable | str, arguments: tuple) -> str:
    """Return the call as a student would write it: "respond([0, 1], 1.099, rng)"."""
    name = function if isinstance(function, str) else function_names.name_of(function)
    return f"{name}({', '.join(map(show, arguments))})"


def _describe_error(error: Exception, call: object) -> str:
    if isinstance(error, NotImplementedError) and not str(error):
        return f"{_describe_stub(error, str(call))}: put your code into its cell"
    if isinstance(error, AssertionError) and "hint" in vars(error):  # a check inside the function
        return f"failed: {str(error)[:300]}"
    kind = class_name(error)
    if kind == SystemExit.__name__:
        return "left with an exit command: end it with a return"
    if isinstance(error, BlockingIOError):
        return "raised BlockingIOError: no notebook may start so many processes or threads"
    message = str(error)[:300]
    return f"raised {kind}: {message}" if message else f"raised {kind}"


def _describe_stub(error: Exception, call: str) -> str:
    """Say which function is a stub, unless the error is from the student process."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if not frames or hasattr(error, "remote_number"):
        return "is not written yet, or calls a function that is not written yet"
    stub = frames[-1].f_code.co_qualname.rpartition("<locals>.")[2].removesuffix(".__init__")
    if call.partition("(")[0] in stub.split("."):
        return "is not written yet"
    return f"calls {stub}, which is not written yet"
