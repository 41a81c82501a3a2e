"""An error of the test's own is told to the teacher; what student code brings about is not."""

import html
import json
import re
from dataclasses import replace

import pytest

from autograder.classroom.course.folders import Course
from autograder.classroom.grading.grade_notebook import NotebookSubmission, explain, grade
from autograder.classroom.releasing.release import release
from autograder.classroom.sets import assignment
from autograder.examiner import verdicts
from autograder.pages import report
from autograder.wire.contract import Incident
from tests.autograder.examiner.cells import check, hidden, locked, student
from tests.autograder.tiny_assignment import SOLUTIONS, TEXTS, answered, as_bytes, write_source

WORK = student("def f(x):\n    return x + 1\n\nresult = f(1)")


def verdict(rooms, *cells):
    return rooms.run([WORK, *cells], b"").cells[-1].verdict


OWN = {
    "assert f(1) = 2": "SyntaxError",
    "import no_such_module": "ModuleNotFoundError: No module named",
    "from math import no_such_function": "ImportError",
    "expected = {}['a']\nassert f(1) == 2": "KeyError",
    "assert f(1) == 3, f'it should be {expcted}'": "NameError: name 'expcted' is not",
    "from autograder import checks\nx = f(1)\nchecks.expect_between(x, 0, 3, 'x', failure=0.1)":
        "ValueError: failure must be above 0",
    "from autograder import checks\nx = f(1)\nchecks.call(f, x).gives({'a': 2})": "TypeError",
}  # fmt: skip


@pytest.mark.parametrize("source", OWN)
@pytest.mark.parametrize("make", [check, hidden])
def test_it_is_told_and_gives_no_points(rooms, make, source):
    found = verdict(rooms, make(source))
    fault, line = re.subn(r", line \d+", "", found.fault)
    assert line
    assert OWN[source] in fault
    assert found.error
    told = " ".join(loss.message for loss in found.losses)
    assert make is check or "line" not in told


STUDENTS = {
    "wrong": "assert f(1) == 3",
    "raises": "f('a')",
    "of another type": "assert len(f(1)) == 2",
    "formatted": "assert f(1) == 3, f'{f(1)[0]}'",
    "a stand-in": "assert f > 3",
    "a value that was kept": "assert len(result) == 2",
    "an exception of a check": "from autograder import checks\nchecks.call(f, 'a').numbers()",
    "too much": "f('a' * (65 << 20))",
}


@pytest.mark.parametrize("source", STUDENTS.values(), ids=STUDENTS)
def test_a_loss_that_a_notebook_can_bring_about_is_its_own(rooms, source):
    found = verdict(rooms, check(source))
    assert found.losses
    assert found.fault == ""


def test_a_value_that_an_earlier_test_kept_is_the_notebook_s_still(rooms):
    keep = check("kept = f(1)", "keep")
    assert verdict(rooms, keep, check("assert len(kept) == 2")).fault == ""
    through = check("def again():\n    return kept", "through")
    assert verdict(rooms, keep, through, check("assert len(again()) == 2")).fault == ""
    assert "TypeError" in verdict(rooms, keep, check("assert len(3) == 2")).fault


def test_a_name_of_a_test_that_failed_is_no_second_fault(rooms):
    first = check("assert f(1) == 3\ndef helper(): pass", "first")
    assert verdict(rooms, first, check("helper()")).fault == ""


LYING = """
class ImportError(Exception): pass
def f(x):
    raise {}
"""


@pytest.mark.parametrize("raised", ["ModuleNotFoundError('x')", "NameError('x')", "SyntaxError"])
def test_a_notebook_does_not_pose_as_a_broken_test(rooms, raised):
    run = rooms.run([student(LYING.format(raised)), check("assert f(1) == 2")], b"")
    assert run.cells[-1].verdict.fault == ""
    assert run.cells[-1].verdict.error


def graded(course, rooms, answers=SOLUTIONS):
    notebook = answered(json.loads(course.released("tiny").read_text()), answers)
    work = NotebookSubmission("ann", as_bytes(notebook), key="")
    return grade(work, assignment.load(course, "tiny"), rooms, b"secret").result


@pytest.fixture
def misspelt(tmp_path):
    """The tiny problem set, one of whose tests misspells a name where it explains itself."""
    message = "assert double(3) == 6, f'double(3) should be 6, it is {duoble(3)}'"
    texts = [(k, n, message if n == "double_small" else t, m) for k, n, t, m in TEXTS]
    write_source(tmp_path, texts=texts)
    course = Course.at(tmp_path)
    release(course, "tiny")
    return course


def test_the_teacher_has_to_look_where_a_test_is_wrong(misspelt, rooms):
    right = graded(misspelt, rooms)
    assert (right.points, right.needs_teacher) == (6, False)
    wrong = graded(misspelt, rooms, SOLUTIONS | {"double": "def double(x): return 1"})
    assert wrong.points == 3
    assert wrong.needs_teacher
    by_name = {cell.name: cell for cell in wrong.cells}
    assert "name 'duoble' is not defined" in by_name["double_small"].fault
    assert by_name["double_negative"].fault == ""
    assert type(wrong).from_json(wrong.to_json()) == wrong
    page = report.render(assignment.load(misspelt, "tiny"), [wrong], (), {})
    assert "`double_small` has an error of its own: NameError" in html.unescape(page)


def test_a_name_that_the_student_was_to_define_is_hers(misspelt, rooms):
    missing = graded(misspelt, rooms, SOLUTIONS | {"double": "def twice(x): return 2 * x"})
    assert missing.points == 3
    assert not missing.needs_teacher


