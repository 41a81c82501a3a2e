"""Read the modules among a set's own files, which a test may import.

Both processes load the teacher's file, each for itself. So a test that uses such a module means the
same in two processes as in one if the module keeps nothing: no values that change, no classes,
nothing of the process. Its functions may get values of the student's, and must not change them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from autograder.classroom.sets import lint, read_test
from autograder.classroom.sets.changed_names import find_changed_names
from autograder.classroom.sets.expressions import is_unchangeable
from autograder.classroom.sets.value_kinds import Kinds, Surroundings, ValueKind
from autograder.examiner.testcell import parse_cell
from autograder.wire.files import File

_STATEFUL = re.compile(
    r"\brandom\b|\brng\b|\bmock\b|\bmonkeypatch\b|write_text|write_bytes|\.to_csv|savetxt"
    r"|\.dump\(|\bopen\([^)]*,\s*(mode=)?['\"][wax]"
)


def find_modules(
    files: Sequence[File], names: Collection[str], student_names: Collection[str]
) -> dict[str, str]:
    """Return for each of these modules that is a file of the set why it is not understood, or "".

    `student_names` are the modules that the solution imports.
    """
    texts: dict[str, list[File]] = {}
    for file in files:
        if file.name.endswith(".py"):
            texts.setdefault(file.name.partition("/")[0].removesuffix(".py"), []).append(file)
    shared = frozenset(student_names)
    reader = _ModuleReader(texts, shared)
    return {name: reader.read(name) for name in {*names} & texts.keys()}


class _ModuleReader:
    """It reads each module once, with the modules that it imports."""

    def __init__(self, files: dict[str, list[File]], shared: frozenset[str]) -> None:
        self._files, self._shared = files, shared
        self._problems: dict[str, str] = {}

    def read(self, name: str) -> str:
        if name not in self._problems:
            self._problems[name] = ""  # if it imports itself by way of another module
            problems = (self._read_file(name, file) for file in self._files[name])
            self._problems[name] = next(filter(None, problems), "")
        return self._problems[name]

    def _read_file(self, name: str, file: File) -> str:
        try:
            text = file.content.decode()
            tree = parse_cell(text)
        except (SyntaxError, ValueError):
            return f"the set's file {file.name} is not Python"
        inner = {n.partition(".")[0] for n in lint.imports([text]).values()} & self._files.keys()
        surroundings = Surroundings(
            modules={module: self.read(module) for module in inner}, takes_values=True
        )
        is_shared = bool(self._shared & self._files.keys())  # also by way of another module
        problems = [
            *((q.line, f"{q.subject}: {q.why}") for q in lint.questions(text)),
            *((r.line, f"{r.subject}: {r.why}") for r in read_test.read(text, surroundings)),
            *_find_state(tree, surroundings, is_shared),
        ]
        if not problems:
            return ""
        line, what = min(problems)
        return f"the set's file {file.name} might mean something else there (line {line}, {what})"


def _find_state(
    tree: ast.Module, surroundings: Surroundings, is_shared: bool
) -> Iterator[tuple[int, str]]:
    """Yield the line and the kind of anything that keeps, draws or writes something."""
    kinds = Kinds(tree, surroundings)
    for node in kinds.nodes:
        if isinstance(node, ast.Global):
            yield node.lineno, "a global variable changes"
        elif isinstance(node, ast.ClassDef):
            yield node.lineno, f"each process has its own class {node.name}"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.decorator_list:
            yield node.lineno, f"a decorator might keep something of {node.name}"
        elif isinstance(node, ast.Name | ast.Attribute) and _STATEFUL.search(ast.unparse(node)):
            yield node.lineno, f"{ast.unparse(node)} has a state in each process"
        elif isinstance(node, ast.Call) and _STATEFUL.search(ast.unparse(node)):
            yield node.lineno, f"{ast.unparse(node)[:60]} changes a state or a file"
        elif isinstance(node, ast.expr | ast.stmt) and (name := _find_changed(node, kinds)):
            yield node.lineno, f"{name} changes in place"
    for statement in tree.body if is_shared else ():
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        if not is_unchangeable(statement.value):
            yield statement.lineno, "the student's code might change this value"


def _find_changed(node: ast.AST, kinds: Kinds) -> str:
    """Return the name of a value from elsewhere that a function changes in place, or ""."""
    for base in find_changed_names(node):
        key = kinds.key_of(base.id, base)
        is_inside = kinds.scope_of(node) != 0
        if is_inside and (key is None or key[0] == 0 or kinds.of(base) >= ValueKind.VALUE):
            return base.id
    return ""
