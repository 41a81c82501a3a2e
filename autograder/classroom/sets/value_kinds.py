"""Find, for each expression of a test, what it may hold of student code.

The analysis ignores the order of statements: a name has the highest kind of all its bindings.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from autograder.classroom.sets import reading_table
from autograder.classroom.sets.expressions import last_name

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class ValueKind(enum.IntEnum):
    """The kind of value that an expression may hold. Each kind includes the ones before it."""

    OWN = 0  # nothing of the student's
    CHECKED = 1  # a result of `autograder.checks`, which holds only copies
    MADE = 2  # a value that the test has made from the student's values
    VALUE = 3  # a value of the student's, probably plain
    OBJECT = 4  # an object of the student's, which is used as no plain value can be


Key = tuple[int, str]  # a name and its scope: the id of a function or comprehension, or 0
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda,
           ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)  # fmt: skip
_LOOPS = (*_SCOPES, ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Surroundings:
    """The definitions of a notebook's other cells, as far as tests depend on them."""

    students: frozenset[str] = frozenset()  # names that the solution defines
    classes: frozenset[str] = frozenset()  # those of them that are classes
    imports: Mapping[str, str] = field(default_factory=dict)  # by teachers' cells: full names
    student_imports: Mapping[str, str] = field(default_factory=dict)
    helpers: Mapping[str, ast.stmt] = field(default_factory=dict)  # teachers' own definitions
    variables: Mapping[str, ValueKind] = field(
        default_factory=dict
    )  # of other tests and locked cells
    read_names: frozenset[str] = frozenset()  # variables that the solution's functions read
    draws: bool = False  # whether the solution may draw random numbers
    seeded: bool = False  # whether a teacher's cell seeds a module's generator
    writes: bool = False  # whether the solution may write files
    # Modules of the set's files, and why they are not understood: see `find_modules`.
    modules: Mapping[str, str] = field(default_factory=dict)
    changed_names: frozenset[str] = frozenset()  # of others, whose values the solution changes
    takes_values: bool = False  # whether all parameters may get values of the student's


def is_plain_attribute(name: str) -> bool:
    """Return whether a plain value may have this attribute."""
    return name in reading_table.PLAIN_ATTRIBUTES or name in reading_table.READABLE_DUNDERS


