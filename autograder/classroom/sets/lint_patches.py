"""Find patches in a test that are meant for student code but never reach it.

A test patches a module or an object with `unittest.mock.patch`, or with pytest's `monkeypatch`.
The patch changes the examiner process alone. Student code runs in another process, with modules of
its own. So a patch works as written in two cases only. In the first, only the test's own code runs
while the patch lasts. In the second, the test patches one of its own classes, or an object of such
a class: student code reaches this object through a proxy, and never has a copy of it.

A name is *tainted* if student code may run when it is used. Tainted are the names that the student
defines, variables that hold something of the student's, and functions that call a tainted name or
get one as an argument.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.examiner.testcell import nodes_of

_MOCK = re.compile(r"(unittest\.mock|mock|mocker)\.patch(\.\w+)?")
_MONKEYPATCH_CLASS = re.compile(r"(_?pytest\.)?(monkeypatch\.)?MonkeyPatch(\.context)?")
_MONKEYPATCH_METHODS = {"setattr", "delattr", "setitem", "delitem", "setenv", "delenv", "chdir",
                        "syspath_prepend"}  # fmt: skip
_TARGET_KEYWORDS = {"target", "in_dict"}  # of the functions of mock
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_WITH = (ast.With, ast.AsyncWith)
_CALLERS = {"map", "filter", "partial", "reduce"}  # take a function first, then its arguments


@dataclass(frozen=True)
class TaintedFunctions:
    """The tainted functions, and the tainted arguments of functions, that cells share."""

    functions: frozenset[str] = frozenset()  # the names of functions that call student code
    arguments: frozenset[tuple[str, int | str]] = frozenset()  # (function, place or name)


def find_tainted(trees: Sequence[ast.Module], student_names: Collection[str]) -> TaintedFunctions:
    """Return the tainted functions and arguments of a notebook's tests and locked cells.

    Taint spreads from cell to cell, so the cells are read again until nothing new is found.
    `student_names` are the names that the student defines.
    """
    taint, previous_taint = TaintedFunctions(), None
    while taint != previous_taint:
        previous_taint = taint
        for tree in trees:
            flow = _Flow(tree, student_names, taint)
            taint = TaintedFunctions(
                taint.functions | (flow.names & {*flow.functions}),
                taint.arguments | flow.arguments,
            )
    return taint


def find_unseen_patches(
    tree: ast.Module,
    names: Mapping[str, str],
    student_names: Collection[str],
    shared: TaintedFunctions,
) -> Iterator[ast.expr]:
    """Yield the function of each patch in a test that is meant for student code but misses it.

    `names` gives the full name of each imported name, and `shared` is the result of `find_tainted`.
    """
    flow = _Flow(tree, student_names, shared)
    for patch in _find_patches(tree, names):
        if not (_is_defined_by_test(patch.target, flow, names) or _is_harmless(patch, flow)):
            yield patch.function


@dataclass(frozen=True)
class _Patch:
    function: ast.expr  # the function that patches, mock.patch.object for example
    target: ast.expr | None  # the patched object, or a text that names it
    scope: Sequence[ast.AST] | None  # nodes that run while the patch lasts; None: all later ones


def _find_patches(tree: ast.Module, names: Mapping[str, str]) -> Iterator[_Patch]:
    calls = {id(node.func): node for node in nodes_of(tree) if isinstance(node, ast.Call)}
    owners = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Attribute)}
    monkeypatches = {"monkeypatch", *_find_monkeypatches(tree, names)}
    for node in nodes_of(tree):
        if not isinstance(node, ast.Attribute | ast.Name) or id(node) in owners:
            continue
        call = calls.get(id(node))
        if _MOCK.fullmatch(meaning(node, names)) or _is_monkeypatch_method(node, monkeypatches):
            yield _Patch(node, _find_target(call), _find_scope(tree, call, node) if call else None)


def _find_target(call: ast.Call | None) -> ast.expr | None:
    if call is None:
        return None
    targets = [keyword.value for keyword in call.keywords if keyword.arg in _TARGET_KEYWORDS]
    return next(iter([*call.args, *targets]), None)


def meaning(node: ast.expr, names: Mapping[str, str]) -> str:
    """Return the full dotted name; `names` gives the full name of each imported name."""
    first, _, attributes = ast.unparse(node).partition(".")
    return ".".join(filter(None, [names.get(first, first), attributes]))


def _find_monkeypatches(tree: ast.Module, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of variables that hold an object of pytest's MonkeyPatch."""
    for target, value in _find_bindings(tree):
        is_constructed = isinstance(value, ast.Call) and _MONKEYPATCH_CLASS.fullmatch(
            meaning(value.func, names)
        )
        is_context = (
            isinstance(value, ast.Call) and ast.unparse(value.func) == "monkeypatch.context"
        )
        if (is_constructed or is_context) and isinstance(target, ast.Name):
            yield target.id


def _is_monkeypatch_method(node: ast.expr, monkeypatches: Collection[str]) -> bool:
    owner, _, method = ast.unparse(node).rpartition(".")
    return owner in monkeypatches and method in _MONKEYPATCH_METHODS


