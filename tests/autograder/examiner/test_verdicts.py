"""Verdicts and what a notebook shows beside them: nothing that it sends can touch a point."""

import dataclasses
import json

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.utils import determine_grade

from autograder.checks import Points
from autograder.classroom.grading import grade_notebook
from autograder.examiner import verdicts
from autograder.examiner.recording import Recording
from autograder.wire.contract import CellRun, LostPoints, Verdict
from tests.autograder.examiner.cells import check, error_of, hidden, student

POINTS = 3.0
texts = st.sampled_from(["", "0", "3", "x", "\x1b[2J", "1e99", "\ud800", "a" * 50])
bundles = st.dictionaries(
    st.sampled_from(["text/plain", "text/html", "application/json"]), texts, max_size=2
)
notices = st.one_of(
    st.tuples(st.just("stream"), st.sampled_from(["stdout", "stderr", "x"]), texts),
    st.tuples(st.just("display"), bundles, bundles, st.one_of(st.none(), texts)),
    st.tuples(st.just("update"), bundles, bundles, st.one_of(st.none(), texts)),
    st.tuples(st.just("result"), bundles, bundles),
    st.tuples(st.just("error"), texts, texts, st.lists(texts, max_size=3)),
    st.tuples(st.just("clear"), st.booleans()),
    st.lists(texts, min_size=1, max_size=4).map(tuple),
)


def partly():
    points = Points()
    with points.part(1):
        pass
    with points.part(2):
        raise AssertionError("two are lost")
    return points


VERDICTS = {
    "passed": (verdicts.PASSED, POINTS),
    "failed": (Verdict((LostPoints("wrong"),), "AssertionError", ("wrong",)), 0),
    "partly": (verdicts.of_value(partly()), 1),
    "nothing of its parts": (verdicts.of_value(Points()), 0),
    "a number": (verdicts.of_value(1.5), 1.5),
    "another value": (verdicts.of_value([1, 2]), POINTS),
    "not run": (verdicts.not_run("ConnectionClosed", "not run: it ended"), 0),
    "lost": (None, 0),
}


def cell_with(outputs):
    marks = {"grade": True, "solution": False, "locked": True, "points": POINTS, "task": False,
             "grade_id": "test", "cell_type": "code", "schema_version": 3}  # fmt: skip
    cell = nbformat.v4.new_code_cell("test()", outputs=outputs, metadata={"nbgrader": marks})
    return nbformat.from_dict(cell)


@pytest.mark.parametrize(("verdict", "points"), VERDICTS.values(), ids=VERDICTS.keys())
@given(before=st.lists(notices, max_size=6), after=st.lists(notices, max_size=6))
def test_no_notices_around_a_verdict_change_the_points(verdict, points, before, after):
    """By our rule, and by nbgrader's own of all the outputs that stand in the notebook."""
    recording = Recording(120, in_test=True)
    for notice in (*before, *after):
        try:
            recording.take(list(notice))
        except (TypeError, ValueError):
            break  # the room is closed
    run = CellRun(recording.finished(1), 1, verdict=verdict)
    cell = cell_with(verdicts.all_outputs(run, is_test=True))
    assert determine_grade(cell)[0] == points
    assert grade_notebook.score(cell_with([]), verdict)[0] == points


@pytest.mark.parametrize(("verdict", "points"), VERDICTS.values(), ids=VERDICTS.keys())
def test_points_that_are_lost_have_a_message(verdict, points):
    assert bool(grade_notebook.score(cell_with([]), verdict)[1]) == (points < POINTS)


def test_errors_count_as_outputs():
    recording = Recording(1_000, in_test=False)
    for _ in range(150):
        recording.error("E" * 200, "v" * 20_000, ["t" * 20_000] * 200)
    assert recording.over_limit
    assert sum(len(str(output)) for output in recording.finished(1)) < 2_000


def test_a_hidden_loss_with_a_hint_that_was_told_is_not_told_again():
    first = Verdict((LostPoints("f(1) is 3. Halve it.", "Halve it."),), result={"text/plain": "1"})
    second = Verdict(
        (LostPoints("f(1) is 3. Halve it.", "Halve it."), LostPoints("f(9) is 2", "Twice.")),
        result={"text/plain": "1"},
    )
    both = verdicts.with_hidden(first, second)
    assert [loss.message for loss in both.losses] == ["f(1) is 3. Halve it.", "Twice."]
    assert both.detail == "f(9) is 2"


def test_without_a_second_verdict_there_is_none():
    assert verdicts.with_hidden(verdicts.PASSED, None) is None


def test_a_plain_assert_of_the_notebook_s_is_told_as_one(rooms):
    work = student("def f(x):\n    assert x > 10\n    return x")
    said = error_of(rooms, work, check("assert f(1) == 1"))
    assert said == "AssertionError: the notebook's own code raised AssertionError"


@pytest.mark.parametrize(
    ("work", "test"),
    [
        ("def f(): raise ValueError('\\ud800')", "f()"),
        ("def f(): raise type('\\ud800', (Exception,), {})('\\ud800')", "f()"),
        ("def f(): return '\\ud800'", "assert False, f()"),
        ("def f(): return '\\ud800'", "raise type(f(), (Exception,), {})(f())"),
        ("def f(): return '\\ud800'", "class Text(str): pass\nassert False, Text(f())"),
        (
            "def f(): raise ValueError('\\ud800')",
            "from autograder import checks\npoints = checks.Points()\n"
            "with points.part(1): f()\npoints",
        ),
        ("def f(): return '\\ud800'", "class Text:\n    __repr__ = lambda self: f()\nText()"),
    ],
)
@pytest.mark.parametrize("make", [check, hidden])
def test_what_student_code_says_in_a_verdict_can_be_written_to_a_file(rooms, make, work, test):
    run = rooms.run([student(work), make(test), student("f()")], b"seed")
    assert run.cells[1].verdict is not None
    json.dumps(dataclasses.asdict(run), ensure_ascii=False).encode()
