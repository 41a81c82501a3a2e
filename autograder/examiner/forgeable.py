"""A test that a teacher lets run in the student's room: that room's word is taken, within bounds.

Whoever owns the room can say what she likes of this one test: that it passed, or how many of its
points it gives. She can't say more than that, nor of any other test.
"""

from __future__ import annotations

from typing import Any

from autograder.checks.points import MESSAGES
from autograder.examiner import verdicts
from autograder.examiner.recording import clean
from autograder.wire import messages
from autograder.wire.alarm import CellTimeout
from autograder.wire.channel import RoomClosed
from autograder.wire.contract import Loss, Verdict

LONGEST = 2_000  # characters of a message
MOST_MESSAGES = 20
ROUNDING = 1e-9  # relative: sums of points like 0.1
NO_VERDICT = "The student's room did not say what this test came to."
NO_POINTS = "The student's room said that this test gives {}, which it can't: it has {:g} points."


def verdict_of(answer: Any, most: float, traceback: tuple[str, ...] = ()) -> Verdict:
    """What the room's answer to "test" (see `messages`) comes to; no points for anything else.

    `traceback` is what the room shows of the error.
    """
    if not _is_answer(answer):
        return verdicts.not_run("RoomClosed", NO_VERDICT, forgeable=True)
    name, message, _, shown = answer
    if name:
        name = name[:100] if name.isidentifier() else "Error"
        told = clean(message)[:LONGEST]
        lines = tuple(map(clean, traceback)) or (f"{name}: {told}",)
        return Verdict((Loss(told),), name, lines, forgeable=True)
    if shown is None or not verdicts.is_number(text := str(shown.get("text/plain"))[:LONGEST]):
        return Verdict(forgeable=True)
    return _partial(text, shown.get(MESSAGES), most)


def ending_of(answer: Any) -> object:
    """How the room says that the cell has ended: one of `ENDINGS`, None where by itself."""
    name = answer[0] if _is_answer(answer) else RoomClosed.__name__
    return _ENDINGS.get(name, messages.ERROR) if name else None


def error_number(answer: Any) -> int | None:
    """By which the room knows the error, if there was one."""
    return answer[2] if _is_answer(answer) and answer[0] else None


def _is_answer(answer: Any) -> bool:
    if type(answer) is not list or len(answer) != 4:
        return False
    name, message, number, shown = answer
    is_error = type(name) is str and type(message) is str and type(number) is int
    return is_error and (shown is None or type(shown) is dict)


def _partial(text: str, said: object, most: float) -> Verdict:
    """A number of points, and why it isn't more."""
    points = float(text)
    if not 0 <= points <= most * (1 + ROUNDING):
        why = NO_POINTS.format(clean(text)[:40].strip(), most)
        return Verdict((Loss(why),), result={"text/plain": "0", MESSAGES: [why]}, forgeable=True)
    told = said[:MOST_MESSAGES] if type(said) is list else []
    told = [clean(one)[:LONGEST] for one in told if type(one) is str]
    result = {"text/plain": repr(min(points, most)), MESSAGES: told}
    return Verdict(tuple(map(Loss, told)), result=result, forgeable=True)


_ENDINGS = {
    CellTimeout.__name__: messages.TIMEOUT,
    MemoryError.__name__: messages.MEMORY,
    SystemExit.__name__: messages.EXIT,
}
