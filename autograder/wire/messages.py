"""All messages between the two processes.

A message on the channel is one of

    [request, number, argument, ...]     a task; the sender waits for its answer
    ["reply", number, value]             the answer
    ["error", number, class, own class, message, error number]
    [notice, argument, ...]              no answer is expected
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class To(enum.Enum):
    """The process that takes a message."""

    STUDENT = "the student's room"
    EXAMINER = "the examiner's room"
    EITHER = "either room, about an object that it handed over"


@dataclass(frozen=True)
class Message:
    """A message. `answer` describes the answer of the other process, "" for a notice."""

    to: To
    arguments: str
    answer: str = ""


MESSAGES = {
    "file": Message(To.STUDENT, "name, content", "None: the room can read the file"),
    # Files of the student process' folder.
    "read": Message(To.STUDENT, "name", "the bytes of that file, or None"),
    "write": Message(To.STUDENT, "name, bytes or None", "None: the file is written, or deleted"),
    # A notebook's cells, one after the other.
    "start": Message(
        To.STUDENT,
        "seconds, an interruption's message, bytes of output, whether to send changed arguments",
    ),
    "waited": Message(To.STUDENT, "seconds that the examiner has waited for a core since then"),
    "run": Message(To.STUDENT, "source, count", "None, or how the cell ended: see `ENDINGS`"),
    "test": Message(
        To.STUDENT,
        "source and count of a forgeable test",
        "the class of the error that ended it or '', its message, what its last line shows or None",
    ),
    "input": Message(
        To.EXAMINER, "prompt or nothing", "a list of the line that a test has typed, or of none"
    ),
    "finish": Message(To.STUDENT, "", "None: the cell has shown what it has drawn and written"),
    "name": Message(To.STUDENT, "name", "the value that it has in the notebook"),
    "names": Message(To.STUDENT, "", "a list of all names that the notebook has defined"),
    "delete": Message(To.STUDENT, "name", "None: the notebook has no such name any more"),
    "put": Message(To.STUDENT, "name, value", "None: the notebook's name has this value"),
    "end": Message(To.STUDENT, "name, text", "None: its value is a function that raises this text"),
    "about": Message(To.STUDENT, "object", "its docstring and parameters: see `signatures`"),
    "flush": Message(To.STUDENT, "", "None: what was written so far has been sent"),
    "traceback": Message(To.STUDENT, "error number", "lines, as the notebook would show them"),
    "output": Message(To.EXAMINER, "one output, as `student.shell` lists them"),
    "changed": Message(To.EXAMINER, "changes by the call that is answered next: `wire.arguments`"),
    "kept": Message(
        To.EXAMINER,
        "list of [request number, new value] of answers that have changed since, or of arguments: "
        "[[request number, place], new value]",
    ),
    "piece": Message(To.EITHER, "number and bytes, of an array of the next message that has any"),
    # Objects that stay in their process; the other process has stand-ins of them.
    "call": Message(To.EITHER, "object, args, kwargs, count or None", "what it returns"),
    "steps": Message(
        To.EITHER,
        "object, list of (method, args), ('', args) or (attribute, None)",
        "a list of their results or errors: see `in_turn`",
    ),
    "getattr": Message(To.EITHER, "object, name", "the attribute"),
    "len": Message(To.EITHER, "object", "its length"),
    "getitem": Message(To.EITHER, "object, key", "the item"),
    "contains": Message(To.EITHER, "object, item", "whether it has the item"),
    "iter": Message(To.EITHER, "object", "an iterator"),
    "next": Message(To.EITHER, "iterator", "a list of the next item, or of none"),
    "defines": Message(
        To.EITHER, "object, special method", "whether its class defines it; None if it bars it"
    ),
    "text": Message(To.EITHER, "object, 'str', 'repr' or 'format' and a format", "the text"),
    "isinstance": Message(To.EITHER, "value, class", "whether it is one"),
}

# The ways in which an error can end a student's cell: three kinds of stops, and any other error.
TIMEOUT, MEMORY, EXIT, ERROR = ENDINGS = ("timeout", "memory", "exit", "error")


def list_messages_to(listener: To, *, notices: bool = False) -> set[str]:
    """Return the names of the requests, or of the notices, that a process takes."""
    return {
        name
        for name, message in MESSAGES.items()
        if message.to in (listener, To.EITHER) and bool(message.answer) is not notices
    }
