"""Find the names whose values a piece of code changes in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.classroom.sets import reading_table as table


def find_changed_names(node: ast.AST) -> Iterator[ast.Name]:
    """Yield the names of values that this node, by itself, may change in place."""
    for part in _changed_parts(node):
        base = part
        while isinstance(base, ast.Attribute | ast.Subscript | ast.Call):
            base = base.func if isinstance(base, ast.Call) else base.value
        if isinstance(base, ast.Name):
            yield base


def _changed_parts(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in table.CHANGING_METHODS:
            yield node.func.value
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        yield from node.args if name in {*table.CHANGING_FUNCTIONS, "setattr", "delattr"} else ()
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "out")
        if any(keyword.arg == "inplace" for keyword in node.keywords):
            yield node.func
    targets: list[ast.expr] = [node.target] if isinstance(node, ast.AugAssign) else []
    targets += node.targets if isinstance(node, ast.Assign | ast.Delete) else []
    yield from (t for t in targets if isinstance(t, ast.Subscript | ast.Attribute))
    yield from (t for t in targets if isinstance(node, ast.AugAssign) and isinstance(t, ast.Name))
