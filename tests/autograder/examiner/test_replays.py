"""A notebook that ends its own process: what had run before runs again, and the rest goes on."""

import dataclasses

import pytest

from autograder.examiner.sandboxed_runner import SandboxedRunner
from autograder.sandbox import probing
from autograder.wire.contract import Incident
from tests.autograder.examiner.cells import LIMITS, check, hidden, student, text_of, written

DEATHS = {
    "os._exit": "import os; os._exit(3)",
    "a segmentation fault": "import ctypes; ctypes.string_at(0)",
    "a signal of a child": "import os; os.fork() or os._exit(0); os._exit(9)",
    "a loop that cannot be interrupted": "sum(range(10**12))",
}


def points(run):
    return [not cell.verdict.losses for cell in run.cells if cell.verdict is not None]


@pytest.mark.parametrize("death", DEATHS.values(), ids=DEATHS.keys())
def test_a_death_in_one_function_costs_that_function_s_test(hurried, death):
    cells = [
        student("print('shown once')\ndef good(): return 1"),
        check("assert good() == 1"),
        student(f"def bad():\n    {death}"),
        check("bad()", "bad"),
        student("def late(): return good() + 1"),
        check("assert late() == 2"),
        check("assert good() == 1"),
    ]
    run = hurried.run(cells, b"")
    assert points(run) == [True, False, True, True]
    assert [incident.cell for incident in run.incidents] == ["bad"]
    assert text_of(run.cells[0].shown) == "shown once\n"
    assert written(run.cells[3])[-1]["evalue"].startswith("the cell bad ")


def test_a_cell_that_ends_the_process_is_not_run_again(rooms):
    cells = [student("a = 1"), student("b = 2; import os; os._exit(1)", "crash"), student("c = 3"),
             check("assert a == 1"), check("b"), check("assert c == 3")]  # fmt: skip
    run = rooms.run(cells, b"")
    assert points(run) == [True, False, True]
    assert run.cells[4].verdict.losses[0].message == "name 'b' is not defined"
    assert [incident.cell for incident in run.incidents] == ["crash"]


def test_a_cell_that_ended_in_an_error_of_its_own_is_run_again(rooms):
    cells = [student("def f(): return 1\n1 / 0"), student("import os; os._exit(1)"),
             check("assert f() == 1")]  # fmt: skip
    assert points(rooms.run(cells, b"")) == [True]


def test_three_times_and_then_no_more(rooms):
    crash = student("import os; os._exit(1)", "crash")
    cells = [student("def f(): return 1"), crash, check("assert f() == 1"), crash,
             check("assert f() == 1"), crash, check("assert f() == 1"), crash,
             check("assert f() == 1"), student("1")]  # fmt: skip
    run = rooms.run(cells, b"")
    assert points(run) == [True, True, True, False]
    assert "not run" in written(run.cells[-1])[-1]["evalue"]
    assert [incident.kind for incident in run.incidents] == [Incident.DIED] * 4


USES = {
    "a function": ("def bad(): os._exit(3)", "bad()"),
    "a method": ("class bad:\n    def run(self): os._exit(3)", "bad().run()"),
    "a method that was kept": (
        "class bad:\n    def run(self): os._exit(3)",
        "run = bad().run; run()",
    ),
    "a generator": ("def bad():\n    yield 1\n    os._exit(3)", "list(bad())"),
    "a function that a test gave a function": (
        "def bad(f): f(os._exit)",
        "bad(lambda end: end(3))",
    ),
    "another function's function": ("def bad(): return lambda: os._exit(3)", "bad()()"),
    "a seldom case": ("def bad(x=1): return x or os._exit(3)", "assert bad() == 1; bad(0)"),
}


@pytest.mark.parametrize(("source", "use"), USES.values(), ids=USES.keys())
def test_what_ended_the_process_once_only_fails_in_all_later_tests(rooms, source, use):
    """Else it would end each new room, until there are no more for later exercises."""
    cells = [
        student(f"import os\n{source}\ndef good(): return 1"),
        *[check(use, f"bad {number}") for number in range(6)],
        student("def late(): return good() + 1\ndef user(): return bad()"),
        check("assert late() == 2"),
        check("user()", "user"),
        student("def bad(*of): return 5"),
        check("assert user() == 5"),
    ]
    run = rooms.run(cells, b"")
    assert points(run) == [*[False] * 6, True, False, True]
    assert [incident.cell for incident in run.incidents] == ["bad 0"]
    said = "the tests can't use bad any more: it ended the notebook's process in the cell bad 0"
    assert run.cells[2].verdict.losses[0].message == said
    assert run.cells[9].verdict.losses[0].message == said


def test_hidden_tests_of_later_exercises_run_after_one_that_ends_the_process(rooms):
    cells = [
        student("import os\ndef bad(x): return x or os._exit(3)\ndef good(): return 1"),
        *[hidden("assert bad(1) == 1\nbad(0)", f"bad {number}") for number in range(5)],
        hidden("assert good() == 1", "right"),
        hidden("assert good() == 2", "wrong"),
    ]
    assert points(rooms.run(cells, b"")) == [*[False] * 5, True, False]


@pytest.mark.parametrize("caught", ["Exception", "BaseException"])
def test_what_ended_the_process_is_never_the_error_that_a_test_expects(rooms, caught):
    expects = f"try: bad(-1)\nexcept {caught}: pass\nelse: raise AssertionError"
    cells = [
        student("import os\ndef bad(x): os._exit(0)"),
        *[check(expects, f"bad {number}") for number in range(3)],
        check("from autograder import checks\nchecks.call(bad, -1).raises(RuntimeError)"),
        student("def bad(x): raise ValueError"),
        check(expects),
    ]
    assert points(rooms.run(cells, b"")) == [*[False] * 4, True]


def test_what_ends_by_itself_between_calls_leaves_all_names_as_they_are(rooms):
    cells = [
        student("import os, threading\ndef f():\n    threading.Timer(.2, os._exit, [3]).start()"),
        check("import time\nf()\ntime.sleep(1)", "sleeps"),
        check("f()", "again"),
    ]
    run = rooms.run(cells, b"")
    assert points(run) == [False, True]


def test_a_stand_in_of_a_room_that_is_gone_fails_by_name(rooms):
    cells = [
        student("def f(): return 1\nclass Box:\n    value = 3"),
        check("box = Box()\nassert box.value == 3", "made"),
        student("import os; os._exit(1)", "crash"),
        check("assert f() == 1"),
        check("box.value", "used"),
    ]
    run = rooms.run(cells, b"")
    assert points(run) == [True, True, False]
    assert "the cell crash ended the notebook" in run.cells[-1].verdict.losses[0].message


def test_replays_share_the_notebook_s_time():
    limits = dataclasses.replace(LIMITS, notebook_seconds=4.0)
    slow = student("import time; time.sleep(1.5)")
    with SandboxedRunner(limits, probing.probe()) as rooms:
        run = rooms.run(
            [slow, student("import os; os._exit(1)"), slow, slow, slow, student("3")], b""
        )
    assert sum(cell.seconds for cell in run.cells) < 12
    assert "had used up its 4 s" in written(run.cells[-1])[-1]["evalue"]


def test_what_was_drawn_before_is_drawn_again(rooms):
    cells = [student("import numpy as np\nx = np.random.default_rng().random()\nprint(x)"),
             student("import os; os._exit(1)"), student("print(x)")]  # fmt: skip
    run = rooms.run(cells, b"")
    assert text_of(run.cells[0].shown) == text_of(run.cells[2].shown) != ""
