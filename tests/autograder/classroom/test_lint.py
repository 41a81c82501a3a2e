"""What two rooms can't tell is found in a test's text, and what they can is left alone."""

import json
import re

import pytest

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.grade_notebook import NotebookSubmission, grade
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import lint
from autograder.classroom.sets.assignment import load
from tests.autograder.tiny_assignment import TEXTS, answered, as_bytes, write_source

STUDENTS = {"f", "helper"}
ASKED = {
    "from unittest.mock import patch\nwith patch('builtins.open', return_value='3'): f()": "patch",
    "from unittest.mock import patch\nwith patch.object(builtins, 'open'): f()": "patch.object",
    "def input(x): return '3'\nf(1)": "input is defined anew",
    "print = lambda *a: None\nf(1)": "print is defined anew",
    "import unittest.mock as m\nwith m.patch('builtins.print') as p: f()": "m.patch",
    "from unittest import mock\nwith mock.patch.object(math, 'exp'): f()": "mock.patch.object",
    "x = [1]\nassert f(x) is not x": "f(x) is not x",
    "x = [1]\ny = f(x)\nassert y is x": "y is x",
    "def helper(x): return 1\nf(1)": "helper is defined anew",
    "helper = lambda x: 1\nf(1)": "helper is defined anew",
    "import os\nf()\nassert not os.path.exists('out')": "os.path.exists",
    "from os import listdir\nf()\nassert listdir() == []": "listdir",
    "from pathlib import Path\nf()\nassert not Path('out').exists()": "Path('out').exists",
    "with open('in', 'w') as file: file.write('a')\nassert f('in') == 1": "open('in', 'w')",
    "open('in', mode='xb').write(b'a')\nassert f('in') == 1": "open('in', mode='xb')",
    "from pathlib import Path\nPath('in').write_text('a')\nf('in')": "Path('in').write_text('a')",
    "from pathlib import Path\nwith Path('in').open('a') as file: f('in')": "Path('in').open('a')",
    "import tempfile\nwith tempfile.NamedTemporaryFile() as x: f(x.name)": "NamedTemporaryFile()",
    "import sys\nf()\nassert 'numpy' not in sys.modules": "sys.modules",
    "before = np.random.get_state()\nf()": "np.random.get_state",
    "f()\nassert plt.get_fignums() == []": "plt.get_fignums",
    "import warnings\nwith warnings.catch_warnings(record=True) as w: f()": "catch_warnings",
    "import inspect\nassert 'for' not in inspect.getsource(f)": "inspect.getsource",
    "from unittest import mock\nhelper = mock.Mock()\nf()\nhelper.assert_not_called()": "helper is",
    "sorted = None\nassert f([2, 1]) == [1, 2]": "sorted is defined anew",
    "def sum(x): raise AssertionError('not sum')\nassert f([1]) == 1": "sum is defined anew",
    "np.sort = None\nassert f([2, 1]) == [1, 2]": "np.sort is replaced",
    "import time\ntime.sleep = lambda s: None\nf()": "time.sleep is replaced",
    "import builtins\nbuiltins.sorted = None\nf()": "builtins.sorted is replaced",
    "import math\nmath.pi = 3\nassert f(1) == 3": "math.pi is replaced",
    "x = [1]\nassert id(f(x)) != id(x)": "id(f(x))",
    "x = np.ones(3)\nassert not np.shares_memory(f(x), x)": "np.shares_memory(f(x), x)",
    "a, b = f(1), f(2)\nself.assertIsNot(a, b)": "self.assertIsNot(a, b)",
    "with np.errstate(all='raise'):\n    f()": "np.errstate(all='raise')",
    "import warnings\nwarnings.simplefilter('error')\nf()": "warnings.simplefilter('error')",
    "np.set_printoptions(precision=2)\nassert f() == '1.00'": "np.set_printoptions",
    "import os\nos.environ['SEED'] = '1'\nassert f() == 1": "os.environ",
    "import os\nbefore = os.getcwd()\nf()": "os.getcwd",
    "plt.rcParams['figure.dpi'] = 50\nf()": "plt.rcParams",
    "s = f()\na = s.items()\na.append(5)\nassert s.items() == [1]": "a.append(5)",
    "a = f()\na[0] = 7\nassert f() == [0]": "a[0] = 7",
    "a = f()\ndel a['x']\nassert f() == {'x': 1}": "del a['x']",
}


@pytest.mark.parametrize("source", ASKED)
def test_what_passes_or_fails_whatever_the_student_wrote_is_found(source):
    (found,) = lint.questions(source, STUDENTS)
    assert ASKED[source] in found.subject
    assert str(found).startswith(f"line {found.line}, ")


