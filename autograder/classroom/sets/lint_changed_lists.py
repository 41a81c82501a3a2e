"""Tests that look, after a call, at a list that student code would have changed elsewhere.

If a function changes its arguments, the test's own arguments change, too. There are three
exceptions: a student's object keeps an argument and changes it later; a function changes a list of
a locked cell, which both processes have; a student's own list is handed back to the student's code.
In all three the student's code has a copy. Only tests that look at the list alone are reported:
beside a value from the student's code, the list is there to compare with.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.examiner.testcell import nodes_of

Look = tuple[int, str, str]  # the line, the expression, the reason why it has no answer
Targets = dict[ast.expr, set[str]]  # by expression of a test: the names that get its value

_KEPT_BY_OBJECT = (
    "the student's object has a copy of the list, and changes only that. Ask the object for its "
    "content"
)
_LOCKED = (
    "the student's code has a copy of its own, and changes only that. Hand it to the student's "
    "function as an argument, or let a function of the student return it"
)
_HANDED_BACK = (
    "the student's function gets a copy, so the test's own stays as it is. Let the function "
    "return what it has changed"
)
_MADE_BY = {"list", "dict", "set", "bytearray", "sorted", "copy", "deepcopy", "Counter", "deque",
            "defaultdict", "OrderedDict", "array", "zeros", "ones", "full", "empty", "arange",
            "linspace", "DataFrame", "Series"}  # fmt: skip
_PLAIN = (list, dict, set, tuple, str, int, float, np.ndarray)


@dataclass(frozen=True)
class Containers:
    """Names of lists and the like that a notebook's locked cells and the student's cells make."""

    locked: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()


def containers(trees: Sequence[ast.Module]) -> frozenset[str]:
    """Return the names that some cells give to objects that can be changed in place."""
    return frozenset().union(*map(_containers, trees))


def _containers(tree: ast.Module) -> set[str]:
    nodes = [n for n in nodes_of(tree) if isinstance(n, ast.Assign) and _is_container(n.value)]
    return {t.id for node in nodes for t in node.targets if isinstance(t, ast.Name)}


def _is_container(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_container(value.left) or _is_container(value.right)
    if isinstance(value, ast.Call):
        return _last_name(value.func) in _MADE_BY
    return isinstance(
        value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    )


def looked_at(
    tree: ast.Module, student_values: Collection[str], notebook: Containers
) -> Iterator[Look]:
    """Yield the places where a test looks at such a list.

    `student_values` are the student's names, and the names of their results.
    """
    assigned_names = {
        n.id for n in nodes_of(tree) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store
    }
    calls = [node for node in nodes_of(tree) if isinstance(node, ast.Call)]
    student_calls = [call for call in calls if _names(call.func) & {*student_values}]
    targets = _targets(tree)
    objects = _objects(targets, student_calls, calls)
    holders = [
        (name, call) for call in student_calls for name in _find_holders(targets, call) & objects
    ]
    own = notebook.own - assigned_names
    locked = notebook.locked - assigned_names - {*student_values}
    own_lists = (_containers(tree) | locked) - {*student_values}
    for look in _find_conditions(tree):
        names = _names(look)
        earlier_calls = [call for call in student_calls if call.lineno < look.lineno]
        handed_names = {name for call in earlier_calls for name in _argument_names(call)}
        changed_names = {
            name
            for holder, call in holders
            if _is_used(holder, call, look, calls)
            for name in _argument_names(call)
        }
        reason = ""
        if student_lists := names & {*student_values}:
            reason = _HANDED_BACK if student_lists <= own and student_lists & handed_names else ""
        elif names & own_lists & changed_names:
            reason = _KEPT_BY_OBJECT
        elif earlier_calls and names & (locked - handed_names):
            reason = _LOCKED
        if reason:
            yield look.lineno, ast.unparse(look), reason


def _find_conditions(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the conditions of a test; each part of an `and` is a condition by itself."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Assert | ast.If):
            is_both = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
            yield from node.test.values if is_both else [node.test]  # type: ignore[attr-defined]
        elif isinstance(node, ast.Call) and _last_name(node.func).startswith("assert"):
            yield node


def _targets(tree: ast.Module) -> Targets:
    return {
        node.value: {target.id for target in node.targets if isinstance(target, ast.Name)}
        for node in nodes_of(tree)
        if isinstance(node, ast.Assign)
    }


def _objects(targets: Targets, student_calls: list[ast.Call], calls: list[ast.Call]) -> set[str]:
    """Return names of the student's objects: made by a class, or used as no plain value can be."""
    classes = [call for call in student_calls if _last_name(call.func)[:1].isupper()]
    instances = {name for call in classes for name in targets.get(call, ())}
    results = {name for call in student_calls for name in targets.get(call, ())}
    return instances | {name for name in results if any(_is_object(name, call) for call in calls)}


def _find_holders(targets: Targets, call: ast.Call) -> set[str]:
    """Return the names of objects that may keep this call's arguments: result and owner."""
    names = {*targets.get(call, ())}
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        names.add(call.func.value.id)
    return names


def _is_object(name: str, call: ast.Call) -> bool:
    """Return whether the call uses a name in a way that no plain value allows."""
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == name:
        return not any(hasattr(kind, call.func.attr) for kind in _PLAIN)
    asks_next = ast.unparse(call.func) == "next" and name in _argument_names(call)
    return asks_next or ast.unparse(call.func) == name


def _is_used(holder: str, first: ast.Call, look: ast.expr, calls: Sequence[ast.Call]) -> bool:
    """Return whether an object is used between a call and a look."""
    calls_between = [call for call in calls if first.lineno < call.lineno < look.lineno]
    return any(holder in _names(call) for call in calls_between)


def _argument_names(call: ast.Call) -> set[str]:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return {argument.id for argument in arguments if isinstance(argument, ast.Name)}


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _last_name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]
