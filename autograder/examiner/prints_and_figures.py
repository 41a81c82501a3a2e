"""The prints and drawings of a test, and the prints of student code inside a test."""

from __future__ import annotations

import base64
import contextlib
import io
import sys
from collections.abc import Callable, Iterator

FIGURE_DPI = 72


class Prints:
    """The receiver of prints in the examiner process: it passes them to `take`, or to a test.

    If a test has redirected its own stdout, student code prints there too, up to `limit` characters
    in a cell.
    """

    def __init__(self, take: Callable[[str], None], limit: int) -> None:
        self._writer = _Writer(take)
        self._limit = limit
        self._rest = 0  # characters that may still be printed
        self._in_test = False

    @contextlib.contextmanager
    def taken(self, *, in_test: bool) -> Iterator[None]:
        """Take the prints of a cell that runs in the block."""
        self._rest = self._limit
        with contextlib.redirect_stdout(self._writer), contextlib.redirect_stderr(self._writer):
            self._in_test = in_test
            try:
                yield
            finally:
                self._in_test = False

    @property
    def redirected(self) -> bool:
        """True if a test has redirected stdout or stderr."""
        is_direct = sys.stdout is self._writer and sys.stderr is self._writer
        return self._in_test and not is_direct

    def pass_on(self, name: str, text: str) -> None:
        """Pass printed text of student code to a test. Raises `TypeError` if it is no text."""
        if type(text) is not str:
            raise TypeError(f"text expected, got {type(text).__name__}")
        target = sys.stderr if name == "stderr" else sys.stdout
        characters_left, self._rest = self._rest, max(self._rest - len(text), 0)
        with contextlib.suppress(Exception):  # the test's own stream may be closed by now
            target.write(text[:characters_left])


class _Writer(io.TextIOBase):
    def __init__(self, take: Callable[[str], None]) -> None:
        self._take = take

    def write(self, text: str) -> int:
        self._take(text)
        return len(text)


def figures() -> Iterator[str]:
    """Yield the figures that a test has drawn, as pictures, and close them."""
    if "matplotlib.pyplot" not in sys.modules:
        return
    pyplot = sys.modules["matplotlib.pyplot"]
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=FIGURE_DPI, bbox_inches="tight")
        yield base64.b64encode(picture.getvalue()).decode()
    close_figures()


def close_figures() -> None:
    """Close all figures, if matplotlib is loaded."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