FINE = [
    "a = f([2, 1])\na.sort()\nassert a == [1, 2]\nassert f([3]) == [3]",
    "a = f([2, 1])\nassert a == f([2, 1])\na.sort()",
    "rows = [f(1)]\nrows.append(f(1))\nassert rows[0] == rows[1]",
    "with np.errstate(divide='ignore'):\n    expected = np.log(0)\nassert f(0) == expected",
    "import warnings\nwarnings.simplefilter('ignore')\nassert f(0) == 1",
    "result = None\nassert f(1) != result",
    "self.assertIs(f(1), None)",
    "p = f()\np.x = 3",
    "max = f(3)\nassert max == 3",
    "assert f(1) is None",
    "assert f(1) is True",
    "assert type(f(1)) is int",
    "kind = int\nassert type(f(1)) is not kind",
    "hint = expected = 'a'\nassert hint is expected",
    "def mine(x): return 1\nassert f(mine) == 1",
    "from unittest.mock import patch\nwith patch('sys.stdout') as out: f()",
    "from unittest.mock import patch\nwith patch('builtins.input', return_value='3'): f()",
    "from unittest import mock\nimport builtins\nwith mock.patch.object(builtins, 'input'): f()",
    "from unittest.mock import patch\n@patch('builtins.input')\ndef go(m): f()\ngo()",
    "input = [1, 2]\nassert f(input) == 3",
    "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()): f()",
    "assert 'f' in globals()",
    "orig = f\ndel f\nf = orig",
    "from autograder import checks\nchecks.call(f, 1).gives(2)",
    "assert f('coins.csv') == len(open('coins.csv').readlines())",
    "import io\nassert f(io.open('coins.csv', 'rb').read()) == 3",
    "with checks.files_given({'in': 'a'}): assert f('in') == 1",
    "assert f(",
    "%matplotlib inline\nassert f(1)",
]


@pytest.mark.parametrize("source", FINE)
def test_what_two_rooms_can_tell_is_left_alone(source):
    assert lint.questions(source, STUDENTS) == []


LOCKED = ["import numpy as np\nDATA = [3, 1]\nGRID = np.zeros(3)\nLIMIT = 5", "1 +"]
OWN = ["def f(x):\n    return x", "items = [3]\nnumber = 7"]
THEIRS = {*STUDENTS, "Box", "items", "number"}
KEPT, THERE, BACK = "object has a copy", "code has a copy of its own", "function gets a copy"
LOOKED_AT = {
    "x = [3]\nbox = Box(x)\nbox.add(1)\nassert x == [3]": KEPT,
    "x = [3]\nbefore = x[:]\nbox = Box(x)\nbox.add(1)\nassert x == before": KEPT,
    "x = [3]\nbox = Box(items=x)\nbox.add(1)\nassert box.size == 2 and x == [3, 1]": KEPT,
    "x = [3]\nbox = Box()\nbox.fill(x)\nbox.add(1)\nself.assertEqual(x, [3])": KEPT,
    "x = {}\nbox = helper(x)\nbox.deposit(1)\nassert not x": KEPT,
    "x = [0] * 3\nstep = helper(x)\nstep()\nassert x == [0] * 3": KEPT,
    "x = [n for n in range(3)]\nwalk = f(x)\nnext(walk)\nassert len(x) == 2": KEPT,
    "x = list('ab')\nbox = Box(x)\nf(box)\nif x != ['a', 'b']:\n    raise ValueError": KEPT,
    "box = Box(DATA)\nbox.add(1)\nassert DATA == [3, 1]": KEPT,
    "x = np.zeros(2)\nbox = Box(x)\nbox.add(1)\nnp.testing.assert_array_equal(x, [0, 0])": KEPT,
    "f(1)\nassert DATA == [1, 3]": THERE,
    "before = DATA[:]\nf(1)\nassert DATA == before": THERE,
    "f(1)\nassert (GRID == 0).all()": THERE,
    "f(1)\nassert f(2) == 2 and len(DATA) == 2": THERE,
    "f(items)\nassert items == [3]": BACK,
    "before = list(items)\nf(x=items)\nassert items == [3, 4]": BACK,
}


@pytest.mark.parametrize("source", LOOKED_AT)
def test_a_list_that_her_code_would_have_changed_elsewhere_is_found(source):
    (found,) = lint.questions(source, THEIRS, {}, lint.containers(LOCKED, OWN))
    assert LOOKED_AT[source] in found.why
    assert found.subject in source
    assert found.line == source[: source.index(found.subject)].count("\n") + 1


