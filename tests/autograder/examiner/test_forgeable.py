"""A test in the student's room: what that room says is taken, within bounds, of this test alone."""

from textwrap import dedent

import pytest

from autograder.checks.points import MESSAGES
from autograder.classroom.grading.grade_notebook import by_nbgrader
from autograder.examiner import forgeable, verdicts
from autograder.wire.contract import Cell, Incident, Role
from tests.autograder.examiner.cells import check, hidden, locked, student, text_of, written

WORK = student("""
    import sys
    seen = []

    def double(x):
        seen.append(x)
        print("given", x)
        return 2 * x

    def halve(x):
        return double(x) / 4
    """)
TRUE = check("assert double(1) == 2", "true test")


def forged(source, most=3.0, name="forgeable"):
    return Cell(Role.FORGEABLE, source, name, source, most)


def points_of(run, most=3.0):
    """By nbgrader's own rule, from the outputs as they stand in the notebook."""
    metadata = {"nbgrader": {"grade": True, "solution": False, "points": most, "grade_id": "t"}}
    cell = {"cell_type": "code", "source": "", "metadata": metadata, "outputs": written(run)}
    return by_nbgrader(cell)[0]


SERVED = {
    "the same object": "x = []\ndef same(x): return x\nassert same(x) is x",
    "a helper replaced": "double = lambda x: 40\nassert halve(3) == 10",
    "what is printed": (
        "from unittest.mock import patch\n"
        "with patch('builtins.print') as said: double(3)\n"
        "said.assert_called_once_with('given', 3)"
    ),
    "a file": "open('kept', 'w').write('x')\nimport os\nassert os.path.exists('kept')",
    "source": "import inspect\nassert 'seen' in inspect.getsource(double)",
    "history": "assert 'double' in In[1]",
    "modules": "assert 'sys' in globals() and sys.modules",
}


@pytest.mark.parametrize("name", SERVED)
def test_what_two_rooms_cannot_tell_passes_and_says_that_it_could_be_forged(rooms, name):
    run = rooms.run([WORK, forged(SERVED[name])], b"").cells[-1]
    assert points_of(run) == 3
    assert run.verdict.forgeable
    assert verdicts.FORGEABLE in text_of(written(run))


@pytest.mark.parametrize(
    ("source", "points", "said"),
    [
        ("assert double(3) == 7, 'not seven'", 0, "not seven"),
        ("1 / 0", 0, "division by zero"),
        ("assert double(3", 0, "incomplete input"),
        ("2", 2, ""),
        ("0", 0, ""),
        ("import numpy as np\nnp.float64(1.25)", 1.25, ""),
        ("3.0000001", 0, "which has only"),
        ("10**400", 0, "which has only"),
        ("-1", 0, "which has only"),
        ("float('nan')", 0, "which has only"),
        ("float('inf')", 0, "which has only"),
        ("'12'", 3, ""),
        ("raise SystemExit", 0, ""),
        ("import os\nos._exit(0)", 0, forgeable.NO_VERDICT),
        ("raise ValueError('\\ud800' * 10**5)", 0, "????"),
        ("from IPython.display import clear_output\nclear_output()\nassert False, 'no'", 0, "no"),
        ("from IPython.display import clear_output\nclear_output()\n2", 2, ""),
    ],
)
def test_its_points_are_those_it_can_have_and_none_without_a_verdict(rooms, source, points, said):
    run = rooms.run([WORK, forged(source), TRUE], b"")
    assert points_of(run.cells[1]) == points
    assert said in "".join(loss.message for loss in run.cells[1].verdict.losses)
    assert run.cells[2].verdict == verdicts.PASSED  # in a new room, where the old one is gone
    "".join(run.cells[1].verdict.traceback + tuple(map(str, written(run.cells[1])))).encode()


def test_parts_of_it_say_what_was_lost(rooms):
    source = """
from autograder import checks
points = checks.Points()
with points.part(1):
    checks.call(double, 3).gives(6)
with points.part(2):
    checks.call(double, 3).gives(7, "Not seven.")
points"""
    run = rooms.run([WORK, forged(source)], b"").cells[-1]
    assert points_of(run) == 1
    assert run.verdict.result[MESSAGES] == ["double(3) should be 7, it is 6. Not seven."]


FORGERS = {
    "an answer before the time": """
        channel.notify("reply", channel_number + 1, ["", "", 0, None])
        """,
    "an answer to the next request": """
        import threading
        def late():
            channel.notify("reply", channel_number + 2, None)
        thread = threading.Thread(target=late)
        thread.start()
        thread.join()
        """,
    "an output that is none": "channel.notify('output', ['result'])",
    "a verdict by a name of its own": "channel.notify('verdict', 'true test', 3)",
}
REACH = """
import gc
from autograder.wire.channel import CallChannel
channel = next(one for one in gc.get_objects() if type(one) is CallChannel)
channel_number = 10**6
"""


WRONG = student("def double(x):\n    return 0")


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ('["", "", 0, None]', 3),
        ('["", "", 0, {"text/plain": "3"}]', 3),
        ('["", "", 0, {"text/plain": "99"}]', 0),
        ('["", "", 0, {"text/plain": "nan"}]', 0),
        ('{"true test": 3}', 0),
        ("None", 0),
        ("channel", 0),
    ],
)
def test_a_forger_wins_this_test_at_most_and_no_other(rooms, answer, points):
    act = student(f"{REACH}channel._handlers['test'] = lambda source, count: {answer}", "act")
    run = rooms.run([WRONG, act, TRUE, forged("assert double(1) == 2"), TRUE], b"")
    assert [points_of(run.cells[n]) for n in (2, 3, 4)] == [0, points, 0]
    assert run.incidents == ()