def _find_scope(tree: ast.Module, call: ast.Call, function: ast.expr) -> Sequence[ast.AST] | None:
    """Return the nodes that run while the patch lasts, or None if the cell never ends it."""
    owner = ast.unparse(function).rpartition(".")[0]
    for node in nodes_of(tree):
        if isinstance(node, (*_FUNCTION, ast.ClassDef)) and call in node.decorator_list:
            return node.body
        if isinstance(node, _WITH):
            contexts = {
                ast.unparse(item.optional_vars) for item in node.items if item.optional_vars
            }
            methods = {f"{name}.enter_context" for name in contexts}
            if any(item.context_expr is call for item in node.items):
                return _nodes_after(call, node)
            if owner in contexts or _find_receiver(node, call) in methods:
                return node.body
    return None


def _nodes_after(call: ast.Call, block: ast.With | ast.AsyncWith) -> Sequence[ast.AST]:
    """Return the body of a `with` block, and the context managers after the patch."""
    managers = [item.context_expr for item in block.items]
    return [*managers[managers.index(call) + 1 :], *block.body]


def _find_receiver(block: ast.AST, call: ast.Call) -> str:
    """Return the function that has this call as an argument, or "" if there is none."""
    for node in ast.walk(block):
        if isinstance(node, ast.Call) and any(argument is call for argument in node.args):
            return ast.unparse(node.func)
    return ""


def _is_defined_by_test(target: ast.expr | None, flow: _Flow, names: Mapping[str, str]) -> bool:
    """Return whether the target is a class that the test defines, or an object of such a class."""
    if not isinstance(target, ast.Name) or target.id in flow.names or target.id in names:
        return False
    values = [value for name, value in flow.bindings if _is_name(name, target.id)]
    return target.id in flow.classes or (bool(values) and all(map(flow.is_instance, values)))


def _is_harmless(patch: _Patch, flow: _Flow) -> bool:
    """Return whether no student code is patched, or runs while the patch lasts."""
    if patch.scope is None or patch.target is None or _may_be_student_code(patch.target, flow):
        return False
    return not any(_mentions(node, flow.names) for node in patch.scope)


def _may_be_student_code(target: ast.expr, flow: _Flow) -> bool:
    """Return whether the target may belong to student code. If it is unclear, return True."""
    text = target.value if isinstance(target, ast.Constant) else None
    if isinstance(text, str):
        return text.partition(".")[0] in {"__main__", *flow.names}
    is_dotted_name = isinstance(target, ast.Name | ast.Attribute)
    return not is_dotted_name or _mentions(target, {"__name__", *flow.names})


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


Binding = tuple[ast.expr, ast.AST]  # the target of an assignment, and its value


def _find_bindings(tree: ast.Module) -> Iterator[Binding]:
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
    """The tainted names of one cell, and the tainted arguments that it gives to functions."""

    def __init__(
        self, tree: ast.Module, student_names: Collection[str], shared: TaintedFunctions
    ) -> None:
        nodes = nodes_of(tree)
        self.bindings = [*_find_bindings(tree)]
        self.functions = {node.name: node for node in nodes if isinstance(node, _FUNCTION)}
        self.classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._imported_names = _find_imports(nodes)
        self.names = {*student_names, *shared.functions}
        self.arguments = {*shared.arguments}
        sizes = (-1, -1)
        while sizes != (len(self.names), len(self.arguments)):
            sizes = len(self.names), len(self.arguments)
            self._spread_taint()

    def is_instance(self, value: ast.AST) -> bool:
        """Return whether a value is an object of a class that the cell defines."""
        return isinstance(value, ast.Call) and ast.unparse(value.func) in self.classes

    def _spread_taint(self) -> None:
        for target, value in self.bindings:
            if _mentions(value, self.names):
                self._taint(target)
        for call in self._calls:
            self._taint_arguments(call)
        for name, function in self.functions.items():
            self._taint_function(name, function)

    def _taint(self, target: ast.expr) -> None:
        names = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        self.names |= names - self._imported_names

    def _taint_arguments(self, call: ast.Call) -> None:
        """Record the tainted arguments of a call; they also taint the object of a method."""
        function, arguments = call.func, call.args
        if ast.unparse(function).rpartition(".")[2] in _CALLERS and arguments:
            function, arguments = arguments[0], arguments[1:]
        keywords = [(keyword.arg or "", keyword.value) for keyword in call.keywords]
        values: list[tuple[int | str, ast.expr]] = [*enumerate(arguments), *keywords]
        places = [place for place, value in values if _mentions(value, self.names)]
        if isinstance(function, ast.Name):
            self.arguments |= {(function.id, place) for place in places}
        elif places and isinstance(function, ast.Attribute):
            self._taint(function.value)

    def _taint_function(self, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Taint parameters with tainted arguments; taint the function if it uses tainted names."""
        parameters = function.args
        positional = [*parameters.posonlyargs, *parameters.args]
        for argument in (*positional, *parameters.kwonlyargs):
            if (name, argument.arg) in self.arguments:
                self.names.add(argument.arg)
        positional_names = {argument.arg for argument in positional}
        for function_name, place in self.arguments:
            if function_name != name:
                continue
            if isinstance(place, int):
                extra = [parameters.vararg] if parameters.vararg else []
                self.names |= {p.arg for p in (positional[place : place + 1] or extra) if p}
            elif parameters.kwarg and place not in positional_names:
                self.names.add(parameters.kwarg.arg)
        if any(_mentions(statement, self.names) for statement in function.body):
            self.names.add(name)


def _find_imports(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names that imports define. A module is not tainted by its functions' arguments."""
    aliases = [
        alias for n in nodes if isinstance(n, ast.Import | ast.ImportFrom) for alias in n.names
    ]
    return {(alias.asname or alias.name).partition(".")[0] for alias in aliases} | {"checks"}
