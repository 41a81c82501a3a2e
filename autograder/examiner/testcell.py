"""Test cells in the examiner's room: how they are compiled, what they see, how they fail."""

from __future__ import annotations

import ast
import builtins
import contextlib
import dis
import importlib
import traceback
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol

from IPython.core.inputtransformer2 import TransformerManager

from autograder.wire.standins import CallableStandIn, ModuleStandIn

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
FAILED = "the test that defines it failed"
FORGEABLE = "a test that runs in the student's room defines it"
_BUILTIN = {name: value for name, value in vars(builtins).items() if not name.startswith("_")}


class Names(dict):
    """The globals of test cells: a name that no test cell defines is looked up elsewhere.

    A name that a test would have defined, had it not failed before, isn't: a notebook must not say
    what a helper of the tests is.
    """

    def __init__(
        self,
        look_up: Callable[[str], object],
        asked: Callable[[], int] = lambda: 0,
        notebook: Notebook | None = None,
    ) -> None:
        super().__init__(_BUILTIN)
        self.shell = MagicsIgnored(self)
        self.update(__name__="__main__", __builtins__=builtins, get_ipython=lambda: self.shell)
        self._look_up = look_up
        self._notebook = notebook
        self._deleted: set[str] = set()  # of the notebook's names, by tests
        self._asked = asked  # how often, so far, the notebook was asked something
        self._touched: set[str] = set()  # names that have to do with what it answered
        self.untouched = True  # by the notebook: the last cell, as far as it came
        self._functions: dict[str, object] = {}
        self._undefined: dict[str, str] = {}  # names, and why they are defined nowhere
        self._modules: set[str] = set()

    def __missing__(self, name: str) -> object:
        if name.startswith("__"):
            raise KeyError(name)
        if name in self._undefined:
            raise NameError(f"name {name!r} is not defined: {self._undefined[name]}")
        if name in self._functions:
            return self._functions[name]
        value = self._look_up(name)
        if name in self._modules:
            return importlib.import_module(MODULES[name])
        if isinstance(value, CallableStandIn):
            self._functions[name] = value
        if not isinstance(value, ModuleStandIn):
            return value
        if name not in MODULES:
            raise NameError(f"{name!r} is a module of the notebook's: import it in the test")
        return importlib.import_module(MODULES[name])

    def __delitem__(self, name: str) -> None:
        """As in one namespace: a name of the notebook's is deleted there."""
        if name in dict.keys(self) or self._notebook is None:
            super().__delitem__(name)
            return
        self._notebook.delete(name)
        self._functions.pop(name, None)
        self._deleted.add(name)

    def __setitem__(self, name: str, value: object) -> None:
        """What a test has deleted in the notebook it may put back there. All else that a test
        defines is its own: a notebook must not learn of it.
        """
        if name in self._deleted and self._notebook is not None:
            self._notebook.put(name, value)
            self._deleted.discard(name)
        else:
            super().__setitem__(name, value)

    def __contains__(self, name: object) -> bool:
        if type(name) is not str or name.startswith("__"):
            return super().__contains__(name)
        own = super().__contains__(name) and dict.get(self, name) is not _BUILTIN.get(name, self)
        return own or (name not in self._undefined and name in self._notebooks())

    def get(self, name: str, default: object = None) -> object:
        return self[name] if self.__contains__(name) else default

    def keys(self) -> Any:
        """For `dir()`: without what is built in, and with the notebook's."""
        own = {name for name, value in self.items() if value is not _BUILTIN.get(name, self)}
        return own | self._notebooks()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.keys()))

    def _notebooks(self) -> set[str]:
        names = self._notebook.names() if self._notebook is not None else []
        return set(names) - self._undefined.keys()

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """What is defined inside is forgotten after."""
        before = dict(dict.items(self))
        try:
            yield
        finally:
            dict.clear(self)
            dict.update(self, before)

    def forget(self) -> None:
        """A cell of the student's has run: names may mean other functions now."""
        self._functions.clear()

    def run(self, source: str, filename: str) -> object:
        """Run a cell; returns the value of its last line, or None.

        A function of the student's is looked up once until more of the student's code has run
        (see `forget`), any other value each time.
        """
        statements, last = compile_cell(source, filename)
        self._modules |= modules_meant(source, filename)
        asked = self._asked()
        try:
            exec(statements, self)
            return None if last is None else eval(last, self)
        finally:
            mentions = _mentioned(statements) | (_mentioned(last) if last else frozenset())
            self.untouched = self._asked() == asked and not mentions & self._touched
            if not self.untouched:
                self._touched |= defined(statements)

    def reckons(self, source: str, filename: str) -> bool:
        """Whether the last line does more than call a function of the notebook's, and show what it
        returns.
        """
        body = _parsed(source, filename).body
        node = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
        if not isinstance(node, ast.Call):
            return True
        called: ast.expr = node.func
        while isinstance(called, ast.Attribute):
            called = called.value
        if not isinstance(called, ast.Name):
            return True
        return called.id in _BUILTIN or called.id in dict.keys(self)

    def lose(self, source: str, filename: str, why: str = FAILED) -> None:
        """A test has failed: what it would have defined behind that line is defined nowhere."""
        with contextlib.suppress(SyntaxError):
            lost = defined(compile_cell(source, filename)[0]) - dict.keys(self)
            self._undefined |= dict.fromkeys(lost, why)


def prepare(source: str, filename: str) -> None:
    """Find out once, before processes fork that each would do it again, what a test's text says."""
    for part in compile_cell(source, filename):
        if part is not None:
            _mentioned(part)
            defined(part)
    modules_meant(source, filename)
    looks_again(source)


