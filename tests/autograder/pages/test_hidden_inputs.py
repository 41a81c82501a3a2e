"""What hidden tests call students' functions with reaches no student, whatever the code does."""

import html
import re

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.course.folders import Course
from autograder.classroom.course.nbgrader_import import alembic_in_process
from autograder.classroom.grading.results import find
from autograder.classroom.intake.collect_class import collect
from autograder.classroom.releasing.release import release
from autograder.classroom.running.coordinator import Graders, grade_class
from autograder.classroom.sets.assignment import load
from autograder.pages.feedback import write_feedback
from autograder.redaction import HiddenTestsLeftOut
from autograder.sandbox.probing import probe
from autograder.wire.contract import Limits
from tests.autograder import tiny_assignment
from tests.autograder.tiny_assignment import SOLUTIONS, answered, as_bytes

HIDDEN = "7351"  # in the tiny problem set, in -7351
KEEPS = "seen = []\ndef double(x):\n    seen.append(x)\n    {}\n    return 2 * x"

# The answers to `double`, right for what is not hidden, and to `mean`, whose test comes later.
CURIOUS = {
    "prints": (KEEPS.format("print('called with', seen)"), SOLUTIONS["mean"]),
    "displays": (KEEPS.format("display(seen)"), SOLUTIONS["mean"]),
    "raises": (
        KEEPS.format("if x < 0: raise ValueError(f'called with {seen}')"),
        SOLUTIONS["mean"],
    ),
    "returns": (KEEPS.format("if x < 0: return str(seen)"), SOLUTIONS["mean"]),
    "plots": (
        "import matplotlib.pyplot as plt\n"
        + KEEPS.format("if x < 0: plt.figure(); plt.title(str(x))"),
        SOLUTIONS["mean"],
    ),
    "prints-later": (KEEPS.format("pass"), "print(seen)\n" + SOLUTIONS["mean"]),
    "raises-later": (KEEPS.format("pass"), "raise ValueError(seen)"),
    "raises-in-a-later-test": (
        KEEPS.format("pass"),
        "def mean(values): raise ValueError(str(seen))",
    ),
    "keeps-it-on-disk": (
        KEEPS.format("open('seen', 'a').write(f'{x} ')"),
        "print(open('seen').read())\n" + SOLUTIONS["mean"],
    ),
    "stops-everything": (
        KEEPS.format("pass"),
        "print(seen)\nimport time\ntime.sleep(60)\n" + SOLUTIONS["mean"],
    ),
    "leaves-with-words": (KEEPS.format("pass"), "raise SystemExit(str(seen))"),
    "names-a-class": (
        KEEPS.format("if x < 0: return type(f'Saw{-x}', (), {})()"),
        SOLUTIONS["mean"],
    ),
    "forgets-a-function": (KEEPS.format("pass"), "average = sum"),
    "honest": ("def double(x):\n    print('doubling', x)\n    return 2 * x", SOLUTIONS["mean"]),
}


def make_course(root) -> Course:
    course = Course.at(root)
    tiny_assignment.write_source(root)
    release(course, "tiny")
    released = nbformat.read(course.released("tiny"), as_version=4)
    for student, (double, mean) in CURIOUS.items():
        path = course.submitted(student, "tiny")
        path.parent.mkdir(parents=True)
        path.write_bytes(as_bytes(answered(released, SOLUTIONS | {"double": double, "mean": mean})))
    return course


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Course:
    course = make_course(tmp_path_factory.mktemp("curious"))
    handed_in = collect(course, "tiny", course.root / "submitted").submissions
    graders = Graders(Limits(cell_seconds=2), probe(), 2)
    grade_class(course, load(course, "tiny"), handed_in, graders)
    return course


@pytest.fixture(scope="module")
def pages(graded) -> dict[str, str]:
    written = write_feedback(graded, load(graded, "tiny"))
    return {path.parents[1].name: path.read_text(encoding="utf-8") for path in written}


