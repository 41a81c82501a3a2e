"""A patch of what the tests alone use is let through; one that student code should meet is not."""

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import lint
from tests.autograder.tiny_assignment import TEXTS, write_source

STUDENTS = {"f", "helper", "Box"}
MOCK = "from unittest import mock\nimport dplab\nimport math\n"
OWN_FUNCTION = "def reference(x):\n    return math.exp(x)\n"
OWN_CLASS = "class Oracle:\n    def answer(self):\n        return 3\noracle = Oracle()\n"
HALL = (
    "def unlucky(mistakes):\n"
    "    town = dplab.make_town(mistakes)\n"
    "    def hall(people, requests):\n"
    "        with mock.patch('dplab.discrete.discrete_laplace', lambda: 0):\n"
    "            return town(people, requests)\n"
    "    return hall\n"
)
PYTEST = "import pytest\nimport math\n"

LET_THROUGH = {
    "with": "with mock.patch('math.exp', abs):\n    x = reference(3)\nassert f(3) == x",
    "other name": "from unittest.mock import patch as p\n"
    "with p('math.exp', abs):\n    x = reference(3)\nassert f(3) == x",
    "whole module": "import unittest.mock\n"
    "with unittest.mock.patch('math.exp', abs):\n    x = reference(3)\nassert f(3) == x",
    "patch.object": "with mock.patch.object(math, 'exp', abs):\n    x = reference(3)\nf(x)",
    "patch.dict": "with mock.patch.dict('sys.modules', {}):\n    x = reference(3)\nf(x)",
    "patch.multiple": "with mock.patch.multiple('math', exp=abs):\n    x = reference(3)\nf(x)",
    "keyword": "with mock.patch.object(target=math, attribute='exp'):\n    x = reference(3)\nf(x)",
    "two at once": "with mock.patch('math.exp', abs), mock.patch('math.log', abs):\n"
    "    x = reference(3)\nf(x)",
    "stack": "import contextlib\nwith contextlib.ExitStack() as stack:\n"
    "    stack.enter_context(mock.patch('math.exp', abs))\n    x = reference(3)\nf(x)",
    "decorator": "@mock.patch('math.exp', abs)\ndef expected(x):\n    return reference(x)\n"
    "assert f(3) == expected(3)",
    "decorator of an object": "@mock.patch.object(math, 'exp')\ndef expected(fake):\n"
    "    return reference(3)\nassert f(3) == expected()",
    "in what her code is handed": HALL + "assert f(unlucky(set()))",
    "own object while her code runs": "with mock.patch.object(oracle, 'answer', lambda: 4):\n"
    "    assert f(oracle) == 4",
    "own class while her code runs": "with mock.patch.object(Oracle, 'answer', lambda self: 4):\n"
    "    assert f(Oracle()) == 4",
    "own object for good": "mock.patch.object(oracle, 'answer', lambda: 4).start()\nf(oracle)",
    "monkeypatch of an own object": "monkeypatch = pytest.MonkeyPatch()\n"
    "monkeypatch.setattr(oracle, 'answer', lambda: 4)\nassert f(oracle) == 4",
    "monkeypatch in a context": "with pytest.MonkeyPatch.context() as patches:\n"
    "    patches.setattr('math.exp', abs)\n    x = reference(3)\nassert f(3) == x",
    "monkeypatch that gives a context": "with monkeypatch.context() as patches:\n"
    "    patches.setattr(math, 'exp', abs)\n    x = reference(3)\nassert f(3) == x",
    "word that is no patch": "compatch = f(3)\nassert compatch == 3",
}


@pytest.mark.parametrize("case", LET_THROUGH)
def test_a_patch_of_what_the_tests_alone_use_is_let_through(case):
    source = MOCK + PYTEST + OWN_FUNCTION + OWN_CLASS + LET_THROUGH[case]
    assert lint.questions(source, STUDENTS) == []


