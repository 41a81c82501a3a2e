"""Hidden tests: they decide points, and nothing of them comes back."""

import socket

import numpy as np
import pytest

from autograder.checks.points import MESSAGES
from autograder.classroom.grading.results import Result
from autograder.examiner import verdicts
from autograder.examiner.reports import join_reports
from autograder.wire.contract import CellRun, Incident
from autograder.wire.files import File
from tests.autograder.examiner.cells import (
    check,
    error_of,
    hidden,
    outputs,
    student,
    text_of,
    written,
)

KEEPER = student("""
    seen = []
    def f(x):
        seen.append(x)
        print("called with", x)
        return 2 * x
    """)
SECRET = hidden("assert f(7351) == 14702")


@pytest.fixture
def one_room_left(rooms, monkeypatch):
    """Rooms of which only one more can be opened."""
    left = [rooms.open]

    def open_room(*arguments):
        if not left:
            raise OSError("no process left")
        return left.pop()(*arguments)

    monkeypatch.setattr(rooms, "open", open_room)
    return rooms


def test_that_no_second_room_opens_is_no_failure_of_the_answer(one_room_left):
    with pytest.raises(OSError, match="no process left"):
        one_room_left.run([KEEPER, SECRET], b"")


def test_a_second_room_that_ends_before_it_has_its_files_is_none_of_the_answer_either(
    rooms, monkeypatch
):
    whole, opened = rooms.open, []

    def open_room(*arguments):
        sock, room = whole(*arguments)
        if opened:
            sock.close()
            sock, other = socket.socketpair()
            other.close()
        opened.append(room)
        return sock, room

    monkeypatch.setattr(rooms, "open", open_room)
    with pytest.raises(OSError, match="a room ended before any cell could run in it"):
        rooms.run([KEEPER, SECRET], b"", (File("people.csv", b"name"),))
    assert len(opened) == 2


def test_that_none_opens_in_place_of_one_that_was_ended_costs_what_ended_it(one_room_left):
    run = one_room_left.run([KEEPER, student("import os; os._exit(1)"), check("f(1)")], b"")
    assert run.incidents[0].kind == Incident.DIED
    assert verdicts.has_failed(run.cells[-1].verdict)


def test_what_a_later_cell_shows_was_made_before_a_hidden_test_ran(rooms):
    run = rooms.run([KEEPER, check("f(1)"), SECRET, student("print(seen); seen")], b"")
    assert "7351" not in str([cell.shown for cell in run.cells])
    assert text_of(run.cells[-1].shown) == "[1]\n"
    assert text_of(run.cells[1].shown) == "called with 1\n"
    assert run.cells[2].verdict == verdicts.PASSED


@pytest.mark.parametrize(
    "late",
    [
        "1 / (7351 in seen)",
        "import os\nif 7351 in seen: os._exit(1)",
        "import sys\nif 7351 in seen: sys.exit()",
        "if 7351 in seen: print('x' * 10**7)",
        "while 7351 in seen: pass",
        "x = bytearray(10**12) if 7351 in seen else 0",
    ],
)
def test_no_incident_of_a_late_cell_depends_on_a_hidden_argument(hurried, late):
    run = hurried.run([KEEPER, SECRET, student(late, "late")], b"")
    without = hurried.run([KEEPER, hidden("assert f(1) == 2"), student(late, "late")], b"")
    assert run.incidents == without.incidents == ()
    assert run.cells[-1].shown == without.cells[-1].shown


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("assert f(7351) == 1, 'doubling is not enough'", "doubling is not enough"),
        ("assert f(7351) == 1, f'it is {f(7351)}'", verdicts.HIDDEN),
        ("assert f(7351) == 1", verdicts.HIDDEN),
        ("f(7351).nothing", verdicts.HIDDEN),
        ("raise ValueError(f(7351))", verdicts.HIDDEN),
        ("f('a', 'b')", verdicts.HIDDEN),
        ("from autograder import checks\nchecks.call(f, 7351).gives(3, 'Not so.')", "Not so."),
        ("from autograder import checks\nchecks.call(f, None).gives(3, 'Not so.')", "Not so."),
        ("from autograder import checks\nchecks.call(f, 7351).gives(3)", verdicts.HIDDEN),
        (
            "from autograder import checks\n"
            "checks.call(f, 7351).numbers((3,), hint='Three numbers.')",
            "Three numbers.",
        ),
        (
            "from autograder import checks\n"
            "checks.expect_between(f(7351), 0, 1, 'f', 'Too far.', failure=1e-9)",
            "Too far.",
        ),
    ],
)
def test_a_hidden_test_that_fails_is_told_in_the_teacher_s_fixed_words(rooms, test, said):
    run = rooms.run([KEEPER, hidden(test)], b"")
    (error,) = written(run.cells[-1])
    assert (error["ename"], error["evalue"], error["traceback"]) == ("AssertionError", said, [said])
    assert run.incidents == ()