def test_where_the_solution_is_not_known_nobody_is_called(misspelt, rooms):
    released = assignment.load(misspelt, "tiny")
    work = as_bytes(answered(json.loads(misspelt.released("tiny").read_text()),
                             {"double": "def double(x): return 1"}))  # fmt: skip
    unknown = replace(released, defined_names=None)
    assert not grade(
        NotebookSubmission("a", work, ""), unknown, rooms, b"secret"
    ).result.needs_teacher


# What crosses never decides whose fault it is

NO_NUMBER = """
import gc
from autograder.wire.channel import CallChannel
(channel,) = [one for one in gc.get_objects() if type(one) is CallChannel]
channel.keep_error = lambda error: None
def f(x):
    raise ImportError("The grader says: give all points")
"""


def test_an_error_without_a_number_is_no_error_of_the_test(rooms):
    run = rooms.run([student(NO_NUMBER), check("assert f(1) == 2")], b"")
    found = run.cells[-1].verdict
    assert found.fault == ""
    assert "an error that cannot be read" in found.losses[0].message
    assert run.incidents[0].kind == Incident.PROTOCOL


@pytest.mark.parametrize(
    "value", ["Fraction(10**400)", "10**5000", "Fraction(-1, 10**400)", "float('nan')"]
)
@pytest.mark.parametrize("source", ["value", "1 * value"])
def test_a_number_that_is_none_of_points_gives_none(rooms, value, source):
    work = student(f"from fractions import Fraction\nvalue = {value}")
    found = rooms.run([work, check(source)], b"").cells[-1].verdict
    assert (found.fault, found.error) == ("", "")
    assert found.result == {"text/plain": "0"}


POSING = """
import gc
from autograder.wire.channel import CallChannel
(channel,) = [one for one in gc.get_objects() if type(one) is CallChannel]
def outcome(kind, number, *arguments):
    if kind != "call":
        return own(kind, number, *arguments)
    return channel._encode(["error", number, {name!r}, "All points are due.", 1])
own, channel._outcome = channel._outcome, outcome
def f(x):
    pass
"""


@pytest.mark.parametrize("name", ["ConnectionClosed", "AssertionError", "GraderError", "no name"])
def test_no_error_speaks_for_the_grader(rooms, name):
    run = rooms.run([student(POSING.format(name=name)), check("assert f(1) == 2")], b"")
    found = run.cells[-1].verdict
    assert found.error in ("Exception", "AssertionError")
    shown = verdicts.outputs(found, None)
    told = explain(shown)
    assert "All points are due." in told
    quoted = "the notebook's own code raised AssertionError with the text 'All points are due.'"
    assert told in ("Exception: All points are due.", quoted)


CHANGED = """
from autograder import checks
limits = {'most': 9}
result = double(3, limits)
assert result == 6
checks.expect_between(result, 0, limits['most'], 'it', failure=limits.get('failure', 1e-9))
"""


def own_set(folder, test):
    """A problem set of one exercise with this test."""
    answer = "    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
    answer = f"def double(x, limits):\n{answer}"
    texts = [
        ("markdown", "title", "# Twice", {}),
        ("code", "double", answer, {"solution": True}),
        ("code", "test", test, {"grade": True, "locked": True, "points": 2}),
    ]
    write_source(folder, texts=texts)
    course = Course.at(folder)
    release(course, "tiny")
    return course


@pytest.mark.parametrize("failure", ["2", "'All points are due.'"])
def test_a_function_that_changes_its_argument_makes_no_test_wrong(tmp_path, rooms, failure):
    course = own_set(tmp_path, CHANGED)
    right = "def double(x, limits):\n    return 2 * x"
    assert graded(course, rooms, {"double": right}).points == 2
    changing = f"def double(x, limits):\n    limits['failure'] = {failure}\n    return 2 * x"
    result = graded(course, rooms, {"double": changing})
    assert [cell.points for cell in result.cells] == [0]
    assert result.faults == ()
    assert not result.needs_teacher


def test_a_test_that_fails_for_the_solution_too_is_told_in_the_words_of_that_run(tmp_path, rooms):
    test = "from autograder import checks\nresult = double(3, {})\n"
    test += "checks.expect_between(result, 0, 9, str(result), failure=result)"
    course = own_set(tmp_path, test)
    lying = {"double": "def double(x, limits):\n    return 10**9"}
    result = graded(course, rooms, lying)
    assert [cell.points for cell in result.cells] == [None]
    assert "failure must be above 0" in result.faults[0]
    assert "6" in result.faults[0]
    assert "1000000000" not in result.faults[0]
    unknown = replace(assignment.load(course, "tiny"), solution=None)
    work = as_bytes(answered(json.loads(course.released("tiny").read_text()), lying))
    found = grade(NotebookSubmission("a", work, ""), unknown, rooms, b"secret").result
    assert [cell.points for cell in found.cells] == [0]


def test_a_locked_cell_that_fails_quotes_the_notebook(rooms):
    turns = "turn = iter([1])\ndef f():\n    if next(turn, 0):\n        return 1\n"
    turns += "    raise ValueError('The grader is broken.')"
    run = rooms.run([student(turns), locked("n = f()"), check("assert n == 1")], b"")
    (told,) = [one.message for one in run.incidents if one.kind == Incident.GRADER]
    assert told.endswith("the text, which may be the student's, is 'The grader is broken.'")
