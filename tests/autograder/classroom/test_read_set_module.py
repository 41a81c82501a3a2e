"""A test may import a module of the set's files, if it means the same in both processes."""

import pytest

from autograder.classroom.sets.read_notebook_tests import read_tests
from autograder.examiner import verdicts
from autograder.wire.contract import Cell, Role
from autograder.wire.files import File
from tests.autograder.examiner.cells import student


def reasons_of(module, test="import util\nassert g(1) == util.f(1)", answer="def g(x): return x"):
    cells = [student(answer), Cell(Role.EXAMINER, test, "test")]
    files = [File("util.py", module.encode()), File("part/__init__.py", b"def h(x): return x")]
    return [str(reason) for reason in read_tests(cells, files=files)["test"]]


UNDERSTOOD = {
    "a function": "def f(x): return x + 1",
    "a table": "TABLE = {1: 2}\ndef f(x): return TABLE[x]",
    "its own list": "import math\ndef f(x):\n    ys = []\n    ys.append(x)\n    return ys",
    "another module": "import part\nfrom part import h\ndef f(x): return h(x) + part.h(x)",
    "a file that it reads": "import json\ndef f(x): return json.load(open('a.json'))[x]",
}


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_a_module_that_keeps_nothing_is_understood(name):
    assert reasons_of(UNDERSTOOD[name]) == []


NOT_UNDERSTOOD = {
    "a counter": "n = 0\ndef f(x):\n    global n\n    n += 1\n    return n",
    "a log": "log = []\ndef f(x):\n    log.append(x)\n    return x",
    "a mark of a function": "def f(x):\n    f.calls = 1\n    return x",
    "an argument that changes": "def f(x):\n    y = x\n    y.sort()\n    return y",
    "a class": "class P:\n    pass\ndef f(x): return P()",
    "the nature of a value": "def f(x): return type(x).__name__",
    "whether it is one object": "def f(x): return x is f",
    "a decorator": "from functools import cache\n@cache\ndef f(x): return x",
    "the process": "import sys\ndef f(x): return sys.modules",
    "a seed": "import random\ndef f(x): random.seed(x)",
    "a file that it writes": "def f(x): open('a', 'w').write(x)",
    "a patch": "from unittest import mock\ndef f(x): return mock.patch('builtins.print')",
    "no Python": "def f(",
}


@pytest.mark.parametrize("name", NOT_UNDERSTOOD)
def test_a_module_with_a_state_is_not_understood_and_the_reason_names_its_file(name):
    (reason, *_) = reasons_of(NOT_UNDERSTOOD[name])
    assert "the set's file util.py" in reason


def test_a_table_that_the_solution_imports_too_might_change():
    table = UNDERSTOOD["a table"]
    assert reasons_of(table, answer="import math\ndef g(x): return math.exp(x)") == []
    assert reasons_of(table, answer="import util\ndef g(x): return util.f(x)") != []


def test_what_a_module_returns_for_a_students_value_may_be_the_students():
    same = "def f(x): return x"
    aliased = "import util\nx = [1]\ny = util.f(g)(x)\ny.append(2)\nassert x == [1]"
    assert reasons_of(same, aliased) != []
    assert reasons_of(same, "from util import f\nassert f(g(1)) == 1") == []


def test_both_processes_give_such_a_test_the_meaning_of_one(rooms):
    files = [File("util.py", b"def f(g, x): return g(x) + 1")]
    test = "import util\nassert util.f(g, 1) == 3"
    for answer, is_right in (("def g(x): return x + 1", True), ("def g(x): return x", False)):
        cells = [student(answer), Cell(Role.EXAMINER, test, "test", test, 1.0)]
        verdict = rooms.run(cells, b"", files).cells[-1].verdict
        assert verdicts.has_failed(verdict) is not is_right
