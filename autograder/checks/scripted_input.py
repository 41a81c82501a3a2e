"""Lines that a test types for a student's `input()`."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Iterator

from autograder.checks.failures import fail
from autograder.wire.text import count_noun


class ScriptedInput:
    """The lines that a test types, and the prompts of `input()` for them."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        for line in lines:
            if type(line) is not str or "\n" in line:
                raise ValueError(f"a line to type must be text without a line break, not {line!r}")
        self._lines = lines
        self._prompts: list[str] = []

    @property
    def given(self) -> int:
        """The number of lines."""
        return len(self._lines)

    @property
    def prompts(self) -> list[str]:
        """The prompts of all calls of `input` up to one beyond the lines; "" for none."""
        return list(self._prompts)

    @property
    def left(self) -> int:
        """The number of lines that no call has read."""
        return max(len(self._lines) - len(self._prompts), 0)

    @property
    def lacked(self) -> bool:
        """True if `input` was called more often than there are lines."""
        return len(self._prompts) > len(self._lines)

    def __call__(self, prompt: object = "", /) -> str:
        """Return the next line, as `input` does."""
        if not self.lacked:
            self._prompts.append(str(prompt))
        if self.lacked:
            raise EOFError("input() was called once more than there are lines")
        return self._lines[len(self._prompts) - 1]


@contextlib.contextmanager
def scripted_input(*lines: str, hint: str = "") -> Iterator[ScriptedInput]:
    """Let `input()` in a student's function return these lines inside the block, in order.

    For example:

        with checks.scripted_input("Ada", "36") as asked:
            checks.call(greet).gives(36)
        assert len(asked.prompts) == 2, "Ask for the name, then for the age."

    Prompts are in `prompts`, and not printed. A call beyond the last line raises EOFError in the
    function, as at the end of a file. Even if the function catches it, the test then fails at the
    end of the block, with `hint`.

    Raises `ValueError` for a line that is not text, or has a line break.
    """
    script = ScriptedInput(lines)
    previous_input, builtins.input = builtins.input, script
    try:
        yield script
    except Exception as error:
        if script.lacked:
            _fail(script, hint, error)
        raise
    finally:
        builtins.input = previous_input
    if script.lacked:
        _fail(script, hint)


def _fail(script: ScriptedInput, hint: str, cause: Exception | None = None) -> None:
    lines = count_noun(script.given, "line was", "lines were") if script.given else "no line was"
    fail("input()", f"was called a time too many: {lines} typed here", hint, cause)