class Kinds:
    """The kinds of all names and expressions in one cell, with the helpers that it uses."""

    def __init__(self, tree: ast.Module, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.nodes = _with_helpers(tree, surroundings)
        self.parents = {
            id(child): node for node in self.nodes for child in ast.iter_child_nodes(node)
        }
        self.imports = {**surroundings.imports, **_find_imports(self.nodes)}
        self.functions: dict[str, FunctionNode] = {}
        self.own_classes = {n.name: n for n in self.nodes if isinstance(n, ast.ClassDef)}
        self._find_functions()
        self.bound_names = _find_bound_names(self.nodes)
        self._bound_in = self._find_bound_in()
        self._loops: dict[int, set[int]] = {}
        self.names: dict[Key, ValueKind] = {}
        self.returns: dict[int, ValueKind] = {}  # by the id of a function's node
        self._passed_functions: dict[Key, list[FunctionNode]] = {}  # by parameter
        self._has_grown = True  # whether a parameter got a new function
        self._results: set[Key] = set()  # names of values that some expression computes
        self._cached_kinds: dict[
            int, ValueKind
        ] = {}  # by the id of an expression, until a kind grows
        for node in self.nodes if surroundings.takes_values else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                self.names |= {(id(node), name): ValueKind.VALUE for name in _parameters(node)}
        self._spread()

    def _find_bound_in(self) -> dict[int, set[str]]:
        """Return the names that each scope binds, by the id of its node; 0 is the cell itself."""
        bound: dict[int, set[str]] = {0: set()}
        outer: dict[int, set[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Global | ast.Nonlocal):
                outer.setdefault(self.scope_of(node), set()).update(node.names)
            for name in _names_bound_by(node):
                scope = self.scope_of(node)
                if isinstance(node, ast.NamedExpr | ast.FunctionDef | ast.ClassDef):
                    scope = self.scope_of(self.parents.get(id(node), node))
                bound.setdefault(scope, set()).add(name)
        for scope, names in outer.items():
            bound.get(scope, set()).difference_update(names)
        return bound

    def scope_of(self, node: ast.AST) -> int:
        """Return the id of the function or comprehension that a node is in, or that it is."""
        current: ast.AST | None = node
        while current is not None:
            if isinstance(current, _SCOPES):
                return id(current)
            current = self.parents.get(id(current))
        return 0

    def key_of(self, name: str, node: ast.AST) -> Key | None:
        """Return the key of a name that is used at a node, or None if this cell doesn't bind it."""
        current: ast.AST | None = node
        while current is not None:
            if isinstance(current, _SCOPES) and name in self._bound_in.get(id(current), ()):
                return id(current), name
            current = self.parents.get(id(current))
        return (0, name) if name in self._bound_in[0] else None

    def _find_functions(self) -> None:
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                names = [t.id for t in node.targets if isinstance(t, ast.Name)]
                self.functions |= dict.fromkeys(names, node.value)

    def _spread(self) -> None:
        """Visit all nodes again until no kind grows."""
        old: object = None
        while self._has_grown or old != (self.names, self.returns):
            self._has_grown = False
            old = dict(self.names), dict(self.returns)
            self._cached_kinds.clear()
            for node in self.nodes:
                self._visit(node)
        self._cached_kinds.clear()

    def _visit(self, node: ast.AST) -> None:
        for target, value in _find_bindings(node):
            self._bind(target, value)
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            self._raise(node.target, self.part_of(node.iter))
        elif isinstance(node, ast.AugAssign):
            self._raise(node.target, min(self.of(node.value), ValueKind.MADE))
        elif isinstance(node, ast.Call):
            self._visit_call(node)
        elif isinstance(node, ast.Attribute) and self._is_object_use(node):
            self._raise(node.value, ValueKind.OBJECT)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            self.returns[id(node)] = max(map(self.of, _find_returned(node)), default=ValueKind.OWN)
            decorators = map(self.of, getattr(node, "decorator_list", ()))
            self.returns[id(node)] = max([self.returns[id(node)], *decorators])

    def _is_object_use(self, node: ast.Attribute) -> bool:
        is_name = isinstance(node.value, ast.Name)
        is_value = is_name and self.of(node.value) == ValueKind.VALUE
        return is_value and not is_plain_attribute(node.attr)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        both = (ast.Tuple, ast.List)
        is_pair = isinstance(target, both) and isinstance(value, both)
        if is_pair and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
            for part, inner in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                self._bind(part, inner)
            return
        if not isinstance(value, ast.Name) and (key := self._key(target)):
            self._results.add(key)
        is_unpacked = isinstance(target, both)
        self._raise(target, self.part_of(value) if is_unpacked else self.of(value))

    def _key(self, node: ast.AST) -> Key | None:
        return self.key_of(node.id, node) if isinstance(node, ast.Name) else None

    def _raise(self, target: ast.expr, kind: ValueKind) -> None:
        """Let a target have at least this kind; a container of it is made by the test."""
        if kind == ValueKind.OWN:
            return
        if isinstance(target, ast.Name):
            self.raise_name(self.key_of(target.id, target), kind)
        elif isinstance(target, ast.Starred):
            self._raise(target.value, kind)
        elif isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._raise(part, kind)
        elif isinstance(target, ast.Subscript) or (
            isinstance(target, ast.Attribute) and self.module_of(target.value) is None
        ):
            self._raise(target.value, min(kind, ValueKind.MADE))

    def raise_name(self, key: Key | None, kind: ValueKind) -> None:
        """Let a name of this cell have at least this kind."""
        if key is not None and kind > self.names.get(key, ValueKind.OWN):
            self.names[key] = kind
            self._cached_kinds.clear()

    def _visit_call(self, call: ast.Call) -> None:
        function, arguments = call.func, _arguments(call)
        is_value = self.of(function) == ValueKind.VALUE
        if is_value and self._key(function) in self._results:  # a closure, for example
            self._raise(function, ValueKind.OBJECT)
        own = self.own_functions(function)
        for called in own:
            self._bind_parameters(called, call)
        if not own and isinstance(function, ast.Attribute):
            for method in self._own_methods(function.attr):
                self._bind_parameters(method, call, skip=1)
        kind = max(map(self.of, arguments), default=ValueKind.OWN)
        if not own and (kind > ValueKind.CHECKED or self.of(function) >= ValueKind.VALUE):
            for argument in arguments:  # functions that student code may call
                for callback in self.own_functions(argument):
                    for parameter in _required_parameters(callback):
                        self.raise_name((id(callback), parameter), ValueKind.VALUE)
        if kind > ValueKind.CHECKED and isinstance(function, ast.Attribute):
            owner = self.of(function.value)
            may_keep = owner == ValueKind.OWN or function.attr in reading_table.CHANGING_METHODS
            if self.module_of(function) is None and owner < ValueKind.MADE and may_keep:
                self._raise(function.value, ValueKind.MADE)

    def own_functions(self, node: ast.AST) -> list[FunctionNode]:
        """Return the test's own functions that an expression may be."""
        if isinstance(node, ast.Lambda):
            return [node]
        if not isinstance(node, ast.Name):
            return []
        own_functions = [self.functions[node.id]] if node.id in self.functions else []
        return [
            *own_functions,
            *self._passed_functions.get(self.key_of(node.id, node) or (0, ""), ()),
        ]

    def _own_methods(self, name: str) -> Iterator[FunctionNode]:
        for kind in self.own_classes.values():
            for node in kind.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    yield node

    def _bind_parameters(self, function: FunctionNode, call: ast.Call, skip: int = 0) -> None:
        names = [p.arg for p in (*function.args.posonlyargs, *function.args.args)][skip:]
        rest = [p.arg for p in (function.args.vararg, function.args.kwarg) if p]
        for place, argument in enumerate(call.args):
            starred = isinstance(argument, ast.Starred)
            parameters = [*names, *rest] if starred else names[place : place + 1] or rest
            for name in parameters:
                self._bind_parameter((id(function), name), argument)
        for keyword in call.keywords:
            parameters = _parameters(function)
            for name in [keyword.arg] if keyword.arg in parameters else parameters:
                self._bind_parameter((id(function), name), keyword.value)

    def _bind_parameter(self, key: Key, argument: ast.expr) -> None:
        self.raise_name(key, self.of(argument))
        passed = self._passed_functions.setdefault(key, [])
        new = [function for function in self.own_functions(argument) if function not in passed]
        if new:
            passed += new
            self._cached_kinds.clear()
            self._has_grown = True

    def module_of(self, node: ast.expr) -> str | None:
        """Return the full dotted name of a module, or of something in it; None otherwise."""
        if isinstance(node, ast.Attribute):
            owner = self.module_of(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        if isinstance(node, ast.Name) and self.key_of(node.id, node) is None:
            return self.imports.get(node.id)
        return None

    def part_of(self, node: ast.expr) -> ValueKind:
        """Return the kind of an item of an expression."""
        kind = self.of(node)
        return ValueKind.VALUE if kind >= ValueKind.MADE else kind

    def of(self, node: ast.AST) -> ValueKind:
        """Return the kind of an expression."""
        if id(node) not in self._cached_kinds:
            method = getattr(self, f"_of_{type(node).__name__.lower()}", None)
            self._cached_kinds[id(node)] = (
                method(node) if method is not None else self._of_parts(node)
            )
        return self._cached_kinds[id(node)]

    def _of_constant(self, node: ast.Constant) -> ValueKind:
        return ValueKind.OWN

    def _of_name(self, node: ast.Name) -> ValueKind:
        if key := self.key_of(node.id, node):
            return self.names.get(key, ValueKind.OWN)
        if node.id in self.imports or node.id in self.functions:
            return ValueKind.OWN
        if node.id in self.surroundings.students:
            return ValueKind.VALUE
        if node.id in self.surroundings.variables:
            return self.surroundings.variables[node.id]
        is_known = node.id in reading_table.BUILTINS or node.id in self.surroundings.helpers
        return (
            ValueKind.OWN if is_known else ValueKind.VALUE
        )  # `import *` may define it in the notebook

    def _of_attribute(self, node: ast.Attribute) -> ValueKind:
        kind = self.of(node.value)
        return ValueKind.VALUE if kind == ValueKind.OBJECT else kind

    def _of_subscript(self, node: ast.Subscript) -> ValueKind:
        return self.part_of(node.value)

    def _of_compare(self, node: ast.Compare) -> ValueKind:
        return ValueKind.OWN

    def _of_lambda(self, node: ast.Lambda) -> ValueKind:
        return ValueKind.OWN

    def _of_await(self, node: ast.Await) -> ValueKind:
        return ValueKind.VALUE

    def _of_starred(self, node: ast.Starred) -> ValueKind:
        return self.of(node.value)

    def _of_namedexpr(self, node: ast.NamedExpr) -> ValueKind:
        return self.of(node.value)

    def _of_boolop(self, node: ast.BoolOp) -> ValueKind:
        return max(map(self.of, node.values))

    def _of_ifexp(self, node: ast.IfExp) -> ValueKind:
        return max(self.of(node.body), self.of(node.orelse))

    def _of_call(self, node: ast.Call) -> ValueKind:
        function = self.of(node.func)
        if self.is_class(node.func):
            return ValueKind.OBJECT
        if function >= ValueKind.VALUE:
            return ValueKind.VALUE
        if own := self.own_functions(node.func):
            return max(self.returns.get(id(called), ValueKind.OWN) for called in own)
        if (self.module_of(node.func) or "").startswith(reading_table.CHECKS):
            return ValueKind.CHECKED
        if function == ValueKind.CHECKED:
            return ValueKind.CHECKED
        kind = max([function, *map(self.of, _arguments(node))], default=ValueKind.OWN)
        name = last_name(node.func)
        if name in reading_table.NAMESPACE_FUNCTIONS:
            return ValueKind.VALUE
        if kind <= ValueKind.CHECKED:
            return kind
        if name in reading_table.SCALAR_FUNCTIONS and not self._is_of_set(node.func):
            return ValueKind.OWN if function == ValueKind.OWN else kind
        if name in reading_table.PART_FUNCTIONS or self._is_of_set(node.func):
            return ValueKind.VALUE
        return ValueKind.MADE

    def _is_of_set(self, function: ast.expr) -> bool:
        """Return whether a function is of a module of the set's files."""
        return (self.module_of(function) or "").partition(".")[0] in self.surroundings.modules

    def _of_parts(self, node: ast.AST) -> ValueKind:
        kinds = [self.of(part) for part in ast.iter_child_nodes(node) if _is_value(part)]
        return min(max(kinds, default=ValueKind.OWN), ValueKind.MADE)

    def is_class(self, node: ast.expr) -> bool:
        """Return whether an expression is a class of the student's."""
        if not isinstance(node, ast.Name) or self.key_of(node.id, node):
            return False
        return node.id in self.surroundings.classes

    def loops_around(self, node: ast.AST) -> set[int]:
        """Return the ids of the loops and functions that a node is in."""
        if id(node) not in self._loops:
            parent = self.parents.get(id(node))
            loops = set() if parent is None else self.loops_around(parent)
            self._loops[id(node)] = {*loops, id(parent)} if isinstance(parent, _LOOPS) else loops
        return self._loops[id(node)]


def _names_bound_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    return [node.name] if isinstance(node, ast.ExceptHandler) and node.name else []


def _is_value(node: ast.AST) -> bool:
    return isinstance(node, ast.expr | ast.comprehension | ast.keyword)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _parameters(function: FunctionNode) -> list[str]:
    args = function.args
    parts = (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg)
    return [part.arg for part in parts if part is not None]


def _required_parameters(function: FunctionNode) -> list[str]:
    """Return the parameters without a default, and those for any number of arguments."""
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    required = positional[: len(positional) - len(args.defaults)]
    return [part.arg for part in (*required, args.vararg, args.kwarg) if part is not None]


def _find_returned(function: FunctionNode) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    values: list[ast.expr] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and node.value is not None:
            values.append(node.value)
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return values


def _find_bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def _find_bound_names(nodes: Collection[ast.AST]) -> frozenset[str]:
    """Return the names that a cell itself gives to values, functions or parameters."""
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    names |= {n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name}
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return frozenset(names | {n.name for n in nodes if isinstance(n, kinds)})


def _find_imports(nodes: Collection[ast.AST]) -> dict[str, str]:
    names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return names


def _with_helpers(tree: ast.Module, surroundings: Surroundings) -> list[ast.AST]:
    """Return the nodes of a cell, and those of the helpers of other cells that it uses."""
    nodes = list(ast.walk(tree))
    bound_names = _find_bound_names(nodes)
    waiting = _mentioned(nodes) - bound_names
    visited: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in visited or name not in surroundings.helpers:
            continue
        visited.add(name)
        inner = list(ast.walk(surroundings.helpers[name]))
        nodes += inner
        waiting |= _mentioned(inner)
    return nodes


def _mentioned(nodes: Collection[ast.AST]) -> set[str]:
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
