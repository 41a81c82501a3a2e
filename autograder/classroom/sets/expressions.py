"""Questions about single expressions and statements of a test."""

from __future__ import annotations

import ast

Node = ast.stmt | ast.expr


def is_type(node: ast.AST) -> bool:
    """Return whether a node is a call of `type` with one argument."""
    is_call = isinstance(node, ast.Call) and len(node.args) == 1
    return is_call and ast.unparse(node.func) == "type"  # type: ignore[attr-defined]


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is a text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_one_object(node: ast.expr) -> bool:
    """Return whether both processes have the same object: None, a boolean or `...`."""
    return isinstance(node, ast.Constant) and any(
        node.value is one for one in (None, True, False, ...)
    )


def unstarred(node: ast.expr) -> ast.expr:
    """Return the expression behind a star, or the node itself."""
    return node.value if isinstance(node, ast.Starred) else node


def base(node: ast.expr) -> ast.expr:
    """Return the expression with which a chain of attributes, items and calls begins."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def last_name(function: ast.expr) -> str:
    """Return a function's name without its owner, or "" if it has none."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def argument_nodes(call: ast.Call) -> list[ast.Name]:
    """Return the names that a call hands over, also within lists and the like."""
    names: list[ast.Name] = []
    waiting: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names.append(node)
        elif isinstance(node, ast.Starred | ast.List | ast.Tuple | ast.Dict | ast.IfExp):
            waiting += ast.iter_child_nodes(node)
    return names


def is_below(later: Node, earlier: Node) -> bool:
    """Return whether a node begins after the end of another."""
    end = (earlier.end_lineno or earlier.lineno, earlier.end_col_offset or 0)
    return (later.lineno, later.col_offset) >= end


_UNCHANGEABLE_CALLS = {
    "len", "int", "float", "str", "abs", "round", "bool", "tuple", "frozenset", "range", "complex",
    "bytes", "max", "min", "sum", "Fraction", "Decimal", "date", "datetime", "timedelta", "join",
    "format", "strip", "lower", "upper", "replace",
}  # fmt: skip


def is_unchangeable(value: ast.expr) -> bool:
    """Return whether a value is surely a number, a text or another value that never changes."""
    if isinstance(value, ast.Constant | ast.JoinedStr | ast.Compare | ast.Lambda):
        return True
    if isinstance(value, ast.UnaryOp):
        return is_unchangeable(value.operand)
    if isinstance(value, ast.BinOp):
        return is_unchangeable(value.left) and is_unchangeable(value.right)
    if isinstance(value, ast.Tuple):
        return all(map(is_unchangeable, value.elts))
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).rpartition(".")[2] in _UNCHANGEABLE_CALLS
    return False


def items_of(iterable: ast.expr) -> list[ast.expr]:
    """Return the items of what a loop goes through, or the loop's own expression if unknown."""
    if isinstance(iterable, ast.List | ast.Tuple | ast.Set):
        return list(iterable.elts)
    if isinstance(iterable, ast.Call) and ast.unparse(iterable.func) == "range":
        return [ast.Constant(0)]
    return [ast.Constant("")] if isinstance(iterable, ast.Constant) else [iterable]


def find_messages(nodes: list[ast.AST]) -> set[int]:
    """Return the ids of all nodes in the messages of asserts, which decide nothing."""
    messages = [n.msg for n in nodes if isinstance(n, ast.Assert) and n.msg is not None]
    return {id(part) for message in messages for part in ast.walk(message)}
