"""Find values that student code got, or might share, and that a test uses or changes afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.classroom.sets import reading_reasons as reasons
from autograder.classroom.sets import reading_table as table
from autograder.classroom.sets.expressions import (
    argument_nodes,
    base,
    is_below,
    is_unchangeable,
    items_of,
    last_name,
)
from autograder.classroom.sets.reading_reasons import Node, Reason
from autograder.classroom.sets.value_kinds import Key, Kinds, ValueKind


class ValueUses:
    """The uses of values in a cell, before and after its calls of student code."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._surroundings = kinds.surroundings
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

    def reasons(self) -> Iterator[Reason]:
        """Yield the reasons that follow from the order of all statements."""
        yield from self._read_passed_values()
        yield from self._read_replaced_names()
        yield from self._read_seeds()

    def _is_students(self, node: ast.AST) -> bool:
        return self._kinds.of(node) >= ValueKind.VALUE

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
        return any(n.id in self._surroundings.students and self._is_students(n) for n in names)

    def _find_calling_functions(self) -> None:
        size = -1
        while size != len(self._calling):
            size = len(self._calling)
            for name, function in self._kinds.functions.items():
                inner = (n for n in ast.walk(function) if isinstance(n, ast.Call))
                if any(map(self._calls_student, inner)):
                    self._calling.add(name)

    # Values that are handed over, or changed

    def read_change(self, node: Node, changed: ast.expr) -> Iterator[Reason]:
        """Yield a reason if the test changes a student's value and looks at anything else later."""
        if self._key(changed) is None:  # a part of a value, or a variable of the notebook
            yield reasons.make(node, reasons.ALIAS, reasons.COPY)
            return
        kinds = self._kinds
        passed = {self._key(n) for call in self._student_calls for n in argument_nodes(call)}
        others = {key for key, kind in kinds.names.items() if kind >= ValueKind.VALUE} | passed
        others -= {self._key(changed), None}
        looks = [n for n in kinds.nodes if isinstance(n, ast.Name) and self._key(n) in others]
        loads = [n for n in looks if isinstance(n.ctx, ast.Load)]
        if any(self._is_after(other, node) for other in (*self._student_calls, *loads)):
            yield reasons.make(node, reasons.ALIAS, reasons.COPY)

    def _key(self, node: ast.AST) -> Key | None:
        return self._kinds.key_of(node.id, node) if isinstance(node, ast.Name) else None

    def _is_after(self, later: Node, earlier: Node) -> bool:
        """Return whether a node may run after another: it is below it, or in the same loop."""
        if is_below(later, earlier):
            return True
        return bool(self._kinds.loops_around(later) & self._kinds.loops_around(earlier))

    def _read_passed_values(self) -> Iterator[Reason]:
        """Yield the test's own values that student code gets, and that are changed or shared."""
        kinds = self._kinds
        has_objects = ValueKind.OBJECT in kinds.names.values() or any(
            isinstance(n, ast.Call) and kinds.is_class(n.func) for n in kinds.nodes
        )
        for call in self._student_calls:
            for node in argument_nodes(call):
                key = self._key(node)
                if key is None or self._is_students(node) or not self._is_changeable(key):
                    continue
                if self._makes_generator(key):
                    if self._is_used_again(key, call):
                        yield reasons.make(call, reasons.GENERATOR, reasons.GENERATOR_FORM)
                elif change := self._find_change(key, call):
                    yield reasons.make(change, reasons.REUSED, reasons.FRESH)
                elif has_objects and self._is_used_again(key, call):
                    yield reasons.make(call, reasons.SHARED, reasons.FRESH)

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
                values += items_of(loop.iter)
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
        if any(is_below(node, call) for node in loads if id(node) not in inside):
            return True
        return bool(self._kinds.loops_around(call) - self._loops_that_bind(key))

    def _names_of(self, key: Key) -> list[ast.Name]:
        nodes = self._kinds.nodes
        return [n for n in nodes if isinstance(n, ast.Name) and self._key(n) == key]

    def _loops_that_bind(self, key: Key) -> set[int]:
        """Return the loops in which a name gets a new value each time, and the outer loops."""
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
        return not is_below(change, call) and not (
            self._kinds.loops_around(call) - self._loops_that_bind(key)
        )

    def _changes(self, node: ast.AST, key: Key) -> bool:
        """Return whether a node changes, in place, the value of this name."""
        if isinstance(node, ast.Call):
            last = last_name(node.func)
            if isinstance(node.func, ast.Attribute) and last in table.CHANGING_METHODS:
                return self._key(base(node.func.value)) == key
            is_function = last in table.CHANGING_FUNCTIONS
            return is_function and key in map(self._key, argument_nodes(node))
        if isinstance(node, ast.AugAssign):
            return self._key(base(node.target)) == key
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        inner = [t for t in targets if isinstance(t, ast.Subscript | ast.Attribute)]
        return any(self._key(base(target)) == key for target in inner)

    def _read_replaced_names(self) -> Iterator[Reason]:
        """Yield the assignments to a variable of the notebook that its functions read."""
        deleted = {
            target.id
            for node in self._kinds.nodes
            if isinstance(node, ast.Delete)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        replaced = (self._surroundings.read_names & self._surroundings.students) - deleted
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
                yield reasons.make(node, reasons.REPLACED, reasons.REPLACED_FORM)

    # Random numbers

    def _read_seeds(self) -> Iterator[Reason]:
        seeds = [n for n in self._placed if self._is_of_module(n, table.SEEDS)]
        draws = [n for n in self._placed if self._is_of_module(n, table.DRAWS)]
        if self._surroundings.draws:
            for seed in seeds:
                if any(self._is_after(call, seed) for call in self._student_calls):
                    yield reasons.make(seed, reasons.SEED, reasons.SEED_FORM)
        if seeds or self._surroundings.seeded:
            for draw in draws:
                earlier_calls = [c for c in self._student_calls if self._is_after(draw, c)]
                if earlier_calls and (self._surroundings.draws or not self._is_in_loop(draw)):
                    yield reasons.make(draw, reasons.DRAWN, reasons.SEED_FORM)

    def _is_in_loop(self, draw: ast.AST) -> bool:
        return bool(self._kinds.loops_around(draw))

    def _is_of_module(self, node: ast.AST, pattern: str) -> bool:
        if not isinstance(node, ast.Attribute | ast.Name):
            return False
        name = self._kinds.module_of(node)
        return name is not None and re.fullmatch(pattern, name) is not None
