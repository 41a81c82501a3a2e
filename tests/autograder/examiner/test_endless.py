"""An answer that never comes to an end costs its own points, and nobody's time without a limit."""

import time

import pytest

from autograder.examiner.sandboxed_runner import Limits, SandboxedRunner
from autograder.sandbox import probing
from tests.autograder.examiner.cells import check, hidden, student, written

LOOPS = student("import time\ndef f(x):\n    while True: time.sleep(0.001)", "loops")
SHORT = Limits(cell_seconds=2, notebook_seconds=20, grace_seconds=0.5)


def run(cells, limits=SHORT):
    with SandboxedRunner(limits, probing.probe()) as rooms:
        rooms.run([student("1")], b"")  # the first room takes longer
        return rooms.run(cells, b"")


def points(found):
    return [not written(cell) for cell in found.cells if cell.verdict is not None]


def nap(seconds, name="nap"):
    return check(f"import time; time.sleep({seconds})", name)


def test_each_test_that_is_stopped_leaves_half_the_time_to_the_next():
    """With all the grace that a busy machine needs: this loop hears the first interrupt."""
    patient = Limits(cell_seconds=4, notebook_seconds=60, grace_seconds=4)
    found = run([LOOPS, *(check("f(1)", f"f {n}") for n in range(5)), nap(0.4)], patient)
    assert points(found) == [False] * 6
    stops = [incident.message for incident in found.incidents]
    assert stops == [f"after {s} s" for s in ("4", "2", "1", "0.5", "0.25", "0.12")]
    told = [cell.verdict.losses[0].message for cell in found.cells[1:3]]
    assert told == [
        f"the cell f {n} ran longer than {s} s, not counting waits for a core"
        for n, s in ((0, 4), (1, 2))
    ]


@pytest.mark.parametrize("body", ["while True: pass", "return sum(range(10**12))"])
def test_the_next_answer_has_all_its_time(body):
    """Whether the loop can be interrupted or is ended with its room."""
    loops = student(f"def f(x):\n    {body}", "loops")
    mine = student("def g(x): return x", "mine")
    found = run([loops, check("f(1)", "first"), check("f(1)", "second"), mine, nap(1.1)])
    assert points(found) == [False, False, True]
    assert "longer than 2 s" in found.cells[1].verdict.losses[0].message
    said = found.cells[2].verdict.losses[0].message
    assert "longer than 1 s" in said or "can't use f any more: it did not end" in said


def test_what_ran_before_the_time_was_used_up_keeps_its_points():
    """With its hidden tests, of which none had run by then; and nothing after it has any."""
    good = [student("def g(x): return x", "good"), hidden("assert g(2) == 2")]
    wrong = [student("def h(x): return 0", "wrong"), hidden("assert h(2) == 2")]
    slow = [student("import time; time.sleep(0.7)", f"slow {n}") for n in range(6)]
    limits = Limits(cell_seconds=2, notebook_seconds=3, grace_seconds=0.5)
    late = student("def g(x): return x", "late")
    found = run([*good, *wrong, *slow, late, hidden("assert g(3) == 3")], limits)
    assert points(found) == [True, False, False]
    assert found.cells[-1].verdict.losses[0].message == "not run: the notebook had used up its 3 s"
    assert {incident.kind for incident in found.incidents} <= {"timeout"}  # nothing was lost


def test_rooms_that_are_ended_again_and_again_leave_what_was_right_before():
    good = [student("def g(x): return x", "good"), hidden("assert g(2) == 2")]
    ends = [student("import os; os._exit(1)", f"end {n}") for n in range(5)]
    found = run([*good, *ends, student("def g(x): return x", "late"), hidden("assert g(3) == 3")])
    assert points(found) == [True, False]
    assert "not run: the cell end" in found.cells[-1].verdict.losses[0].message


@pytest.fixture
def said_to_wait(monkeypatch):
    """Sets what share of all time each side is said to wait for a core."""

    def say(examiner=0, room=0):
        class Said:
            def __init__(self, *processes):
                self.watch(*processes)

            def watch(self, *processes):
                self.share = examiner + room * (len(processes) - 1)

            def __call__(self):
                return time.monotonic() * self.share

        monkeypatch.setattr("autograder.examiner.student_process.Waiting", Said)

    return say


@pytest.mark.parametrize(("share", "least", "most"), [(0, 0, 2), (1, 9, 9)])
def test_the_time_of_a_notebook_is_without_what_it_waits_for_a_core(
    share, least, most, said_to_wait
):
    """Here it is said to wait for nothing, and all the time."""
    said_to_wait(examiner=share)
    limits = Limits(cell_seconds=9, notebook_seconds=2, grace_seconds=0.5)
    found = run([nap(0.9, f"nap {n}") for n in range(9)], limits)
    assert least <= sum(points(found)) <= most


@pytest.mark.parametrize("side", ["examiner", "room"])
def test_a_test_has_its_time_beside_what_either_side_waits_for_a_core(side, said_to_wait):
    """Here one is said to wait all the time."""
    said_to_wait(**{side: 1})
    limits = Limits(cell_seconds=2, notebook_seconds=60, grace_seconds=2)
    assert points(run([nap(3)], limits)) == [True]


@pytest.mark.parametrize(
    "calls",
    [
        "for _ in range(2): f(2); time.sleep(1)\nassert f(2) == 2",
        "def slow(): time.sleep(2.5)\nassert f(2, slow) == 2",
    ],
    ids=["between two calls", "in what the answer calls"],
)
@pytest.mark.parametrize(("share", "passed"), [(0, False), (1, True)])
def test_an_answer_is_not_stopped_for_what_the_test_that_calls_it_waits_for_a_core(
    share, passed, calls, said_to_wait
):
    """The room has its own alarm. Here the test is said to wait for nothing, and all the time."""
    said_to_wait(examiner=share)
    limits = Limits(cell_seconds=2, notebook_seconds=60, grace_seconds=2)
    answer = student("""
        import time
        def f(x, before=lambda: None):
            before()
            time.sleep(0.5)
            return x
    """, "answer")  # fmt: skip
    assert points(run([answer, check(f"import time\n{calls}", "calls")], limits)) == [passed]


def test_a_hidden_test_that_took_too_long_says_so_in_the_examiner_s_words():
    source = "def f(x):\n    if x: import time; time.sleep(9)\n    return x"
    slow = hidden("f(1)", "slow")
    found = run([student(source), slow], Limits(cell_seconds=1, notebook_seconds=60))
    assert points(found) == [False]
    said = "the cell slow ran longer than 1 s, not counting waits for a core"
    (loss,) = found.cells[1].verdict.losses
    assert loss.message == f"A hidden test of this cell did not pass. It took too long: {said}."


def test_an_answer_can_t_say_by_a_time_limit_what_a_hidden_test_has_asked():
    source = (
        "from autograder.wire.alarm import CellTimeout\n"
        "class CellTimeout(BaseException): pass\n"
        "def f(x): raise CellTimeout(f'the argument was {x}')"
    )
    forged = source.replace("class CellTimeout(BaseException): pass\n", "")
    for answer in (source, forged):
        found = run([student(answer), hidden("f(12345)", "h")], Limits(cell_seconds=3))
        assert points(found) == [False]
        assert "12345" not in repr(found.cells[1].verdict.losses)
