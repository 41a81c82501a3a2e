"""Tests that look, after a call, at a list that student code would have changed elsewhere.

What a function does to its arguments is done to the test's own as well. Not so where an object of
the student's keeps an argument and changes it later, where a function changes a list of a locked
cell, which both rooms have, or where one of the student's own lists is handed back to her code: it
crosses as a copy. Only a test that looks at the list alone is meant: beside what her code gave, it
is there to compare with.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.examiner.testcell import nodes_of

Look = tuple[int, str, str]  # the line, what is looked at, why that has no answer
Kept = dict[ast.expr, set[str]]  # by an expression of a test, the names that its value is given

_KEPT = (
    "her object keeps a copy of the list that it was given, and changes that one alone. Ask the "
    "object for what it holds"
)
_LOCKED = (
    "her code has, and changes, the one of its own room. Hand it to her function as an argument, "
    "or let a function of hers return it"
)
_HANDED_BACK = (
    "her function was handed a copy of it, and hers stays as it is. Let the function return what "
    "it has changed"
)
_MADE_BY = {"list", "dict", "set", "bytearray", "sorted", "copy", "deepcopy", "Counter", "deque",
            "defaultdict", "OrderedDict", "array", "zeros", "ones", "full", "empty", "arange",
            "linspace", "DataFrame", "Series"}  # fmt: skip
_PLAIN = (list, dict, set, tuple, str, int, float, np.ndarray)


@dataclass(frozen=True)
class Containers:
    """Names of lists and the like that a notebook's cells make: locked ones, and the student's."""

    locked: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()


def containers(trees: Sequence[ast.Module]) -> frozenset[str]:
    """The names that some cells give to what can be changed in its place."""
    return frozenset().union(*map(_containers, trees))


def _containers(tree: ast.Module) -> set[str]:
    made = [n for n in nodes_of(tree) if isinstance(n, ast.Assign) and _is_container(n.value)]
    return {t.id for node in made for t in node.targets if isinstance(t, ast.Name)}


def _is_container(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_container(value.left) or _is_container(value.right)
    if isinstance(value, ast.Call):
        return _last_name(value.func) in _MADE_BY
    return isinstance(
        value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    )


def looked_at(tree: ast.Module, theirs: Collection[str], known: Containers) -> Iterator[Look]:
    """Where a test looks at such a list. `theirs` are the student's names and what they gave."""
    stored = {n.id for n in nodes_of(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    asked = [call for call in calls if _names(call.func) & {*theirs}]
    kept = _kept(tree)
    objects = _objects(kept, asked, calls)
    keepers = [(name, call) for call in asked for name in _takers(kept, call) & objects]
    locked, own = known.locked - stored - {*theirs}, known.own - stored
    given = (_containers(tree) | locked) - {*theirs}
    for look in _looks(tree):
        names = _names(look)
        before = [call for call in asked if call.lineno < look.lineno]
        handed = {name for call in before for name in _handed(call)}
        changing = {
            name
            for keeper, call in keepers
            if _is_used(keeper, call, look, calls)
            for name in _handed(call)
        }
        why = ""
        if hers := names & {*theirs}:
            why = _HANDED_BACK if hers <= own and hers & handed else ""
        elif names & given & changing:
            why = _KEPT
        elif before and names & (locked - handed):
            why = _LOCKED
        if why:
            yield look.lineno, ast.unparse(look), why


def _looks(tree: ast.Module) -> Iterator[ast.expr]:
    """What a test demands, each part of it alone."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Assert | ast.If):
            is_both = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
            yield from node.test.values if is_both else [node.test]  # type: ignore[attr-defined]
        elif isinstance(node, ast.Call) and _last_name(node.func).startswith("assert"):
            yield node


def _kept(tree: ast.Module) -> Kept:
    return {
        node.value: {target.id for target in node.targets if isinstance(target, ast.Name)}
        for node in nodes_of(tree)
        if isinstance(node, ast.Assign)
    }


def _objects(kept: Kept, asked: Sequence[ast.Call], calls: Sequence[ast.Call]) -> set[str]:
    """The names of the student's objects: made by what is named like a class, or used like one."""
    classes = [call for call in asked if _last_name(call.func)[:1].isupper()]
    made = {name for call in classes for name in kept.get(call, ())}
    results = {name for call in asked for name in kept.get(call, ())}
    return made | {name for name in results if any(_is_object(name, call) for call in calls)}


def _takers(kept: Kept, call: ast.Call) -> set[str]:
    """The names of what may keep what this call hands over: its result, or whose method it is."""
    found = {*kept.get(call, ())}
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        found.add(call.func.value.id)
    return found


def _is_object(name: str, call: ast.Call) -> bool:
    """Whether a name is used here as no plain value can be."""
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == name:
        return not any(hasattr(kind, call.func.attr) for kind in _PLAIN)
    asks_next = ast.unparse(call.func) == "next" and name in _handed(call)
    return asks_next or ast.unparse(call.func) == name


def _is_used(keeper: str, first: ast.Call, look: ast.expr, calls: Sequence[ast.Call]) -> bool:
    """Whether an object is at work between a call and a look."""
    between = [call for call in calls if first.lineno < call.lineno < look.lineno]
    return any(keeper in _names(call) for call in between)


def _handed(call: ast.Call) -> set[str]:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return {argument.id for argument in given if isinstance(argument, ast.Name)}


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _last_name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]
