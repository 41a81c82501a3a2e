"""Wrong answers made from a right one, each with one small mistake."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.examiner.testcell import parse_cell

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


_SYMMETRIC_FUNCTIONS = {"max", "min", "maximum", "minimum", "gcd", "isclose", "allclose", "hypot"}


@dataclass(frozen=True)
class Slip:
    """A changed text, with the changed line before and after."""

    source: str
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.before}  ->  {self.after}"


def slips(source: str, max_count: int) -> list[Slip]:
    """Return at most so many slips in a solution cell's text, the same ones each time.

    They are drawn from all parts of the text. Text that is not Python has none. A slip is another
    constant, operator or comparison, a negated condition, two swapped arguments or a missing line.
    """
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return []
    sources = {ast.unparse(tree)}
    all_slips = []
    for slip in _all_slips(tree):
        if slip.source not in sources:
            sources.add(slip.source)
            all_slips.append(slip)
    if len(all_slips) > max_count:
        numbers = set(random.Random(source).sample(range(len(all_slips)), max_count))
        all_slips = [slip for number, slip in enumerate(all_slips) if number in numbers]
    return sorted(all_slips, key=lambda slip: slip.line)


def _all_slips(tree: ast.Module) -> Iterator[Slip]:
    untouchable_ids = _find_texts_for_readers(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in untouchable_ids:
            continue
        for changed in _change_node(node):
            yield _slip(tree, number, node, changed)


def _slip(tree: ast.Module, number: int, node: ast.AST, changed: ast.AST) -> Slip:
    changed_tree: ast.AST = copy.deepcopy(tree)
    target = next(part for place, part in enumerate(ast.walk(changed_tree)) if place == number)
    changed_tree = _Replacing(target, changed).visit(changed_tree)
    ast.fix_missing_locations(changed_tree)
    line = getattr(node, "lineno", 0)
    return Slip(ast.unparse(changed_tree), line, _shorten(node), _shorten(changed))


def _shorten(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Replacing(ast.NodeTransformer):
    def __init__(self, target: ast.AST, changed: ast.AST) -> None:
        self._target = target
        self._replacement = changed

    def visit(self, node: ast.AST) -> ast.AST:
        return self._replacement if node is self._target else self.generic_visit(node)


def _find_texts_for_readers(tree: ast.Module) -> set[int]:
    """Return the ids of nodes that only readers use: annotations, error messages, f-strings."""
    ids: set[int] = set()
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
        ids |= {id(inner) for part in parts if part is not None for inner in ast.walk(part)}
    return ids


def _change_node(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that may replace a node."""
    if isinstance(node, ast.Constant):
        yield from (ast.Constant(value) for value in _constants(node.value))
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if type(node.op) in _OPERATORS:
            yield _replace_fields(node, op=_OPERATORS[type(node.op)]())
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS[type(node.ops[0])]:
            yield _replace_fields(node, ops=[kind()])
    elif isinstance(node, ast.BoolOp):
        yield _replace_fields(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Call):
        yield from _swap_arguments(node)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield _replace_fields(node, test=ast.UnaryOp(ast.Not(), copy.deepcopy(node.test)))
    if _is_dispensable(node):
        yield ast.Pass()


def _replace_fields(node: ast.AST, **fields: object) -> ast.AST:
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


def _swap_arguments(node: ast.Call) -> Iterator[ast.AST]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if name in _SYMMETRIC_FUNCTIONS:
        return
    if len(node.args) >= 2 and not any(isinstance(arg, ast.Starred) for arg in node.args[:2]):
        first, second, *others = (copy.deepcopy(arg) for arg in node.args)
        yield _replace_fields(node, args=[second, first, *others])


def _is_dispensable(node: ast.AST) -> bool:
    """Return whether the line can be left out so that all names are still defined."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Break | ast.Continue) or (
        isinstance(node, ast.If) and not node.orelse
    )
