"""Do the tests of the library see a small bug in it? Limit: 95% of mutants killed, in each part.

    python tests/benchmarks/library_mutants.py FILE [COUNT [PART ...]]

Of each part of dplab COUNT mutants (300 if nothing is said, the same ones for the same lines) are
made by Cosmic Ray's operators: + for -, < for <=, 1 for 0, a loop that never runs. Each is imported
in place of the module, in a process of its own on each core that it may use (`taskset` gives it
fewer), and of the module's doctests and the tests that cover it those that run the changed line,
the quick ones first, until one fails; no file is changed. All of them run first on the part as it
is, and must pass. A mutant that takes over twice as much computing, as one that loops forever does,
or more memory than a test may, counts as killed. FILE keeps a verdict a line, and the same command
goes on from there: a mutant is tried anew once its module or the tests of it have changed.
Hypothesis draws the same examples each time, but the library's own randomness is fresh. Those that
survive must be explained, in `explained_mutants.toml`: the same for every caller, or strictly
safer. Exits with status 1 if one isn't, or if too few were killed.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import chain
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

from tests.benchmarks.which_tests import (  # noqa: E402
    ARGUMENTS,
    Tests,
    covering,
    files_of,
    note,
)

PARTS = (
    "losses", "divergences", "guarantees", "accounting",
    "mechanisms", "sampling", "audit", "queries", "synthesis", "learning", "attacks",
)  # fmt: skip
COUNT, ENOUGH = 300, 0.95
MOST_BYTES = 6 << 30  # of address space; what wants more fails by it
ASLEEP = 600  # seconds without a verdict after which nothing more is expected
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
    """The `occurrence`-th place of a file at which an operator can change it."""

    file: str  # from the root of the project
    operator: str
    occurrence: int
    line: int
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
        text = mutate_code(text, get_operator(f"core/{self.operator}")(), self.occurrence)
        assert text is not None
        return text

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").replace("/", ".")


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
            yield Mutant(name, operator, i, line, place)


def sample(part: str, count: int) -> list[Mutant]:
    """By a digest of each mutant's own line: what changes elsewhere chooses no others."""
    equal: Counter[str] = Counter()
    places = {}
    for mutant in (mutant for file in files_of(part) for mutant in mutants_of(file)):
        name = f"{mutant.file} | {mutant.label}"
        equal[name] += 1
        places[mutant] = sha256(f"{name} | {equal[name]}".encode()).digest()
    return sorted(places, key=places.__getitem__)[:count]


@cache
def state(file: str) -> str:
    """A name for the module and its tests as they are now."""
    texts = [path.read_bytes() for path in covering(file)]
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


@dataclass
class Chosen:
    """Runs just these tests, in this order."""

    names: list[str]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in self.names if name in found]


def tried(mutant: Mutant, names: list[str]) -> int:
    """Run these tests on the mutant, until one fails; pytest's status."""
    sys.meta_path.insert(0, InPlace(mutant))
    files = dict.fromkeys(str(ROOT / name.partition("::")[0]) for name in names)
    return int(pytest.main([*ARGUMENTS, *files], plugins=[Chosen(names)]))


Work = Callable[[], int]  # ends with pytest's status
Trial = tuple[str, Work, int]  # what it is about, and the seconds of processor time that it has


def started(work: Work, seconds: int) -> int:
    """The number of a new process, which ends with pytest's status, or after so much computing."""
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    status = 1  # also where not even pytest could start
    try:
        status = work()
    finally:
        os._exit(status)


def ended(running: dict[int, tuple[str, float]]) -> Iterator[tuple[str, str]]:
    """Which of the processes have come to a verdict by now; they leave the dict."""
    for child, (about, since) in list(running.items()):
        late = time.monotonic() - since > ASLEEP
        if late:
            os.killpg(child, signal.SIGKILL)
        done, status = os.waitpid(child, 0 if late else os.WNOHANG)
        if done:
            del running[child]
            survived = status in (0, NO_TESTS << 8)
            failed = "too slow" if os.WIFSIGNALED(status) else "killed"
            yield about, "survived" if survived else failed


def verdicts(todo: Iterable[Trial]) -> Iterator[tuple[str, str]]:
    """What became of each, as it ends, from as many processes as there are cores."""
    running: dict[int, tuple[str, float]] = {}
    waiting = iter(todo)
    while True:
        while len(running) < len(os.sched_getaffinity(0)) and (following := next(waiting, None)):
            about, work, seconds = following
            running[started(work, seconds)] = about, time.monotonic()
        if not running:
            return
        yield from ended(running)
        time.sleep(0.02)


def tests_of(part: str, files: Iterable[str]) -> Tests:
    """Which tests run which line of these files of a part.

    Exits unless they pass: else all mutants would look killed.
    """
    found = Tests()
    with tempfile.TemporaryDirectory() as folder:
        places = dict.fromkeys(path for file in files for path in covering(file))
        notes = {str(path): Path(folder, str(i)) for i, path in enumerate(places)}
        todo = ((name, partial(note, part, Path(name), to), ASLEEP) for name, to in notes.items())
        for name, verdict in verdicts(todo):
            if verdict != "survived":
                sys.exit(f"{name}: its tests fail, or take too long, without any change")
            found.add(notes[name])
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


def run(part: str, todo: list[Mutant], file: Path) -> None:
    tests, mutants = tests_of(part, {mutant.file for mutant in todo}), {m.key: m for m in todo}
    names = {key: tests.of(mutant.file, mutant.line) for key, mutant in mutants.items()}
    trials = (
        (key, partial(tried, mutants[key], chosen), 10 + math.ceil(2 * tests.time(chosen)))
        for key, chosen in names.items()
        if chosen
    )
    unseen = ((key, "survived") for key, chosen in names.items() if not chosen)
    with file.open("a", encoding="utf-8") as lines:
        for key, verdict in chain(unseen, verdicts(trials)):
            mutant = mutants[key]
            print(json.dumps((key, state(mutant.file), verdict)), file=lines, flush=True)
            if verdict == "survived" and not is_explained(mutant):
                print(f"survived: {key}", flush=True)


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
        run(part, [m for m in mutants if found.get(m.key, [""])[0] != state(m.file)], file)
        enough &= is_enough(part, mutants, file)
    sys.exit(not enough)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int((sys.argv[2:] or [COUNT])[0]), tuple(sys.argv[3:]) or PARTS)
