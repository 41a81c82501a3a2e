"""Make the verdict on a test from the end of its cell, and outputs for nbgrader from that.

Only this module writes verdicts. The outputs of a student's code are kept apart and can't change
them. Without a verdict there are no points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from autograder.checks.points import Points
from autograder.examiner import testcell
from autograder.wire import dataframes
from autograder.wire.alarm import CellTimeout
from autograder.wire.contract import MESSAGES, CellRun, LostPoints, Verdict
from autograder.wire.errors import class_name

FORGEABLE = "This test ran in the student's process: its points could be forged.\n"
HIDDEN = "A hidden test of this cell did not pass."
LOST = "The grader lost the result of this test; a human has to look at it."
PASSED = Verdict()
_RED, _PLAIN = "\x1b[0;31m", "\x1b[0m"
_MAX_CHARACTERS = 20_000  # of a message


def of_value(value: object, is_reckoned: bool = True) -> Verdict:
    """Return the verdict on a test that finished; `value` is that of its last line, or None.

    If the test computed it (`is_reckoned`), an array or a table gives 0 points: a comparison with
    an answer that returns arrays is an array. Values from student code are only shown.
    """
    if value is None:
        return PASSED
    if type(value) is Points:
        return Verdict(tuple(value.losses), result=value._repr_mimebundle_())
    value = value.item() if isinstance(value, np.generic) else value
    if is_reckoned and (isinstance(value, np.ndarray) or dataframes.kind_of(value)):
        value = 0
    if isinstance(value, Number) and not isinstance(value, bool):
        value = _points(value)
    return Verdict(result={"text/plain": _represent(value)[:_MAX_CHARACTERS]})


def _represent(value: object) -> str:
    """Return the value's text; a value from student code may have none."""
    try:
        return repr(value)
    except Exception as error:
        return f"a value that can't be shown ({class_name(error)})"


def _points(value: Any) -> Any:
    """Return the points that a test computed, 0 for negative numbers and other types.

    For these values nbgrader would give all points.
    """
    if not isinstance(value, int | float | Fraction) or not value >= 0:
        return 0
    try:
        number = float(value)
    except OverflowError:
        return 0
    return number if isinstance(value, Fraction) else value


def of_error(
    error: BaseException, cell: str, source: str, filename: str, own_traceback: Sequence[str] = ()
) -> Verdict:
    """Return the verdict on a test that an error ended, without text of the test itself.

    `own_traceback` is the student's traceback, if the error came from student code.
    """
    name = class_name(error)
    lines = testcell.lines_of(error, filename)
    place = f"line {lines[-1]} of the test {cell}" if lines else f"the test {cell}"
    message = (error.msg if isinstance(error, SyntaxError) else str(error))[:_MAX_CHARACTERS]
    is_remote = hasattr(error, "remote_number")  # a check's own error can only have a remote cause
    is_caused = testcell.remote_number(error) is not None
    if name == "AssertionError" and (is_remote if message else is_caused):
        quote = f" with the text {message!r}" if message else ""
        message = f"the notebook's own code raised AssertionError{quote}"
    text = [f"{_RED}{name}{_PLAIN} in {place}"]
    if own_traceback:
        text += ["", "In the notebook's own code:", *own_traceback]
    hint = getattr(error, "hint", "")
    if not hint and lines:
        hint = testcell.literal_message(source, filename, lines[-1])
    text.append(f"{_RED}{name}{_PLAIN}: {message}")
    return Verdict((LostPoints(message, hint),), name, tuple(text))


def not_run(name: str, why: str, forgeable: bool = False) -> Verdict:
    """Return the verdict on a test that could not be run."""
    return Verdict((LostPoints(why, why),), name, (f"{name}: {why}",), forgeable=forgeable)


def has_failed(verdict: Verdict | None) -> bool:
    """Return whether the test ended in an error, and so gives no points."""
    return verdict is None or bool(verdict.error)


def choose_worse(first: Verdict, second: Verdict) -> Verdict:
    """Return the one of two verdicts on a test that gives fewer points, or the first."""
    if has_failed(first) or (second.result == first.result and not has_failed(second)):
        return first
    return first if _worth(second) > _worth(first) else second


def _worth(verdict: Verdict) -> float:
    """Return a number that orders verdicts: no points, a number of points, or all."""
    if has_failed(verdict):
        return -1.0
    text = (verdict.result or {}).get("text/plain", "")
    return float(text) if is_number(text) else float("inf")


def with_hidden(first: Verdict, second: Verdict | None) -> Verdict | None:
    """Join two verdicts on a test: `first` without its hidden parts, and `second` with them.

    The points are those of the second. The messages are those of the first, made before a hidden
    test ran. For other lost points, the messages are the teacher's fixed hints, or say that
    a hidden test took too long.
    """
    if second is None:
        return None
    known_hints = [loss.hint for loss in first.losses]
    hidden = [loss for loss in second.losses if loss.hint not in known_hints]
    if second.error == CellTimeout.__name__:  # the examiner's own text
        hidden = [
            LostPoints(text, f"{HIDDEN} It took too long: {text}.") for text in _list_texts(hidden)
        ]
    losses = (
        *first.losses,
        *dict.fromkeys(LostPoints(loss.hint or HIDDEN, loss.hint) for loss in hidden),
    )
    detail = "\n".join(_list_texts(hidden))
    if has_failed(second):
        text = "\n".join(loss.message for loss in losses) or HIDDEN
        return Verdict(
            losses,
            "AssertionError",
            (text,),
            None,
            detail,
            second.fault,
            second.missing,
            unanswerable=second.unanswerable,
        )
    return Verdict(losses, result=_keep_points(second, losses), detail=detail)


def _list_texts(losses: Sequence[LostPoints]) -> list[str]:
    return [loss.message for loss in losses]


def hidden_lost() -> Verdict:
    """Return the verdict on a test that passed, but whose hidden parts never finished."""
    detail = "the hidden tests were stopped before they came to an end"
    return Verdict((LostPoints(HIDDEN),), "AssertionError", (HIDDEN,), detail=detail)


def _keep_points(verdict: Verdict, losses: Sequence[LostPoints]) -> dict | None:
    """Return the number in a test's last line, or None: other values may reveal something."""
    if verdict.result is None or not is_number(verdict.result["text/plain"]):
        return None
    return {"text/plain": verdict.result["text/plain"], MESSAGES: _list_texts(losses)}


def is_number(text: str) -> bool:
    """Return whether nbgrader would take the text for points."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def all_outputs(run: CellRun, is_test: bool) -> list[dict]:
    """Return a cell's outputs, and after them those of a test's verdict."""
    verdict_outputs = outputs(run.verdict, run.execution_count) if is_test else []
    if run.verdict is not None and run.verdict.forgeable:
        verdict_outputs.insert(0, {"output_type": "stream", "name": "stdout", "text": FORGEABLE})
    return [*run.shown, *verdict_outputs]


def outputs(verdict: Verdict | None, count: int | None) -> list[dict]:
    """Return outputs for nbgrader's rule: an error for no points, a number for some points."""
    verdict = verdict or not_run("GraderError", LOST)
    if has_failed(verdict):
        message = "\n".join(loss.message for loss in verdict.losses)
        error = {"output_type": "error", "ename": verdict.error, "evalue": message}
        return [error | {"traceback": list(verdict.traceback)}]
    if verdict.result is None:
        return []
    output: dict = {"output_type": "execute_result", "execution_count": count, "metadata": {}}
    return [output | {"data": verdict.result}]
