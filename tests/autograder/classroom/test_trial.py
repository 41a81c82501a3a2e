"""What `release` finds out about tests: which are understood, which differ, what is missing."""

import json

import pytest

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.grading.grade_notebook import NotebookSubmission, grade
from autograder.classroom.releasing import compare_processes, missing_packages, trial
from autograder.classroom.releasing.reference_run import cells_of
from autograder.classroom.releasing.release import release
from autograder.classroom.sets.assignment import load
from autograder.classroom.sets.read_notebook_tests import read_tests
from autograder.rehearsal.run_trusted import source_cells
from autograder.wire.contract import Role
from autograder.wire.files import File
from tests.assignments.problem_sets import NAMES
from tests.autograder.examiner.cells import check, locked, student
from tests.autograder.tiny_assignment import TEXTS, answered, as_bytes, write_source


def texts(**changed):
    """The tiny problem set with other texts of some cells."""
    return [(kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS]


@pytest.mark.parametrize("name", NAMES)
def test_all_tests_of_our_own_sets_are_understood(name):
    code = [cell for cell in source_cells(name) if cell["cell_type"] == "code"]
    found = read_tests(list(cells_of(code)))
    assert found
    assert {test: reasons for test, reasons in found.items() if reasons} == {}


ALIASED = "x = [3]\ny = double(x)\ny.append(1)\nassert x == [3]"
HIDES = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


@pytest.fixture
def blind(monkeypatch):
    """A reading that takes every test for understood."""
    monkeypatch.setattr(trial, "read_tests", lambda cells, files: {})


def test_a_test_that_differs_for_a_wrong_answer_is_moved_with_both_verdicts(tmp_path, rooms, blind):
    write_source(tmp_path, texts=texts(double_small=ALIASED))
    notes = []
    found = release(Course.at(tmp_path), "tiny", rooms, tell=notes.extend)
    assert [cell.name for cell in found.scored if cell.forgeable] == ["double_small"]
    assert "with a function that returns its first argument, two processes give 1" in notes[0]
    assert "stock nbgrader gives 0 points (line 4, assert x == [3])" in notes[0]


def test_a_test_with_hidden_text_that_differs_is_refused(tmp_path, rooms, blind):
    write_source(tmp_path, texts=texts(double_small=HIDES.format(ALIASED)))
    with pytest.raises(CourseError, match="two processes give 1 points, and stock nbgrader gives"):
        release(Course.at(tmp_path), "tiny", rooms)


YES = "class Yes:\n    def __eq__(self, other): return True\ndef double(x): return Yes()"


def test_a_question_that_cannot_be_asked_across_costs_nobody_a_point(tmp_path, rooms):
    write_source(tmp_path)
    course = Course.at(tmp_path)
    release(course, "tiny", rooms)
    work = answered(json.loads(course.released("tiny").read_text()), {"double": YES})
    submission = NotebookSubmission("ann", as_bytes(work), "")
    result = grade(submission, load(course, "tiny"), rooms, b"secret").result
    points = {cell.name: cell.points for cell in result.cells}
    assert points["double_small"] is points["double_negative"] is None
    assert points["mean_of_three"] == 0
    assert result.needs_teacher
    assert "asks an object of the student's" in result.faults[0]


def test_packages_that_are_missing_are_named_with_the_line_that_installs_them():
    cells = [
        student("import nosuchmodule.part, json, helper\nfrom nosuchmodule import x"),
        locked("import sklearn_not_there"),
        check("from . import own"),
    ]
    missing = missing_packages.find_missing(cells, [File("helper.py", b"")])
    assert missing == ["nosuchmodule", "sklearn_not_there"]
    assert missing_packages.describe(["cv2", "nosuchmodule"]).endswith(
        "pip install opencv-python-headless nosuchmodule"
    )


def test_wrong_answers_change_functions_methods_and_classes():
    marks = {"nbgrader": {"grade_id": "a", "solution": True}}
    source = "class A:\n    def m(self):\n        return self\ndef f(x):\n    return [x]"
    code = [{"cell_type": "code", "source": source, "metadata": marks}]
    answers = compare_processes.make_wrong_answers(code)
    assert len(answers) == len(compare_processes.WRONG_ANSWERS) + 1
    seen = {}
    for label, cells in answers.items():
        names = {}
        exec(cells[0]["source"], names)
        seen[label] = names
    assert seen["a function that returns its first argument"]["f"](3) == 3
    kept = seen["a function that returns the same list each time"]["f"]
    assert kept(1) is kept(2)
    assert type(seen["a function that returns a subclass"]["f"](1)) is not list
    assert seen["objects that are all equal"]["A"]() == 5
    with pytest.raises(AssertionError):
        seen["a function that raises AssertionError"]["A"]().m()


def test_a_test_that_uses_checks_is_not_compared():
    cells = [check("from autograder import checks", "one"), check("assert f(1)", "two")]
    assert all(cell.role is Role.EXAMINER for cell in cells)
    assert compare_processes.find_tests_to_compare(cells) == {"two"}
