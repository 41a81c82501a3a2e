"""Read a test cell, and decide whether two processes give it the meaning of one.

A cell is understood if it does nothing with values of student code but what `reading_table` lists.
The reading looks at values as they flow, so it also asks whether a value is used again after it
was handed over or changed. A cell that is not understood runs in the student's own process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.classroom.sets import reading_reasons as reasons
from autograder.classroom.sets import reading_table as table
from autograder.classroom.sets.expressions import (
    find_messages,
    is_one_object,
    is_text,
    is_type,
    last_name,
    unstarred,
)
from autograder.classroom.sets.reading_reasons import Node, Reason
from autograder.classroom.sets.value_kinds import Kinds, Surroundings, ValueKind
from autograder.classroom.sets.value_uses import ValueUses
from autograder.examiner.testcell import parse_cell

_KNOWN_MAGICS = {"matplotlib", "time", "timeit", "config", "precision", "pylab"}


def read(source: str, surroundings: Surroundings) -> list[Reason]:
    """Return the reasons why a test is not understood, in order; none if it is."""
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return []
    reader = _TestReader(Kinds(tree, surroundings))
    return sorted(dict.fromkeys(reader.reasons()), key=lambda reason: reason.line)


class _TestReader:
    """Goes through the nodes of a cell; each method `_read_...` yields the reasons of one node."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._surroundings = kinds.surroundings
        self._uses = ValueUses(kinds)
        self._messages = find_messages(kinds.nodes)

    def reasons(self) -> Iterator[Reason]:
        for node in self._kinds.nodes:
            if id(node) in self._messages:
                continue
            method = getattr(self, f"_read_{type(node).__name__.lower()}", None)
            if method is not None:
                yield from method(node)
            if isinstance(node, ast.expr) and self._kinds.of(node) == ValueKind.OBJECT:
                yield from self._read_object(node)
        yield from self._uses.reasons()

    def _of(self, node: ast.AST) -> ValueKind:
        return self._kinds.of(node)

    def _is_students(self, node: ast.AST) -> bool:
        return self._of(node) >= ValueKind.VALUE

    # Names, modules and imports

    def _read_import(self, node: ast.Import) -> Iterator[Reason]:
        for alias in node.names:
            yield from self._check_module(node, alias.name)

    def _read_importfrom(self, node: ast.ImportFrom) -> Iterator[Reason]:
        for alias in node.names:
            yield from self._check_module(node, f"{node.module}.{alias.name}")

    def _check_module(self, node: Node, name: str) -> Iterator[Reason]:
        first, _, rest = name.partition(".")
        if first in self._surroundings.modules:
            if why := self._surroundings.modules[first]:
                yield reasons.make(node, why, reasons.COMPUTE)
            return
        allowed = table.MODULES.get(first)
        is_known = allowed is not None and (
            not allowed or not rest or rest.partition(".")[0] in {*allowed, "*"}
        )
        if not is_known:
            yield reasons.make(node, reasons.MODULE, reasons.COMPUTE)
        elif any(re.fullmatch(pattern, name) for pattern in table.STATE):
            yield reasons.make(node, reasons.STATE, reasons.COMPUTE)

    def _read_name(self, node: ast.Name) -> Iterator[Reason]:
        name, kinds = node.id, self._kinds
        if name in self._surroundings.student_imports and not self._is_defined(name):
            line = reasons.import_line(name, self._surroundings.student_imports[name])
            yield reasons.make(node, reasons.UNKNOWN, f"Add the line `{line}` to the test")
        elif name in kinds.imports and name not in kinds.bound_names:
            if not isinstance(kinds.parents.get(id(node)), ast.Attribute):
                yield from self._check_module(node, kinds.imports[name])
        elif name in self._surroundings.changed_names & self._surroundings.variables.keys():
            if kinds.key_of(name, node) is None:
                yield reasons.make(node, reasons.CHANGED, reasons.CHANGED_FORM)
        elif name in self._surroundings.students & table.BUILTINS and name not in kinds.bound_names:
            yield reasons.make(node, reasons.BUILTIN, reasons.BUILTIN_FORM)
        elif name in table.NOT_UNDERSTOOD_FUNCTIONS and name not in kinds.bound_names:
            yield reasons.make(node, reasons.MODULE, reasons.COMPUTE)

    def _is_defined(self, name: str) -> bool:
        kinds, surroundings = self._kinds, self._surroundings
        tables = (kinds.bound_names, kinds.imports, surroundings.helpers,
                  surroundings.variables, table.BUILTINS)  # fmt: skip
        return any(name in names for names in tables)

    # Attributes, items and operators

    def _read_attribute(self, node: ast.Attribute) -> Iterator[Reason]:
        module = self._kinds.module_of(node)
        if module is not None:
            if not isinstance(self._kinds.parents.get(id(node)), ast.Attribute):
                yield from self._check_module(node, module)
            if not isinstance(node.ctx, ast.Load):
                yield reasons.make(node, reasons.STATE, reasons.COMPUTE)
        elif node.attr in table.LOADERS and self._of(node.value) == ValueKind.OWN:
            yield reasons.make(node, reasons.STATE, reasons.LOADER_FORM)
        elif self._is_magic(node):
            yield reasons.make(node, reasons.MAGIC, reasons.COMPUTE)
        elif self._is_students(node.value):
            yield from self._read_students_attribute(node)

    def _read_students_attribute(self, node: ast.Attribute) -> Iterator[Reason]:
        if not isinstance(node.ctx, ast.Load):
            yield reasons.make(node, reasons.SET, reasons.SET_FORM)
        elif node.attr.startswith("_") and node.attr not in table.READABLE_DUNDERS:
            yield reasons.make(node, reasons.PRIVATE, reasons.METHOD)
        elif node.attr in table.CLOSED_ATTRIBUTES:
            yield reasons.make(node, reasons.CLOSED, reasons.COMPUTE)
        elif node.attr in table.MEMORY_ATTRIBUTES and self._of(node.value) == ValueKind.VALUE:
            yield reasons.make(node, reasons.NATURE, reasons.CONTENT)
        elif node.attr in table.CHANGING_METHODS and self._of(node.value) == ValueKind.VALUE:
            call = self._kinds.parents.get(id(node))
            if not (isinstance(call, ast.Call) and call.func is node):  # called later, perhaps
                yield reasons.make(node, reasons.ALIAS, reasons.COPY)

    def _is_magic(self, node: ast.Attribute) -> bool:
        is_shell = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "get_ipython()"
        if not is_shell:
            return False
        call = self._kinds.parents.get(id(node))
        words = [a.value for a in call.args[:1] if isinstance(a, ast.Constant)] if isinstance(
            call, ast.Call) else []  # fmt: skip
        return node.attr != "run_line_magic" or not words or words[0] not in _KNOWN_MAGICS

    def _read_subscript(self, node: ast.Subscript) -> Iterator[Reason]:
        if isinstance(node.ctx, ast.Load) or not self._is_students(node.value):
            return
        if self._of(node.value) == ValueKind.OBJECT:
            yield reasons.make(node, reasons.SET, reasons.SET_FORM)
        else:
            yield from self._uses.read_change(node, node.value)

    def _read_augassign(self, node: ast.AugAssign) -> Iterator[Reason]:
        if isinstance(node.target, ast.Name) and self._is_students(node.target):
            yield from self._uses.read_change(node, node.target)

    def _read_compare(self, node: ast.Compare) -> Iterator[Reason]:
        sides = [node.left, *node.comparators]
        for operator, *pair in zip(node.ops, sides[:-1], sides[1:], strict=True):
            if isinstance(operator, ast.Is | ast.IsNot):
                yield from self._read_identity(node, *pair)
            elif any(map(is_type, pair)):
                yield from self._read_type(node, *pair)

    def _read_identity(self, node: ast.Compare, *sides: ast.expr) -> Iterator[Reason]:
        if any(map(is_type, sides)):
            yield from self._read_type(node, *sides)
        else:
            is_students = any(self._of(side) > ValueKind.CHECKED for side in sides)
            if is_students and not any(map(is_one_object, sides)):
                yield reasons.make(node, reasons.NATURE, reasons.CONTENT)

    def _read_type(self, node: ast.Compare, *sides: ast.expr) -> Iterator[Reason]:
        """Allow `type(value) == int`, with a class that plain values have."""
        types = [side for side in sides if is_type(side)]
        values = [argument for side in types for argument in side.args]  # type: ignore[attr-defined]
        if not any(self._of(value) > ValueKind.CHECKED for value in values):
            return
        others = [side for side in sides if not is_type(side)]
        is_object = any(self._of(value) == ValueKind.OBJECT for value in values)
        is_plain = others and all(self._is_plain_class(side) for side in others)
        if is_object or not is_plain:
            yield reasons.make(node, reasons.NATURE, reasons.CONTENT)

    def _is_plain_class(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return all(map(self._is_plain_class, node.elts))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._is_plain_class(node.left) and self._is_plain_class(node.right)
        if isinstance(node, ast.Constant):
            return node.value is None
        name = self._kinds.module_of(node) or ast.unparse(node)
        if is_type(node):  # type(None), or type(3)
            return self._of(node.args[0]) == ValueKind.OWN  # type: ignore[attr-defined]
        return name in table.PLAIN_CLASSES and name not in self._kinds.bound_names

    # Calls

    def _read_call(self, node: ast.Call) -> Iterator[Reason]:
        name = last_name(node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        is_own = self._of(node.func) == ValueKind.OWN
        is_builtin = isinstance(node.func, ast.Name) and name in table.BUILTINS
        students = [a for a in arguments if self._is_students(unstarred(a))]
        if is_builtin and name in ("isinstance", "hasattr", "getattr") and students:
            yield from self._read_nature(node, name)
        elif is_builtin and name in table.NATURE_FUNCTIONS and students:
            yield reasons.make(node, reasons.NATURE, reasons.CONTENT)
        elif is_builtin and name == "type" and students:
            yield from self._read_lone_type(node)
        elif is_builtin and name == "open" and self._surroundings.writes:
            yield reasons.make(node, reasons.FILE, reasons.FILE_FORM)
        if is_own and name in table.OBJECT_FUNCTIONS:
            for argument in arguments:
                if self._of(argument) == ValueKind.OBJECT:
                    yield reasons.make(node, reasons.OBJECT, reasons.METHOD)
        if is_own and students and self._changes_argument(node, name):
            yield from self._uses.read_change(node, students[0])
        if self._changes_in_place(node, name):
            yield from self._uses.read_change(node, node.func.value)  # type: ignore[attr-defined]
        if name in ("raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"):
            for argument in node.args[:1]:
                yield from self._read_exception_class(argument)
        if name == "issubclass" or name == "assertIsInstance":
            yield from self._read_assert_instance(node)

    def _changes_argument(self, node: ast.Call, name: str) -> bool:
        """Return whether a function changes its argument: `shuffle`, `list.append`, or `out=`."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        is_unbound = isinstance(owner, ast.Name) and owner.id in table.VALUE_CLASS_NAMES
        outputs = [keyword for keyword in node.keywords if keyword.arg == "out"]
        return (
            name in table.CHANGING_FUNCTIONS
            or (is_unbound and name in table.CHANGING_METHODS)
            or any(self._is_students(keyword.value) for keyword in outputs)
        )

    def _changes_in_place(self, node: ast.Call, name: str) -> bool:
        if not isinstance(node.func, ast.Attribute) or self._of(node.func.value) != ValueKind.VALUE:
            return False
        in_place = any(
            keyword.arg == "inplace" and ast.unparse(keyword.value) != "False"
            for keyword in node.keywords
        )
        return in_place or name in table.CHANGING_METHODS

    def _read_assert_instance(self, node: ast.Call) -> Iterator[Reason]:
        is_students = bool(node.args[1:]) and self._is_students(node.args[0])
        if is_students and not self._is_plain_class(node.args[1]):
            yield reasons.make(node, reasons.NATURE, reasons.CONTENT)

    def _read_nature(self, node: ast.Call, name: str) -> Iterator[Reason]:
        if len(node.args) < 2 or not self._is_students(node.args[0]):
            if name == "isinstance" and any(map(self._is_students, node.args[1:2])):
                return  # the student process says whether a value is of the student's class
            return
        second = node.args[1]
        if name == "isinstance":
            classes = second.elts if isinstance(second, ast.Tuple) else [second]
            for kind in classes:
                if not (self._kinds.is_class(kind) or self._is_plain_class(kind)):
                    yield reasons.make(node, reasons.NATURE, reasons.CONTENT)
                    return
            return
        attribute = second.value if isinstance(second, ast.Constant) else None
        if not isinstance(attribute, str) or (
            attribute.startswith("_") and attribute not in table.READABLE_DUNDERS
        ):
            yield reasons.make(node, reasons.PRIVATE, reasons.METHOD)
        elif attribute in table.CLOSED_ATTRIBUTES:
            yield reasons.make(node, reasons.CLOSED, reasons.COMPUTE)
        elif attribute in table.MEMORY_ATTRIBUTES:
            yield reasons.make(node, reasons.NATURE, reasons.CONTENT)
        elif name == "getattr" and attribute in table.CHANGING_METHODS:
            yield reasons.make(node, reasons.ALIAS, reasons.COPY)

    def _read_lone_type(self, node: ast.Call) -> Iterator[Reason]:
        """Allow `type(value)` in a comparison, which is read by itself, and its text."""
        parent = self._kinds.parents.get(id(node))
        is_compared = isinstance(parent, ast.Compare) or self._is_asserted_text(parent)
        is_object = any(self._of(argument) == ValueKind.OBJECT for argument in node.args)
        if is_object or not is_compared:
            yield reasons.make(node, reasons.NATURE, reasons.CONTENT)

    def _is_asserted_text(self, node: ast.AST | None) -> bool:
        """Return whether an `assert` says that `str(type(value))`, or its hash, is a known text.

        Tests that nbgrader makes from `### AUTOTEST` do. A stand-in's class has another text, so
        such a test never passes for a value that isn't plain.
        """
        parents = self._kinds.parents
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "str"):
            return False
        side: ast.AST | None = node
        while isinstance(parent := parents.get(id(side)), ast.Call | ast.Attribute | ast.BinOp):
            side = parent
        return (
            isinstance(parent, ast.Compare)
            and len(parent.ops) == 1
            and isinstance(parent.ops[0], ast.Eq)
            and parent.left is side
            and is_text(parent.comparators[0])
            and isinstance(parents.get(id(parent)), ast.Assert)
        )

    def _read_exception_class(self, node: ast.expr) -> Iterator[Reason]:
        if isinstance(node, ast.Tuple):
            for part in node.elts:
                yield from self._read_exception_class(part)
            return
        names = set(map(ast.unparse, self._find_arguments(node)))
        if not names <= table.EXCEPTIONS - set(self._kinds.bound_names):
            yield reasons.make(node, reasons.EXCEPTION, reasons.EXCEPTION_FORM)

    def _find_arguments(self, node: ast.expr) -> list[ast.expr]:
        """Return what all calls pass for a parameter of the test's function, or the node itself."""
        function: ast.AST | None = node
        while function is not None and not isinstance(function, ast.FunctionDef):
            function = self._kinds.parents.get(id(function))
        if function is None or not isinstance(node, ast.Name):
            return [node]
        names = [parameter.arg for parameter in function.args.args]
        all_names = [n for n in self._kinds.nodes if isinstance(n, ast.Name)]
        if any(n.id == node.id and not isinstance(n.ctx, ast.Load) for n in all_names):
            return [node]
        uses = [n for n in all_names if n.id == function.name]
        calls = [self._kinds.parents.get(id(use)) for use in uses]
        passed: list[ast.expr] = []
        for use, call in zip(uses, calls, strict=True):
            if not (
                isinstance(call, ast.Call) and call.func is use and len(call.args) == len(names)
            ):
                return [node]
            passed += [a for n, a in zip(names, call.args, strict=True) if n == node.id]
        return passed or [node]

    def _read_excepthandler(self, node: ast.ExceptHandler) -> Iterator[Reason]:
        if node.type is not None:
            yield from self._read_exception_class(node.type)
        for part in ast.walk(node) if node.name else ():
            is_known = getattr(part, "attr", "") in table.EXCEPTION_ATTRIBUTES
            if isinstance(part, ast.Attribute) and ast.unparse(part.value) == node.name:
                yield from (
                    ()
                    if is_known
                    else [reasons.make(part, reasons.EXCEPTION, "Look at `str(error)`")]
                )
            if isinstance(part, ast.Call) and ast.unparse(part) == f"type({node.name})":
                yield reasons.make(part, reasons.EXCEPTION, reasons.EXCEPTION_FORM)

    # Statements

    def _read_with(self, node: ast.With) -> Iterator[Reason]:
        for item in node.items:
            if self._is_students(item.context_expr):
                yield reasons.make(item.context_expr, reasons.OBJECT, reasons.METHOD)

    def _read_classdef(self, node: ast.ClassDef) -> Iterator[Reason]:
        for base in node.bases:
            if self._is_students(base):
                yield reasons.make(base, reasons.NATURE, reasons.METHOD)

    def _read_await(self, node: ast.Await) -> Iterator[Reason]:
        yield reasons.make(node, reasons.ASYNC, reasons.COMPUTE)

    def _read_asyncfunctiondef(self, node: ast.AsyncFunctionDef) -> Iterator[Reason]:
        yield Reason(node.lineno, f"async def {node.name}", reasons.ASYNC, reasons.COMPUTE)

    def _read_asyncfor(self, node: ast.AsyncFor) -> Iterator[Reason]:
        yield Reason(node.lineno, "async for", reasons.ASYNC, reasons.COMPUTE)

    def _read_asyncwith(self, node: ast.AsyncWith) -> Iterator[Reason]:
        yield Reason(node.lineno, "async with", reasons.ASYNC, reasons.COMPUTE)

    def _read_match(self, node: ast.Match) -> Iterator[Reason]:
        if self._is_students(node.subject):
            yield Reason(node.lineno, "match", reasons.NATURE, reasons.CONTENT)

    # Objects of the student's own classes

    def _read_object(self, node: ast.expr) -> Iterator[Reason]:
        """Allow public attributes, calls, items, iteration and length of a student's object."""
        parent = self._kinds.parents.get(id(node))
        if isinstance(parent, ast.Compare):
            is_item = any(isinstance(operator, ast.In | ast.NotIn) for operator in parent.ops)
            is_none = any(isinstance(o, ast.Is | ast.IsNot) for o in parent.ops)
            if not is_none and not (is_item and node in parent.comparators):
                yield reasons.make(parent, reasons.OBJECT, reasons.METHOD)
        elif isinstance(parent, ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.AugAssign):
            yield reasons.make(parent, reasons.OBJECT, reasons.METHOD)
        elif isinstance(parent, ast.Assert | ast.If | ast.IfExp | ast.While):
            if getattr(parent, "test", None) is node:
                yield reasons.make(node, reasons.OBJECT, reasons.METHOD)
        elif isinstance(parent, ast.Delete | ast.withitem | ast.Set) or (
            isinstance(parent, ast.Dict) and node in parent.keys
        ):
            yield reasons.make(node, reasons.OBJECT, reasons.METHOD)
