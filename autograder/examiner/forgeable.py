"""Verdicts on tests that a teacher lets run in the student process: believed, within bounds.

Code in that process can claim anything about this one test: that it passed, or a number of points.
It can't claim more points than the test has, nor anything about another test.
"""

from __future__ import annotations

from typing import Any

from autograder.checks.points import MESSAGES
from autograder.examiner import verdicts
from autograder.examiner.recording import clean
from autograder.wire import messages
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import ConnectionClosed
from autograder.wire.contract import LostPoints, Verdict

LONGEST = 2_000  # characters of a message
MOST_MESSAGES = 20
ROUNDING = 1e-9  # relative: sums of points like 0.1
NO_VERDICT = "The student's process did not report a result of this test."
NO_POINTS = "The student's process reported {} points for this test, which has only {:g}."


def verdict_of(answer: Any, most: float, traceback: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict for an answer to "test" (see `messages`): no points if it is malformed.

    `traceback` is the text of the student process about the error.
    """
    if not _is_answer(answer):
        return verdicts.not_run("ConnectionClosed", NO_VERDICT, forgeable=True)
    name, message, _, bundle = answer
    if name:
        name = name[:100] if name.isidentifier() else "Error"
        error_text = clean(message)[:LONGEST]
        lines = tuple(map(clean, traceback)) or (f"{name}: {error_text}",)
        return Verdict((LostPoints(error_text),), name, lines, forgeable=True)
    if bundle is None or not verdicts.is_number(text := str(bundle.get("text/plain"))[:LONGEST]):
        return Verdict(forgeable=True)
    return _give_part(text, bundle.get(MESSAGES), most)


def ending_of(answer: Any) -> object:
    """Return the ending that the student process reports: one of `ENDINGS`, or None."""
    name = answer[0] if _is_answer(answer) else ConnectionClosed.__name__
    return _ENDINGS.get(name, messages.ERROR) if name else None


def error_number(answer: Any) -> int | None:
    """Return the student process' number of the error, or None without an error."""
    return answer[2] if _is_answer(answer) and answer[0] else None


def _is_answer(answer: Any) -> bool:
    if type(answer) is not list or len(answer) != 4:
        return False
    name, message, number, bundle = answer
    is_error = type(name) is str and type(message) is str and type(number) is int
    return is_error and (bundle is None or type(bundle) is dict)


def _give_part(text: str, claims: object, most: float) -> Verdict:
    """Return a verdict with a number of points, and the reasons for lost points."""
    points = float(text)
    if not 0 <= points <= most * (1 + ROUNDING):
        message = NO_POINTS.format(clean(text)[:40].strip(), most)
        return Verdict(
            (LostPoints(message),), result={"text/plain": "0", MESSAGES: [message]}, forgeable=True
        )
    reasons = claims[:MOST_MESSAGES] if type(claims) is list else []
    reasons = [clean(reason)[:LONGEST] for reason in reasons if type(reason) is str]
    result = {"text/plain": repr(min(points, most)), MESSAGES: reasons}
    return Verdict(tuple(map(LostPoints, reasons)), result=result, forgeable=True)


_ENDINGS = {
    CellTimeout.__name__: messages.TIMEOUT,
    MemoryError.__name__: messages.MEMORY,
    SystemExit.__name__: messages.EXIT,
}
