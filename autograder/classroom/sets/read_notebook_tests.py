"""Read all tests of a problem set: which are not understood, and why."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import dis
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType

from autograder.classroom.sets import lint, read_test
from autograder.classroom.sets.changed_names import find_changed_names
from autograder.classroom.sets.read_set_module import find_modules
from autograder.classroom.sets.reading_reasons import Reason
from autograder.classroom.sets.value_kinds import Kinds, Surroundings, ValueKind
from autograder.examiner.testcell import (
    MODULES,
    compile_leniently,
    find_imports,
    names_defined_by,
    nodes_of,
    parse_cell,
)
from autograder.wire.contract import Cell, Role
from autograder.wire.files import File

_DRAWS = re.compile(r"\brandom\b|\brng\b|default_rng|\bsample\(|\bshuffle\(|\bchoice\(")
_SEEDS = re.compile(r"\brandom\.seed\(")
_WRITES = re.compile(r"\bopen\([^)]*['\"][wax]|write_text|write_bytes|\.to_csv|savetxt|\.dump\(")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def read_tests(
    cells: Sequence[Cell], extra_students: Iterable[str] = (), files: Sequence[File] = ()
) -> dict[str, list[Reason]]:
    """Return the reasons why each examiner's test of a notebook is not understood, by its name.

    `extra_students` are names that students define, beside those in the notebook's own cells.
    `files` are those of the set: tests may import modules among them.
    """
    surroundings = find_surroundings(cells, extra_students, files)
    questions = _ask_lint(cells, surroundings)
    return {
        cell.name: _merge(questions[cell.name], read_test.read(cell.source, surroundings))
        for cell in cells
        if cell.role is Role.EXAMINER
    }


def _merge(questions: Sequence[lint.Question], reasons: Sequence[Reason]) -> list[Reason]:
    """Return one reason for each line and expression; the lint's words come first."""
    merged = [Reason(question.line, question.subject, question.why) for question in questions]
    lines = {question.line for question in questions}
    merged += [reason for reason in reasons if reason.line not in lines]
    return sorted(merged, key=lambda reason: reason.line)


def _ask_lint(cells: Sequence[Cell], surroundings: Surroundings) -> dict[str, list[lint.Question]]:
    sources = [cell.source for cell in cells if cell.role is not Role.STUDENT]
    aliases, tainted = lint.imports(sources), lint.find_tainted(sources, surroundings.students)
    locked = [cell.source for cell in cells if cell.role is Role.BOTH]
    own = [cell.source for cell in cells if cell.role is Role.STUDENT]
    lists = lint.containers(locked, own)
    return {
        cell.name: lint.questions(cell.source, surroundings.students, aliases, lists, tainted)
        for cell in cells
        if cell.role is Role.EXAMINER
    }


def find_surroundings(
    cells: Sequence[Cell], extra_students: Iterable[str] = (), files: Sequence[File] = ()
) -> Surroundings:
    """Return what the cells of a notebook define, as far as its tests depend on it."""
    own = [cell.source for cell in cells if cell.role is Role.STUDENT]
    teachers = [cell.source for cell in cells if cell.role is not Role.STUDENT]
    student_trees, trees = [*_parse(own)], [*_parse(teachers)]
    students = frozenset({*_names_in(own), *extra_students})
    teachers_imports = lint.imports(teachers)
    first = Surroundings(
        students=students,
        classes=frozenset(
            node.name
            for tree in student_trees
            for node in nodes_of(tree)
            if isinstance(node, ast.ClassDef)
        ),
        imports={**MODULES, **teachers_imports},
        student_imports=lint.imports(own),
        helpers={
            node.name: node
            for tree in trees
            for node in tree.body
            if isinstance(node, _DEFINITIONS) and node.name not in students
        },
        read_names=frozenset().union(*map(_names_read_in_functions, own)),
        draws=any(map(_DRAWS.search, own)),
        seeded=any(map(_SEEDS.search, teachers)),
        writes=any(map(_WRITES.search, own)),
        changed_names=frozenset().union(*map(_find_changed, student_trees)) - students,
        modules=find_modules(files, _imported_modules(teachers), _imported_modules(own)),
    )
    return _with_variables(first, trees)


def _find_changed(tree: ast.Module) -> set[str]:
    """Return the names from other cells whose values a cell changes in place."""
    kinds = Kinds(tree, Surroundings())
    return {
        name.id
        for node in kinds.nodes
        for name in find_changed_names(node)
        if kinds.key_of(name.id, name) is None and kinds.module_of(name) is None
    }


def _imported_modules(sources: Iterable[str]) -> set[str]:
    return {name.partition(".")[0] for source in sources for name in find_imports(source)}


def _with_variables(surroundings: Surroundings, trees: Sequence[ast.Module]) -> Surroundings:
    """Add the variables of all teachers' cells, with the kinds of values that they hold."""
    variables: dict[str, ValueKind] = {}
    for tree in trees:
        kinds = Kinds(tree, dataclasses.replace(surroundings, variables=variables))
        for node in tree.body:
            for name in _assigned_names(node):
                kind = kinds.names.get((0, name), ValueKind.OWN)
                variables[name] = max(variables.get(name, ValueKind.OWN), kind)
    return dataclasses.replace(surroundings, variables=variables)


def _names_read_in_functions(source: str) -> set[str]:
    """Return the global names that the functions of a cell read."""
    try:
        waiting = [compile_leniently(source, "<cell>")]
    except SyntaxError:
        return set()
    inner, names = [], set()
    while waiting:
        code = waiting.pop()
        inner += [part for part in code.co_consts if isinstance(part, CodeType)]
        names |= {step.argval for part in inner for step in dis.get_instructions(part)
                  if step.opname == "LOAD_GLOBAL"}  # fmt: skip
        waiting += inner
        inner = []
    return names


def _assigned_names(node: ast.stmt) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _parse(sources: Iterable[str]) -> Iterator[ast.Module]:
    for source in sources:
        with contextlib.suppress(SyntaxError):
            yield parse_cell(source)


def _names_in(sources: Iterable[str]) -> set[str]:
    names: set[str] = set()
    for source in sources:
        with contextlib.suppress(SyntaxError):
            names |= names_defined_by(source, "<cell>")
    return names


def as_texts(reasons: Mapping[str, Sequence[Reason]]) -> dict[str, list[str]]:
    """Return the reasons as sentences."""
    return {name: list(map(str, of_test)) for name, of_test in reasons.items()}