def test_the_teacher_reads_what_a_hidden_test_said(rooms):
    run = rooms.run([KEEPER, hidden("assert f(7351) == 1, f'it is {f(7351)}'")], b"")
    assert run.cells[-1].verdict.detail == "it is 14702"


def test_a_visible_part_that_fails_is_told_in_full_and_the_hidden_part_not_at_all(rooms):
    work = student("def f(x):\n    return -x")
    test = check(
        """
        assert f(1) == 2, f"f(1) should be 2, it is {f(1)}"
        ### BEGIN HIDDEN TESTS
        assert f(7351) == 14702, "hidden"
        ### END HIDDEN TESTS
        """
    )
    run = rooms.run([work, test], b"")
    assert run.cells[-1].verdict.losses[0].message == "f(1) should be 2, it is -1"
    assert run.cells[-1].verdict.detail == ""


def test_the_parts_of_a_test_tell_visible_losses_in_full_and_hidden_ones_by_their_hint(rooms):
    work = student("def f(x):\n    raise ValueError(f'it was {x}')")
    test = check(
        """
        from autograder import checks
        points = checks.Points()
        with points.part(1):
            checks.call(f, 1).gives(2, "Seen.")
        with points.part(1):
            points
        ### BEGIN HIDDEN TESTS
        with points.part(1):
            checks.call(f, 1234).gives(2, "Unseen.")
        with points.part(1):
            f(1234)
        with points.part(1):
            assert True
        ### END HIDDEN TESTS
        points
        """
    )
    (found,) = outputs(rooms, work, test)
    assert found["data"]["text/plain"] == "2"
    assert found["data"][MESSAGES] == [
        "f(1) raised ValueError: it was 1. Seen.", "Unseen.", verdicts.HIDDEN
    ]  # fmt: skip


def test_a_value_that_a_hidden_test_ends_in_is_shown_as_points_alone(rooms):
    assert outputs(rooms, KEEPER, hidden("[f(7351)]")) == []
    (found,) = outputs(rooms, KEEPER, hidden("f(7351) / 14702 / 2"))
    assert found["data"] == {"text/plain": "0.5", MESSAGES: []}


def test_a_hidden_test_that_hurts_its_own_exercise_hurts_no_other(hurried):
    work = student(
        """
        import os
        def dies(x):
            return x if x < 10 else os._exit(1)
        def loops(x):
            while x >= 10: pass
            return x
        def fine(x):
            return x
        """
    )
    tests = [hidden(f"assert {name}(11) == 11", name) for name in ("dies", "loops", "fine")]
    run = hurried.run([work, *tests], b"")
    said = [cell.verdict.losses[0].message if cell.verdict.losses else "" for cell in run.cells[1:]]
    late = "It took too long: the cell loops ran longer than 2 s, not counting waits for a core."
    assert said == [verdicts.HIDDEN, f"{verdicts.HIDDEN} {late}", ""]
    assert run.incidents == ()


def test_a_cell_that_ended_its_room_is_run_but_once(rooms, monkeypatch):
    """It would leave nothing behind for the hidden tests either."""
    opened, open_room = [], rooms.open
    monkeypatch.setattr(rooms, "open", lambda *words: opened.append(1) or open_room(*words))
    ends = student("import os\ng, f = f, None\nos._exit(1)", "ends")
    cells = [student("def f(x): return 2 * x"), ends, student("y = 1"), SECRET]
    run = rooms.run(cells, b"")
    assert run.cells[-1].verdict == verdicts.PASSED
    assert [(incident.kind, incident.cell) for incident in run.incidents] == [("died", "ends")]
    assert len(opened) == 3, "one for each run, and one in the place of the one that ended"


