"""Which tests of the library run which of its lines: those that could see a change there.

The tests that cover a part of dplab run once beneath coverage.py, each file of them in a process of
its own, on the part as it is. Whoever changes a line need run only those that came by.
"""

from __future__ import annotations

import ast
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

ROOT = Path(__file__).parents[2]
FILES = 6  # of tests that cover a module, its own among them
ARGUMENTS = [
    *("-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("--assert=plain", "--hypothesis-seed=0", f"--rootdir={ROOT}"),
    *("-m", "not browser", "--doctest-modules"),
]  # fmt: skip


def files_of(part: str) -> list[Path]:
    single = ROOT / "dplab" / f"{part}.py"
    return [single] if single.exists() else sorted((ROOT / "dplab" / part).rglob("*.py"))


@cache
def exports() -> dict[str, str]:
    """Of each name that a package of dplab hands on: the module that it comes from."""
    found = {}
    for file in (ROOT / "dplab").rglob("__init__.py"):
        package = ".".join(file.parent.relative_to(ROOT).parts)
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                found |= {f"{package}.{a.name}": f"{node.module}.{a.name}" for a in node.names}
    return found


@cache
def imported(file: Path) -> tuple[str, ...]:
    """The names that a file imports, and of each the module that defines it."""
    found = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                while name in exports():
                    name = exports()[name]
                found += [name, name.rpartition(".")[0]]
    return tuple(found)


def own_tests(file: Path) -> list[Path]:
    """Those named like the module, or like the package that it is in."""
    inside = ROOT / "tests" / file.relative_to(ROOT)
    named = (
        inside.with_name(f"test_{file.name}"),
        inside.parent.with_name(f"test_{inside.parent.name}.py"),
    )
    return [path for path in named if path.exists()]


@cache
def covering(file: str) -> list[Path]:
    """Where tests of a module are: its doctests and its own; then those that import most of it, and
    those of its users.
    """
    path, module = ROOT / file, file.removesuffix(".py").replace("/", ".")
    library = [path for path in (ROOT / "dplab").rglob("*.py") if module in imported(path)]
    tests = sorted((ROOT / "tests/dplab").rglob("test_*.py"))
    direct = sorted(tests, key=lambda path: -imported(path).count(module))
    found = own_tests(path)
    found += [path for path in direct if module in imported(path)]
    found += [path for user in sorted(library) for path in own_tests(user)]
    users = {".".join(user.relative_to(ROOT).with_suffix("").parts) for user in library}
    found += [path for path in tests if not users.isdisjoint(imported(path))]
    found = [path for path in dict.fromkeys(found) if "widgets" not in path.parts]
    return [path, *found[:FILES]]


@cache
def statement(file: str, line: int) -> range:
    """The lines of the innermost statement that this line is in; of a loop, those of its head."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))):  # from the outside inwards
        if isinstance(node, ast.stmt | ast.excepthandler):
            body = getattr(node, "body", None)
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
            if node.lineno <= line <= end:
                found = range(node.lineno, end + 1)
    return found


def caches() -> list[Any]:
    """The functions of dplab that keep what they have made: of the tests that call one, the first
    alone would be seen to run its lines.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith("dplab")]
    return [one for m in modules for one in vars(m).values() if hasattr(one, "cache_clear")]


class Noting:
    """Notes which test runs which line of a part, and how much computing it takes."""

    def __init__(self, part: str) -> None:
        include = [str(path) for path in files_of(part)]
        self.coverage = Coverage(data_file=None, config_file=False, include=include)
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        for function in caches():
            function.cache_clear()
        began = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - began


def note(part: str, tests: Path, notes: Path) -> int:
    """Run one file of tests and write what `Tests` reads; pytest's status."""
    noting = Noting(part)
    with noting.coverage.collect():
        status = int(pytest.main([*ARGUMENTS, str(tests)], plugins=[noting]))
    data = noting.coverage.get_data()
    lines = {
        str(Path(path).relative_to(ROOT)): data.contexts_by_lineno(path)
        for path in data.measured_files()
    }
    notes.write_text(json.dumps([noting.seconds, lines]), "utf-8")
    return status


@dataclass
class Tests:
    """Of each test its seconds of processor time, and of each line of a file the tests that run it;
    "" stands for what runs as soon as the file is imported.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    running: dict[tuple[str, int], set[str]] = field(default_factory=dict)

    def add(self, notes: Path) -> None:
        seconds, lines = json.loads(notes.read_text("utf-8"))
        self.seconds |= seconds
        for file, contexts in lines.items():
            for line, names in contexts.items():
                self.running.setdefault((file, int(line)), set()).update(names)

    def time(self, names: Iterable[str]) -> float:
        return sum(self.seconds[name] for name in names)

    def of(self, file: str, line: int) -> list[str]:
        """The tests that could see a change in this line, the quickest first."""
        files = {str(path.relative_to(ROOT)) for path in covering(file)}
        found: set[str] = set()
        for near in statement(file, line):
            found |= self.running.get((file, near), set())
        names: Iterable[str] = self.seconds if "" in found else found
        names = [name for name in names if name.partition("::")[0] in files]
        return sorted(names, key=lambda name: (self.seconds[name], name))
