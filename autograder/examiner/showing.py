"""What a test prints and draws, and what student code prints while a test looks at it."""

from __future__ import annotations

import base64
import contextlib
import io
import sys
from collections.abc import Callable, Iterator

FIGURE_DPI = 72


class Prints:
    """Where what is printed in the examiner's room goes: to `take`, or where a test wants it.

    A test that has redirected its own stdout gets what student code prints there as well, up to
    `limit` characters in a cell.
    """

    def __init__(self, take: Callable[[str], None], limit: int) -> None:
        self._writer = _Writer(take)
        self._limit = limit
        self._left = 0
        self._in_test = False

    @contextlib.contextmanager
    def taken(self, *, in_test: bool) -> Iterator[None]:
        """A cell runs inside, a test or another one."""
        self._left = self._limit
        with contextlib.redirect_stdout(self._writer), contextlib.redirect_stderr(self._writer):
            self._in_test = in_test
            try:
                yield
            finally:
                self._in_test = False

    @property
    def redirected(self) -> bool:
        """Whether a test takes what is printed for itself."""
        shown = sys.stdout is self._writer and sys.stderr is self._writer
        return self._in_test and not shown

    def pass_on(self, name: str, text: str) -> None:
        """Give a test what student code has printed. Raises `TypeError` where that is no text."""
        if type(text) is not str:
            raise TypeError(f"text expected, got {type(text).__name__}")
        target = sys.stderr if name == "stderr" else sys.stdout
        left, self._left = self._left, max(self._left - len(text), 0)
        with contextlib.suppress(Exception):  # it is the test's, and may be closed by now
            target.write(text[:left])


class _Writer(io.TextIOBase):
    def __init__(self, take: Callable[[str], None]) -> None:
        self._take = take

    def write(self, text: str) -> int:
        self._take(text)
        return len(text)


def figures() -> Iterator[str]:
    """The figures that a test has drawn, as pictures; closes them."""
    if "matplotlib.pyplot" not in sys.modules:
        return
    pyplot = sys.modules["matplotlib.pyplot"]
    for number in pyplot.get_fignums():
        picture = io.BytesIO()
        pyplot.figure(number).savefig(picture, format="png", dpi=FIGURE_DPI, bbox_inches="tight")
        yield base64.b64encode(picture.getvalue()).decode()
    close_figures()


def close_figures() -> None:
    """Forget what is drawn, where anything can be."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
