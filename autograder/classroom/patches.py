"""Patches in a test: those that student code would have to meet, and never does.

A patch changes what the tests' own process has. The student's code runs in another process, with
modules of its own. So a patch does what it says in two cases alone: while it lasts, only the tests'
own code runs; or it patches a class of the test, or an object of such a class, which student code
reaches through a stand-in and never has a copy of.

A name is *tainted* if student code may run when it is used: a name of the student's, what a test
keeps of theirs, and a function that calls theirs or is handed theirs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.examiner.testcell import nodes_of

_MOCK = re.compile(r"(unittest\.mock|mock|mocker)\.patch(\.\w+)?")
_MONKEY_PATCH = re.compile(r"(_?pytest\.)?(monkeypatch\.)?MonkeyPatch(\.context)?")
_LASTING = {"setattr", "delattr", "setitem", "delitem", "setenv", "delenv", "chdir",
            "syspath_prepend"}  # fmt: skip
_TARGETS = {"target", "in_dict"}  # as mock calls them
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_WITH = (ast.With, ast.AsyncWith)
_CALLED_LATER = {"map", "filter", "partial", "reduce"}  # take a function first, then its arguments


@dataclass(frozen=True)
class Tainted:
    """Names that cells of a notebook share, and what its tests and locked cells do with them."""

    functions: frozenset[str] = frozenset()  # that call student code
    arguments: frozenset[tuple[str, int | str]] = frozenset()  # (function, place or name) given it


def tainted(trees: Sequence[ast.Module], students: Collection[str]) -> Tainted:
    """Return what a notebook's tests and locked cells share, by going through them until nothing
    more is found.
    """
    current, previous = Tainted(), None
    while current != previous:
        previous = current
        for tree in trees:
            flow = _Flow(tree, students, current)
            current = Tainted(
                current.functions | (flow.names & {*flow.functions}),
                current.arguments | flow.arguments,
            )
    return current


def unseen(
    tree: ast.Module, names: Mapping[str, str], students: Collection[str], shared: Tainted
) -> Iterator[ast.expr]:
    """Yield the patches of a test that student code should meet, and doesn't.

    `names` says what a name means by an import.
    """
    flow = _Flow(tree, students, shared)
    for patch in _patches(tree, names):
        if not (_is_own(patch.target, flow, names) or _is_kept_away(patch, flow)):
            yield patch.function


@dataclass(frozen=True)
class _Patch:
    function: ast.expr  # mock.patch.object, say, as it stands in the text
    target: ast.expr | None  # what is patched
    scope: Sequence[ast.AST] | None  # what runs while it lasts; None where that has no end


def _patches(tree: ast.Module, names: Mapping[str, str]) -> Iterator[_Patch]:
    called = {id(node.func): node for node in nodes_of(tree) if isinstance(node, ast.Call)}
    inner = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Attribute)}
    monkeys = {"monkeypatch", *_monkeys(tree, names)}
    for node in nodes_of(tree):
        if not isinstance(node, ast.Attribute | ast.Name) or id(node) in inner:
            continue
        call = called.get(id(node))
        if _MOCK.fullmatch(meaning(node, names)) or _changes_by(node, monkeys):
            yield _Patch(node, _target(call), _scope(tree, call, node) if call else None)


def _target(call: ast.Call | None) -> ast.expr | None:
    keywords = [word.value for word in call.keywords if word.arg in _TARGETS] if call else []
    return next(iter([*(call.args if call else ()), *keywords]), None)


def meaning(node: ast.expr, names: Mapping[str, str]) -> str:
    """Return a dotted name with its first part as imports have it."""
    first, _, rest = ast.unparse(node).partition(".")
    return ".".join(filter(None, [names.get(first, first), rest]))


def _monkeys(tree: ast.Module, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the names that a test gives to pytest's MonkeyPatch."""
    for target, value in _bindings(tree):
        is_monkey = isinstance(value, ast.Call) and _MONKEY_PATCH.fullmatch(
            meaning(value.func, names)
        )
        is_context = (
            isinstance(value, ast.Call) and ast.unparse(value.func) == "monkeypatch.context"
        )
        if (is_monkey or is_context) and isinstance(target, ast.Name):
            yield target.id


def _changes_by(node: ast.expr, monkeys: Collection[str]) -> bool:
    owner, _, method = ast.unparse(node).rpartition(".")
    return owner in monkeys and method in _LASTING


def _scope(tree: ast.Module, call: ast.Call, function: ast.expr) -> Sequence[ast.AST] | None:
    """Return what runs while the patch lasts; None where nothing says when it ends."""
    owner = ast.unparse(function).rpartition(".")[0]
    for node in nodes_of(tree):
        if isinstance(node, (*_FUNCTION, ast.ClassDef)) and call in node.decorator_list:
            return node.body
        if isinstance(node, _WITH):
            contexts = {
                ast.unparse(item.optional_vars) for item in node.items if item.optional_vars
            }
            entering = {f"{name}.enter_context" for name in contexts}
            if any(item.context_expr is call for item in node.items):
                return _behind(node, call)
            if owner in contexts or _holder(node, call) in entering:
                return node.body
    return None


