"""A problem set whose visible tests need a hidden one is not released."""

import re

import pytest

from autograder.classroom.course.folders import Course, CourseError
from autograder.classroom.releasing.release import release
from tests.autograder.tiny_assignment import TEXTS, write_source

HELPER = "### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS\n{visible}"


def texts_with(source):
    """The tiny problem set with another text of its second test."""
    return [(kind, name, source if name == "double_negative" else text, marks)
            for kind, name, text, marks in TEXTS]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "without", "said"),
    [
        ("mean", "    ### END SOLUTION", "the cell 'mean': no end solution statement"),
        ("double_negative", "### END HIDDEN TESTS", "the cell 'double_negative': No end hidden"),
        ("title", None, "cell 1, which has no name and begins with '### BEGIN SOLUTION'"),
    ],
)
def test_the_cell_in_which_a_region_has_no_end_is_named(tmp_path, rooms, name, without, said):
    def changed(text):
        return text.replace(without, "") if without else f"### BEGIN SOLUTION\n{text}"

    path = write_source(tmp_path, texts=[
        (k, n, changed(text) if n == name else text, m) for k, n, text, m in TEXTS
    ])  # fmt: skip
    with pytest.raises(CourseError, match=re.escape(said)) as error:
        release(Course.at(tmp_path), "tiny", rooms)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("hidden", "visible", "said"),
    [
        ("number = 3", "assert double(number) == 6", "name 'number' is not defined"),
        ("def twice(f): return f(3)", "assert twice(double) == 6", "'twice' is not defined"),
        ("pass", "assert double(3) == 7, 'seven'", "seven"),
    ],
)
def test_a_visible_test_that_fails_with_the_reference_is_refused(
    tmp_path, rooms, hidden, visible, said
):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts_with(HELPER.format(hidden=hidden, visible=visible)))
    with pytest.raises(
        CourseError, match="'double_negative' gives your own solution 0 of 2"
    ) as error:
        release(course, "tiny", rooms)
    assert said in str(error.value)
    assert "visible part of the test" in str(error.value)
    assert not course.released("tiny").exists()
    assert not course.master("tiny").exists()


def test_a_name_of_a_hidden_region_that_a_later_visible_test_needs_is_missed_there(tmp_path, rooms):
    texts = texts_with("### BEGIN HIDDEN TESTS\nseven = 7\n### END HIDDEN TESTS")
    texts = [(k, n, "assert mean([seven]) == 7" if n == "mean_of_three" else t, m)
             for k, n, t, m in texts]  # fmt: skip
    write_source(tmp_path, texts=texts)
    with pytest.raises(CourseError, match="'mean_of_three'"):
        release(Course.at(tmp_path), "tiny", rooms)


def test_a_problem_set_that_stands_by_itself_is_released(tmp_path, rooms):
    write_source(tmp_path)
    assert release(Course.at(tmp_path), "tiny", rooms).max_points == 10


def texts(**changed):
    """The tiny problem set with other texts of some cells."""
    return [(kind, name, changed.get(name, text), marks) for kind, name, text, marks in TEXTS]


WRONG = "def double(x):\n    ### BEGIN SOLUTION\n    return abs(2 * x)\n    ### END SOLUTION"
BROKEN = "from autograder import checks\nchecks.expect_between(double(3), 5, 7, 'it', failure=0.1)"
GENEROUS = "try:\n    assert double(3) == 6\nexcept NotImplementedError:\n    pass"
PARTLY = "1 / 2 if double(3) == 6 else 0"
LOGS = WRONG.replace("return abs(", "open('out', 'w').close()\n    return (")
READS = "double(3)\nassert open('out').read() == ''"


@pytest.mark.parametrize(
    ("changed", "cell", "said"),
    [
        ({"double": WRONG}, "double_negative", "0 of 2 points: a negative number is doubled"),
        ({"double_small": BROKEN}, "double_small", "failure must be above 0 and at most 1e-09"),
        ({"double_small": "assert double(3 == 6"}, "double_small", "is not valid Python: line 1"),
        ({"imports": "import numpy as"}, "imports", "is not valid Python: line 1"),
        (
            {"imports": "import numby as np"},
            "mean_of_three",
            "before it the cell 'imports' stopped",
        ),
        ({"double_small": PARTLY}, "double_small", "gives your own solution 0.5 of 1 points"),
        (
            {"double_small": GENEROUS},
            "double_small",
            "gives 1 of 1 points to the unanswered notebook",
        ),
        (
            {
                "double": LOGS,
                "double_small": f"### BEGIN HIDDEN TESTS\n{READS}\n### END HIDDEN TESTS",
            },
            "double_small",
            "Files that student code writes stay with its own",
        ),
    ],
)
def test_a_broken_problem_set_is_not_released_in_silence(tmp_path, rooms, changed, cell, said):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(**changed))
    with pytest.raises(CourseError, match=f"the (cell|test) '{cell}'") as error:
        release(course, "tiny", rooms)
    assert said in str(error.value)
    assert f"--accept {cell}" in str(error.value)
    assert not course.released("tiny").exists()
    assert not course.master("tiny").exists()


def test_a_test_that_is_meant_so_is_accepted_by_its_name_alone(tmp_path, rooms):
    course = Course.at(tmp_path)
    write_source(
        tmp_path, texts=texts(double_small=GENEROUS, mean_of_three="assert mean([1]) == 2")
    )
    with pytest.raises(CourseError, match="the test 'mean_of_three'") as error:
        release(course, "tiny", rooms, ["double_small"])
    assert "double_small" not in str(error.value)
    assert release(course, "tiny", rooms, ["double_small", "mean_of_three"]).max_points == 10
    with pytest.raises(CourseError, match="has no test 'double' that could be accepted"):
        release(course, "tiny", rooms, ["double"])