@pytest.mark.parametrize("name", FORGERS)
def test_who_sends_more_than_was_asked_for_is_heard_no_more(rooms, name):
    act = student(REACH + dedent(FORGERS[name]), "act")
    run = rooms.run([WORK, TRUE, act, student("pass"), TRUE, forged("pass")], b"")
    assert [points_of(run.cells[n]) for n in (1, 4, 5)] == [3, 0, 0]
    assert [one.kind for one in run.incidents] == [Incident.PROTOCOL]


@pytest.mark.parametrize(
    "answer",
    [
        None, [], "passed", ["", "", 0], ["", "", 0, "3"], [b"", "", 0, None], ["", 1, 0, None],
        ["", "", "", None], ["", "", True, None], {"": 1}, ["", "", 0, None, None],
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_no_verdict(answer):
    verdict = forgeable.verdict_of(answer, 3.0)
    assert verdicts.has_failed(verdict)
    assert verdict.forgeable
    assert forgeable.error_number(answer) is None


@pytest.mark.parametrize("text", ["nan", "-0.1", "3.01", "inf", "1e999", "-inf"])
def test_points_beyond_the_test_s_are_none_of_it(text):
    verdict = forgeable.verdict_of(["", "", 0, {"text/plain": text}], 3.0)
    assert verdict.result["text/plain"] == "0"


def test_messages_are_few_and_short():
    bundle = {"text/plain": "1", MESSAGES: ["\ud800" * 10**6] * 10**4 + [3]}
    verdict = forgeable.verdict_of(["", "", 0, bundle], 3.0)
    assert len(verdict.losses) == forgeable.MOST_MESSAGES
    assert {loss.message for loss in verdict.losses} == {"?" * forgeable.LONGEST}
    verdict = forgeable.verdict_of(["E" * 10**6, "m" * 10**6, 1, None], 3.0)
    assert len(verdict.losses[0].message) == forgeable.LONGEST
    assert len(verdict.error) == 100
    assert forgeable.verdict_of(["\x1b[2J", "m", 1, None], 3.0).error == "Error"


def test_a_sum_of_points_may_be_off_by_rounding():
    verdict = forgeable.verdict_of(["", "", 0, {"text/plain": repr(0.1 + 0.2)}], 0.3)
    assert verdict.result["text/plain"] == "0.3"


def test_what_it_says_was_made_before_a_hidden_test_ran(rooms):
    tell = forged("assert 7351 not in seen, f'{seen}'\nprint(seen)")
    run = rooms.run([WORK, hidden("assert double(7351) == 14702"), tell, tell], b"")
    assert [points_of(cell) for cell in run.cells[1:]] == [3, 3, 3]
    assert "7351" not in str([cell.shown for cell in run.cells])
    assert run.incidents == ()


def test_where_it_ends_its_room_for_a_hidden_argument_nothing_is_told(rooms):
    tell = forged("import os\nif 7351 in seen: os._exit(1)")
    run = rooms.run([WORK, hidden("assert double(7351) == 14702"), tell, TRUE], b"")
    assert [points_of(cell) for cell in run.cells[1:]] == [3, 3, 3]
    assert run.incidents == ()


def test_a_later_test_has_nothing_of_what_it_defines(rooms):
    lend = forged("def good(f): return True\nmost = 5\nassert double(1) == 2")
    for borrow in ("assert good(double)", "assert most == 5"):
        run = rooms.run([WORK, lend, check(borrow)], b"")
        assert "a test that runs in the student's process defines it" in str(run.cells[-1].verdict)
        assert points_of(run.cells[-1]) == 0
    own = check("most = 6\nassert most == 6 and 'good' not in globals()")
    assert points_of(rooms.run([WORK, lend, own], b"").cells[-1]) == 3


def test_it_shares_the_room_with_locked_cells_and_others_of_its_kind(rooms):
    cells = [locked("import math\nlimit = 4"), WORK, forged("helper = math.sqrt(limit)")]
    run = rooms.run([*cells, forged("assert helper == 2 == double(1)", name="second")], b"")
    assert points_of(run.cells[-1]) == 3


def test_it_is_run_again_in_a_new_room_and_shown_once(rooms):
    cells = [WORK, forged("print('once')\nkept = double(2)"), student("import os\nos._exit(1)")]
    run = rooms.run([*cells, forged("assert kept == 4", name="second")], b"")
    assert points_of(run.cells[-1]) == 3
    assert text_of(run.cells[1].shown) == "once\ngiven 2\n"


def test_one_that_does_not_end_is_stopped_and_gives_nothing(hurried):
    run = hurried.run([WORK, forged("while True: pass"), hidden("assert double(1) == 2")], b"")
    assert [points_of(cell) for cell in run.cells[1:]] == [0, 3]
    assert [(one.kind, one.cell) for one in run.incidents] == [(Incident.TIMEOUT, "forgeable")]


def test_hidden_text_never_goes_to_the_student_s_room():
    from autograder.classroom.course.cell_metadata import CellMetadata
    from autograder.classroom.sets.cell_roles import FORGEABLE, remove_first_line, role_of

    marks = CellMetadata("t", grade=True, locked=True)
    text = f"{FORGEABLE}\nassert True"
    assert role_of(marks, text, text) is Role.FORGEABLE
    assert role_of(marks, f"{text}\nassert 7351", text) is Role.EXAMINER
    assert role_of(marks, f"x = 1\n{text}", f"x = 1\n{text}") is Role.EXAMINER
    assert role_of(CellMetadata("t", locked=True), text, text) is Role.BOTH
    assert role_of(CellMetadata("t", solution=True, grade=True), text, text) is Role.STUDENT
    assert remove_first_line(text) == "assert True"
