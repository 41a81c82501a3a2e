"""Do the tests of the library see a small bug in it? Limit: 95% of mutants killed, in each part.

    python tests/benchmarks/library_mutants.py FILE [COUNT [PART ...]]

Of each part of dplab COUNT mutants (300 if nothing is said, the same ones each time) are made by
Cosmic Ray's operators: + for -, < for <=, 1 for 0, a loop that never runs. Each is imported in
place of the module, in a process of its own, and the quick tests that cover it run until one fails;
no file is changed. Whatever takes longer than a minute and a half counts as killed. FILE keeps the
verdicts, and the same command goes on from there: a mutant is tried anew once its module or the
tests of it have changed. Those that survive must be explained, in `explained_mutants.json`: the
same for every caller, or strictly safer. Exits with status 1 if one isn't, or if too few were
killed.
"""

from __future__ import annotations

import ast
import importlib.machinery
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.abc import MetaPathFinder
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import hypothesis.internal.conjecture.engine  # noqa: E402, F401  (loaded once, before the forks)
import numpy as np  # noqa: E402, F401
import pytest  # noqa: E402
import scipy.integrate  # noqa: E402
import scipy.optimize  # noqa: E402
import scipy.stats  # noqa: E402, F401
from cosmic_ray.ast import ast_nodes, get_ast  # noqa: E402
from cosmic_ray.mutating import mutate_code  # noqa: E402
from cosmic_ray.plugins import get_operator  # noqa: E402

