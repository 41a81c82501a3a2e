"""What one cell shows, as nbformat 4 has it, made from what may be hostile.

Nothing here decides a point: what a test came to is in its `Verdict`, and the outputs that say so
are made from that (see `verdicts`).
"""

from __future__ import annotations

import json
from collections.abc import Callable

SHOWN_IN_TESTS = ("stream", "display", "update", "clear")  # of a student's, while a test runs
_EACH = 60  # bytes that an output of its own takes, besides its text


class Recording:
    """Gathers what a cell shows, up to `limit` bytes.

    While a test runs, a student's code can write to stdout and display, and nothing of what it
    shows is an error or a result; in the student's own cells it can do what a kernel can.
    """

    def __init__(self, limit: int, *, in_test: bool) -> None:
        self.outputs: list[dict] = []
        self.over_limit = False
        self._limit = limit
        self._left = limit
        self._in_test = in_test
        self._displays: dict[str, dict] = {}
        self._clear_next = False

    @property
    def used(self) -> int:
        """Bytes, of outputs that were cleared too."""
        return self._limit - max(self._left, 0)

    def take(self, output: list) -> None:
        """An output that the student's room sends. Raises TypeError or ValueError if it is none."""
        kind, *fields = output
        if kind not in _TAKEN:
            raise ValueError(f"no output is called {str(kind)[:40]!r}")
        if not self._in_test or kind in SHOWN_IN_TESTS:
            _TAKEN[kind](self, *fields)

    def stream(self, name: str, text: str) -> None:
        """Text; what follows upon text of the same stream is joined to it."""
        name = "stdout" if self._in_test or name != "stderr" else "stderr"
        text = clean(text)
        self._drop_what_was_cleared()
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"] += text if self._fits(len(text)) else ""
            return
        output = {"output_type": "stream", "name": name, "text": text}
        if self._fits(len(text) + _EACH):
            self.outputs.append(output)

    def display(self, data: dict, metadata: dict, shown: str | None = None) -> None:
        output = {"output_type": "display_data", **_bundle(data, metadata)}
        if self._fits(_size(output)):
            self.outputs.append(output)
            if type(shown) is str:
                self._displays[shown] = output

    def update(self, data: dict, metadata: dict, shown: str | None) -> None:
        """Show something else in the place of an earlier display of this cell."""
        bundle = _bundle(data, metadata)
        self._drop_what_was_cleared()
        if type(shown) is str and shown in self._displays and self._fits(_size(bundle)):
            self._displays[shown].update(bundle)

    def result(self, data: dict, metadata: dict) -> None:
        """What the cell's last line evaluates to; its count is set with the cell's."""
        output = {"output_type": "execute_result", **_bundle(data, metadata)}
        if self._fits(_size(output)):
            self.outputs.append(output | {"execution_count": None})

    def error(self, name: str, value: str, traceback: list[str]) -> None:
        """An error, shortened where it is long."""
        output = {
            "output_type": "error",
            "ename": clean(name)[:200],
            "evalue": clean(value)[:20_000],
            "traceback": [clean(line)[:20_000] for line in traceback[:200]],
        }
        if self._fits(_size(output)):
            self.outputs.append(output)

    def clear(self, wait: bool) -> None:
        self._clear_next = True
        if not wait:
            self._drop_what_was_cleared()

    def finished(self, count: int | None) -> tuple[dict, ...]:
        """The outputs, with a last line where some were left out."""
        for output in self.outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
        if self.over_limit:
            text = f"\n[more than {self._limit:,} bytes of output: the rest is left out]\n"
            self.outputs.append({"output_type": "stream", "name": "stdout", "text": text})
        return tuple(self.outputs)

    def _fits(self, size: int) -> bool:
        self._drop_what_was_cleared()
        if self._left < size:
            self.over_limit = True
            self._left = 0
        self._left -= size
        return not self.over_limit

    def _drop_what_was_cleared(self) -> None:
        if self._clear_next:
            self.outputs.clear()
            self._displays.clear()
            self._clear_next = False


_TAKEN: dict[str, Callable[..., None]] = {
    "stream": Recording.stream,
    "display": Recording.display,
    "update": Recording.update,
    "result": Recording.result,
    "error": Recording.error,
    "clear": Recording.clear,
}


def _bundle(data: dict, metadata: dict) -> dict:
    """Representations by type: text everywhere, JSON where the type says so."""
    shown: dict[str, object] = {}
    for kind, value in data.items():
        if type(value) is str:
            shown[clean(kind)] = clean(value)
        elif clean(kind).endswith("json"):
            shown[clean(kind)] = _plain_json(value)
    about = metadata if type(metadata) is dict else {}  # some write a list, and nbgrader breaks
    return {"data": shown, "metadata": _plain_json(about)}


def _plain_json(value: object) -> object:
    try:
        return json.loads(clean(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("nested too deep") from None


def _size(output: dict) -> int:
    return len(json.dumps(output, ensure_ascii=False))


def clean(text: str) -> str:
    """The text as it can be written in UTF-8. Raises `TypeError` for anything else than text."""
    if type(text) is not str:
        raise TypeError(f"text expected, got {type(text).__name__}")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
