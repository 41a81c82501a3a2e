"""One submission: its points are nbgrader's, its messages teach, and it can't stop the grader."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import nbformat
import pytest

from autograder.checks.points import MESSAGES
from autograder.classroom.grading.grade_notebook import (
    NotebookSubmission,
    by_nbgrader,
    explain,
    grade,
    score,
    seed,
)
from autograder.classroom.grading.results import Result, find
from autograder.classroom.intake import collect_class
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.assignment import load
from autograder.examiner import sandboxed_runner, verdicts
from autograder.sandbox.probing import probe
from autograder.wire.contract import Incident, Limits
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes
from tests.autograder.trusted_runner import WEAK, TrustedRunner


def graded(tiny, data, room=None):
    return grade(NotebookSubmission("ann", data, "key"), tiny, room or TrustedRunner(), b"secret")


def points(result):
    return {cell.name: cell.points for cell in result.cells}


def test_a_right_submission_gets_its_points(tiny, released):
    result = graded(tiny, as_bytes(answered(released))).result
    assert points(result) == {
        "double_small": 1,
        "double_negative": 2,
        "mean_of_three": 3,
        "why": None,
    }
    assert [cell.name for cell in result.by_hand] == ["why"]
    assert result.notes == result.unanswered == result.incidents == ()
    assert not result.needs_teacher


def test_an_untouched_release_gets_zero(tiny, released):
    result = graded(tiny, as_bytes(released)).result
    assert set(points(result).values()) == {0}
    assert result.unanswered == ("double", "mean", "why")


def test_a_failed_test_gives_its_message_and_not_its_traceback(tiny, released):
    answers = {**SOLUTIONS, "double": "def double(x):\n    return abs(2 * x)"}
    result = graded(tiny, as_bytes(answered(released, answers))).result
    failed = next(cell for cell in result.cells if cell.name == "double_negative")
    assert failed.points == 0
    assert failed.message == "a negative number is doubled too"
    assert "SECRET_NUMBER" not in result.to_json()


def test_an_answer_with_a_syntax_error_is_named_as_the_reason(tiny, released):
    answers = {**SOLUTIONS, "double": "def double(x)\n    return 2 * x"}
    result = graded(tiny, as_bytes(answered(released, answers))).result
    assert "The answer's cell stopped: SyntaxError: expected ':'" in result.cells[0].message
    assert points(result)["mean_of_three"] == 3


@pytest.mark.parametrize("data", [None, b"", b"{", b"[]", b'{"cells": 3}'])
def test_what_cannot_be_read_gets_zero_and_is_put_before_the_teacher(tiny, data):
    room = TrustedRunner()
    work = NotebookSubmission("ann", data, "key")
    found = grade(work, tiny, room, b"secret")
    assert set(points(found.result).values()) == {0.0}
    assert room.runs == 0
    assert found.result.needs_teacher is (data is not None)  # without data, `collect` said why
    assert "could not be graded" in found.notebook


def test_the_autograded_notebook_is_valid_and_has_the_hidden_tests(tiny, released):
    notebook = nbformat.reads(graded(tiny, as_bytes(answered(released))).notebook, as_version=4)
    nbformat.validate(notebook)
    cells = {c.metadata.nbgrader.grade_id: c for c in notebook.cells if "nbgrader" in c.metadata}
    assert "SECRET_NUMBER" in cells["double_negative"].source
    assert cells["double_small"].metadata.nbgrader.points == 1


def test_pictures_pasted_into_an_answer_are_kept(tiny, released):
    notebook = answered(released)
    notebook["cells"][-1]["attachments"] = {"a.png": {"image/png": "iVBORw0="}, "b": 7}
    made = json.loads(graded(tiny, as_bytes(notebook)).notebook)
    assert made["cells"][-1]["attachments"] == {"a.png": {"image/png": "iVBORw0="}}


def test_a_result_survives_its_file(tiny, released):
    result = graded(tiny, as_bytes(answered(released, {"double": "while True: pass"}))).result
    assert result.incidents
    assert Result.from_json(result.to_json()) == result


def test_the_seed_follows_from_secret_problem_set_and_content():
    seeds = {
        seed(secret, name, content)
        for secret in (b"1", b"2")
        for name in ("ps01", "ps02")
        for content in ("x", "y")
    }
    assert len(seeds) == 8
    assert seed(b"1", "ps01", "x") in seeds


def _test_cell(*outputs):
    marks = {"grade": True, "solution": False, "locked": True, "points": 4, "grade_id": "t"}
    return {
        "cell_type": "code",
        "source": "",
        "metadata": {"nbgrader": marks},
        "outputs": list(outputs),
    }


def _value(text, *said, display=()):
    kind, said = ("display_data", display) if display else ("execute_result", list(said))
    return {"output_type": kind, "data": {"text/plain": text, MESSAGES: said}, "metadata": {}}


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ([], (4, "")),
        ([_value("1.5")], (1.5, "Partly right.")),
        ([_value("4")], (4, "")),
        ([_value("'fine'")], (4, "")),
        ([_value("3", "too small", "too large")], (3, "too small\ntoo large")),
        ([_value("3", display=["a student's words"])], (4, "")),
        ([_value("0", "nothing fits"), _value("4")], (0, "nothing fits")),
        (
            [{"output_type": "stream", "name": "stderr", "text": "careful"}],
            (0, "The test printed a warning: careful"),
        ),
    ],
)
def test_points_are_nbgraders(outputs, expected):
    assert by_nbgrader(_test_cell(*outputs)) == expected


def test_points_beyond_the_most_possible_wait_for_the_teacher():
    points, message = score(_test_cell(), verdicts.of_value(5))
    assert points is None
    assert "can't be read" in message


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AssertionError", "too small", "too small"),
        ("AssertionError", "", "A check failed; it gives no further explanation."),
        ("NotImplementedError", "", "Not answered yet: the cell still raises NotImplementedError."),
        ("ValueError", "\x1b[31mred\x1b[0m", "ValueError: red"),
        ("ValueError", "\x1b]52;c;cm0=\x1b\\\x1bc\x9b2J\x1b[1Ared\x07", "ValueError: c2Jred"),
        ("AssertionError", "a\u202eb\nc", "a\\u202eb\nc"),
        ("KeyboardInterrupt", "", "KeyboardInterrupt"),
        ("CellTimeout", "the cell f ran longer than 5 s", "The cell f ran longer than 5 s"),
        ("ConnectionClosed", "not run: it ended", "Not run: it ended"),
    ],
)
def test_messages(name, value, message):
    output = {"output_type": "error", "ename": name, "evalue": value, "traceback": ["hidden"]}
    assert explain([output]) == message


def test_of_a_syntax_error_the_line_is_told_and_no_file_of_ours():
    said = "invalid syntax (<ipython-input-2-272f68e6fe09>, line 7)"
    output = {"output_type": "error", "ename": "SyntaxError", "evalue": said}
    assert explain([output]).startswith("SyntaxError: invalid syntax (line 7) (the grader runs")


def test_a_message_has_an_end():
    output = {"output_type": "error", "ename": "AssertionError", "evalue": "x" * 10**6}
    assert len(explain([output])) < 3000


def test_what_an_incident_says_comes_first():
    failed = verdicts.not_run("CellTimeout", "too long")
    assert score(_test_cell(), failed, "stopped after 10 s") == (0, "stopped after 10 s")
    assert score(_test_cell(), verdicts.PASSED, "stopped after 10 s") == (4, "")


def test_a_test_without_a_verdict_gives_nothing_and_the_teacher_is_told(tiny, released):
    class Losing(TrustedRunner):
        def run(self, cells, seed, files=()):
            run = super().run(cells, seed, files)
            lost = [replace(cell, verdict=None) for cell in run.cells]
            return replace(run, cells=tuple(lost))

    work = NotebookSubmission("ada", as_bytes(answered(released)), "key")
    result = grade(work, tiny, Losing(), b"secret").result
    assert result.points == 0
    assert result.needs_teacher
    assert all("lost" in cell.message for cell in result.cells if cell.points is not None)


STOCK = """
import os
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
folder = CourseDirectory(root=os.getcwd(), assignment_id="tiny")
Autograde(coursedir=folder).start()
GenerateFeedback(coursedir=CourseDirectory(root=os.getcwd(), assignment_id="tiny")).start()
"""

GRADES = """
select submitted_assignment.student_id, base_cell.name, grade.auto_score, grade.needs_manual_grade
from grade join base_cell on grade.cell_id = base_cell.id
join submitted_notebook on grade.notebook_id = submitted_notebook.id
join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
"""
COMMENTS = GRADES.replace("grade.auto_score, grade.needs_manual_grade", "comment.auto_comment")
COMMENTS = COMMENTS.replace("from grade", "from comment").replace("grade.", "comment.")


def _rows(course, query):
    import sqlite3

    with sqlite3.connect(course.root / "gradebook.db") as database:
        return sorted(database.execute(query).fetchall(), key=repr)


def test_gradebook_and_notebook_are_as_stock_nbgrader_leaves_them(course, released, tmp_path):
    """Honest submissions, graded in two rooms and by stock nbgrader in a Jupyter kernel."""
    students = {
        "right": answered(released),
        "untouched": released,
        "mistaken": answered(released, {**SOLUTIONS, "double": "def double(x): return x + 3"}),
        "crashing": answered(released, {**SOLUTIONS, "mean": "1 / 0"}),
    }
    for student, notebook in students.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(notebook))
    stock = type(course).at(tmp_path / "stock")
    shutil.copytree(course.root, stock.root)
    stock.config_file.write_text("c = get_config()\n")
    subprocess.run([sys.executable, "-c", STOCK], cwd=stock.root, check=True, capture_output=True)

    handed_in = collect_class.collect(course, "tiny", course.root / "submitted").submissions
    graders = Graders(Limits(), probe(), jobs=2)
    grade_class(course, load(course, "tiny"), handed_in, graders)

    assert len(_rows(stock, GRADES)) == 16
    assert _rows(course, GRADES) == _rows(stock, GRADES)
    assert _rows(course, COMMENTS) == _rows(stock, COMMENTS)
    for student in students:
        ours, theirs = (
            json.loads(c.autograded(student, "tiny").read_text())["cells"] for c in (course, stock)
        )
        assert [_shape(cell) for cell in ours] == [_shape(cell) for cell in theirs]


def _shape(cell):
    """What formgrader and feedback show of a cell, without times, ids and tracebacks."""
    shown = [
        (output["output_type"], output.get("ename"), output.get("evalue"))
        for output in cell.get("outputs", ())
    ]
    marks = cell["metadata"].get("nbgrader")
    return cell["cell_type"], "".join(cell["source"]), marks, shown


def test_nbgraders_own_feedback_works_on_our_results(course, released):
    path = course.submitted("ann", "tiny")
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(answered(released)))
    handed_in = collect_class.collect(course, "tiny", course.root / "submitted").submissions
    grade_class(course, load(course, "tiny"), handed_in, Graders(Limits(), probe(), jobs=1))
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", "tiny"]
    subprocess.run(command, cwd=course.root, check=True, capture_output=True)
    assert "Score: 6.0 / 10.0" in course.feedback("ann", "tiny").read_text()


def test_a_grader_that_fails_says_so(course, tiny, released, monkeypatch):
    class NoRoom(TrustedRunner):
        def run(self, cells, seed, files=()):
            raise OSError("no room can be opened")

    monkeypatch.setattr(sandboxed_runner, "SandboxedRunner", NoRoom)
    path = course.submitted("ann", "tiny")
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(released))
    handed = collect_class.CollectedSubmission("ann", {"tiny": path}, "digest")
    results = grade_class(course, tiny, (handed,), Graders(Limits(), WEAK, jobs=1))
    assert [cell.points for cell in results[0].cells] == [None] * 4
    assert "no room can be opened" in results[0].incidents[0].message
    assert results[0].incidents[0].kind == Incident.GRADER
    assert find(course, "ann", "tiny") == results[0]
