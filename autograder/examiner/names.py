"""The names that test cells see: their own first, then those of the notebook."""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from autograder.examiner.notebook import Notebook
from autograder.examiner.testcell import (
    MODULES,
    compile_cell,
    find_defined_names,
    find_meant_modules,
    find_mentioned_names,
    names_used,
    parse_cell,
)
from autograder.wire.standins import CallableStandIn, ModuleStandIn

FAILED = "the test that defines it failed"
FORGEABLE = "a test that runs in the student's process defines it"
_BUILTIN = {name: value for name, value in vars(builtins).items() if not name.startswith("_")}


class Names(dict):
    """The globals of test cells, which look up other names in the notebook.

    Names that a failed test would have defined are an exception: they stay undefined. A notebook
    must not define the helpers of tests.
    """

    def __init__(self, notebook: Notebook) -> None:
        super().__init__(_BUILTIN)
        self.shell = MagicsIgnored(self)
        self.update(__name__="__main__", __builtins__=builtins, get_ipython=lambda: self.shell)
        self._notebook = notebook
        self._deleted_names: set[str] = set()  # names of the notebook that tests have deleted
        self._touched: set[str] = set()  # names that depend on the notebook's answers
        self.untouched = True  # whether the last cell has used nothing of the notebook
        self._functions: dict[str, object] = {}
        self._why_undefined: dict[str, str] = {}  # names without a definition, and the reason
        self._modules: set[str] = set()

    def __missing__(self, name: str) -> object:
        if name.startswith("__"):
            raise KeyError(name)
        if name in self._why_undefined:
            raise NameError(f"name {name!r} is not defined: {self._why_undefined[name]}")
        if name in self._functions:
            return self._functions[name]
        value = self._notebook.look_up(name)
        if name in self._modules:
            return importlib.import_module(MODULES[name])
        if isinstance(value, CallableStandIn):
            self._functions[name] = value
        if not isinstance(value, ModuleStandIn):
            return value
        if name not in MODULES:
            raise NameError(f"{name!r} is a module that the notebook imports; import it here, too")
        return importlib.import_module(MODULES[name])

    def __delitem__(self, name: str) -> None:
        """Delete a name; if it is the notebook's, delete it there, as in one namespace."""
        if name in dict.keys(self):
            super().__delitem__(name)
            return
        self._notebook.delete(name)
        self._functions.pop(name, None)
        self._deleted_names.add(name)

    def __setitem__(self, name: str, value: object) -> None:
        """Define a name; if a test has deleted it in the notebook, define it there.

        Other names stay with the tests: a notebook must not learn them.
        """
        if name in self._deleted_names:
            self._notebook.put(name, value)
            self._deleted_names.discard(name)
        else:
            super().__setitem__(name, value)

    def __contains__(self, name: object) -> bool:
        if type(name) is not str or name.startswith("__"):
            return super().__contains__(name)
        is_own = super().__contains__(name) and dict.get(self, name) is not _BUILTIN.get(name, self)
        return is_own or (name not in self._why_undefined and name in self._list_notebook_names())

    def get(self, name: str, default: object = None) -> object:
        return self[name] if self.__contains__(name) else default

    def keys(self) -> Any:
        """Return the names for `dir()`: of tests and of the notebook, without built-in ones."""
        own_names = {name for name, value in self.items() if value is not _BUILTIN.get(name, self)}
        return own_names | self._list_notebook_names()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.keys()))

    def _list_notebook_names(self) -> set[str]:
        return set(self._notebook.names()) - self._why_undefined.keys()

    @contextlib.contextmanager
    def preserve(self) -> Iterator[None]:
        """Restore all names at the end of this context."""
        old_names = dict(dict.items(self))
        try:
            yield
        finally:
            dict.clear(self)
            dict.update(self, old_names)

    def forget(self) -> None:
        """Forget the notebook's functions, because a student's cell may have changed them."""
        self._functions.clear()

    def run(self, source: str, filename: str) -> object:
        """Run a cell; return the value of its last line, or None.

        A student's function is looked up once until more of the student's code has run (see
        `forget`). Any other value is looked up each time.
        """
        statements, last_line = compile_cell(source, filename)
        self._modules |= find_meant_modules(source, filename)
        requests = self._notebook.requests
        try:
            exec(statements, self)
            return None if last_line is None else eval(last_line, self)
        finally:
            names = find_mentioned_names(statements) | (
                find_mentioned_names(last_line) if last_line else frozenset()
            )
            self.untouched = self._notebook.requests == requests and not names & self._touched
            if not self.untouched:
                self._touched |= find_defined_names(statements)

    def reckons(self, source: str, filename: str) -> bool:
        """Return whether the last line computes something itself.

        It doesn't if it is a single call of a function of the notebook.
        """
        body = parse_cell(source, filename).body
        node = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
        if not isinstance(node, ast.Call):
            return True
        function: ast.expr = node.func
        while isinstance(function, ast.Attribute):
            function = function.value
        if not isinstance(function, ast.Name):
            return True
        return function.id in _BUILTIN or function.id in dict.keys(self)

    def find_shadowed(self, source: str, filename: str) -> str:
        """Return a built-in function that a test uses and the notebook has replaced, or ""."""
        used_names = names_used(source, filename) & _BUILTIN.keys()
        own_names = {name for name in used_names if dict.get(self, name) is not _BUILTIN[name]}
        candidates = used_names - own_names
        return min(candidates & set(self._notebook.names()), default="") if candidates else ""

    def lose(self, source: str, filename: str, why: str = FAILED) -> None:
        """Mark the names as undefined that a failed test would have defined."""
        with contextlib.suppress(SyntaxError):
            lost_names = find_defined_names(compile_cell(source, filename)[0]) - dict.keys(self)
            self._why_undefined |= dict.fromkeys(lost_names, why)


class MagicsIgnored:
    """A shell in which `%matplotlib inline` and other magics do nothing."""

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