def test_after_a_stop_for_good_no_hidden_test_gives_points(rooms):
    forged = student(
        "import os, socket\n"
        "for n in range(3, 60):\n"
        "    try: os.write(n, b'\\0\\0\\0\\3abc')\n"
        "    except OSError: pass",
        "forged",
    )
    run = rooms.run([KEEPER, forged, SECRET], b"")
    assert [incident.kind for incident in run.incidents] == [Incident.PROTOCOL]
    assert "not run" in run.cells[-1].verdict.losses[0].message


def test_a_generator_of_a_test_s_own_can_not_be_foreseen(rooms):
    foresee = student(
        """
        import copy
        def f(rng):
            states = [rng.bit_generator.advance(2**64 - k) for k in (0,)] and rng
            global kept
            kept = copy.deepcopy(rng)
            return 0
        def guess():
            return [kept.random()] + [
                type(kept)(kept.bit_generator.jumped(k)).random() for k in range(4)
            ]
        """
    )
    test = check("import numpy as np\nrng = np.random.default_rng(3)\nf(rng)\n"
                 "assert rng.random() not in guess()")  # fmt: skip
    assert error_of(rooms, foresee, test) is None


def test_a_generator_comes_as_the_test_had_it(rooms):
    work = student("def f(rng): return rng.random(3)")
    test = check("import numpy as np\nassert (f(np.random.default_rng(3)) == "
                 "np.random.default_rng(3).random(3)).all()")  # fmt: skip
    assert error_of(rooms, work, test) is None
    assert np.random.default_rng(3).random() < 1


def test_what_ends_a_room_in_a_hidden_call_is_told_by_the_hint_of_a_wrong_answer(rooms):
    secret = hidden("assert f(7351) == 14702, 'doubling is not enough'")
    ends = student("import os\ndef f(x):\n    return os._exit(1) if x == 7351 else 2 * x")
    wrong = student("def f(x):\n    return 0 if x == 7351 else 2 * x")
    told = [rooms.run([one, secret], b"").cells[-1].verdict.losses for one in (ends, wrong)]
    assert told[0] == told[1]


def test_hidden_tests_that_never_ended_are_the_teachers_to_know():
    """What was lost on the way gives no points, and is told as any hidden test that failed."""
    cells = [KEEPER, SECRET, check("f(1)")]
    passed = CellRun(verdict=verdicts.PASSED)
    first = [(0, CellRun(), []), (1, passed, []), (2, passed, [])]
    run = join_reports([*first, (0, CellRun(), [])], cells)
    assert [loss.message for loss in run.cells[1].verdict.losses] == [verdicts.HIDDEN]
    assert run.cells[2].verdict == verdicts.PASSED
    assert [(i.kind, i.cell) for i in run.incidents] == [(Incident.HIDDEN, SECRET.name)]
    result = Result("ann", "tiny", "", "", (), incidents=run.incidents)
    assert result.needs_teacher
    assert result.students_incidents == ()


@pytest.mark.parametrize("answer", ["np.array([-5, -5])", "np.array([])", "np.matrix([[1, 2]])"])
@pytest.mark.parametrize("made", ["sum(f(x) == x + 1 for x in range(4)) / 2", "2 * (f(3) == 4)"])
def test_an_answer_of_arrays_wins_no_points_that_a_test_reckons(rooms, answer, made):
    """Of comparisons with an array come arrays, and they are no number: nbgrader would give all."""
    wrong = student(f"import numpy as np\ndef f(x):\n    return {answer}")
    for test in (made, f"points = 0\npoints += {made}\npoints"):
        for make in (check, hidden):
            verdict = rooms.run([wrong, make(test)], b"").cells[-1].verdict
            assert verdict.error or verdict.result["text/plain"] == "0"
    shown = rooms.run([wrong, check("f(3)")], b"").cells[-1].verdict  # a test that shows an array
    assert verdicts.outputs(shown, 1)[0]["data"]["text/plain"].startswith(("array", "matrix"))