PARTS = (
    "losses", "divergences", "guarantees", "accounting",
    "mechanisms", "sampling", "audit", "attacks",
)  # fmt: skip
COUNT, ENOUGH = 300, 0.95
SECONDS, FILES = 90.0, 6  # for one mutant; of tests that cover a module, its own among them
EXPLAINED = Path(__file__).with_name("explained_mutants.json")
OPERATORS = [
    *(f"ReplaceBinaryOperator_{a}_{b}" for a, b in (
        ("Add", "Sub"), ("Sub", "Add"), ("Mul", "Div"), ("Div", "Mul"), ("Mul", "Add"),
        ("Pow", "Mul"), ("FloorDiv", "Mul"), ("Mod", "Add"), ("BitAnd", "BitOr"),
    )),
    *(f"ReplaceComparisonOperator_{a}_{b}" for a, b in (
        ("Lt", "LtE"), ("LtE", "Lt"), ("Gt", "GtE"), ("GtE", "Gt"), ("Lt", "Gt"), ("Gt", "Lt"),
        ("LtE", "GtE"), ("GtE", "LtE"), ("Eq", "NotEq"), ("NotEq", "Eq"), ("Is", "IsNot"),
    )),
    "ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Not", "AddNot",
    "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue", "NumberReplacer", "ZeroIterationForLoop",
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """The `occurrence`-th place of a file at which an operator can change it."""

    file: str  # from the root of the project
    operator: str
    occurrence: int
    label: str  # the file, the operator, and the line with the place in it

    @property
    def source(self) -> str:
        """The whole changed module."""
        operator = get_operator(f"core/{self.operator}")()
        text = mutate_code((ROOT / self.file).read_text("utf-8"), operator, self.occurrence)
        assert text is not None
        return text

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").replace("/", ".")


def files_of(part: str) -> list[Path]:
    single = ROOT / "dplab" / f"{part}.py"
    return [single] if single.exists() else sorted((ROOT / "dplab" / part).rglob("*.py"))


def mutants_of(file: Path) -> Iterator[Mutant]:
    source, name = file.read_text("utf-8"), str(file.relative_to(ROOT))
    lines, nodes = source.splitlines(), list(ast_nodes(get_ast(source)))
    for operator in OPERATORS:
        kind = get_operator(f"core/{operator}")()
        found = [(place[0], node) for node in nodes for place in kind.mutation_positions(node)]
        starts = [start for start, _ in found]
        for i, ((line, column), node) in enumerate(found):
            if node.parent is not None and node.parent.type == "parameters":
                continue  # the * of def f(x, *, y) is no product
            nth, text = starts[:i].count((line, column)) + 1, lines[line - 1]
            place = f"{text[:column]}<{nth}>{text[column:]}".strip()
            yield Mutant(name, operator, i, f"{name} | {operator} | {place}")


def sample(part: str, count: int) -> list[Mutant]:
    found = [mutant for file in files_of(part) for mutant in mutants_of(file)]
    random.Random(part).shuffle(found)
    return found[:count]


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
def covering(file: str, module: str) -> list[Path]:
    """The module's own tests; then those that import most of it, and those of who imports it."""
    library = [path for path in (ROOT / "dplab").rglob("*.py") if module in imported(path)]
    tests = sorted((ROOT / "tests/dplab").rglob("test_*.py"))
    direct = sorted(tests, key=lambda path: -imported(path).count(module))
    found = own_tests(ROOT / file)
    found += [path for path in direct if module in imported(path)]
    found += [path for user in sorted(library) for path in own_tests(user)]
    found = [path for path in dict.fromkeys(found) if "widgets" not in path.parts]
    return found[:FILES]


@cache
def state(file: str, module: str) -> str:
    """A name for the module and its tests as they are now."""
    texts = [path.read_bytes() for path in (ROOT / file, *covering(file, module))]
    return sha256(b"\0".join(texts)).hexdigest()[:16]


class InPlace(MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Imports the mutant in place of the module."""

    def __init__(self, mutant: Mutant):
        super().__init__(mutant.module, str(ROOT / mutant.file))
        self.text = mutant.source

    def find_spec(self, fullname, path, target=None):
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname):
        return compile(self.text, self.path, "exec", dont_inherit=True)


def started(mutant: Mutant) -> int:
    """The number of a new process, which ends with pytest's status."""
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1), os.dup2(quiet, 2)
    sys.meta_path.insert(0, InPlace(mutant))
    tests = [str(path) for path in covering(mutant.file, mutant.module)]
    own = ["--doctest-modules", str(ROOT / mutant.file)]
    options = [
        "-x",
        "-q",
        "-o",
        "addopts=",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "--assert=plain",
    ]
    chosen = ["-m", "not slow and not browser", "--hypothesis-seed=0", f"--rootdir={ROOT}"]
    os._exit(int(pytest.main([*options, *chosen, *own, *tests])))


def ended(running: dict[int, tuple[Mutant, float]]) -> Iterator[tuple[Mutant, str]]:
    """Which of the processes have come to a verdict by now; they leave the dict."""
    for child, (mutant, since) in list(running.items()):
        if time.monotonic() - since > SECONDS:
            os.killpg(child, signal.SIGKILL)
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            del running[child]
            yield mutant, "survived" if status == 0 else "killed"


def run(todo: list[Mutant], found: dict[str, list[str]], file: Path) -> None:
    running: dict[int, tuple[Mutant, float]] = {}
    waiting = iter(todo)
    while True:
        while len(running) < (os.cpu_count() or 1) and (mutant := next(waiting, None)):
            running[started(mutant)] = mutant, time.monotonic()
        if not running:
            return
        for mutant, verdict in ended(running):
            found[mutant.label] = [state(mutant.file, mutant.module), verdict]
            keep(file, found)
            if verdict == "survived" and mutant.label not in explained():
                print(f"survived: {mutant.label}", flush=True)
        time.sleep(0.02)


@cache
def explained() -> dict[str, str]:
    return json.loads(EXPLAINED.read_text("utf-8")) if EXPLAINED.exists() else {}


def keep(file: Path, found: dict[str, list[str]]) -> None:
    new = file.with_suffix(".new")
    new.write_text(json.dumps(found, indent=0), encoding="utf-8")
    new.replace(file)


def main(file: Path, count: int, parts: tuple[str, ...]) -> None:
    found = json.loads(file.read_text("utf-8")) if file.exists() else {}
    enough = True
    print("part           mutants  killed  survived  explained")
    for part in parts:
        mutants = sample(part, count)
        known = {m.label for m in mutants if found.get(m.label, [""])[0] == state(m.file, m.module)}
        run([m for m in mutants if m.label not in known], found, file)
        survived = [m.label for m in mutants if found[m.label][1] == "survived"]
        safe = sum(label in explained() for label in survived)
        killed = len(mutants) - len(survived)
        enough &= safe == len(survived) and killed >= ENOUGH * len(mutants)
        print(f"{part:14} {len(mutants):7} {killed:7} {len(survived):9} {safe:10}", flush=True)
    sys.exit(not enough)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int((sys.argv[2:] or [COUNT])[0]), tuple(sys.argv[3:]) or PARTS)