def nbgrader(course: Course) -> NbGraderAPI:
    """nbgrader with the configuration that the course folder got."""
    config = PyFileConfigLoader(course.config_file.name, path=str(course.root)).load_config()
    config.CourseDirectory.root = str(course.root)
    config.TwoRooms.allow_weak_sandbox = True
    config.TwoRooms.cell_seconds = 2.0
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def stock_pages(course: Course) -> dict[str, str]:
    """The pages of `nbgrader generate_feedback`."""
    api = nbgrader(course)
    pages = {}
    for student in CURIOUS:
        done = api.generate_feedback("tiny", student)
        assert done["success"], done["log"]
        pages[student] = course.feedback(student, "tiny").read_text(encoding="utf-8")
    return pages


@pytest.fixture(scope="module")
def nbgraders_pages(graded, pages):
    return stock_pages(graded)


@pytest.fixture(scope="module")
def all_nbgraders(tmp_path_factory):
    """Graded and shown by nbgrader's own commands, with the shipped configuration."""
    course = make_course(tmp_path_factory.mktemp("stock"))
    api = nbgrader(course)
    with alembic_in_process():
        for student in CURIOUS:
            done = api.autograde("tiny", student)
            assert done["success"], done["log"]
    return stock_pages(course)


def text_of(page: str) -> str:
    """The page without pictures, in which any digits may come up."""
    return re.sub(r"data:[a-z/+]+;base64,[A-Za-z0-9+/=]+", "", page)


def test_our_pages_have_no_hidden_input(pages):
    assert [student for student in CURIOUS if HIDDEN in text_of(pages[student])] == []
    assert [student for student in CURIOUS if "<img" in pages[student]] == []


@pytest.mark.parametrize("made_by", ["nbgraders_pages", "all_nbgraders"])
def test_nbgraders_pages_have_none_either(made_by, request):
    pages = {student: request.getfixturevalue(made_by)[student] for student in CURIOUS}
    assert [name for name, page in pages.items() if "double(0) should be 0" not in page] == []
    assert [name for name, page in pages.items() if "HIDDEN TESTS" in page] == []
    assert [name for name, page in pages.items() if HIDDEN in text_of(page)] == []


def test_nbgraders_pages_show_only_the_message_of_a_test_cell():
    """Also where a notebook comes with what the run with hidden tests printed."""
    marks = {"grade": True, "solution": False, "locked": True, "points": 1, "grade_id": "t"}
    printed = nbformat.v4.new_output("stream", text=f"called with -{HIDDEN}")
    failed = nbformat.v4.new_output("error", ename="AssertionError", evalue="it is odd")
    cell = nbformat.v4.new_code_cell(
        "assert False", metadata={"nbgrader": marks}, outputs=[printed, failed]
    )
    made, _ = HiddenTestsLeftOut().preprocess_cell(cell, {}, 0)
    assert [output.get("evalue") for output in made.outputs] == ["it is odd"]


def test_what_was_tried_is_in_no_graded_notebook(graded):
    for student in CURIOUS:
        notebook = graded.autograded(student, "tiny").read_text()
        assert HIDDEN not in text_of(notebook.replace("SECRET_NUMBER = -7351", ""))


def test_the_teacher_is_told_what_a_hidden_test_said(graded):
    cells = {cell.name: cell for cell in find(graded, "raises", "tiny").cells}
    assert cells["double_negative"].detail == "called with [3, 0, -7351]"
    assert cells["double_negative"].message == "a negative number is doubled too"


def test_the_tests_own_fixed_words_are_shown(pages):
    for student in ("raises", "returns", "names-a-class"):
        assert "a negative number is doubled too" in pages[student]


def test_a_name_that_is_missing_is_named(pages):
    assert "name 'mean' is not defined" in html.unescape(pages["forgets-a-function"])


def test_what_cells_show_without_hidden_tests_is_shown(pages):
    assert "[3, 0]" in pages["prints-later"]
    assert "3 0 " in pages["keeps-it-on-disk"]
    assert "6<small> of 10 points" in pages["honest"]  # four wait for a human
