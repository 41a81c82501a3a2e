"""Each family of tests tells a right answer from a wrong one, as in one namespace."""

from __future__ import annotations

import contextlib
import io

import pytest

from autograder.classroom.sets.read_notebook_tests import read_tests
from autograder.examiner import verdicts
from autograder.examiner.testcell import compile_cell
from autograder.wire.contract import Cell, Role
from tests.autograder.examiner.families import FAMILIES
from tests.tiers import is_exhaustive

NAMES = list(FAMILIES)[:: 1 if is_exhaustive() else 6]
# Stock semantics need a shell for these: they are tried in the student's process alone.
NEEDS_A_SHELL = {
    "a coroutine", "a file", "a magic", "no loop", "recursion", "partial credit",
    "tests that unittest looks for",
}  # fmt: skip
# The solution fails these in two processes, so `release` moves them: see `releasing.trial`.
FAILS_LOUDLY = {
    "a method of a subclass",
    "a change in place",
    "a node of a locked class",
}


def cells(family, answer, role):
    locked = [Cell(Role.BOTH, family.locked, "locked")] if family.locked else []
    test = Cell(role, family.test, "test", family.test, 2.0)
    return [*locked, Cell(Role.STUDENT, answer, "work"), test]


def passes_in_one_namespace(family, answer):
    names = {"__name__": "__main__", "display": print}
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            for source in (family.locked, answer, family.test):
                statements, last_line = compile_cell(source, "<cell>")
                exec(statements, names)
                last_line and eval(last_line, names)
        except (Exception, pytest.fail.Exception):
            return False
    return True


def is_understood(family):
    return not read_tests(cells(family, family.right, Role.EXAMINER))["test"]


def passes_here(rooms, family, answer):
    role = Role.EXAMINER if is_understood(family) else Role.FORGEABLE
    return not verdicts.has_failed(rooms.run(cells(family, answer, role), b"").cells[-1].verdict)


@pytest.mark.parametrize("name", NAMES)
def test_a_family_tells_a_right_answer_from_a_wrong_one(rooms, name):
    family = FAMILIES[name]
    if name not in NEEDS_A_SHELL:
        assert passes_in_one_namespace(family, family.right)
        assert not passes_in_one_namespace(family, family.wrong)
    assert passes_here(rooms, family, family.right) is (name not in FAILS_LOUDLY)
    assert not passes_here(rooms, family, family.wrong)


UNDERSTOOD = {
    "equal numbers", "close numbers", "close arrays", "results that are kept", "a variable",
    "a hashed answer", "a builtin error", "an error and its text", "unittest", "what is printed",
    "an account", "a closure", "two closures", "length and items", "a generator", "a type",
    "exactly a list", "a default list", "the text of an object", "an attribute is there",
    "no change in place", "a table", "a figure", "a decorator", "an assertion of the student's",
    "the text of a type", "a hashed type", "an attribute's array of another size",
    "an error's class as an argument", "the keys of a dictionary", "the items of a dictionary",
    "a default of a built-in class", "no default", "keys that change later",
}  # fmt: skip


def test_common_families_are_served_across_the_two_processes():
    assert {name for name in UNDERSTOOD if not is_understood(FAMILIES[name])} == set()