def _behind(block: ast.With | ast.AsyncWith, call: ast.Call) -> Sequence[ast.AST]:
    """Return the body of a `with`, and what it enters after the patch."""
    entered = [item.context_expr for item in block.items]
    return [*entered[entered.index(call) + 1 :], *block.body]


def _holder(block: ast.AST, call: ast.Call) -> str:
    """Return the function that is handed this call directly, "" if there is none."""
    for node in ast.walk(block):
        if isinstance(node, ast.Call) and any(argument is call for argument in node.args):
            return ast.unparse(node.func)
    return ""


def _is_own(target: ast.expr | None, flow: _Flow, names: Mapping[str, str]) -> bool:
    """Return whether a class of the test is patched, or an object that the test made of one."""
    if not isinstance(target, ast.Name) or target.id in flow.names or target.id in names:
        return False
    values = [value for name, value in flow.bindings if _is_name(name, target.id)]
    return target.id in flow.classes or (bool(values) and all(map(flow.is_instance, values)))


def _is_kept_away(patch: _Patch, flow: _Flow) -> bool:
    """Return whether no student code meets the patch: none runs meanwhile, none is patched."""
    if patch.scope is None or patch.target is None or _is_of_notebook(patch.target, flow):
        return False
    return not any(_mentions(node, flow.names) for node in patch.scope)


def _is_of_notebook(target: ast.expr, flow: _Flow) -> bool:
    """Return whether the target may be the student's, by its name or as an unreadable text."""
    text = target.value if isinstance(target, ast.Constant) else None
    if isinstance(text, str):
        return text.partition(".")[0] in {"__main__", *flow.names}
    plain = isinstance(target, ast.Name | ast.Attribute)
    return not plain or _mentions(target, {"__name__", *flow.names})


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


Binding = tuple[ast.expr, ast.AST]  # what is given a value, and the value


def _bindings(tree: ast.Module) -> Iterator[Binding]:
    for node in nodes_of(tree):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value:
            yield node.target, node.value
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            yield node.target, node.iter
        elif isinstance(node, ast.withitem) and node.optional_vars:
            yield node.optional_vars, node.context_expr


class _Flow:
    """The tainted names of one cell, and what it hands to functions that cells share."""

    def __init__(self, tree: ast.Module, students: Collection[str], shared: Tainted) -> None:
        nodes = nodes_of(tree)
        self.bindings = [*_bindings(tree)]
        self.functions = {node.name: node for node in nodes if isinstance(node, _FUNCTION)}
        self.classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._imported = _imported(nodes)
        self.names = {*students, *shared.functions}
        self.arguments = {*shared.arguments}
        sizes = (-1, -1)
        while sizes != (len(self.names), len(self.arguments)):
            sizes = len(self.names), len(self.arguments)
            self._spread()

    def is_instance(self, value: ast.AST) -> bool:
        """Return whether a value is made of a class that the cell defines."""
        return isinstance(value, ast.Call) and ast.unparse(value.func) in self.classes

    def _spread(self) -> None:
        for target, value in self.bindings:
            if _mentions(value, self.names):
                self._taint(target)
        for call in self._calls:
            self._hand_over(call)
        for name, function in self.functions.items():
            self._enter(name, function)

    def _taint(self, target: ast.expr) -> None:
        names = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        self.names |= names - self._imported

    def _hand_over(self, call: ast.Call) -> None:
        """Note what a function is given; an object that is given student code keeps it."""
        first, arguments = call.func, call.args
        if ast.unparse(first).rpartition(".")[2] in _CALLED_LATER and arguments:
            first, arguments = arguments[0], arguments[1:]
        words = [(word.arg or "", word.value) for word in call.keywords]
        handed: list[tuple[int | str, ast.expr]] = [*enumerate(arguments), *words]
        places = [place for place, value in handed if _mentions(value, self.names)]
        if isinstance(first, ast.Name):
            self.arguments |= {(first.id, place) for place in places}
        elif places and isinstance(first, ast.Attribute):
            self._taint(first.value)

    def _enter(self, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        parameters = function.args
        positional = [*parameters.posonlyargs, *parameters.args]
        for argument in (*positional, *parameters.kwonlyargs):
            if (name, argument.arg) in self.arguments:
                self.names.add(argument.arg)
        for called, place in self.arguments:
            if called == name and isinstance(place, int):
                rest = [parameters.vararg] if parameters.vararg else []
                self.names |= {one.arg for one in (positional[place : place + 1] or rest) if one}
            elif (
                called == name and parameters.kwarg and place not in {one.arg for one in positional}
            ):
                self.names.add(parameters.kwarg.arg)
        if any(_mentions(statement, self.names) for statement in function.body):
            self.names.add(name)


def _imported(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names that imports give: what is handed to a module isn't kept there."""
    aliases = [
        alias for n in nodes if isinstance(n, ast.Import | ast.ImportFrom) for alias in n.names
    ]
    return {(alias.asname or alias.name).partition(".")[0] for alias in aliases} | {"checks"}
