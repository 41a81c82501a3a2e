"""Read a test cell, and decide whether two processes give it the meaning of one.

A cell is understood if it does nothing with values of student code but what `reading_table` lists.
The reading looks at values as they flow, so it also asks whether a value is used again after it
was handed over or changed. A cell that is not understood runs in the student's own process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.classroom.sets import reading_table as table
from autograder.classroom.sets.value_kinds import Key, Kind, Kinds, Surroundings, is_plain_attribute
from autograder.examiner.testcell import parse_cell


@dataclass(frozen=True)
class Reason:
    """A reason why a cell is not understood: its line, and a form in which it could be served."""

    line: int
    subject: str  # the test's expression, shortened
    why: str
    form: str = ""

    def __str__(self) -> str:
        ending = f". {self.form}" if self.form else ""
        return f"line {self.line}, {self.subject}: {self.why}{ending}"


_MODULE = "it can look at, or change, the process in which the student's code runs"
_COMPUTE = "Let the student's function take or return what the test wants to know"
_STATE = "it is about the tests' process, and the student's code runs in another one"
_NATURE = "it looks at what kind of object the student's value is, not at its content"
_CONTENT = "Compare the content, for example `list(value) == [1, 2]`"
_OBJECT = "only the student's own class says what this means for its object"
_METHOD = "Compare what methods or attributes of the object return"
_PRIVATE = "names with an underscore are not read from another process"
_CLOSED = "generators and coroutines are only asked for their next item"
_SET = "an attribute or an item of the student's object can't be set from another process"
_SET_FORM = "Let a method of the object make the change"
_ALIAS = (
    "the test changes a value of the student's, and student code might have, or see, the same value"
)
_COPY = "Change a copy, for example `sorted(value)`, `list(value)` or `value + [3]`"
_REUSED = "the test changes a value that student code might still have"
_FRESH = "Pass a new value in each call, for example `list(values)`"
_SHARED = "the student's object might keep this value, and share it with another object"
_GENERATOR = "each call gets a copy of the generator in the same state"
_GENERATOR_FORM = "Give each call a generator of its own, for example `default_rng(seed)`"
_SEED = "this seed is for the tests' process, and the student's code draws in another one"
_SEED_FORM = "Let the function take a generator, or a seed, as an argument"
_DRAWN = "the student's code might have drawn from the same generator"
_EXCEPTION = "a class of errors that is not built in doesn't pass between two processes"
_EXCEPTION_FORM = "Catch the built-in class that it is derived from"
_ASYNC = "the tests wait for the student's coroutine in another event loop"
_MAGIC = "a magic or a command acts on the process in which it runs"
_FILE = "the student's code might have written this file in its own folder"
_FILE_FORM = "'checks.file_left' brings a file of the student's here"
_BUILTIN = "in a test this is Python's own function, and not the student's of this name"
_BUILTIN_FORM = "Give the student's function a name of its own"
_LOADER_FORM = "Load the tests of a class by `loadTestsFromTestCase`"
_REPLACED = "the student's functions go on with their own value of this name"
_REPLACED_FORM = "Use another name, or let the functions take the value as an argument"
_CHANGED = "the student's code changes this value of a locked cell, and tests have their own"
_CHANGED_FORM = "Let the solution give the changed value a name of its own, or return it"
_UNKNOWN = "only the solution imports this name, and tests use their own modules"
_KNOWN_MAGICS = {"matplotlib", "time", "timeit", "config", "precision", "pylab"}


Node = ast.stmt | ast.expr


def read(source: str, around: Surroundings) -> list[Reason]:
    """Return the reasons why a test is not understood, in order; none if it is."""
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return []
    reader = _Reader(Kinds(tree, around))
    reasons = dict.fromkeys(reader.reasons())
    return sorted(reasons, key=lambda reason: reason.line)


class _Reader:
    """Goes through the nodes of a cell; each method `_read_...` yields the reasons of one node."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._around = kinds.around
        self._calling: set[str] = set()  # names of the test's functions that run student code
        self._find_calling_functions()
        self._student_calls = [
            n for n in kinds.nodes if isinstance(n, ast.Call) and self._calls_student(n)
        ]
        self._student_values = [
            n for n in kinds.nodes if isinstance(n, ast.expr) and self._is_students(n)
        ]
        self._placed = [n for n in kinds.nodes if isinstance(n, ast.stmt | ast.expr)]
        self._changed_keys: dict[Key, list[Node]] = {}
        self._messages = _find_messages(kinds.nodes)

    def reasons(self) -> Iterator[Reason]:
        for node in self._kinds.nodes:
            if id(node) in self._messages:
                continue
            method = getattr(self, f"_read_{type(node).__name__.lower()}", None)
            if method is not None:
                yield from method(node)
            if isinstance(node, ast.expr) and self._kinds.of(node) == Kind.OBJECT:
                yield from self._read_object(node)
        yield from self._read_passed_values()
        yield from self._read_replaced_names()
        yield from self._read_seeds()

    def _of(self, node: ast.AST) -> Kind:
        return self._kinds.of(node)

    def _is_students(self, node: ast.AST) -> bool:
        return self._of(node) >= Kind.VALUE

    def _calls_student(self, call: ast.Call) -> bool:
        """Return whether a call runs student code, other than through `autograder.checks`."""
        if self._is_students(call.func):
            return True
        if isinstance(call.func, ast.Name) and call.func.id in self._kinds.functions:
            return call.func.id in self._calling
        if (self._kinds.module_of(call.func) or "").startswith(table.CHECKS):
            return False
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        names = [a for a in arguments if isinstance(a, ast.Name)]
        return any(n.id in self._around.students and self._is_students(n) for n in names)

    def _find_calling_functions(self) -> None:
        size = -1
        while size != len(self._calling):
            size = len(self._calling)
            for name, function in self._kinds.functions.items():
                inner = (n for n in ast.walk(function) if isinstance(n, ast.Call))
                if any(map(self._calls_student, inner)):
                    self._calling.add(name)

    # Names, modules and imports

    def _read_import(self, node: ast.Import) -> Iterator[Reason]:
        for alias in node.names:
            yield from self._check_module(node, alias.name)

    def _read_importfrom(self, node: ast.ImportFrom) -> Iterator[Reason]:
        for alias in node.names:
            yield from self._check_module(node, f"{node.module}.{alias.name}")

    def _check_module(self, node: Node, name: str) -> Iterator[Reason]:
        first, _, rest = name.partition(".")
        if first in self._around.modules:
            if why := self._around.modules[first]:
                yield _reason(node, why, _COMPUTE)
            return
        allowed = table.MODULES.get(first)
        is_known = allowed is not None and (
            not allowed or not rest or rest.partition(".")[0] in {*allowed, "*"}
        )
        if not is_known:
            yield _reason(node, _MODULE, _COMPUTE)
        elif any(re.fullmatch(pattern, name) for pattern in table.STATE):
            yield _reason(node, _STATE, _COMPUTE)

    def _read_name(self, node: ast.Name) -> Iterator[Reason]:
        name, kinds = node.id, self._kinds
        if name in self._around.student_imports and not self._is_defined(name):
            line = _import_line(name, self._around.student_imports[name])
            yield _reason(node, _UNKNOWN, f"Add the line `{line}` to the test")
        elif name in kinds.imports and name not in kinds.bound_names:
            if not isinstance(kinds.parents.get(id(node)), ast.Attribute):
                yield from self._check_module(node, kinds.imports[name])
        elif name in self._around.changed_names & self._around.variables.keys():
            if kinds.key_of(name, node) is None:
                yield _reason(node, _CHANGED, _CHANGED_FORM)
        elif name in self._around.students & table.BUILTINS and name not in kinds.bound_names:
            yield _reason(node, _BUILTIN, _BUILTIN_FORM)
        elif name in table.NOT_UNDERSTOOD_FUNCTIONS and name not in kinds.bound_names:
            yield _reason(node, _MODULE, _COMPUTE)

    def _is_defined(self, name: str) -> bool:
        kinds, around = self._kinds, self._around
        tables = (kinds.bound_names, kinds.imports, around.helpers,
                  around.variables, table.BUILTINS)  # fmt: skip
        return any(name in names for names in tables)

    # Attributes, items and operators

    def _read_attribute(self, node: ast.Attribute) -> Iterator[Reason]:
        module = self._kinds.module_of(node)
        if module is not None:
            if not isinstance(self._kinds.parents.get(id(node)), ast.Attribute):
                yield from self._check_module(node, module)
            if not isinstance(node.ctx, ast.Load):
                yield _reason(node, _STATE, _COMPUTE)
        elif node.attr in table.LOADERS and self._of(node.value) == Kind.OWN:
            yield _reason(node, _STATE, _LOADER_FORM)
        elif self._is_magic(node):
            yield _reason(node, _MAGIC, _COMPUTE)
        elif self._is_students(node.value):
            yield from self._read_students_attribute(node)

    def _read_students_attribute(self, node: ast.Attribute) -> Iterator[Reason]:
        if not isinstance(node.ctx, ast.Load):
            yield _reason(node, _SET, _SET_FORM)
        elif node.attr.startswith("_") and node.attr not in table.READABLE_DUNDERS:
            yield _reason(node, _PRIVATE, _METHOD)
        elif node.attr in table.CLOSED_ATTRIBUTES:
            yield _reason(node, _CLOSED, _COMPUTE)
        elif node.attr in table.MEMORY_ATTRIBUTES and self._of(node.value) == Kind.VALUE:
            yield _reason(node, _NATURE, _CONTENT)
        elif node.attr in table.CHANGING_METHODS and self._of(node.value) == Kind.VALUE:
            call = self._kinds.parents.get(id(node))
            if not (isinstance(call, ast.Call) and call.func is node):  # called later, perhaps
                yield _reason(node, _ALIAS, _COPY)

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
        if self._of(node.value) == Kind.OBJECT:
            yield _reason(node, _SET, _SET_FORM)
        else:
            yield from self._read_change(node, node.value)

    def _read_augassign(self, node: ast.AugAssign) -> Iterator[Reason]:
        if isinstance(node.target, ast.Name) and self._is_students(node.target):
            yield from self._read_change(node, node.target)

    def _read_compare(self, node: ast.Compare) -> Iterator[Reason]:
        sides = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, sides[:-1], sides[1:], strict=True):
            if isinstance(operator, ast.Is | ast.IsNot):
                yield from self._read_identity(node, left, right)
            elif _is_type(left) or _is_type(right):
                yield from self._read_type(node, left, right)

    def _read_identity(self, node: ast.Compare, *sides: ast.expr) -> Iterator[Reason]:
        if any(map(_is_type, sides)):
            yield from self._read_type(node, *sides)
        else:
            is_students = any(self._of(side) > Kind.CHECKED for side in sides)
            if is_students and not any(map(_is_one_object, sides)):
                yield _reason(node, _NATURE, _CONTENT)

    def _read_type(self, node: ast.Compare, *sides: ast.expr) -> Iterator[Reason]:
        """Allow `type(value) == int`, with a class that plain values have."""
        types = [side for side in sides if _is_type(side)]
        values = [argument for side in types for argument in side.args]  # type: ignore[attr-defined]
        if not any(self._of(value) > Kind.CHECKED for value in values):
            return
        others = [side for side in sides if not _is_type(side)]
        is_object = any(self._of(value) == Kind.OBJECT for value in values)
        is_plain = others and all(self._is_plain_class(side) for side in others)
        if is_object or not is_plain:
            yield _reason(node, _NATURE, _CONTENT)

    def _is_plain_class(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            return all(map(self._is_plain_class, node.elts))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._is_plain_class(node.left) and self._is_plain_class(node.right)
        if isinstance(node, ast.Constant):
            return node.value is None
        name = self._kinds.module_of(node) or ast.unparse(node)
        if _is_type(node):  # type(None), or type(3)
            return self._of(node.args[0]) == Kind.OWN  # type: ignore[attr-defined]
        return name in table.PLAIN_CLASSES and name not in self._kinds.bound_names

    # Calls

    def _read_call(self, node: ast.Call) -> Iterator[Reason]:
        name = _last_name(node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        is_own = self._of(node.func) == Kind.OWN
        is_builtin = isinstance(node.func, ast.Name) and name in table.BUILTINS
        students = [a for a in arguments if self._is_students(_unstarred(a))]
        if is_builtin and name in ("isinstance", "hasattr", "getattr") and students:
            yield from self._read_nature(node, name)
        elif is_builtin and name in table.NATURE_FUNCTIONS and students:
            yield _reason(node, _NATURE, _CONTENT)
        elif is_builtin and name == "type" and students:
            yield from self._read_lone_type(node)
        elif is_builtin and name == "open" and self._around.writes:
            yield _reason(node, _FILE, _FILE_FORM)
        if is_own and name in table.OBJECT_FUNCTIONS:
            for argument in arguments:
                if self._of(argument) == Kind.OBJECT:
                    yield _reason(node, _OBJECT, _METHOD)
        if is_own and students and self._changes_argument(node, name):
            yield from self._read_change(node, students[0])
        if self._changes_in_place(node, name):
            yield from self._read_change(node, node.func.value)  # type: ignore[attr-defined]
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
        if not isinstance(node.func, ast.Attribute) or self._of(node.func.value) != Kind.VALUE:
            return False
        in_place = any(
            keyword.arg == "inplace" and ast.unparse(keyword.value) != "False"
            for keyword in node.keywords
        )
        return in_place or name in table.CHANGING_METHODS

    def _read_assert_instance(self, node: ast.Call) -> Iterator[Reason]:
        is_students = bool(node.args[1:]) and self._is_students(node.args[0])
        if is_students and not self._is_plain_class(node.args[1]):
            yield _reason(node, _NATURE, _CONTENT)

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
                    yield _reason(node, _NATURE, _CONTENT)
                    return
            return
        attribute = second.value if isinstance(second, ast.Constant) else None
        if not isinstance(attribute, str) or (
            attribute.startswith("_") and attribute not in table.READABLE_DUNDERS
        ):
            yield _reason(node, _PRIVATE, _METHOD)
        elif attribute in table.CLOSED_ATTRIBUTES:
            yield _reason(node, _CLOSED, _COMPUTE)
        elif attribute in table.MEMORY_ATTRIBUTES:
            yield _reason(node, _NATURE, _CONTENT)
        elif name == "getattr" and attribute in table.CHANGING_METHODS:
            yield _reason(node, _ALIAS, _COPY)

    def _read_lone_type(self, node: ast.Call) -> Iterator[Reason]:
        """Allow `type(value)` in a comparison, which is read by itself, and its text."""
        parent = self._kinds.parents.get(id(node))
        is_compared = isinstance(parent, ast.Compare) or self._is_asserted_text(parent)
        is_object = any(self._of(argument) == Kind.OBJECT for argument in node.args)
        if is_object or not is_compared:
            yield _reason(node, _NATURE, _CONTENT)

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
            and _is_text(parent.comparators[0])
            and isinstance(parents.get(id(parent)), ast.Assert)
        )

    def _read_exception_class(self, node: ast.expr) -> Iterator[Reason]:
        if isinstance(node, ast.Tuple):
            for part in node.elts:
                yield from self._read_exception_class(part)
            return
        names = set(map(ast.unparse, self._find_arguments(node)))
        if not names <= table.EXCEPTIONS - set(self._kinds.bound_names):
            yield _reason(node, _EXCEPTION, _EXCEPTION_FORM)

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
        found: list[ast.expr] = []
        for use, call in zip(uses, calls, strict=True):
            if not (
                isinstance(call, ast.Call) and call.func is use and len(call.args) == len(names)
            ):
                return [node]
            found += [a for n, a in zip(names, call.args, strict=True) if n == node.id]
        return found or [node]

    def _read_excepthandler(self, node: ast.ExceptHandler) -> Iterator[Reason]:
        if node.type is not None:
            yield from self._read_exception_class(node.type)
        for part in ast.walk(node) if node.name else ():
            is_known = getattr(part, "attr", "") in table.EXCEPTION_ATTRIBUTES
            if isinstance(part, ast.Attribute) and ast.unparse(part.value) == node.name:
                yield from () if is_known else [_reason(part, _EXCEPTION, "Look at `str(error)`")]
            if isinstance(part, ast.Call) and ast.unparse(part) == f"type({node.name})":
                yield _reason(part, _EXCEPTION, _EXCEPTION_FORM)

    # Statements

    def _read_with(self, node: ast.With) -> Iterator[Reason]:
        for item in node.items:
            if self._is_students(item.context_expr):
                yield _reason(item.context_expr, _OBJECT, _METHOD)

    def _read_classdef(self, node: ast.ClassDef) -> Iterator[Reason]:
        for base in node.bases:
            if self._is_students(base):
                yield _reason(base, _NATURE, _METHOD)

    def _read_await(self, node: ast.Await) -> Iterator[Reason]:
        yield _reason(node, _ASYNC, _COMPUTE)

    def _read_asyncfunctiondef(self, node: ast.AsyncFunctionDef) -> Iterator[Reason]:
        yield Reason(node.lineno, f"async def {node.name}", _ASYNC, _COMPUTE)

    def _read_asyncfor(self, node: ast.AsyncFor) -> Iterator[Reason]:
        yield Reason(node.lineno, "async for", _ASYNC, _COMPUTE)

    def _read_asyncwith(self, node: ast.AsyncWith) -> Iterator[Reason]:
        yield Reason(node.lineno, "async with", _ASYNC, _COMPUTE)

    def _read_match(self, node: ast.Match) -> Iterator[Reason]:
        if self._is_students(node.subject):
            yield Reason(node.lineno, "match", _NATURE, _CONTENT)

    # Objects of the student's own classes

    def _read_object(self, node: ast.expr) -> Iterator[Reason]:
        """Allow public attributes, calls, items, iteration and length of a student's object."""
        parent = self._kinds.parents.get(id(node))
        if isinstance(parent, ast.Compare):
            is_item = any(isinstance(operator, ast.In | ast.NotIn) for operator in parent.ops)
            is_none = any(isinstance(o, ast.Is | ast.IsNot) for o in parent.ops)
            if not is_none and not (is_item and node in parent.comparators):
                yield _reason(parent, _OBJECT, _METHOD)
        elif isinstance(parent, ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.AugAssign):
            yield _reason(parent, _OBJECT, _METHOD)
        elif isinstance(parent, ast.Assert | ast.If | ast.IfExp | ast.While):
            if getattr(parent, "test", None) is node:
                yield _reason(node, _OBJECT, _METHOD)
        elif isinstance(parent, ast.Delete | ast.withitem | ast.Set) or (
            isinstance(parent, ast.Dict) and node in parent.keys
        ):
            yield _reason(node, _OBJECT, _METHOD)

    # Values that are handed over, or changed

    def _read_change(self, node: Node, changed: ast.expr) -> Iterator[Reason]:
        """Yield a reason if the test changes a student's value and looks at anything else later."""
        if self._key(changed) is None:  # a part of a value, or a variable of the notebook
            yield _reason(node, _ALIAS, _COPY)
            return
        kinds = self._kinds
        passed = {self._key(n) for call in self._student_calls for n in _argument_nodes(call)}
        others = {key for key, kind in kinds.names.items() if kind >= Kind.VALUE} | passed
        others -= {self._key(changed), None}
        looks = [n for n in kinds.nodes if isinstance(n, ast.Name) and self._key(n) in others]
        loads = [n for n in looks if isinstance(n.ctx, ast.Load)]
        if any(self._is_after(other, node) for other in (*self._student_calls, *loads)):
            yield _reason(node, _ALIAS, _COPY)

    def _key(self, node: ast.AST) -> Key | None:
        return self._kinds.key_of(node.id, node) if isinstance(node, ast.Name) else None

    def _is_after(self, later: Node, earlier: Node) -> bool:
        """Return whether a node may run after another: it is below it, or in the same loop."""
        if _is_below(later, earlier):
            return True
        return bool(self._kinds.loops_around(later) & self._kinds.loops_around(earlier))

    def _read_passed_values(self) -> Iterator[Reason]:
        """Yield the test's own values that student code gets, and that are changed or shared."""
        kinds = self._kinds
        has_objects = Kind.OBJECT in kinds.names.values() or any(
            isinstance(n, ast.Call) and kinds.is_class(n.func) for n in kinds.nodes
        )
        for call in self._student_calls:
            for node in _argument_nodes(call):
                key = self._key(node)
                if key is None or self._is_students(node) or not self._is_changeable(key):
                    continue
                if self._makes_generator(key):
                    if self._is_used_again(key, call):
                        yield _reason(call, _GENERATOR, _GENERATOR_FORM)
                elif change := self._find_change(key, call):
                    yield _reason(change, _REUSED, _FRESH)
                elif has_objects and self._is_used_again(key, call):
                    yield _reason(call, _SHARED, _FRESH)

    def _is_changeable(self, key: Key) -> bool:
        """Return whether a name of the test may hold something that can be changed in place."""
        if key[1] in self._kinds.functions or key[1] in self._kinds.own_classes:
            return False
        values = self._values_of(key)
        return not values or not all(map(is_unchangeable, values))

    def _values_of(self, key: Key) -> list[ast.expr]:
        """Return the values that a name gets, and for a loop's target the items of a constant."""
        values = [v for target, v in self._bindings() if self._key(target) == key]
        loops = [n for n in self._kinds.nodes if isinstance(n, ast.For | ast.comprehension)]
        for loop in loops:
            if any(self._key(part) == key for part in ast.walk(loop.target)):
                values += _items_of(loop.iter)
        return values

    def _bindings(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        for node in self._kinds.nodes:
            if isinstance(node, ast.Assign):
                yield from ((target, node.value) for target in node.targets)
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                yield node.target, node.value

    def _makes_generator(self, key: Key) -> bool:
        calls = [value for value in self._values_of(key) if isinstance(value, ast.Call)]
        makers = [self._kinds.module_of(call.func) or "" for call in calls]
        return any(re.fullmatch(table.GENERATORS, maker) for maker in makers)

    def _is_used_again(self, key: Key, call: ast.Call) -> bool:
        """Return whether a value is used after a call, or handed over again by the same call."""
        inside = {id(part) for part in ast.walk(call)}
        loads = [n for n in self._names_of(key) if isinstance(n.ctx, ast.Load)]
        if any(_is_below(node, call) for node in loads if id(node) not in inside):
            return True
        return bool(self._kinds.loops_around(call) - self._loops_that_bind(key))

    def _names_of(self, key: Key) -> list[ast.Name]:
        nodes = self._kinds.nodes
        return [n for n in nodes if isinstance(n, ast.Name) and self._key(n) == key]

    def _loops_that_bind(self, key: Key) -> set[int]:
        """Return the loops, and what is around them, in which a name gets a new value each time."""
        stores = [n for n in self._names_of(key) if isinstance(n.ctx, ast.Store)]
        bound = {key[0]} - {0}
        for node in stores:
            bound |= self._kinds.loops_around(node)
        scope = next((n for n in self._kinds.nodes if id(n) == key[0]), None)
        return bound | (self._kinds.loops_around(scope) if scope is not None else set())

    def _find_change(self, key: Key, call: ast.Call) -> Node | None:
        """Return where the test changes a value after a call, if student code runs after that."""
        if key not in self._changed_keys:
            self._changed_keys[key] = [n for n in self._placed if self._changes(n, key)]
        for node in self._changed_keys[key]:
            is_later = self._is_after(node, call) and not self._is_bound_between(key, call, node)
            if is_later and any(self._is_after(value, node) for value in self._student_values):
                return node
        return None

    def _is_bound_between(self, key: Key, call: ast.Call, change: Node) -> bool:
        """Return whether a loop makes the value anew, and the change comes before the call."""
        return not _is_below(change, call) and not (
            self._kinds.loops_around(call) - self._loops_that_bind(key)
        )

    def _changes(self, node: ast.AST, key: Key) -> bool:
        """Return whether a node changes, in place, the value of this name."""
        if isinstance(node, ast.Call):
            last = _last_name(node.func)
            if isinstance(node.func, ast.Attribute) and last in table.CHANGING_METHODS:
                return self._key(_base(node.func.value)) == key
            is_function = last in table.CHANGING_FUNCTIONS
            return is_function and key in map(self._key, _argument_nodes(node))
        if isinstance(node, ast.AugAssign):
            return self._key(_base(node.target)) == key
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        inner = [t for t in targets if isinstance(t, ast.Subscript | ast.Attribute)]
        return any(self._key(_base(target)) == key for target in inner)

    def _read_replaced_names(self) -> Iterator[Reason]:
        """Yield the assignments to a variable of the notebook that its functions read."""
        deleted = {
            target.id
            for node in self._kinds.nodes
            if isinstance(node, ast.Delete)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        replaced = (self._around.read_names & self._around.students) - deleted
        stores = [
            node
            for node in self._kinds.nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        for node in stores:
            is_replaced = node.id in replaced and self._key(node) == (0, node.id)
            calls = [n for n in self._placed if isinstance(n, ast.Call)] if is_replaced else []
            own_calls = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == node.id]
            later_calls = [*self._student_calls, *own_calls]
            if is_replaced and any(self._is_after(call, node) for call in later_calls):
                yield _reason(node, _REPLACED, _REPLACED_FORM)

    # Random numbers

    def _read_seeds(self) -> Iterator[Reason]:
        seeds = [n for n in self._placed if self._is_of_module(n, table.SEEDS)]
        draws = [n for n in self._placed if self._is_of_module(n, table.DRAWS)]
        if self._around.draws:
            for seed in seeds:
                if any(self._is_after(call, seed) for call in self._student_calls):
                    yield _reason(seed, _SEED, _SEED_FORM)
        if seeds or self._around.seeded:
            for draw in draws:
                before = [c for c in self._student_calls if self._is_after(draw, c)]
                if before and (self._around.draws or not self._is_argument(draw)):
                    yield _reason(draw, _DRAWN, _SEED_FORM)

    def _is_argument(self, draw: ast.AST) -> bool:
        return bool(self._kinds.loops_around(draw))

    def _is_of_module(self, node: ast.AST, pattern: str) -> bool:
        if not isinstance(node, ast.Attribute | ast.Name):
            return False
        name = self._kinds.module_of(node)
        return name is not None and re.fullmatch(pattern, name) is not None


def _reason(node: Node, why: str, form: str = "") -> Reason:
    text = " ".join(ast.unparse(node).split())
    return Reason(node.lineno, text if len(text) <= 60 else f"{text[:57]}...", why, form)


def _import_line(name: str, full_name: str) -> str:
    """Return the line that imports a module, or something of it, under a name."""
    owner, _, last = full_name.rpartition(".")
    if full_name == name:
        return f"import {name}"
    return f"from {owner} import {last}" if last == name else f"import {full_name} as {name}"


def _is_type(node: ast.AST) -> bool:
    is_call = isinstance(node, ast.Call) and len(node.args) == 1
    return is_call and ast.unparse(node.func) == "type"  # type: ignore[attr-defined]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_one_object(node: ast.expr) -> bool:
    """Return whether both processes have the same object: None, a boolean or `...`."""
    return isinstance(node, ast.Constant) and any(
        node.value is one for one in (None, True, False, ...)
    )


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _base(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _argument_nodes(call: ast.Call) -> list[ast.Name]:
    """Return the names that a call hands over, also within lists and the like."""
    found: list[ast.Name] = []
    waiting: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            found.append(node)
        elif isinstance(node, ast.Starred | ast.List | ast.Tuple | ast.Dict | ast.IfExp):
            waiting += ast.iter_child_nodes(node)
    return found


def _is_below(later: Node, earlier: Node) -> bool:
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


def _items_of(iterable: ast.expr) -> list[ast.expr]:
    """Return the items of what a loop goes through, or the loop's own expression if unknown."""
    if isinstance(iterable, ast.List | ast.Tuple | ast.Set):
        return list(iterable.elts)
    if isinstance(iterable, ast.Call) and ast.unparse(iterable.func) == "range":
        return [ast.Constant(0)]
    return [ast.Constant("")] if isinstance(iterable, ast.Constant) else [iterable]


def _find_messages(nodes: list[ast.AST]) -> set[int]:
    """Return the ids of all nodes in the messages of asserts, which decide nothing."""
    messages = [n.msg for n in nodes if isinstance(n, ast.Assert) and n.msg is not None]
    return {id(part) for message in messages for part in ast.walk(message)}


__all__ = ["Reason", "Surroundings", "is_plain_attribute", "is_unchangeable", "read"]
