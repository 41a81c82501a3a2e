"""A notebook that ends its own process: what had run before runs again, and the rest goes on."""

import dataclasses

import pytest

from autograder.examiner.rooms import Rooms
from autograder.sandbox import probing
from autograder.wire.contract import Incident
from tests.autograder.examiner.cells import LIMITS, check, student, text_of, written

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
    with Rooms(limits, probing.probe()) as rooms:
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