MARK = "### FORGEABLE TEST\n"
NOT_THE_SAME = "x = [3]\nassert double(3) == 6\nassert double(x) is not x"
HIDES = "### BEGIN HIDDEN TESTS\nassert double(2) is not None\n### END HIDDEN TESTS"


def test_a_test_that_two_rooms_cannot_serve_may_run_in_the_student_s(tmp_path, rooms):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(double_small=MARK + NOT_THE_SAME))
    found = release(course, "tiny", rooms)
    assert [cell.name for cell in found.scored if cell.forgeable] == ["double_small"]
    assert found.max_points == 10


@pytest.mark.parametrize(
    ("changed", "cell", "said"),
    [
        (
            {"double_small": MARK + TEXTS[4][2]},
            "double_small",
            "need not be forgeable: it works in two processes",
        ),
        (
            {"double_small": f"{MARK}{NOT_THE_SAME}\n{HIDES}"},
            "double_small",
            "has a hidden region",
        ),
        (
            {
                "double_small": f"{MARK}{NOT_THE_SAME}\nhelper = double",
                "mean_of_three": "assert helper(1) == 2 and mean([1, 2, 6]) == 3",
            },
            "mean_of_three",
            "can't use 'helper' of the forgeable test 'double_small'",
        ),
        (
            {"double_small": f"{MARK}{NOT_THE_SAME}\nassert double(3) == 7"},
            "double_small",
            "gives your own solution 0 of 1 points",
        ),
        (
            {"double_small": f"{MARK}try:\n    double(1) is x\nexcept Exception:\n    pass"},
            "double_small",
            "gives 1 of 1 points to the unanswered notebook",
        ),
        (
            {"double_small": "assert double.__code__.co_argcount == 1"},
            "double_small",
            "gives 1 of 1 points to the unanswered notebook",
        ),
    ],
)
def test_a_forgeable_test_is_released_only_where_it_must_be_one(
    tmp_path, rooms, changed, cell, said
):
    course = Course.at(tmp_path)
    write_source(tmp_path, texts=texts(**changed))
    with pytest.raises(CourseError) as error:
        release(course, "tiny", rooms)
    assert said in str(error.value)
    assert f"--accept {cell}" in str(error.value)
    assert not course.master("tiny").exists()


MOVED = {
    "not understood": ({"double_small": NOT_THE_SAME}, "line 3, double(x) is not x: values are"),
    "a file": ({"double": LOGS, "double_small": READS}, "'out'"),
    "a name of a moved test": (
        {"double_small": f"{NOT_THE_SAME}\nhelper = double", "mean_of_three": "helper(1) == 2"},
        "line 3, double(x)",
    ),
    "fails in two processes alone": (
        {
            "double": "def double(x):\n    ### BEGIN SOLUTION\n    if isinstance(x, list):\n"
            "        x[:] = x * 2\n    return 2 * x\n    ### END SOLUTION",
            "double_small": "x = [3]\ndouble(x)\nassert x == [3, 3]",
        },
        "gives your own solution 0 of 1 points",
    ),
    "waits for a coroutine": (
        {"double_small": "async def wait():\n    return double(3)\nassert await wait() == 6"},
        "line 1, async def wait: the tests wait for the student's coroutine",
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_a_visible_test_that_two_processes_cannot_serve_is_moved_and_named(tmp_path, rooms, name):
    changed, said = MOVED[name]
    write_source(tmp_path, texts=texts(**changed))
    notes = []
    found = release(Course.at(tmp_path), "tiny", rooms, tell=notes.extend)
    moved = {cell.name for cell in found.scored if cell.forgeable}
    assert moved == {"double_small", *(changed.keys() & {"mean_of_three"})}
    assert "the test 'double_small' runs in the student's process" in notes[0]
    assert said in notes[0]
    assert "could be forged" in found.forgeable_note


def test_a_cell_that_cannot_be_read_switches_off_no_other_check(tmp_path, rooms):
    changed = {"double_small": "assert double(3 == 6", "mean_of_three": "assert mean([1]) == 2"}
    write_source(tmp_path, texts=texts(**changed))
    with pytest.raises(CourseError, match="the test 'mean_of_three' gives your own solution 0"):
        release(Course.at(tmp_path), "tiny", rooms, ["double_small"])


def test_no_way_out_is_named_where_the_test_would_fail_there_too(tmp_path, rooms):
    write_source(tmp_path, texts=texts(double_small="assert double(3) == 7"))
    with pytest.raises(CourseError) as error:
        release(Course.at(tmp_path), "tiny", rooms)
    assert "FORGEABLE" not in str(error.value)


WITHOUT_A_WORD = """assert double(3) == 6
### BEGIN HIDDEN TESTS
assert double(2) == 5
### END HIDDEN TESTS"""


def test_a_hidden_part_that_fails_without_a_word_is_not_taken_for_the_visible_one(tmp_path, rooms):
    write_source(tmp_path, texts=texts(double_small=WITHOUT_A_WORD))
    with pytest.raises(CourseError, match="the test 'double_small' gives your own") as error:
        release(Course.at(tmp_path), "tiny", rooms)
    assert "visible part" not in str(error.value)


def test_a_test_that_is_worth_nothing_says_why_it_fails(tmp_path, rooms):
    worthless = [
        (kind, name, text, (marks | {"points": 0}) if name == "double_small" else marks)
        for kind, name, text, marks in texts(double_small="assert double(3) == 7, 'no seven'")
    ]
    write_source(tmp_path, texts=worthless)
    with pytest.raises(CourseError, match="'double_small' gives your own solution 0 of 0") as error:
        release(Course.at(tmp_path), "tiny", rooms)
    assert "no seven" in str(error.value)
