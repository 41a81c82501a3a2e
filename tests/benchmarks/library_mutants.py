"""Do the tests of the library see a small bug in it? Limit: 95% of mutants killed, in each part.

    python tests/benchmarks/library_mutants.py FILE [COUNT [PART ...]]

Of each part of dplab COUNT mutants (300 if nothing is said, the same ones each time) are made by
Cosmic Ray's operators: + for -, < for <=, 1 for 0, a loop that never runs. Each is imported in
place of the module, in a process of its own on each core that it may use (`taskset` gives it
fewer), and the module's doctests and the tests that cover it run, the quick ones first, until one
fails; no file is changed. They run first on the module as it is, and must pass. A mutant that takes
over twice as much computing, as one that loops forever does, counts as killed. FILE keeps a verdict
a line, and the same command goes on from there: a mutant is tried anew once its module or the tests
of it have changed. Hypothesis draws the same examples each time, but the library's own randomness
is fresh. Those that survive must be explained, in `explained_mutants.toml`: the same for every
caller, or strictly safer. Exits with status 1 if one isn't, or if too few were killed.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import math
import os
import random
import resource
import signal
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType

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
    "mechanisms", "sampling", "audit", "queries", "synthesis", "learning", "attacks",
)  # fmt: skip
COUNT, ENOUGH = 300, 0.95
ASLEEP = 600  # seconds without a verdict after which nothing more is expected
FILES = 6  # of tests that cover a module, its own among them
NO_TESTS = int(pytest.ExitCode.NO_TESTS_COLLECTED)
EXPLAINED = Path(__file__).with_name("explained_mutants.toml")
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
    """The `occurrence`-th place of a file at which an operator can change it; or no change."""

    file: str  # from the root of the project
    operator: str  # "" leaves the file as it is
    occurrence: int
    place: str  # the line, with a number before the place: 2 for its second change there

    @property
    def label(self) -> str:
        return f"{self.operator} | {self.place}"

    @property
    def key(self) -> str:
        return f"{self.file} | {self.occurrence} | {self.label}"

    @property
    def source(self) -> str:
        """The whole changed module."""
        text = (ROOT / self.file).read_text("utf-8")
        if not self.operator:
            return text
        text = mutate_code(text, get_operator(f"core/{self.operator}")(), self.occurrence)
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
            if lines[line - 1].lstrip().startswith("@dataclass"):
                continue  # that all are frozen is seen in test_import
            nth, text = starts[:i].count((line, column)) + 1, lines[line - 1]
            place = f"{text[:column]}<{nth}>{text[column:]}".strip()
            yield Mutant(name, operator, i, place)


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
    """The module's own tests; then those that import most of it, and those of its users."""
    library = [path for path in (ROOT / "dplab").rglob("*.py") if module in imported(path)]
    tests = sorted((ROOT / "tests/dplab").rglob("test_*.py"))
    direct = sorted(tests, key=lambda path: -imported(path).count(module))
    found = own_tests(ROOT / file)
    found += [path for path in direct if module in imported(path)]
    found += [path for user in sorted(library) for path in own_tests(user)]
    users = {".".join(user.relative_to(ROOT).with_suffix("").parts) for user in library}
    found += [path for path in tests if not users.isdisjoint(imported(path))]
    found = [path for path in dict.fromkeys(found) if "widgets" not in path.parts]
    return found[:FILES]


@cache
def state(file: str, module: str) -> str:
    """A name for the module and its tests as they are now."""
    texts = [path.read_bytes() for path in (ROOT / file, *covering(file, module))]
    return sha256(b"\0".join(texts)).hexdigest()[:16]


