"""The student's IPython shell: it shows the same as a notebook kernel, without a kernel.

It passes outputs to `emit` as lists, in the order in which they occur:

    ["stream", "stdout" or "stderr", text]
    ["display", data, metadata, display id or None]       ["update", data, metadata, display id]
    ["result", data, metadata]    ["error", name, value, traceback lines]    ["clear", wait]
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import io
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import types
import warnings
from collections.abc import Callable, Sequence

import numpy as np
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from pygments.lexer import words
from traitlets import Instance, Type
from traitlets.config import Config

FLUSH_CHARACTERS = 8_192
FLUSH_SECONDS = 0.1
MAX_SHOWN_FRAMES = 20
MAX_SHOWN_ERRORS = 5  # in a chain of causes
# IPython colours each frame of an error by a new class, which would compile Python's keywords
# again. With this, showing an error takes 6.2 ms of processor time instead of 8.5 ms.
words.get = functools.cache(words.get)


class Outputs:
    """The outputs of a cell. Successive texts of the same stream are merged."""

    def __init__(self) -> None:
        self.emit: Callable[[list], None] = lambda output: None
        self._files: dict[str, tuple[int, int]] = {}
        self._lock = threading.RLock()
        self._name, self._length = "stdout", 0
        self._parts: list[str] = []
        self._left = 0
        self._flushed = 0.0

    def capture_descriptors(self) -> None:
        """Let descriptors 1 and 2 write to nameless files, for code that bypasses `sys.stdout`."""
        for name, descriptor in (("stdout", 1), ("stderr", 2)):
            with tempfile.TemporaryFile() as file:
                source = os.dup(file.fileno())
            os.dup2(source, descriptor)
            self._files[name] = (source, 0)

    def start(self, limit: int) -> None:
        """Begin a cell, which may show about `limit` bytes."""
        self._left = limit + 1  # one more byte, so that the examiner notices longer output

    def write(self, name: str, text: str) -> None:
        with self._lock:
            if name != self._name:
                self._send_text()
            self._name = name
            self._parts.append(text[: self._left])
            self._length += len(text)
            if self._length > FLUSH_CHARACTERS or time.monotonic() > self._flushed + FLUSH_SECONDS:
                self._send_text()

    def show(self, output: list) -> None:
        with self._lock:
            self.flush()
            self.emit(output)

    def flush(self) -> None:
        with self._lock:
            for name in self._files:
                self._read_file(name)
            self._send_text()

    def _send_text(self) -> None:
        text, self._parts, self._length = "".join(self._parts), [], 0
        self._flushed = time.monotonic()
        if text:
            self._left = max(self._left - len(text), 0)
            self.emit(["stream", self._name, text])

    def _read_file(self, name: str) -> None:
        source, read_bytes = self._files[name]
        size = os.fstat(source).st_size
        if size > read_bytes:
            data = _read_at(source, min(size - read_bytes, self._left + 1), read_bytes)
            self._files[name] = (source, size)
            self.write(name, data.decode(errors="replace"))


class Stream(io.TextIOBase):
    """`sys.stdout` or `sys.stderr` of the student process."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, outputs: Outputs, name: str) -> None:
        self._outputs = outputs
        self.name = f"<{name}>"
        self._stream = name

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._outputs.write(self._stream, text)
        return len(text)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        pass  # text is sent before the next output of another kind, and at the cell's end

    def fileno(self) -> int:
        return {"stdout": 1, "stderr": 2}[self._stream]


class _Publisher(DisplayPublisher):
    def publish(
        self,
        data: dict[str, object],
        metadata: dict[str, object] | None = None,
        *,
        transient: dict[str, object] | None = None,
        update: bool = False,
        **_: object,
    ) -> None:
        display_id = (transient or {}).get("display_id")
        kind = "update" if update else "display"
        self.shell.outputs.show([kind, data, metadata or {}, display_id])

    def clear_output(self, wait: bool = False) -> None:
        self.shell.outputs.show(["clear", bool(wait)])


class _Hook(DisplayHook):
    """The display of the value of a cell's last line."""

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(
        self, format_dict: dict[str, object], md_dict: dict[str, object] | None = None
    ) -> None:
        self.shell.outputs.show(["result", format_dict, md_dict or {}])

    def finish_displayhook(self) -> None:
        pass


# IPython changes only cells with one of these, but such a cell may still be plain Python.
_NO_PYTHON = re.compile(r"^[^\S\n]*[%!?/,;]|=[^\S\n]*[%!]|\?", re.MULTILINE)


class _Transformers(TransformerManager):
    """The translation of a cell's magics, prompts and questions to Python."""

    def do_token_transforms(self, lines: list[str]) -> list[str]:
        """Translate as IPython does, but skip the search for magics in plain Python."""
        if not _NO_PYTHON.search("".join(lines)):
            return lines
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they are shown when the cell is compiled
                ast.parse("".join(lines))
        except Exception:
            return super().do_token_transforms(lines)
        return lines