REFUSED = {
    "her function within": ("with mock.patch('math.exp', abs):\n    f(3)", "mock.patch"),
    "her function as an argument": (
        "with mock.patch('math.exp', abs):\n    list(map(f, [3]))",
        "mock.patch",
    ),
    "other name": ("from unittest.mock import patch as p\nwith p('math.exp'):\n    f(3)", "p"),
    "patch.object": ("with mock.patch.object(math, 'exp'):\n    f(3)", "mock.patch.object"),
    "patch.dict": ("with mock.patch.dict('os.environ', {'A': '1'}):\n    f(3)", "mock.patch.dict"),
    "her name": ("with mock.patch('__main__.helper', abs):\n    reference(3)", "mock.patch"),
    "her name by this module": (
        "with mock.patch(f'{__name__}.helper', abs):\n    reference(3)",
        "mock.patch",
    ),
    "her class": ("with mock.patch.object(Box, 'add'):\n    reference(3)", "mock.patch.object"),
    "her object": (
        "box = helper()\nwith mock.patch.object(box, 'add'):\n    reference(3)",
        "mock.patch.object",
    ),
    "a function that calls hers": (
        "def run(x):\n    return f(x)\nwith mock.patch('math.exp', abs):\n    run(3)",
        "mock.patch",
    ),
    "a function that is handed hers": (
        "def watch(g):\n    with mock.patch('math.exp', abs):\n        g(3)\nwatch(f)",
        "mock.patch",
    ),
    "handed by name": (
        "def watch(*, g):\n    with mock.patch('math.exp', abs):\n        g(3)\nwatch(g=f)",
        "mock.patch",
    ),
    "handed among others": (
        "def watch(*all):\n    with mock.patch('math.exp', abs):\n        all[0](3)\nwatch(f)",
        "mock.patch",
    ),
    "handed by map": (
        "def watch(g):\n    with mock.patch('math.exp', abs):\n        g(3)\nlist(map(watch, [f]))",
        "mock.patch",
    ),
    "kept under another name": (
        "mine = f\nwith mock.patch('math.exp', abs):\n    mine(3)",
        "mock.patch",
    ),
    "in a loop": (
        "for g in (f, helper):\n    with mock.patch('math.exp', abs):\n        g(3)",
        "mock.patch",
    ),
    "kept by an object": (
        "todo = []\ntodo.append(f)\nwith mock.patch('math.exp', abs):\n    todo[0](3)",
        "mock.patch",
    ),
    "decorator": ("@mock.patch('math.exp', abs)\ndef go():\n    f(3)\ngo()", "mock.patch"),
    "decorator, handed hers": (
        "@mock.patch('math.exp', abs)\ndef go(g):\n    g(3)\ngo(f)",
        "mock.patch",
    ),
    "decorator of a class": (
        "@mock.patch('math.exp', abs)\nclass Test:\n    def test(self):\n        f(3)",
        "mock.patch",
    ),
    "stack": (
        "import contextlib\nwith contextlib.ExitStack() as stack:\n"
        "    stack.enter_context(mock.patch('math.exp', abs))\n    f(3)",
        "mock.patch",
    ),
    "for good": ("mock.patch('math.exp', abs).start()\nf(3)", "mock.patch"),
    "monkeypatch": ("monkeypatch.setattr(math, 'exp', abs)\nf(3)", "monkeypatch.setattr"),
    "monkeypatch by another name": (
        "mp = pytest.MonkeyPatch()\nmp.setattr('math.exp', abs)\nf(3)",
        "mp.setattr",
    ),
    "monkeypatch in a context": (
        "with pytest.MonkeyPatch.context() as mp:\n    mp.setenv('A', '1')\n    f(3)",
        "mp.setenv",
    ),
    "module under the name of an object": (
        "mine = math\nwith mock.patch.object(mine, 'exp'):\n    f(3)",
        "mock.patch.object",
    ),
    "what she gets a copy of": (
        "rng = np.random.default_rng(3)\nwith mock.patch.object(rng, 'normal'):\n    f(rng)",
        "mock.patch.object",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_patch_that_student_code_should_meet_is_refused(case):
    text, asked = REFUSED[case]
    (found,) = lint.questions(MOCK + PYTEST + OWN_FUNCTION + OWN_CLASS + text, STUDENTS)
    assert found.subject == asked
    assert "the student's code never sees it" in found.why


WATCH = (
    "from unittest import mock\ndef watch(g):\n    with mock.patch('math.exp', abs):\n        g(3)"
)
RELAY = "def run(x):\n    return f(x)"
OTHER_CELLS = {
    "handed hers in another cell": (WATCH, "watch(f)", 1),
    "handed hers by a helper of another cell": (WATCH, "def go(h):\n    watch(h)\ngo(f)", 1),
    "handed nothing of hers": (WATCH, "watch(abs)\nf(3)", 0),
    "calls a helper that calls hers": (
        "from unittest import mock\nwith mock.patch('math.exp', abs):\n    run(3)",
        RELAY,
        1,
    ),
    "calls a helper that doesn't": (
        "from unittest import mock\nwith mock.patch('math.exp', abs):\n    run(3)",
        "def run(x):\n    return abs(x)\nf(run(3))",
        0,
    ),
}


@pytest.mark.parametrize("case", OTHER_CELLS)
def test_what_other_cells_do_with_a_function_counts(case):
    source, other, count = OTHER_CELLS[case]
    shared = lint.find_tainted([source, other, "1 +"], STUDENTS)
    assert len(lint.questions(source, STUDENTS, shared=shared)) == count


RELEASED = (
    "from unittest import mock\nimport math\n"
    "class Source:\n    def number(self):\n        return 1\n"
    "source = Source()\n"
    "with mock.patch('math.floor', lambda x: 6):\n    expected = math.floor(3)\n"
    "with mock.patch.object(source, 'number', lambda: 3):\n"
    "    assert double(source.number()) == expected\n"
)
HERS = "from unittest import mock\nwith mock.patch('math.floor', abs):\n    assert double(3) == 6"


def write_test(folder, text):
    write_source(
        folder, texts=[(k, n, text if n == "double_small" else t, m) for k, n, t, m in TEXTS]
    )
    return Course.at(folder)


def test_a_test_with_patches_of_its_own_is_not_moved(tmp_path, rooms):
    found = release(write_test(tmp_path / "own", RELEASED), "tiny", rooms)
    assert not found.forgeable_note
    notes = []
    found = release(write_test(tmp_path / "hers", HERS), "tiny", rooms, tell=notes.extend)
    assert [cell.name for cell in found.scored if cell.forgeable] == ["double_small"]
    assert "line 2, mock.patch: the patch stays with the tests" in notes[0]


def test_student_code_meets_the_patch_of_an_object_that_a_test_hands_to_it(tmp_path, rooms):
    """Why such a patch is let through: her code asks the tests' own object, through a stand-in."""
    text = RELEASED.replace("double(source.number())", "double(source)")
    texts = [(k, n, text if n == "double_small" else t, m) for k, n, t, m in TEXTS]
    answer = "    x = x.number() if hasattr(x, 'number') else x\n    return 2 * x"
    write_source(
        tmp_path,
        texts=[(k, n, t.replace("    return 2 * x", answer), m) for k, n, t, m in texts],
    )
    release(Course.at(tmp_path), "tiny", rooms)