AS_IT_SHOULD_BE = [
    "x = [3]\ny = f(x)\nassert x == [3]",
    "x = [3]\nbox = Box(x)\nassert x == [3]\nbox.add(1)",
    "x = [3]\nbox = Box(x)\nbox.add(1)\nassert box.items == x + [1]",
    "x = [3]\nbox, other = Box(x), Box([4])\nassert x == [3]",
    "x = 3\nbox = Box(x)\nbox.add(1)\nassert x == 3",
    "x = [3]\nbox = Box(len(x))\nbox.add(1)\nassert x == [3]",
    "x = [3, 1]\ny = f(x)\nz = helper(y)\nassert x == [3, 1]",
    "x = [3, 1]\ny = f(x)\ny.sort()\nassert x == [3, 1]",
    "x, y = [3], [4]\nbox = Box(x)\nbox.add(1)\nassert y == [4]",
    "assert len(DATA) == 2\nassert f(1) == 1",
    "f(1)\nassert f(DATA) == DATA",
    "f(1)\nassert f(DATA[0]) == LIMIT",
    "f(1)\nassert LIMIT == 5",
    "f(DATA)\nassert DATA == [3, 1]",
    "DATA = [4]\nf(1)\nassert DATA == [4]",
    "assert items == [3]\nassert f(items) == 3",
    "f(1)\nassert items == [3]",
    "assert f(items[0]) == 3\nassert items == [3]",
    "f(number)\nassert number == 7",
    "f(items)\nassert helper(items) == 1",
    "items = [5]\nf(items)\nassert items == [5]",
]


@pytest.mark.parametrize("source", AS_IT_SHOULD_BE)
def test_a_list_that_tells_what_it_should_is_left_alone(source):
    assert lint.questions(source, THEIRS, {}, lint.containers(LOCKED, OWN)) == []


def test_names_mean_what_a_locked_cell_has_imported():
    aliases = lint.imports(["from unittest.mock import patch as p", "import os.path", "1 +"])
    assert lint.questions("with p('builtins.print'): f()", STUDENTS, aliases)
    assert lint.questions("os.path.isfile('x')", STUDENTS, aliases)


def test_such_a_test_with_hidden_text_is_not_released_unless_it_is_meant_so(tmp_path, rooms):
    hidden = "### BEGIN HIDDEN TESTS\nassert double(x) is not x\n### END HIDDEN TESTS"
    source = f"x = [3]\nassert double(3) == 6\n{hidden}"
    texts = [(k, n, source if n == "double_small" else t, m) for k, n, t, m in TEXTS]
    write_source(tmp_path, texts=texts)
    course = Course.at(tmp_path)
    with pytest.raises(
        CourseError, match="'double_small' is not understood, line 4, double"
    ) as error:
        release(course, "tiny", rooms)
    assert "Compare what is in them. It has hidden text" in str(error.value)
    assert not course.released("tiny").exists()
    release(course, "tiny", rooms, ["double_small"])


FAULTY = [
    ("markdown", "title", "# Twice", {}),
    (
        "code",
        "a",
        "def a(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
        {"solution": True},
    ),
    (
        "code",
        "t",
        "r = a(3)\nif not isinstance(r, int):\n    r = rond(r)\nassert r == 6",
        {"grade": True, "locked": True, "points": 2},
    ),
]


def test_what_no_right_answer_gets_to_see_is_the_teachers_mistake_and_nobodys_loss(tmp_path, rooms):
    write_source(tmp_path, texts=FAULTY)
    course = Course.at(tmp_path)
    release(course, "tiny", rooms)
    released = json.loads(course.released("tiny").read_text())
    work = answered(released, {"a": "def a(x):\n    return 2.0 * x"})
    result = grade(
        NotebookSubmission("ann", as_bytes(work), ""), load(course, "tiny"), rooms, b"secret"
    ).result
    (cell,) = result.cells
    assert (cell.points, cell.message) == (None, "")
    assert result.needs_teacher
    assert "name 'rond' is not defined" in result.faults[0]


LIST_OF = {
    "locked": ("data = [3, 1]", {"locked": True}, "assert data == [3, 1]", "the student's code"),
    "hers": (
        "data = []",
        {"solution": True},
        "double(data)\nassert data == []",
        "the student's function gets a copy",
    ),
}


@pytest.mark.parametrize("whose", LIST_OF)
def test_a_list_that_her_code_would_have_changed_elsewhere_is_looked_at_there(
    tmp_path, rooms, whose
):
    made, marks, asked, why = LIST_OF[whose]
    source = f"assert double(3) == 6\n{asked}"
    texts = [(k, n, source if n == "double_small" else t, m) for k, n, t, m in TEXTS]
    write_source(tmp_path, texts=[*texts[:4], ("code", "data", made, marks), *texts[4:]])
    notes = []
    found = release(Course.at(tmp_path), "tiny", rooms, tell=notes.extend)
    assert [cell.name for cell in found.scored if cell.forgeable] == ["double_small"]
    assert re.search(rf"'double_small' runs in the student's process.*line .*: {why}", notes[0])