class StudentShell(InteractiveShell):
    """IPython with the displays of a notebook and neither history nor a terminal."""

    input_transformer_manager = Instance(_Transformers, ())
    display_pub_class = Type(_Publisher)
    displayhook_class = Type(_Hook)

    def __init__(self, **keywords: object) -> None:
        self.outputs = Outputs()
        self.explaining = False  # True while an error is shown: the alarm must not interrupt that
        self._shown_errors = 0
        self._value: object = None  # the value of the last cell's last line
        super().__init__(**keywords)

    def should_run_async(self, raw_cell: str, **keywords: object) -> bool:
        """Return whether the cell awaits something; compile only cells with such words."""
        mentioned = "await" in raw_cell or "async" in raw_cell
        return mentioned and super().should_run_async(raw_cell, **keywords)

    def showtraceback(self, *arguments: object, **keywords: object) -> None:
        self.explaining = True
        try:
            super().showtraceback(*arguments, **keywords)
        finally:
            self.explaining = False

    def _get_exc_info(self, exc_tuple: tuple | None = None) -> tuple:
        etype, value, trace = super()._get_exc_info(exc_tuple)
        return etype, shortened(value), trace and shortened_trace(trace)

    def _showtraceback(
        self, etype: type[BaseException], evalue: BaseException, stb: Sequence[object]
    ) -> None:
        self._shown_errors += 1
        lines = [str(line) for line in stb]
        if issubclass(etype, SyntaxError):  # the code may be right in a newer Python
            major, minor = sys.version_info[:2]
            lines.append(f"The grader runs Python {major}.{minor}.")
        self.outputs.show(["error", etype.__name__, _text(evalue), lines])

    def _format_exception_for_storage(
        self, exception: BaseException, *_: object, **__: object
    ) -> dict:
        """Return the error for `%notebook`, without IPython's slow explanation of it."""
        return {
            "ename": type(exception).__name__,
            "evalue": _text(exception),
            "traceback": [],
        }

    def enable_gui(self, gui: object = None) -> None:
        pass

    def ask_exit(self) -> None:
        raise SystemExit("quit")

    def system_piped(self, command: str) -> None:
        command = self.var_expand(command, depth=1)
        with subprocess.Popen(
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            try:
                for line in process.stdout or ():
                    sys.stdout.write(line.decode(errors="replace"))
            except BaseException:
                process.kill()  # don't wait for a process that may be stopped
                raise
        self.user_ns["_exit_code"] = process.returncode

    system = system_piped

    def run(self, source: str, count: int) -> BaseException | None:
        """Run a cell; return the error that ended it, or None."""
        self.execution_count = count
        error_count = self._shown_errors
        try:
            result = self.run_cell(source, store_history=True)
            self._value = result.result
            error = result.error_before_exec or result.error_in_exec
        except BaseException as interruption:  # in IPython's own code around the cell
            error = interruption
        if error is not None and self._shown_errors == error_count:
            self._showtraceback(type(error), error, [f"{type(error).__name__}: {_text(error)}"])
        self.outputs.flush()
        return error

    def format_last_value(self) -> dict[str, object] | None:
        """Return the value of the last cell's last line as text and JSON, or None if it is None."""
        if self._value is None:
            return None
        value = self._value.item() if isinstance(self._value, np.generic) else self._value
        bundle = self.display_formatter.format(value)[0]
        return {k: v for k, v in bundle.items() if k == "text/plain" or k.endswith("json")}


def make_shell() -> StudentShell:
    """Make the only shell of the process, with inline figures as in a notebook."""
    config = Config()
    config.HistoryManager.enabled = False
    shell = StudentShell.instance(config=config)
    builtins.input = no_input
    with contextlib.suppress(ImportError):
        import getpass

        getpass.getpass = no_input
    return shell


def take_standard_streams(outputs: Outputs) -> None:
    """Turn all text that the process writes from now on into outputs."""
    outputs.capture_descriptors()
    sys.stdout, sys.stderr = Stream(outputs, "stdout"), Stream(outputs, "stderr")
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (for the life of the process)


def shortened(error: BaseException) -> BaseException:
    """Shorten an error's chain of causes, and their traces, so that it is shown quickly."""
    link: BaseException | None = error
    for _ in range(MAX_SHOWN_ERRORS):
        if link is None:
            return error
        if link.__traceback__ is not None:
            link.__traceback__ = shortened_trace(link.__traceback__)
        last_link, link = link, link.__cause__ or link.__context__
    last_link.__cause__ = last_link.__context__ = None
    return error


def shortened_trace(trace: types.TracebackType) -> types.TracebackType:
    """Return the first and last frames of a long trace: an endless recursion has thousands."""
    links = [trace]
    while links[-1].tb_next is not None:
        links.append(links[-1].tb_next)
    if len(links) <= MAX_SHOWN_FRAMES:
        return trace
    return trace_of(links[: MAX_SHOWN_FRAMES // 2] + links[-MAX_SHOWN_FRAMES // 2 :]) or trace


def trace_of(links: Sequence[types.TracebackType]) -> types.TracebackType | None:
    """Return a trace of these links only, or None if there are none."""
    trace = None
    for link in reversed(links):
        trace = types.TracebackType(trace, link.tb_frame, link.tb_lasti, link.tb_lineno)
    return trace


def no_input(prompt: object = "", stream: object = None) -> str:
    """Replace `input` and `getpass`: raise `StdinNotImplementedError`."""
    raise StdinNotImplementedError(
        "input() was called, but nobody can answer while a notebook is graded"
    )


def _read_at(file: int, size: int, place: int) -> bytes:
    """Read from this place of a file; keep the place at which writers continue."""
    if hasattr(os, "pread"):
        return os.pread(file, size, place)
    writers_place = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, place, os.SEEK_SET)
    try:
        return os.read(file, size)
    finally:
        os.lseek(file, writers_place, os.SEEK_SET)


def _text(value: object) -> str:
    try:
        return str(value)
    except Exception:
        return "its message cannot be shown"