class Notebook(Protocol):
    """The notebook's names, in the other room."""

    def names(self) -> list[str]: ...

    def delete(self, name: str) -> None: ...

    def put(self, name: str, value: object) -> None: ...


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


@lru_cache(maxsize=1024)  # a class has the same tests
def _parsed(source: str, filename: str) -> ast.Module:
    return ast.parse(TransformerManager().transform_cell(source), filename)


@lru_cache(maxsize=1024)  # filled in the worker, before it forks
def compile_cell(source: str, filename: str) -> tuple[CodeType, CodeType | None]:
    """The cell's statements, and its last line where that is an expression to be shown."""
    body, last = _parsed(source, filename).body, None
    if body and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = compile(ast.Expression(body[-1].value), filename, "eval")
        body = body[:-1]
    return compile(ast.Module(body, []), filename, "exec"), last


def names_used(source: str, filename: str) -> set[str]:
    """Those that a cell reads, also in its functions."""
    found = [node for node in ast.walk(_parsed(source, filename)) if isinstance(node, ast.Name)]
    return {node.id for node in found if isinstance(node.ctx, ast.Load)}


@lru_cache(maxsize=4096)
def _mentioned(code: CodeType) -> frozenset[str]:
    """The names that some code uses, in its functions too."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return frozenset(code.co_names).union(*map(_mentioned, inner))


@lru_cache(maxsize=4096)
def defined(statements: CodeType) -> frozenset[str]:
    """What a cell defines, without what it deletes again, as `except ... as error` does."""
    steps = [(step.opname, step.argval) for step in dis.get_instructions(statements)]
    deleted = {name for what, name in steps if what == "DELETE_NAME"}
    return frozenset(name for what, name in steps if what == "STORE_NAME") - deleted


def curtailed(source: str, filename: str) -> str:
    """A test that only defines functions and classes, and fails before all else.

    A compiler would leave out what stands behind `raise`, and nobody would know its names.
    """
    defines, rest = _split(source, filename)
    return ast.unparse(ast.Module([*defines, *ast.parse("1 / 0").body, *rest], []))


def only_definitions(source: str, filename: str) -> str:
    """The text of what `definitions` runs."""
    return ast.unparse(ast.Module(_split(source, filename)[0], []))


@lru_cache(maxsize=1024)
def definitions(source: str, filename: str) -> CodeType:
    """The functions and classes of a test, and its imports, without what it tests."""
    return compile(ast.Module(_split(source, filename)[0], []), filename, "exec")


def _split(source: str, filename: str) -> tuple[list[ast.stmt], list[ast.stmt]]:
    body = _parsed(source, filename).body
    defines: list[ast.stmt] = [node for node in body if isinstance(node, _DEFINITIONS)]
    return defines, [node for node in body if not isinstance(node, _DEFINITIONS)]


_DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom


@lru_cache(maxsize=1024)
def looks_again(source: str) -> bool:
    """Whether a test mentions again what it hands to a function: it may ask what became of it."""
    try:
        tree = _parsed(source, "<cell>")
    except SyntaxError:
        return False
    loads = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Load]
    handed = {
        part.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords))
        for part in ast.walk(argument)
        if isinstance(part, ast.Name)
    }
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    before = -1
    while len(handed) != before:  # a list that is handed over may be made of another one
        before = len(handed)
        for node in assigned:
            if any(isinstance(target, ast.Name) and target.id in handed for target in node.targets):
                handed |= {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    asks = any(isinstance(n, ast.Attribute) and n.attr == "left_by" for n in ast.walk(tree))
    return asks or "left_by" in loads or any(loads.count(name) > 1 for name in handed)


@lru_cache(maxsize=1024)
def modules_meant(source: str, filename: str) -> frozenset[str]:
    """The names by which a test means a module, whatever the notebook calls so: it asks it for
    something that the module has.
    """
    asked = {
        (node.value.id, node.attr)
        for node in ast.walk(_parsed(source, filename))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    return frozenset(name for name, attribute in asked if name in MODULES and _has(name, attribute))


def _has(name: str, attribute: str) -> bool:
    try:
        return hasattr(importlib.import_module(MODULES[name]), attribute)
    except ImportError:
        return False


@lru_cache(maxsize=1024)
def imported_modules(source: str) -> tuple[str, ...]:
    """What a cell imports anywhere; `from a import b` counts as a and a.b: b may be a module.

    What it puts off limits is imported by that.
    """
    if "import" not in source and "off_limits" not in source:
        return ()
    try:
        tree = _parsed(source, "<cell>")
    except SyntaxError:
        return ()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("off_limits"):
            found += [text.rpartition(".")[0] for arg in node.args if (text := _text(arg))]
    return tuple(found)


def _text(node: ast.expr | None) -> str:
    """The string that is written here, "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def literal_message(source: str, filename: str, line: int) -> str:
    """The text of the `assert` on this line of a test, if nothing is formatted into it."""
    try:
        tree = _parsed(source, filename)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line):
            return _text(node.msg)
    return ""


def lines_of(error: BaseException, filename: str) -> list[int]:
    """Where in a test an error came up, from the outside in."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return [error.lineno or 0]
    frames = traceback.walk_tb(error.__traceback__)
    return [line for frame, line in frames if frame.f_code.co_filename == filename]


def remote_number(error: BaseException | None) -> int | None:
    """The number of the student's error that this one is, or that led to it."""
    while error is not None:
        if hasattr(error, "remote_number"):
            return error.remote_number
        error = error.__cause__ or error.__context__
    return None
