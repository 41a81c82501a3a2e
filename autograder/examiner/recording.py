"""The outputs of one cell in nbformat 4, made from data that may be hostile.

Nothing here decides points: the result of a test is in its `Verdict`, and its outputs are made from
that (see `verdicts`).
"""

from __future__ import annotations

import json
from collections.abc import Callable

SHOWN_IN_TESTS = ("stream", "display", "update", "clear")  # of student code
_EXTRA_BYTES = 60  # of a new output, in addition to its text


class Recording:
    """The outputs of a cell, up to `limit` bytes.

    While a test runs, a student's code can only write to stdout and display. So none of its outputs
    is an error or a result. In the student's own cells it can do the same as in a kernel.
    """

    def __init__(self, limit: int, *, in_test: bool) -> None:
        self.outputs: list[dict] = []
        self.over_limit = False
        self._limit = limit
        self._bytes_left = limit
        self._in_test = in_test
        self._displays: dict[str, dict] = {}
        self._clear_next = False

    @property
    def used(self) -> int:
        """The bytes used, including outputs that were cleared."""
        return self._limit - max(self._bytes_left, 0)

    def take(self, output: list) -> None:
        """Add an output from the student process. Raises TypeError or ValueError if malformed."""
        kind, *fields = output
        if kind not in _METHODS:
            raise ValueError(f"no output is called {str(kind)[:40]!r}")
        if not self._in_test or kind in SHOWN_IN_TESTS:
            _METHODS[kind](self, *fields)

    def stream(self, name: str, text: str) -> None:
        """Add text; append it to the last output if both are of the same stream."""
        name = "stdout" if self._in_test or name != "stderr" else "stderr"
        text = clean(text)
        self._drop_cleared()
        last_output = self.outputs[-1] if self.outputs else {}
        if last_output.get("output_type") == "stream" and last_output["name"] == name:
            last_output["text"] += text if self._fits(len(text)) else ""
            return
        output = {"output_type": "stream", "name": name, "text": text}
        if self._fits(len(text) + _EXTRA_BYTES):
            self.outputs.append(output)

    def display(self, data: dict, metadata: dict, display_id: str | None = None) -> None:
        output = {"output_type": "display_data", **_bundle(data, metadata)}
        if self._fits(_size(output)):
            self.outputs.append(output)
            if type(display_id) is str:
                self._displays[display_id] = output

    def update(self, data: dict, metadata: dict, display_id: str | None) -> None:
        """Replace an earlier display of this cell."""
        bundle = _bundle(data, metadata)
        self._drop_cleared()
        if type(display_id) is str and display_id in self._displays and self._fits(_size(bundle)):
            self._displays[display_id].update(bundle)

    def result(self, data: dict, metadata: dict) -> None:
        """Add the value of the cell's last line; `finished` sets its execution count."""
        output = {"output_type": "execute_result", **_bundle(data, metadata)}
        if self._fits(_size(output)):
            self.outputs.append(output | {"execution_count": None})

    def error(self, name: str, value: str, traceback: list[str]) -> None:
        """Add an error, shortened if it is long."""
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
            self._drop_cleared()

    def finished(self, count: int | None) -> tuple[dict, ...]:
        """Return the outputs, with a last line if some were left out."""
        for output in self.outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
        if self.over_limit:
            text = f"\n[more than {self._limit:,} bytes of output: the rest is left out]\n"
            self.outputs.append({"output_type": "stream", "name": "stdout", "text": text})
        return tuple(self.outputs)

    def _fits(self, size: int) -> bool:
        self._drop_cleared()
        if self._bytes_left < size:
            self.over_limit = True
            self._bytes_left = 0
        self._bytes_left -= size
        return not self.over_limit

    def _drop_cleared(self) -> None:
        if self._clear_next:
            self.outputs.clear()
            self._displays.clear()
            self._clear_next = False


_METHODS: dict[str, Callable[..., None]] = {
    "stream": Recording.stream,
    "display": Recording.display,
    "update": Recording.update,
    "result": Recording.result,
    "error": Recording.error,
    "clear": Recording.clear,
}


def _bundle(data: dict, metadata: dict) -> dict:
    """Return an output's representations by type: text, or JSON for JSON types."""
    representations: dict[str, object] = {}
    for kind, value in data.items():
        if type(value) is str:
            representations[clean(kind)] = clean(value)
        elif clean(kind).endswith("json"):
            representations[clean(kind)] = _plain_json(value)
    details = metadata if type(metadata) is dict else {}  # a list breaks nbgrader
    return {"data": representations, "metadata": _plain_json(details)}


def _plain_json(value: object) -> object:
    try:
        return json.loads(clean(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("nested too deep") from None


def _size(output: dict) -> int:
    return len(json.dumps(output, ensure_ascii=False))


def clean(text: str) -> str:
    """Return the text so that UTF-8 can encode it. Raises `TypeError` for other types."""
    if type(text) is not str:
        raise TypeError(f"text expected, got {type(text).__name__}")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
