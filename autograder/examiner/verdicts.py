"""What a test came to: made from how its cell ended, and told in outputs that nbgrader reads.

A verdict is written here and nowhere else. What a student's code shows stands beside it and can't
touch it; where there is none, there are no points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from autograder.checks.points import Points
from autograder.examiner import testcell
from autograder.wire import frames
from autograder.wire.alarm import CellTimeout
from autograder.wire.contract import MESSAGES, CellRun, Loss, Verdict
from autograder.wire.errors import class_name

FORGEABLE = "This test ran in the student's room: its points could be forged.\n"
HIDDEN = "A hidden test of this cell did not pass."
LOST = "The grader lost what this test came to; a human has to look at it."
PASSED = Verdict()
_RED, _PLAIN = "\x1b[0;31m", "\x1b[0m"
_LONGEST = 20_000  # characters of a message


def of_value(value: object, is_reckoned: bool = True) -> Verdict:
    """Of a test that came to its end; `value` is that of its last line, or None.

    Where the test reckoned it, and did not only show what student code returned, an array or a
    table is no number of points: of an answer that returns arrays each comparison is one.
    """
    if value is None:
        return PASSED
    if type(value) is Points:
        return Verdict(tuple(value.losses), result=value._repr_mimebundle_())
    value = value.item() if isinstance(value, np.generic) else value
    if is_reckoned and (isinstance(value, np.ndarray) or frames.kind_of(value)):
        value = 0
    if isinstance(value, Number) and not isinstance(value, bool):
        value = _points(value)
    return Verdict(result={"text/plain": _shown(value)[:_LONGEST]})


def _shown(value: object) -> str:
    """The value's text. What student code returned may have none."""
    try:
        return repr(value)
    except Exception as error:
        return f"a value that can't be shown ({class_name(error)})"


def _points(value: Any) -> Any:
    """Points that a test computed: nothing for less than that and for no number of points at all,
    for which nbgrader would give all.
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
    """Of a test that an error ended, without a line of the test itself.

    `own_traceback` is what the student's code said, if the error came from there.
    """
    name = class_name(error)
    lines = testcell.lines_of(error, filename)
    where = f"line {lines[-1]} of the test {cell}" if lines else f"the test {cell}"
    message = (error.msg if isinstance(error, SyntaxError) else str(error))[:_LONGEST]
    is_remote = hasattr(error, "remote_number")  # a check's own error can only be caused by one
    is_caused = testcell.remote_number(error) is not None
    if name == "AssertionError" and (is_remote if message else is_caused):
        said = f" with the text {message!r}" if message else ""
        message = f"the notebook's own code raised AssertionError{said}"
    text = [f"{_RED}{name}{_PLAIN} in {where}"]
    if own_traceback:
        text += ["", "In the notebook's own code:", *own_traceback]
    hint = getattr(error, "hint", "")
    if not hint and lines:
        hint = testcell.literal_message(source, filename, lines[-1])
    text.append(f"{_RED}{name}{_PLAIN}: {message}")
    return Verdict((Loss(message, hint),), name, tuple(text))


def not_run(name: str, why: str, forgeable: bool = False) -> Verdict:
    """Of a test that could not be run."""
    return Verdict((Loss(why, why),), name, (f"{name}: {why}",), forgeable=forgeable)


def failed(verdict: Verdict | None) -> bool:
    """Whether the test gives nothing at all, as far as its end is concerned."""
    return verdict is None or bool(verdict.error)


def worse(first: Verdict, second: Verdict) -> Verdict:
    """Of two verdicts on one test the one with fewer points; the first where they are alike."""
    if failed(first) or (second.result == first.result and not failed(second)):
        return first
    return first if _worth(second) > _worth(first) else second


def _worth(verdict: Verdict) -> float:
    """Nothing, a number of points, or all."""
    if failed(verdict):
        return -1.0
    text = (verdict.result or {}).get("text/plain", "")
    return float(text) if is_number(text) else float("inf")


def with_hidden(first: Verdict, second: Verdict | None) -> Verdict | None:
    """Of a test that passed without its hidden parts, `first`, and came to `second` with them.

    The points are those of the second. What is told of it is the first's, made before a hidden
    test had run, and of all else that was lost the teacher's fixed hints; also that a hidden test
    took too long.
    """
    if second is None:
        return None
    told = [loss.hint for loss in first.losses]
    hidden = [loss for loss in second.losses if loss.hint not in told]
    if second.error == CellTimeout.__name__:  # in words of the examiner's
        hidden = [Loss(said, f"{HIDDEN} It took too long: {said}.") for said in _said(hidden)]
    losses = *first.losses, *dict.fromkeys(Loss(loss.hint or HIDDEN, loss.hint) for loss in hidden)
    detail = "\n".join(_said(hidden))
    if failed(second):
        text = "\n".join(loss.message for loss in losses) or HIDDEN
        return Verdict(
            losses, "AssertionError", (text,), None, detail, second.fault, second.missing
        )
    return Verdict(losses, result=_points_alone(second, losses), detail=detail)


def _said(losses: Sequence[Loss]) -> list[str]:
    return [loss.message for loss in losses]


def hidden_lost() -> Verdict:
    """Of a test that passed without its hidden parts, and never came to an end with them."""
    detail = "the hidden tests were stopped before they came to an end"
    return Verdict((Loss(HIDDEN),), "AssertionError", (HIDDEN,), detail=detail)


def _points_alone(verdict: Verdict, losses: Sequence[Loss]) -> dict | None:
    """The number that a test ends in; anything else that its last line shows may tell something."""
    if verdict.result is None or not is_number(verdict.result["text/plain"]):
        return None
    return {"text/plain": verdict.result["text/plain"], MESSAGES: _said(losses)}


def is_number(text: str) -> bool:
    """Whether nbgrader would take the text for points."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def all_outputs(run: CellRun, is_test: bool) -> list[dict]:
    """What a cell showed, and behind it, of a test, what its verdict says."""
    decided = outputs(run.verdict, run.execution_count) if is_test else []
    if run.verdict is not None and run.verdict.forgeable:
        decided.insert(0, {"output_type": "stream", "name": "stdout", "text": FORGEABLE})
    return [*run.shown, *decided]


def outputs(verdict: Verdict | None, count: int | None) -> list[dict]:
    """What nbgrader's own rule reads: an error for no points, a number for some, else nothing."""
    verdict = verdict or not_run("GraderError", LOST)
    if failed(verdict):
        said = "\n".join(loss.message for loss in verdict.losses)
        error = {"output_type": "error", "ename": verdict.error, "evalue": said}
        return [error | {"traceback": list(verdict.traceback)}]
    if verdict.result is None:
        return []
    shown: dict = {"output_type": "execute_result", "execution_count": count, "metadata": {}}
    return [shown | {"data": verdict.result}]