class InPlace(MetaPathFinder, SourceFileLoader):
    """Imports the mutant in place of the module."""

    def __init__(self, mutant: Mutant):
        super().__init__(mutant.module, str(ROOT / mutant.file))
        self.text = mutant.source

    def find_spec(self, fullname: str, path=None, target=None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


def arguments(mutant: Mutant) -> list[str]:
    """What pytest is told: the module's doctests and its tests, until one fails."""
    tests = [str(path) for path in covering(mutant.file, mutant.module)]
    quiet = ["-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist"]
    same = ["--assert=plain", "--hypothesis-seed=0", f"--rootdir={ROOT}"]
    chosen = ["-m", "not browser", "--doctest-modules"]
    return [*quiet, *same, *chosen, str(ROOT / mutant.file), *tests]


class QuickFirst:
    """Puts tests that are marked as slow behind all others."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


def started(mutant: Mutant, seconds: int) -> int:
    """The number of a new process, which ends with pytest's status, or after so much computing."""
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    status = 1  # also where not even pytest could start
    try:
        sys.meta_path.insert(0, InPlace(mutant))
        status = int(pytest.main(arguments(mutant), plugins=[QuickFirst()]))
    finally:
        os._exit(status)


def ended(running: dict[int, tuple[Mutant, float]]) -> Iterator[tuple[Mutant, str, float]]:
    """Which of the processes have come to a verdict by now; they leave the dict."""
    for child, (mutant, since) in list(running.items()):
        late = time.monotonic() - since > ASLEEP
        if late:
            os.killpg(child, signal.SIGKILL)
        done, status, used = os.wait4(child, 0 if late else os.WNOHANG)
        if done:
            del running[child]
            passed = status in (0, NO_TESTS << 8)
            verdict = "survived" if passed else "too slow" if os.WIFSIGNALED(status) else "killed"
            yield mutant, verdict, used.ru_utime + used.ru_stime


def verdicts(todo: Iterable[tuple[Mutant, int]]) -> Iterator[tuple[Mutant, str, float]]:
    """Of each mutant, with the seconds that it may take, as they come: what became of it and the
    seconds that it took, from as many processes as there are cores."""
    running: dict[int, tuple[Mutant, float]] = {}
    waiting = iter(todo)
    while True:
        while len(running) < len(os.sched_getaffinity(0)) and (following := next(waiting, None)):
            running[started(*following)] = following[0], time.monotonic()
        if not running:
            return
        yield from ended(running)
        time.sleep(0.02)


def needed(mutants: list[Mutant]) -> dict[str, float]:
    """The seconds of processor time that the tests of each file take, on the file as it is.

    Exits unless they pass: else all mutants would look killed.
    """
    files = dict.fromkeys(mutant.file for mutant in mutants)
    found = {}
    for plain, verdict, seconds in verdicts((Mutant(file, "", 0, ""), ASLEEP) for file in files):
        if verdict != "survived":
            sys.exit(f"{plain.file}: its tests fail, or take too long, without any change")
        found[plain.file] = seconds
    return found


@cache
def explained() -> dict[str, dict[str, str]]:
    """Of a file's mutants that no test can or need kill: why."""
    return tomllib.loads(EXPLAINED.read_text("utf-8"))


def is_explained(mutant: Mutant) -> bool:
    return mutant.label in explained().get(mutant.file, {})


def kept(file: Path) -> dict[str, tuple[str, str]]:
    """Of each mutant the state in which it was last tried, and the verdict."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {key: (then, verdict) for key, then, verdict in map(json.loads, lines)}


def run(todo: list[Mutant], file: Path) -> None:
    seconds = needed(todo)
    limits = ((mutant, 5 + math.ceil(2 * seconds[mutant.file])) for mutant in todo)
    with file.open("a", encoding="utf-8") as lines:
        for mutant, verdict, _ in verdicts(limits):
            entry = mutant.key, state(mutant.file, mutant.module), verdict
            print(json.dumps(entry), file=lines, flush=True)
            if verdict == "survived" and not is_explained(mutant):
                print(f"survived: {mutant.key}", flush=True)


def is_enough(part: str, mutants: list[Mutant], file: Path) -> bool:
    """Prints a part's line of the table."""
    found = kept(file)
    survived = [mutant for mutant in mutants if found[mutant.key][1] == "survived"]
    safe, total = sum(map(is_explained, survived)), len(mutants)
    killed = total - len(survived)
    counts = f"{total:7} {killed:7} {len(survived):9} {safe:10} {killed / total:9.1%}"
    print(f"{part:14} {counts}", flush=True)
    return safe == len(survived) and killed >= ENOUGH * total


def main(file: Path, count: int, parts: tuple[str, ...]) -> None:
    enough = True
    print("part           mutants  killed  survived  explained  per cent")
    for part in parts:
        mutants, found = sample(part, count), kept(file)
        new = [m for m in mutants if found.get(m.key, [""])[0] != state(m.file, m.module)]
        run(new, file)
        enough &= is_enough(part, mutants, file)
    sys.exit(not enough)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int((sys.argv[2:] or [COUNT])[0]), tuple(sys.argv[3:]) or PARTS)
