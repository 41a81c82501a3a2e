"""Wrong answers made up from a right one: each with one small mistake, as a slip would make it."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.examiner.testcell import parsed

_OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip


_EITHER_WAY = {"max", "min", "maximum", "minimum", "gcd", "isclose", "allclose", "hypot"}


@dataclass(frozen=True)
class Slip:
    """A changed text, and in words which line became what."""

    source: str
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.before}  ->  {self.after}"


def slips(source: str, most: int) -> list[Slip]:
    """At most so many changes of a solution cell's text, drawn from all over it, the same ones
    each time; none for what is no Python.

    They are: another constant, operator or comparison, a condition turned round, two arguments
    swapped, a line left out.
    """
    try:
        tree = parsed(source)
    except SyntaxError:
        return []
    seen = {ast.unparse(tree)}
    found = []
    for slip in _all(tree):
        if slip.source not in seen:
            seen.add(slip.source)
            found.append(slip)
    if len(found) > most:
        chosen = set(random.Random(source).sample(range(len(found)), most))
        found = [slip for number, slip in enumerate(found) if number in chosen]
    return sorted(found, key=lambda slip: slip.line)


def _all(tree: ast.Module) -> Iterator[Slip]:
    left_out = _told(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in left_out:
            continue
        for changed in _changes(node):
            yield _slip(tree, number, node, changed)


def _slip(tree: ast.Module, number: int, node: ast.AST, changed: ast.AST) -> Slip:
    other: ast.AST = copy.deepcopy(tree)
    target = next(found for place, found in enumerate(ast.walk(other)) if place == number)
    other = _Replacing(target, changed).visit(other)
    ast.fix_missing_locations(other)
    before, after = _shown(node), _shown(changed)
    return Slip(ast.unparse(other), getattr(node, "lineno", 0), before, after)


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Replacing(ast.NodeTransformer):
    def __init__(self, target: ast.AST, changed: ast.AST) -> None:
        self._target = target
        self._changed = changed

    def visit(self, node: ast.AST) -> ast.AST:
        return self._changed if node is self._target else self.generic_visit(node)


def _told(tree: ast.Module) -> set[int]:
    """What is there for readers: annotations, documentation, and what an error says."""
    found: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.FunctionDef):
            parts = [node.returns]
        elif isinstance(node, ast.Raise):
            parts = [node.exc]
        elif isinstance(node, ast.JoinedStr):
            parts = [node]
        found |= {id(inner) for part in parts if part is not None for inner in ast.walk(part)}
    return found


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    if isinstance(node, ast.Constant):
        yield from (ast.Constant(value) for value in _constants(node.value))
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if type(node.op) in _OPERATORS:
            yield _with(node, op=_OPERATORS[type(node.op)]())
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS[type(node.ops[0])]:
            yield _with(node, ops=[kind()])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Call):
        yield from _swapped(node)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), copy.deepcopy(node.test)))
    if _can_be_left_out(node):
        yield ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _constants(value: object) -> Iterator[bool | int | float]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, float):
        yield 2 * value if value else 1.0


def _swapped(node: ast.Call) -> Iterator[ast.AST]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if called in _EITHER_WAY:
        return
    if len(node.args) >= 2 and not any(isinstance(arg, ast.Starred) for arg in node.args[:2]):
        first, second, *rest = (copy.deepcopy(arg) for arg in node.args)
        yield _with(node, args=[second, first, *rest])


def _can_be_left_out(node: ast.AST) -> bool:
    """A line whose names are there without it: leaving out others is no slip but an error."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Break | ast.Continue) or (
        isinstance(node, ast.If) and not node.orelse
    )
