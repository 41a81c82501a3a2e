"""Test cells in the examiner's room: how they are compiled, what they see, how they fail."""

from __future__ import annotations

import ast
import builtins
import importlib
import traceback
from collections.abc import Callable
from types import CodeType

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager

from autograder.rooms.standins import ModuleStandIn

# A module that the student has imported is never used in a test; these names mean the examiner's.
MODULES = {
    "math": "math",
    "matplotlib": "matplotlib",
    "np": "numpy",
    "numpy": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "random": "random",
    "scipy": "scipy",
    "stats": "scipy.stats",
    "dplab": "dplab",
}
_RED, _PLAIN = "\x1b[0;31m", "\x1b[0m"


class Names(dict):
    """The globals of test cells: a name that no test cell defines is looked up elsewhere."""

    def __init__(self, look_up: Callable[[str], object]) -> None:
        super().__init__(__name__="__main__", __builtins__=builtins, get_ipython=lambda: self.shell)
        self.shell = MagicsIgnored(self)
        self._look_up = look_up

    def __missing__(self, name: str) -> object:
        if name.startswith("__") or hasattr(builtins, name):
            raise KeyError(name)
        value = self._look_up(name)
        if not isinstance(value, ModuleStandIn):
            return value
        if name not in MODULES:
            raise NameError(f"{name!r} is a module of the notebook's: import it in the test")
        return importlib.import_module(MODULES[name])

    def run(self, source: str, filename: str) -> object:
        """Run a cell; returns the value of its last line, or None."""
        statements, last = compile_cell(source, filename)
        exec(statements, self)
        return None if last is None else eval(last, self)


class MagicsIgnored:
    """What `%matplotlib inline` and its like mean to the examiner: nothing."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def run_line_magic(self, name: str, line: str, *_: object, **__: object) -> None:
        pass

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        if name in ("time", "capture"):
            self._names.run(cell, f"<%%{name}>")

    def system(self, command: str) -> None:
        pass

    def getoutput(self, command: str, **_: object) -> list[str]:
        return []


def compile_cell(source: str, filename: str) -> tuple[CodeType, CodeType | None]:
    """The cell's statements, and its last line where that is an expression to be shown."""
    tree = ast.parse(TransformerManager().transform_cell(source), filename)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = compile(ast.Expression(tree.body.pop().value), filename, "eval")
    return compile(tree, filename, "exec"), last


def imported_modules(source: str) -> list[str]:
    """The modules that a cell imports at any place."""
    try:
        tree = ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
    return found


def result_data(value: object) -> dict:
    """How a last line is shown, readable for nbgrader's partial credit."""
    return {"text/plain": repr(value.item() if isinstance(value, np.generic) else value)}


def failure(error: BaseException, cell: str, filename: str, own_traceback: list[str]) -> tuple:
    """Class, message and traceback of a failed test, without a line of the test itself.

    `own_traceback` is what the student's code said, if the error came from there.
    """
    name = type(error).__name__
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == filename]
    if isinstance(error, SyntaxError) and error.filename == filename:
        lines = [error.lineno]
    where = f"line {lines[-1]} of the test {cell}" if lines else f"the test {cell}"
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    text = [f"{_RED}{name}{_PLAIN} in {where}"]
    if own_traceback:
        text += ["", "In the notebook's own code:", *own_traceback]
    return name, message, [*text, f"{_RED}{name}{_PLAIN}: {message}"]


def remote_number(error: BaseException | None) -> int | None:
    """The number of the student's error that this one is, or that led to it."""
    while error is not None:
        if hasattr(error, "remote_number"):
            return error.remote_number
        error = error.__cause__ or error.__context__
    return None
